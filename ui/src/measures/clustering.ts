import { at } from '../graph/network/network.ts'
import { type Adjacency, adjacencyOf, type Links } from './links.ts'

/**
 * The local clustering coefficient of each node (Watts and Strogatz 1998, doi:10.1038/30918): the share of the pairs of its
 * neighbours that are neighbours of one another. Direction, weights, loops and the number of parallel edges do not count;
 * networkx weighs directions.
 */
export function clusteringCoefficients(links: Links): Float64Array {
  const adjacency = adjacencyOf(links, 'both')
  const triangles = trianglesOf(adjacency)
  return triangles.map((number, node) => {
    const degree = at(adjacency.offsets, node + 1) - at(adjacency.offsets, node)
    return degree < 2 ? 0 : (2 * number) / (degree * (degree - 1))
  })
}

/** The triangles at each node. Each is found once, from its node of the least degree, so that hubs cost little. */
function trianglesOf({ offsets, neighbours }: Adjacency): Float64Array {
  const count = offsets.length - 1
  const degree = (node: number) => at(offsets, node + 1) - at(offsets, node)
  const isBefore = (one: number, other: number) =>
    degree(one) < degree(other) || (degree(one) === degree(other) && one < other)
  const later = Array.from({ length: count }, (_, node) =>
    neighbours.subarray(at(offsets, node), at(offsets, node + 1)).filter((neighbour) => isBefore(node, neighbour))
  )
  const triangles = new Float64Array(count)
  /** For each node, 1 more than the last node that has it as a neighbour. */
  const markedBy = new Uint32Array(count)
  later.forEach((seconds, first) => {
    for (const second of seconds) markedBy[second] = first + 1
    for (const second of seconds) {
      for (const third of later[second] ?? []) {
        if (markedBy[third] !== first + 1) continue
        for (const corner of [first, second, third]) triangles[corner] = at(triangles, corner) + 1
      }
    }
  })
  return triangles
}
