import { hash } from 'node:crypto'
import type { FastifyReply } from 'fastify'
import { bodyOf, loadConsistently } from '../../db/contents.ts'
import type { GraphWithContent } from '../../db/graphs.ts'
import type { Store } from '../../db/store.ts'
import type { PictureKit } from '../../graph/picture/png.ts'
import { RecentlyUsed } from '../../graph/recently-used.ts'
import type { GraphWorker } from '../../graph/worker.ts'
import { type PictureForm, type PictureOptions, pictureTypes } from '../../schemas/picture.ts'
import { etagOf, isKnown } from './etags.ts'
import { checkedByEtag } from './headers.ts'
import { loadOnce } from './html-page.ts'
import { shareHolderOf } from './networks.ts'
import { sendShared } from './pieces.ts'
import { takeTurn } from './turns.ts'

/** The most bytes of pictures that are kept. */
const KEPT = 32 * 1024 * 1024

/** The pictures of graphs. A picture of one content is made once, however many ask for it at the same time. */
export class Pictures {
  readonly #store: Store
  readonly #worker: GraphWorker
  readonly #loadKit: () => Promise<PictureKit>
  readonly #kept = new RecentlyUsed<Buffer, string>(KEPT)
  readonly #making = new Map<string, Promise<Buffer>>()

  constructor(store: Store, worker: GraphWorker, loadKit: () => Promise<PictureKit>) {
    this.#store = store
    this.#worker = worker
    this.#loadKit = loadOnce(loadKit)
  }

  /** Sends the picture of a graph that the caller may read. `findAgain` is for graphs that change meanwhile. */
  async send(
    reply: FastifyReply,
    form: PictureForm,
    options: PictureOptions,
    found: GraphWithContent,
    findAgain: () => Promise<GraphWithContent>
  ) {
    const { request } = reply
    return loadConsistently(found, findAgain, async (graph) => {
      const { width, height, theme } = options
      const look = `${form}-${width}x${height}-${theme}`
      // Strangers who may see a preview learn neither id nor versions nor times of the graph by it.
      const etag = `"${hash('sha256', `${etagOf(graph)} ${graph.name} ${look}`, 'base64url')}"`
      reply.headers({ 'cache-control': checkedByEtag, etag })
      if (isKnown(request.headers['if-none-match'], etag)) return reply.code(304).send(undefined)
      const bytes = await this.#take(`${look} ${graph.content?.id ?? ''} ${graph.name}`, async () => {
        const { content, name } = graph
        if (content && content.json === undefined) await takeTurn(request)
        const stored = content && { body: await bodyOf(this.#store.read, content), size: content.size }
        const kit = form === 'png' ? await this.#loadKit() : undefined
        // Others may wait for the same picture: the job goes on when this caller has gone.
        return this.#worker.picture(stored, name, options, kit, { user: shareHolderOf(request) })
      })
      return sendShared(reply.type(pictureTypes[form]), bytes)
    })
  }

  async #take(key: string, make: () => Promise<Buffer>): Promise<Buffer> {
    const kept = this.#kept.get(key)
    if (kept) return kept
    const making = this.#making.get(key) ?? make().finally(() => this.#making.delete(key))
    this.#making.set(key, making)
    const bytes = await making
    this.#kept.set(key, bytes, bytes.length)
    return bytes
  }
}
