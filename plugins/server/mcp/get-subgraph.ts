import type { Static } from '@sinclair/typebox'
import { jsonValue } from '../../../graph/content/json.ts'
import { visibleJson } from '../../../graph/content/visible-json.ts'
import { shortJson } from '../../../graph/query/find-elements.ts'
import type { Edge, GraphContent } from '../../../schemas/graph-content.ts'
import { DEFAULT_DEPTH } from '../../../schemas/graph-part.ts'
import { ProblemError } from '../../../schemas/problem-catalogue.ts'
import { GetSubgraph } from '../../../schemas/tools.ts'
import { GraphParts } from '../../http/contents/graph-parts.ts'
import { counted, defineTool, findNamedGraph, shortened, type ToolCall, toToolNode } from './tool.ts'

const DEFAULT_LIMIT = 100

/** The maximum length of the list of nodes and of the list of edges, in characters of JSON. */
const LONGEST = 32 * 1024

/** The maximum length of an edge's label, in characters. */
const LONGEST_LABEL = 200

/**
 * The maximum size of a part to parse, in bytes, since parsing blocks other requests. A larger part is requested again with
 * fewer nodes.
 */
const LARGEST = 1024 * 1024

type Answer = Static<typeof GetSubgraph.output>

export const getSubgraphTool = defineTool({
  name: 'get_subgraph',
  title: 'Get the neighbourhood of nodes',
  description:
    'Returns the nodes within `depth` steps of the given nodes, and the edges between them. Anything beyond the limit is omitted and counted.',
  ...GetSubgraph,
  async run(call, { graph, nodes, depth = DEFAULT_DEPTH, direction = 'both', limit = DEFAULT_LIMIT }) {
    const { id } = await findNamedGraph(call, graph)
    const data = await askForLess(call, id, { nodes, depth, direction, limit })
    const { leftOut } = data
    const rest =
      leftOut.nodes + leftOut.edges === 0
        ? ''
        : ` Omitted: ${counted(leftOut.nodes, 'node')} and ${counted(leftOut.edges, 'edge')}.`
    return {
      summary: `${counted(data.nodes.length, 'node')} and ${counted(data.edges.length, 'edge')} of graph ${id}, within ${counted(depth, 'step')}.${rest}`,
      data
    }
  }
})

/**
 * Requests the part of a graph, halving the number of nodes until the result is short enough. Throws `graph-too-complex` if a
 * single node is still too large.
 */
async function askForLess(
  call: ToolCall,
  id: number,
  question: Parameters<GraphParts['subgraph']>[2]
): Promise<Answer> {
  const parts = new GraphParts(call.store, call.worker)
  for (let { limit } = question; ; limit = Math.floor(limit / 2)) {
    const { bytes, left } = await parts.subgraph(call.reply.request.actor, id, {
      ...question,
      limit: Math.max(1, limit)
    })
    if (bytes.length > LARGEST) {
      if (limit > 1) continue
      throw new ProblemError('graph-too-complex', { detail: 'The result exceeds 1 MiB even with a single node.' })
    }
    const content = jsonValue(bytes.toString()) as GraphContent
    const nodes = content.nodes.map((node) => toToolNode(withMetadata(node)))
    if (visibleJson(nodes).length > LONGEST && limit > 1) continue
    const edges = firstOf(content.edges, (edge) => toToolEdge(edge, content.directed ?? true))
    const leftOut = { nodes: left.nodes, edges: left.edges + content.edges.length - edges.length }
    return { graph: id, nodes, edges, leftOut }
  }
}

function toToolEdge({ metadata, label, directed, ...edge }: Edge, isDirected: boolean): Answer['edges'][number] {
  return {
    ...edge,
    directed: directed ?? isDirected,
    ...(label !== undefined && { label: shortened(label, LONGEST_LABEL) }),
    ...(metadata && { metadata: shortJson(metadata) })
  }
}

function withMetadata({ id, label, metadata }: GraphContent['nodes'][number]) {
  return { id, label, metadata: metadata && shortJson(metadata) }
}

/** Returns as many of the first elements as fit, in the form shown to the agent. */
function firstOf<Element, Shown>(elements: readonly Element[], show: (element: Element) => Shown): Shown[] {
  const shown: Shown[] = []
  let length = 0
  for (const element of elements) {
    const next = show(element)
    length += visibleJson(next).length + 1
    if (length > LONGEST) break
    shown.push(next)
  }
  return shown
}
