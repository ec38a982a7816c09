import type { Worker, WorkerOptions } from 'node:worker_threads'
import { endThread, makeGate } from '../content/uninterruptible.ts'

/**
 * Starts a thread that runs the named file. `beside` is the `import.meta.url` of the calling module, in the same folder. The
 * program supplies this function, since the executable has no separate files.
 */
export type StartThread = (name: string, beside: string, options: WorkerOptions) => Worker

/** The interval between checks of a job's memory use, in milliseconds. */
const CHECK_INTERVAL = 50

/**
 * The factor by which V8's memory limit exceeds the limit checked here, and the minimum difference in MiB. The margin is large
 * because V8 aborts the process if a thread fails to make a large allocation, for example to grow a hash table.
 */
const LATITUDE = 4
const LEAST_LATITUDE = 2048

/**
 * The maximum size of the young generation, in MiB, and its share of a job's memory. With V8's default, collecting garbage takes
 * a fifth of the time to read a large graph.
 */
const YOUNG = 192
const YOUNG_SHARE = 1 / 4

/** Returns V8's limits for a thread whose jobs may use this many MiB. */
export function resourceLimitsFor(mebibytes: number) {
  return {
    maxYoungGenerationSizeMb: Math.min(YOUNG, Math.ceil(mebibytes * YOUNG_SHARE)),
    maxOldGenerationSizeMb: Math.max(mebibytes * LATITUDE, mebibytes + LEAST_LATITUDE)
  }
}

/** The reason a job was stopped: it exceeded its time or memory limit, it failed, or its requester disconnected. */
export type Reason = 'time' | 'memory' | 'failure' | 'unwanted'

interface JobLimits {
  milliseconds: number
  /** The limit for the thread's heap and buffers. */
  mebibytes: number
}

interface Listener<Message> {
  /** Handles a message. Returns whether it is the job's last one. */
  onMessage(message: Message): boolean
  /** Called when the job is stopped without a result. */
  onEnded(reason: Reason, cause?: unknown): void
}

/**
 * A thread that runs one job at a time. A job that exceeds its time or memory limit is stopped together with the thread, and
 * the next job gets a new thread. A failure in the thread never ends the process.
 */
export class JobThread<Message> {
  readonly #start: (gate: Int32Array) => Worker
  #worker: Worker | undefined
  #gate = makeGate()
  #listener: Listener<Message> | undefined
  #timers: NodeJS.Timeout[] = []
  /** Resolves when the previous thread has exited. Until then, the thread still occupies its memory. */
  #ending: Promise<void> | undefined
  /** Resolves the running `run` call. Undefined if the thread is free. */
  #whenFree: (() => void) | undefined

  /** `start` receives the gate that controls when the thread may be terminated. */
  constructor(start: (gate: Int32Array) => Worker) {
    this.#start = start
  }

  get isBusy() {
    return this.#whenFree !== undefined
  }

  /** Runs the job. The thread must not be busy. Resolves when it is free again. */
  async run(task: unknown, handedOver: ArrayBuffer[], limits: JobLimits, listener: Listener<Message>) {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#whenFree = resolve
    this.#listener = listener
    await this.#ending
    // The job may have been stopped in the meantime.
    if (this.#listener === listener) this.#begin(task, handedOver, limits)
    await promise
  }

  #begin(task: unknown, handedOver: ArrayBuffer[], limits: JobLimits) {
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

  /** Stops the job, if any, and terminates the thread. Resolves when the thread has exited. */
  async end(reason: Reason, cause?: unknown) {
    const [worker, listener] = [this.#worker, this.#listener]
    const settle = this.#forget()
    this.#worker = undefined
    if (worker) this.#ending = endThread(worker, this.#gate).catch(() => {})
    listener?.onEnded(reason, cause)
    await this.#ending
    if (worker) this.#ending = undefined
    settle()
  }

  /** Clears the job. Returns a function that marks the thread as free. */
  #forget() {
    const whenFree = this.#whenFree
    this.#listener = undefined
    for (const timer of this.#timers.splice(0)) clearTimeout(timer)
    return () => {
      if (whenFree !== this.#whenFree) return
      this.#whenFree = undefined
      whenFree?.()
    }
  }

  #startWorker() {
    this.#gate = makeGate()
    const worker = this.#start(this.#gate)
    // Ignores events from a thread that was terminated in the meantime.
    const whileItRuns = (act: () => void) => {
      if (worker === this.#worker) act()
    }
    worker.on('message', (message: Message) => whileItRuns(() => this.#hear(message)))
    worker.on('messageerror', (error) => whileItRuns(() => this.end('failure', error)))
    worker.on('error', (error: Error & { code?: string }) =>
      whileItRuns(() => this.end(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'memory' : 'failure', error))
    )
    worker.on('exit', () => whileItRuns(() => this.end('failure', new Error('the thread has exited'))))
    return worker
  }

  #hear(message: Message) {
    try {
      if (this.#listener?.onMessage(message)) this.#forget()()
    } catch (error) {
      this.end('failure', error)
    }
  }

  async #checkMemory(worker: Worker, bytes: number) {
    try {
      const { used_heap_size: heap, external_memory: buffers } = await worker.getHeapStatistics()
      if (worker === this.#worker && this.#listener && heap + buffers > bytes) this.end('memory')
    } catch {
      // The thread has exited. The `exit` event handles this.
    }
  }
}
