import { isRecord } from '../../content/json.ts'
import { Elements } from '../shared/elements.ts'
import type { Format } from '../shared/format.ts'
import { type GraphBuilder, Unreadable } from '../shared/graph-builder.ts'
import { idOf, linesAsArray, parseFile, topNames } from '../shared/json-file.ts'
import type { Json } from '../shared/json-kind.ts'
import { readRecords } from './records.ts'

/**
 * The JSON of Neo4j: results of its HTTP and Query APIs, exports of Neo4j Browser, and APOC's JSON Lines. All contain nodes and
 * relationships as objects, at different depths. https://neo4j.com/labs/apoc/current/export/json
 */
export const neo4j: Format = {
  name: 'neo4j',
  title: 'Neo4j JSON',
  mediaType: 'application/json',
  endings: ['.neo4j.json', '.jsonl', '.json'],
  recognises,
  read
}

/** The number of characters to examine. Results begin with a node or with the names of columns. */
const HEAD = 100_000

/** A member that only Neo4j's nodes and relationships have. */
const OBJECT = /"(?:identity|elementId|startNode)"|"type"\s{0,20}:\s{0,20}"(?:node|relationship)"/

function recognises(text: string) {
  if (!/^[[{]/.test(text)) return false
  const head = text.slice(0, HEAD)
  const has = (name: string) => head.includes(`"${name}"`)
  if (/^\{\s*"(?:results|errors)"/.test(head)) return has('columns') && (has('row') || has('graph'))
  if (/^\{\s*"data"\s*:\s*\{\s*"fields"\s*:\s*\[/.test(head)) return true
  if (!has('properties') || !has('labels') || !OBJECT.test(head)) return false
  const { names } = topNames(text)
  return !names.has('nodes') || names.has('rels') || names.has('relationships')
}

function read(bytes: Buffer, into: GraphBuilder) {
  const file = parseFile(bytes, into, linesAsArray)
  const found: Found = { nodes: [], relationships: [] }
  collect(file, found)
  if (found.nodes.length > 0 || found.relationships.length > 0) return addAll(found, into)
  const table = tableIn(file)
  if (!table) throw new Unreadable('#', 'required', 'has neither nodes nor relationships: return them from the query')
  readRecords(table.rows, table.pointer, into)
}

interface Found {
  nodes: Json[]
  relationships: [relationship: Json, source: unknown, target: unknown][]
}

/** Collects the nodes and relationships at any depth. The parser limits the depth. */
function collect(value: unknown, found: Found) {
  if (Array.isArray(value)) for (const item of value) collect(item, found)
  else if (isRecord(value)) {
    const ends = endsOf(value)
    if (ends) found.relationships.push([value, ...ends])
    else if (Array.isArray(value.labels) && idIn(value) !== undefined) found.nodes.push(value)
    else for (const name in value) collect(value[name], found)
  }
}

/** Returns the id, whose name depends on the program and its version. The JavaScript driver splits integers. */
function idIn({ elementId, id, identity }: Json) {
  const found = elementId ?? identity ?? id
  if (!isRecord(found) || typeof found.low !== 'number' || typeof found.high !== 'number') return found
  return found.high * 2 ** 32 + (found.low >>> 0)
}

/** Returns the ends of a relationship, or undefined if the object is not a relationship. */
function endsOf(value: Json): [unknown, unknown] | undefined {
  if (typeof value.type !== 'string') return undefined
  const endOf = (end: unknown) => (isRecord(end) ? idIn('low' in end ? { id: end } : end) : end)
  const source = endOf(value.startNodeElementId ?? value.startNode ?? value.start)
  const target = endOf(value.endNodeElementId ?? value.endNode ?? value.end)
  return isId(source) && isId(target) ? [source, target] : undefined
}

function isId(value: unknown) {
  return typeof value === 'string' || typeof value === 'number'
}

function addAll({ nodes, relationships }: Found, into: GraphBuilder) {
  into.placeOf = () => '#'
  const elements = new Elements(into)
  for (const node of nodes) {
    elements.addNode(idOf(idIn(node), into) as string, 0, [['labels', node.labels], ...propertiesOf(node)])
  }
  const seen = new Set<string>()
  for (const [relationship, ...ends] of relationships) {
    const [source, target] = ends.map((end) => idOf(end, into)) as [string, string]
    const id = idOf(idIn(relationship), into)
    if (id !== undefined && seen.has(id)) continue
    const { type, label } = relationship
    // Lines from APOC have the type "relationship", and give the actual type as the label.
    const relation = type === 'relationship' && typeof label === 'string' ? label : String(type)
    const edge = elements.addEdge(source, target, 0, relation, propertiesOf(relationship))
    if (id === undefined) continue
    seen.add(id)
    edge.id = id
  }
  elements.finish()
}

function propertiesOf({ properties }: Json): [string, unknown][] {
  return isRecord(properties) ? Object.entries(properties) : []
}

/** Returns the rows of a result as records, if it contains only values. */
function tableIn(file: unknown): { rows: Json[]; pointer: string } | undefined {
  if (!isRecord(file)) return undefined
  if (isRecord(file.data)) return rowsOf(file.data.fields, file.data.values, '#/data/values')
  const [result] = Array.isArray(file.results) ? file.results : []
  if (!isRecord(result) || !Array.isArray(result.data)) return undefined
  const rows = result.data.map((row) => (isRecord(row) ? row.row : row))
  return rowsOf(result.columns, rows, '#/results/0/data')
}

function rowsOf(columns: unknown, rows: unknown, pointer: string) {
  if (!Array.isArray(columns) || !Array.isArray(rows)) return undefined
  const recordOf = (row: unknown) =>
    Object.fromEntries(Array.isArray(row) ? row.map((value, index) => [String(columns[index] ?? index), value]) : [])
  return { rows: rows.map(recordOf), pointer }
}
