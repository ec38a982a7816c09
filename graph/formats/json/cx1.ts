import type { Edge, Node } from '../../../schemas/graph-content.ts'
import { isRecord } from '../../content/json.ts'
import type { Vocabulary } from '../shared/attributes.ts'
import type { Format } from '../shared/format.ts'
import { type GraphBuilder, quote, severalGraphs, Unreadable } from '../shared/graph-builder.ts'
import { cxId, expectFew, isCxId, parseFile, topNames } from '../shared/json-file.ts'
import { declaredValue } from '../shared/xml.ts'

/**
 * CX version 1, the former exchange format of Cytoscape 3 and NDEx.
 * https://cytoscape.org/cx/specification/cytoscape-exchange-format-specification-(version-1)/
 */
export const cx1: Format = {
  name: 'cx',
  title: 'CX (version 1)',
  mediaType: 'application/vnd.cx+json',
  endings: ['.cx', '.json'],
  growsDown: true,
  recognises: (text) => {
    if (!text.startsWith('[')) return false
    const { names } = topNames(text)
    if (names.has('CXVersion')) return false
    return ASPECTS.some((name) => names.has(name)) || (names.has('nodes') && names.has('status'))
  },
  read
}

/** Aspects that occur in no other JSON format. */
const ASPECTS = ['numberVerification', 'metaData', 'nodeAttributes', 'networkAttributes', 'cartesianLayout']

/** Aspects of the drawing, followed by aspects of the file itself. */
const VISUAL = ['cyVisualProperties', 'visualProperties']
const FRAME = [
  'numberVerification',
  'metaData',
  'status',
  'ndexStatus',
  'cyTableColumn',
  'cyViews',
  'cyNetworkRelations',
  'cySubNetworks'
]
const GRAPH = ['nodes', 'edges', 'nodeAttributes', 'edgeAttributes', 'networkAttributes', 'cartesianLayout']

const nodeVocabulary: Vocabulary = { label: null, position: false }
const edgeVocabulary: Vocabulary = { label: 'name', relation: 'interaction', directed: true }

interface Item {
  item: Record<string, unknown>
  /** The position in the file, as a JSON pointer. */
  at: string
}

function read(bytes: Buffer, into: GraphBuilder) {
  const file = parseFile(bytes, into)
  if (!Array.isArray(file)) throw new Unreadable('#', 'wrong-type', 'must be an array: this is not CX')
  into.version = '1'
  const aspects = aspectsOf(file, into)
  const itemsOf = (name: string) => aspects.get(name) ?? []
  const [, second] = itemsOf('cySubNetworks')
  if (second) throw severalGraphs(second.at)

  const places: Record<'nodes' | 'edges', string[]> = { nodes: [], edges: [] }
  into.placeOf = (kind, index) => places[kind][index] ?? '#'
  const nodes = new Map<unknown, Node>()
  for (const { item, at } of itemsOf('nodes')) {
    const { n: label, r: represents } = item
    const id = cxId(item['@id'])
    if (!isFreeId(id, nodes, 'node', at, into)) continue
    places.nodes.push(at)
    const node = into.addNode(String(id), places.nodes.length - 1)
    if (label !== undefined) into.describeNode(node, [['label', label]])
    if (represents !== undefined) into.describeNode(node, [['represents', represents]], nodeVocabulary)
    nodes.set(id, node)
  }
  const edges = new Map<unknown, Edge>()
  for (const { item, at } of itemsOf('edges')) {
    const { s, t, i: interaction } = item
    const id = cxId(item['@id'])
    if (!isFreeId(id, edges, 'edge', at, into)) continue
    const [source, target] = [nodes.get(cxId(s)), nodes.get(cxId(t))]
    if (!source || !target) {
      into.fault(at, 'unknown-node', `${source ? 't' : 's'} is not the id of a node`)
      continue
    }
    places.edges.push(at)
    const attributes: [string, unknown][] = interaction === undefined ? [] : [['interaction', interaction]]
    const edge = into.addEdge(source.id, target.id, places.edges.length - 1, attributes, edgeVocabulary)
    edge.id = String(id)
    edges.set(id, edge)
  }

  for (const { item, at } of itemsOf('networkAttributes')) {
    const value = typedValueOf(item, into, (code, detail) => into.refuse(at, code, detail))
    if (item.n === 'name' && typeof value === 'string' && value.trim() !== '') into.name ??= value
    else if (typeof item.n === 'string' && value !== undefined) into.describe([[item.n, value]], { label: null })
  }
  describe(itemsOf('nodeAttributes'), nodes, into, (node, name, value) => {
    // Cytoscape repeats the name of each node in its table.
    if (name === 'name' && node.label === undefined) into.describeNode(node, [['label', value]])
    else if (name !== 'name' || value !== node.label) into.describeNode(node, [[name, value]], nodeVocabulary)
  })
  describe(itemsOf('edgeAttributes'), edges, into, (edge, name, value) => {
    const isOther = name === 'interaction' && edge.relation !== undefined && edge.relation !== value
    into.describeEdge(edge, [[name, value]], isOther ? { relation: null } : edgeVocabulary)
  })
  place(itemsOf('cartesianLayout'), nodes, into)
  expectComplete(itemsOf('status'), into)
}

/** Returns the known aspects, merging the items of all their fragments. Counts unknown aspects. */
function aspectsOf(file: unknown[], into: GraphBuilder) {
  const aspects = new Map<string, Item[]>()
  const dropped = new Set<string>()
  for (const [index, fragment] of file.entries()) {
    if (!isRecord(fragment)) {
      into.refuse(`#/${index}`, 'wrong-type', 'must be an object')
      continue
    }
    for (const name in fragment) {
      if (!GRAPH.includes(name) && !FRAME.includes(name)) {
        if (!dropped.has(name)) into.losses.add(VISUAL.includes(name) ? 'visual-dropped' : 'aspects-dropped')
        dropped.add(name)
        continue
      }
      const [list, at] = [fragment[name], `#/${index}/${name}`]
      if (!Array.isArray(list)) {
        into.refuse(at, 'wrong-type', 'must be an array')
        continue
      }
      // The total over several fragments may still exceed the limit, which is reported when the elements are added.
      if (name === 'nodes' || name === 'edges') expectFew(list, name, at, into)
      const items = aspects.get(name) ?? []
      aspects.set(name, items)
      for (const [position, item] of list.entries()) {
        if (isRecord(item)) items.push({ item, at: `${at}/${position}` })
        else into.fault(`${at}/${position}`, 'wrong-type', 'must be an object')
      }
    }
  }
  if (!aspects.has('nodes')) into.refuse('#', 'required', 'has no aspect with nodes: this is not a CX graph')
  return aspects
}

/** Returns whether the id is unused. Adds a fault if it is already used or is not an id. */
function isFreeId(id: unknown, known: Map<unknown, unknown>, kind: string, at: string, into: GraphBuilder) {
  if (id === undefined) into.fault(at, 'required', '@id is required')
  else if (!isCxId(id)) into.fault(at, 'wrong-type', '@id must be an integer or text')
  else if (known.has(id)) into.fault(at, 'duplicate-id', `@id ${quote(id)} duplicates the id of an earlier ${kind}`)
  else return true
  return false
}

/** Calls `add` with each attribute of each element. An item may apply to several elements. */
function describe<T extends Node | Edge>(
  items: Item[],
  elements: Map<unknown, T>,
  into: GraphBuilder,
  add: (element: T, name: string, value: unknown) => void
) {
  for (const { item, at } of items) {
    const { po, n: name } = item
    const owners: unknown[] = Array.isArray(po) ? po : [po]
    const value = typedValueOf(item, into, (code, detail) => {
      const known = owners.flatMap((owner) => elements.get(cxId(owner)) ?? [])
      into.fault(at, code, detail, ...known)
    })
    if (typeof name !== 'string') {
      into.fault(at, 'required', 'n (the attribute name) is required')
      continue
    }
    if (value === undefined) continue
    const characters = owners.length > 1 ? JSON.stringify(value).length : 0
    for (const owner of owners) {
      const element = elements.get(cxId(owner))
      into.repeat(characters, at)
      if (element) add(element, name, value)
      else into.fault(at, 'unknown-element', 'po is not the id of an element')
    }
  }
}

/** Returns the value of an attribute, converted to its type, or undefined if there is no value. */
function typedValueOf(
  { n, v, d = 'string' }: Record<string, unknown>,
  into: GraphBuilder,
  fault: (code: string, detail: string) => void
): unknown {
  const [name, type] = [String(n), String(d).replace(/^list_of_/, '')]
  const typed = (text: unknown) => {
    if (typeof text !== 'string') return text ?? undefined
    return declaredValue(text, { name, type }, into, fault)
  }
  return Array.isArray(v) ? v.map(typed).filter((value) => value !== undefined) : typed(v)
}

/** Sets node positions from the first view of each node. */
function place(items: Item[], nodes: Map<unknown, Node>, into: GraphBuilder) {
  const placed = new Set<Node>()
  for (const { item, at } of items) {
    const node = nodes.get(cxId(item.node))
    if (!node) into.fault(at, 'unknown-node', 'node is not the id of a node')
    else if (placed.has(node)) into.losses.add('position-dropped')
    else {
      placed.add(node)
      for (const axis of ['x', 'y', 'z'] as const) {
        const value = Number(item[axis])
        if (item[axis] !== undefined && item[axis] !== null && Number.isFinite(value)) node[axis] = value
      }
    }
  }
}

/** Adds a fault if the file is truncated. A complete file ends with its status. */
function expectComplete(status: Item[], into: GraphBuilder) {
  const last = status.at(-1)
  if (!last)
    into.refuse('#', 'incomplete', 'has no status aspect, which must end every CX file: the file is incomplete')
  else if (last.item.success !== true && last.item.success !== 'true') {
    const { error } = last.item
    const reason = typeof error === 'string' && error !== '' ? `: ${error}` : ''
    into.refuse(last.at, 'incomplete', `does not report that the file was written successfully${reason}`)
  }
}
