import { isRecord, parseJson, toJson } from '../../content/json.ts'
import { type GraphBuilder, Unreadable } from './graph-builder.ts'
import { decodeText, markOf } from './text.ts'

/** The maximum number of members of an object. A file may contain an object with one member per node. */
const MEMBERS = 2_000_000

/** The maximum nesting depth. The provenance in CX nests four levels deeper with each change. */
const DEPTH = 1000

/** The names of members that contain ids in any of the formats. */
const IDS = /^(?:@?id|key|source|target|from|to|s|t|po|node|parent)$/

/**
 * Parses the JSON of the file, in the encoding given by its byte order mark or its sender. Omits Python's NaN and Infinity, and
 * keeps integers that would be rounded as text. `edit` may first convert the text to JSON. Throws the same errors as parseJson.
 */
export function parseFile(bytes: Buffer, into: GraphBuilder, edit?: (text: string) => string): unknown {
  const decoded = decodeText(bytes, into, { isOld: false })
  const text = edit?.(decoded) ?? decoded
  into.text = text
  const isUtf8 = /^utf-?8$/i.test(markOf(bytes) ?? into.charset ?? 'utf-8')
  const convert = (literal: string, name: string | number) => {
    const isNumber = /^-?\d/.test(literal)
    into.losses.add(!isNumber ? 'null-dropped' : IDS.test(String(name)) ? 'id-as-text' : 'number-as-text')
    return isNumber ? literal : undefined
  }
  return parseJson(isUtf8 && text === decoded ? bytes : Buffer.from(text), { members: MEMBERS, depth: DEPTH, convert })
}

/** Matches the end of an object and the line breaks before the next one. Strings in JSON contain no line breaks. */
const BETWEEN = /\}([^\S\r\n]*[\r\n]\s*)(?=\{)/g

/** Returns whether the text is JSON Lines with at least two objects. */
export function isLines(text: string) {
  return /^\s*\{/.test(text) && text.search(BETWEEN) >= 0
}

/** Returns JSON Lines as an array on the same lines. An object may span several lines. Returns other text unchanged. */
export function linesAsArray(text: string) {
  return isLines(text) ? `[${text.replaceAll(BETWEEN, '},$1')}]` : text
}

/** Throws if a list of nodes or edges exceeds its limit, before the list is processed. */
export function expectFew(list: unknown, what: 'nodes' | 'edges', pointer: string, into: GraphBuilder) {
  const most = what === 'nodes' ? into.limits.maxNodes : into.limits.maxEdges
  if (!Array.isArray(list) || list.length <= most) return
  throw new Unreadable(`${pointer}/${most}`, `too-many-${what}`, `has more than ${most} ${what}`)
}

/** Returns an id as text, or undefined. Counts ids of other types, which are converted to text. */
export function idOf(value: unknown, into: GraphBuilder): string | undefined {
  if (typeof value === 'string') return value
  if (typeof value !== 'number' && typeof value !== 'boolean' && !Array.isArray(value)) return undefined
  into.losses.add('id-as-text')
  return Array.isArray(value) ? JSON.stringify(value) : String(value)
}

/** Returns an id in CX as an integer if it is one. Some programs write integers as text. */
export function cxId(id: unknown) {
  return typeof id === 'string' && /^(?:0|-?[1-9]\d{0,14})$/.test(id) ? Number(id) : id
}

/** Returns whether the value may be an id in CX. */
export function isCxId(value: unknown) {
  return Number.isSafeInteger(value) || (typeof value === 'string' && value !== '')
}

/** Yields the objects of a list with their indexes. Reports other items as faults. */
export function* records(
  list: unknown,
  pointer: string,
  into: GraphBuilder
): Generator<[index: number, record: Record<string, unknown>]> {
  if (list === undefined) return
  if (!Array.isArray(list)) {
    into.refuse(pointer, 'wrong-type', 'must be an array')
    return
  }
  for (const [index, item] of list.entries()) {
    if (isRecord(item)) yield [index, item]
    else into.fault(`${pointer}/${index}`, 'wrong-type', 'must be an object')
  }
}

/** Yields the items as a JSON array, one item per line. */
export function* jsonArray<T>(items: Iterable<T>, itemOf: (item: T, index: number) => object): Generator<string> {
  let separator = '[\n'
  let index = 0
  for (const item of items) {
    yield separator + toJson(itemOf(item, index++))
    separator = ',\n'
  }
  yield separator === '[\n' ? '[]' : '\n]'
}

/** Returns the top-level member names in JSON text: the members of the object, or of each object in the array. */
export function topNames(text: string): { isArray: boolean; names: Set<string> } {
  const names = new Set<string>()
  const isArray = text.startsWith('[')
  const depthOfNames = isArray ? 2 : 1
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const char = text[at]
    if (char === '"') {
      const start = at
      while (++at < text.length && text[at] !== '"') if (text[at] === '\\') at++
      if (depth === depthOfNames && /^\s*:/.test(text.slice(at + 1, at + 20))) names.add(text.slice(start + 1, at))
    } else if (char === '{' || char === '[') depth++
    else if (char === '}' || char === ']') depth--
  }
  return { isArray, names }
}
