import type { Attribute } from '../model/attributes.ts'
import { hexOf } from '../model/colours.ts'
import { communities } from '../model/communities.ts'
import { fittingColour } from '../model/fitting-colour.ts'
import { at, type Network } from '../model/network.ts'
import { weightsOf } from '../model/weights.ts'
import type { Look } from '../view/look.ts'
import { words } from './english.ts'

/**
 * Returns the attribute that colours nodes by default: the one that classifies them best, or else their communities. Returns
 * undefined if neither distinguishes them.
 */
export function defaultColour(
  network: Network,
  attributes: Attribute[],
  look: Pick<Look, 'resolution' | 'weight'>
): Attribute | undefined {
  return fittingColour(attributes, network.nodes.length, hexOf) ?? communityOf(network, look)
}

/** Returns the communities as an attribute, or undefined if there is only one community or each node is in its own. */
function communityOf(
  { nodes, edges, source, target }: Network,
  { resolution, weight }: Pick<Look, 'resolution' | 'weight'>
): Attribute | undefined {
  if (edges.length === 0) return undefined
  const weights = weightsOf(edges, weight)
  const groups = communities({ count: nodes.length, source, target, weights }, resolution)
  const number = groups.reduce((most, group) => Math.max(most, group), 0)
  if (number <= 1 || number >= nodes.length) return undefined
  // The values are categories, regardless of how many there are.
  return { key: 'community', title: words.community, isNumber: false, read: (node) => String(at(groups, node)) }
}
