import type { Edge } from '../../schemas/graph-content.ts'
import type { ImportTable } from '../../schemas/graph-file.ts'
import type { Vocabulary } from './attributes.ts'
import type { Row } from './csv-rows.ts'
import { type GraphBuilder, quote, Unreadable } from './graph-builder.ts'
import { matrixIn, readMatrix } from './matrix.ts'
import { areDates, areIntervals, type Ends, isOfFewValues } from './table-ends.ts'
import { areAlike, endsByContent, isAboveNumbers, looksLikeHeader } from './table-guess.ts'
import { endsByName, measuresIn, neo4jColumn, nodeIdIn, plainNameOf, relationIn, timesIn } from './table-names.ts'
import { attributeColumns, countCell, isNumber, noCells, typeOf, valuesOf } from './table-values.ts'

/** The columns with a meaning in tables of edges, in lower case. */
const MEANT = ['source', 'target', 'type', 'id', 'label', 'relation', 'weight']
export const tableVocabulary: Vocabulary = {
  taken: new Set(MEANT),
  nameFor: (name, isTaken) =>
    (isTaken && name !== 'weight') || name === '' || name.startsWith('metadata.') ? `metadata.${name}` : name
}

/** Returns the text of a cell without escapes. */
type TextOf = (cell: string) => string

/** A table that was read row by row. */
export interface Table {
  rows: Iterable<Row>
  /** The names of the columns, where a comment before the table has them. */
  header?: Row | undefined
  delimiter: string
  textOf: TextOf
  /** The same, without counting losses. */
  peek: TextOf
  /** Whether it is a list, whose first two columns are the ends unless names say otherwise. */
  isList?: boolean
  /** Whether edges without a direction are undirected. */
  isUndirected?: boolean
}

/**
 * Reads a table of edges, a table of nodes, or a matrix. The ends of edges are the columns that the caller chooses,
 * else those with known names, else those that share values. Throws Unreadable where none of these is plain.
 */
export function readTable(table: Table, into: GraphBuilder) {
  openTable(table, into).read()
}

/** Prepares the reading of a table. Throws Unreadable if it has no rows, or more than any table may have. */
export function openTable(table: Table, into: GraphBuilder): TableReader {
  const { maxNodes, maxEdges } = into.limits
  const all = upTo(Math.max(maxNodes, maxEdges) + 1, table.rows)
  const first = table.header ?? all[0]
  if (!first) throw new Unreadable(0, 'required', 'has no rows')
  const isRow = table.header === undefined
  // Rows with a delimiter at their end, and those of R without a value in the last column, look the same.
  if (isRow && isNumbered(first, all) && hasEmptyEnds(all)) into.losses.add('header-guessed')
  return new TableReader(table, into, withRowNames(first, all, isRow), all)
}

/** Returns the first row. R leaves out the name of the first column, which has names or numbers of rows. */
function withRowNames(first: Row, all: readonly Row[], isRow: boolean): Row {
  const below = all.slice(1)
  const width = first.cells.length + 1
  if (!isRow || below.length === 0 || first.cells.some((cell) => isNumber(cell))) return first
  const names = new Set(first.cells)
  const isMatrix = below.length === width - 1 && below.every(({ cells }) => names.has(cells[0] as string))
  const hasRowNames =
    ((isNumbered(first, all) && !hasEmptyEnds(all)) || isMatrix) && below.every(({ cells }) => cells.length === width)
  return hasRowNames ? { cells: ['', ...first.cells], at: first.at } : first
}

/** Tells whether the rows below have one cell more than the first one, and begin with their numbers. */
function isNumbered(first: Row, all: readonly Row[]) {
  const width = first.cells.length + 1
  return all.every(({ cells }, index) => index === 0 || (cells.length === width && cells[0] === String(index)))
}

/** Tells whether all rows but the first end with an empty cell. */
function hasEmptyEnds(all: readonly Row[]) {
  return all.length > 1 && all.every(({ cells }, index) => index === 0 || cells.at(-1) === '')
}

/** Reads one table. */
export class TableReader {
  readonly #into: GraphBuilder
  readonly #textOf: TextOf
  readonly #peek: TextOf
  readonly #delimiter: string
  /** The first row, or the names of columns in a comment. */
  readonly #first: Row
  /** All rows, and those without the first one. */
  readonly #all: Row[]
  readonly #below: Row[]
  readonly #isInComment: boolean
  readonly #isList: boolean
  readonly #isUndirected: boolean
  #typed: boolean | undefined

  constructor(
    { header, delimiter, textOf, peek, isList = false, isUndirected = false }: Table,
    into: GraphBuilder,
    first: Row,
    all: Row[]
  ) {
    this.#into = into
    this.#textOf = textOf
    this.#peek = peek
    this.#delimiter = delimiter
    this.#first = first
    this.#all = all
    this.#isInComment = header !== undefined
    this.#isList = isList
    this.#isUndirected = isUndirected
    this.#below = header ? all : all.slice(1)
  }

  /** Tells whether the table may be the one of nodes beside one of edges: it has a column of ids, and no ends of edges. */
  get mayBeNodes() {
    return !this.#namedEnds && this.#id !== undefined
  }

  /** Tells whether the table may be the one of edges beside one of nodes: it has the chosen ends, or known names of ends. */
  get mayBeEdges() {
    const { source, target } = this.#into.columns
    if (source === undefined && target === undefined) return this.#namedEnds !== undefined
    return [source, target].every((name) => name === undefined || this.#find(name) !== undefined)
  }

  /** Reads a table that may have nodes. */
  readNodes() {
    this.#readNodes(this.#id as number)
  }

  /** Reads a table that may have edges, beside nodes that are known. */
  readEdges() {
    const chosen = this.#chosenEnds()
    if (chosen) this.#readEdges(chosen.ends, chosen.hasHeader, 'choice')
    else this.#readEdges(this.#namedEnds as Ends, true, 'names')
  }

  read() {
    const header = this.#first.cells
    const { id: idColumn, source, target } = this.#into.columns
    if (idColumn !== undefined) {
      this.#report('nodes', this.#namesOf(true))
      if (source !== undefined || target !== undefined) {
        const detail = 'has either nodes or edges: choose idColumn, or sourceColumn and targetColumn'
        throw new Unreadable(this.#first.at, 'not-allowed', detail)
      }
      const id = this.#find(idColumn)
      if (!id) throw this.#unknownColumn(idColumn)
      return this.#readNodes(id.index)
    }
    const chosen = this.#chosenEnds()
    if (chosen) return this.#readEdges(chosen.ends, chosen.hasHeader, 'choice')
    const named = this.#namedEnds
    if (named) return this.#readEdges(named, true, 'names')
    const id = this.#id
    const matrix = matrixIn(this.#first, this.#all, this.#below)
    if (matrix) {
      this.#report('matrix', this.#namesOf(false))
      if (matrix === 'numbers') this.#into.losses.add('header-guessed')
      return readMatrix(matrix, this.#first, matrix === 'numbers' ? this.#all : this.#below, this.#textOf, this.#into)
    }
    if (id !== undefined) {
      this.#refuseEdges(id)
      return this.#readNodes(id)
    }
    if (header.length < 2) {
      throw new Unreadable(this.#first.at, 'required', 'has one column, but edges need two ends')
    }
    const usual = { source: 0, target: 1 }
    if (this.#isList) {
      const hasHeader = isAboveNumbers(this.#first, this.#below)
      const isPlain = header.length === 2 || areAlike(hasHeader ? this.#below : this.#all, usual)
      if (isPlain) return this.#readEdges(usual, hasHeader, 'order')
      throw this.#endsUnclear(hasHeader)
    }
    this.#into.losses.add('header-guessed')
    const hasHeader = this.#isInComment || looksLikeHeader(this.#first, this.#below)
    const shared = endsByContent(hasHeader ? this.#below : this.#all, header.length, hasHeader, [
      ...timesIn(header, this.#below),
      ...(hasHeader ? measuresIn(header, this.#below) : [])
    ])
    if (shared === 'unclear') throw this.#endsUnclear(hasHeader)
    if (shared) return this.#readEdges(shared, hasHeader, 'content')
    const rows = hasHeader ? this.#below : this.#all
    const isWeighted = !hasHeader && header.length === 3 && this.#isWeight(rows, 2)
    const alike = areAlike(rows, usual)
    // Two columns of numbers with unknown names, and nothing in common, are rather measurements.
    const isPlain =
      header.length === 2 && ((alike === 'texts' && !areDates(rows, usual)) || (alike === 'numbers' && !hasHeader))
    if (isPlain || (isWeighted && alike)) return this.#readEdges(usual, hasHeader, 'order')
    throw this.#endsUnclear(hasHeader)
  }

  /** Tells whether the column holds numbers, among which there may be gaps. */
  #isWeight(rows: readonly Row[], index: number) {
    const counts = noCells()
    for (const { cells } of rows) countCell(counts, cells[index] ?? '', this.#delimiter)
    return typeOf('', counts) === 'number'
  }

  /** Refuses a table of nodes two columns of which may be the ends of edges. Nodes that have a name are only reported. */
  #refuseEdges(id: number) {
    const header = this.#first.cells
    const shared = endsByContent(this.#below, header.length, true, [id, ...timesIn(header, this.#below)])
    const ends = shared === 'unclear' ? undefined : shared
    const names = header.map(plainNameOf)
    const [source, target] = [names.indexOf('from'), names.indexOf('to')]
    const areEnds = source >= 0 && target >= 0 && !areIntervals(this.#below, { source, target }, true)
    if (!areEnds && (!ends || isOfFewValues(this.#below, ends) || areAlike(this.#below, ends) !== 'texts')) return
    if (names.some((name) => name === 'label' || name === 'name')) this.#into.losses.add('header-guessed')
    else throw this.#endsUnclear(true)
  }

  /** Returns the columns that the caller has chosen, by their names or numbers. */
  #chosenEnds(): { ends: Ends; hasHeader: boolean } | undefined {
    const { source, target } = this.#into.columns
    if (source === undefined && target === undefined) return undefined
    const { cells } = this.#first
    const isKnown = this.#hasKnownNames
    const placeOf = (name: string) => {
      const place = this.#find(name)
      if (place) return place
      this.#report('edges', this.#namesOf(true))
      throw this.#unknownColumn(name)
    }
    if (source === undefined || target === undefined) {
      this.#report('edges', this.#namesOf(true))
      throw new Unreadable(this.#first.at, 'required', 'needs both sourceColumn and targetColumn, or neither')
    }
    const [from, to] = [placeOf(source), placeOf(target)]
    const ends = { source: from.index, target: to.index }
    if (isKnown || ((from.isName || to.isName) && !isNumber(cells[from.index] ?? ''))) return { ends, hasHeader: true }
    this.#into.losses.add('header-guessed')
    return { ends, hasHeader: looksLikeHeader(this.#first, this.#below) }
  }

  /** The ends of edges by the names of columns, if these are known. */
  get #namedEnds() {
    const header = this.#first.cells
    const isData = (index: number) => this.#below.some(({ cells }) => cells[index] === header[index])
    return endsByName(header, isData, this.#below)
  }

  /** The column with the ids of nodes: the one that the caller chooses, else one with a known name. */
  get #id() {
    const { id } = this.#into.columns
    return id === undefined ? nodeIdIn(this.#first.cells) : this.#find(id)?.index
  }

  get #hasKnownNames() {
    const { cells } = this.#first
    return this.#isInComment || endsByName(cells, () => false) !== undefined || nodeIdIn(cells) !== undefined
  }

  /** Returns the column that the caller names, or whose number from 1 it gives. */
  #find(name: string): { index: number; isName: boolean } | undefined {
    const { cells } = this.#first
    // Numbers in the first row are no names of columns.
    const isData = !this.#hasKnownNames && cells.some((cell) => isNumber(cell))
    const texts = cells.map((cell) => this.#peek(cell))
    const plain = name.trim().toLowerCase()
    const exact = texts.indexOf(name)
    const index = exact >= 0 ? exact : texts.findIndex((text) => text.trim().toLowerCase() === plain)
    const number = Number(/^(?:column )?(\d{1,6})$/.exec(plain)?.[1] ?? 0)
    const isPlace = number >= 1 && number <= cells.length
    if (index >= 0 && plain !== '' && !(isPlace && isData)) return { index, isName: true }
    return isPlace ? { index: number - 1, isName: false } : undefined
  }

  #unknownColumn(name: string) {
    const detail = `has no column ${quote(name)}, but ${this.#columnList(true)}`
    return new Unreadable(this.#first.at, 'unknown-column', detail)
  }

  #endsUnclear(hasHeader: boolean) {
    this.#report('edges', this.#namesOf(hasHeader))
    const detail = `has ${this.#columnList(hasHeader)}, and neither their names nor their contents tell which two are the ends of edges: choose them by sourceColumn and targetColumn`
    return new Unreadable(this.#first.at, 'ends-unclear', detail)
  }

  #columnList(hasHeader: boolean) {
    const names = this.#namesOf(hasHeader)
    const some = names.slice(0, 12).map(quote).join(', ')
    return `the columns ${some}${names.length > 12 ? ` and ${names.length - 12} more` : ''}`
  }

  /** The names of the columns for people. */
  #namesOf(hasHeader: boolean) {
    return this.#first.cells.map((cell, index) => (hasHeader && cell !== '' ? this.#peek(cell) : `column ${index + 1}`))
  }

  #report(kind: ImportTable['kind'], names: string[], { ends, id, basis }: Taken = {}) {
    this.#into.table = {
      kind,
      columns: kind === 'matrix' ? [] : names.slice(0, 200).map(cutName),
      ...(ends && { sourceColumn: cutName(names[ends.source]), targetColumn: cutName(names[ends.target]) }),
      ...(id !== undefined && { idColumn: cutName(names[id]) }),
      ...(basis && { basis })
    }
  }

  #readEdges(ends: Ends, hasHeader: boolean, basis: NonNullable<ImportTable['basis']>) {
    const into = this.#into
    const { cells: header } = this.#first
    // Beside a table of nodes, the report has their ids as well.
    const { idColumn } = into.table ?? {}
    this.#report('edges', this.#namesOf(hasHeader), { ends, basis })
    if (into.table && idColumn !== undefined) into.table.idColumn = idColumn
    if (ends.source === ends.target) {
      into.fault(this.#first.at, 'not-allowed', 'needs two columns for the ends of edges, not one')
      return
    }
    const rows = hasHeader ? this.#below : this.#all
    const most = into.limits.maxEdges
    if (rows.length > most) throw new Unreadable(rows[most]?.at, 'too-many-edges', `has more than ${most} edges`)
    const columns = this.#edgeColumns(ends, hasHeader, rows)
    readEdgeRows(rows, columns, header.length, this.#delimiter, this.#idsFor(ends, rows), this.#textOf, into)
    if (this.#isUndirected && into.content.edges.every(({ directed }) => directed === undefined)) into.directed = false
  }

  /** Returns the columns of edges by their meaning, and the others as attributes. */
  #edgeColumns(ends: Ends, hasHeader: boolean, rows: Row[]): EdgeColumns {
    const header = this.#first.cells
    const others = header.map((_, index) => index).filter((index) => index !== ends.source && index !== ends.target)
    if (!hasHeader) {
      // In lists of edges without a header, a third column of numbers is the weight, and one of text the relation.
      const isTimed = this.#isList && header.length === 4 && this.#isWeight(rows, 2) && areTimestamps(rows, 3)
      const nameOf = (index: number) =>
        header.length > 3 && !(isTimed && index === 2)
          ? `column ${index + 1}`
          : this.#isWeight(rows, index)
            ? 'weight'
            : 'relation'
      return { ...ends, attributes: others.map((index) => [index, nameOf(index)]) }
    }
    const lower = header.map((cell) => this.#textOf(cell).trim().toLowerCase())
    const isGephi = lower[ends.source] === 'source' && lower[ends.target] === 'target'
    const find = (isIt: (index: number) => boolean) => others.find(isIt)
    const id = find((index) => lower[index] === 'id' || (!isGephi && lower[index] === '~id'))
    const kind = find((index) => lower[index] === 'type')
    const isDirection = kind !== undefined && hasDirections(rows, kind)
    const isTaken = others.some((index) => lower[index] === 'relation')
    const named = isGephi || isTaken ? undefined : relationIn(header)
    const relation = named !== ends.source && named !== ends.target ? named : undefined
    const attributes: [number, string][] = []
    const seen = new Set<string>()
    for (const index of others) {
      const isKind = index === kind && !isDirection
      const name =
        index === relation || (isKind && relation === undefined && !isTaken) ? 'relation' : this.#nameOf(index, MEANT)
      this.#refuseTwice(name, seen)
      if (index !== id && !(index === kind && isDirection)) attributes.push([index, name])
    }
    return { ...ends, id, type: isDirection ? kind : undefined, attributes }
  }

  /** Returns the name of a column as an attribute; one with a meaning in lower case. */
  #nameOf(index: number, meant: readonly string[]) {
    const text = this.#peek(this.#first.cells[index] as string)
    const lower = text.trim().toLowerCase()
    if (meant.includes(lower)) return lower
    if (text === '') return `column ${index + 1}`
    const { kind } = neo4jColumn(text) ?? {}
    if (kind === 'LABEL' || lower === '~label') return 'labels'
    // Neo4j and Neptune name types: `year:int`.
    const [, name, type] = /^([^:]+):([a-z]+)(?:\(\w+\))?(?:\[\])?$/i.exec(text) ?? []
    return name && type && TYPES.has(type.toLowerCase()) && this.#hasTypes() ? name : text
  }

  /** Tells whether the header is one of Neo4j or Neptune. */
  #hasTypes(): boolean {
    this.#typed ??= this.#first.cells.some((cell) => neo4jColumn(cell) || /^~(?:id|from|to)$/i.test(cell))
    return this.#typed
  }

  #refuseTwice(name: string, seen: Set<string>) {
    if (seen.has(name)) {
      const detail = `has two columns named ${JSON.stringify(name.slice(0, 40))}`
      this.#into.fault(this.#first.at, 'duplicate-column', detail)
    }
    seen.add(name)
  }

  /** Returns functions for the ids of both ends. Neo4j has spaces of ids; where two share an id, their names keep them apart. */
  #idsFor({ source, target }: Ends, rows: Row[]): { source: TextOf; target: TextOf } {
    const textOf = this.#textOf
    const [from, to] = [source, target].map((index) => neo4jColumn(this.#first.cells[index] ?? '')?.group)
    if (from === undefined || to === undefined || from === to) return { source: textOf, target: textOf }
    const sources = new Set(rows.map(({ cells }) => cells[source]))
    if (!rows.some(({ cells }) => sources.has(cells[target]))) return { source: textOf, target: textOf }
    const within = (group: string) => (cell: string) => {
      this.#into.losses.add('id-replaced')
      return `${group}:${textOf(cell)}`
    }
    return { source: within(from), target: within(to) }
  }

  #readNodes(id: number) {
    const into = this.#into
    this.#report('nodes', this.#namesOf(true), { id, basis: into.columns.id === undefined ? 'names' : 'choice' })
    const most = into.limits.maxNodes
    const rows = this.#below
    if (rows.length > most) throw new Unreadable(rows[most]?.at, 'too-many-nodes', `has more than ${most} nodes`)
    for (const cell of this.#first.cells) this.#textOf(cell)
    const names: [number, string][] = []
    const seen = new Set<string>()
    for (const [index] of this.#first.cells.entries()) {
      const name = index === id ? 'id' : this.#nameOf(index, MEANT)
      this.#refuseTwice(name, seen)
      if (index !== id) names.push([index, name])
    }
    const attributes = attributeColumns(rows, names, this.#delimiter, into.losses)
    for (const { cells, at } of rows) {
      if (!fits(cells, this.#first.cells.length, at, into)) continue
      into.addNode(this.#textOf(cells[id] ?? ''), at, valuesOf(cells, attributes, this.#textOf))
    }
  }
}

/** Types in the headers of Neo4j and Neptune. */
const TYPES = new Set([
  'int',
  'integer',
  'long',
  'short',
  'byte',
  'float',
  'double',
  'boolean',
  'bool',
  'char',
  'string',
  'date',
  'datetime',
  'localdatetime',
  'time',
  'localtime',
  'duration',
  'point'
])

/** Tells whether the column holds seconds since 1970, as KONECT writes them behind the weight; 0 if the time is unknown. */
function areTimestamps(rows: readonly Row[], index: number) {
  return rows.every(({ cells }) => /^(?:0|\d{9,10})$/.test(cells[index] ?? ''))
}

/** The columns that were taken, and the reason. */
interface Taken {
  ends?: Ends
  id?: number
  basis?: ImportTable['basis']
}

interface EdgeColumns extends Ends {
  id?: number | undefined
  type?: number | undefined
  attributes: [index: number, name: string][]
}

const DIRECTION = /^(?:un)?directed$|^mutual$/i

/** Tells whether the column Type holds directions. A column that has none of them is another one of that name. */
function hasDirections(rows: readonly Row[], index: number) {
  const isFilled = ({ cells }: Row) => (cells[index] ?? '') !== ''
  return !rows.some(isFilled) || rows.some(({ cells }) => DIRECTION.test((cells[index] ?? '').trim()))
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
  // Beside a table of nodes, some are known.
  const isBesideNodes = into.table?.idColumn !== undefined
  const seen = new Set(into.content.nodes.map(({ id }) => id))
  const nodeOf = (name: string, at: number) => {
    if (!seen.has(name)) {
      seen.add(name)
      into.addNode(name, at)
      if (isBesideNodes) into.losses.add('node-not-in-table')
    }
    return name
  }
  const directions = new Map<number, boolean>()
  for (const { cells, at } of rows) {
    if (!fits(cells, width, at, into)) continue
    const [from = '', to = ''] = [cells[source], cells[target]]
    if (from === '' || to === '') {
      into.fault(at, 'required', `an edge has no ${from === '' ? 'source' : 'target'}`)
      continue
    }
    const ends = [nodeOf(ids.source(from), at), nodeOf(ids.target(to), at)] as const
    const edge = into.addEdge(...ends, at, valuesOf(cells, attributes, textOf), tableVocabulary)
    const edgeId = id === undefined ? undefined : cells[id]
    if (edgeId !== undefined && edgeId !== '') edge.id = textOf(edgeId)
    const direction = (type === undefined ? '' : (cells[type] ?? '')).trim().toLowerCase()
    if (direction === 'directed' || direction === 'undirected')
      directions.set(into.content.edges.length - 1, direction === 'directed')
    else if (direction === 'mutual') {
      directions.set(into.content.edges.length - 1, true)
      into.addReverse(edge, at)
      directions.set(into.content.edges.length - 1, true)
    } else if (direction !== '') {
      into.fault(
        at,
        'not-allowed',
        `Type is Directed, Undirected or Mutual, not ${JSON.stringify(direction.slice(0, 40))}`
      )
    }
  }
  setDirections(directions, into)
}

/** Sets the direction of edges that have one. The others have that of these; if none has one, they are directed. */
export function setDirections(directions: Map<number, boolean>, into: GraphBuilder) {
  const known = [...directions.values()]
  into.directed = known.length === 0 || known.includes(true)
  for (const [index, directed] of directions) {
    if (directed !== into.directed) Object.assign(into.content.edges[index] as Edge, { directed })
  }
}

function fits(cells: readonly string[], width: number, at: number, into: GraphBuilder) {
  if (cells.length <= width || cells.slice(width).every((cell) => cell === '')) return true
  into.fault(at, 'too-many-cells', `has ${cells.length} cells, but there are ${width} columns`)
  return false
}

/** Returns the rows, or throws if there are more than any table may have. */
function upTo(most: number, rows: Iterable<Row>): Row[] {
  const all: Row[] = []
  for (const row of rows) {
    if (all.length > most) throw new Unreadable(row.at, 'too-many-edges', `has more than ${most} rows`)
    all.push(row)
  }
  return all
}

/** Tells whether the comments say that edges have no direction, as SNAP and KONECT do. */
export function areUndirected(comments: string) {
  return /^#[ \t]*undirected\b|^%[ \t]*sym\b/im.test(comments)
}

/** Returns the name of a column for reports and headers, without a half of a character at its end. */
function cutName(name = ''): string {
  return name.slice(0, 255).replace(/[\ud800-\udbff]$/, '')
}
