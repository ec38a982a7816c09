import { type Attribute, metadataAttributes } from '../model/attributes.ts'
import { hexOf } from '../model/colours.ts'
import { communities } from '../model/communities.ts'
import { fittingColour } from '../model/fitting-colour.ts'
import { at, type Network, weightOf } from '../model/network.ts'
import { type ColourScale, colourScale } from '../model/scales.ts'
import { words } from './english.ts'

/**
 * Returns the default colours of nodes, by the attribute that classifies them best or else by community. Returns undefined if
 * neither distinguishes them.
 */
export function colourOf(network: Network): ColourScale | undefined {
  const count = network.nodes.length
  const attribute = fittingColour(metadataAttributes(network.nodes), count, hexOf) ?? communityOf(network)
  return attribute && colourScale(attribute, count, hexOf)
}

/** Returns the communities as an attribute, or undefined if there is only one community or each node is in its own. */
function communityOf({ nodes, edges, source, target }: Network): Attribute | undefined {
  if (edges.length === 0) return undefined
  const groups = communities({ count: nodes.length, source, target, weights: Float64Array.from(edges, weightOf) })
  const number = groups.reduce((most, group) => Math.max(most, group), 0)
  if (number <= 1 || number >= nodes.length) return undefined
  // The values are categories, regardless of how many there are.
  return { key: 'community', title: words.community, isNumber: false, read: (node) => String(at(groups, node)) }
}
