import { zstdCompressSync } from 'node:zlib'
import type { FastifyReply } from 'fastify'
import fp from 'fastify-plugin'
import { requireGraph } from '../db/access.ts'
import { packedOf } from '../db/contents.ts'
import { type GraphWithContent, toRecord } from '../db/graphs.ts'
import type { GraphWorker } from '../graph/worker.ts'
import { GraphRecord } from '../schemas/graph.ts'
import type { Loss } from '../schemas/graph-file.ts'
import type { ContentCache } from './http/content-cache.ts'
import { etagOf, isKnown } from './http/etags.ts'
import { gone } from './http/gone.ts'
import { acceptedFormat, attachment, contentTypeOf, takes } from './http/negotiation.ts'
import { ownerOf } from './http/networks.ts'
import { inPieces } from './http/pieces.ts'
import type { Plugin } from './http/plugin.ts'
import { takeTurn } from './http/turns.ts'
import { whenClosed } from './http/when-closed.ts'

declare module 'fastify' {
  interface FastifyReply {
    /**
     * Whether the bytes of a large content are not needed to answer this: what findGraphWithContent asks. Resolves where
     * not in a turn of the event loop for this content alone, in which its bytes are read.
     */
    holds(contentId: number): Promise<boolean>
    /** Answers with the graph and its content. */
    sendGraph(graph: GraphWithContent): Promise<never>
    /** Answers with the content as a file, in the format that is asked for. Throws `format-not-acceptable`. */
    sendGraphFile(graph: GraphWithContent, format: string | undefined): Promise<never>
    /** Says what a conversion changed. */
    tellLosses(losses: Loss[]): void
  }
}

/** How graphs are sent: as their routes answer, whichever of them. */
const graphReplies: Plugin<{ worker: GraphWorker; contents: ContentCache }> = async (app, { worker, contents }) => {
  const { store } = app

  app.decorateReply('holds', async function (contentId) {
    const isHeld = () => !takes('zstd', this.request.headers) && contents.has(contentId)
    if (isHeld()) return true
    await takeTurn(this.request)
    return isHeld()
  })

  /** The content is sent as it is stored, and therefore not taken apart and put together again. */
  app.decorateReply('sendGraph', async function (graph) {
    const { content } = graph
    const { request } = this
    const record = this.serializeInput(toRecord(graph, graph.access), GraphRecord)
    this.header('etag', etagOf(graph)).type('application/json; charset=utf-8')
    if (content === null) return sent(this, record)
    const [head, tail] = [`${record.slice(0, -1)},"content":`, '}']
    if (content.json !== undefined) return sent(this, `${head}${content.json}${tail}`)

    this.header('vary', 'Accept-Encoding')
    const isHere = content.packed || contents.has(content.id)
    const packed = isHere ? content.packed : requireGraph(await packedOf(store.read, content.id))
    if (packed && takes('zstd', request.headers)) {
      // Frames one after another are the frame of all they hold (RFC 8878, section 3.1).
      const frames = [zstdCompressSync(head), packed, zstdCompressSync(tail)]
      this.header('etag', etagOf(graph, 'zstd')).header('content-encoding', 'zstd')
      return sent(this, Buffer.concat(frames))
    }
    const mustCome = request.method !== 'GET' && request.method !== 'HEAD'
    const reader = { owner: ownerOf(request), cut: () => this.raw.destroy(), mustCome }
    const { json, release } = await contents.take(content.id, content.size, packed, reader).catch((error: unknown) => {
      // The change has been made, and a refusal would say that it has not.
      if (mustCome) this.raw.destroy()
      throw error
    })
    whenClosed(this.raw, release)
    const pieces = [Buffer.from(head), json, Buffer.from(tail)]
    this.header('content-length', String(pieces.reduce((total, { length }) => total + length, 0)))
    return sent(this, inPieces(...pieces))
  })

  app.decorateReply('sendGraphFile', async function (graph, formatName) {
    const { headers } = this.request
    const format = acceptedFormat(headers.accept, formatName)
    const etag = etagOf(graph, format.name)
    this.header('etag', etag)
    if (isKnown(headers['if-none-match'], etag)) return sent(this.code(304), undefined)

    const { name, type, content } = graph
    const described = { name, ...(type !== null && { type }) }
    const stored = content && { body: content.json ?? content.packed ?? '', size: content.size }
    const caller = { user: this.request.actor.subject, signal: gone(this.raw) }
    const { losses, bytes } = await worker.writeFile(described, stored, format, caller)
    this.tellLosses(losses)
    this.header('content-disposition', attachment(name, format)).type(contentTypeOf(format))
    return sent(this, bytes)
  })

  /** A list of tokens with parameters (RFC 9651, section 3.1). */
  app.decorateReply('tellLosses', function (losses) {
    if (losses.length > 0) {
      this.header('graphstead-loss', losses.map(({ code, count }) => `${code};n=${count}`).join(', '))
    }
  })
}

export default fp(graphReplies, { name: 'graph-replies', dependencies: ['store'] })

/** Bodies that are ready do not have the type that the route's schema tells. */
function sent(reply: FastifyReply, payload: unknown) {
  return reply.send(payload) as never
}
