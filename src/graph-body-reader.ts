import { Worker } from 'node:worker_threads'
import type { PreparedContent } from '../schemas/graph-content.ts'
import { type CheckContent, type ContentLimits, contentChecker } from './content.ts'
import { type Circumstances, type ErrorCode, ProblemError } from './errors.ts'
import { hasContent, parseGraphBody } from './graph-body.ts'

/** From this size on a body is worth the way to another thread: the event loop would stand still for 8 ms. */
const LARGE = 256 * 1024

/** So many bodies may wait for the worker; each takes up to the body limit in memory. */
const WAITING_AT_MOST = 32

/** What the worker says: the body, or the problem with it. */
export type Outcome = { body: unknown } | { code: ErrorCode; circumstances: Circumstances }

interface Job {
  resolve(body: unknown): void
  reject(error: unknown): void
}

/** Reads bodies about graphs: small ones at once, and large ones in a worker thread, so that nobody waits for them. */
export class GraphBodyReader {
  readonly #limits: ContentLimits
  readonly #memory: number
  readonly #check: CheckContent
  #worker: Worker | undefined
  /** What the worker has been given, in the order in which it will answer. */
  #jobs: Job[] = []

  /** The worker may use so much memory, in MiB; a body that needs more ends the worker, and not the server. */
  constructor(limits: ContentLimits, memory = 1024) {
    this.#limits = limits
    this.#memory = memory
    this.#check = contentChecker(limits)
  }

  /** The body with its content prepared. Throws `malformed-json`, `validation-failed` and `server-busy`. */
  async read(bytes: Buffer): Promise<unknown> {
    if (bytes.length < LARGE) return parseGraphBody(bytes, this.#check)
    if (this.#jobs.length >= WAITING_AT_MOST) throw new ProblemError('server-busy', { retryAfter: 5 })
    return new Promise((resolve, reject) => {
      this.#worker ??= this.#start()
      this.#jobs.push({ resolve, reject })
      this.#worker.postMessage(bytes)
    })
  }

  async close() {
    await this.#worker?.terminate()
  }

  #start() {
    const worker = new Worker(new URL('./graph-body-worker.ts', import.meta.url), {
      workerData: this.#limits,
      resourceLimits: { maxOldGenerationSizeMb: this.#memory }
    })
    worker.on('message', (outcome: Outcome) => {
      const job = this.#jobs.shift()
      if ('body' in outcome) job?.resolve(received(outcome.body))
      else job?.reject(new ProblemError(outcome.code, outcome.circumstances))
    })
    // Out of memory, most likely: what it had is given up, and the next body gets a new one.
    worker.on('error', (cause) => this.#giveUp(worker, cause))
    worker.on('exit', () => this.#giveUp(worker, new Error('the worker ended')))
    return worker
  }

  #giveUp(worker: Worker, cause: unknown) {
    if (worker !== this.#worker) return
    this.#worker = undefined
    const jobs = this.#jobs
    this.#jobs = []
    for (const { reject } of jobs) reject(new ProblemError('server-busy', { cause }))
  }
}

/** Buffers arrive as bare bytes. */
function received(body: unknown) {
  if (!hasContent(body)) return body
  const { stored } = body.content as PreparedContent
  if (stored) stored.body = Buffer.from(stored.body.buffer, stored.body.byteOffset, stored.body.byteLength)
  return body
}
