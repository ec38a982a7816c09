import { isRecord } from '../../content/json.ts'
import type { Format } from '../shared/format.ts'
import { type GraphBuilder, quote, Unreadable } from '../shared/graph-builder.ts'
import { ORIGINAL_IDS } from '../shared/ids.ts'
import { cxId, expectFew, isCxId, parseFile, topNames } from '../shared/json-file.ts'
import { stylesOf } from './cx2-styles.ts'
import { edges, graph, ID, nodes, writeCx2 } from './cx2-writer.ts'

/**
 * CX2, the exchange format of Cytoscape and NDEx.
 * https://cytoscape.org/cx/cx2/specification/cytoscape-exchange-format-specification-(version-2)/
 */
export const cx2: Format = {
  name: 'cx2',
  title: 'CX2',
  mediaType: 'application/vnd.cx2+json',
  endings: ['.cx2', '.json'],
  growsDown: true,
  recognises: (text) => text.startsWith('[') && topNames(text).names.has('CXVersion'),
  read,
  write: writeCx2
}

/** Aspects of the drawing. */
const VISUAL = ['visualProperties', 'nodeBypasses', 'edgeBypasses', 'visualEditorProperties']
/** Aspects of the graph. A file has at least one of them. */
const GRAPH = ['attributeDeclarations', 'networkAttributes', 'nodes', 'edges']
const FRAME = ['CXVersion', 'hasFragments', 'metaData', 'status', ...VISUAL, ...GRAPH]

interface Declaration {
  /** Maps each alias to the name of its attribute. */
  names: Map<string, string>
  defaults: [name: string, value: unknown][]
  /** The total length of the defaults, in characters. */
  weight: number
}

function read(bytes: Buffer, into: GraphBuilder) {
  const file = parseFile(bytes, into)
  const [head] = Array.isArray(file) ? file : []
  if (!Array.isArray(file) || !isRecord(head) || typeof head.CXVersion !== 'string') {
    throw new Unreadable('#', 'required', 'does not begin with CXVersion: this is not CX2')
  }
  into.version = head.CXVersion
  if (!head.CXVersion.startsWith('2')) {
    throw new Unreadable('#/0/CXVersion', 'not-allowed', `is ${head.CXVersion}: only CX version 2 is supported`)
  }
  const aspects = aspectsOf(file, into)
  const declared = (kind: string) => declarationOf(aspects.get('attributeDeclarations') ?? [], kind)

  const attributes = declared('networkAttributes')
  let hasOriginalIds = false
  for (const { item } of aspects.get('networkAttributes') ?? []) {
    for (const [name, value] of valuesOf(item, attributes)) {
      if (name === 'name' && typeof value === 'string' && value.trim() !== '') into.name = value
      else if (name === 'type' && typeof value === 'string' && value !== '') into.type = value
      else if (name === 'directed' && typeof value === 'boolean') into.directed = value
      else if (name === ORIGINAL_IDS) hasOriginalIds = true
      else into.describe([[name, value]], graph)
    }
  }

  const styles = stylesOf(aspects, into.losses)
  const places: Record<'nodes' | 'edges', string[]> = { nodes: [], edges: [] }
  into.placeOf = (kind, index) => places[kind][index] ?? '#'
  const ofNodes = declared('nodes')
  const ids = new Map<unknown, string>()
  for (const { item, at } of aspects.get('nodes') ?? []) {
    places.nodes.push(at)
    const { x, y, z, v } = item
    const id = cxId(item.id)
    if (!isId(id, at, into)) continue
    if (ids.has(id)) {
      into.fault(at, 'duplicate-id', `id ${quote(id)} duplicates the id of an earlier node`)
      continue
    }
    into.repeat(ofNodes.weight, at)
    const { original, attributes } = withoutOriginal(valuesOf(v, ofNodes), hasOriginalIds)
    styles.node.addTo(attributes, id, at, into)
    const node = into.addNode(original ?? String(id), places.nodes.length - 1, attributes, nodes)
    ids.set(id, node.id)
    for (const [axis, value] of [
      ['x', x],
      ['y', y],
      ['z', z]
    ] as const)
      if (typeof value === 'number') node[axis] = value
  }
  const ofEdges = declared('edges')
  for (const { item, at } of aspects.get('edges') ?? []) {
    places.edges.push(at)
    const { id, s, t, v } = item
    if (id !== undefined && !isId(id, at, into)) continue
    into.repeat(ofEdges.weight, at)
    const { original, attributes } = withoutOriginal(valuesOf(v, ofEdges), hasOriginalIds)
    styles.edge.addTo(attributes, cxId(id), at, into)
    const [source, target] = [ids.get(cxId(s)), ids.get(cxId(t))]
    if (source === undefined || target === undefined) {
      into.fault(at, 'unknown-node', source === undefined ? 's is not the id of a node' : 't is not the id of a node')
      continue
    }
    const edge = into.addEdge(source, target, places.edges.length - 1, attributes, edges)
    if (original !== undefined) edge.id = original
    else if (!hasOriginalIds && id !== undefined) edge.id = String(id)
  }
  expectComplete(aspects, into)
}

interface Item {
  item: Record<string, unknown>
  /** The position in the file, as a JSON pointer. */
  at: string
}

/** Returns all aspects, merging the items of all their fragments, in any order. */
function aspectsOf(file: unknown[], into: GraphBuilder) {
  const aspects = new Map<string, Item[]>()
  for (const [index, fragment] of file.entries()) {
    if (!isRecord(fragment)) {
      into.refuse(`#/${index}`, 'wrong-type', 'must be an object')
      continue
    }
    for (const [name, list] of Object.entries(fragment)) {
      if (!FRAME.includes(name)) into.losses.add('aspects-dropped')
      else if (Array.isArray(list)) {
        const items = aspects.get(name) ?? []
        aspects.set(name, items)
        // The total over several fragments may still exceed the limit, which is reported when the elements are added.
        if (name === 'nodes' || name === 'edges') expectFew(list, name, `#/${index}/${name}`, into)
        for (const [position, item] of list.entries()) {
          const at = `#/${index}/${name}/${position}`
          if (isRecord(item)) items.push({ item, at })
          else into.fault(at, 'wrong-type', 'must be an object')
        }
      } else if (name !== 'CXVersion' && name !== 'hasFragments')
        into.refuse(`#/${index}/${name}`, 'wrong-type', 'must be an array')
    }
  }
  return aspects
}

/** Adds a fault if the file is truncated. A complete file ends with its status and has at least one aspect of a graph. */
function expectComplete(aspects: Map<string, Item[]>, into: GraphBuilder) {
  const last = aspects.get('status')?.at(-1)
  if (!last)
    into.refuse('#', 'incomplete', 'has no status aspect, which must end every CX2 file: the file is incomplete')
  else if (last.item.success !== true) {
    const { error } = last.item
    const reason = typeof error === 'string' && error !== '' ? `: ${error}` : ''
    into.refuse(last.at, 'incomplete', `does not report that the file was written successfully${reason}`)
  }
  if (!GRAPH.some((name) => aspects.has(name))) {
    into.refuse('#', 'required', `has no graph: it contains none of the aspects ${GRAPH.join(', ')}`)
  }
}

function declarationOf(declarations: Item[], kind: string): Declaration {
  const names = new Map<string, string>()
  const defaults: [string, unknown][] = []
  for (const { item } of declarations) {
    const attributes = item[kind]
    if (!isRecord(attributes)) continue
    for (const [name, declaration] of Object.entries(attributes)) {
      if (!isRecord(declaration)) continue
      if (typeof declaration.a === 'string') names.set(declaration.a, name)
      if (declaration.v !== undefined) defaults.push([name, declaration.v])
    }
  }
  return { names, defaults, weight: defaults.length === 0 ? 0 : JSON.stringify(defaults).length }
}

/** Yields the values by attribute name, with defaults for missing values. */
function* valuesOf(values: unknown, { names, defaults }: Declaration): Generator<[string, unknown]> {
  const has = new Set<string>()
  if (isRecord(values)) {
    for (const key in values) {
      const name = names.get(key) ?? key
      has.add(name)
      yield [name, values[key]]
    }
  }
  for (const entry of defaults) if (!has.has(entry[0])) yield entry
}

function isId(id: unknown, at: string, into: GraphBuilder) {
  if (isCxId(id)) return true
  into.fault(
    at,
    id === undefined ? 'required' : 'wrong-type',
    id === undefined ? 'id is required' : 'id must be an integer or text'
  )
  return false
}

/** Separates the original id of the element from its other attributes. */
function withoutOriginal(values: Iterable<[string, unknown]>, hasOriginalIds: boolean) {
  const attributes: [string, unknown][] = []
  let original: string | undefined
  for (const entry of values) {
    if (hasOriginalIds && entry[0] === ID && typeof entry[1] === 'string') original = entry[1]
    else attributes.push(entry)
  }
  return { original, attributes }
}
