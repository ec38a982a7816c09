import type { Attribute } from '../model/attributes.ts'
import { hexOf } from '../model/colours.ts'
import { communities } from '../model/communities.ts'
import { fittingColour } from '../model/fitting-colour.ts'
import { at, type Network, weightOf } from '../model/network.ts'
import { words } from './english.ts'

/**
 * Returns the attribute that colours nodes by default: the one that classifies them best, or else their communities. Returns
 * undefined if neither distinguishes them.
 */
export function defaultColour(
  network: Network,
  attributes: Attribute[],
  resolution: number | undefined
): Attribute | undefined {
  return fittingColour(attributes, network.nodes.length, hexOf) ?? communityOf(network, resolution)
}

/** Returns the communities as an attribute, or undefined if there is only one community or each node is in its own. */
function communityOf({ nodes, edges, source, target }: Network, resolution: number | undefined): Attribute | undefined {
  if (edges.length === 0) return undefined
  const weights = Float64Array.from(edges, weightOf)
  const groups = communities({ count: nodes.length, source, target, weights }, resolution)
  const number = groups.reduce((most, group) => Math.max(most, group), 0)
  if (number <= 1 || number >= nodes.length) return undefined
  // The values are categories, regardless of how many there are.
  return { key: 'community', title: words.community, isNumber: false, read: (node) => String(at(groups, node)) }
}
