import { at } from '../model/network.ts'
import { type Adjacency, adjacencyOf, type Links } from './links.ts'

/**
 * Returns the local clustering coefficient of each node (Watts and Strogatz 1998, doi:10.1038/30918): the fraction of pairs of
 * its neighbours that are adjacent. With directed edges, it is the fraction of possible directed triangles (Fagiolo 2007,
 * doi:10.1103/PhysRevE.76.026107), which is the same if all edges lead both ways. As in networkx, weights, loops and parallel
 * edges are ignored.
 */
export function clusteringCoefficients(links: Links): Float64Array {
  const adjacency = adjacencyOf(links, 'both')
  const ways = waysOf(links, adjacency)
  const triangles = trianglesOf(adjacency, ways)
  return triangles.map((number, node) => {
    if (number === 0) return 0
    const [start, end] = [at(adjacency.offsets, node), at(adjacency.offsets, node + 1)]
    let degree = 0
    for (let index = start; index < end; index++) degree += at(ways, index)
    const mutual = degree - (end - start)
    return number / (degree * (degree - 1) - 2 * mutual)
  })
}

/** Returns, for each neighbour of each node, 2 if edges lead both ways, otherwise 1. */
function waysOf(links: Links, { offsets, neighbours }: Adjacency): Uint8Array {
  const ways = new Uint8Array(neighbours.length)
  /** The index of each neighbour of the current node. */
  const place = new Uint32Array(links.count)
  for (const some of [adjacencyOf(links, 'out'), adjacencyOf(links, 'in')]) {
    for (let node = 0; node < links.count; node++) {
      for (let index = at(offsets, node); index < at(offsets, node + 1); index++) place[at(neighbours, index)] = index
      for (let index = at(some.offsets, node); index < at(some.offsets, node + 1); index++) {
        const known = at(place, at(some.neighbours, index))
        ways[known] = at(ways, known) + 1
      }
    }
  }
  return ways
}

/**
 * Counts the triangles at each node, each as often as its edges can be chosen. Finds each triangle from its node with the fewest
 * neighbours, so that hubs take little time.
 */
function trianglesOf({ offsets, neighbours }: Adjacency, ways: Uint8Array): Float64Array {
  const count = offsets.length - 1
  const degree = (node: number) => at(offsets, node + 1) - at(offsets, node)
  const isBefore = (one: number, other: number) =>
    degree(one) < degree(other) || (degree(one) === degree(other) && one < other)
  const indexes = Uint32Array.from(neighbours.keys())
  const later = Array.from({ length: count }, (_, node) =>
    indexes.subarray(at(offsets, node), at(offsets, node + 1)).filter((index) => isBefore(node, at(neighbours, index)))
  )
  const triangles = new Float64Array(count)
  /** The ways between the current node and each later neighbour. */
  const waysTo = new Uint8Array(count)
  later.forEach((seconds, first) => {
    for (const index of seconds) waysTo[at(neighbours, index)] = at(ways, index)
    for (const index of seconds) {
      const second = at(neighbours, index)
      for (const next of later[second] ?? []) {
        const third = at(neighbours, next)
        const number = at(ways, index) * at(ways, next) * at(waysTo, third)
        if (number === 0) continue
        for (const corner of [first, second, third]) triangles[corner] = at(triangles, corner) + number
      }
    }
    for (const index of seconds) waysTo[at(neighbours, index)] = 0
  })
  return triangles
}
