import type { Readable } from 'node:stream'
import { setFlagsFromString } from 'node:v8'
import { type Circumstances, type ErrorCode, ProblemError } from '../schemas/errors.ts'
import type { Body, PreparedContent, StoredContent } from '../schemas/graph-content.ts'
import type { Loss } from '../schemas/graph-file.ts'
import { hasContent, parseGraphBody } from './body.ts'
import { Budget } from './budget.ts'
import { type CheckContent, type ContentLimits, contentChecker, contentOf, jsonOf } from './content.ts'
import { type DiffRequest, writeDiff } from './diff-document.ts'
import { FairQueue } from './fair-queue.ts'
import { type FileOptions, type FileReading, readGraphFile, writeGraphFile } from './files.ts'
import type { GraphToWrite, WritableFormat } from './formats/format.ts'
import { TakesLong } from './formats/graph-builder.ts'
import { JobThread, type Reason, resourceLimitsFor, type StartThread } from './job-thread.ts'
import { Spool } from './spool.ts'
import { packingOf, unpackedAtMost } from './unpack.ts'

/** Bodies from this size on go to another thread: they would block the event loop for 8 ms. */
const LARGE_BODY = 256 * 1024

/** The same for files, which cost more than JSON, and for content to be written as one. */
const LARGE_FILE = 32 * 1024

/** A small file may hold a large graph: from so many nodes and edges on, it goes to another thread as well. */
const SMALL_GRAPH = 3000

/** Limits on running and waiting jobs, of all users and of one; each job takes up to the body limit in memory. */
const JOBS_AT_MOST = 64
const JOBS_OF_A_USER = 16

/** Jobs from this size on, in bytes, run one after another: two at once would take too much memory. */
const HUGE = 8 * 1024 * 1024

/** Jobs that run at once, each of another user. */
const THREADS = 2

/** How long an idle thread beyond the first is kept, in milliseconds. */
const IDLE = 30_000

/** Compressed bytes of files that may wait for their readers; files that have begun may double this. */
const SPOOL = 128 * 1024 * 1024

// Gives threads that start from now on `globalThis.gc`.
setFlagsFromString('--expose-gc')

/** The tasks of the worker. */
export type Task =
  | { kind: 'body'; bytes: Uint8Array }
  | { kind: 'read'; bytes: Uint8Array; options: FileOptions }
  | { kind: 'write'; body: Body; name: string; type: string | undefined; format: string }
  | { kind: 'diff'; from: Body | undefined; to: Body | undefined; request: DiffRequest }

/** The answers of the worker: a result or a problem; for written files also compressed pieces and the end. */
export type Message =
  | { kind: 'result'; value: unknown }
  | { kind: 'problem'; code: ErrorCode; circumstances: Circumstances }
  | { kind: 'piece'; piece: Uint8Array }
  | { kind: 'end' }

/** The user who asks, for turns, and the signal that the user has gone. */
export interface Requester {
  user?: string
  signal?: AbortSignal
}

interface Job {
  task: Task
  user: string
  isHuge: boolean
  resolve(value: unknown): void
  reject(error: unknown): void
  /** The file that the job writes. */
  file: Spool | undefined
  /** The thread that runs the job. */
  thread?: JobThread<Message>
}

/** Settings of jobs. */
export interface WorkerSettings {
  startThread: StartThread
  /** Time limit of a job, in milliseconds. */
  timeout?: number
  /** Memory limit of a huge job, in MiB; other jobs have half of it. Exceeding it ends the job, not the server. */
  memory?: number
  /** Compressed bytes of files that may wait for their readers. */
  spool?: number
}

/** Content in stored form, which takes less memory than the parsed one. */
export type Content = Pick<StoredContent, 'body' | 'size'>

/** A written file: its losses and its bytes. */
export interface WrittenFile {
  losses: Loss[]
  bytes: Buffer | Readable
}

/**
 * Reads and writes graphs: small ones at once, large ones in threads, so that they delay only their own requests. Users
 * take turns, and no user has more than one thread. Jobs that exceed their time or memory, and jobs whose caller has gone,
 * are ended. The bytes of large graphs are transferred, and are then empty for the caller.
 */
export class GraphWorker {
  /** Called for each job that was ended without a result. */
  onEnded: (reason: Reason) => void = () => {}
  readonly #limits: ContentLimits
  readonly #timeout: number
  readonly #memory: number
  readonly #threads: JobThread<Message>[]
  readonly #queue = new FairQueue<Job>()
  readonly #running = new Map<string, Job>()
  readonly #spool: Budget
  #checker: CheckContent | undefined
  #idle: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(limits: ContentLimits, { startThread, timeout = 60_000, memory = 768, spool = SPOOL }: WorkerSettings) {
    this.#limits = limits
    this.#timeout = timeout
    this.#memory = memory
    this.#spool = new Budget(spool, 'Too many large files are being sent.')
    const start = (gate: Int32Array) =>
      startThread('worker-thread', import.meta.url, {
        workerData: { limits, gate },
        resourceLimits: resourceLimitsFor(memory)
      })
    this.#threads = Array.from({ length: THREADS }, () => new JobThread<Message>(start, () => this.#next()))
  }

  /** Created on first use, which makes the start faster. */
  get #check() {
    this.#checker ??= contentChecker(this.#limits)
    return this.#checker
  }

  /** Parses the body of a request and prepares its content. Throws like parseGraphBody, `file-too-complex` and `server-busy`. */
  async readBody(bytes: Buffer, caller?: Requester): Promise<unknown> {
    if (bytes.length < LARGE_BODY) return parseGraphBody(bytes, this.#check)
    const body = await this.#ask({ kind: 'body', bytes }, caller)
    if (hasContent(body)) restore((body.content as PreparedContent).stored)
    return body
  }

  /** Reads a file. Throws like readGraphFile, `file-too-complex` and `server-busy`; and `request-aborted` on the signal. */
  async readFile(bytes: Buffer, options: FileOptions, caller?: Requester): Promise<FileReading> {
    const isPacked = packingOf(bytes) !== undefined
    if (bytes.length < LARGE_FILE && !isPacked) {
      try {
        return readGraphFile(bytes, options, this.#limits, this.#check, SMALL_GRAPH)
      } catch (error) {
        if (!(error instanceof TakesLong)) throw error
      }
    }
    // A packed file counts as what it may become.
    const size = isPacked ? unpackedAtMost(bytes.length, this.#limits.bodyLimit) : bytes.length
    const reading = (await this.#ask({ kind: 'read', bytes, options }, caller, { size })) as FileReading
    restore(reading.stored)
    return reading
  }

  /**
   * Writes the graph as a file. A large file is a stream, which waits for its reader. Throws `graph-too-complex` and
   * `server-busy`.
   */
  async writeFile(
    { name, type }: Omit<GraphToWrite, 'content'>,
    content: Content | null,
    format: WritableFormat,
    caller: Requester = {}
  ): Promise<WrittenFile> {
    if (!content || content.size < LARGE_FILE) {
      const json = content ? await jsonOf(content.body) : undefined
      const graph = { name, ...(type !== undefined && { type }), content: contentOf(json) }
      const { losses, chunks } = writeGraphFile(graph, format)
      return { losses, bytes: Buffer.concat([...chunks]) }
    }
    const file = new Spool(this.#spool, caller.user ?? '')
    // The stream may fail before it has a reader, or after the reader has gone.
    file.on('error', () => {})
    const task = { kind: 'write', body: content.body, name, type, format: format.name } as const
    const losses = (await this.#ask(task, caller, { size: content.size, file })) as Loss[]
    return { losses, bytes: file }
  }

  /** Compares two contents; null counts as empty. Returns the bytes of the requested form. */
  async diff(from: Content | null, to: Content | null, request: DiffRequest, caller?: Requester): Promise<Buffer> {
    const size = (from?.size ?? 0) + (to?.size ?? 0)
    if (size < LARGE_FILE) {
      const [before, after] = await Promise.all([from, to].map((content) => content && jsonOf(content.body)))
      return writeDiff(before ?? undefined, after ?? undefined, request)
    }
    const task = { kind: 'diff', from: from?.body, to: to?.body, request } as const
    const bytes = (await this.#ask(task, caller, { size })) as Uint8Array
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }

  /** Ends all running and waiting jobs. */
  async close() {
    this.#isClosed = true
    clearTimeout(this.#idle)
    for (const { reject } of this.#queue.clear()) reject(new ProblemError('server-busy'))
    await Promise.all(this.#threads.map((thread) => thread.end('unwanted')))
  }

  #ask(
    task: Task,
    { user = '', signal }: Requester = {},
    { size = sizeOf(task), file }: { size?: number; file?: Spool } = {}
  ): Promise<unknown> {
    if (signal?.aborted) throw new ProblemError('request-aborted')
    this.#makeRoom(user)
    return new Promise((resolve, reject) => {
      const job: Job = { task, user, isHuge: size > HUGE, resolve, reject, file }
      signal?.addEventListener('abort', () => this.#giveUp(job), { once: true })
      file?.once('close', () => this.#giveUp(job))
      this.#queue.add(user, job)
      this.#next()
    })
  }

  /** If the queue is full, the user with most waiting jobs loses the last to a user with fewer. Throws `server-busy`. */
  #makeRoom(user: string) {
    const waiting = this.#queue.sizeOf(user)
    const own = waiting + (this.#running.has(user) ? 1 : 0)
    const busy = new ProblemError('server-busy', { retryAfter: 5 })
    if (this.#isClosed || own >= JOBS_OF_A_USER) throw busy
    if (this.#queue.size + this.#running.size < JOBS_AT_MOST) return
    const dropped = this.#queue.dropOfMost(waiting + 1)
    if (!dropped) throw busy
    dropped.reject(busy)
  }

  #next() {
    if (this.#isClosed) return
    clearTimeout(this.#idle)
    for (const thread of this.#threads) {
      if (thread.isBusy) continue
      const hasHuge = [...this.#running.values()].some(({ isHuge }) => isHuge)
      const job = this.#queue.take(({ isHuge }, user) => !this.#running.has(user) && !(isHuge && hasHuge))
      if (job) this.#run(job, thread)
    }
    this.#idle = setTimeout(() => this.#endIdle(), IDLE).unref()
  }

  #run(job: Job, thread: JobThread<Message>) {
    const { task, user, isHuge } = job
    job.thread = thread
    this.#running.set(user, job)
    const limits = { milliseconds: this.#timeout, mebibytes: isHuge ? this.#memory : this.#memory / 2 }
    thread.run(task, buffersOf(task).flatMap(transferable), limits, {
      onMessage: (message) => this.#hear(job, thread, message),
      onEnded: (reason, cause) => this.#fail(job, reason, cause)
    })
  }

  #hear(job: Job, thread: JobThread<Message>, message: Message) {
    if (message.kind === 'piece') return job.file?.add(message.piece)
    if (message.kind === 'problem') {
      const problem = new ProblemError(message.code, message.circumstances)
      job.reject(problem)
      job.file?.destroy(problem)
    } else if (message.kind === 'result') job.resolve(message.value)
    else job.file?.complete()
    if (message.kind === 'result' && job.file) return
    this.#finish(job)
    thread.done()
  }

  #finish({ user }: Job) {
    this.#running.delete(user)
    // A user who has just been served goes behind the others.
    this.#queue.moveBehind(user)
  }

  /** Rejects a job that was ended together with its thread. */
  #fail(job: Job, reason: Reason, cause: unknown) {
    this.#finish(job)
    if (reason !== 'unwanted') this.onEnded(reason)
    const problem = this.#problemOf(job.task, reason, cause)
    job.reject(problem)
    job.file?.destroy(problem)
  }

  #problemOf({ kind }: Task, reason: Reason, cause: unknown) {
    if (reason === 'unwanted') return new ProblemError(this.#isClosed ? 'server-busy' : 'request-aborted')
    // V8 throws a RangeError for a string or table beyond its maximum length.
    const isTooLong = cause instanceof Error && cause.name === 'RangeError'
    if (reason === 'failure' && !isTooLong) return new ProblemError('server-busy', { cause })
    const isTime = reason === 'time'
    const detail = isTime
      ? `It takes more than ${this.#timeout / 1000} s.`
      : 'It needs more memory than there is for it.'
    const isRead = kind === 'body' || kind === 'read'
    return new ProblemError(isRead ? 'file-too-complex' : 'graph-too-complex', { detail, cause })
  }

  #giveUp(job: Job) {
    if (this.#running.get(job.user) === job) job.thread?.end('unwanted')
    else {
      this.#queue.remove(job.user, job)
      job.reject(new ProblemError('request-aborted'))
    }
  }

  /** Keeps one thread when there is little to do. */
  #endIdle() {
    for (const thread of this.#threads.slice(1)) if (!thread.isBusy) thread.end('unwanted')
  }
}

function sizeOf(task: Task) {
  return buffersOf(task).reduce((sum, bytes) => sum + (bytes?.length ?? 0), 0)
}

function buffersOf(task: Task) {
  if (task.kind === 'diff') return [task.from, task.to]
  return [task.kind === 'write' ? task.body : task.bytes]
}

/** Returns the buffer of these bytes for a transfer, if they have it for themselves. */
export function transferable(bytes: Uint8Array | string | undefined): ArrayBuffer[] {
  if (typeof bytes !== 'object' || bytes.byteLength < bytes.buffer.byteLength || !(bytes.buffer instanceof ArrayBuffer))
    return []
  return [bytes.buffer]
}

/** Restores the Buffer that a message turns into a Uint8Array. */
function restore(stored: StoredContent | undefined) {
  if (typeof stored?.body !== 'object') return
  stored.body = Buffer.from(stored.body.buffer, stored.body.byteOffset, stored.body.byteLength)
}
