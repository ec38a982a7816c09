import type { Node } from '../../../schemas/graph-content.ts'
import { isRecord, toJson } from '../../content/json.ts'
import { memberNames } from '../../content/json-text.ts'
import { faultPointer, type Path } from '../../content/pointers.ts'
import { nodeAttributes, recordOf, type Vocabulary } from '../shared/attributes.ts'
import type { Format, GraphToWrite } from '../shared/format.ts'
import { type GraphBuilder, Unreadable } from '../shared/graph-builder.ts'
import { idOf, jsonArray, parseFile, records, topNames } from '../shared/json-file.ts'
import type { Losses } from '../shared/losses.ts'

/**
 * JSON Graph Format, versions 1 (nodes in an array) and 2 (nodes in an object, by id). Exports are version 2.
 * https://jsongraphformat.info, https://github.com/jsongraph/json-graph-specification
 */
export const jsonGraphFormat: Format = {
  name: 'jgf',
  title: 'JSON Graph Format',
  mediaType: 'application/vnd.jgf+json',
  endings: ['.jgf.json', '.jgf', '.json'],
  recognises: (text) => {
    if (!text.startsWith('{')) return false
    const { names } = topNames(text)
    // In GraphSON 1, a graph has vertices, not nodes.
    const isOther =
      names.has('nodes') ||
      names.has('elements') ||
      (text.includes('"_outV"') && !text.includes('"nodes"')) ||
      // OBO Graphs
      (names.has('graphs') && text.includes('"lbl"') && text.includes('"pred"'))
    return (names.has('graph') || names.has('graphs')) && !isOther
  },
  read,
  write
}

/** In this format, a node has only a label and metadata, so its position is part of the metadata. */
const vocabulary: Vocabulary = { label: null }
const edgeVocabulary: Vocabulary = { label: null, relation: null, nameOf: (name) => name }

function read(bytes: Buffer, into: GraphBuilder) {
  const { graph, path } = onlyGraph(parseFile(bytes, into))
  const at = faultPointer(path)
  const { id, label, type, directed = true, metadata, nodes, edges, hyperedges, ...rest } = present(graph)
  const pointer = (member: string) => `${at}${faultPointer([member]).slice(1)}`
  if (hyperedges !== undefined) {
    into.refuse(pointer('hyperedges'), 'hyperedges', 'hyperedges are not supported: an edge must have two endpoints')
  }
  for (const member of Object.keys(rest)) {
    into.refuse(pointer(member), 'unknown-field', 'is not part of JSON Graph Format')
  }
  if (type !== undefined && typeof type !== 'string') into.refuse(pointer('type'), 'wrong-type', 'must be a string')
  // An empty type means that the graph has no type.
  else if (type !== undefined && type !== '') into.type = type

  const name = [label, id].find((text) => typeof text === 'string' && text.trim() !== '')
  if (name !== undefined) into.name = name as string
  Object.assign(into.content, {
    directed,
    ...(label !== undefined && { label }),
    ...(metadata !== undefined && { metadata })
  })

  const isByName = isRecord(nodes)
  into.version = isByName ? '2' : '1'
  const names = isByName ? memberNames(into.text, [...path, 'nodes']) : []
  into.placeOf = (kind, index) =>
    kind === 'nodes' && isByName
      ? `${at}/nodes${faultPointer([names[index] ?? '']).slice(1)}`
      : `${at}/${kind}/${index}`
  if (isByName) {
    const seen = new Set<string>()
    for (const [index, key] of names.entries()) {
      const node = nodes[key]
      if (seen.has(key)) {
        // JSON.parse keeps the last of several members with the same name. Adding that member once per occurrence would
        // multiply its size.
        into.fault(into.placeOf('nodes', index), 'duplicate-id', 'duplicates the id of an earlier node')
        continue
      }
      seen.add(key)
      if (isRecord(node)) addNode(into, key, present(node), index)
      else into.fault(into.placeOf('nodes', index), 'wrong-type', 'must be an object')
    }
  } else {
    for (const [index, record] of records(nodes, `${at}/nodes`, into)) {
      const { id, ...node } = present(record)
      addNode(into, idOf(id, into), node, index)
    }
  }
  for (const [index, record] of records(edges, `${at}/edges`, into)) addEdge(into, present(record), index)
}

/** Returns the file's only graph and its path. */
function onlyGraph(file: unknown): { graph: Record<string, unknown>; path: Path } {
  if (isRecord(file) && isRecord(file.graph)) return { graph: file.graph, path: ['graph'] }
  if (isRecord(file) && Array.isArray(file.graphs)) {
    if (file.graphs.length === 1 && isRecord(file.graphs[0])) return { graph: file.graphs[0], path: ['graphs', 0] }
    throw new Unreadable(
      '#/graphs',
      'several-graphs',
      `contains ${file.graphs.length} graphs: save each graph in its own file`
    )
  }
  throw new Unreadable('#/graph', 'required', 'is required: this is not a file in JSON Graph Format')
}

/** Adds a node. The content check reports a missing or invalid id. */
function addNode(into: GraphBuilder, id: string | undefined, node: Record<string, unknown>, index: number) {
  const { label, metadata, ...rest } = node
  const added = into.addNode(id as string, index, entries(metadata, rest), vocabulary)
  if (label !== undefined) added.label = label as string
  if (metadata !== undefined && !isRecord(metadata)) added.metadata = metadata as Record<string, unknown>
}

function addEdge(into: GraphBuilder, edge: Record<string, unknown>, index: number) {
  const { id, source, target, directed, relation, label, metadata, ...rest } = edge
  const ends = [idOf(source, into), idOf(target, into)] as [string, string]
  const added = into.addEdge(...ends, index, entries(metadata, rest), edgeVocabulary)
  const members = { id: idOf(id, into) ?? id, directed, relation, label }
  for (const [name, value] of Object.entries(members)) if (value !== undefined) Object.assign(added, { [name]: value })
  if (metadata !== undefined && !isRecord(metadata)) added.metadata = metadata as Record<string, unknown>
}

/** Yields the metadata and any unknown members. */
function* entries(metadata: unknown, rest: Record<string, unknown>): Generator<[string, unknown]> {
  yield* Object.entries(rest)
  if (isRecord(metadata)) yield* Object.entries(metadata)
}

/** Drops null members. In this format, null means absent. */
function present(record: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== null))
}

function write({ name, type, content }: GraphToWrite, losses: Losses) {
  const { directed = true, label, metadata, nodes, edges } = content
  const metadataOf = (node: Node, counted?: Losses) => recordOf(nodeAttributes(node, vocabulary, counted))
  for (const node of nodes) metadataOf(node, losses)

  return (function* () {
    const head = toJson({ id: name, type, label, directed, metadata })
    yield `{"graph":${head.slice(0, -1)},"nodes":{`
    let separator = '\n'
    for (const node of nodes) {
      yield `${separator}${toJson(node.id)}:${toJson({ label: node.label, metadata: metadataOf(node) })}`
      separator = ',\n'
    }
    yield '\n},"edges":'
    yield* jsonArray(edges, ({ metadata, ...edge }) => ({
      ...edge,
      metadata: recordOf(Object.entries(metadata ?? {}))
    }))
    yield '}}\n'
  })()
}
