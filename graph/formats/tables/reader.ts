import type { ImportTable } from '../../../schemas/graph-file.ts'
import { isNumber } from '../shared/cell-types.ts'
import { type GraphBuilder, Unreadable } from '../shared/graph-builder.ts'
import type { Row } from './csv-rows.ts'
import { readEdges } from './edge-rows.ts'
import { areIntervals, type Ends, hasDates, isOfFewValues } from './ends.ts'
import { areLinked, areNumberedNodes, endsWithin, mayBeIds } from './evidence.ts'
import { areAlike, areStatements, endsByContent, headingIn, isAboveNumbers, looksLikeHeader } from './guess.ts'
import { cutName, hasEmptyEnds, isNumbered, TableHeader, type TextOf, withRowNames } from './header.ts'
import { plainNameOf } from './languages.ts'
import { isSquareOfBits, matrixIn, readMatrix } from './matrix.ts'
import { endsByName, measuresIn, neo4jColumn, nodeIdIn, timesIn, uniqueIdIn } from './names.ts'
import { readNodes } from './node-rows.ts'
import { isAdjacencyList, type Table, upTo } from './table.ts'
import { isColumnOfNumbers } from './values.ts'

/** The maximum number of columns in a list without names: two endpoints, a weight and a time. */
const WIDEST_LIST = 4

/**
 * Reads a table of edges, a table of nodes, or a matrix. The edge endpoints are in the columns that the caller chooses, or else
 * in columns with known names, or else in columns that share values. Throws Unreadable if they cannot be identified.
 */
export function readTable(table: Table, into: GraphBuilder) {
  openTable(table, into).read()
}

/** Prepares to read a table. Throws Unreadable if it has no rows, or more rows than the limits allow. */
export function openTable(table: Table, into: GraphBuilder): TableReader {
  const { maxNodes, maxEdges } = into.limits
  const all = upTo(Math.max(maxNodes, maxEdges) + 1, table.rows)
  const first = table.header ?? all[0]
  if (!first) throw new Unreadable(0, 'required', 'has no rows')
  const isRow = table.header === undefined
  // Rows that end with a delimiter look like rows written by R with no value in the last column.
  if (isRow && isNumbered(first, all) && hasEmptyEnds(all)) into.losses.add('header-guessed')
  const header = new TableHeader(withRowNames(first, all, isRow), !isRow, table.peek)
  return new TableReader(table, into, header, isRow && header.hasKnownNames ? withoutCopies(all, into) : all)
}

/** Returns the rows except those that repeat the header, as in concatenated files, and counts the repetitions. */
function withoutCopies(all: Row[], into: GraphBuilder) {
  const [first, ...below] = all
  const isCopy = ({ cells }: Row) =>
    cells.length === first?.cells.length && cells.every((cell, index) => cell === first.cells[index])
  const copies = below.filter(isCopy).length
  into.losses.add('header-repeated', copies)
  return copies === 0 ? all : all.filter((row, index) => index === 0 || !isCopy(row))
}

/** Reads one table. */
export class TableReader {
  readonly #into: GraphBuilder
  readonly #textOf: TextOf
  readonly #delimiter: string
  readonly #header: TableHeader
  /** All rows, and all rows except the first. */
  readonly #all: Row[]
  readonly #below: Row[]
  readonly #isList: boolean
  readonly #isUndirected: boolean
  #found: { ends: Ends; hasHeader: boolean } | undefined

  constructor(
    { delimiter, textOf, isList = false, isUndirected = false }: Table,
    into: GraphBuilder,
    header: TableHeader,
    all: Row[]
  ) {
    this.#into = into
    this.#textOf = textOf
    this.#delimiter = delimiter
    this.#header = header
    this.#all = all
    this.#isList = isList
    this.#isUndirected = isUndirected
    this.#below = header.isInComment ? all : all.slice(1)
  }

  /** Whether this may be the table of nodes in a pair: it has an id column, but no edge endpoints. */
  get mayBeNodes() {
    return !this.#namedEnds && this.#id !== undefined
  }

  /** Whether this may be the table of edges in a pair: its endpoints are chosen, or have known names. */
  get mayBeEdges() {
    const { source, target } = this.#into.columns
    if (source === undefined && target === undefined) return this.#namedEnds !== undefined
    return [source, target].every((name) => name === undefined || this.#header.find(name) !== undefined)
  }

  /** Returns whether the id column, or else the first, contains nodes of these edges: whether most of its cells are endpoints. */
  describes(edges: TableReader) {
    const { source, target } = edges.#namedEnds ?? { source: -1, target: -1 }
    const nodes = new Set(edges.#below.flatMap(({ cells }) => [cells[source], cells[target]]))
    return this.ids.filter((id) => nodes.has(id)).length * 2 > this.#below.length
  }

  /** Returns the ids in a table of nodes. If no column is named like an id, the first column contains them. */
  get ids(): string[] {
    const id = this.#id ?? 0
    return this.#below.map(({ cells }) => cells[id] ?? '')
  }

  /** Looks for edge endpoints among these ids. Returns whether two columns contain nothing else, so that readEdges reads them. */
  findEnds(ids: Pick<ReadonlySet<string>, 'has'>): boolean {
    const ends = endsWithin(this.#below, this.width, ids)
    this.#found = ends && { ends, hasHeader: !ids.has(this.#header.cells[ends.source] ?? '') }
    return ends !== undefined
  }

  /** Whether this is a table for Neo4j or Neptune, which mark the id columns. */
  get isTyped() {
    return this.#header.cells.some((cell) => /^~(?:id|from)$/i.test(cell) || /ID$/.test(neo4jColumn(cell)?.kind ?? ''))
  }

  /** Whether a column has a known name for node ids, or was chosen for them. */
  get hasIds() {
    return this.#id !== undefined
  }

  /** Whether a column has a known name for node labels. */
  get hasLabels() {
    return this.#header.cells.map(plainNameOf).some((name) => name === 'label' || name === 'name')
  }

  /** The number of columns. */
  get width() {
    return this.#header.width
  }

  /** Yields the ids in Neo4j's id spaces, each with its space. */
  *spacedIds(): Generator<[space: string, id: string]> {
    for (const [index, cell] of this.#header.cells.entries()) {
      const { kind = '', group } = neo4jColumn(cell) ?? {}
      if (!kind.endsWith('ID') || group === undefined) continue
      for (const { cells } of this.#below) yield [group, cells[index] ?? '']
    }
  }

  /**
   * Reads a table of nodes. If no column is named like an id, the first column contains the ids. `areShared` says whether an id
   * occurs in two of Neo4j's id spaces.
   */
  readNodes(areShared = false) {
    this.#readNodes(this.#id ?? 0, areShared)
  }

  /** Reads a table for which `mayBeEdges` or `findEnds` is true. Its nodes may already exist. */
  readEdges(areShared = false) {
    const chosen = this.#chosenEnds()
    if (chosen) this.#readEdges(chosen.ends, chosen.hasHeader, 'choice', areShared)
    else if (this.#found) {
      this.#into.losses.add('header-guessed')
      this.#readEdges(this.#found.ends, this.#found.hasHeader, 'content', areShared)
    } else this.#readEdges(this.#namedEnds as Ends, true, 'names', areShared)
  }

  read() {
    const header = this.#header.cells
    const { id: idColumn, source, target } = this.#into.columns
    if (idColumn !== undefined) {
      this.#report('nodes', this.#header.namesOf(true))
      if (source !== undefined || target !== undefined) {
        const detail = 'can contain nodes or edges, but not both: choose idColumn, or sourceColumn and targetColumn'
        throw new Unreadable(this.#header.at, 'not-allowed', detail)
      }
      const id = this.#header.find(idColumn)
      if (!id) throw this.#header.unknownColumn(idColumn)
      return this.#readNodes(id.index)
    }
    const chosen = this.#chosenEnds()
    if (chosen) return this.#readEdges(chosen.ends, chosen.hasHeader, 'choice')
    const named = this.#namedEnds
    if (named) return this.#readEdges(named, true, 'names')
    const id = this.#id
    const matrix = matrixIn(this.#header, this.#all, this.#below)
    if (matrix) {
      this.#report('matrix', this.#header.namesOf(false))
      if (matrix === 'numbers') this.#into.losses.add('header-guessed')
      return readMatrix(matrix, this.#header, matrix === 'numbers' ? this.#all : this.#below, this.#textOf, this.#into)
    }
    if (id !== undefined) {
      this.#refuseEdges(id)
      return this.#readNodes(id)
    }
    if (header.length < 2) {
      throw new Unreadable(this.#header.at, 'required', 'has only one column, but edges need two endpoints')
    }
    if (isSquareOfBits(this.#all) || isAdjacencyList(this.#all)) throw this.#endsUnclear(false)
    const usual = { source: 0, target: 1 }
    if (this.#isList) {
      const hasHeader = isAboveNumbers(this.#header, this.#below)
      const rows = hasHeader ? this.#below : this.#all
      const alike = areAlike(rows, usual)
      // Wider lists are more likely to be measurements. So are integers in columns with unknown names.
      const isKnownWidth = header.length === 2 || (alike && (hasHeader || header.length <= WIDEST_LIST))
      const areMeasured =
        alike === 'numbers' &&
        (hasHeader ? header.length > 2 || !areNumberedNodes(rows, usual) : !mayBeIds(rows, usual, header.length))
      if (hasHeader) this.#into.losses.add('header-guessed')
      if (isKnownWidth && !areMeasured && !areStatements(rows, usual)) {
        return this.#readEdges(usual, hasHeader, 'order')
      }
      throw this.#endsUnclear(hasHeader)
    }
    this.#into.losses.add('header-guessed')
    const hasHeader = this.#header.isInComment || looksLikeHeader(this.#header, this.#below)
    const measures = hasHeader ? measuresIn(header, this.#below) : []
    const shared = endsByContent(hasHeader ? this.#below : this.#all, header.length, hasHeader, [
      ...timesIn(header, this.#below),
      ...measures
    ])
    // Columns of yes/no answers also have values in common.
    const areAnswers =
      hasHeader && header.length > 2 && typeof shared === 'object' && isOfFewValues(this.#below, shared)
    if (shared === 'unclear' || areAnswers) throw this.#endsUnclear(hasHeader)
    if (shared) return this.#readEdges(shared, hasHeader, 'content')
    const rows = hasHeader ? this.#below : this.#all
    const isWeighted = !hasHeader && header.length === 3 && isColumnOfNumbers(rows, 2, this.#delimiter)
    const alike = areAlike(rows, usual)
    // Two columns of numbers with unknown names and no values in common are more likely to be measurements.
    const areNames =
      alike === 'texts' &&
      measures.length === 0 &&
      !hasDates(rows, usual) &&
      !areStatements(this.#all, usual) &&
      areLinked(rows, usual, hasHeader)
    const areIds = alike !== undefined && mayBeIds(rows, usual, header.length)
    const isPlain = header.length === 2 && (areNames || (alike === 'numbers' && !hasHeader && areIds))
    if (isPlain || (isWeighted && areIds)) return this.#readEdges(usual, hasHeader, 'order')
    throw this.#endsUnclear(hasHeader)
  }

  /** Rejects a table of nodes if two of its columns may be edge endpoints. If the nodes have names, it only counts a loss. */
  #refuseEdges(id: number) {
    const header = this.#header.cells
    const shared = endsByContent(this.#below, header.length, true, [id, ...timesIn(header, this.#below)])
    const ends = shared === 'unclear' ? undefined : shared
    const names = header.map(plainNameOf)
    const [source, target] = [names.indexOf('from'), names.indexOf('to')]
    const areEnds = source >= 0 && target >= 0 && !areIntervals(this.#below, { source, target }, true)
    if (!areEnds && (!ends || isOfFewValues(this.#below, ends) || areAlike(this.#below, ends) !== 'texts')) return
    if (this.hasLabels) this.#into.losses.add('header-guessed')
    else throw this.#endsUnclear(true)
  }

  /** Returns the columns that the caller chose, by name or number. */
  #chosenEnds(): { ends: Ends; hasHeader: boolean } | undefined {
    const { source, target } = this.#into.columns
    if (source === undefined && target === undefined) return undefined
    const { cells } = this.#header
    const isKnown = this.#header.hasKnownNames
    const placeOf = (name: string) => {
      const place = this.#header.find(name)
      if (place) return place
      this.#report('edges', this.#header.namesOf(true))
      throw this.#header.unknownColumn(name)
    }
    if (source === undefined || target === undefined) {
      this.#report('edges', this.#header.namesOf(true))
      throw new Unreadable(this.#header.at, 'required', 'needs both sourceColumn and targetColumn, or neither')
    }
    const [from, to] = [placeOf(source), placeOf(target)]
    const ends = { source: from.index, target: to.index }
    if (isKnown || ((from.isName || to.isName) && !isNumber(cells[from.index] ?? ''))) return { ends, hasHeader: true }
    this.#into.losses.add('header-guessed')
    return { ends, hasHeader: looksLikeHeader(this.#header, this.#below) }
  }

  /** The edge endpoints, if they can be identified by column name. */
  get #namedEnds() {
    const header = this.#header.cells
    const isData = (index: number) => this.#below.some(({ cells }) => cells[index] === header[index])
    return endsByName(header, isData, this.#below)
  }

  /** The column with the node ids: the caller's choice, or else a column with a known name. */
  get #id() {
    const { id } = this.#into.columns
    return id === undefined ? nodeIdIn(this.#header.cells) : this.#header.find(id)?.index
  }

  #endsUnclear(hasHeader: boolean) {
    const id = hasHeader ? uniqueIdIn(this.#header.cells, this.#below) : undefined
    this.#report('edges', this.#header.namesOf(hasHeader), { id })
    if (isAdjacencyList(this.#all)) {
      const detail =
        'looks like an adjacency list, with a node and its neighbours in each row: write each edge in a row of its own'
      return new Unreadable(this.#header.at, 'ends-unclear', detail)
    }
    const detail = `starts a table with ${this.#header.list(hasHeader)}. It is unclear which two are the endpoints of edges: choose sourceColumn and targetColumn`
    return new Unreadable(this.#header.at, 'ends-unclear', detail)
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

  #readEdges(ends: Ends, hasHeader: boolean, basis: NonNullable<ImportTable['basis']>, areShared?: boolean) {
    const into = this.#into
    // If a table of nodes was read before, the report includes its id column.
    const { idColumn } = into.table ?? {}
    this.#report('edges', this.#header.namesOf(hasHeader), { ends, basis })
    if (into.table && idColumn !== undefined) into.table.idColumn = idColumn
    const all = hasHeader ? this.#below : this.#all
    const heading = basis === 'order' || basis === 'content' ? headingIn(all, ends) : undefined
    if (heading) {
      const detail = `has the word ${heading.cells[ends.source]} before a number, so it looks like a header, not an edge. If it is an edge, choose sourceColumn and targetColumn`
      throw new Unreadable(heading.at, 'ends-unclear', detail)
    }
    if (ends.source === ends.target) {
      into.refuse(this.#header.at, 'not-allowed', 'needs two different columns for the endpoints of edges')
      return
    }
    readEdges(
      {
        header: this.#header,
        hasHeader,
        ends,
        rows: all,
        delimiter: this.#delimiter,
        textOf: this.#textOf,
        isList: this.#isList,
        areShared
      },
      into
    )
    if (this.#isUndirected && into.content.edges.every(({ directed }) => directed === undefined)) into.directed = false
  }

  #readNodes(id: number, areShared = false) {
    const basis = this.#into.columns.id === undefined ? 'names' : 'choice'
    this.#report('nodes', this.#header.namesOf(true), { id, basis })
    const rows = this.#below
    readNodes(
      { header: this.#header, id, rows, delimiter: this.#delimiter, textOf: this.#textOf, areShared },
      this.#into
    )
  }
}

/** The columns that were used, and why they were chosen. */
interface Taken {
  ends?: Ends
  id?: number | undefined
  basis?: ImportTable['basis']
}
