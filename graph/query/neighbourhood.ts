import type { Direction } from '../../schemas/graph-part.ts'
import type { Links } from '../content/edges.ts'

/** The part of a graph near the given centres: node and edge numbers, in content order. */
export interface Neighbourhood {
  nodes: number[]
  /** All edges between these nodes. */
  edges: number[]
  /** How many nodes and edges within the distance were omitted because of the limit. */
  left: { nodes: number; edges: number }
}

/**
 * Searches breadth first for nodes at most `depth` steps from the centres and keeps the first `limit` of them, starting with
 * the centres. Takes time linear in the size of the graph.
 */
export function neighbourhoodOf(
  links: Links,
  centres: readonly number[],
  { depth, direction, limit }: { depth: number; direction: Direction; limit: number }
): Neighbourhood {
  const { nodeCount, edgeCount, sources, targets, isDirected, incident, starts } = links
  const KEPT = 1
  const LEFT = 2
  const states = new Uint8Array(nodeCount)
  let keptCount = 0
  let leftCount = 0
  const reach = (node: number) => {
    const isKept = keptCount < limit
    states[node] = isKept ? KEPT : LEFT
    if (isKept) keptCount++
    else leftCount++
  }
  let front: number[] = []
  for (const node of centres) {
    if (states[node]) continue
    reach(node)
    front.push(node)
  }
  for (let step = 0; step < depth && front.length > 0; step++) {
    const next: number[] = []
    for (const node of front) {
      for (let place = starts[node] as number; place < (starts[node + 1] as number); place++) {
        const edge = incident[place] as number
        const isFromHere = sources[edge] === node
        if (direction !== 'both' && isDirected[edge] && isFromHere !== (direction === 'out')) continue
        const neighbour = isFromHere ? (targets[edge] as number) : (sources[edge] as number)
        if (states[neighbour]) continue
        reach(neighbour)
        next.push(neighbour)
      }
    }
    front = next
  }
  const nodes: number[] = []
  for (let node = 0; node < nodeCount; node++) if (states[node] === KEPT) nodes.push(node)
  const edges: number[] = []
  let leftEdges = 0
  for (let edge = 0; edge < edgeCount; edge++) {
    const [from, to] = [states[sources[edge] as number], states[targets[edge] as number]]
    if (from === KEPT && to === KEPT) edges.push(edge)
    else if (from && to) leftEdges++
  }
  return { nodes, edges, left: { nodes: leftCount, edges: leftEdges } }
}
