import type { Adjacency } from '../../../picture/measures/links.ts'
import { at } from '../graph/network/network.ts'

/**
 * Returns the nodes of each strongly connected component, in ascending order (Tarjan 1972, doi:10.1137/0201010). The search
 * keeps its own stack, because paths may be longer than the call stack.
 */
export function strongComponents({ offsets, neighbours }: Adjacency): Uint32Array[] {
  const count = offsets.length - 1
  /** The order in which nodes were found, from 1, and the earliest node of the current path that each one reaches. */
  const [found, earliest] = [new Uint32Array(count), new Uint32Array(count)]
  const next = offsets.slice(0, count)
  /** The nodes whose component is incomplete, and the nodes on the current path. */
  const [open, path] = [new Uint32Array(count), new Uint32Array(count)]
  const isOpen = new Uint8Array(count)
  let [openLength, pathLength, number] = [0, 0, 0]
  const components: Uint32Array[] = []
  const enter = (node: number) => {
    found[node] = earliest[node] = ++number
    open[openLength++] = node
    path[pathLength++] = node
    isOpen[node] = 1
  }
  const lower = (node: number, to: number) => {
    if (to < at(earliest, node)) earliest[node] = to
  }
  const leave = (node: number) => {
    pathLength--
    if (pathLength > 0) lower(at(path, pathLength - 1), at(earliest, node))
    if (earliest[node] !== found[node]) return
    const start = open.lastIndexOf(node, openLength - 1)
    const component = open.slice(start, openLength).sort()
    for (const member of component) isOpen[member] = 0
    openLength = start
    components.push(component)
  }
  for (let start = 0; start < count; start++) {
    if (at(found, start) > 0) continue
    enter(start)
    while (pathLength > 0) {
      const node = at(path, pathLength - 1)
      const index = at(next, node)
      if (index === at(offsets, node + 1)) {
        leave(node)
        continue
      }
      next[node] = index + 1
      const neighbour = at(neighbours, index)
      if (at(found, neighbour) === 0) enter(neighbour)
      else if (isOpen[neighbour] === 1) lower(node, at(found, neighbour))
    }
  }
  return components
}
