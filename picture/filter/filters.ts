import type { Attribute } from '../model/attributes.ts'
import { idAttributeOf } from '../model/element-attributes.ts'
import type { Network } from '../model/network.ts'
import type { KindFilter } from './kinds.ts'

/** A filter for nodes or edges by attribute value. */
export type ValueFilter = { of: Elements } & KindFilter

/** A filter for nodes or edges by a range of attribute values. Both bounds are inclusive. */
interface RangeFilter {
  of: Elements
  attribute: string
  least: number
  greatest: number
}

/** A filter for nodes within `depth` edges of a node, ignoring direction. */
export interface NeighbourhoodFilter {
  /** The id of the node, or an empty text until the user chooses one. */
  around: string
  depth: number
}

/** A filter for nodes whose id, label or stored attributes contain the search text. */
export interface TextFilter {
  text: string
}

export type Elements = 'nodes' | 'edges'

export type AttributeFilter = ValueFilter | RangeFilter

/** A filter hides nodes or edges. An element is hidden if any filter hides it. */
export type Filter = AttributeFilter | NeighbourhoodFilter | TextFilter

/**
 * The maximum number of filters. Each filter visits every element, so a thousand filters in an address would freeze the page.
 */
export const MOST_FILTERS = 50

/** Returns whether the filter may hide anything. A new filter hides nothing. */
export function isActive(filter: Filter): boolean {
  if ('text' in filter) return filter.text.trim() !== ''
  if ('around' in filter) return filter.around !== ''
  return !('hidden' in filter && filter.hidden.length === 0)
}

/** Returns whether the filter uses this attribute of nodes or edges. */
export function isBy(filter: Filter, of: Elements, attribute: string): boolean {
  return 'attribute' in filter && filter.of === of && filter.attribute === attribute
}

/** Returns the attribute that a filter uses, which may be the id of nodes. */
export function attributeOf(
  { of, attribute }: AttributeFilter,
  { network, ...attributes }: Record<Elements, Attribute[]> & { network: Pick<Network, 'nodes'> }
): Attribute | undefined {
  const known = attributes[of].find(({ key }) => key === attribute)
  return known ?? (of === 'nodes' && attribute === 'id' ? idAttributeOf(network, 'ID') : undefined)
}

/** Returns the keys of the node attributes that these filters use. */
export function nodeKeysOf(filters: Filter[]): string[] {
  return filters.flatMap((filter) => ('attribute' in filter && filter.of === 'nodes' ? [filter.attribute] : []))
}
