import { Readable } from 'node:stream'
import type { Worker } from 'node:worker_threads'
import type { Body, PreparedContent, StoredContent } from '../schemas/graph-content.ts'
import type { Loss } from '../schemas/graph-file.ts'
import { startThread } from './assets.ts'
import { type CheckContent, type ContentLimits, contentChecker, jsonOf } from './content.ts'
import { type Circumstances, type ErrorCode, ProblemError } from './errors.ts'
import type { Format, GraphToWrite } from './formats/format.ts'
import { TakesLong } from './formats/graph-builder.ts'
import { hasContent, parseGraphBody } from './graph-body.ts'
import { type DiffRequest, writeDiff } from './graph-diff.ts'
import { contentOf, type FileOptions, type FileReading, readGraphFile, writeGraphFile } from './graph-file.ts'

/** From this size on a body is worth the way to another thread: the event loop would stand still for 8 ms. */
const LARGE_BODY = 256 * 1024

/** The same for files, which cost more than JSON, and for content that becomes one. */
const LARGE_FILE = 32 * 1024

/** A small file may be a large graph: from so many nodes and edges on, it is for the other thread as well. */
const PATIENCE = 3000

/** So many jobs may be with the worker or wait for it; each takes up to the body limit in memory. */
const WAITING_AT_MOST = 32

/** What the worker may be asked for. */
export type Task =
  | { kind: 'body'; bytes: Uint8Array }
  | { kind: 'read'; bytes: Uint8Array; options: FileOptions }
  | { kind: 'write'; body: Body; name: string; type: string | undefined; format: string }
  | { kind: 'diff'; from: Body | undefined; to: Body | undefined; request: DiffRequest }

/** What the worker says: the result; or what is wrong; and of files, piece after piece and their end. */
export type Message =
  | { kind: 'result'; value: unknown }
  | { kind: 'problem'; code: ErrorCode; circumstances: Circumstances }
  | { kind: 'chunk'; chunk: Uint8Array }
  | { kind: 'end' }

interface Job {
  task: Task
  resolve(value: unknown): void
  reject(error: unknown): void
  /** Of a file that is written. */
  stream?: Readable
}

/** Content as it is stored, which takes less memory than what it says. */
export type Content = Pick<StoredContent, 'body' | 'size'>

/** A file as it is written: what it loses, and its bytes. */
export interface WrittenFile {
  losses: Loss[]
  bytes: Buffer | Readable
}

/**
 * Reads and writes graphs: small ones at once, and large ones in a worker thread, one after another, so that nobody
 * waits for them but who asked. What nobody waits for any more is given up. The bytes of large ones are handed over to
 * the thread, and are gone for whoever asked.
 */
export class GraphWorker {
  readonly #limits: ContentLimits
  readonly #memory: number
  #checker: CheckContent | undefined
  #worker: Worker | undefined
  #running: Job | undefined
  #waiting: Job[] = []
  #isClosed = false

  /** The worker may use so much memory, in MiB; what needs more ends the worker, and not the server. */
  constructor(limits: ContentLimits, memory = 1024) {
    this.#limits = limits
    this.#memory = memory
  }

  /** Made when it is first needed: the start does without. */
  get #check() {
    this.#checker ??= contentChecker(this.#limits)
    return this.#checker
  }

  /** The body of a request with its content prepared. Throws as parseGraphBody does, `body-too-large`, `server-busy`. */
  async readBody(bytes: Buffer): Promise<unknown> {
    if (bytes.length < LARGE_BODY) return parseGraphBody(bytes, this.#check)
    const body = await this.#ask({ kind: 'body', bytes })
    if (hasContent(body)) restore((body.content as PreparedContent).stored)
    return body
  }

  /** What is in a file. Throws as readGraphFile does, `body-too-large` and `server-busy`; and when it is given up. */
  async readFile(bytes: Buffer, options: FileOptions, signal?: AbortSignal): Promise<FileReading> {
    if (bytes.length < LARGE_FILE) {
      try {
        return readGraphFile(bytes, options, this.#limits, this.#check, PATIENCE)
      } catch (error) {
        if (!(error instanceof TakesLong)) throw error
      }
    }
    const reading = (await this.#ask({ kind: 'read', bytes, options }, signal)) as FileReading
    restore(reading.stored)
    return reading
  }

  /** The graph as a file: large ones as a stream, which comes as fast as it is written. */
  async writeFile(
    { name, type }: Omit<GraphToWrite, 'content'>,
    content: Content | null,
    format: Format,
    signal?: AbortSignal
  ): Promise<WrittenFile> {
    if (!content || content.size < LARGE_FILE) {
      const json = content ? await jsonOf(content.body) : undefined
      const graph = { name, ...(type !== undefined && { type }), content: contentOf(json) }
      const { losses, chunks } = writeGraphFile(graph, format)
      return { losses, bytes: Buffer.concat([...chunks]) }
    }
    // What waits in the stream is in memory, but never more than one file of this size.
    const stream = new Readable({ read() {} })
    // It may break before anybody listens, or after they have gone.
    stream.on('error', () => {})
    const task = { kind: 'write', body: content.body, name, type, format: format.name } as const
    const losses = (await this.#ask(task, signal, stream)) as Loss[]
    return { losses, bytes: stream }
  }

  /** What differs between two contents, where there are two, in the form that is asked for: its bytes. */
  async diff(from: Content | null, to: Content | null, request: DiffRequest, signal?: AbortSignal): Promise<Buffer> {
    if ((from?.size ?? 0) + (to?.size ?? 0) < LARGE_FILE) {
      const [before, after] = await Promise.all([from, to].map((content) => content && jsonOf(content.body)))
      return writeDiff(before ?? undefined, after ?? undefined, request)
    }
    const bytes = (await this.#ask({ kind: 'diff', from: from?.body, to: to?.body, request }, signal)) as Uint8Array
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }

  /** Gives up what is under way and what waits. */
  async close() {
    this.#isClosed = true
    for (const { reject } of this.#waiting.splice(0)) reject(new ProblemError('server-busy'))
    await this.#worker?.terminate()
  }

  #ask(task: Task, signal?: AbortSignal, stream?: Readable): Promise<unknown> {
    if (this.#isClosed || this.#waiting.length + (this.#running ? 1 : 0) >= WAITING_AT_MOST)
      throw new ProblemError('server-busy', { retryAfter: 5 })
    return new Promise((resolve, reject) => {
      if (signal?.aborted) throw new ProblemError('request-aborted')
      const job: Job = { task, resolve, reject, ...(stream && { stream }) }
      signal?.addEventListener('abort', () => this.#giveUp(job), { once: true })
      this.#waiting.push(job)
      this.#next()
    })
  }

  #next() {
    if (this.#running) return
    this.#running = this.#waiting.shift()
    if (!this.#running) return
    this.#worker ??= this.#start()
    const { task } = this.#running
    this.#worker.postMessage(task, bytesOf(task).flatMap(owned))
  }

  #start() {
    const worker = startThread('graph-worker-thread', import.meta.url, {
      workerData: this.#limits,
      resourceLimits: { maxOldGenerationSizeMb: this.#memory }
    })
    worker.on('message', (message: Message) => {
      const job = this.#running
      if (!job || worker !== this.#worker) return
      if (message.kind === 'chunk') {
        job.stream?.push(message.chunk)
        return
      }
      if (message.kind === 'problem') job.reject(new ProblemError(message.code, message.circumstances))
      else if (message.kind === 'result') job.resolve(message.value)
      else job.stream?.push(null)
      if (message.kind === 'result' && job.stream) return
      this.#running = undefined
      this.#next()
    })
    worker.on('error', (cause: Error & { code?: string }) => {
      const isMemory = cause.code === 'ERR_WORKER_OUT_OF_MEMORY'
      const detail = 'It needs more memory than there is for a graph.'
      this.#lost(worker, isMemory ? new ProblemError('body-too-large', { detail, cause }) : cause)
    })
    worker.on('exit', () => this.#lost(worker, new Error('the worker ended')))
    return worker
  }

  /** What the worker was at is lost with it; what waits gets a new one. */
  #lost(worker: Worker, cause: Error) {
    if (worker !== this.#worker) return
    this.#worker = undefined
    const job = this.#running
    this.#running = undefined
    job?.reject(cause instanceof ProblemError ? cause : new ProblemError('server-busy', { cause }))
    job?.stream?.destroy(cause)
    this.#next()
  }

  #giveUp(job: Job) {
    const reason = new ProblemError('request-aborted')
    job.reject(reason)
    if (job === this.#running && this.#worker) {
      const worker = this.#worker
      this.#lost(worker, reason)
      worker.terminate()
    } else this.#waiting = this.#waiting.filter((waiting) => waiting !== job)
  }
}

function bytesOf(task: Task) {
  if (task.kind === 'diff') return [task.from, task.to]
  return [task.kind === 'write' ? task.body : task.bytes]
}

/** The memory of these bytes, to be handed over instead of copied, if it is theirs alone. */
export function owned(bytes: Uint8Array | string | undefined): ArrayBuffer[] {
  if (typeof bytes !== 'object' || bytes.byteLength < bytes.buffer.byteLength || !(bytes.buffer instanceof ArrayBuffer))
    return []
  return [bytes.buffer]
}

/** Buffers arrive as bare bytes. */
function restore(stored: StoredContent | undefined) {
  if (typeof stored?.body !== 'object') return
  stored.body = Buffer.from(stored.body.buffer, stored.body.byteOffset, stored.body.byteLength)
}
