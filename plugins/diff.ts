import type { FastifyRequest } from 'fastify'
import { requireGraph, requireVersion } from '../db/access.ts'
import type { Actor } from '../db/actors.ts'
import { packedOf } from '../db/contents.ts'
import { findGraph, findGraphAt, type GraphWithContent } from '../db/graphs.ts'
import { findVersion } from '../db/version-lists.ts'
import type { DiffedRecord } from '../graph/diff.ts'
import type { GraphWorker } from '../graph/worker.ts'
import { DEFAULT_LIMIT, DiffQuery, GraphDiff } from '../schemas/diff.ts'
import { IdParameter } from '../schemas/parameters.ts'
import { alsoAsText, refusals } from '../schemas/responses.ts'
import { gone } from './http/gone.ts'
import { acceptedDiff } from './http/negotiation.ts'
import type { Plugin } from './http/plugin.ts'
import { takeTurn } from './http/turns.ts'
import { idOf } from './http/urls.ts'

/** What differs between two versions of a graph; stands where a token has been verified. */
const diff: Plugin<{ worker: GraphWorker }> = async (app, { worker }) => {
  const { store } = app

  app.get(
    '/graphs/:id/diff',
    {
      schema: {
        tags: ['history'],
        operationId: 'diffVersions',
        summary: 'Compare two versions of a graph',
        description:
          'Which fields, nodes and edges differ, attribute by attribute; as JSON, or as text for people, by `Accept`. Nodes are the same by their id, edges by their id, else by their ends and relation. Before the first version there was nothing.',
        params: IdParameter,
        querystring: DiffQuery,
        response: {
          200: alsoAsText(GraphDiff, 'What differs.'),
          ...refusals(400, 404, 406)
        }
      }
    },
    async (request, reply) => {
      const { actor, headers, params, query } = request
      reply.header('cache-control', 'private, no-cache').header('vary', 'Accept')
      const { id, version } = requireGraph(await findGraph(store.read, actor, idOf(params.id)))
      const as = acceptedDiff(headers.accept)
      const last = query.to === undefined ? version : idOf(query.to)
      const first = query.from === undefined ? last - 1 : idOf(query.from)
      const to = await side(actor, id, last)
      // Before the first version there was nothing.
      const from = first === 0 ? undefined : await side(actor, id, first)

      const isSame = from?.graph.content?.id === to.graph.content?.id
      const [before, after] = isSame
        ? [null, null]
        : [await contentOf(request, from?.graph), await contentOf(request, to.graph)]
      const bytes = await worker.diff(
        before,
        after,
        {
          id,
          from: from?.version,
          to: to.version,
          records: [from ? recordOf(from.graph) : {}, recordOf(to.graph)],
          limit: Number(query.limit ?? DEFAULT_LIMIT),
          as
        },
        { user: actor.subject, signal: gone(reply.raw) }
      )
      reply.type(as === 'json' ? 'application/json; charset=utf-8' : 'text/plain; charset=utf-8')
      return reply.send(bytes as never)
    }
  )

  /** One of two versions, without the bytes of large content: perhaps both have the same. */
  async function side(actor: Actor, id: number, version: number) {
    return {
      version: requireVersion((await findVersion(store.read, id, version)) ?? null),
      graph: requireVersion(await findGraphAt(store.read, actor, id, version, async () => true))
    }
  }

  async function contentOf(request: FastifyRequest, graph: GraphWithContent | undefined) {
    const content = graph?.content
    if (!content) return null
    if (content.json === undefined) await takeTurn(request)
    const body = content.json ?? requireVersion((await packedOf(store.read, content.id)) ?? null)
    return { body, size: content.size }
  }
}

export default diff

function recordOf({ name, type, description, shared }: GraphWithContent): DiffedRecord {
  return { name, type, description, shared: Boolean(shared) }
}
