import type { Visibility } from '../filter/visibility.ts'
import { type Network, networkOf } from '../model/network.ts'

/** The part of a network that a view shows, with the indexes that its nodes and edges have in the whole network. */
export interface ShownPart {
  network: Network
  nodes: number[]
  edges: number[]
}

/** Returns the part of the network that the filters do not hide. */
export function shownPart(network: Network, { hidden, hiddenEdges }: Visibility): ShownPart {
  const [nodes, edges] = [shownOf(network.nodes, hidden), shownOf(network.edges, hiddenEdges)]
  if (!hidden && !hiddenEdges) return { network, nodes, edges }
  const directed = (edge: number) => network.directed[edge] === 1
  const part = networkOf({
    nodes: nodes.map((node) => network.nodes[node] as Network['nodes'][number]),
    edges: edges.map((edge) => ({ ...(network.edges[edge] as Network['edges'][number]), directed: directed(edge) }))
  })
  return { network: part, nodes, edges }
}

function shownOf(elements: unknown[], hidden: Uint8Array | undefined): number[] {
  return [...elements.keys()].filter((index) => hidden?.[index] !== 1)
}

/** Returns the positions of the part's nodes, given those of all nodes. */
export function positionsOfPart(positions: ArrayLike<number>, { nodes }: ShownPart): Float64Array {
  return Float64Array.from({ length: nodes.length * 2 }, (_, place) => {
    const node = nodes[place >> 1] as number
    return positions[node * 2 + (place & 1)] as number
  })
}
