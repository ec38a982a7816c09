import type { FastifyReply } from 'fastify'
import { loadConsistently } from '../../../db/graphs/contents.ts'
import type { GraphWithContent } from '../../../db/graphs/graphs.ts'
import type { Store } from '../../../db/store.ts'
import { LruCache } from '../../../graph/jobs/lru-cache.ts'
import { currentRequester, runFor, Slots } from '../../../graph/jobs/shares.ts'
import type { GraphWorker } from '../../../graph/jobs/worker.ts'
import { isQuick } from '../../../picture/layout/limits.ts'
import type { PictureKit } from '../../../picture/sheet/png.ts'
import { type PictureForm, type PictureOptions, pictureTypes } from '../../../schemas/picture.ts'
import { ProblemError } from '../../../schemas/problem-catalogue.ts'
import type { GraphView } from '../../../schemas/saved-view.ts'
import { sendShared } from '../bodies/pieces.ts'
import { hmacOf } from '../derived-keys.ts'
import { etagOf, isKnown } from '../etags.ts'
import { checkedByEtag } from '../headers.ts'
import { loadOnce } from '../html-page.ts'
import type { Layouts } from './layouts.ts'
import { loadContent } from './load-content.ts'

/** The maximum size of the picture cache, in bytes. */
const KEPT = 32 * 1024 * 1024

/**
 * The maximum numbers of pictures being drawn, of pictures waiting, and of pictures waiting per holder. A list page shows 100
 * pictures.
 */
const LIMITS = { slots: 8, waiting: 1024, waitingOfOne: 128 }

/** Errors that affect only the requester for whom a picture is drawn. Other requests waiting for the picture try again. */
const OTHERS_FAILURES = ['request-aborted', 'server-busy']

/** A graph and the view in which to draw it. If the view is absent, the graph is drawn as the web app first shows it. */
export interface PicturedGraph extends GraphWithContent {
  view?: GraphView | undefined
}

/** A finished picture. A provisional one is not cached, because it will change once the layout has been computed. */
interface Made {
  bytes: Buffer
  isProvisional: boolean
}

/** A picture being drawn, shared by all requests that wait for it. */
interface Making {
  made: Promise<Made>
  waiting: number
  /** Aborted once no request is waiting for the picture. */
  unwanted: AbortController
}

/** Draws and sends pictures of graphs. Concurrent requests for the same picture share the work. */
export class Pictures {
  readonly #store: Store
  readonly #layouts: Layouts
  readonly #worker: GraphWorker
  readonly #loadKit: () => Promise<PictureKit>
  readonly #etagKey: Buffer
  readonly #kept = new LruCache<Made, string>(KEPT)
  readonly #making = new Map<string, Making>()
  readonly #slots = new Slots(LIMITS)

  /** `etagKey` is specific to the release, since another release may draw the graph differently. */
  constructor(
    store: Store,
    layouts: Layouts,
    worker: GraphWorker,
    loadKit: () => Promise<PictureKit>,
    etagKey: Buffer
  ) {
    this.#etagKey = etagKey
    this.#store = store
    this.#layouts = layouts
    this.#worker = worker
    this.#loadKit = loadOnce(loadKit)
  }

  /** Sends a picture of a graph that the caller may read. Calls `findAgain` if the graph changes in the meantime. */
  async send(
    reply: FastifyReply,
    form: PictureForm,
    options: PictureOptions,
    found: PicturedGraph,
    findAgain: () => Promise<PicturedGraph>
  ) {
    const { request } = reply
    return loadConsistently(found, findAgain, async (graph) => {
      const { width, height, theme } = options
      const { view } = graph
      // A hash, because views may be much larger than pictures, and the cache counts only these.
      const inView = view ? hmacOf(this.#etagKey, JSON.stringify(view)) : ''
      // Pictures of large graphs change once their layout has been computed.
      const isPlaced = !isQuick(graph) && (await this.#layoutOf(graph)) !== undefined
      const look = `${form}-${width}x${height}-${theme}${inView}${isPlaced ? '-placed' : ''}`
      // The ETag of a preview must not reveal the graph's id, versions or timestamps to strangers.
      const etag = `"${hmacOf(this.#etagKey, etagOf(graph), graph.name, look)}"`
      reply.headers({ 'cache-control': checkedByEtag, etag })
      if (isKnown(request.headers['if-none-match'], etag)) return reply.code(304).send(undefined)
      const key = `${look} ${graph.content?.id ?? ''} ${graph.name}`
      const { bytes, isProvisional } = await this.#take(key, () =>
        this.#slots.run(async () => {
          const kept = this.#kept.get(key)
          if (kept) return kept
          const { content, name } = graph
          const stored = await loadContent(this.#store, content)
          const kit = form === 'png' ? await this.#loadKit() : undefined
          const layout = (await this.#layoutOf(graph))?.positions
          const drawn = await this.#worker.picture(stored, name, options, { kit, layout, view })
          if (content && drawn.layout) await this.#layouts.keep(content, drawn.layout)
          const isProvisional = drawn.isProvisional && content !== null && this.#layouts.prepare(content)
          return { bytes: drawn.bytes, isProvisional }
        })
      )
      if (isProvisional) reply.header('cache-control', 'no-store').removeHeader('etag')
      return sendShared(reply.type(pictureTypes[form]), bytes)
    })
  }

  async #layoutOf({ content }: GraphWithContent) {
    return content ? this.#layouts.find(content) : undefined
  }

  async #take(key: string, make: () => Promise<Made>): Promise<Made> {
    const { holder, signal } = currentRequester()
    // Callers join only pictures drawn for the same holder, since those of other holders may be far back in the queue.
    const line = `${holder.name} ${key}`
    for (;;) {
      if (signal?.aborted) throw new ProblemError('request-aborted')
      const kept = this.#kept.get(key)
      if (kept) return kept
      const others = this.#making.get(line)
      if (!others) return this.#waitFor(this.#make(line, key, make))
      try {
        return await this.#waitFor(others)
      } catch (error) {
        if (!(error instanceof ProblemError && OTHERS_FAILURES.includes(error.code))) throw error
      }
    }
  }

  async #waitFor(making: Making): Promise<Made> {
    const { signal } = currentRequester()
    const leave = () => {
      making.waiting--
      if (making.waiting === 0) making.unwanted.abort()
    }
    making.waiting++
    signal?.addEventListener('abort', leave, { once: true })
    try {
      return await making.made
    } finally {
      signal?.removeEventListener('abort', leave)
    }
  }

  /** Draws the picture on behalf of the first requester. Stops when no request is waiting for it. */
  #make(line: string, key: string, make: () => Promise<Made>): Making {
    const unwanted = new AbortController()
    const requester = { holder: currentRequester().holder, signal: unwanted.signal }
    const made = runFor(requester, make).finally(() => this.#making.delete(line))
    const making = { made, waiting: 0, unwanted }
    this.#making.set(line, making)
    made.then(
      (picture) => picture.isProvisional || this.#kept.set(key, picture, picture.bytes.length),
      () => {}
    )
    return making
  }
}
