import type { Edge, Node } from '../../schemas/graph-content.ts'
import { isRecord } from '../json.ts'
import { edgeAttributes, graphAttributes, isMultigraph, nodeAttributes, put, type Vocabulary } from './attributes.ts'
import { decodeEntities, LATIN_ENTITIES } from './entities.ts'
import type { Format, GraphToWrite } from './format.ts'
import { GraphBuilder, severalGraphs, Unreadable } from './graph-builder.ts'
import { areIntegers, ORIGINAL_IDS } from './ids.ts'
import type { Losses } from './losses.ts'
import { afterAll, decodeText } from './text.ts'

/** GML, the Graph Modelling Language of M. Himsolt, with the habits of networkx and igraph. */
export const gml: Format = {
  name: 'gml',
  title: 'GML',
  mediaType: 'text/x-gml',
  endings: ['.gml'],
  recognises: (text) =>
    /^(?:\s|#[^\n\r]*[\n\r]|(?:[A-Za-z]\w*)\s+(?:"[^"]*"|[-+.\w]+)\s)*graph\s*\[/.test(text.slice(0, 100_000)),
  read,
  write
}

/** The maximum nesting of lists. */
const MAX_DEPTH = 32

/** networkx marks a list of one item with this key. */
const LIST_START = '_networkx_list_start'

const ID = 'graphsteadId'
const vocabulary = (taken: string[]): Vocabulary => ({
  taken: new Set(taken),
  nameFor: (name, isTaken) => keyFor(name, isTaken),
  nameOf: nameOfKey
})
const nodes = vocabulary(['id', 'graphics', ID.toLowerCase()])
const placedNodes: Vocabulary = { ...nodes, position: false }
const edges = vocabulary(['id', 'source', 'target', ID.toLowerCase()])
const graph = vocabulary(['name', 'type', 'directed', 'node', 'edge', 'multigraph', ORIGINAL_IDS.toLowerCase()])

/** A value, and the offset of its key. */
type Entry = [key: string, value: Value, at: number]
type Value = string | number | Entry[]

/** Text between tokens: white space and comments. */
const SPACE = /[\s\uFEFF]+|#[^\n\r]*/y

const TOKEN =
  /(?:([A-Za-z_][\w.:-]*)|([+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?(?![\w.])|[+-](?:[iI][nN][fF]|[nN][aA][nN])\b)|"([^"]*)"|([[\]])|$)/y

function read(bytes: Buffer, into: GraphBuilder) {
  const text = withMarkedQuotes(decodeText(bytes, into, { isOld: true }), into)
  const context: Context = { ids: new Map(), pending: [], into }
  const root = parse(text, into, (entry, graph) => readElement(entry, graph, context))
  const [graph, another] = root.filter(([key, value]) => key === 'graph' && typeof value === 'object')
  if (!graph) throw new Unreadable(0, 'required', 'has no graph [ … ]: this is not GML')
  if (another) throw severalGraphs(another[2])
  // Edges that precede their nodes.
  for (const [, value, at] of context.pending.splice(0)) readEdge(value, at, context, true)
  const version = root.find(([key]) => key === 'Version' || key === 'version')?.[1]
  if (typeof version === 'number' || typeof version === 'string') into.version = String(version)
  for (const [key] of root) if (!ROOT_KEYS.has(key.toLowerCase())) into.losses.add('aspects-dropped')
  const attributes = attributesOf(graph[1] as Entry[])
  // OGDF writes this key in front of the graph.
  const directed = root.find(([key]) => key === 'directed')?.[1]
  if (directed !== undefined && !attributes.has('directed')) attributes.set('directed', directed)
  describeGraph(attributes, graph[2], into)
}

/** Keys outside of the graph that say nothing about it, or have been read. */
const ROOT_KEYS = new Set(['graph', 'version', 'creator', 'comment', 'directed'])

/** Two characters of no meaning that stand for an escaped quote or backslash; offsets stay the same. */
const MARKED_QUOTE = '\uFDD0\uFDD1'
const MARKED_BACKSLASH = '\uFDD0\uFDD2'

/**
 * Marks quotes after backslashes as part of their texts, if the file makes sense in this way only. GML has entities
 * instead, but OGDF and others write backslashes.
 */
function withMarkedQuotes(text: string, into: GraphBuilder): string {
  if (!text.includes('\\"') || isReadable(text, into)) return text
  const marked = text.replace(/\\(["\\])/g, (_, char) => (char === '"' ? MARKED_QUOTE : MARKED_BACKSLASH))
  if (!isReadable(marked, into)) return text
  into.losses.add('quotes-unescaped')
  return marked
}

function isReadable(text: string, { limits }: GraphBuilder) {
  try {
    parse(text, new GraphBuilder(limits), () => {})
    return true
  } catch (error) {
    if (error instanceof Unreadable) return false
    throw error
  }
}

/** Decodes the text within quotes. */
function textOf(quoted: string) {
  const text = decodeEntities(quoted, LATIN_ENTITIES)
  return text.includes('\uFDD0') ? text.replaceAll(MARKED_QUOTE, '"').replaceAll(MARKED_BACKSLASH, '\\') : text
}

/** The state of reading a graph. */
interface Context {
  /** The ids of the nodes, by their ids in the file; `1` and `"1"` are the same. */
  ids: Map<string, string>
  /** Whether the file says that its integers replace original ids; known from the first node on. */
  hasOriginalIds?: boolean
  /** Edges that precede their nodes, and all edges after them. */
  pending: Entry[]
  into: GraphBuilder
}

/** Reads a node or edge as soon as it is complete: kept entries would take more memory than the graph. */
function readElement([key, value, at]: Entry, graph: Entry[], context: Context) {
  context.hasOriginalIds ??= graph.some(([name, item]) => name === ORIGINAL_IDS && item === 1)
  if (key === 'node') readNode(value, at, context)
  else readEdge(value, at, context, false)
}

function describeGraph(attributes: Map<string, unknown>, at: number, into: GraphBuilder) {
  const directed = attributes.get('directed') ?? 0
  const isDirected = directed === 1 || directed === 'true'
  if (!isDirected && directed !== 0 && directed !== 'false') into.fault(at, 'not-allowed', 'directed must be 0 or 1')
  into.directed = isDirected
  for (const key of ['directed', 'multigraph', ORIGINAL_IDS]) attributes.delete(key)
  for (const [key, value] of attributes) {
    if (key === 'name' && typeof value === 'string' && value.trim() !== '') into.name = value
    else if (key === 'type' && typeof value === 'string' && value !== '') into.type = value
    else into.describe([[key, value]], graph)
  }
}

function readNode(value: Value, at: number, { ids, hasOriginalIds, into }: Context) {
  if (typeof value !== 'object') return into.fault(at, 'wrong-type', 'a node must be a list in brackets')
  const attributes = attributesOf(value)
  const id = taken(attributes, 'id')
  if (Array.isArray(id)) return into.fault(at, 'repeated', 'a node has several ids')
  if (id === undefined || typeof id === 'object') return into.fault(at, 'required', 'a node has no id')
  if (ids.has(String(id))) return into.fault(at, 'duplicate-id', `node ${id} has the id of an earlier node`)
  let original = String(id)
  if (hasOriginalIds) {
    const key = attributes.has(ID) ? ID : 'label'
    const named = attributes.get(key)
    if (typeof named === 'string') {
      original = named
      attributes.delete(key)
    }
  }
  ids.set(String(id), original)
  const node = into.addNode(original, at)
  const graphics = attributes.get('graphics')
  if (isRecord(graphics)) {
    for (const axis of ['x', 'y', 'z'] as const) {
      if (typeof graphics[axis] !== 'number') continue
      node[axis] = graphics[axis]
      delete graphics[axis]
    }
    if (Object.keys(graphics).length === 0) attributes.delete('graphics')
  }
  const isPlaced = node.x !== undefined || node.y !== undefined
  into.describeNode(node, attributes, isPlaced ? placedNodes : nodes)
}

function readEdge(value: Value, at: number, { ids, hasOriginalIds, pending, into }: Context, isLast: boolean) {
  if (typeof value !== 'object') return into.fault(at, 'wrong-type', 'an edge must be a list in brackets')
  const attributes = attributesOf(value)
  const ends: string[] = []
  for (const end of ['source', 'target']) {
    const id = taken(attributes, end)
    if (Array.isArray(id)) return into.fault(at, 'repeated', `an edge has several ${end}s`)
    if (id === undefined || typeof id === 'object') return into.fault(at, 'required', `an edge has no ${end}`)
    const known = ids.get(String(id))
    if (!isLast && (known === undefined || pending.length > 0)) {
      into.expectEdges(pending.length + 1, at)
      return pending.push(['edge', value, at])
    }
    if (known === undefined) return into.fault(at, 'unknown-node', `${end} ${id} is not the id of a node`)
    ends.push(known)
  }
  const edge = into.addEdge(ends[0] as string, ends[1] as string, at)
  const id = taken(attributes, 'id')
  const original = hasOriginalIds ? taken(attributes, ID) : undefined
  if (typeof original === 'string') edge.id = original
  else if (typeof id === 'number' || typeof id === 'string') edge.id = String(id)
  into.describeEdge(edge, attributes, edges)
}

function taken(attributes: Map<string, unknown>, key: string): unknown {
  const value = attributes.get(key)
  attributes.delete(key)
  return value
}

/** Lists become objects, and repeated keys become arrays. */
function attributesOf(entries: Entry[]): Map<string, unknown> {
  const values = new Map<string, unknown>()
  let repeated: Map<string, unknown[]> | undefined
  for (const [key, value] of entries) {
    const item = typeof value === 'object' ? objectOf(value) : value
    const earlier = values.get(key)
    if (earlier === undefined) {
      values.set(key, item)
      continue
    }
    repeated ??= new Map()
    const list = repeated.get(key)
    if (list) list.push(item)
    else repeated.set(key, [earlier, item])
  }
  for (const [key, list] of repeated ?? []) values.set(key, list[0] === LIST_START ? list.slice(1) : list)
  return values
}

function objectOf(entries: Entry[]): Record<string, unknown> {
  const record: Record<string, unknown> = {}
  for (const [key, value] of attributesOf(entries)) put(record, nameOfKey(key), value)
  return record
}

/** Returns the entries of the file, except nodes and edges of its graphs, which go to `giveAway` one by one. */
function parse(text: string, into: GraphBuilder, giveAway: (element: Entry, graph: Entry[]) => void): Entry[] {
  const token = new RegExp(TOKEN)
  const root: Entry = ['', [], 0]
  const open: Entry[] = [root]
  let key: string | undefined
  let keyAt = 0
  const add = (entry: Entry) => {
    const [name, list] = open.at(-1) as [string, Entry[], number]
    const isElement = open.length === 2 && name === 'graph' && (entry[0] === 'node' || entry[0] === 'edge')
    if (isElement) giveAway(entry, list)
    else list.push(entry)
  }
  for (;;) {
    const start = afterAll(text, SPACE, token.lastIndex)
    token.lastIndex = start
    const match = token.exec(text)
    if (!match) throw notGml(start, noToken(text, start))
    const [all, name, number, string, bracket] = match
    const length = string === undefined ? (name ?? number ?? bracket ?? '').length : string.length + 2
    const at = match.index + all.length - length
    if (name !== undefined && key === undefined) {
      key = name
      keyAt = at
    } else if (bracket === ']' && key === undefined && open.length > 1) {
      add(open.pop() as Entry)
    } else if (key !== undefined && bracket === '[') {
      if (open.length > MAX_DEPTH) throw new Unreadable(at, 'too-deep', `nests deeper than ${MAX_DEPTH} levels`)
      open.push([key, [], keyAt])
      key = undefined
    } else if (key !== undefined && string !== undefined) {
      add([key, textOf(string), keyAt])
      key = undefined
    } else if (key !== undefined && (number !== undefined || /^(?:NAN|INF)$/i.test(name ?? ''))) {
      add([key, numberIn(number ?? name ?? '', into), keyAt])
      key = undefined
    } else if (key !== undefined && name !== undefined) {
      into.losses.add('text-unquoted')
      add([key, name, keyAt])
      key = undefined
    } else {
      const isEnd = name === undefined && number === undefined && string === undefined && bracket === undefined
      if (isEnd && key === undefined && open.length === 1) return root[1] as Entry[]
      const [list = ''] = open.at(-1) ?? []
      let reason = `${excerpt(all.slice(-length))} stands where a key should be`
      if (key !== undefined) reason = `the key ${excerpt(key)} has no value`
      else if (isEnd) reason = `the list of ${excerpt(list)} is not closed`
      else if (bracket === ']') reason = 'this bracket closes no list'
      else if (bracket === '[') reason = 'a list needs a key in front of it'
      if (isEnd) throw new Unreadable(at, 'malformed-gml', `is an unexpected end of the file: ${reason}`)
      throw notGml(at, reason)
    }
  }
}

function notGml(at: number, reason: string) {
  return new Unreadable(at, 'malformed-gml', `is not GML from here on: ${reason}`)
}

/** Tells why no token begins there. */
function noToken(text: string, at: number) {
  if (text[at] === '"') return 'the quote is not closed'
  const word = /[^\s"[\]]{1,40}/y
  word.lastIndex = at
  return `${excerpt(word.exec(text)?.[0] ?? text.slice(at, at + 1))} is no key, number, text in quotes or bracket`
}

function excerpt(text: string) {
  return JSON.stringify(text.length > 40 ? `${text.slice(0, 39)}…` : text)
}

/** Reads a number. Numbers that JSON does not have, and integers that would be rounded, stay text. */
function numberIn(text: string, into: GraphBuilder): number | string {
  const number = Number(text)
  if (Number.isSafeInteger(number) || (Number.isFinite(number) && !/^[+-]?\d+$/.test(text))) return number
  into.losses.add('number-as-text')
  return text
}

/** Quotes in ASCII with entities for other characters, as the format says and networkx requires. */
function quoted(text: string) {
  if (!/[&"]|[^ -~]/.test(text)) return text
  return text.replace(/[&"]|[^ -~]/gu, (char) =>
    char === '&' ? '&amp;' : char === '"' ? '&quot;' : `&#${char.codePointAt(0)};`
  )
}

/**
 * Returns the GML key for a name. Keys have ASCII letters and digits; other characters are encoded as in ISO/IEC
 * 9075-14, `_x0020_` for a space. A key that would not begin with a letter gets an x in front; a reserved one has its
 * first letter encoded.
 */
function keyFor(name: string, isTaken: boolean) {
  const units = name.split('')
  const encoded = (index: number) => `_x${name.charCodeAt(index).toString(16).toUpperCase().padStart(4, '0')}_`
  const parts = units.map((unit, index) => {
    const isPlain = /[A-Za-z0-9]/.test(unit) || (unit === '_' && name !== EMPTY && !startsCode(name, index))
    return isPlain && !(index === 0 && (isTaken || /[0-9_]/.test(unit))) ? unit : encoded(index)
  })
  // Encodes an x that is part of the name, to distinguish it from the x in front.
  if (parts[0] === 'x' && parts[1]?.startsWith('_x')) parts[0] = encoded(0)
  const text = parts.join('')
  return /^[A-Za-z]/.test(text) ? text : text === '' ? EMPTY : `x${text}`
}

/** The key for the empty name. */
const EMPTY = 'x_x_'

/** Tells whether an underscore would begin a code once the characters behind it are encoded. */
function startsCode(name: string, index: number) {
  return /^_x[0-9A-F]{4}[^A-Za-z0-9]/.test(name.slice(index, index + 7))
}

function nameOfKey(key: string) {
  if (!key.includes('_x')) return key
  if (key === EMPTY) return ''
  return key
    .replace(/^x(?=_x[0-9A-F]{4}_)/, '')
    .replace(/_x([0-9A-F]{4})_/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
}

function write({ name, type, content }: GraphToWrite, losses: Losses) {
  const { directed = true } = content
  const isMixed = content.edges.some((edge) => edge.directed !== undefined && edge.directed !== directed)
  const isDirected = isMixed || (content.edges.length > 0 ? (content.edges[0]?.directed ?? directed) : directed)
  const multigraph = isMixed || isMultigraph(content.edges, isDirected)
  const isDoubled = (edge: Edge) => isMixed && !(edge.directed ?? directed)
  const hasIntegers = areIntegers(content.nodes.map(({ id }) => id))
  const idOf = new Map(content.nodes.map(({ id }, index) => [id, hasIntegers ? Number(id) : index]))
  if (!hasIntegers) losses.add('id-replaced', content.nodes.length)
  const edgeIdIsInteger = (id: string | undefined) => areIntegers([id])
  losses.add('id-replaced', content.edges.filter(({ id }) => id !== undefined && !edgeIdIsInteger(id)).length)
  losses.add('edge-per-direction', content.edges.filter(isDoubled).length)

  const ofGraph = [...graphAttributes(content, graph, losses)]
  for (const [, value] of ofGraph) countChanges(value, losses)
  for (const node of content.nodes) {
    const { graphics, rest } = withGraphics(node)
    countChanges(graphics, losses)
    for (const [, value] of nodeAttributes(rest, nodes, losses)) countChanges(value, losses)
  }
  for (const edge of content.edges)
    for (const [, value] of edgeAttributes(edge, edges, losses)) countChanges(value, losses)

  return (function* () {
    yield `Creator "Graphstead"\nVersion 1\ngraph [\n  directed ${isDirected ? 1 : 0}\n  ${ORIGINAL_IDS} 1\n`
    if (multigraph) yield '  multigraph 1\n'
    yield pair('name', name, '  ')
    if (type !== undefined) yield pair('type', type, '  ')
    for (const [key, value] of ofGraph) yield pair(key, value, '  ')
    for (const node of content.nodes) yield nodeText(node, idOf.get(node.id) as number)
    for (const edge of content.edges) {
      const ends = [idOf.get(edge.source), idOf.get(edge.target)] as [number, number]
      yield edgeText(edge, ends, edge.id)
      if (isDoubled(edge)) yield edgeText(edge, [ends[1], ends[0]], undefined)
    }
    yield ']\n'
  })()
}

/** Writes a node. A node without a label gets its id as label, since networkx needs one. */
function nodeText(node: Node, id: number) {
  const { graphics, rest } = withGraphics(node)
  let text = `  node [\n    id ${id}\n`
  if (node.label === undefined) text += pair('label', node.id, '    ')
  else text += pair(ID, node.id, '    ')
  text += pair('graphics', graphics, '    ')
  for (const [key, value] of nodeAttributes(rest, nodes)) text += pair(key, value, '    ')
  return `${text}  ]\n`
}

/** Returns the `graphics` of a node, with its position and the metadata of that name, and the rest of the node. */
function withGraphics(node: Node): { graphics?: Record<string, unknown>; rest: Node } {
  const { x, y, z, ...rest } = node
  const position = { ...(x !== undefined && { x }), ...(y !== undefined && { y }), ...(z !== undefined && { z }) }
  const isPlaced = Object.keys(position).length > 0
  const drawn = rest.metadata?.graphics
  const isPlain =
    isRecord(drawn) && isHeld(drawn) && Object.keys(drawn).length > 0 && !('x' in drawn || 'y' in drawn || 'z' in drawn)
  if (!isPlain) return isPlaced ? { graphics: position, rest } : { rest }
  const { graphics: _, ...metadata } = rest.metadata ?? {}
  return { graphics: { ...position, ...drawn }, rest: { ...rest, metadata } }
}

function edgeText(edge: Edge, [source, target]: [number, number], id: string | undefined) {
  let text = `  edge [\n    source ${source}\n    target ${target}\n`
  if (id !== undefined) text += areIntegers([id]) ? `    id ${id}\n` : pair(ID, id, '    ')
  for (const [key, value] of edgeAttributes(edge, edges)) text += pair(key, value, '    ')
  return `${text}  ]\n`
}

/** Writes a key with its value; for a list, once per item. */
function pair(key: string, value: unknown, indent: string): string {
  if (value === undefined) return ''
  if (typeof value === 'string') return `${indent}${key} "${quoted(value)}"\n`
  if (typeof value === 'number') return `${indent}${key} ${numberText(value)}\n`
  if (typeof value === 'boolean') return `${indent}${key} ${value ? 1 : 0}\n`
  if (isRecord(value) && isHeld(value)) {
    const inside = Object.entries(value).map(([name, item]) => pair(keyFor(name, false), item, `${indent}  `))
    return `${indent}${key} [\n${inside.join('')}${indent}]\n`
  }
  if (Array.isArray(value) && isHeld(value)) {
    const start = value.length === 1 ? `${indent}${key} "${LIST_START}"\n` : ''
    return start + value.map((item) => pair(key, item, indent)).join('')
  }
  return `${indent}${key} "${quoted(JSON.stringify(value))}"\n`
}

/** Integers have 32 bits; larger numbers get a point. */
function numberText(value: number) {
  if (Number.isInteger(value) && Math.abs(value) <= 0x7fffffff) return String(value)
  const text = String(value)
  if (text.includes('.')) return text
  return text.includes('e') ? text.replace('e', '.0e') : `${text}.0`
}

/** Tells whether the format can hold the value: not null, no empty list, no list in a list. */
function isHeld(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0 && value.every((item) => !Array.isArray(item) && isHeld(item))
  if (isRecord(value)) return Object.values(value).every(isHeld)
  return value !== null
}

function countChanges(value: unknown, losses: Losses) {
  if (typeof value === 'boolean') losses.add('type-changed')
  else if (typeof value !== 'object') return
  else if (!isHeld(value)) losses.add('nested-metadata')
  else for (const item of Object.values(value as object)) countChanges(item, losses)
}
