import type { Worker } from 'node:worker_threads'
import type { StartThread } from '../../graph/jobs/thread.ts'
import type { AuditEventRow } from '../tables.ts'
import { type Batch, type LogEnd, sealBatch } from './batch.ts'
import { FEW } from './unsealed.ts'

/** How long the thread may stay idle before it ends, in milliseconds. */
const IDLE = 10_000

/** Seals batches of events. Large batches go to a thread that starts on demand. */
export class AuditSealer {
  readonly #startThread: StartThread
  #worker: Worker | undefined
  #idle: NodeJS.Timeout | undefined

  constructor(startThread: StartThread) {
    this.#startThread = startThread
  }

  /** Seals the events as the next leaves, one batch at a time. Large batches are packed for `unpackRows`. */
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

  /** Starts the thread. If the thread fails or exits, even between batches, the next batch starts a new one. */
  #start(): Worker {
    const worker = this.#startThread('batch-thread', import.meta.url, {})
    const forget = () => {
      if (this.#worker === worker) this.#worker = undefined
    }
    return worker.on('error', forget).on('exit', forget)
  }

  /** Terminates the thread. */
  async close() {
    clearTimeout(this.#idle)
    const worker = this.#worker
    this.#worker = undefined
    await worker?.terminate()
  }
}
