import type { Static } from '@sinclair/typebox'
import type { FastifyRequest } from 'fastify'
import { requireGraph, requireVersion } from '../db/access.ts'
import type { Actor } from '../db/actors.ts'
import { loadConsistently } from '../db/contents.ts'
import { findGraph, findGraphAt, type GraphWithContent } from '../db/graphs.ts'
import { NO_TAGS, tagsOf } from '../db/tags.ts'
import { findVersion } from '../db/version-lists.ts'
import type { DiffedRecord } from '../graph/diff.ts'
import type { Content, GraphWorker } from '../graph/worker.ts'
import { DEFAULT_LIMIT, DiffQuery, GraphDiff } from '../schemas/diff.ts'
import { IdParameter } from '../schemas/parameters.ts'
import { alsoAsText, refusals } from '../schemas/responses.ts'
import type { GraphVersion } from '../schemas/version.ts'
import { abortSignalOf } from './http/abort-signals.ts'
import { checkedByEtag } from './http/headers.ts'
import { loadContent } from './http/load-content.ts'
import { acceptedDiff } from './http/negotiation.ts'
import type { Plugin } from './http/plugin.ts'
import { idOf } from './http/urls.ts'

/** One of the two versions. */
interface Side {
  version: GraphVersion
  graph: GraphWithContent
}

interface Sides {
  from: Side | undefined
  to: Side
}

/** Compares two versions of a graph. Its context verifies the token. */
const diff: Plugin<{ worker: GraphWorker }> = async (app, { worker }) => {
  const { store } = app

  app.get(
    '/graphs/:id/diff',
    {
      config: { scope: 'read:graphs' },
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
      reply.header('cache-control', checkedByEtag).header('vary', 'Accept')
      const id = idOf(params.id)
      const find = () => findSides(actor, id, query)
      const sides = await find()
      const as = acceptedDiff(headers.accept)
      const { from, to, contents } = await loadConsistently(sides, find, (sides) => loadContents(request, sides))
      const bytes = await worker.diff(
        ...contents,
        {
          versions: {
            id,
            from: from?.version,
            to: to.version,
            records: [from ? recordOf(from.graph) : {}, recordOf(to.graph)],
            as
          },
          limit: Number(query.limit ?? DEFAULT_LIMIT)
        },
        { user: actor.subject, signal: abortSignalOf(reply.raw) }
      )
      reply.type(as === 'json' ? 'application/json; charset=utf-8' : 'text/plain; charset=utf-8')
      return reply.send(bytes as never)
    }
  )

  /** Finds the two versions; `from` is undefined for the time before the first. Throws `graph-not-found` and `version-not-found`. */
  async function findSides(actor: Actor, id: number, query: Static<typeof DiffQuery>): Promise<Sides> {
    const { version } = requireGraph(await findGraph(store.read, actor, id))
    const last = query.to === undefined ? version : idOf(query.to)
    const first = query.from === undefined ? last - 1 : idOf(query.from)
    const to = await findSide(actor, id, last)
    return { from: first === 0 ? undefined : await findSide(actor, id, first), to }
  }

  async function findSide(actor: Actor, id: number, version: number): Promise<Side> {
    return {
      version: requireVersion((await findVersion(store.read, id, version)) ?? null),
      graph: requireVersion(await findGraphAt(store.read, actor, id, version))
    }
  }

  /** Loads both contents; neither if they are the same. Throws ContentGone. */
  async function loadContents(request: FastifyRequest, { from, to }: Sides) {
    const [before, after] = [from?.graph.content ?? null, to.graph.content]
    const isSame = before?.id === after?.id
    const contents: [Content | null, Content | null] = isSame
      ? [null, null]
      : [await loadContent(request, store, before), await loadContent(request, store, after)]
    return { from, to, contents }
  }
}

export default diff

function recordOf({ name, type, description, tags, shared }: GraphWithContent): DiffedRecord {
  return { name, type, description, tags: tags === NO_TAGS ? null : tagsOf(tags), shared: Boolean(shared) }
}
