import { Type } from '@sinclair/typebox'
import { countGraphs, graphSortKey, listGraphs, listOwnAndShared } from '../../db/lists/graphs.ts'
import { GraphRecord, graphFilters, graphSorts } from '../../schemas/graph.ts'
import { listQuery } from '../../schemas/parameters.ts'
import { answer, pageHeaders, refusals } from '../../schemas/responses.ts'
import { ref } from '../../schemas/types.ts'
import type { Plugin } from '../http/plugin.ts'

/** Lists the graphs that the caller may read, without content. The context authenticates the caller. */
const graphLists: Plugin = async (app) => {
  const { store } = app
  const tags = ['graphs']
  const records = Type.Array(ref(GraphRecord))

  app.get('/graphs', {
    config: { scope: 'read:graphs' },
    schema: {
      tags,
      operationId: 'listGraphs',
      summary: 'List graphs',
      description: 'Returns a page of the graphs that the caller can read, without content, sorted by id by default.',
      querystring: listQuery(graphFilters, graphSorts),
      response: {
        200: answer(records, 'A page of graphs.', pageHeaders),
        ...refusals(400)
      }
    },
    handler: async (request, reply) => {
      const { actor, query } = request
      return reply.sendPage({
        path: '/api/graphs',
        direction: 'asc',
        hasLongRows: true,
        rows: (slice) => listGraphs(store, actor, query, slice),
        count: () => countGraphs(store, actor, query),
        sortKey: graphSortKey
      })
    }
  })

  app.get('/mygraphs', {
    config: { scope: 'read:graphs' },
    schema: {
      tags,
      operationId: 'listMyGraphs',
      summary: 'List my graphs and shared graphs',
      description:
        'Returns all graphs that the caller owns, that are shared with everyone, or that are granted to the caller, without content, sorted by id.',
      response: { 200: answer(records, 'The graphs.'), ...refusals(400) }
    },
    handler: async (request, reply) => {
      return reply.sendAll({
        direction: 'asc',
        rows: (slice) => listOwnAndShared(store, request.actor, slice),
        sortKey: graphSortKey
      })
    }
  })
}

export default graphLists
