import { isRecord, toJson } from '../../content/json.ts'
import { edgeAttributes, isMultigraph, nodeAttributes, recordOf, type Vocabulary } from '../shared/attributes.ts'
import type { Format, GraphToWrite } from '../shared/format.ts'
import { type GraphBuilder, Unreadable } from '../shared/graph-builder.ts'
import { expectFew, idOf, jsonArray, parseFile, records, topNames } from '../shared/json-file.ts'
import type { Losses } from '../shared/losses.ts'
import { fromFlow, isFlow } from './flow.ts'
import { fromGraphology, isGraphology } from './graphology.ts'

/**
 * Node-link JSON, as written by networkx (node_link_data), d3-force, vis-network, graphology and React Flow. GraphContent is a
 * variant of it.
 * https://networkx.org/documentation/stable/reference/readwrite/json_graph.html, https://d3js.org/d3-force/link
 */
export const nodeLink: Format = {
  name: 'node-link',
  title: 'node-link JSON',
  mediaType: 'application/json',
  endings: ['.node-link.json', '.json'],
  recognises: (text) => text.startsWith('{') && topNames(text).names.has('nodes'),
  read,
  write
}

const nodes: Vocabulary = { taken: new Set(['id', 'metadata']) }
const edges: Vocabulary = { id: true, directed: true, taken: new Set(['source', 'target', 'metadata']) }
/** Attributes of the graph are stored separately from its label, so their names cannot conflict with it. */
const graph: Vocabulary = { label: null, nameOf: (name) => name }

function read(bytes: Buffer, into: GraphBuilder) {
  const parsed = parseFile(bytes, into)
  if (!isRecord(parsed) || !Array.isArray(parsed.nodes)) {
    throw new Unreadable('#/nodes', 'required', 'must be an array: this is not node-link JSON')
  }
  const file = isGraphology(parsed) ? fromGraphology(parsed) : isFlow(parsed) ? fromFlow(parsed, into) : parsed
  const nodeList = file.nodes as unknown[]
  expectEdges(file)
  const kind = edgesOf(file)
  // networkx always specifies the direction. d3 never does, and its graphs are undirected. GraphContent is directed by default.
  const { directed = kind === 'edges', multigraph: _, nodes: __, links: ___, edges: ____, ...rest } = file
  const { name, type, label, metadata, graph: attributes, ...others } = rest
  if (typeof directed === 'boolean') into.directed = directed
  else into.refuse('#/directed', 'wrong-type', 'must be a boolean')
  if (typeof name === 'string' && name.trim() !== '') into.name = name
  if (typeof type === 'string' && type !== '') into.type = type
  if (label !== undefined && label !== null) into.describe([['label', label]])
  for (const more of [metadata, attributes, others]) if (isRecord(more)) into.describe(Object.entries(more), graph)
  if (into.name === undefined && isRecord(attributes) && typeof attributes.name === 'string')
    into.name = attributes.name

  into.placeOf = (what, index) => (what === 'nodes' ? `#/nodes/${index}` : `#/${kind}/${index}`)
  expectFew(nodeList, 'nodes', '#/nodes', into)
  expectFew(file[kind], 'edges', `#/${kind}`, into)
  const endOf = readNodes(nodeList, Array.isArray(file[kind]) ? (file[kind] as unknown[]) : [], into)
  for (const [index, record] of records(file[kind], `#/${kind}`, into)) {
    const { source, target, metadata, ...rest } = withEnds(record)
    const { id, ...attributes } = rest
    const ends = [endOf(source), endOf(target)] as [string, string]
    const added = into.addEdge(...ends, index, entriesOf(attributes, metadata), edges)
    if (id !== undefined && id !== null) added.id = idOf(id, into) ?? (id as string)
  }
}

/** Throws if the file has neither `edges` nor `links`, but has another list that may contain the edges. */
function expectEdges(file: Record<string, unknown>) {
  if (file.edges !== undefined || file.links !== undefined) return
  for (const [name, list] of Object.entries(file)) {
    if (name === 'nodes' || !Array.isArray(list) || !list.some((item) => typeof item === 'object')) continue
    const detail = 'is present, but the file has neither edges nor links. If these are its edges, rename them to edges'
    throw new Unreadable(`#/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`, 'other-format', detail)
  }
}

/** Returns the edge with `source` and `target`, which vis-network calls `from` and `to`, and KGX `subject` and `object`. */
function withEnds(edge: Record<string, unknown>): Record<string, unknown> {
  if (edge.source !== undefined || edge.target !== undefined) return edge
  if (edge.subject !== undefined && edge.object !== undefined) {
    const { subject, predicate, object, ...rest } = edge
    return { source: subject, target: object, ...(predicate !== undefined && { relation: predicate }), ...rest }
  }
  const { from, to, ...rest } = edge
  return { source: from, target: to, ...rest }
}

/** Returns the name of the list of edges: `edges` since networkx 3.4, `links` in earlier versions. */
function edgesOf({ edges, links }: Record<string, unknown>) {
  const has = (list: unknown) => list !== undefined && !(Array.isArray(list) && list.length === 0)
  if (has(edges) && has(links)) {
    throw new Unreadable('#/links', 'ambiguous', 'cannot be combined with edges: use only one of them')
  }
  return links !== undefined && !has(edges) ? 'links' : 'edges'
}

/** Reads the nodes. Returns a function that resolves an edge endpoint, which may be an id, a name or an index. */
function readNodes(list: unknown[], edgeList: unknown[], into: GraphBuilder): (end: unknown) => unknown {
  const ends = new Set<unknown>()
  for (const edge of edgeList) {
    if (!isRecord(edge)) continue
    const { source, target } = withEnds(edge)
    for (const end of [source, target]) ends.add(plainEnd(end))
  }
  const key = list.some((node) => isRecord(node) && node.id !== undefined) ? 'id' : 'name'
  const keys = new Set(list.map((node) => (isRecord(node) ? node[key] : undefined)))
  const isIndex = (end: unknown) => Number.isInteger(end) && (end as number) >= 0 && (end as number) < list.length
  const areIndices =
    [...ends].every(isIndex) &&
    (key === 'name'
      ? ends.size > 0 || keys.size < list.length || keys.has(undefined)
      : ![...ends].every((end) => keys.has(end) || keys.has(String(end))))

  /** The ids by index, in case edges refer to nodes by index. */
  const ids: unknown[] = []
  for (const [index, node] of records(list, '#/nodes', into)) {
    const { id, metadata, ...attributes } = node
    const given = key === 'id' ? id : areIndices ? String(index) : node.name
    if (key === 'name' && areIndices && attributes.label === undefined && typeof node.name === 'string') {
      attributes.label = node.name
      delete attributes.name
    }
    ids[index] = idOf(given, into)
    into.addNode(ids[index] as string, index, entriesOf(attributes, metadata), nodes)
  }
  return (end) => {
    const value = plainEnd(end)
    return areIndices ? ids[value as number] : idOf(value, into)
  }
}

/** Returns the id or index of an edge endpoint. A d3 simulation replaces endpoints with the nodes themselves. */
function plainEnd(end: unknown) {
  return isRecord(end) ? (end.id ?? end.index) : end
}

/** Yields the attributes, and the members of `metadata` if present, as in GraphContent. */
function* entriesOf(record: Record<string, unknown>, metadata: unknown): Generator<[string, unknown]> {
  yield* Object.entries(record)
  if (isRecord(metadata)) for (const name in metadata) yield [`metadata.${name}`, metadata[name]]
  else if (metadata !== undefined && metadata !== null) yield ['metadata.metadata', metadata]
}
function write({ name, type, content }: GraphToWrite, losses: Losses) {
  const { directed = true, label, metadata } = content
  for (const node of content.nodes) recordOf(nodeAttributes(node, nodes, losses))
  for (const edge of content.edges) recordOf(edgeAttributes(edge, edges, losses))
  const multigraph = isMultigraph(content.edges, directed)

  return (function* () {
    const head = toJson({ name, type, label, directed, multigraph, graph: metadata ?? {} })
    yield `${head.slice(0, -1)},"nodes":`
    yield* jsonArray(content.nodes, (node) => ({ id: node.id, ...recordOf(nodeAttributes(node, nodes)) }))
    yield ',"edges":'
    yield* jsonArray(content.edges, (edge) => ({
      source: edge.source,
      target: edge.target,
      ...recordOf(edgeAttributes(edge, edges))
    }))
    yield '}\n'
  })()
}
