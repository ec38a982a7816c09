import type { KindFilter } from './kinds.ts'

/** A filter for nodes, or for edges, by the values of an attribute. */
export type ValueFilter = { of: Elements } & KindFilter

/** A filter for nodes, or for edges, by an attribute between two numbers; both are shown. */
interface RangeFilter {
  of: Elements
  attribute: string
  least: number
  greatest: number
}

/** A filter for the nodes within a number of edges from a node, by its id. Directions do not count. */
export interface NeighbourhoodFilter {
  around: string
  depth: number
}

/** A filter for the nodes with a text in their id, their label or a stored attribute. */
export interface TextFilter {
  text: string
}

export type Elements = 'nodes' | 'edges'

export type AttributeFilter = ValueFilter | RangeFilter

/** A filter hides nodes or edges. Several hide what one of them hides. */
export type Filter = AttributeFilter | NeighbourhoodFilter | TextFilter

/** The most filters of a view. Each one takes time for each element: an address with a thousand would stop the page. */
export const MOST_FILTERS = 50

/** Whether the filter may hide something. A new one does not. */
export function isActive(filter: Filter): boolean {
  if ('text' in filter) return filter.text.trim() !== ''
  return !('hidden' in filter && filter.hidden.length === 0)
}

/** Whether the filter goes by this attribute of nodes or edges. */
export function isBy(filter: Filter, of: Elements, attribute: string): boolean {
  return 'attribute' in filter && filter.of === of && filter.attribute === attribute
}

/** The keys of the attributes of nodes that these filters go by. */
export function nodeKeysOf(filters: Filter[]): string[] {
  return filters.flatMap((filter) => ('attribute' in filter && filter.of === 'nodes' ? [filter.attribute] : []))
}
