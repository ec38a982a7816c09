import type { FastifyReply } from 'fastify'
import { bodyOf, loadConsistently } from '../../../db/graphs/contents.ts'
import type { GraphWithContent } from '../../../db/graphs/graphs.ts'
import type { Store } from '../../../db/store.ts'
import { LruCache } from '../../../graph/jobs/lru-cache.ts'
import { UserLimit } from '../../../graph/jobs/per-user-limit.ts'
import type { GraphWorker } from '../../../graph/jobs/worker.ts'
import type { PictureKit } from '../../../picture/sheet/png.ts'
import { type PictureForm, type PictureOptions, pictureTypes } from '../../../schemas/picture.ts'
import { ProblemError } from '../../../schemas/problem-catalogue.ts'
import { sendShared } from '../bodies/pieces.ts'
import { takeTurn } from '../bodies/turns.ts'
import { hmacOf } from '../derived-keys.ts'
import { etagOf, isKnown } from '../etags.ts'
import { checkedByEtag } from '../headers.ts'
import { loadOnce } from '../html-page.ts'
import { shareHolderOf } from '../networks.ts'

/** The most bytes of pictures that are kept. */
const KEPT = 32 * 1024 * 1024

/** The most pictures of one user that are made at once, which leave most of the user's jobs to other work, and that wait. */
const AT_ONCE = 4
const MOST_WAITING = 128

/** Failures of one who asked for a picture, which those who wait for the same picture need not share. */
const OWN_FAILURES = ['request-aborted', 'server-busy']

/** The pictures of graphs. A picture of one content is made once, however many ask for it at the same time. */
export class Pictures {
  readonly #store: Store
  readonly #worker: GraphWorker
  readonly #loadKit: () => Promise<PictureKit>
  readonly #etagKey: Buffer
  readonly #kept = new LruCache<Buffer, string>(KEPT)
  readonly #making = new Map<string, Promise<Buffer>>()
  readonly #turns = new UserLimit(AT_ONCE, MOST_WAITING)

  /** `etagKey` makes the ETags of one release: another may draw otherwise. */
  constructor(store: Store, worker: GraphWorker, loadKit: () => Promise<PictureKit>, etagKey: Buffer) {
    this.#etagKey = etagKey
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
      const etag = `"${hmacOf(this.#etagKey, etagOf(graph), graph.name, look)}"`
      reply.headers({ 'cache-control': checkedByEtag, etag })
      if (isKnown(request.headers['if-none-match'], etag)) return reply.code(304).send(undefined)
      const user = shareHolderOf(request)
      const bytes = await this.#take(`${look} ${graph.content?.id ?? ''} ${graph.name}`, () =>
        this.#turns.run(user, async () => {
          const { content, name } = graph
          if (request.raw.socket.destroyed) throw new ProblemError('request-aborted')
          if (content && content.json === undefined) await takeTurn(request)
          const stored = content && { body: await bodyOf(this.#store.read, content), size: content.size }
          const kit = form === 'png' ? await this.#loadKit() : undefined
          // Others may wait for the same picture: the job goes on when this caller has gone.
          return this.#worker.picture(stored, name, options, kit, { user })
        })
      )
      return sendShared(reply.type(pictureTypes[form]), bytes)
    })
  }

  async #take(key: string, make: () => Promise<Buffer>): Promise<Buffer> {
    for (;;) {
      const kept = this.#kept.get(key)
      if (kept) return kept
      const others = this.#making.get(key)
      if (!others) return this.#make(key, make)
      try {
        return await others
      } catch (error) {
        if (!(error instanceof ProblemError && OWN_FAILURES.includes(error.code))) throw error
      }
    }
  }

  async #make(key: string, make: () => Promise<Buffer>): Promise<Buffer> {
    const making = make().finally(() => this.#making.delete(key))
    this.#making.set(key, making)
    const bytes = await making
    this.#kept.set(key, bytes, bytes.length)
    return bytes
  }
}
