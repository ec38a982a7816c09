import type { Visibility } from '../../../picture/filter/visibility.ts'
import { areEqual, type Links, linksOf } from '../../../picture/measures/links.ts'
import type { Attribute, Value } from '../graph/network/attributes.ts'
import type { Network } from '../graph/network/network.ts'
import type { View } from '../graph/view/view.ts'
import { partOfLinks } from './part-of-links.ts'
import type { Grouping } from './statistics.ts'

/** The visible part of a network, and the groups whose modularity to compute. */
export interface StatisticsRequest {
  links: Links
  grouping: Grouping
}

/**
 * Returns the request for the visible nodes and edges. The groups are the nodes with the same value of the attribute, of which
 * those without a value are one. If there is no attribute, they are communities of the resolution.
 */
export function requestOf(
  network: Network,
  { hidden, hiddenEdges }: Visibility,
  attribute: Attribute | undefined,
  { resolution, weight }: Pick<View, 'resolution' | 'weight'>
): StatisticsRequest {
  const nodes = Uint32Array.from(network.nodes.keys()).filter((node) => hidden?.[node] !== 1)
  const links = partOfLinks(linksOf(network, weight), nodes, hiddenEdges)
  if (!attribute) return { links, grouping: { resolution } }
  const numbers = new Map<Value, number>()
  const groups = nodes.map((node) => {
    const value = attribute.read(node)
    const number = numbers.get(value) ?? numbers.size
    numbers.set(value, number)
    return number
  })
  return { links, grouping: { groups } }
}

/** Returns whether both requests have the same result. */
export function isSameRequest(one: StatisticsRequest, other: StatisticsRequest): boolean {
  return areEqual(one.links, other.links) && isSameGrouping(one.grouping, other.grouping)
}

function isSameGrouping(one: Grouping, other: Grouping): boolean {
  if ('groups' in one && 'groups' in other) {
    return one.groups.length === other.groups.length && one.groups.every((group, node) => group === other.groups[node])
  }
  return !('groups' in one) && !('groups' in other) && one.resolution === other.resolution
}
