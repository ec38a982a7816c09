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
import { currentRequester, Slots } from './shares.ts'
import type { Spool } from './spool.ts'
import { JobThread, type Reason } from './thread.ts'

/** Jobs that wait, of all holders and of one; each takes up to the body limit in memory. */
const WAITING = 64
const WAITING_OF_ONE = 15

/** Jobs from this size on, in bytes, run one after another: two at once would take too much memory. */
const HUGE = 8 * 1024 * 1024

/** Jobs that run at once, each of another holder. Neither a user nor the guests, nor both together, have all threads. */
const THREADS = 3

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
  | {
      kind: 'picture'
      body: Body
      title: string
      options: PictureOptions
      kit: PictureKit | undefined
      layout: Float64Array | undefined
    }
  | { kind: 'diff'; from: Body | undefined; to: Body | undefined; request: DiffRequest }

/** The result of a picture: its bytes, and its layout if it needed one. */
export interface DrawnPicture {
  bytes: Uint8Array
  layout: Float64Array | undefined
}

/** The answers of the worker: a result or a problem; for written files also compressed pieces and the end. */
export type Message =
  | { kind: 'result'; value: unknown }
  | { kind: 'problem'; code: ErrorCode; circumstances: Circumstances }
  | { kind: 'piece'; piece: Uint8Array }
  | { kind: 'kept'; adjacency: Adjacency }
  | { kind: 'end' }

/** A task that waits or runs. */
interface Job {
  task: Task
  isHuge: boolean
  resolve(value: unknown): void
  reject(error: unknown): void
  /** The file that the job writes. */
  file: Spool | undefined
  /** Called with the adjacency that the job yields after its result. */
  keep: ((adjacency: Adjacency) => void) | undefined
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
 * Runs jobs in threads. Holders take turns, and no holder has more than one thread. Jobs that exceed their time or memory, and jobs
 * whose requester has gone, are ended. The bytes of their tasks are transferred, and are then empty for the caller.
 */
export class Jobs {
  /** Called for each job that was ended without a result. */
  onEnded: (reason: Reason) => void = () => {}
  readonly #timeout: number
  readonly #memory: number
  readonly #threads: JobThread<Message>[]
  readonly #slots = new Slots({ slots: THREADS, slotsOfOne: 1, waiting: WAITING, waitingOfOne: WAITING_OF_ONE })
  #hugeJobs = 0
  #idle: NodeJS.Timeout | undefined
  #isClosed = false

  /** `start` gets the gate of the thread that it starts, see JobThread. */
  constructor(start: ConstructorParameters<typeof JobThread>[0], { timeout, memory }: JobsSettings) {
    this.#timeout = timeout
    this.#memory = memory
    this.#threads = Array.from({ length: THREADS }, () => new JobThread<Message>(start))
  }

  /** Ends all running and waiting jobs. */
  async close() {
    this.#isClosed = true
    clearTimeout(this.#idle)
    this.#slots.close()
    await Promise.all(this.#threads.map((thread) => thread.end('unwanted')))
  }

  /** Returns the result of the task. Throws its problem, `server-busy`, and `request-aborted` if the requester has gone. */
  async ask(task: Task, { size = sizeOf(task), file, keep }: JobOptions = {}): Promise<unknown> {
    const requester = currentRequester()
    const isHuge = size > HUGE
    const closed = new AbortController()
    file?.once('close', () => closed.abort())
    const signal = AbortSignal.any([closed.signal, ...(requester.signal ? [requester.signal] : [])])
    const release = await this.#slots.take({ ...requester, signal }, () => !(isHuge && this.#hugeJobs > 0))
    if (this.#isClosed || signal.aborted) {
      release()
      throw new ProblemError(this.#isClosed ? 'server-busy' : 'request-aborted')
    }
    return new Promise((resolve, reject) => {
      this.#run({ task, isHuge, resolve, reject, file, keep }, signal).finally(release)
    })
  }

  /** Runs the job in a free thread. Resolves when the thread is free again. */
  async #run(job: Job, signal: AbortSignal) {
    const { task, isHuge } = job
    const thread = this.#threads.find(({ isBusy }) => !isBusy) as JobThread<Message>
    clearTimeout(this.#idle)
    if (isHuge) this.#hugeJobs++
    const limits = { milliseconds: this.#timeout, mebibytes: isHuge ? this.#memory : this.#memory / 2 }
    const giveUp = () => thread.end('unwanted')
    signal.addEventListener('abort', giveUp, { once: true })
    await thread.run(task, buffersOf(task).flatMap(transferable), limits, {
      onMessage: (message) => this.#hear(job, message),
      onEnded: (reason, cause) => this.#fail(job, reason, cause)
    })
    signal.removeEventListener('abort', giveUp)
    if (isHuge) this.#hugeJobs--
    this.#idle = setTimeout(() => this.#endIdle(), IDLE).unref()
  }

  /** Returns whether this was the last message. */
  #hear({ file, keep, resolve, reject }: Job, message: Message): boolean {
    if (message.kind === 'piece') file?.add(message.piece)
    else if (message.kind === 'kept') keep?.(message.adjacency)
    else if (message.kind === 'problem') {
      const problem = new ProblemError(message.code, message.circumstances)
      reject(problem)
      file?.destroy(problem)
    } else if (message.kind === 'result') resolve(message.value)
    else file?.complete()
    // The file or the adjacency follows a result.
    const goesOn = message.kind === 'piece' || message.kind === 'kept' || (message.kind === 'result' && (file || keep))
    return !goesOn
  }

  /** Rejects a job that was ended together with its thread. */
  #fail({ task, file, reject }: Job, reason: Reason, cause: unknown) {
    if (reason !== 'unwanted') this.onEnded(reason)
    const problem = this.#problemOf(task, reason, cause)
    reject(problem)
    file?.destroy(problem)
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
