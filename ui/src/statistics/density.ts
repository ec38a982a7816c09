import type { Links } from '../../../picture/measures/links.ts'
import { isDirected } from './uniform-links.ts'

/**
 * Returns the number of edges as a fraction of all pairs of nodes, which are ordered if edges are directed. As in networkx, loops
 * and parallel edges count, so the value may exceed 1. `links` are uniform.
 */
export function density(links: Links): number {
  const { count, source } = links
  if (count < 2) return 0
  return source.length / (count * (count - 1) * (isDirected(links) ? 1 : 0.5))
}
