import type { Edge, GraphContent, Node } from '../../api.ts'
import { type Network, networkOf } from './network.ts'

// Most edits change only values, and no index depends on values.

/**
 * Returns the network of a graph's content. If only values have changed, the network shares the indexes and derived data of the
 * previous one.
 */
export function nextNetwork(content: GraphContent, before: Network | undefined): Network {
  if (!before || !hasSameEnds(content, before)) return networkOf(content)
  return { ...before, nodes: content.nodes, edges: content.edges }
}

/** Returns whether the content has the network's nodes, and its edges connect the same nodes in the same direction. */
function hasSameEnds({ nodes, edges, directed: byDefault }: GraphContent, before: Network): boolean {
  return (
    nodes.length === before.nodes.length &&
    edges.length === before.edges.length &&
    nodes.every((node, index) => node === before.nodes[index] || node.id === before.nodes[index]?.id) &&
    edges.every((edge, index) => {
      const other = before.edges[index] as Edge
      const isSame = edge === other || (edge.source === other.source && edge.target === other.target)
      return isSame && Number(edge.directed ?? byDefault) === before.directed[index]
    })
  )
}

/** Returns whether two networks share their indexes and have the same stored positions. */
export function hasSamePlaces(one: Network, other: Network): boolean {
  const isSame = (some: Node, { x, y }: Node) => some.x === x && some.y === y
  return (
    one.incident === other.incident &&
    one.nodes.every((node, index) => node === other.nodes[index] || isSame(node, other.nodes[index] as Node))
  )
}
