import { Type } from '@sinclair/typebox'
import { isIndexComplete } from '../../db/search/graphs.ts'
import type { GraphWorker } from '../../graph/jobs/worker.ts'
import { answer, cursorHeaders, indexingHeader, refusals } from '../../schemas/responses.ts'
import { MAX_MATCHES, MAX_MATCHES_IN_GRAPH, SearchQuery, SearchResult } from '../../schemas/search.ts'
import { ref } from '../../schemas/types.ts'
import { queryOf, searchListing } from '../http/contents/search-listing.ts'
import type { Plugin } from '../http/plugin.ts'
import { idOf } from '../http/urls.ts'

/** Searches graphs and their nodes and edges for words. The context authenticates the caller. */
const search: Plugin<{ worker: GraphWorker }> = async (app, { worker }) => {
  const { store } = app

  app.get('/search', {
    config: { scope: 'read:graphs' },
    schema: {
      tags: ['graphs'],
      operationId: 'searchGraphs',
      summary: 'Search graphs, nodes and edges',
      description:
        'Returns a page of the graphs that the caller can read and that contain all words of `q`, newest first, with the matching nodes and edges. The search covers names, descriptions and tags; ids and labels of nodes; labels and relations of edges; and metadata values. It ignores case and accents, matches the parts of camelCase words, and matches the last word as a prefix if it has at least 3 characters. A query without a letter or digit fails with 400 `query-too-short`.',
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
