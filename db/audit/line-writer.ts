import { availableParallelism } from 'node:os'
import type { Worker } from 'node:worker_threads'
import type { StartThread } from '../../graph/jobs/thread.ts'
import { type LeavesToWrite, type WrittenLeaves, writeLeaves } from './lines.ts'

/** The most leaves that are written without a thread: this takes a millisecond. */
const FEW = 50

/** The time after which an unused thread ends, in milliseconds. */
const IDLE = 10_000

/** The most threads. They give way to the event loop and the thread that reads events. */
export const WRITERS = Math.min(2, availableParallelism())

/** Lines are garbage as soon as they are sent. Left alone, V8 collects it late, and takes a hundred megabytes more. */
const resourceLimits = { maxYoungGenerationSizeMb: 16, maxOldGenerationSizeMb: 512 }

/** A thread, and the jobs that it has, in their order. */
interface Writer {
  worker: Worker
  jobs: PromiseWithResolvers<WrittenLeaves>[]
}

/** Writes lines of exports, in threads that it starts when needed. */
export class AuditLineWriter {
  readonly #startThread: StartThread
  #writers: Writer[] = []
  #idle: NodeJS.Timeout | undefined

  constructor(startThread: StartThread) {
    this.#startThread = startThread
  }

  /** Returns the lines of the leaves. */
  async write(leaves: LeavesToWrite): Promise<WrittenLeaves> {
    const count = leaves.runs.reduce((sum, run) => sum + run.count, 0)
    if (count <= FEW) return writeLeaves(leaves)
    clearTimeout(this.#idle)
    const { worker, jobs } = this.#freest()
    const job = Promise.withResolvers<WrittenLeaves>()
    worker.ref()
    worker.postMessage(leaves)
    jobs.push(job)
    return job.promise
  }

  /** Returns the thread with the fewest jobs, a new one if all have some. */
  #freest(): Writer {
    const [least] = this.#writers.toSorted((one, other) => one.jobs.length - other.jobs.length)
    return least && (least.jobs.length === 0 || this.#writers.length === WRITERS) ? least : this.#start()
  }

  #start(): Writer {
    const worker = this.#startThread('lines-thread', import.meta.url, { resourceLimits })
    const writer: Writer = { worker, jobs: [] }
    this.#writers.push(writer)
    worker.on('message', (written: WrittenLeaves) => {
      writer.jobs.shift()?.resolve(written)
      // An idle thread does not keep the process alive.
      if (writer.jobs.length === 0) worker.unref()
      if (this.#writers.every(({ jobs }) => jobs.length === 0)) this.#rest()
    })
    const fail = (error: Error) => {
      this.#writers = this.#writers.filter((other) => other !== writer)
      for (const { reject } of writer.jobs.splice(0)) reject(error)
    }
    worker.on('error', fail)
    worker.on('exit', () => fail(new Error('the thread has ended')))
    return writer
  }

  /** Ends the threads if they stay unused. */
  #rest() {
    clearTimeout(this.#idle)
    this.#idle = setTimeout(() => this.close(), IDLE).unref()
  }

  /** Ends the threads. */
  async close() {
    clearTimeout(this.#idle)
    await Promise.all(this.#writers.splice(0).map(({ worker }) => worker.terminate()))
  }
}
