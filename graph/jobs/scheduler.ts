import { setFlagsFromString } from 'node:v8'
import type { PictureKit } from '../../picture/sheet/png.ts'
import type { Body } from '../../schemas/graph-content.ts'
import type { PictureOptions } from '../../schemas/picture.ts'
import { type Circumstances, type ErrorCode, ProblemError } from '../../schemas/problem-catalogue.ts'
import type { WordQuery } from '../content/words.ts'
import type { DiffRequest } from '../diff/document.ts'
import type { PatchedState } from '../diff/patch.ts'
import type { FileOptions } from '../files/conversion.ts'
import type { PartForm } from '../files/parts.ts'
import type { Adjacency } from '../query/adjacency.ts'
import type { Wanted } from '../query/find-elements.ts'
import type { Question } from '../query/subgraph.ts'
import { FairQueue } from './fair-queue.ts'
import type { Spool } from './spool.ts'
import { JobThread, type Reason } from './thread.ts'

/** Limits on running and waiting jobs, of all users and of one; each job takes up to the body limit in memory. */
const JOBS_AT_MOST = 64
const JOBS_OF_A_USER = 16

/** Jobs from this size on, in bytes, run one after another: two at once would take too much memory. */
const HUGE = 8 * 1024 * 1024

/** Jobs that run at once, each of another user. */
const THREADS = 2

/** How long an idle thread beyond the first is kept, in milliseconds. */
const IDLE = 30_000

// Gives threads that start from now on `globalThis.gc`.
setFlagsFromString('--expose-gc')

/** The tasks of the worker. */
export type Task =
  | { kind: 'body'; bytes: Uint8Array }
  | { kind: 'patch'; bytes: Uint8Array; content: Body | undefined; state: PatchedState }
  | { kind: 'read'; bytes: Uint8Array; options: FileOptions }
  | { kind: 'write'; body: Body; name: string; type: string | undefined; format: string }
  | { kind: 'words'; body: Body }
  | { kind: 'summary'; body: Body }
  | {
      kind: 'subgraph'
      body: Body | undefined
      kept: Adjacency | undefined
      keeps: boolean
      question: Question
      as: PartForm
    }
  | { kind: 'find'; bodies: (Body | undefined)[]; query: WordQuery; wanted: Wanted }
  | { kind: 'picture'; body: Body; title: string; options: PictureOptions; kit: PictureKit | undefined }
  | { kind: 'diff'; from: Body | undefined; to: Body | undefined; request: DiffRequest }

/** The answers of the worker: a result or a problem; for written files also compressed pieces and the end. */
export type Message =
  | { kind: 'result'; value: unknown }
  | { kind: 'problem'; code: ErrorCode; circumstances: Circumstances }
  | { kind: 'piece'; piece: Uint8Array }
  | { kind: 'kept'; adjacency: Adjacency }
  | { kind: 'end' }

/** The user who asks, for turns, and the signal that the user has gone. */
export interface Requester {
  user?: string
  signal?: AbortSignal
}

/** A task that waits or runs. */
interface Job {
  task: Task
  user: string
  isHuge: boolean
  resolve(value: unknown): void
  reject(error: unknown): void
  /** The file that the job writes. */
  file: Spool | undefined
  /** Called with the adjacency that the job yields after its result. */
  keep: ((adjacency: Adjacency) => void) | undefined
  /** The thread that runs the job. */
  thread?: JobThread<Message>
}

/** Limits of single jobs. */
export interface JobsSettings {
  /** Time limit of a job, in milliseconds. */
  timeout: number
  /** Memory limit of a huge job, in MiB; other jobs have half of it. Exceeding it ends the job, not the server. */
  memory: number
}

/** Further properties of a job: its size in bytes, if that is not the size of its task, and what it yields besides a result. */
interface JobOptions {
  size?: number
  file?: Spool
  keep?: (adjacency: Adjacency) => void
}

/**
 * Runs jobs in threads. Users take turns, and no user has more than one thread. Jobs that exceed their time or memory, and jobs
 * whose caller has gone, are ended. The bytes of their tasks are transferred, and are then empty for the caller.
 */
export class Jobs {
  /** Called for each job that was ended without a result. */
  onEnded: (reason: Reason) => void = () => {}
  readonly #timeout: number
  readonly #memory: number
  readonly #threads: JobThread<Message>[]
  readonly #queue = new FairQueue<Job>()
  readonly #running = new Map<string, Job>()
  #idle: NodeJS.Timeout | undefined
  #isClosed = false

  /** `start` gets the gate of the thread that it starts, see JobThread. */
  constructor(start: ConstructorParameters<typeof JobThread>[0], { timeout, memory }: JobsSettings) {
    this.#timeout = timeout
    this.#memory = memory
    this.#threads = Array.from({ length: THREADS }, () => new JobThread<Message>(start, () => this.#next()))
  }

  /** Ends all running and waiting jobs. */
  async close() {
    this.#isClosed = true
    clearTimeout(this.#idle)
    for (const { reject } of this.#queue.clear()) reject(new ProblemError('server-busy'))
    await Promise.all(this.#threads.map((thread) => thread.end('unwanted')))
  }

  /** Returns the result of the task. Throws its problem, `server-busy`, and `request-aborted` on the signal. */
  ask(
    task: Task,
    { user = '', signal }: Requester = {},
    { size = sizeOf(task), file, keep }: JobOptions = {}
  ): Promise<unknown> {
    if (signal?.aborted) throw new ProblemError('request-aborted')
    this.#makeRoom(user)
    return new Promise((resolve, reject) => {
      const job: Job = { task, user, isHuge: size > HUGE, resolve, reject, file, keep }
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
    if (message.kind === 'kept') return job.keep?.(message.adjacency)
    if (message.kind === 'problem') {
      const problem = new ProblemError(message.code, message.circumstances)
      job.reject(problem)
      job.file?.destroy(problem)
    } else if (message.kind === 'result') job.resolve(message.value)
    else job.file?.complete()
    // The file or the adjacency follows.
    if (message.kind === 'result' && (job.file || job.keep)) return
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
    const isRead = kind === 'body' || kind === 'patch' || kind === 'read'
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
  if (task.kind === 'patch') return [task.bytes, task.content]
  if (task.kind === 'diff') return [task.from, task.to]
  if (task.kind === 'find') return task.bodies
  // Kept contents are not handed over.
  if (task.kind === 'subgraph') return [task.body]
  return ['body' in task ? task.body : task.bytes]
}

/** Returns the buffer of these bytes for a transfer, if they have it for themselves. */
export function transferable(bytes: Uint8Array | string | undefined): ArrayBuffer[] {
  if (typeof bytes !== 'object' || bytes.byteLength < bytes.buffer.byteLength || !(bytes.buffer instanceof ArrayBuffer))
    return []
  return [bytes.buffer]
}
