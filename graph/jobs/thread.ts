import type { Worker, WorkerOptions } from 'node:worker_threads'
import { endThread, makeGate } from '../content/uninterruptible.ts'

/**
 * Starts a thread with the code of the named file beside the calling module, which passes its `import.meta.url`.
 * The program hands this in, since the executable has no such files.
 */
export type StartThread = (name: string, beside: string, options: WorkerOptions) => Worker

/** The interval between checks of a job's memory, in milliseconds. */
const CHECK_INTERVAL = 50

/**
 * V8 ends the whole process when a thread fails to allocate much memory at once, for example for a growing table. Its
 * limit is therefore far beyond the checked one: by this factor, and by at least so many MiB.
 */
const LATITUDE = 4
const LEAST_LATITUDE = 2048

/** Returns V8's limits for a thread whose jobs may use so many MiB. */
export function resourceLimitsFor(mebibytes: number) {
  return { maxOldGenerationSizeMb: Math.max(mebibytes * LATITUDE, mebibytes + LEAST_LATITUDE) }
}

/** Why a job was ended: it exceeded its time or memory, it failed, or its caller has gone. */
export type Reason = 'time' | 'memory' | 'failure' | 'unwanted'

interface JobLimits {
  milliseconds: number
  /** Of the thread's heap and its buffers. */
  mebibytes: number
}

interface Listener<Message> {
  onMessage(message: Message): void
  /** Called when the job was ended without a result. */
  onEnded(reason: Reason, cause?: unknown): void
}

/**
 * A thread that runs one job at a time. A job that exceeds its time or memory is ended together with the thread; the
 * next job gets a new thread. No failure in the thread ends the process.
 */
export class JobThread<Message> {
  readonly #start: (gate: Int32Array) => Worker
  readonly #whenFree: () => void
  #worker: Worker | undefined
  #gate = makeGate()
  #listener: Listener<Message> | undefined
  #timers: NodeJS.Timeout[] = []
  /** Whether the previous thread is still ending and holds its memory. */
  #ending: Promise<void> | undefined

  /** `start` gets the gate that says when the thread may be ended. */
  constructor(start: (gate: Int32Array) => Worker, whenFree: () => void) {
    this.#start = start
    this.#whenFree = whenFree
  }

  get isBusy() {
    return this.#listener !== undefined || this.#ending !== undefined
  }

  /** Runs the job; the thread must not be busy. */
  run(task: unknown, handedOver: ArrayBuffer[], limits: JobLimits, listener: Listener<Message>) {
    this.#listener = listener
    try {
      this.#worker ??= this.#startWorker()
      const worker = this.#worker
      this.#timers = [
        setTimeout(() => this.end('time'), limits.milliseconds),
        setInterval(() => this.#checkMemory(worker, limits.mebibytes * 1024 * 1024), CHECK_INTERVAL)
      ]
      worker.postMessage(task, handedOver)
    } catch (error) {
      this.end('failure', error)
    }
  }

  /** The caller reports that the job is done. */
  done() {
    this.#forget()
    this.#whenFree()
  }

  /** Ends the job, if any, and the thread; resolves when the thread has ended. */
  async end(reason: Reason, cause?: unknown) {
    const [worker, listener, gate] = [this.#worker, this.#listener, this.#gate]
    if (!worker && !listener) return this.#ending
    this.#worker = undefined
    this.#forget()
    if (worker) this.#ending = endThread(worker, gate).catch(() => {})
    listener?.onEnded(reason, cause)
    await this.#ending
    this.#ending = undefined
    this.#whenFree()
  }

  #forget() {
    this.#listener = undefined
    for (const timer of this.#timers.splice(0)) clearTimeout(timer)
  }

  #startWorker() {
    this.#gate = makeGate()
    const worker = this.#start(this.#gate)
    // Ignores messages of a thread that has been ended meanwhile.
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
      this.#listener?.onMessage(message)
    } catch (error) {
      this.end('failure', error)
    }
  }

  async #checkMemory(worker: Worker, bytes: number) {
    try {
      const { used_heap_size: heap, external_memory: buffers } = await worker.getHeapStatistics()
      if (worker === this.#worker && this.#listener && heap + buffers > bytes) this.end('memory')
    } catch {
      // The thread has ended; its `exit` event reports that.
    }
  }
}
