import { FindNodes } from '../../../schemas/tools.ts'
import { findMatches } from '../../http/contents/find-matches.ts'
import { queryOf } from '../../http/contents/search-listing.ts'
import { defineTool, findNamedGraph, toToolNode } from './tool.ts'

const DEFAULT_LIMIT = 20

export const findNodesTool = defineTool({
  name: 'find_nodes',
  title: 'Find nodes of a graph',
  description:
    'Finds the nodes of one graph that have words of the query in their ids, labels or metadata: those with the most of the words first. Use their ids with get_subgraph.',
  ...FindNodes,
  async run(call, { graph: name, query, limit = DEFAULT_LIMIT }) {
    const words = queryOf(query, 'query')
    const found = await findNamedGraph(call, name)
    // Requests one extra node to see whether there are more.
    const wanted = { limit: limit + 1, nodesOnly: true }
    const [first] = await findMatches(call.reply.request.actor, call.store, call.worker, [found], words, wanted)
    const matches = first?.matches ?? []
    const nodes = matches.slice(0, limit).map((match) => ({ ...toToolNode(match), pointer: match.pointer }))
    const truncated = matches.length > limit
    return {
      summary: `${nodes.length} nodes of graph ${found.id} with words of the query${truncated ? '; more have them' : ''}.`,
      data: { graph: found.id, nodes, truncated }
    }
  }
})
