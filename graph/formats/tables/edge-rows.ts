import type { Edge } from '../../../schemas/graph-content.ts'
import { type GraphBuilder, quote, Unreadable } from '../shared/graph-builder.ts'
import { isErrorValue } from '../shared/number-forms.ts'
import type { Row } from './csv-rows.ts'
import type { Ends } from './ends.ts'
import { type TableHeader, type TextOf, tableVocabulary, withSpace } from './header.ts'
import { directionOf, isForeignType, isForeignWeight } from './languages.ts'
import { neo4jColumn, relationIn } from './names.ts'
import { attributeColumns, fits, isColumnOfNumbers, valuesOf } from './values.ts'

/** A table of edges: the rows below the header, and the columns with the endpoints. */
interface EdgeTable {
  header: TableHeader
  hasHeader: boolean
  ends: Ends
  rows: readonly Row[]
  delimiter: string
  textOf: TextOf
  /** Whether the file is an edge list, whose columns have no names. */
  isList: boolean
  /** Whether an id occurs in two of Neo4j's id spaces, if this is known from other tables. */
  areShared?: boolean | undefined
}

/**
 * Adds an edge for each row, and a node for each endpoint that does not exist yet. Throws Unreadable if there are too many edges.
 */
export function readEdges(table: EdgeTable, into: GraphBuilder) {
  const { header, rows, delimiter, textOf } = table
  const most = into.limits.maxEdges
  if (rows.length > most) throw new Unreadable(rows[most]?.at, 'too-many-edges', `has more than ${most} edges`)
  const columns = edgeColumns(table, into)
  readEdgeRows(rows, columns, header.width, delimiter, idsFor(table, into), textOf, into)
}

/** Determines the meaning of each column in a table of edges. Columns without a meaning become attributes. */
function edgeColumns(table: EdgeTable, into: GraphBuilder): EdgeColumns {
  const { ends, hasHeader, rows, delimiter, textOf, isList } = table
  const header = table.header.cells
  const others = header.map((_, index) => index).filter((index) => index !== ends.source && index !== ends.target)
  if (!hasHeader) {
    // In an edge list without a header, a third column is the weight if it contains numbers, and the relation if it contains
    // text.
    const isTimed = isList && header.length === 4 && isColumnOfNumbers(rows, 2, delimiter) && areTimestamps(rows, 3)
    const nameOf = (index: number) =>
      header.length > 3 && !(isTimed && index === 2)
        ? `column ${index + 1}`
        : isColumnOfNumbers(rows, index, delimiter)
          ? 'weight'
          : 'relation'
    return { ...ends, attributes: others.map((index) => [index, nameOf(index)]) }
  }
  const lower = header.map((cell) => textOf(cell).trim().toLowerCase())
  const isGephi = lower[ends.source] === 'source' && lower[ends.target] === 'target'
  const find = (isIt: (index: number) => boolean) => others.find(isIt)
  const id = find((index) => lower[index] === 'id' || (!isGephi && lower[index] === '~id'))
  const nameAt = (index: number) => lower[index] as string
  const kind = find((index) => lower[index] === 'type') ?? find((index) => isForeignType(nameAt(index)))
  const weight = lower.includes('weight') ? undefined : find((index) => isForeignWeight(nameAt(index)))
  const isDirection = kind !== undefined && hasDirections(rows, kind)
  const isTaken = others.some((index) => lower[index] === 'relation')
  const named = isGephi || isTaken ? undefined : relationIn(header)
  const relation = named !== ends.source && named !== ends.target ? named : undefined
  const attributes: [number, string][] = []
  const seen = new Set<string>()
  for (const index of others) {
    const isKind = index === kind && !isDirection
    const name =
      index === relation || (isKind && relation === undefined && !isTaken)
        ? 'relation'
        : index === weight
          ? 'weight'
          : table.header.attributeName(index)
    table.header.refuseTwice(name, seen, into)
    if (index !== id && !(index === kind && isDirection)) attributes.push([index, name])
  }
  return { ...ends, id, type: isDirection ? kind : undefined, attributes }
}

/**
 * Returns functions that map both endpoints to ids. Neo4j has id spaces. If two id spaces have an id in common, every id is
 * prefixed with the name of its space.
 */
function idsFor({ header, ends, rows, textOf, areShared }: EdgeTable, into: GraphBuilder) {
  const { source, target } = ends
  const [from, to] = [source, target].map((index) => neo4jColumn(header.cells[index] ?? '')?.group)
  const haveCommon = () => {
    if (from === undefined || to === undefined || from === to) return false
    const sources = new Set(rows.map(({ cells }) => cells[source]))
    return rows.some(({ cells }) => sources.has(cells[target]))
  }
  const areSpaced = areShared ?? haveCommon()
  const idIn = (space: string | undefined) =>
    areSpaced && space !== undefined ? withSpace(space, textOf, into) : textOf
  return { source: idIn(from), target: idIn(to) }
}

/** Returns whether the column contains Unix timestamps, which KONECT writes after the weight. 0 means unknown. */
function areTimestamps(rows: readonly Row[], index: number) {
  return rows.every(({ cells }) => /^(?:0|\d{9,10})$/.test(cells[index] ?? ''))
}

interface EdgeColumns extends Ends {
  id?: number | undefined
  type?: number | undefined
  attributes: [index: number, name: string][]
}

const DIRECTION = /^(?:un)?directed$|^mutual$/i

/**
 * Returns whether the column `Type` contains directions. If no cell contains one in English, or some cell contains none in any
 * language, the column has another meaning.
 */
function hasDirections(rows: readonly Row[], index: number) {
  if (rows.some(({ cells }) => DIRECTION.test((cells[index] ?? '').trim()))) return true
  return rows.every(({ cells }) => (cells[index] ?? '') === '' || directionOf(cells[index] as string) !== undefined)
}

function readEdgeRows(
  rows: readonly Row[],
  { source, target, id, type, attributes: names }: EdgeColumns,
  width: number,
  delimiter: string,
  ids: { source: TextOf; target: TextOf },
  textOf: TextOf,
  into: GraphBuilder
) {
  const attributes = attributeColumns(rows, names, delimiter, into.losses)
  // If there is also a table of nodes, some nodes already exist.
  const isBesideNodes = into.table?.idColumn !== undefined
  const seen = new Set(into.content.nodes.map(({ id }) => id))
  const nodeOf = (name: string, at: number) => {
    if (!seen.has(name)) {
      seen.add(name)
      into.addNode(name, at)
      if (isBesideNodes) into.losses.addNamed('node-not-in-table', quote(name))
    }
    return name
  }
  const directions = new Map<number, boolean>()
  const words = new Map<string, ReturnType<typeof directionOf>>()
  for (const { cells, at } of rows) {
    if (!fits(cells, width, at, into)) continue
    const [from, to] = [endIn(cells[source]), endIn(cells[target])]
    if (from === '' || to === '') {
      into.fault(at, 'required', `an edge has no ${from === '' ? 'source' : 'target'}`)
      continue
    }
    const ends = [nodeOf(ids.source(from), at), nodeOf(ids.target(to), at)] as const
    const edge = into.addEdge(...ends, at, valuesOf(cells, attributes, textOf), tableVocabulary)
    const edgeId = id === undefined ? undefined : cells[id]
    if (edgeId !== undefined && edgeId !== '') edge.id = textOf(edgeId)
    const word = (type === undefined ? '' : (cells[type] ?? '')).trim().toLowerCase()
    if (!words.has(word)) words.set(word, directionOf(word))
    const direction = words.get(word)
    if (direction === 'directed' || direction === 'undirected')
      directions.set(into.content.edges.length - 1, direction === 'directed')
    else if (direction === 'mutual') {
      directions.set(into.content.edges.length - 1, true)
      into.addReverse(edge, at)
      directions.set(into.content.edges.length - 1, true)
    } else if (word !== '') {
      into.fault(
        at,
        'not-allowed',
        `Type must be Directed, Undirected or Mutual, not ${JSON.stringify(word.slice(0, 40))}`,
        edge
      )
    }
  }
  setDirections(directions, into)
}

/** Returns the cell with an edge endpoint, or an empty string for a spreadsheet error, such as #N/A. */
function endIn(cell = '') {
  return isErrorValue(cell) ? '' : cell
}

/**
 * Sets the direction of edges that specify one. All other edges get the default: directed, unless every specified direction is
 * undirected.
 */
export function setDirections(directions: Map<number, boolean>, into: GraphBuilder) {
  const known = [...directions.values()]
  into.directed = known.length === 0 || known.includes(true)
  for (const [index, directed] of directions) {
    if (directed !== into.directed) Object.assign(into.content.edges[index] as Edge, { directed })
  }
}
