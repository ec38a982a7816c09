import { Type } from '@sinclair/typebox'
import { countGraphs, graphSortKey, listGraphs, listOwnAndShared } from '../db/graphs.ts'
import { GraphRecord, graphFilters, graphSorts } from '../schemas/graph.ts'
import { listQuery, NoQuery } from '../schemas/parameters.ts'
import { answer, pageHeaders, refusals } from '../schemas/responses.ts'
import { ref } from '../schemas/types.ts'
import { fetchPage } from '../src/paging.ts'
import type { Plugin } from './plugin.ts'

/** The graphs that the caller may read, without content; stands where a token has been verified. */
const graphLists: Plugin<{ cursorKey: Buffer }> = async (app, { cursorKey }) => {
  const { store } = app
  const tags = ['graphs']

  app.get(
    '/graphs',
    {
      schema: {
        tags,
        operationId: 'listGraphs',
        summary: 'List graphs',
        description: 'A page of the graphs that the caller may read, without content, by id unless sorted otherwise.',
        querystring: listQuery(graphFilters, graphSorts),
        response: {
          200: answer(Type.Array(ref(GraphRecord)), 'A page of graphs.', pageHeaders),
          ...refusals(400)
        }
      }
    },
    async (request, reply) => {
      const { actor, query } = request
      const { rows, headers } = await fetchPage({
        path: '/api/graphs',
        query,
        direction: 'asc',
        caller: actor.login,
        cursorKey,
        rows: (slice) => listGraphs(store.read, actor, query, slice),
        count: () => countGraphs(store.read, actor, query),
        key: graphSortKey
      })
      return reply.headers(headers).send(rows)
    }
  )

  app.get(
    '/mygraphs',
    {
      schema: {
        tags,
        operationId: 'listMyGraphs',
        summary: 'List my graphs and the shared ones',
        description: 'All graphs that the caller owns and all that are shared, without content, by id.',
        querystring: NoQuery,
        response: { 200: answer(Type.Array(ref(GraphRecord)), 'All of them.'), ...refusals(400) }
      }
    },
    async (request) => listOwnAndShared(store.read, request.actor.login)
  )
}

export default graphLists
