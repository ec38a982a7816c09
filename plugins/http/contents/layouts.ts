import { setTimeout } from 'node:timers/promises'
import type { FastifyBaseLogger, FastifyReply } from 'fastify'
import { hashOf, type KeptContent, loadConsistently } from '../../../db/graphs/contents.ts'
import type { GraphWithContent } from '../../../db/graphs/graphs.ts'
import { findLayout, type KeptLayout, keepLayout } from '../../../db/graphs/layouts.ts'
import type { Store } from '../../../db/store.ts'
import { LruCache } from '../../../graph/jobs/lru-cache.ts'
import { currentRequester, runFor, Slots } from '../../../graph/jobs/shares.ts'
import type { GraphWorker } from '../../../graph/jobs/worker.ts'
import type { LayoutAlgorithm } from '../../../schemas/layout.ts'
import { ProblemError } from '../../../schemas/problem-catalogue.ts'
import { hmacOf } from '../derived-keys.ts'
import { isKnown } from '../etags.ts'
import { checkedByEtag } from '../headers.ts'
import { loadContent } from './load-content.ts'

/** The size of the layout cache in bytes, and the number of contents to remember as too complex to lay out. */
const KEPT = 16 * 1024 * 1024
const MOST_FAILED = 1000

/** How long to remember that a content is too complex, in milliseconds. It may only have taken too long on a busy machine. */
const REMEMBERED = 10 * 60 * 1000

/** How long a response waits for a layout, in milliseconds, and when the client should ask again, in seconds. */
const PATIENCE = 1000
const RETRY_AFTER = 2

/** The layouts of large graphs: one is computed at a time. */
const LIMITS = { slots: 1, waiting: 256, waitingOfOne: 16 }

/** Receives warnings about layouts that cannot be stored. */
export type Log = Pick<FastifyBaseLogger, 'warn'>

/** Sends the positions of graphs' nodes, and keeps computed layouts beside their content. */
export class Layouts {
  readonly #store: Store
  readonly #worker: GraphWorker
  readonly #etagKey: Buffer
  readonly #log: Log
  readonly #kept = new LruCache<KeptLayout>(KEPT)
  /** When the layout of a content failed. */
  readonly #failed = new LruCache<number>(MOST_FAILED)
  /** The layouts being computed, by holder and content. Those of other holders may be far back in the queue. */
  readonly #computing = new Map<string, Promise<KeptLayout>>()
  readonly #slots = new Slots(LIMITS)
  /** The layouts being prepared, by holder and content. */
  readonly #preparing = new Set<string>()
  readonly #preparations = new Slots(LIMITS)

  /** `etagKey` is specific to the release, since another release may place the nodes differently. */
  constructor(store: Store, worker: GraphWorker, etagKey: Buffer, log: Log) {
    this.#store = store
    this.#worker = worker
    this.#etagKey = etagKey
    this.#log = log
  }

  /** Returns the computed layout of the content, or undefined if there is none. */
  async find({ id }: KeptContent): Promise<KeptLayout | undefined> {
    const cached = this.#kept.get(id)
    if (cached) return cached
    const found = await findLayout(this.#store.read, id)
    if (found) this.#kept.set(id, found, found.positions.byteLength)
    return found
  }

  /** Keeps the computed layout of the content. If it cannot be stored, it will be computed again. */
  async keep({ id }: KeptContent, layout: KeptLayout) {
    this.#kept.set(id, layout, layout.positions.byteLength)
    await this.#store
      .write((trx) => keepLayout(trx, id, layout))
      .catch((error: unknown) => this.#log.warn({ err: error }, 'a layout could not be stored'))
  }

  /**
   * Sends the positions of a graph that the caller may read, or 202 if they are still being computed. Calls `findAgain` if the
   * graph changes in the meantime.
   */
  async send(
    reply: FastifyReply,
    algorithm: LayoutAlgorithm | undefined,
    found: GraphWithContent,
    findAgain: () => Promise<GraphWithContent>
  ) {
    return loadConsistently(found, findAgain, async (graph) => {
      const { content } = graph
      const hash = (content && (await hashOf(this.#store.read, { contentId: content.id }))) ?? ''
      const etag = `"${hmacOf(this.#etagKey, hash, algorithm ?? '')}"`
      reply.header('cache-control', checkedByEtag)
      if (isKnown(reply.request.headers['if-none-match'], etag)) return reply.code(304).header('etag', etag).send()
      const isForce = algorithm === undefined || algorithm === 'force'
      let kept = content && isForce ? await this.find(content) : undefined
      let written = await this.#worker.layout(await loadContent(this.#store, content), algorithm, { kept })
      if (content && !written) {
        kept = await Promise.race([this.#compute(content), setTimeout(PATIENCE, undefined)])
        if (!kept) return reply.code(202).header('retry-after', RETRY_AFTER).send()
        written = await this.#worker.layout(await loadContent(this.#store, content), algorithm, { kept })
      }
      if (!written) throw new Error('an empty graph needs no layout')
      if (content && written.computed) await this.keep(content, written.computed)
      const { isSettled, positions } = written
      const { version } = graph
      const start = JSON.stringify({ algorithm: written.algorithm, settled: isSettled, version })
      return reply
        .header('etag', etag)
        .type('application/json; charset=utf-8')
        .send(Buffer.concat([Buffer.from(`${start.slice(0, -1)},"positions":`), positions, Buffer.from('}')]))
    })
  }

  /**
   * Computes the layout of a large graph in the background, on behalf of the requester. At most one layout is prepared at a time, so
   * that the layout of a graph that somebody opens does not wait for all others in a list. Returns false if the layout is known to
   * take too long.
   */
  prepare(content: KeptContent): boolean {
    if (this.#hasFailed(content)) return false
    const { holder } = currentRequester()
    const line = `${holder.name} ${content.id}`
    if (this.#preparing.has(line)) return true
    this.#preparing.add(line)
    // A picture that is requested again later tries again.
    runFor({ holder }, () => this.#preparations.run(() => this.#compute(content)))
      .catch(() => {})
      .finally(() => this.#preparing.delete(line))
    return true
  }

  /** Computes the layout of a large graph on behalf of the requester, even if the requester disconnects. */
  #compute(content: KeptContent): Promise<KeptLayout> {
    const { holder } = currentRequester()
    const line = `${holder.name} ${content.id}`
    const running = this.#computing.get(line)
    if (running) return running
    const computing = runFor({ holder }, () => this.#slots.run(() => this.#computeNow(content))).finally(() =>
      this.#computing.delete(line)
    )
    // Nobody may be waiting for it any more.
    computing.catch(() => {})
    this.#computing.set(line, computing)
    return computing
  }

  /** Returns whether the layout of the content has recently been too complex. */
  #hasFailed({ id }: KeptContent): boolean {
    const failed = this.#failed.get(id)
    return failed !== undefined && Date.now() < failed + REMEMBERED
  }

  async #computeNow(content: KeptContent): Promise<KeptLayout> {
    const kept = await this.find(content)
    if (kept) return kept
    if (this.#hasFailed(content)) throw new ProblemError('graph-too-complex', { detail: 'The layout took too long.' })
    try {
      const options = { isPatient: true }
      const written = await this.#worker.layout(await loadContent(this.#store, content), 'force', options)
      const layout = written?.computed as KeptLayout
      await this.keep(content, layout)
      return layout
    } catch (error) {
      if (error instanceof ProblemError && error.code === 'graph-too-complex') this.#failed.set(content.id, Date.now())
      throw error
    }
  }
}
