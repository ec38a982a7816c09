import { at } from '../model/network.ts'
import { breadthFirst } from './breadth-first.ts'
import { adjacencyOf, type Links } from './links.ts'

// Both measures use directed distances, counted in edges, like networkx without weights. They take time proportional to nodes ×
// edges. The equivalent functions of graphology-metrics do not report progress.

/** Called with the completed fraction, from 0 to 1. */
export type Report = (share: number) => void

/**
 * Returns the betweenness of each node, from 0 to 1 (Brandes 2001, doi:10.1080/0022250X.2001.9990249): the fraction of shortest
 * paths between other nodes that pass through the node.
 */
export function betweenness(links: Links, report: Report): Float64Array {
  const { count } = links
  const adjacency = adjacencyOf(links, 'out')
  const { offsets, neighbours } = adjacency
  const search = breadthFirst(adjacency)
  const { distance } = search
  /** The number of shortest paths from the start to each node, and each node's dependency. */
  const [paths, handedOn] = [new Float64Array(count), new Float64Array(count)]
  const sums = new Float64Array(count)
  for (let start = 0; start < count; start++) {
    report(start / count)
    const order = search.from(start)
    for (const node of order) paths[node] = 0
    paths[start] = 1
    for (const node of order) {
      const [number, next, end] = [at(paths, node), at(distance, node) + 1, at(offsets, node + 1)]
      for (let index = at(offsets, node); index < end; index++) {
        const neighbour = at(neighbours, index)
        if (distance[neighbour] === next) paths[neighbour] = at(paths, neighbour) + number
      }
    }
    for (let place = order.length - 1; place > 0; place--) {
      const node = at(order, place)
      const [next, end] = [at(distance, node) + 1, at(offsets, node + 1)]
      let sum = 0
      for (let index = at(offsets, node); index < end; index++) {
        const neighbour = at(neighbours, index)
        if (distance[neighbour] === next) sum += at(handedOn, neighbour)
      }
      // Path counts may overflow to Infinity, and 0 × Infinity is NaN.
      const dependency = sum === 0 ? 0 : sum * at(paths, node)
      handedOn[node] = (1 + dependency) / at(paths, node)
      sums[node] = at(sums, node) + dependency
    }
  }
  return count > 2 ? sums.map((sum) => sum / ((count - 1) * (count - 2))) : sums
}

/**
 * Returns the closeness of each node: the inverse of its mean distance from the nodes that reach it, multiplied by the fraction
 * of all other nodes that reach it (Wasserman and Faust 1994), so that components of different sizes can be compared.
 */
export function closeness(links: Links, report: Report): Float64Array {
  const { count } = links
  const search = breadthFirst(adjacencyOf(links, 'in'))
  const values = new Float64Array(count)
  for (let node = 0; node < count; node++) {
    report(node / count)
    const order = search.from(node)
    const others = order.length - 1
    let sum = 0
    for (const other of order) sum += at(search.distance, other)
    if (others > 0) values[node] = (others / sum) * (others / (count - 1))
  }
  return values
}
