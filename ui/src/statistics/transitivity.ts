import { type Adjacency, adjacencyOf, type Links } from '../../../picture/measures/links.ts'
import { at } from '../graph/network/network.ts'

/**
 * Returns the fraction of pairs of a node's neighbours that are adjacent, over all nodes together. As in networkx, loops and
 * parallel edges are ignored, and with directed edges, neighbours are successors, and their pairs are ordered.
 */
export function transitivity(links: Links): number {
  const adjacency = adjacencyOf(links, 'out')
  let pairs = 0
  for (let node = 0; node < links.count; node++) pairs += degreeIn(adjacency, node) * (degreeIn(adjacency, node) - 1)
  return pairs > 0 ? closedPairs(adjacency, adjacencyOf(links, 'in')) / pairs : 0
}

/**
 * Counts, over all edges, the common successors of source and target. Each time, the shorter of the two lists is compared with
 * the marks of the longer one, so that hubs take little time.
 */
function closedPairs(out: Adjacency, incoming: Adjacency): number {
  /** For each node, the last node that marked it as a successor, plus 1. */
  const markedBy = new Uint32Array(out.offsets.length - 1)
  let closed = 0
  const countMarked = (node: number, by: number) => {
    const end = at(out.offsets, node + 1)
    for (let index = at(out.offsets, node); index < end; index++) {
      if (markedBy[at(out.neighbours, index)] === by + 1) closed++
    }
  }
  const neighboursIn = ({ offsets, neighbours }: Adjacency, node: number) =>
    neighbours.subarray(at(offsets, node), at(offsets, node + 1))
  for (let node = 0; node < markedBy.length; node++) {
    const degree = degreeIn(out, node)
    for (const successor of neighboursIn(out, node)) markedBy[successor] = node + 1
    for (const successor of neighboursIn(out, node))
      if (degreeIn(out, successor) <= degree) countMarked(successor, node)
    for (const other of neighboursIn(incoming, node)) if (degreeIn(out, other) < degree) countMarked(other, node)
  }
  return closed
}

function degreeIn({ offsets }: Adjacency, node: number): number {
  return at(offsets, node + 1) - at(offsets, node)
}
