import { at } from '../model/network.ts'
import { adjacencyOf, type Links } from './links.ts'

/**
 * Returns the core number of each node: the largest k such that the node belongs to a subgraph in which every node has at least k
 * neighbours (Batagelj and Zaveršnik 2003, arXiv:cs/0310049). Ignores direction, loops and parallel edges. By contrast, networkx
 * rejects loops and parallel edges, and counts opposite edges twice.
 */
export function coreNumbers(links: Links): Float64Array {
  const { offsets, neighbours } = adjacencyOf(links, 'both')
  const { count } = links
  const core = Float64Array.from({ length: count }, (_, node) => at(offsets, node + 1) - at(offsets, node))
  /** The nodes, sorted by current core number. `starts` contains the position of the first node with each number. */
  const starts = new Uint32Array(core.reduce((most, number) => Math.max(most, number), 0) + 2)
  for (const number of core) starts[number + 1] = at(starts, number + 1) + 1
  for (let number = 1; number < starts.length; number++) starts[number] = at(starts, number) + at(starts, number - 1)
  const next = starts.slice()
  const order = new Uint32Array(count)
  const place = new Uint32Array(count)
  const put = (node: number, where: number) => {
    order[where] = node
    place[node] = where
  }
  for (let node = 0; node < count; node++) {
    put(node, at(next, at(core, node)))
    next[at(core, node)] = at(place, node) + 1
  }
  for (let index = 0; index < count; index++) {
    const node = at(order, index)
    for (let link = at(offsets, node); link < at(offsets, node + 1); link++) {
      const neighbour = at(neighbours, link)
      const number = at(core, neighbour)
      if (number <= at(core, node)) continue
      // Swaps the node with the first node that has the same number, and moves the boundary past it.
      const first = at(starts, number)
      put(at(order, first), at(place, neighbour))
      put(neighbour, first)
      starts[number] = first + 1
      core[neighbour] = number - 1
    }
  }
  return core
}
