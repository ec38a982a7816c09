import { Type } from '@sinclair/typebox'
import { countTrash } from '../../db/changes/trash.ts'
import { graphSortKey } from '../../db/lists/graphs.ts'
import { Graph, graphFilters } from '../../schemas/graph.ts'
import { IdParameter, listQuery } from '../../schemas/parameters.ts'
import { answer, emptyAnswer, etagHeader, pageHeaders, refusals } from '../../schemas/responses.ts'
import { TrashedGraph, trashSorts } from '../../schemas/trash.ts'
import { ref } from '../../schemas/types.ts'
import type { Plugin } from '../http/plugin.ts'
import { idOf } from '../http/urls.ts'

/** Lists deleted graphs, restores them, and deletes them permanently. The context authenticates the caller. */
const trash: Plugin = async (app) => {
  const { store } = app
  const tags = ['trash']

  app.get('/trash', {
    config: { scope: 'read:graphs' },
    schema: {
      tags,
      operationId: 'listTrash',
      summary: 'List deleted graphs',
      description:
        "Returns a page of the deleted graphs that can be restored, sorted by id by default: the caller's own, or everyone's for administrators.",
      querystring: listQuery(graphFilters, trashSorts),
      response: { 200: answer(Type.Array(ref(TrashedGraph)), 'A page of graphs.', pageHeaders), ...refusals(400) }
    },
    handler: async (request, reply) => {
      const { actor, query } = request
      const wanted = { actor, filter: query }
      return reply.sendPage({
        path: '/api/trash',
        direction: 'asc',
        hasLongRows: true,
        rows: (slice) => app.graphs.listTrash(store.scan, wanted, slice),
        count: () => countTrash(store.scan, wanted),
        sortKey: graphSortKey
      })
    }
  })

  app.get('/trash/:id', {
    config: { scope: 'read:graphs' },
    schema: {
      tags,
      operationId: 'getTrashed',
      summary: 'Fetch a deleted graph',
      description: 'Returns the graph without its content. Only its owner and administrators can see it.',
      params: IdParameter,
      response: { 200: answer(ref(TrashedGraph), 'The deleted graph.'), ...refusals(400, 404) }
    },
    handler: async (request, reply) => {
      const { actor, params } = request
      return reply.send(await app.graphs.requireTrashed(store.read, actor, idOf(params.id)))
    }
  })

  app.post('/trash/:id/restore', {
    config: { scope: 'write:graphs' },
    schema: {
      tags,
      operationId: 'restoreTrashed',
      summary: 'Restore a graph from the trash',
      description: 'Restores the graph with its id, version and history.',
      params: IdParameter,
      response: { 200: answer(Graph, 'The restored graph.', etagHeader), ...refusals(400, 404) }
    },
    handler: async (request, reply) => {
      const id = idOf(request.params.id)
      return reply.sendGraph(await request.write((trx, actor) => app.graphs.untrash(trx, actor, id)))
    }
  })

  app.delete('/trash/:id', {
    config: { scope: 'write:graphs' },
    schema: {
      tags,
      operationId: 'purgeTrashed',
      summary: 'Delete a graph permanently',
      description: 'Permanently deletes the graph and all its versions.',
      params: IdParameter,
      response: { 200: emptyAnswer('The graph has been permanently deleted.'), ...refusals(400, 404) }
    },
    handler: async (request, reply) => {
      const id = idOf(request.params.id)
      await request.write((trx, actor) => app.graphs.purge(trx, actor, id))
      return reply.send()
    }
  })
}

export default trash
