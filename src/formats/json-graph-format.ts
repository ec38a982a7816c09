import type { Fault } from '../../schemas/problem.ts'
import { invalid } from '../errors.ts'
import { locate, parseJson, pointerTo } from '../json.ts'
import type { Format, GraphFile } from './format.ts'

/** A file may have an object with a member for each node. */
const MEMBERS = 2_000_000

/**
 * JSON Graph Format, version 1 (nodes in an array) and 2 (nodes in an object, by id).
 * https://jsongraphformat.info, https://github.com/jsongraph/json-graph-specification
 */
export const jsonGraphFormat: Format = {
  name: 'jgf',
  mediaType: 'application/vnd.jgf+json',
  endings: ['.jgf.json', '.jgf', '.json'],
  read,
  locate: (bytes, pointers) => locate(bytes.toString('utf8').replace(/^\uFEFF/, ''), pointers)
}

function read(bytes: Buffer): GraphFile {
  const { graph, at } = onlyGraph(parseJson(bytes, { members: MEMBERS }))
  const { id, label, type, directed = true, metadata, nodes = {}, edges = [], hyperedges, ...rest } = present(graph)
  const faults: Fault[] = []
  const fault = (member: string, code: string, detail: string) =>
    faults.push({ pointer: `${at}${pointerTo([member]).slice(1)}`, code, detail })
  if (hyperedges !== undefined) fault('hyperedges', 'hyperedges', 'cannot be kept: an edge has two ends here')
  if (type !== undefined && typeof type !== 'string') fault('type', 'wrong-type', 'must be string')
  for (const member of Object.keys(rest)) fault(member, 'unknown-field', 'is not part of JSON Graph Format')
  if (faults.length > 0) throw invalid(...faults)

  const names = [label, id].filter((text) => typeof text === 'string' && text.trim() !== '') as string[]
  const keys = isRecord(nodes) ? Object.keys(nodes) : undefined
  return {
    ...(names[0] !== undefined && { name: names[0] }),
    // An empty type says nothing.
    ...(type !== undefined && type !== '' && { type: type as string }),
    content: {
      directed,
      ...(label !== undefined && { label }),
      ...(metadata !== undefined && { metadata }),
      nodes: isRecord(nodes) ? Object.entries(nodes).map(([key, node]) => nodeOf(node, key)) : elements(nodes),
      edges: elements(edges)
    },
    // Version 2 has the node's id where the content has its index.
    origin: (pointer) => {
      const [, index, inside = ''] = /^#\/nodes\/(\d+)(.*)$/.exec(pointer) ?? []
      const key = index === undefined ? undefined : keys?.[Number(index)]
      return key === undefined ? `${at}${pointer.slice(1)}` : `${at}/nodes${pointerTo([key]).slice(1)}${inside}`
    }
  }
}

/** The graph of the file and where it stands. */
function onlyGraph(file: unknown) {
  if (isRecord(file) && isRecord(file.graph)) return { graph: file.graph, at: '#/graph' }
  if (isRecord(file) && Array.isArray(file.graphs)) {
    if (file.graphs.length === 1 && isRecord(file.graphs[0])) return { graph: file.graphs[0], at: '#/graphs/0' }
    throw invalid({
      pointer: '#/graphs',
      code: 'several-graphs',
      detail: `holds ${file.graphs.length} graphs, and a file is taken in as one: put each into a file of its own`
    })
  }
  throw invalid({
    pointer: '#/graph',
    code: 'required',
    detail: 'is required: this is not a file in JSON Graph Format'
  })
}

function nodeOf(node: unknown, id: string) {
  return isRecord(node) ? { ...present(node), id } : node
}

function elements(list: unknown) {
  return Array.isArray(list) ? list.map((element) => (isRecord(element) ? present(element) : element)) : list
}

/** Without the members that are null, which the format allows for what is absent. */
function present(record: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== null))
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
