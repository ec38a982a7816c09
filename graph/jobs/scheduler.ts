import { setFlagsFromString } from 'node:v8'
import type { Layout } from '../../picture/layout/places.ts'
import type { PictureKit } from '../../picture/sheet/png.ts'
import type { Body } from '../../schemas/graph-content.ts'
import type { LayoutAlgorithm, PlacedBy } from '../../schemas/layout.ts'
import type { PictureOptions } from '../../schemas/picture.ts'
import { type Circumstances, type ErrorCode, ProblemError } from '../../schemas/problem-catalogue.ts'
import type { GraphView } from '../../schemas/saved-view.ts'
import type { WordQuery } from '../content/words.ts'
import type { DiffRequest } from '../diff/document.ts'
import type { PatchedState } from '../diff/patch.ts'
import type { FileOptions } from '../files/conversion.ts'
import type { PartForm } from '../files/parts.ts'
import type { Adjacency } from '../query/adjacency.ts'
import type { Wanted } from '../query/find-elements.ts'
import type { Question } from '../query/subgraph.ts'
import { alone, type Peers } from './peers.ts'
import { currentRequester, Slots } from './shares.ts'
import type { Spool } from './spool.ts'
import { JobThread, type Reason } from './thread.ts'

/** The maximum number of waiting jobs, in total and per holder. Each may hold up to the body limit in memory. */
const WAITING = 64
const WAITING_OF_ONE = 15

/**
 * The size above which a job is huge, in bytes. Huge jobs run one at a time in all processes of a server, since two at once would
 * take too much memory.
 */
const HUGE = 8 * 1024 * 1024

/**
 * The number of jobs that run at once, each for a different holder. Even one user and all guests together cannot occupy every
 * thread.
 */
const THREADS = 3

/** How long to keep the other idle threads, in milliseconds. */
const IDLE = 30_000

// Exposes `globalThis.gc` in threads started from now on.
setFlagsFromString('--expose-gc')

/** The tasks that a worker thread accepts. */
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
      layout: Float32Array | undefined
      view: GraphView | undefined
    }
  | { kind: 'layout'; body: Body; algorithm: LayoutAlgorithm | undefined; kept: Layout | undefined; isPatient: boolean }
  | { kind: 'diff'; from: Body | undefined; to: Body | undefined; request: DiffRequest }

/** A rendered picture: its bytes, the layout that was computed for it, if any, and whether it awaits a layout. */
export interface DrawnPicture {
  bytes: Uint8Array
  layout: Layout | undefined
  isProvisional: boolean
}

/** The positions of a graph's nodes as JSON, how they were found, and the layout that was computed for them, if any. */
export interface WrittenLayout {
  algorithm: PlacedBy
  isSettled: boolean
  positions: Uint8Array
  computed: Layout | undefined
}

/**
 * A message from a worker thread. A job ends with a problem or a result. A result may be followed by file chunks or an
 * adjacency, and then an end.
 */
export type Message =
  | { kind: 'result'; value: unknown }
  | { kind: 'problem'; code: ErrorCode; circumstances: Circumstances }
  | { kind: 'piece'; piece: Uint8Array }
  | { kind: 'kept'; adjacency: Adjacency }
  | { kind: 'end' }

/** A waiting or running task. */
interface Job {
  task: Task
  isHuge: boolean
  resolve(value: unknown): void
  reject(error: unknown): void
  /** The file to which the job writes. */
  file: Spool | undefined
  /** Called with the adjacency that the job sends after its result. */
  keep: ((adjacency: Adjacency) => void) | undefined
}

/** The limits of a single job. */
export interface JobsSettings {
  /** The time limit of a job, in milliseconds. */
  timeout: number
  /**
   * The memory limit of a huge job, in MiB. Other jobs get half. A job that exceeds its limit is stopped; the server continues
   * running.
   */
  memory: number
  peers?: Peers
}

/** Options of a job: its size in bytes if it cannot be derived from the task, and where to send output other than the result. */
interface JobOptions {
  size?: number
  file?: Spool
  keep?: (adjacency: Adjacency) => void
}

/**
 * Runs jobs in threads. Holders take turns, and each uses at most one thread. A job is stopped if it exceeds its time or memory
 * limit, or if its requester disconnects. The buffers of a task are transferred, which detaches them from the caller.
 */
export class Jobs {
  /** Called for each job that was stopped without a result. */
  onEnded: (reason: Reason) => void = () => {}
  readonly #timeout: number
  readonly #memory: number
  readonly #peers: Peers
  readonly #threads: JobThread<Message>[]
  readonly #kept: number
  readonly #slots: Slots
  #hugeJobs = 0
  #idle: NodeJS.Timeout | undefined
  #isClosed = false

  /** `start` receives the gate of the thread it starts; see JobThread. `kept` is the number of idle threads that stay. */
  constructor(
    start: ConstructorParameters<typeof JobThread>[0],
    { timeout, memory, peers = alone, threads = THREADS, kept = 1 }: JobsSettings & { threads?: number; kept?: number }
  ) {
    this.#timeout = timeout
    this.#memory = memory
    this.#peers = peers
    this.#kept = kept
    this.#slots = new Slots({ slots: threads, slotsOfOne: 1, waiting: WAITING, waitingOfOne: WAITING_OF_ONE })
    this.#threads = Array.from({ length: threads }, () => new JobThread<Message>(start))
  }

  /** Stops all running and waiting jobs. */
  async close() {
    this.#isClosed = true
    clearTimeout(this.#idle)
    this.#slots.close()
    await Promise.all(this.#threads.map((thread) => thread.end('unwanted')))
  }

  /**
   * Runs the task and returns its result. Throws the task's problem, `server-busy`, or `request-aborted` if the requester has
   * disconnected.
   */
  async ask(task: Task, { size = sizeOf(task), file, keep }: JobOptions = {}): Promise<unknown> {
    const requester = currentRequester()
    const isHuge = size > HUGE
    const closed = new AbortController()
    file?.once('close', () => closed.abort())
    const signal = AbortSignal.any([closed.signal, ...(requester.signal ? [requester.signal] : [])])
    const release = await this.#slots.take({ ...requester, signal }, () => !(isHuge && this.#hugeJobs > 0))
    if (isHuge) this.#hugeJobs++
    const unlock = isHuge ? await this.#peers.lock('huge job', this.#timeout) : undefined
    const end = () => {
      if (isHuge) this.#hugeJobs--
      unlock?.()
      release()
    }
    if (this.#isClosed || signal.aborted) {
      end()
      throw new ProblemError(this.#isClosed ? 'server-busy' : 'request-aborted')
    }
    return new Promise((resolve, reject) => {
      this.#run({ task, isHuge, resolve, reject, file, keep }, signal).finally(end)
    })
  }

  /** Runs the job in a free thread. Resolves when the thread is free again. */
  async #run(job: Job, signal: AbortSignal) {
    const { task, isHuge } = job
    const thread = this.#threads.find(({ isBusy }) => !isBusy) as JobThread<Message>
    clearTimeout(this.#idle)
    const limits = { milliseconds: this.#timeout, mebibytes: isHuge ? this.#memory : this.#memory / 2 }
    const giveUp = () => thread.end('unwanted')
    signal.addEventListener('abort', giveUp, { once: true })
    await thread.run(task, buffersOf(task).flatMap(transferable), limits, {
      onMessage: (message) => this.#hear(job, message),
      onEnded: (reason, cause) => this.#fail(job, reason, cause)
    })
    signal.removeEventListener('abort', giveUp)
    this.#idle = setTimeout(() => this.#endIdle(), IDLE).unref()
  }

  /** Handles a message. Returns whether it was the job's last one. */
  #hear({ file, keep, resolve, reject }: Job, message: Message): boolean {
    if (message.kind === 'piece') file?.add(message.piece)
    else if (message.kind === 'kept') keep?.(message.adjacency)
    else if (message.kind === 'problem') {
      const problem = new ProblemError(message.code, message.circumstances)
      reject(problem)
      file?.destroy(problem)
    } else if (message.kind === 'result') resolve(message.value)
    else file?.complete()
    // A file or an adjacency may follow the result.
    const goesOn = message.kind === 'piece' || message.kind === 'kept' || (message.kind === 'result' && (file || keep))
    return !goesOn
  }

  /** Rejects a job that was stopped together with its thread. */
  #fail({ task, file, reject }: Job, reason: Reason, cause: unknown) {
    if (reason !== 'unwanted') this.onEnded(reason)
    const problem = this.#problemOf(task, reason, cause)
    reject(problem)
    file?.destroy(problem)
  }

  #problemOf({ kind }: Task, reason: Reason, cause: unknown) {
    if (reason === 'unwanted') return new ProblemError(this.#isClosed ? 'server-busy' : 'request-aborted')
    // V8 throws a RangeError for strings and collections that exceed its maximum size.
    const isTooLong = cause instanceof Error && cause.name === 'RangeError'
    if (reason === 'failure' && !isTooLong) return new ProblemError('server-busy', { cause })
    const isTime = reason === 'time'
    const detail = isTime
      ? `Processing took more than ${this.#timeout / 1000} s and was stopped.`
      : 'Processing ran out of memory and was stopped.'
    const isRead = kind === 'body' || kind === 'patch' || kind === 'read'
    return new ProblemError(isRead ? 'file-too-complex' : 'graph-too-complex', { detail, cause })
  }

  /** Stops all idle threads except those to keep. */
  #endIdle() {
    for (const thread of this.#threads.slice(this.#kept)) if (!thread.isBusy) thread.end('unwanted')
  }
}

function sizeOf(task: Task) {
  return buffersOf(task).reduce((sum, bytes) => sum + (bytes?.length ?? 0), 0)
}

function buffersOf(task: Task) {
  if (task.kind === 'patch') return [task.bytes, task.content]
  if (task.kind === 'diff') return [task.from, task.to]
  if (task.kind === 'find') return task.bodies
  // Cached adjacencies are shared rather than transferred.
  if (task.kind === 'subgraph') return [task.body]
  return ['body' in task ? task.body : task.bytes]
}

/**
 * Returns the buffer that holds these bytes, for a transfer list. Returns an empty list if the buffer also contains other data.
 */
export function transferable(bytes: Uint8Array | string | undefined): ArrayBuffer[] {
  if (typeof bytes !== 'object' || bytes.byteLength < bytes.buffer.byteLength || !(bytes.buffer instanceof ArrayBuffer))
    return []
  return [bytes.buffer]
}
