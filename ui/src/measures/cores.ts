import { at } from '../graph/network/network.ts'
import { adjacencyOf, type Links } from './links.ts'

/**
 * The core number of each node: the greatest k for which it belongs to a part where every node has k neighbours within
 * (Batagelj and Zaveršnik 2003, arXiv:cs/0310049). Direction, loops and the number of parallel edges do not count; networkx
 * takes only graphs without loops and parallel edges, and counts an edge in each direction twice.
 */
export function coreNumbers(links: Links): Float64Array {
  const { offsets, neighbours } = adjacencyOf(links, 'both')
  const { count } = links
  const core = Float64Array.from({ length: count }, (_, node) => at(offsets, node + 1) - at(offsets, node))
  /** The nodes in the order of their core numbers so far; `starts` has where each number begins. */
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
      // Swaps it with the first node of its number, and moves the border behind it.
      const first = at(starts, number)
      put(at(order, first), at(place, neighbour))
      put(neighbour, first)
      starts[number] = first + 1
      core[neighbour] = number - 1
    }
  }
  return core
}
