import type { Worker } from 'node:worker_threads'
import type { CompiledQuery, DatabaseConnection, Driver, QueryResult } from 'kysely'
import { StoreBusy, StoreUnavailable } from '../store.ts'
import { bindable, errorOf } from './sqlite-dialect.ts'
import type { StartThread } from './start-thread.ts'

export interface Question {
  sql: string
  parameters: unknown[]
}

export type Reply = { rows: unknown[] } | { code: string; message: string }

/** Threads that read beside the event loop; each is started when it is first needed, and has its own connection. */
const THREADS = 2

/** So many queries may wait for a thread. */
const WAITING_AT_MOST = 100

/** Connections that live in threads of their own, for queries that take long. */
export class SqliteReaders implements Driver {
  readonly #file: string
  readonly #startThread: StartThread
  readonly #all = new Set<SqliteReader>()
  #free: SqliteReader[] = []
  #waiting: PromiseWithResolvers<SqliteReader>[] = []
  #closed = false

  constructor(file: string, startThread: StartThread) {
    this.#file = file
    this.#startThread = startThread
  }

  async init() {}

  async acquireConnection(): Promise<SqliteReader> {
    if (this.#closed) throw closed()
    const free = this.#free.pop()
    if (free) return free
    if (this.#all.size < THREADS) {
      const thread = new SqliteReader(this.#file, this.#startThread)
      this.#all.add(thread)
      return thread
    }
    if (this.#waiting.length >= WAITING_AT_MOST) throw new StoreBusy('too many queries wait for a thread')
    const waiting = Promise.withResolvers<SqliteReader>()
    this.#waiting.push(waiting)
    return waiting.promise
  }

  async releaseConnection(connection: DatabaseConnection) {
    let thread = connection as SqliteReader
    if (thread.isLost) {
      this.#all.delete(thread)
      if (this.#waiting.length === 0) return
      thread = new SqliteReader(this.#file, this.#startThread)
      this.#all.add(thread)
    }
    const next = this.#waiting.shift()
    if (next) next.resolve(thread)
    else this.#free.push(thread)
  }

  /** What is under way or waits is refused. */
  async destroy() {
    this.#closed = true
    for (const { reject } of this.#waiting.splice(0)) reject(closed())
    await Promise.all([...this.#all].map((thread) => thread.end()))
  }

  async beginTransaction(): Promise<never> {
    throw new Error('a thread answers one query at a time')
  }

  async commitTransaction() {}

  async rollbackTransaction() {}
}

class SqliteReader implements DatabaseConnection {
  readonly #worker: Worker
  #asked: PromiseWithResolvers<Reply> | undefined
  /** It has ended, and answers nothing any more. */
  isLost = false

  constructor(file: string, startThread: StartThread) {
    this.#worker = startThread('sqlite-reader-thread', import.meta.url, { workerData: file })
    // It keeps nobody from ending.
    this.#worker.unref()
    this.#worker.on('message', (reply: Reply) => this.#asked?.resolve(reply))
    this.#worker.on('error', (cause) => this.#lose(new StoreUnavailable('a reading thread failed', { cause })))
    this.#worker.on('exit', () => this.#lose(closed()))
  }

  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    if (this.isLost) throw closed()
    this.#asked = Promise.withResolvers()
    this.#worker.ref()
    try {
      this.#worker.postMessage({ sql, parameters: parameters.map(bindable) } satisfies Question)
      const reply = await this.#asked.promise
      if ('rows' in reply) return { rows: reply.rows as R[] }
      throw errorOf(reply.code, reply.message)
    } finally {
      this.#worker.unref()
    }
  }

  // biome-ignore lint/correctness/useYield: the interface wants a generator, and nothing here streams
  async *streamQuery(): AsyncGenerator<never> {
    throw new Error('queries are not streamed')
  }

  async end() {
    await this.#worker.terminate()
  }

  #lose(reason: Error) {
    this.isLost = true
    this.#asked?.reject(reason)
  }
}

function closed() {
  return new StoreUnavailable('the store is closed')
}
