import { text } from '../text/index.ts'
import { at, type Network } from './network.ts'

export type Value = string | number | undefined

/** Something that nodes, or edges, have: to colour, size, filter and sort by. */
export interface Attribute {
  /** As it stands in addresses: `degree`, or `metadata.group`. */
  key: string
  title: string
  /** Whether all its values are numbers. */
  isNumber: boolean
  /** Whether it counts something: then it is an amount, however few values it has. */
  isCount?: boolean
  /** Of the node or edge of this number. */
  read(index: number): Value
}

/** What the nodes have, from their metadata first, and what can be counted. */
export function nodeAttributes({ nodes, degree, inDegree, outDegree, directed }: Network): Attribute[] {
  const counted = (key: 'degree' | 'inDegree' | 'outDegree', counts: Uint32Array): Attribute => ({
    key,
    title: text.attributes[key],
    isNumber: true,
    isCount: true,
    read: (index) => at(counts, index)
  })
  const isDirected = directed.some(Boolean)
  return [
    ...metadataAttributes(nodes),
    counted('degree', degree),
    ...(isDirected ? [counted('inDegree', inDegree), counted('outDegree', outDegree)] : [])
  ]
}

/** What the edges have: how they relate, and their metadata. */
export function edgeAttributes({ edges }: Network): Attribute[] {
  const relation: Attribute = {
    key: 'relation',
    title: text.attributes.relation,
    isNumber: false,
    read: (index) => edges[index]?.relation
  }
  return [...(edges.some((edge) => edge.relation !== undefined) ? [relation] : []), ...metadataAttributes(edges)]
}

/** The fields of metadata whose values are no objects or lists. */
function metadataAttributes(elements: { metadata?: Record<string, unknown> }[]): Attribute[] {
  const kinds = new Map<string, boolean>()
  for (const { metadata } of elements) {
    for (const key in metadata) {
      const value = metadata[key]
      if (value === null || typeof value === 'object') continue
      kinds.set(key, (kinds.get(key) ?? true) && typeof value === 'number')
    }
  }
  return [...kinds].map(([key, isNumber]) => ({
    key: `metadata.${key}`,
    title: key,
    isNumber,
    read: (index) => {
      const { metadata } = elements[index] ?? {}
      const value = metadata && Object.hasOwn(metadata, key) ? metadata[key] : undefined
      if (value === undefined || value === null || typeof value === 'object') return undefined
      return typeof value === 'number' ? value : String(value)
    }
  }))
}

/** How often each value is there, the most frequent first. */
export function valuesOf({ read }: Attribute, count: number): [value: string, count: number][] {
  const counts = new Map<string, number>()
  for (let index = 0; index < count; index++) {
    const value = read(index)
    if (value !== undefined) counts.set(String(value), (counts.get(String(value)) ?? 0) + 1)
  }
  return [...counts].sort(([a, m], [b, n]) => n - m || a.localeCompare(b, undefined, { numeric: true }))
}

/** The least and the greatest of its numbers; undefined where it has none. */
export function rangeOf({ read }: Attribute, count: number): [number, number] | undefined {
  let [least, greatest] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (let index = 0; index < count; index++) {
    const value = read(index)
    if (typeof value !== 'number') continue
    if (value < least) least = value
    if (value > greatest) greatest = value
  }
  return least <= greatest ? [least, greatest] : undefined
}
