import type { Worker, WorkerOptions } from 'node:worker_threads'
import { endThread, makeGate } from './uncut.ts'

/**
 * Starts the thread whose code is the file of this name beside the module that asks, which gives its `import.meta.url`.
 * The program hands this in: it knows whether it has files.
 */
export type StartThread = (name: string, beside: string, options: WorkerOptions) => Worker

/** How often is looked at the memory of a job, in milliseconds. */
const LOOK = 50

/**
 * V8 ends the whole process where a thread cannot have the memory that it wants at once, as a table that grows does. Its
 * own limit is therefore far beyond the one that is looked at: by so many times, or MiB.
 */
const LATITUDE = 4
const LEAST_LATITUDE = 2048

/** What V8 may be told of a thread whose jobs may use so many MiB. */
export function resourceLimitsFor(mebibytes: number) {
  return { maxOldGenerationSizeMb: Math.max(mebibytes * LATITUDE, mebibytes + LEAST_LATITUDE) }
}

/** Why a job was ended: it took more time or memory than it may, it failed, or it was not wanted any more. */
export type Reason = 'time' | 'memory' | 'failure' | 'unwanted'

export interface JobLimits {
  milliseconds: number
  /** Of the heap and of what buffers take, all that the thread has. */
  mebibytes: number
}

interface Listener<Message> {
  /** Is told what the thread says. */
  hear(message: Message): void
  /** Is told that the job has come to nothing. */
  ended(reason: Reason, cause?: unknown): void
}

/**
 * A thread that runs one job at a time. A job that takes too much time or memory is ended together with the thread, and
 * the next one gets a new one. Nothing that happens in the thread ends the process.
 */
export class JobThread<Message> {
  readonly #start: (gate: Int32Array) => Worker
  readonly #whenFree: () => void
  #worker: Worker | undefined
  #gate = makeGate()
  #listener: Listener<Message> | undefined
  #timers: NodeJS.Timeout[] = []
  /** While the last thread ends, its memory is not free. */
  #isEnding = false

  /** A thread is started with the gate that says when it may be ended. */
  constructor(start: (gate: Int32Array) => Worker, whenFree: () => void) {
    this.#start = start
    this.#whenFree = whenFree
  }

  get isBusy() {
    return this.#listener !== undefined || this.#isEnding
  }

  /** Gives the job to the thread, which is not busy. */
  run(task: unknown, handedOver: ArrayBuffer[], limits: JobLimits, listener: Listener<Message>) {
    this.#listener = listener
    try {
      this.#worker ??= this.#started()
      const worker = this.#worker
      this.#timers = [
        setTimeout(() => this.end('time'), limits.milliseconds),
        setInterval(() => this.#look(worker, limits.mebibytes * 1024 * 1024), LOOK)
      ]
      worker.postMessage(task, handedOver)
    } catch (error) {
      this.end('failure', error)
    }
  }

  /** To be called when the job is done. */
  done() {
    this.#forget()
    this.#whenFree()
  }

  /** Ends the job, if there is one, and the thread; resolves when it has ended. */
  async end(reason: Reason, cause?: unknown) {
    const [worker, listener, gate] = [this.#worker, this.#listener, this.#gate]
    if (!worker && !listener) return
    this.#worker = undefined
    this.#forget()
    this.#isEnding ||= worker !== undefined
    listener?.ended(reason, cause)
    if (worker) {
      await endThread(worker, gate).catch(() => {})
      this.#isEnding = false
    }
    this.#whenFree()
  }

  #forget() {
    this.#listener = undefined
    for (const timer of this.#timers.splice(0)) clearTimeout(timer)
  }

  #started() {
    this.#gate = makeGate()
    const worker = this.#start(this.#gate)
    // What a thread says that has been ended meanwhile means nothing.
    const whileItRuns = (act: () => void) => {
      if (worker === this.#worker) act()
    }
    worker.on('message', (message: Message) => whileItRuns(() => this.#hear(message)))
    worker.on('messageerror', (error) => whileItRuns(() => this.end('failure', error)))
    worker.on('error', (error: Error & { code?: string }) =>
      whileItRuns(() => this.end(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'memory' : 'failure', error))
    )
    worker.on('exit', () => whileItRuns(() => this.end('failure', new Error('the thread has ended'))))
    return worker
  }

  #hear(message: Message) {
    try {
      this.#listener?.hear(message)
    } catch (error) {
      this.end('failure', error)
    }
  }

  async #look(worker: Worker, bytes: number) {
    try {
      const { used_heap_size: heap, external_memory: buffers } = await worker.getHeapStatistics()
      if (worker === this.#worker && this.#listener && heap + buffers > bytes) this.end('memory')
    } catch {
      // It has ended, and says so itself.
    }
  }
}
