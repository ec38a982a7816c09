import { zstdCompressSync } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { requireGraph } from '../../db/graphs/access.ts'
import { bodyOf, type KeptContent, loadConsistently, loadPacked } from '../../db/graphs/contents.ts'
import { findGraphWithContent, type GraphWithContent, toRecord } from '../../db/graphs/graphs.ts'
import type { WritableFormat } from '../../graph/formats/shared/format.ts'
import { takeTurn } from '../../graph/jobs/turns.ts'
import type { GraphWorker } from '../../graph/jobs/worker.ts'
import { GraphRecord } from '../../schemas/graph.ts'
import type { Loss } from '../../schemas/graph-file.ts'
import { inPieces } from '../http/bodies/pieces.ts'
import { whenClosed } from '../http/bodies/when-closed.ts'
import { isSafe } from '../http/callers/safe-methods.ts'
import { hmacOf } from '../http/derived-keys.ts'
import { etagOf, isKnown } from '../http/etags.ts'
import { acceptedFormat, acceptsEncoding, attachment, contentTypeOf } from '../http/negotiation.ts'
import type { Plugin } from '../http/plugin.ts'
import type { ContentCache } from './content-cache.ts'

declare module 'fastify' {
  interface FastifyReply {
    /**
     * Sends the graph with its content. If the content disappears before it is loaded, a safe request sends the result of
     * `findAgain`, by default the graph in its current state. After a change, the content is already loaded.
     */
    sendGraph(graph: GraphWithContent, findAgain?: FindAgain): Promise<never>
    /** Sends the content as a file in the given format. Uses `findAgain` like `sendGraph`. Throws `format-not-acceptable`. */
    sendGraphFile(
      graph: GraphWithContent,
      format: string | undefined,
      findAgain?: FindAgain,
      isForVisitor?: boolean
    ): Promise<never>
    /** Sends link visitors only the content, in its stored form. Sends an empty graph if there is no content. */
    sendGraphContent(graph: GraphWithContent, findAgain: FindAgain): Promise<never>
    /** Lists the conversion losses in a header. */
    tellLosses(losses: Loss[]): void
  }
}

type FindAgain = () => Promise<GraphWithContent>

interface Parts {
  worker: GraphWorker
  contents: ContentCache
  /** Derives ETags for link visitors, so that they do not reveal the graph's id or timestamps. */
  etagKey: Buffer
}

/** Decorates replies of all routes with methods that send graphs. */
const graphReplies: Plugin<Parts> = async (app, { worker, contents, etagKey }) => {
  const { store } = app

  const visitorTag = (...args: Parameters<typeof etagOf>) => `"${hmacOf(etagKey, etagOf(...args))}"`

  const findCurrent = async ({ actor }: FastifyRequest, id: number) =>
    requireGraph(await findGraphWithContent(store.read, actor, id))

  app.decorateReply('sendGraph', function (graph, findAgain = () => findCurrent(this.request, graph.id)) {
    if (isSafe(this.request.method)) {
      return loadConsistently(graph, findAgain, (graph) => sendWithContent(this, graph))
    }
    return sendWithContent(this, graph).catch((error: unknown) => {
      // The change has been made, so an error response would be wrong.
      this.raw.destroy()
      throw error
    })
  })

  /** Sends the record with the stored content inserted. */
  async function sendWithContent(reply: FastifyReply, graph: GraphWithContent) {
    const { content } = graph
    const record = reply.serializeInput(toRecord(graph, graph.access), GraphRecord)
    const tags = { plain: etagOf(graph), zstd: etagOf(graph, 'zstd') }
    if (content !== null) return sendSpliced(reply, content, tags, `${record.slice(0, -1)},"content":`, '}')
    return sendSerialized(reply.header('etag', tags.plain).type('application/json; charset=utf-8'), record)
  }

  app.decorateReply('sendGraphContent', function (graph, findAgain) {
    return loadConsistently(graph, findAgain, async (graph) => {
      const tags = { plain: visitorTag(graph, 'content'), zstd: visitorTag(graph, 'content-zstd') }
      const known = Object.values(tags).find((tag) => isKnown(this.request.headers['if-none-match'], tag))
      if (known) return sendSerialized(this.code(304).header('etag', known), undefined)
      if (graph.content !== null) return sendSpliced(this, graph.content, tags)
      const empty = '{"directed":true,"nodes":[],"edges":[]}'
      return sendSerialized(this.header('etag', tags.plain).type('application/json; charset=utf-8'), empty)
    })
  })

  /** Sends the stored content between two strings. Each encoding has a separate ETag. */
  async function sendSpliced(
    reply: FastifyReply,
    content: KeptContent,
    tags: { plain: string; zstd: string },
    head = '',
    tail = ''
  ) {
    reply.header('etag', tags.plain).type('application/json; charset=utf-8')
    if (content.json !== undefined) return sendSerialized(reply, `${head}${content.json}${tail}`)

    reply.header('vary', 'Accept-Encoding')
    if (!acceptsEncoding('zstd', reply.request.headers)) return sendUnpacked(reply, content, head, tail)
    const packed = content.packed ?? (await loadInTurn(content.id))
    // Concatenated frames decompress to their concatenated contents (RFC 8878, section 3.1).
    const frames = [zstdCompressSync(head), packed, zstdCompressSync(tail)]
    reply.header('etag', tags.zstd).header('content-encoding', 'zstd')
    return sendSerialized(reply, Buffer.concat(frames))
  }

  async function sendUnpacked(reply: FastifyReply, { id, size, packed }: KeptContent, head: string, tail: string) {
    const { raw, request } = reply
    if (!packed && !contents.has(id)) await takeTurn()
    const reader = { cut: () => raw.destroy(), mustCome: !isSafe(request.method) }
    const load = async () => packed ?? loadPacked(store.read, id)
    const { json, release } = await contents.take(id, size, load, reader)
    whenClosed(raw, release)
    const pieces = [Buffer.from(head), json, Buffer.from(tail)]
    reply.header('content-length', String(pieces.reduce((total, { length }) => total + length, 0)))
    return sendSerialized(reply, inPieces(...pieces))
  }

  /** Loads large content in a separate turn; see `takeTurn`. */
  async function loadInTurn(id: number) {
    await takeTurn()
    return loadPacked(store.read, id)
  }

  app.decorateReply(
    'sendGraphFile',
    function (graph, formatName, findAgain = () => findCurrent(this.request, graph.id), isForVisitor = false) {
      const format = acceptedFormat(this.request.headers.accept, formatName)
      const tagOf = isForVisitor ? visitorTag : etagOf
      return loadConsistently(graph, findAgain, (graph) => sendFile(this, graph, format, tagOf(graph, format.name)))
    }
  )

  async function sendFile(reply: FastifyReply, graph: GraphWithContent, format: WritableFormat, etag: string) {
    const { request } = reply
    reply.header('etag', etag)
    if (isKnown(request.headers['if-none-match'], etag)) return sendSerialized(reply.code(304), undefined)

    const { name, type, content } = graph
    if (content && content.json === undefined) await takeTurn()
    const stored = content && { body: await bodyOf(store.read, content), size: content.size }
    const described = { name, ...(type !== null && { type }) }
    const { losses, bytes } = await worker.writeFile(described, stored, format)
    reply.tellLosses(losses)
    reply.header('content-disposition', attachment(name, format)).type(contentTypeOf(format))
    return sendSerialized(reply, bytes)
  }

  /** The header is a list of tokens with parameters (RFC 9651, section 3.1). */
  app.decorateReply('tellLosses', function (losses) {
    if (losses.length > 0) {
      this.header('graphstead-loss', losses.map(({ code, count }) => `${code};n=${count}`).join(', '))
    }
  })
}

export default fp(graphReplies, { name: 'graph-replies', dependencies: ['store'] })

/** Sends a body that is already serialized, so its type differs from the route's schema. */
function sendSerialized(reply: FastifyReply, payload: unknown) {
  return reply.send(payload) as never
}
