import { availableParallelism } from 'node:os'
import type { Worker } from 'node:worker_threads'
import type { StartThread } from '../../graph/jobs/thread.ts'
import { type LeavesToWrite, type WrittenLeaves, writeLeaves } from './lines.ts'

/** The maximum number of leaves to write on the event loop. Writing that many takes about a millisecond. */
const FEW = 50

/** How long a thread may stay idle before it ends, in milliseconds. */
const IDLE = 10_000

/** The maximum number of threads. The limit leaves CPU time for the event loop and the thread that reads events. */
export const WRITERS = Math.min(2, availableParallelism())

/** Lines become garbage as soon as they are sent. Without these limits, V8 collects them late and uses 100 MB more. */
const resourceLimits = { maxYoungGenerationSizeMb: 16, maxOldGenerationSizeMb: 512 }

/** A thread and its queue of jobs. */
interface Writer {
  worker: Worker
  jobs: PromiseWithResolvers<WrittenLeaves>[]
}

/** Writes export lines in threads that start on demand. */
export class AuditLineWriter {
  readonly #startThread: StartThread
  #writers: Writer[] = []
  #idle: NodeJS.Timeout | undefined

  constructor(startThread: StartThread) {
    this.#startThread = startThread
  }

  /** Returns the lines for the leaves. */
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

  /** Returns the thread with the fewest jobs, or starts a new one if all are busy. */
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
      // An idle thread must not keep the process alive.
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

  /** Terminates the threads once they have been idle for a while. */
  #rest() {
    clearTimeout(this.#idle)
    this.#idle = setTimeout(() => this.close(), IDLE).unref()
  }

  /** Terminates the threads. */
  async close() {
    clearTimeout(this.#idle)
    await Promise.all(this.#writers.splice(0).map(({ worker }) => worker.terminate()))
  }
}
