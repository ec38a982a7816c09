import type { Worker } from 'node:worker_threads'
import type { CompiledQuery, DatabaseConnection, Driver, QueryResult } from 'kysely'
import { currentRequester } from '../../../graph/jobs/shares.ts'
import type { StartThread } from '../../../graph/jobs/thread.ts'
import { StoreUnavailable, storeClosed } from '../../store.ts'
import { Pool } from '../pool.ts'
import { bindable } from './connection.ts'
import { errorOf } from './errors.ts'

export interface Question {
  sql: string
  parameters: unknown[]
}

/** Rows are arrays of values, so that column names cross the thread boundary only once, rather than with each row. */
export type Reply = { columns: string[]; rows: unknown[][] } | { code: string; message: string }

/** The maximum number of threads. Each starts on demand and has its own connection. */
const THREADS = 2

/** The maximum number of queries that may wait for a thread. */
const QUEUE_LIMIT = 100

/** Connections in separate threads, for slow queries. */
export class SqliteScanners implements Driver {
  readonly #pool: Pool<SqliteScanner>

  constructor(file: string, startThread: StartThread) {
    const open = () => {
      const thread: SqliteScanner = new SqliteScanner(file, startThread, () => this.#pool.remove(thread))
      return thread
    }
    this.#pool = new Pool({ open, size: THREADS, queueLimit: QUEUE_LIMIT })
  }

  async init() {}

  acquireConnection() {
    return this.#pool.take(currentRequester())
  }

  async releaseConnection(connection: DatabaseConnection) {
    const thread = connection as SqliteScanner
    if (!thread.isLost) this.#pool.giveBack(thread)
  }

  /** Terminates the threads. Rejects running, waiting and later queries. */
  async destroy() {
    await Promise.all(this.#pool.close().map((thread) => thread.end()))
  }

  async beginTransaction(): Promise<never> {
    throw new Error('a reader thread runs one query at a time')
  }

  async commitTransaction() {}

  async rollbackTransaction() {}
}

class SqliteScanner implements DatabaseConnection {
  readonly #worker: Worker
  readonly #onLoss: () => void
  #asked: PromiseWithResolvers<Reply> | undefined
  /** Whether the thread has ended. */
  isLost = false

  /** `onLoss` is called once, when the thread ends. */
  constructor(file: string, startThread: StartThread, onLoss: () => void) {
    this.#onLoss = onLoss
    this.#worker = startThread('reader-thread', import.meta.url, { workerData: file })
    // An idle thread must not keep the process alive.
    this.#worker.unref()
    this.#worker.on('message', (reply: Reply) => this.#asked?.resolve(reply))
    this.#worker.on('error', (cause) => this.#lose(new StoreUnavailable('a reader thread failed', { cause })))
    this.#worker.on('exit', () => this.#lose(storeClosed()))
  }

  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    if (this.isLost) throw storeClosed()
    this.#asked = Promise.withResolvers()
    this.#worker.ref()
    try {
      this.#worker.postMessage({ sql, parameters: parameters.map(bindable) } satisfies Question)
      const reply = await this.#asked.promise
      if ('rows' in reply) return { rows: reply.rows.map((values) => objectOf(reply.columns, values) as R) }
      throw errorOf(reply.code, reply.message)
    } finally {
      this.#worker.unref()
    }
  }

  // biome-ignore lint/correctness/useYield: the interface requires a generator, but streaming is not supported
  async *streamQuery(): AsyncGenerator<never> {
    throw new Error('streaming queries is not supported')
  }

  async end() {
    await this.#worker.terminate()
  }

  #lose(reason: Error) {
    if (this.isLost) return
    this.isLost = true
    this.#asked?.reject(reason)
    this.#onLoss()
  }
}

function objectOf(names: readonly string[], values: readonly unknown[]) {
  const row: Record<string, unknown> = {}
  for (const [index, name] of names.entries()) row[name] = values[index]
  return row
}
