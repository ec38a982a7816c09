import { isIndexComplete } from '../../../db/search/graphs.ts'
import { SearchGraphs, TOOL_MATCHES, TOOL_PAGE } from '../../../schemas/tools.ts'
import { queryOf, searchListing } from '../../http/contents/search-listing.ts'
import { counted, defineTool, shortened, toToolGraph } from './tool.ts'

/** The maximum length of a graph's description and an element's label, in characters. */
const LONGEST = 200

export const searchGraphsTool = defineTool({
  name: 'search_graphs',
  title: 'Search graphs',
  description:
    'Finds the graphs that you can read and whose names, descriptions, tags, nodes, edges or metadata contain all words of the query, newest first, with the first matching nodes and edges. Start here to find the ids of graphs.',
  ...SearchGraphs,
  async run({ reply, store, worker }, { query, type, owner, tags, cursor = '' }) {
    const filter = {
      ...(type !== undefined && { type }),
      ...(owner !== undefined && { owner }),
      ...(tags !== undefined && tags.length > 0 && { tags: tags.join(',') })
    }
    const words = queryOf(query, 'query')
    const listing = searchListing(reply.request.actor, store, worker, '/mcp', { words, filter, limit: TOOL_MATCHES })
    const { rows, headers } = await reply.fetchPage(listing, {
      ...filter,
      q: query,
      size: String(TOOL_PAGE),
      cursor
    })
    const found = await listing.show(rows)
    const isComplete = await isIndexComplete(store.read)
    const next = headers['x-next-cursor']
    const graphs = found.map(({ graph, matches }) => ({
      graph: toToolGraph(graph, LONGEST),
      matches: matches.map(({ label, ...match }) => ({
        ...match,
        ...(label !== undefined && { label: shortened(label, LONGEST) })
      }))
    }))
    const more = next === undefined ? '' : ' There are more: call again with nextCursor as cursor.'
    const incomplete = isComplete ? '' : ' The search index is still being built, so some graphs may be missing.'
    return {
      summary: `Found ${counted(graphs.length, 'graph')}.${more}${incomplete}`,
      data: { graphs, ...(next !== undefined && { nextCursor: next }), isIndexComplete: isComplete }
    }
  }
})
