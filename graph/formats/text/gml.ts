import { isRecord } from '../../content/json.ts'
import { put } from '../shared/attributes.ts'
import type { Format } from '../shared/format.ts'
import { type GraphBuilder, severalGraphs, Unreadable } from '../shared/graph-builder.ts'
import { ORIGINAL_IDS } from '../shared/ids.ts'
import { decodeText } from '../shared/text.ts'
import { edges, graph, ID, LIST_START, nameOfKey, nodes, placedNodes } from './gml-keys.ts'
import { type Entry, parse, type Value, withMarkedQuotes } from './gml-parser.ts'
import { writeGml } from './gml-writer.ts'

/** GML, the Graph Modelling Language by M. Himsolt, including the conventions of networkx and igraph. */
export const gml: Format = {
  name: 'gml',
  title: 'GML',
  mediaType: 'text/x-gml',
  endings: ['.gml'],
  recognises: (text) =>
    /^(?:\s|#[^\n\r]*[\n\r]|(?:[A-Za-z]\w*)\s+(?:"[^"]*"|[-+.\w]+)\s)*graph\s*\[/.test(text.slice(0, 100_000)),
  read,
  write: writeGml
}

function read(bytes: Buffer, into: GraphBuilder) {
  const text = withMarkedQuotes(decodeText(bytes, into, { isOld: true }), into)
  const context: Context = { ids: new Map(), pending: [], into }
  const root = parse(text, into, (entry, graph) => readElement(entry, graph, context))
  const [graph, another] = root.filter(([key, value]) => key === 'graph' && typeof value === 'object')
  if (!graph) throw new Unreadable(0, 'required', 'has no graph [ … ]: this is not GML')
  if (another) throw severalGraphs(another[2])
  // Adds the edges that came before their nodes.
  for (const [, value, at] of context.pending.splice(0)) readEdge(value, at, context, true)
  const version = root.find(([key]) => key === 'Version' || key === 'version')?.[1]
  if (typeof version === 'number' || typeof version === 'string') into.version = String(version)
  for (const [key] of root) if (!ROOT_KEYS.has(key.toLowerCase())) into.losses.add('aspects-dropped')
  const creator = root.find(([key]) => key.toLowerCase() === 'creator')?.[1]
  into.growsDown = typeof creator === 'string' && /\b(?:yFiles|yEd|Cytoscape)\b/i.test(creator)
  const attributes = attributesOf(graph[1] as Entry[])
  // OGDF writes this key before the graph.
  const directed = root.find(([key]) => key === 'directed')?.[1]
  if (directed !== undefined && !attributes.has('directed')) attributes.set('directed', directed)
  describeGraph(attributes, graph[2], into)
}

/** Keys outside the graph that do not describe it, or are read separately. */
const ROOT_KEYS = new Set(['graph', 'version', 'creator', 'comment', 'directed'])

/** The state while reading a graph. */
interface Context {
  /** Maps the ids in the file to the ids of nodes; `1` and `"1"` are the same id. */
  ids: Map<string, string>
  /** Whether the file declares that its integer ids replace original ids. Set when the first node or edge is read. */
  hasOriginalIds?: boolean
  /** The first edge that comes before its nodes, and all edges after it. */
  pending: Entry[]
  into: GraphBuilder
}

/** Reads a node or edge as soon as it is complete. Collecting the entries would take more memory than the graph itself. */
function readElement([key, value, at]: Entry, graph: Entry[], context: Context) {
  context.hasOriginalIds ??= graph.some(([name, item]) => name === ORIGINAL_IDS && item === 1)
  if (key === 'node') readNode(value, at, context)
  else readEdge(value, at, context, false)
}

function describeGraph(attributes: Map<string, unknown>, at: number, into: GraphBuilder) {
  const directed = attributes.get('directed') ?? 0
  const isDirected = directed === 1 || directed === 'true'
  if (!isDirected && directed !== 0 && directed !== 'false') into.refuse(at, 'not-allowed', 'directed must be 0 or 1')
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
  if (Array.isArray(id)) return into.fault(at, 'repeated', 'a node has more than one id')
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
    if (Array.isArray(id)) return into.fault(at, 'repeated', `an edge has more than one ${end}`)
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

/** Converts lists to objects, and the values of repeated keys to arrays. */
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
