import { isRecord } from '../../content/json.ts'
import type { Format } from '../shared/format.ts'
import { type GraphBuilder, quote, Unreadable } from '../shared/graph-builder.ts'
import { idOf, isLines, linesAsArray, records as objects, parseFile, topNames } from '../shared/json-file.ts'
import { tableVocabulary } from '../tables/header.ts'
import { endsByName, relationIn } from '../tables/names.ts'

/**
 * A JSON array or JSON Lines with a record for each edge, as written by pandas (`orient="records"`) and ArangoDB. The endpoints
 * have the same names as in tables. A record with an id but without endpoints is a node. https://jsonlines.org
 */
export const records: Format = {
  name: 'records',
  title: 'JSON records',
  mediaType: 'application/x-ndjson',
  endings: ['.jsonl', '.ndjson', '.json'],
  recognises: (text) => {
    const names = text.startsWith('[') || isLines(text) ? topNames(text).names : namesWithin(text)
    return endsIn([...names]) !== undefined
  },
  read: (bytes, into) => {
    const file = parseFile(bytes, into, linesAsArray)
    const name = isRecord(file) ? LISTS.find((list) => Array.isArray(file[list])) : undefined
    if (!isRecord(file)) return readRecords(file, '#', into)
    if (name === undefined) return readRecords([file], '#', into)
    readRecords(file[name], `#/${name}`, into)
    into.losses.add('aspects-dropped', Object.keys(file).length - 1)
  }
}

/** The members of an object that may contain the records, as in the results of ArangoDB (`result`) and pandas (`data`). */
const LISTS = ['edges', 'links', 'data', 'result', 'records', 'rows']

/** Returns the member names in an object's list of records. */
function namesWithin(text: string): Set<string> {
  const { names } = topNames(text.startsWith('{') ? text : '')
  const list = LISTS.find((name) => names.has(name))
  const start = list === undefined ? -1 : text.indexOf('[', text.indexOf(`"${list}"`))
  return topNames(start < 0 ? '' : text.slice(start)).names
}

type Json = Record<string, unknown>

/** The maximum number of records to examine for edge endpoints, and of member names in those records. */
const SAMPLE = 10_000
const COLUMNS = 200

/** The names of the members that contain the ends of an edge. */
interface Ends {
  source: string
  target: string
}

/** Adds an edge for each record, and a node for each record without endpoints and for each endpoint that is not yet a node. */
export function readRecords(list: unknown, pointer: string, into: GraphBuilder) {
  into.placeOf = (_kind, index) => `${pointer}/${index}`
  const all = [...objects(list, pointer, into)]
  const sample = all.slice(0, SAMPLE).map(([, record]) => record)
  const names = namesOf(sample)
  const ends = chosenEnds(names, into) ?? endsIn(names, sample)
  into.table = { kind: 'edges', columns: names }
  if (!ends) {
    const some = names.slice(0, 12).map(quote).join(', ')
    const detail = `has records with the members ${some}. It is unclear which two are the endpoints of edges: choose sourceColumn and targetColumn`
    throw new Unreadable(pointer, 'ends-unclear', detail)
  }
  const { source, target } = ends
  const basis = into.columns.source === undefined ? 'names' : 'choice'
  Object.assign(into.table, { sourceColumn: source, targetColumn: target, basis })
  const nodes = new Set<string>()
  const areEdges = (record: Json) => record[source] !== undefined || record[target] !== undefined
  for (const [index, record] of all) if (!areEdges(record)) addNode(record, index, nodes, into)
  const hasNodes = nodes.size > 0
  const addEnd = (value: unknown, index: number) => {
    const id = idOf(isRecord(value) ? value.id : value, into)
    if (id !== undefined && !nodes.has(id)) {
      nodes.add(id)
      into.addNode(id, index)
      if (hasNodes) into.losses.addNamed('node-not-in-table', quote(id))
    }
    return id as string
  }
  const relation = relationOf(names, ends)
  for (const [index, record] of all) {
    if (!areEdges(record)) continue
    const { [source]: from, [target]: to, ...rest } = record
    if (Array.isArray(from) || Array.isArray(to)) {
      into.fault(
        `${pointer}/${index}`,
        'wrong-type',
        'has a list in place of an endpoint: write a record for each edge'
      )
      continue
    }
    const edge = into.addEdge(addEnd(from, index), addEnd(to, index), index, edgeAttributes(rest, relation), edges)
    const id = ID.map((name) => rest[name]).find((value) => value !== undefined && value !== null)
    if (id !== undefined) edge.id = idOf(id, into) ?? (id as string)
  }
}

const edges = { ...tableVocabulary, directed: true }

/** The members that may contain an id. ArangoDB's is `_id`. */
const ID = ['id', '_id', '~id']

/** The attributes whose names may be in upper case. */
const MEANT = /^(?:label|relation|weight|directed)$/i

function* edgeAttributes(record: Json, relation: string | undefined): Generator<[string, unknown]> {
  for (const name in record) {
    if (ID.includes(name)) continue
    yield [name === relation ? 'relation' : MEANT.test(name) ? name.toLowerCase() : name, record[name]]
  }
}

function addNode(record: Json, index: number, nodes: Set<string>, into: GraphBuilder) {
  const key = ID.find((name) => record[name] !== undefined)
  if (key === undefined)
    return into.fault(`${into.placeOf('nodes', index)}`, 'required', 'has neither endpoints nor an id')
  const { [key]: given, ...rest } = record
  const id = idOf(given, into) as string
  nodes.add(id)
  into.addNode(id, index, Object.entries(rest), { label: rest.label === undefined ? 'name' : 'label' })
}

/** Returns the name of the member with the relation: a name that tools use for relations, or `type`. */
function relationOf(names: readonly string[], { source, target }: Ends) {
  const others = names.filter((name) => name !== source && name !== target)
  const index = relationIn(others)
  return index === undefined ? others.find((name) => name.toLowerCase() === 'type') : others[index]
}

function namesOf(sample: readonly Json[]) {
  const names = new Set<string>()
  for (const record of sample) {
    for (const name in record) {
      if (names.size >= COLUMNS) return [...names]
      names.add(name)
    }
  }
  return [...names]
}

/** Returns the members that the caller chose. */
function chosenEnds(names: readonly string[], into: GraphBuilder): Ends | undefined {
  const { source, target } = into.columns
  if (source === undefined && target === undefined) return undefined
  if (source === undefined || target === undefined) {
    throw new Unreadable('#', 'required', 'needs both sourceColumn and targetColumn, or neither')
  }
  for (const name of [source, target]) {
    if (!names.includes(name)) throw new Unreadable('#', 'unknown-column', `has no member ${quote(name)}`)
  }
  return { source, target }
}

/** Returns the members that are endpoints according to their names, unless their values suggest otherwise. */
function endsIn(names: readonly string[], sample: readonly Json[] = []): Ends | undefined {
  if (names.includes('_from') && names.includes('_to')) return { source: '_from', target: '_to' }
  const rows = sample.map((record) => ({ cells: names.map((name) => cellOf(record[name])), at: 0 }))
  const isData = (index: number) => rows.some(({ cells }) => cells[index] === names[index])
  const ends = endsByName(names, isData, rows)
  return ends && { source: names[ends.source] as string, target: names[ends.target] as string }
}

function cellOf(value: unknown) {
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : ''
}
