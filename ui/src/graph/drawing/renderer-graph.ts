import { MultiGraph } from 'graphology'
import { at, type Network, type Positions } from '../network/network.ts'

/** Converts the network for the renderer. The keys are indexes as strings. */
export function graphOf({ nodes, edges, source, target, directed }: Network, positions: Positions, withEdges: boolean) {
  const graph = new MultiGraph()
  for (let node = 0; node < nodes.length; node++) {
    graph.addNode(node, { x: at(positions, node * 2), y: at(positions, node * 2 + 1) })
  }
  for (let edge = 0; withEdges && edge < edges.length; edge++) {
    const add = directed[edge] ? 'addDirectedEdgeWithKey' : 'addUndirectedEdgeWithKey'
    graph[add](edge, at(source, edge), at(target, edge))
  }
  return graph
}
