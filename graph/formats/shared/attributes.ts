import type { Edge, Node } from '../../../schemas/graph-content.ts'
import { toJson } from '../../content/json.ts'
import type { Losses } from './losses.ts'

/** Names and values of the attributes of an element. */
export type Attributes = Iterable<[name: string, value: unknown]>

/**
 * The mapping of a format's attributes to the members of elements. Unmapped attributes become metadata under the same name. A
 * metadata name that conflicts with a mapped attribute is written with a prefix, such as `metadata.label`, and counted as
 * renamed.
 */
export interface Vocabulary {
  /** The attribute for the label; `label` by default. Null if the label is not an attribute. */
  label?: string | null
  /** The attribute for an edge's relation; `relation` by default. Null if the relation is not an attribute. */
  relation?: string | null
  /** Whether `x`, `y` and `z` form the position of a node; true by default. */
  position?: boolean
  /** Whether an edge has an attribute `id`; false by default. */
  id?: boolean
  /** Whether an edge has a `directed` attribute; false by default. */
  directed?: boolean
  /** Other reserved names, in lower case. */
  taken?: ReadonlySet<string>
  /** Returns the attribute for a metadata name. */
  nameFor?(name: string, isTaken: boolean): string
  /** Returns the metadata name for an attribute. */
  nameOf?(attribute: string): string
}

const PREFIX = 'metadata.'

export function plainName(attribute: string) {
  return attribute.startsWith(PREFIX) ? attribute.slice(PREFIX.length) : attribute
}

function prefixed(name: string, isTaken: boolean) {
  return isTaken || name.startsWith(PREFIX) ? PREFIX + name : name
}

/** Yields the label, position and metadata of a node. */
export function* nodeAttributes(
  { label, x, y, z, metadata }: Node,
  vocabulary: Vocabulary,
  losses?: Losses
): Generator<[string, unknown]> {
  const { label: labelName = 'label', position = true } = vocabulary
  if (label !== undefined && labelName !== null) yield [labelName, label]
  if (position) {
    if (x !== undefined) yield ['x', x]
    if (y !== undefined) yield ['y', y]
    if (z !== undefined) yield ['z', z]
  }
  const isTaken = (name: string) => name === labelName || (position && (name === 'x' || name === 'y' || name === 'z'))
  yield* metadataAttributes(metadata, vocabulary, isTaken, losses)
}

/** Yields the label, relation and metadata of an edge, and its id and direction if the vocabulary has them as attributes. */
export function* edgeAttributes(
  { id, label, relation, directed, metadata }: Omit<Edge, 'source' | 'target'>,
  vocabulary: Vocabulary,
  losses?: Losses
): Generator<[string, unknown]> {
  const { label: labelName = 'label', relation: relationName = 'relation' } = vocabulary
  if (vocabulary.id && id !== undefined) yield ['id', id]
  if (vocabulary.directed && directed !== undefined) yield ['directed', directed]
  if (relation !== undefined && relationName !== null) yield [relationName, relation]
  if (label !== undefined && labelName !== null) yield [labelName, label]
  const isTaken = (name: string) =>
    name === labelName ||
    name === relationName ||
    (vocabulary.id === true && name === 'id') ||
    (vocabulary.directed === true && name === 'directed')
  yield* metadataAttributes(metadata, vocabulary, isTaken, losses)
}

/** Yields the label and metadata of the graph. */
export function* graphAttributes(
  { label, metadata }: { label?: string | undefined; metadata?: Record<string, unknown> | undefined },
  vocabulary: Vocabulary,
  losses?: Losses
): Generator<[string, unknown]> {
  const { label: labelName = 'label' } = vocabulary
  if (label !== undefined && labelName !== null) yield [labelName, label]
  yield* metadataAttributes(metadata, vocabulary, (name) => name === labelName, losses)
}

function* metadataAttributes(
  metadata: Record<string, unknown> | undefined,
  { taken, nameFor = prefixed }: Vocabulary,
  isTaken: (name: string) => boolean,
  losses: Losses | undefined
): Generator<[string, unknown]> {
  for (const key in metadata) {
    const name = nameFor(key, isTaken(key) || taken?.has(key.toLowerCase()) === true)
    if (name !== key) losses?.add('attribute-renamed')
    yield [name, metadata[key]]
  }
}

/** Sets a member regardless of its name. Assigning to `__proto__` would change the prototype. */
export function put(record: Record<string, unknown>, name: string, value: unknown): Record<string, unknown> {
  if (name === '__proto__') {
    Object.defineProperty(record, name, { value, enumerable: true, configurable: true, writable: true })
  } else record[name] = value
  return record
}

/** Returns the attributes as an object, or undefined if there are none. */
export function recordOf(attributes: Attributes): Record<string, unknown> | undefined {
  let record: Record<string, unknown> | undefined
  for (const [name, value] of attributes) {
    record ??= {}
    put(record, name, value)
  }
  return record
}

export type ColumnType = 'boolean' | 'integer' | 'double' | 'string'

/** Returns whether the text stands for a number that JSON cannot represent. */
export function isNotFinite(text: string) {
  // The pattern is too slow to run on every text.
  if (text.length > 9 || !'nNfFyY'.includes(text.at(-1) ?? ' ')) return false
  return /^[+-]?(?:nan|inf|infinity)$/i.test(text)
}

/** The common type of an attribute's values. */
export interface Column {
  type: ColumnType
  /** Whether the values are lists of this type. */
  isList: boolean
  /** The largest absolute value of the integers. */
  largest: number
  /** The number of numeric values that are stored as text: NaN and infinity. */
  notFinite: number
}

/** The number of values of each type. */
interface Seen extends Record<ColumnType | 'nested' | 'list' | 'notFinite' | 'largest', number> {
  /** The items of all lists. */
  items?: Seen
}

function nothingSeen(): Seen {
  return { boolean: 0, integer: 0, double: 0, string: 0, nested: 0, list: 0, notFinite: 0, largest: 0 }
}

/**
 * Finds a common type for the values of each attribute, for formats that declare types. Counts values that must be converted to
 * text.
 */
export class Columns {
  readonly #seen = new Map<string, Seen>()

  add(attributes: Attributes) {
    for (const [name, value] of attributes) {
      let seen = this.#seen.get(name)
      if (!seen) {
        seen = nothingSeen()
        this.#seen.set(name, seen)
      }
      see(seen, value)
    }
  }

  /**
   * Returns the types by name, in order of first occurrence. `hasLists` returns whether the format supports lists of a type.
   */
  types(losses: Losses, hasLists: (type: ColumnType) => boolean = () => false): Map<string, Column> {
    const columns = new Map<string, Column>()
    for (const [name, seen] of this.#seen) {
      const { boolean, integer, double, string, nested, list, items, largest, notFinite } = seen
      const ofItems =
        items && string + boolean + integer + double + nested === 0 ? commonType({ ...items, notFinite: 0 }) : undefined
      const isList = ofItems !== undefined && hasLists(ofItems)
      const type = isList ? ofItems : (list + nested === 0 && commonType(seen)) || 'string'
      if (type === 'string') losses.add('type-widened', boolean + integer + double)
      losses.add('nested-metadata', nested)
      if (!isList) losses.add('list-as-text', list)
      const isNumber = type === 'double' && !isList
      columns.set(name, {
        type,
        isList,
        largest: isList ? (items as Seen).largest : largest,
        notFinite: isNumber ? notFinite : 0
      })
    }
    return columns
  }
}

function see(seen: Seen, value: unknown) {
  if (typeof value === 'string') {
    seen.string++
    if (isNotFinite(value)) seen.notFinite++
  } else if (typeof value === 'boolean') seen.boolean++
  else if (typeof value === 'number') {
    if (Number.isSafeInteger(value)) {
      seen.integer++
      seen.largest = Math.max(seen.largest, Math.abs(value))
    } else seen.double++
  } else if (Array.isArray(value) && value.every((item) => typeof item !== 'object')) {
    seen.list++
    seen.items ??= nothingSeen()
    for (const item of value) see(seen.items, item)
  } else seen.nested++
}

/**
 * Returns the type that all scalars share, or undefined if they differ. Among numbers, text for NaN or infinity counts as a
 * number.
 */
function commonType({ boolean, integer, double, string, notFinite }: Seen): ColumnType | undefined {
  const numbers = integer + double
  if (boolean + numbers === 0) return 'string'
  if (numbers + string === 0) return 'boolean'
  if (boolean > 0 || string > notFinite) return undefined
  return double + string > 0 ? 'double' : 'integer'
}

/**
 * Returns whether any two edges have the same endpoints, and the same direction if they are directed. networkx files specify
 * this before the edges.
 */
export function isMultigraph(edges: readonly Edge[], directed: boolean): boolean {
  const pairs = new Set<string>()
  for (const { source, target } of edges) {
    pairs.add(JSON.stringify(directed || source < target ? [source, target] : [target, source]))
  }
  return pairs.size < edges.length
}

/** Returns the value as text. Null and nested values become JSON. */
export function asText(value: unknown): string {
  return typeof value === 'string' ? value : toJson(value)
}
