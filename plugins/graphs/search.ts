import { Type } from '@sinclair/typebox'
import { isIndexComplete } from '../../db/search/graphs.ts'
import type { GraphWorker } from '../../graph/jobs/worker.ts'
import { answer, cursorHeaders, indexingHeader, refusals } from '../../schemas/responses.ts'
import { MAX_MATCHES, MAX_MATCHES_IN_GRAPH, SearchQuery, SearchResult } from '../../schemas/search.ts'
import { ref } from '../../schemas/types.ts'
import { queryOf, searchListing } from '../http/contents/search-listing.ts'
import type { Plugin } from '../http/plugin.ts'
import { idOf } from '../http/urls.ts'

/** Searches graphs, and their nodes and edges, for words. The context authenticates the caller. */
const search: Plugin<{ worker: GraphWorker }> = async (app, { worker }) => {
  const { store } = app

  app.get('/search', {
    config: { scope: 'read:graphs' },
    schema: {
      tags: ['graphs'],
      operationId: 'search',
      summary: 'Search graphs, nodes and edges',
      description:
        'A page of the graphs that the caller may read and that have all words of `q`, the newest first, with the nodes and edges that have them. Words are looked for in names, descriptions, tags, ids and labels of nodes, labels and relations of edges, and values of metadata. Case and accents do not count, camelCase is also found by its parts, and the last word may be a beginning, from 3 characters on. A text without any letter or digit is refused: 400 `query-too-short`.',
      querystring: SearchQuery,
      response: {
        200: answer(Type.Array(ref(SearchResult)), 'A page of graphs.', { ...cursorHeaders, ...indexingHeader }),
        ...refusals(400)
      }
    },
    handler: async (request, reply) => {
      const { q, type, owner, tags, graph } = request.query
      const words = queryOf(q, 'q')
      const id = graph === undefined ? undefined : idOf(graph)
      const filter = {
        ...(type !== undefined && { type }),
        ...(owner !== undefined && { owner }),
        ...(tags !== undefined && { tags }),
        graph: id
      }
      const limit = id === undefined ? MAX_MATCHES : MAX_MATCHES_IN_GRAPH
      if (!(await isIndexComplete(store.read))) reply.header('graphstead-indexing', '?1')
      return reply.sendPage(searchListing(request.actor, store, worker, '/api/search', { words, filter, limit }))
    }
  })
}

export default search
