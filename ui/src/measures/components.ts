import { componentsOf } from '../../../graph/picture/components.ts'
import type { Links } from './links.ts'

/** The connected component of each node, whatever the direction of edges: from 1, the largest first. */
export function components({ count, source, target }: Links): Float64Array {
  const values = new Float64Array(count)
  for (const [index, nodes] of componentsOf(count, source, target).entries()) {
    for (const node of nodes) values[node] = index + 1
  }
  return values
}
