import type { Edge, GraphContent, Node } from '../../api.ts'
import { type Network, networkOf } from './network.ts'

// Most edits change values, and leave what a network has indexes for.

/** Returns the network of a content. Where only values differ from the one before, it shares its indexes, and all that is derived from them stays. */
export function nextNetwork(content: GraphContent, before: Network | undefined): Network {
  if (!before || !hasSameEnds(content, before)) return networkOf(content)
  return { ...before, nodes: content.nodes, edges: content.edges }
}

/** Whether the nodes are those of the network, and the edges join the same ones in the same direction. */
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

/** Whether two networks share their indexes, and no node is stored in another place. */
export function hasSamePlaces(one: Network, other: Network): boolean {
  const isSame = (some: Node, { x, y }: Node) => some.x === x && some.y === y
  return (
    one.incident === other.incident &&
    one.nodes.every((node, index) => node === other.nodes[index] || isSame(node, other.nodes[index] as Node))
  )
}
