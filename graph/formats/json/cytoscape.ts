import type { Edge, Node } from '../../../schemas/graph-content.ts'
import { isRecord, toJson } from '../../content/json.ts'
import { edgeAttributes, graphAttributes, nodeAttributes, recordOf, type Vocabulary } from '../shared/attributes.ts'
import type { Format, GraphToWrite } from '../shared/format.ts'
import { type GraphBuilder, Unreadable } from '../shared/graph-builder.ts'
import { idOf, jsonArray, parseFile, records, topNames } from '../shared/json-file.ts'
import type { Losses } from '../shared/losses.ts'

/**
 * Cytoscape.js JSON, which Cytoscape 3 exports. The elements are either an object with nodes and edges or a single list, which
 * may be the whole file. https://js.cytoscape.org/#notation/elements-json
 */
export const cytoscape: Format = {
  name: 'cytoscape',
  title: 'Cytoscape.js JSON',
  mediaType: 'application/vnd.cytoscape+json',
  endings: ['.cyjs', '.json'],
  growsDown: true,
  recognises: (text) => {
    if (!text.startsWith('{') && !text.startsWith('[')) return false
    const { isArray, names } = topNames(text)
    if (isArray) return names.has('data') && !names.has('source')
    // In Kumu and Excalidraw files, `elements` has a different meaning.
    return names.has('elements') && !names.has('connections') && !/"type"\s*:\s*"excalidraw/.test(text.slice(0, 1000))
  },
  read,
  write
}

// The `parent` of a compound node stays in its metadata.
const nodes: Vocabulary = { taken: new Set(['id', 'name']) }
const edges: Vocabulary = {
  relation: 'interaction',
  directed: true,
  taken: new Set(['id', 'source', 'target', 'name'])
}
const graph: Vocabulary = { taken: new Set(['name', 'type']) }

/** Members of elements that the import drops. */
const VISUAL = ['style', 'css', 'renderedPosition', 'scratch', 'locked', 'grabbable', 'grabbed', 'pannable']

function read(bytes: Buffer, into: GraphBuilder) {
  const file = parseFile(bytes, into)
  const elements = isRecord(file) ? file.elements : file
  const at = isRecord(file) ? '#/elements' : '#'
  if (!isRecord(elements) && !Array.isArray(elements)) {
    throw new Unreadable(at, 'required', 'is required: this is not Cytoscape.js JSON')
  }
  if (isRecord(file)) readHead(file, into)

  if (Array.isArray(elements)) {
    into.placeOf = (_kind, index) => `${at}/${index}`
    const all = [...records(elements, at, into)]
    for (const [index, element] of all) if (!isEdge(element)) addNode(into, element, index)
    for (const [index, element] of all) if (isEdge(element)) addEdge(into, element, index)
  } else {
    into.placeOf = (kind, index) => `${at}/${kind}/${index}`
    for (const [index, element] of records(elements.nodes, `${at}/nodes`, into)) addNode(into, element, index)
    for (const [index, element] of records(elements.edges, `${at}/edges`, into)) addEdge(into, element, index)
  }
}

function readHead(file: Record<string, unknown>, into: GraphBuilder) {
  const { data, directed, format_version: version, style } = file
  if (typeof version === 'string') into.version = version
  if (typeof directed === 'boolean') into.directed = directed
  if (style !== undefined) into.losses.add('visual-dropped')
  // networkx writes a list of pairs.
  const pairs = Array.isArray(data)
    ? data.filter((pair) => Array.isArray(pair) && typeof pair[0] === 'string')
    : isRecord(data)
      ? Object.entries(data)
      : []
  for (const [name, value] of pairs as [string, unknown][]) {
    if (name === 'name' && typeof value === 'string' && value.trim() !== '') into.name = value
    else if (name === 'type' && typeof value === 'string' && value !== '') into.type = value
    else into.describe([[name, value]], graph)
  }
}

function isEdge({ group, data }: Record<string, unknown>) {
  if (group === 'edges' || group === 'nodes') return group === 'edges'
  return isRecord(data) && data.source !== undefined
}

function addNode(into: GraphBuilder, element: Record<string, unknown>, index: number) {
  const { id, ...data } = dataOf(into, element)
  const node = into.addNode(idOf(id, into) as string, index, withLabel(data), nodes)
  if (!isRecord(element.data)) into.fault(into.placeOf('nodes', index), 'required', 'has no data', node)
  const { position } = element
  if (isRecord(position)) {
    for (const axis of ['x', 'y'] as const) if (typeof position[axis] === 'number') node[axis] = position[axis]
  }
}

function addEdge(into: GraphBuilder, element: Record<string, unknown>, index: number) {
  const { id, source, target, ...data } = dataOf(into, element)
  const ends = [idOf(source, into), idOf(target, into)] as [string, string]
  const edge = into.addEdge(...ends, index, withLabel(data), edges)
  if (!isRecord(element.data)) into.fault(into.placeOf('edges', index), 'required', 'has no data', edge)
  if (id !== undefined) edge.id = idOf(id, into) as string
}

function dataOf(into: GraphBuilder, element: Record<string, unknown>) {
  const { data, classes } = element
  if (VISUAL.some((member) => element[member] !== undefined)) into.losses.add('visual-dropped')
  if (!isRecord(data)) return {}
  return classes === undefined || classes === '' ? data : { ...data, classes }
}

/** Yields the data. If there is no `label`, yields `name` as the label, since Cytoscape displays the name. */
function* withLabel(data: Record<string, unknown>): Generator<[string, unknown]> {
  for (const name in data) {
    yield [
      name === 'name' ? (data.label === undefined && typeof data.name === 'string' ? 'label' : 'metadata.name') : name,
      data[name]
    ]
  }
}

function write({ name, type, content }: GraphToWrite, losses: Losses) {
  const { directed = true } = content
  const data = { name, type, ...recordOf(graphAttributes(content, graph, losses)) }
  for (const node of content.nodes) nodeElement(node, losses)
  for (const edge of content.edges) edgeElement(edge, losses)

  return (function* () {
    const head = toJson({
      format_version: '1.0',
      generated_by: 'graphstead',
      target_cytoscapejs_version: '~3',
      directed,
      data
    })
    yield `${head.slice(0, -1)},"elements":{"nodes":`
    yield* jsonArray(content.nodes, (node) => nodeElement(node))
    yield ',"edges":'
    yield* jsonArray(content.edges, (edge) => edgeElement(edge))
    yield '}}\n'
  })()
}

function nodeElement(node: Node, losses?: Losses) {
  const { x, y, ...unplaced } = node
  const { id } = node
  const isPlaced = x !== undefined && y !== undefined
  const data = { id, ...recordOf(nodeAttributes(isPlaced ? unplaced : node, nodes, losses)) }
  return isPlaced ? { data, position: { x, y } } : { data }
}

function edgeElement(edge: Edge, losses?: Losses) {
  const { id, source, target } = edge
  return { data: { id, source, target, ...recordOf(edgeAttributes(edge, edges, losses)) } }
}
