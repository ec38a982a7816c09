import { at } from '../model/network.ts'
import { type Adjacency, adjacencyOf, type Links } from './links.ts'

/**
 * Returns the local clustering coefficient of each node (Watts and Strogatz 1998, doi:10.1038/30918): the fraction of pairs of
 * its neighbours that are adjacent. Ignores weights, loops, parallel edges and, unlike networkx, direction.
 */
export function clusteringCoefficients(links: Links): Float64Array {
  const adjacency = adjacencyOf(links, 'both')
  const triangles = trianglesOf(adjacency)
  return triangles.map((number, node) => {
    const degree = at(adjacency.offsets, node + 1) - at(adjacency.offsets, node)
    return degree < 2 ? 0 : (2 * number) / (degree * (degree - 1))
  })
}

/**
 * Counts the triangles at each node. Finds each triangle from its node with the lowest degree, so that hubs take little time.
 */
function trianglesOf({ offsets, neighbours }: Adjacency): Float64Array {
  const count = offsets.length - 1
  const degree = (node: number) => at(offsets, node + 1) - at(offsets, node)
  const isBefore = (one: number, other: number) =>
    degree(one) < degree(other) || (degree(one) === degree(other) && one < other)
  const later = Array.from({ length: count }, (_, node) =>
    neighbours.subarray(at(offsets, node), at(offsets, node + 1)).filter((neighbour) => isBefore(node, neighbour))
  )
  const triangles = new Float64Array(count)
  /** For each node, the last node that marked it as a neighbour, plus 1. */
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
