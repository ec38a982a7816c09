import type { Readable } from 'node:stream'
import { setFlagsFromString } from 'node:v8'
import { type Circumstances, type ErrorCode, ProblemError } from '../schemas/errors.ts'
import type { Body, PreparedContent, StoredContent } from '../schemas/graph-content.ts'
import type { Loss } from '../schemas/graph-file.ts'
import { hasContent, parseGraphBody } from './body.ts'
import { Budget } from './budget.ts'
import { type CheckContent, type ContentLimits, contentChecker, jsonOf } from './content.ts'
import { type DiffRequest, writeDiff } from './diff-document.ts'
import { FairQueue } from './fair-queue.ts'
import { contentOf, type FileOptions, type FileReading, readGraphFile, writeGraphFile } from './files.ts'
import type { Format, GraphToWrite } from './formats/format.ts'
import { TakesLong } from './formats/graph-builder.ts'
import { JobThread, type Reason, resourceLimitsFor, type StartThread } from './job-thread.ts'
import { Spool } from './spool.ts'

/** From this size on a body is worth the way to another thread: the event loop would stand still for 8 ms. */
const LARGE_BODY = 256 * 1024

/** The same for files, which cost more than JSON, and for content that becomes one. */
const LARGE_FILE = 32 * 1024

/** A small file may be a large graph: from so many nodes and edges on, it is for the other thread as well. */
const PATIENCE = 3000

/** So many jobs may be under way or wait; each takes up to the body limit in memory. Of one user there are fewer. */
const JOBS_AT_MOST = 64
const JOBS_OF_A_USER = 16

/** From this size on, in bytes, one job after another: two at once would take all memory there is. */
const HUGE = 8 * 1024 * 1024

/** So many jobs are done at once, each of another user. */
const THREADS = 2

/** So long a thread beyond the first is kept for the next job, in milliseconds. */
const IDLE = 30_000

/** So much of files may wait for those who read them, packed, in bytes; what has begun may double it. */
const SPOOL = 128 * 1024 * 1024

// Threads that are started from now on may collect their garbage themselves.
setFlagsFromString('--expose-gc')

/** What the worker may be asked for. */
export type Task =
  | { kind: 'body'; bytes: Uint8Array }
  | { kind: 'read'; bytes: Uint8Array; options: FileOptions }
  | { kind: 'write'; body: Body; name: string; type: string | undefined; format: string }
  | { kind: 'diff'; from: Body | undefined; to: Body | undefined; request: DiffRequest }

/** What the worker says: the result; or what is wrong; and of files, packed piece after piece and their end. */
export type Message =
  | { kind: 'result'; value: unknown }
  | { kind: 'problem'; code: ErrorCode; circumstances: Circumstances }
  | { kind: 'piece'; piece: Uint8Array }
  | { kind: 'end' }

/** Who asks, so that everybody has a turn, and whether they still wait. */
export interface Caller {
  user?: string
  signal?: AbortSignal
}

interface Job {
  task: Task
  user: string
  isHuge: boolean
  resolve(value: unknown): void
  reject(error: unknown): void
  /** Of a file that is written. */
  file: Spool | undefined
  /** Where it is done. */
  thread?: JobThread<Message>
}

/** How jobs are started, and what they may take. */
export interface WorkerSettings {
  startThread: StartThread
  /** Of time, in milliseconds. */
  timeout?: number
  /** Of memory, in MiB; those that are not huge half of it. What needs more ends the job, and not the server. */
  memory?: number
  /** Of what waits for those who read it, packed, in bytes. */
  spool?: number
}

/** Content as it is stored, which takes less memory than what it says. */
export type Content = Pick<StoredContent, 'body' | 'size'>

/** A file as it is written: what it loses, and its bytes. */
export interface WrittenFile {
  losses: Loss[]
  bytes: Buffer | Readable
}

/**
 * Reads and writes graphs: small ones at once, and large ones in worker threads, so that nobody waits for them but who
 * asked. Users take turns, and nobody has more than one thread. What takes too much time or memory is ended, and what
 * nobody waits for any more is given up. The bytes of large ones are handed over, and are gone for whoever asked.
 */
export class GraphWorker {
  /** Is told of each job that was ended. */
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

  /** Made when it is first needed: the start does without. */
  get #check() {
    this.#checker ??= contentChecker(this.#limits)
    return this.#checker
  }

  /** The body of a request with its content prepared. Throws as parseGraphBody does, `file-too-complex`, `server-busy`. */
  async readBody(bytes: Buffer, caller?: Caller): Promise<unknown> {
    if (bytes.length < LARGE_BODY) return parseGraphBody(bytes, this.#check)
    const body = await this.#ask({ kind: 'body', bytes }, caller)
    if (hasContent(body)) restore((body.content as PreparedContent).stored)
    return body
  }

  /** What is in a file. Throws as readGraphFile does, `file-too-complex` and `server-busy`; and when it is given up. */
  async readFile(bytes: Buffer, options: FileOptions, caller?: Caller): Promise<FileReading> {
    if (bytes.length < LARGE_FILE) {
      try {
        return readGraphFile(bytes, options, this.#limits, this.#check, PATIENCE)
      } catch (error) {
        if (!(error instanceof TakesLong)) throw error
      }
    }
    const reading = (await this.#ask({ kind: 'read', bytes, options }, caller)) as FileReading
    restore(reading.stored)
    return reading
  }

  /**
   * The graph as a file: large ones as a stream, which comes as fast as it is written, and waits for whoever reads it.
   * Throws `graph-too-complex` and `server-busy`.
   */
  async writeFile(
    { name, type }: Omit<GraphToWrite, 'content'>,
    content: Content | null,
    format: Format,
    caller: Caller = {}
  ): Promise<WrittenFile> {
    if (!content || content.size < LARGE_FILE) {
      const json = content ? await jsonOf(content.body) : undefined
      const graph = { name, ...(type !== undefined && { type }), content: contentOf(json) }
      const { losses, chunks } = writeGraphFile(graph, format)
      return { losses, bytes: Buffer.concat([...chunks]) }
    }
    const file = new Spool(this.#spool, caller.user ?? '')
    // It may break before anybody listens, or after they have gone.
    file.on('error', () => {})
    const task = { kind: 'write', body: content.body, name, type, format: format.name } as const
    const losses = (await this.#ask(task, caller, { size: content.size, file })) as Loss[]
    return { losses, bytes: file }
  }

  /** What differs between two contents, where there are two, in the form that is asked for: its bytes. */
  async diff(from: Content | null, to: Content | null, request: DiffRequest, caller?: Caller): Promise<Buffer> {
    const size = (from?.size ?? 0) + (to?.size ?? 0)
    if (size < LARGE_FILE) {
      const [before, after] = await Promise.all([from, to].map((content) => content && jsonOf(content.body)))
      return writeDiff(before ?? undefined, after ?? undefined, request)
    }
    const task = { kind: 'diff', from: from?.body, to: to?.body, request } as const
    const bytes = (await this.#ask(task, caller, { size })) as Uint8Array
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }

  /** Gives up what is under way and what waits. */
  async close() {
    this.#isClosed = true
    clearTimeout(this.#idle)
    for (const { reject } of this.#queue.clear()) reject(new ProblemError('server-busy'))
    await Promise.all(this.#threads.map((thread) => thread.end('unwanted')))
  }

  #ask(
    task: Task,
    { user = '', signal }: Caller = {},
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

  /** Where all places are taken, who has most waiting loses the last of it to who has less. Throws `server-busy`. */
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
    thread.run(task, bytesOf(task).flatMap(owned), limits, {
      hear: (message) => this.#hear(job, thread, message),
      ended: (reason, cause) => this.#lost(job, reason, cause)
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
    // Who has just been served lets the others go first.
    this.#queue.moveBehind(user)
  }

  /** The job has come to nothing, and its thread with it; what waits gets a new one. */
  #lost(job: Job, reason: Reason, cause: unknown) {
    this.#finish(job)
    if (reason !== 'unwanted') this.onEnded(reason)
    const problem = this.#problemOf(job.task, reason, cause)
    job.reject(problem)
    job.file?.destroy(problem)
  }

  #problemOf({ kind }: Task, reason: Reason, cause: unknown) {
    if (reason === 'unwanted') return new ProblemError(this.#isClosed ? 'server-busy' : 'request-aborted')
    // A text or table that is longer than any may be.
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

  /** One thread is enough where there is little to do. */
  #endIdle() {
    for (const thread of this.#threads.slice(1)) if (!thread.isBusy) thread.end('unwanted')
  }
}

function sizeOf(task: Task) {
  return bytesOf(task).reduce((sum, bytes) => sum + (bytes?.length ?? 0), 0)
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
