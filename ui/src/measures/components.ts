import { at } from '../graph/network.ts'
import { breadthFirst } from './breadth-first.ts'
import { bySize } from './groups.ts'
import { adjacencyOf, type Links } from './links.ts'

/** The connected component of each node, whatever the direction of edges: from 1, the largest first. */
export function components(links: Links): Float64Array {
  const adjacency = adjacencyOf(links, 'both')
  const component = new Int32Array(links.count).fill(-1)
  const search = breadthFirst(adjacency)
  for (let node = 0; node < links.count; node++) {
    if (at(component, node) >= 0) continue
    for (const reached of search.from(node)) component[reached] = node
  }
  return bySize(component)
}
