import type { Worker } from 'node:worker_threads'
import type { StartThread } from '../../graph/jobs/thread.ts'
import type { AuditEventRow } from '../tables.ts'
import { type Batch, type LogEnd, sealBatch } from './batch.ts'
import { FEW } from './unsealed.ts'

/** The time after which an unused thread ends, in milliseconds. */
const IDLE = 10_000

/** Seals batches of events, large ones in a thread that it starts when needed. */
export class AuditSealer {
  readonly #startThread: StartThread
  #worker: Worker | undefined
  #idle: NodeJS.Timeout | undefined

  constructor(startThread: StartThread) {
    this.#startThread = startThread
  }

  /** Makes the events the next leaves; many of them are given as a text for `unpackRows`. One batch at a time. */
  async seal(end: LogEnd, rows: readonly AuditEventRow[] | string): Promise<Batch> {
    if (typeof rows !== 'string' && rows.length <= FEW) return sealBatch(end, rows)
    clearTimeout(this.#idle)
    this.#worker ??= this.#start()
    const worker = this.#worker
    const sealed = Promise.withResolvers<Batch>()
    worker.once('message', sealed.resolve)
    worker.once('error', sealed.reject)
    const onExit = () => sealed.reject(new Error('the thread has ended'))
    worker.once('exit', onExit)
    worker.ref()
    try {
      worker.postMessage({ end, rows })
      return await sealed.promise
    } finally {
      worker.off('message', sealed.resolve).off('error', sealed.reject).off('exit', onExit).unref()
      this.#idle = setTimeout(() => this.close(), IDLE).unref()
    }
  }

  /** Starts the thread. One that fails or ends is replaced at the next batch, even if it did so between two. */
  #start(): Worker {
    const worker = this.#startThread('batch-thread', import.meta.url, {})
    const forget = () => {
      if (this.#worker === worker) this.#worker = undefined
    }
    return worker.on('error', forget).on('exit', forget)
  }

  /** Ends the thread. */
  async close() {
    clearTimeout(this.#idle)
    const worker = this.#worker
    this.#worker = undefined
    await worker?.terminate()
  }
}
