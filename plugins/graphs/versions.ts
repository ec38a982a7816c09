import { type Static, Type } from '@sinclair/typebox'
import type { Actor } from '../../db/actors.ts'
import { requireGraph, requireVersion } from '../../db/graphs/access.ts'
import { findGraph, findGraphAt } from '../../db/graphs/graphs.ts'
import { countVersions, listVersions, versionSortKey } from '../../db/lists/versions.ts'
import { writableMediaTypes } from '../../graph/formats/index.ts'
import type { GraphWorker } from '../../graph/jobs/worker.ts'
import { Graph } from '../../schemas/graph.ts'
import { ExportQuery } from '../../schemas/graph-file.ts'
import { IdParameter, ifMatch, ifNoneMatch, listQuery } from '../../schemas/parameters.ts'
import {
  answer,
  bodyRefusals,
  emptyAnswer,
  encodingHeaders,
  etagHeader,
  graphFile,
  pageHeaders,
  refusals
} from '../../schemas/responses.ts'
import { ref } from '../../schemas/types.ts'
import { GraphVersion, Restoration, VersionParameters, versionSorts } from '../../schemas/version.ts'
import { knownOf } from '../http/etags.ts'
import { checkedByEtag } from '../http/headers.ts'
import type { Plugin } from '../http/plugin.ts'
import { idOf } from '../http/urls.ts'
import { findWords } from './large-words.ts'
import { expectationOf } from './preconditions.ts'

/** Lists, fetches and restores versions of graphs for callers who may read the graph. The context authenticates the caller. */
const versions: Plugin<{ worker: GraphWorker }> = async (app, { worker }) => {
  const { store } = app
  const tags = ['history']

  app.get('/graphs/:id/versions', {
    config: { scope: 'read:graphs' },
    schema: {
      tags,
      operationId: 'listVersions',
      summary: 'List the versions of a graph',
      description:
        'Returns a page of the versions, including the current one, newest first by default, each with its author, time and comment.',
      params: IdParameter,
      querystring: listQuery({}, versionSorts),
      response: {
        200: answer(Type.Array(ref(GraphVersion)), 'A page of versions.', pageHeaders),
        ...refusals(400, 404)
      }
    },
    handler: async (request, reply) => {
      const { actor, params } = request
      const graph = requireGraph(await findGraph(store.read, actor, idOf(params.id)))
      return reply.sendPage({
        path: `/api/graphs/${graph.id}/versions`,
        key: 'version',
        direction: 'desc',
        hasLongRows: true,
        rows: (slice) => listVersions(store, graph.id, slice),
        count: () => countVersions(store.read, graph),
        sortKey: versionSortKey
      })
    }
  })

  app.get('/graphs/:id/versions/:version', {
    config: { scope: 'read:graphs' },
    schema: {
      tags,
      operationId: 'getVersion',
      summary: 'Fetch a version of a graph',
      description:
        'Returns the graph at this version, with its content at that time. Large content is compressed for clients that accept `zstd`.',
      headers: ifNoneMatch,
      params: VersionParameters,
      response: {
        200: answer(Graph, 'The graph at this version.', { ...etagHeader, ...encodingHeaders }),
        304: emptyAnswer('The client already has this state.', etagHeader),
        ...refusals(400, 404)
      }
    },
    handler: async (request, reply) => {
      const { actor, headers, params } = request
      // A version never changes, but permission to see it may.
      reply.header('cache-control', checkedByEtag)
      const find = finderOf(actor, params)
      const graph = await find()
      const known = knownOf(headers['if-none-match'], graph)
      if (known !== undefined) return reply.code(304).header('etag', known).send(undefined)
      return reply.sendGraph(graph, find)
    }
  })

  app.get('/graphs/:id/versions/:version/content', {
    config: { scope: 'read:graphs' },
    schema: {
      tags,
      operationId: 'getVersionContent',
      summary: 'Fetch the content of a version as a file',
      description:
        'Returns the content in the format given by `format`, or else the best match for `Accept`. `Graphstead-Loss` counts what the format cannot store.',
      headers: ifNoneMatch,
      params: VersionParameters,
      querystring: ExportQuery,
      response: graphFile(writableMediaTypes)
    },
    handler: async (request, reply) => {
      const { actor, params, query } = request
      reply.header('cache-control', checkedByEtag).header('vary', 'Accept')
      const find = finderOf(actor, params)
      return reply.sendGraphFile(await find(), query.format, find)
    }
  })

  app.post('/graphs/:id/restore', {
    config: { scope: 'write:graphs' },
    schema: {
      tags,
      operationId: 'restoreVersion',
      summary: 'Restore a version of a graph',
      description:
        'Creates a new version with the fields (including `shared`) and content of an earlier one. The history is not rewritten.',
      headers: ifMatch,
      params: IdParameter,
      body: ref(Restoration),
      response: { 200: answer(Graph, 'Restored.', etagHeader), ...refusals(...bodyRefusals, 403, 404, 412) }
    },
    handler: async (request, reply) => {
      const { body, headers, params } = request
      const id = idOf(params.id)
      const expectation = expectationOf(headers['if-match'])
      await app.graphs.requireChangeable(store.read, request.actor, id, expectation)
      const restoration = { ...body, words: await findWords({ store, worker }, request.actor, id, body.version) }
      return reply.sendGraph(
        await request.write((trx, actor) => app.graphs.restore(trx, actor, id, expectation, restoration))
      )
    }
  })

  /** Returns a function that finds the version of the graph. It throws `graph-not-found` or `version-not-found`. */
  function finderOf(actor: Actor, { id, version }: Static<typeof VersionParameters>) {
    return async () => requireVersion(await findGraphAt(store.read, actor, idOf(id), idOf(version)))
  }
}

export default versions
