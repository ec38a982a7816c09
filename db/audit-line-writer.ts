import type { Worker } from 'node:worker_threads'
import type { StartThread } from '../graph/job-thread.ts'
import { type LeavesToWrite, type WrittenLeaves, writeLeaves } from './audit-lines.ts'

/** The most leaves that are written without a thread: this takes a millisecond. */
const FEW = 50

/** The time after which an unused thread ends, in milliseconds. */
const IDLE = 10_000

/** Writes lines of exports, in a thread that it starts when needed. */
export class AuditLineWriter {
  readonly #startThread: StartThread
  #thread: { worker: Worker; jobs: PromiseWithResolvers<WrittenLeaves>[] } | undefined
  #idle: NodeJS.Timeout | undefined

  constructor(startThread: StartThread) {
    this.#startThread = startThread
  }

  /** Returns the lines of the leaves. Jobs are done in their order. */
  async write(leaves: LeavesToWrite): Promise<WrittenLeaves> {
    const count = leaves.runs.reduce((sum, run) => sum + run.count, 0)
    if (count <= FEW) return writeLeaves(leaves)
    clearTimeout(this.#idle)
    this.#thread ??= this.#start()
    const { worker, jobs } = this.#thread
    const job = Promise.withResolvers<WrittenLeaves>()
    worker.ref()
    worker.postMessage(leaves)
    jobs.push(job)
    return job.promise
  }

  #start() {
    const worker = this.#startThread('audit-lines-thread', import.meta.url, {})
    const thread = { worker, jobs: [] as PromiseWithResolvers<WrittenLeaves>[] }
    worker.on('message', (lines: WrittenLeaves) => {
      thread.jobs.shift()?.resolve(lines)
      if (thread.jobs.length === 0) this.#rest(worker)
    })
    const fail = (error: Error) => {
      if (this.#thread === thread) this.#thread = undefined
      for (const { reject } of thread.jobs.splice(0)) reject(error)
    }
    worker.on('error', fail)
    worker.on('exit', () => fail(new Error('the thread has ended')))
    return thread
  }

  /** Lets the process end, and the thread if it stays unused. */
  #rest(worker: Worker) {
    worker.unref()
    clearTimeout(this.#idle)
    this.#idle = setTimeout(() => this.close(), IDLE).unref()
  }

  /** Ends the thread. */
  async close() {
    clearTimeout(this.#idle)
    await this.#thread?.worker.terminate()
  }
}
