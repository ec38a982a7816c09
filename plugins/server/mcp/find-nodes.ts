import { FindNodes } from '../../../schemas/tools.ts'
import { findMatches } from '../../http/contents/find-matches.ts'
import { queryOf } from '../../http/contents/search-listing.ts'
import { counted, defineTool, findNamedGraph, toToolNode } from './tool.ts'

const DEFAULT_LIMIT = 20

export const findNodesTool = defineTool({
  name: 'find_nodes',
  title: 'Find nodes in a graph',
  description:
    'Finds the nodes of one graph whose ids, labels or metadata contain words of the query, best matches first. Pass their ids to get_subgraph.',
  ...FindNodes,
  async run(call, { graph: name, query, limit = DEFAULT_LIMIT }) {
    const words = queryOf(query, 'query')
    const found = await findNamedGraph(call, name)
    // Requests one extra node to determine whether there are more.
    const wanted = { limit: limit + 1, nodesOnly: true }
    const [first] = await findMatches(call.reply.request.actor, call.store, call.worker, [found], words, wanted)
    const matches = first?.matches ?? []
    const nodes = matches.slice(0, limit).map((match) => ({ ...toToolNode(match), pointer: match.pointer }))
    const truncated = matches.length > limit
    return {
      summary: `Found ${counted(nodes.length, 'node')} in graph ${found.id}${truncated ? '; there are more' : ''}.`,
      data: { graph: found.id, nodes, truncated }
    }
  }
})
