import type { Links } from '../../../picture/measures/links.ts'
import { at } from '../graph/network/network.ts'
import { isDirected } from './uniform-links.ts'

/**
 * Returns the modularity of groups (Newman 2006, doi:10.1073/pnas.0601602103): the fraction of the weight within groups, minus
 * the fraction expected by chance. As in networkx, expectations follow the direction of edges if they are directed. `groups`
 * contains the group of each node, from 0. Returns undefined if the weights add up to 0.
 */
export function modularity(links: Links, groups: ArrayLike<number>): number | undefined {
  const { count, source, target, weights } = links
  const isOneWay = isDirected(links)
  let size = 0
  for (let node = 0; node < count; node++) size = Math.max(size, at(groups, node) + 1)
  const out = new Float64Array(size)
  const incoming = isOneWay ? new Float64Array(size) : out
  let [total, within] = [0, 0]
  for (let edge = 0; edge < source.length; edge++) {
    const [from, to, weight] = [at(groups, at(source, edge)), at(groups, at(target, edge)), at(weights, edge)]
    total += weight
    out[from] = at(out, from) + weight
    incoming[to] = at(incoming, to) + weight
    if (from === to) within += weight
  }
  if (total === 0) return undefined
  const ends = isOneWay ? total : 2 * total
  let expected = 0
  for (let group = 0; group < size; group++) expected += (at(out, group) / ends) * (at(incoming, group) / ends)
  return within / total - expected
}
