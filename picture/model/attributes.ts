import { collator } from './collator.ts'
import type { WrittenFormat } from './number-formats.ts'

export type Value = string | number | undefined

/** An attribute of nodes or edges, used for colour, size, filters and sorting. */
export interface Attribute {
  /** The key used in URLs, such as `degree` or `metadata.group`. */
  key: string
  title: string
  /** Whether all values are numbers. */
  isNumber: boolean
  /** Whether the attribute is a quantity, such as a count, even if it has few distinct values. */
  isAmount?: boolean
  /** The format of the numbers: that of the style, or else plain for ids and years, and exact for other stored numbers. */
  format?: WrittenFormat
  /** Whether the app computes the attribute, rather than reading it from the graph. */
  isComputed?: boolean
  /** Reads the value of a node or edge by index. */
  read(index: number): Value
}

/**
 * The maximum number of attributes. Each one is read for every element and has a column and a menu entry, so more of them would
 * freeze the page for minutes.
 */
const MOST_ATTRIBUTES = 300

interface WithMetadata {
  metadata?: Record<string, unknown>
}

type Names = Map<string, { count: number; isNumber: boolean; isWhole: boolean; least: number; greatest: number }>

/** The range of integers that are taken for years if the name of their attribute does not say so. */
const [EARLIEST, LATEST] = [1000, 2200]

/** Names of attributes that contain years, in several languages. */
const YEAR = /year|jahr|ann[ée]e|año|jaar|(?:^|[\s_.-])(?:anno?|år|rok|год)(?:$|[\s_.-])|年/i

/** Names of attributes that contain identifiers, such as postcodes. */
const IDENTIFIER =
  /(?:^|[\s_.-])(?:[Ii][Dd]s?|[Cc]ode|[Kk]ey|[Zz][Ii][Pp](?:code)?|[Pp]ostcode|PLZ|plz|[Pp]hone|ISBN|isbn|ISSN|issn|PMID|pmid)$|[a-z](?:I[Dd]|Code)$/

/**
 * A cache of counted names, keyed by the list of elements. Most edits leave most lists unchanged, and lists are never modified
 * in place.
 */
const counted = new WeakMap<WithMetadata[], Names>()

/**
 * Returns the names of metadata fields, with the number of elements that have each field, whether all its values are numbers or
 * integers, and their range. Omits fields whose values are objects or lists.
 */
function namesIn(elements: WithMetadata[]): Names {
  const before = counted.get(elements)
  if (before) return before
  const names: Names = new Map()
  counted.set(elements, names)
  for (const { metadata } of elements) {
    for (const name in metadata) {
      const value = metadata[name]
      if (value === null || typeof value === 'object') continue
      const isNumber = typeof value === 'number'
      const number = isNumber ? value : 0
      const known = names.get(name)
      if (!known) {
        names.set(name, { count: 1, isNumber, isWhole: Number.isInteger(value), least: number, greatest: number })
        continue
      }
      known.count++
      known.isNumber &&= isNumber
      known.isWhole &&= Number.isInteger(value)
      if (number < known.least) known.least = number
      if (number > known.greatest) known.greatest = number
    }
  }
  return names
}

/** Returns whether the numbers are years, by the name of the attribute or by their range. */
function areYears(name: string, { isWhole, least, greatest }: { isWhole: boolean; least: number; greatest: number }) {
  const [from, to] = YEAR.test(name) ? [-9999, 9999] : [EARLIEST, LATEST]
  return isWhole && least >= from && greatest <= to
}

/** Returns the format of an attribute without a chosen one, if all its values are numbers. */
function usualFormat(name: string, found: { isNumber: boolean; isWhole: boolean; least: number; greatest: number }) {
  if (!found.isNumber) return undefined
  return areYears(name, found) || (found.isWhole && IDENTIFIER.test(name)) ? 'plain' : 'exact'
}

/** Returns the number of attributes that are omitted because there are too many. */
export function leftOutAttributes({ nodes, edges }: { nodes: WithMetadata[]; edges: WithMetadata[] }): number {
  return [nodes, edges].reduce((sum, elements) => sum + Math.max(0, namesIn(elements).size - MOST_ATTRIBUTES), 0)
}

/**
 * Returns the metadata fields, in order of first appearance. If there are too many, returns those that occur in the most
 * elements.
 */
export function metadataAttributes(elements: WithMetadata[]): Attribute[] {
  const names = [...namesIn(elements)]
  const shown = new Set(names.toSorted(([, a], [, b]) => b.count - a.count).slice(0, MOST_ATTRIBUTES))
  const inOrder = names.filter((name) => shown.has(name))
  return inOrder.map(([key, found]) => {
    const format = usualFormat(key, found)
    return {
      key: `metadata.${key}`,
      title: key,
      isNumber: found.isNumber,
      ...(format && { format }),
      read: (index) => {
        const { metadata } = elements[index] ?? {}
        const value = metadata && Object.hasOwn(metadata, key) ? metadata[key] : undefined
        if (value === undefined || value === null || typeof value === 'object') return undefined
        return typeof value === 'number' ? value : String(value)
      }
    }
  })
}

/**
 * Ties in frequency are sorted by name only if there are at most this many distinct values; sorting more would take too long.
 */
const MOST_SORTED = 5000

/**
 * Returns the values with their frequency, most frequent first. Equally frequent values are sorted by name, unless there are
 * very many values.
 */
export function valuesOf({ read }: Attribute, count: number): [value: string, count: number][] {
  const counts = new Map<string, number>()
  for (let index = 0; index < count; index++) {
    const value = read(index)
    if (value !== undefined) counts.set(String(value), (counts.get(String(value)) ?? 0) + 1)
  }
  const isSorted = counts.size <= MOST_SORTED
  return [...counts].sort(([a, m], [b, n]) => n - m || (isSorted ? collator.compare(a, b) : 0))
}

/** Returns the minimum and maximum number, or undefined if there are no numbers. */
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
