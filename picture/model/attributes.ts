import { collator } from './collator.ts'

export type Value = string | number | undefined

/** An attribute of nodes or edges, to colour, size, filter and sort by. */
export interface Attribute {
  /** Its key in addresses: `degree`, or `metadata.group`. */
  key: string
  title: string
  /** Whether all its values are numbers. */
  isNumber: boolean
  /** Whether it is an amount even with few different values, such as a count. */
  isAmount?: boolean
  /** Whether the app computes it. The others are stored. */
  isComputed?: boolean
  /** Reads the value of a node or edge, by number. */
  read(index: number): Value
}

/** Each attribute is read for each element, and has a column and a choice: further ones would stop the page for minutes. */
const MOST_ATTRIBUTES = 300

interface WithMetadata {
  metadata?: Record<string, unknown>
}

type Names = Map<string, { count: number; isNumber: boolean }>

/** The names that were counted, by their elements: an edit leaves most lists as they are, and none is changed in place. */
const counted = new WeakMap<WithMetadata[], Names>()

/** The names of the fields of metadata, except those with objects or lists: how many have each one, and whether all are numbers. */
function namesIn(elements: WithMetadata[]): Names {
  const before = counted.get(elements)
  if (before) return before
  const names: Names = new Map()
  counted.set(elements, names)
  for (const { metadata } of elements) {
    for (const name in metadata) {
      const value = metadata[name]
      if (value === null || typeof value === 'object') continue
      const known = names.get(name)
      const isNumber = typeof value === 'number'
      if (!known) names.set(name, { count: 1, isNumber })
      else {
        known.count++
        known.isNumber &&= isNumber
      }
    }
  }
  return names
}

/** How many attributes are left out, because there are too many. */
export function leftOutAttributes({ nodes, edges }: { nodes: WithMetadata[]; edges: WithMetadata[] }): number {
  return [nodes, edges].reduce((sum, elements) => sum + Math.max(0, namesIn(elements).size - MOST_ATTRIBUTES), 0)
}

/** The fields of metadata, in the order in which they come first; of too many, those that most elements have. */
export function metadataAttributes(elements: WithMetadata[]): Attribute[] {
  const names = [...namesIn(elements)]
  const shown = new Set(names.toSorted(([, a], [, b]) => b.count - a.count).slice(0, MOST_ATTRIBUTES))
  const inOrder = names.filter((name) => shown.has(name))
  return inOrder.map(([key, { isNumber }]) => ({
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

/** More values of the same frequency would take long to sort by their names. */
const MOST_SORTED = 5000

/** The values with their frequency, the most frequent first. Equally frequent ones are in the order of their names, unless there are very many. */
export function valuesOf({ read }: Attribute, count: number): [value: string, count: number][] {
  const counts = new Map<string, number>()
  for (let index = 0; index < count; index++) {
    const value = read(index)
    if (value !== undefined) counts.set(String(value), (counts.get(String(value)) ?? 0) + 1)
  }
  const isSorted = counts.size <= MOST_SORTED
  return [...counts].sort(([a, m], [b, n]) => n - m || (isSorted ? collator.compare(a, b) : 0))
}

/** The least and greatest number; undefined without numbers. */
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
