import { parseColour } from '../../../picture/model/colours.ts'
import { mixed } from '../../../picture/model/mixing.ts'
import type { Kind } from '../../../picture/model/styles.ts'
import { isRecord } from '../../content/json.ts'
import type { GraphBuilder } from '../shared/graph-builder.ts'
import { cxId } from '../shared/json-file.ts'
import type { Losses } from '../shared/losses.ts'
import { drawnAttributes } from '../shared/styles.ts'

/** The visual properties that become attributes. All others are dropped. */
export const PROPERTIES: Record<Kind, Record<string, string>> = {
  node: {
    NODE_BACKGROUND_COLOR: 'color',
    NODE_BACKGROUND_OPACITY: 'alpha',
    NODE_WIDTH: 'size',
    NODE_HEIGHT: 'height',
    NODE_SHAPE: 'shape',
    NODE_LABEL: 'label'
  },
  edge: {
    EDGE_LINE_COLOR: 'color',
    EDGE_OPACITY: 'alpha',
    EDGE_WIDTH: 'thickness',
    EDGE_LINE_STYLE: 'shape',
    EDGE_LABEL: 'label'
  }
}

/** The length of the longest name of a shape, in characters. */
const LONGEST_NAME = 40

type Value = string | number
/** Returns the value of a property for an element with these attributes. */
type Mapping = (attributes: ReadonlyMap<string, unknown>) => Value | undefined
type Item = Record<string, unknown>

/** Properties that this program derives from the direction and colour of edges when it writes a file. */
const DERIVED = ['EDGE_TARGET_ARROW_SHAPE', 'nodeSizeLocked', 'arrowColorMatchesEdge']

/** Returns the styles of the nodes and edges in a file, and counts the properties that are dropped. */
export function stylesOf(aspects: ReadonlyMap<string, { item: Item }[]>, losses: Losses): Record<Kind, Styles> {
  const itemsOf = (name: string) => (aspects.get(name) ?? []).map(({ item }) => item)
  const properties = itemsOf('visualProperties')
  const dropped = new Set<string>()
  const styles = {
    node: new Styles('node', properties, itemsOf('nodeBypasses'), dropped),
    edge: new Styles('edge', properties, itemsOf('edgeBypasses'), dropped)
  }
  const others = properties.map(({ default: defaults }) => (isRecord(defaults) ? defaults.network : undefined))
  for (const properties of [...others, ...itemsOf('visualEditorProperties').map((item) => item.properties)]) {
    if (isRecord(properties)) for (const name in properties) dropped.add(name)
  }
  for (const name of DERIVED) dropped.delete(name)
  losses.add('visual-dropped', dropped.size)
  return styles
}

/**
 * The visual properties of the nodes or edges in a file: defaults, mappings from attributes, and bypasses for individual
 * elements.
 */
class Styles {
  readonly #kind: Kind
  readonly #defaults = new Map<string, Value>()
  readonly #mappings = new Map<string, Mapping>()
  readonly #bypasses = new Map<unknown, Map<string, Value>>()
  /** The names of dropped properties. */
  readonly #dropped: Set<string>

  constructor(kind: Kind, properties: Item[], bypasses: Item[], dropped: Set<string>) {
    this.#kind = kind
    this.#dropped = dropped
    for (const { default: defaults, [`${kind}Mapping`]: mappings } of properties) {
      for (const [name, value] of this.#valuesIn(isRecord(defaults) ? defaults[kind] : undefined)) {
        this.#defaults.set(name, value)
      }
      for (const [name, mapping] of this.#knownIn(mappings)) this.#addMapping(name, mapping)
    }
    for (const { id, v } of bypasses) this.#bypasses.set(cxId(id), new Map(this.#valuesIn(v)))
  }

  /** Adds the style of an element to its attributes. */
  addTo(attributes: [string, unknown][], id: unknown, at: string, into: GraphBuilder) {
    if (this.#defaults.size + this.#mappings.size + this.#bypasses.size === 0) return
    const own = new Map(attributes)
    for (const [name, value] of drawnAttributes(this.#kind, this.#valuesOf(id, own), own)) {
      into.repeat(typeof value === 'string' ? value.length : 1, at)
      attributes.push([name, value])
    }
  }

  /** Yields the values of an element by attribute: its bypasses, or else mapped values, or else defaults. */
  *#valuesOf(id: unknown, attributes: ReadonlyMap<string, unknown>): Generator<[string, Value]> {
    const bypasses = this.#bypasses.get(id)
    let width: Value | undefined
    for (const property in PROPERTIES[this.#kind]) {
      const value =
        bypasses?.get(property) ?? this.#mappings.get(property)?.(attributes) ?? this.#defaults.get(property)
      if (value === undefined) continue
      const name = PROPERTIES[this.#kind][property] as string
      if (name === 'label') {
        if (!attributes.has('name') && value !== '') yield ['name', value]
        continue
      }
      if (name === 'size') width = value
      if (name === 'height' && width === undefined) yield ['size', value]
      else if (!(name === 'height' && value === width) && !isUsual(name, value)) yield [name, value]
    }
  }

  *#knownIn(properties: unknown): Generator<[string, unknown]> {
    if (!isRecord(properties)) return
    for (const name in properties) {
      if (Object.hasOwn(PROPERTIES[this.#kind], name)) yield [name, properties[name]]
      else this.#dropped.add(name)
    }
  }

  *#valuesIn(properties: unknown): Generator<[string, Value]> {
    for (const [name, found] of this.#knownIn(properties)) {
      const value = this.#parse(name, found)
      if (value !== undefined) yield [name, value]
    }
  }

  /** Returns the value of a property, or undefined if it is not valid. */
  #parse(property: string, value: unknown): Value | undefined {
    const name = PROPERTIES[this.#kind][property]
    const parsed = parse(name as string, value)
    if (parsed === undefined) this.#dropped.add(property)
    return parsed
  }

  #addMapping(property: string, mapping: unknown) {
    const { type, definition } = isRecord(mapping) ? mapping : {}
    const { attribute, map } = isRecord(definition) ? definition : {}
    const entries = Array.isArray(map) ? map.filter(isRecord) : []
    const parseValue = (value: unknown) => (value === undefined ? undefined : this.#parse(property, value))
    if (typeof attribute !== 'string') this.#dropped.add(property)
    else if (type === 'PASSTHROUGH') {
      const name = PROPERTIES[this.#kind][property] as string
      this.#mappings.set(property, (attributes) => parse(name, attributes.get(attribute)))
    } else if (type === 'DISCRETE') {
      const values = new Map(entries.map(({ v, vp }) => [String(v), parseValue(vp)]))
      this.#mappings.set(property, (attributes) =>
        attributes.has(attribute) ? values.get(String(attributes.get(attribute))) : undefined
      )
    } else if (type === 'CONTINUOUS') {
      const ranges = entries.map((entry) => rangeOf(entry, parseValue)).sort((a, b) => a.min - b.min)
      this.#mappings.set(property, (attributes) => valueIn(ranges, attributes.get(attribute)))
    } else this.#dropped.add(property)
  }
}

function parse(name: string, value: unknown): Value | undefined {
  if (name === 'color') return parseColour(value)?.hex
  if (name === 'label') return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined
  if (name === 'shape') {
    if (typeof value !== 'string' || value === '' || value.length > LONGEST_NAME) return undefined
    return value.toLowerCase().replaceAll('_', '-')
  }
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && number >= 0 && Number.isFinite(number) ? number : undefined
}

/** Returns whether an element without this value looks the same. */
function isUsual(name: string, value: Value) {
  return (name === 'alpha' && value === 1) || (name === 'shape' && value === 'solid')
}

/** A range of a continuous mapping, and the values at its ends. The lowest and highest ranges have only one value each. */
interface Range {
  min: number
  max: number
  hasMin: boolean
  hasMax: boolean
  from: Value | undefined
  to: Value | undefined
}

function rangeOf(entry: Item, parseValue: (value: unknown) => Value | undefined): Range {
  const { min, max, includeMin, includeMax, minVPValue, maxVPValue } = entry
  const [from, to] = [parseValue(minVPValue), parseValue(maxVPValue)]
  return {
    min: typeof min === 'number' ? min : Number.NEGATIVE_INFINITY,
    max: typeof max === 'number' ? max : Number.POSITIVE_INFINITY,
    hasMin: includeMin === true,
    hasMax: includeMax === true,
    from: from ?? to,
    to: to ?? from
  }
}

/** Returns the value for a number, interpolated between the values at the ends of its range. */
function valueIn(ranges: Range[], number: unknown): Value | undefined {
  if (typeof number !== 'number') return undefined
  let [low, high] = [0, ranges.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((ranges[middle] as Range).min <= number) low = middle + 1
    else high = middle
  }
  // The number may equal the exclusive lower bound of a range, and thus belong to an earlier range.
  for (const range of [ranges[low - 1], ranges[low - 2], ranges[low - 3]]) {
    if (!range || (number === range.min && !range.hasMin) || number > range.max) continue
    if (number === range.max && !range.hasMax) continue
    return between(range, number)
  }
  return undefined
}

function between({ min, max, from, to }: Range, number: number): Value | undefined {
  const place = max > min && max - min < Number.POSITIVE_INFINITY ? (number - min) / (max - min) : 0
  if (typeof from === 'number' && typeof to === 'number') return Math.round((from + (to - from) * place) * 1000) / 1000
  if (typeof from === 'string' && typeof to === 'string' && from.startsWith('#') && to.startsWith('#')) {
    return mixed(from, to, place)
  }
  return from
}
