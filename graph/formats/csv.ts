import type { Edge } from '../../schemas/graph-content.ts'
import { asText, edgeAttributes, type Vocabulary } from './attributes.ts'
import { Formulas } from './csv-formulas.ts'
import { delimiterOf, type Row, rowsOf } from './csv-rows.ts'
import type { Format, GraphToWrite } from './format.ts'
import { type GraphBuilder, Unreadable } from './graph-builder.ts'
import type { Losses } from './losses.ts'
import { afterAll, decodeText, numberOf } from './text.ts'

/**
 * A table of edges with the columns of Gephi: Source, Target, Type, Id, Label, Weight, and any others; or a table of
 * nodes with Id and Label. https://docs.gephi.org/User_Manual/Import_Spreadsheet
 */
export const csv: Format = {
  name: 'csv',
  title: 'CSV',
  mediaType: 'text/csv',
  endings: ['.csv'],
  recognises: (text) => isTable(text) && delimiterOf(text, commentsOf(text)).delimiter !== '\t',
  read: (bytes, into) => {
    const text = decodeText(bytes, into, { isOld: true })
    const { delimiter, start } = delimiterOf(text, commentsOf(text))
    read(text, start, delimiter, into)
  },
  write: (graph, losses) => write(graph, losses, ',')
}

/** The same with tabs. */
export const tsv: Format = {
  name: 'tsv',
  title: 'TSV',
  mediaType: 'text/tab-separated-values',
  endings: ['.tsv', '.tab'],
  recognises: (text) => isTable(text) && delimiterOf(text, commentsOf(text)).delimiter === '\t',
  read: (bytes, into) => {
    const text = decodeText(bytes, into, { isOld: true })
    read(text, commentsOf(text), '\t', into)
  },
  write: (graph, losses) => write(graph, losses, '\t')
}

/** Returns the end of leading empty lines and # comments, with which some lists of edges begin. */
function commentsOf(text: string) {
  return afterAll(text, /[\r\n]+|#[^\r\n]*/y, 0)
}

/** Whether the first line has several cells. Other formats are recognised before. */
function isTable(text: string) {
  const table = text.slice(commentsOf(text)).slice(0, 10_000)
  return !/^\s*[<{[*%]/.test(table) && /^[^\r\n]*[^\r\n,;\t|][,;\t|]/.test(table)
}

/** The columns with a meaning in tables of edges, in lower case. */
const MEANT = ['source', 'target', 'type', 'id', 'label', 'relation', 'weight']
const vocabulary: Vocabulary = {
  taken: new Set(MEANT),
  nameFor: (name, isTaken) =>
    (isTaken && name !== 'weight') || name === '' || name.startsWith('metadata.') ? `metadata.${name}` : name
}

type Names = (string | undefined)[]

/** Returns the text of a cell without escapes. */
type TextOf = (cell: string) => string

function read(text: string, start: number, delimiter: string, into: GraphBuilder) {
  const formulas = new Formulas(delimiter)
  const textOf: TextOf = (cell) => formulas.unescape(cell, into.losses)
  const rows = offset(rowsOf(text.slice(start), delimiter), start)
  const second = rows.next().value as Row | undefined
  if (!second) throw new Unreadable(start, 'required', 'has no rows')
  const comment = headerIn(text.slice(0, start), delimiter, second)
  const first = comment ?? second
  // If a comment is the header, the first row is data.
  const rest = comment ? [second, ...rows] : rows
  const lower = first.cells.map((cell) => cell.trim().toLowerCase())
  const { maxNodes, maxEdges } = into.limits
  if (lower.includes('source') && lower.includes('target')) {
    readEdges(upTo(maxEdges, 'edges', rest), namesOf(first, textOf, into), textOf, into)
  } else if (lower.includes('id') && !lower.includes('source') && !lower.includes('target')) {
    readNodes(upTo(maxNodes, 'nodes', rest), namesOf(first, textOf, into), textOf, into)
  } else {
    if (first.cells.length < 2) {
      throw new Unreadable(first.at, 'required', 'has one column, but edges need two ends')
    }
    const all = upTo(maxEdges, 'edges', rest)
    into.losses.add('header-guessed')
    const hasHeader = comment !== undefined || looksLikeHeader(first, all)
    const names: Names = hasHeader ? namesOf(first, textOf, into) : first.cells.map((_, index) => `column ${index + 1}`)
    names[0] = 'source'
    names[1] = 'target'
    // In lists of edges without a header, a third column of numbers is the weight.
    if (!hasHeader && names.length === 3) names[2] = 'weight'
    readEdges(hasHeader ? all : [first, ...all], names, textOf, into)
  }
}

/** Returns the last comment as header, if it has as many cells as the first row. */
function headerIn(comments: string, delimiter: string, { cells }: Row): Row | undefined {
  const line = /#[ \t]*([^\r\n]*)[\r\n]*$/.exec(comments.slice(-10_000))
  const names = line?.[1]?.split(delimiter).map((name) => name.trim()) ?? []
  return cells.length > 1 && names.length === cells.length
    ? { cells: names, at: comments.length - (line?.[0].length ?? 0) }
    : undefined
}

/** Returns the rows, or throws if there are more than the graph may have. */
function upTo(most: number, what: 'nodes' | 'edges', rows: Iterable<Row>): Row[] {
  const all: Row[] = []
  for (const row of rows) {
    if (all.length >= most) throw new Unreadable(row.at, `too-many-${what}`, `has more than ${most} ${what}`)
    all.push(row)
  }
  return all
}

function* offset(rows: Iterable<Row>, start: number): Generator<Row> {
  for (const { cells, at } of rows) yield { cells, at: at + start }
}

/** The names of the columns; those with a meaning in lower case. */
function namesOf({ cells, at }: Row, textOf: TextOf, into: GraphBuilder): Names {
  const seen = new Set<string>()
  return cells.map((cell, index) => {
    const trimmed = textOf(cell)
    const lower = trimmed.trim().toLowerCase()
    const name = MEANT.includes(lower) ? lower : trimmed === '' ? `column ${index + 1}` : trimmed
    if (seen.has(name)) into.fault(at, 'duplicate-column', `has two columns named ${JSON.stringify(name.slice(0, 40))}`)
    seen.add(name)
    return name
  })
}

/** The first line is data if its ends are numbers, or occur further down. */
function looksLikeHeader({ cells }: Row, rows: Row[]) {
  const [a = '', b = ''] = cells
  if (numberOf(a.trim()) !== undefined || numberOf(b.trim()) !== undefined) return false
  return !rows.some((row) => row.cells[0] === a || row.cells[0] === b || row.cells[1] === a || row.cells[1] === b)
}

function readEdges(rows: Row[], names: Names, textOf: TextOf, into: GraphBuilder) {
  const [source, target, type, id] = ['source', 'target', 'type', 'id'].map((name) => names.indexOf(name))
  const attributes = attributeColumns(rows, names, ['source', 'target', 'type', 'id'])
  const seen = new Set<string>()
  const nodeOf = (cell: string, at: number) => {
    const name = textOf(cell)
    if (!seen.has(name)) {
      seen.add(name)
      into.addNode(name, at)
    }
    return name
  }
  const directions = new Map<number, boolean>()
  for (const { cells, at } of rows) {
    if (!fits(cells, names, at, into)) continue
    const ends = [cells[source as number] ?? '', cells[target as number] ?? '']
    const missing = ends.indexOf('')
    if (missing >= 0) {
      into.fault(at, 'required', `an edge has no ${missing === 0 ? 'source' : 'target'}`)
      continue
    }
    const [from, to] = ends.map((end) => nodeOf(end, at)) as [string, string]
    const edge = into.addEdge(from, to, at, valuesOf(cells, attributes, textOf), vocabulary)
    const edgeId = cells[id as number]
    if (edgeId !== undefined && edgeId !== '') edge.id = textOf(edgeId)
    const direction = (cells[type as number] ?? '').trim().toLowerCase()
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
  // Edges without a direction have that of the others; if none has one, they are directed.
  const known = [...directions.values()]
  into.directed = known.length === 0 || known.includes(true)
  for (const [index, directed] of directions) {
    if (directed !== into.directed) Object.assign(into.content.edges[index] as Edge, { directed })
  }
}

function readNodes(rows: Row[], names: Names, textOf: TextOf, into: GraphBuilder) {
  const id = names.indexOf('id')
  const attributes = attributeColumns(rows, names, ['id'])
  for (const { cells, at } of rows) {
    if (!fits(cells, names, at, into)) continue
    into.addNode(textOf(cells[id] ?? ''), at, valuesOf(cells, attributes, textOf))
  }
}

function fits(cells: string[], names: Names, at: number, into: GraphBuilder) {
  if (cells.length <= names.length || cells.slice(names.length).every((cell) => cell === '')) return true
  into.fault(at, 'too-many-cells', `has ${cells.length} cells, but there are ${names.length} columns`)
  return false
}

interface AttributeColumn {
  index: number
  name: string
  type: 'number' | 'boolean' | 'text'
}

/** The columns of attributes, each with the common type of its cells. */
function attributeColumns(rows: Row[], names: Names, own: string[]): AttributeColumn[] {
  const columns: (Types & { index: number; name: string })[] = []
  for (const [index, name] of names.entries()) {
    if (name !== undefined && !own.includes(name)) columns.push({ index, name, ...noTypes() })
  }
  for (const { cells } of rows) {
    for (const column of columns) {
      // Rows may be shorter than the header, and there may be many columns.
      if (column.index >= cells.length) break
      noteType(column, cells[column.index] as string)
    }
  }
  return columns.map(({ index, name, ...types }) => ({ index, name, type: typeOf(name, types) }))
}

/** The possible types of all cells of a column. */
interface Types {
  isEmpty: boolean
  areNumbers: boolean
  areBooleans: boolean
}

function noTypes(): Types {
  return { isEmpty: true, areNumbers: true, areBooleans: true }
}

function noteType(types: Types, cell: string) {
  if (cell === '') return
  types.isEmpty = false
  if (types.areNumbers && !isNumber(cell)) types.areNumbers = false
  if (types.areBooleans && !/^(?:true|false)$/i.test(cell)) types.areBooleans = false
}

function typeOf(name: string, { isEmpty, areNumbers, areBooleans }: Types) {
  if (isEmpty || name === 'label' || name === 'relation') return 'text'
  return areNumbers ? 'number' : areBooleans ? 'boolean' : 'text'
}

/** Whether reading the cell as a number loses nothing: false for 007 and for integers that would be rounded. */
function isNumber(cell: string) {
  if (!/^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(cell)) return false
  const number = Number(cell)
  return Number.isFinite(number) && (!/^-?\d+$/.test(cell) || Number.isSafeInteger(number))
}

function* valuesOf(cells: string[], columns: AttributeColumn[], textOf: TextOf): Generator<[string, unknown]> {
  for (const { index, name, type } of columns) {
    if (index >= cells.length) break
    const cell = cells[index] as string
    if (cell === '') continue
    if (type === 'number') yield [name, Number(cell)]
    else if (type === 'boolean') yield [name, cell.toLowerCase() === 'true']
    else yield [name, textOf(cell)]
  }
}

function write({ content }: GraphToWrite, losses: Losses, delimiter: string) {
  const { directed = true, label, metadata, edges } = content
  // A file without edges cannot say that they are undirected.
  const isUntold = edges.length === 0 && !directed
  const untold = (label === undefined ? 0 : 1) + (isUntold ? 1 : 0)
  losses.add('graph-attributes-dropped', Object.keys(metadata ?? {}).length + untold)
  countNodes(content, losses)
  const guarded = guardFor(delimiter)
  const columns = columnsOf(edges, guarded, losses)
  const hasIds = edges.some(({ id }) => id !== undefined)
  const header = ['Source', 'Target', 'Type', ...(hasIds ? ['Id'] : []), ...columns]
  const line = (cells: string[]) => `${cells.join(delimiter)}\r\n`
  const text = (value: string) => cellOf(guarded(value))
  for (const name of columns) guarded(name, losses)
  for (const { id, source, target } of edges) for (const value of [id ?? '', source, target]) guarded(value, losses)

  return (function* () {
    yield line(header.map((name) => text(titles[name] ?? name)))
    for (const edge of edges) {
      const { id = '', source, target } = edge
      const values = new Map(edgeAttributes(edge, vocabulary))
      const cells = [...columns].map((name) => {
        const value = values.get(name)
        if (value === undefined) return ''
        return typeof value === 'number' ? numberText(value) : text(asText(value))
      })
      const type = (edge.directed ?? directed) ? 'Directed' : 'Undirected'
      yield line([text(source), text(target), type, ...(hasIds ? [text(id)] : []), ...cells])
    }
  })()
}

/** A whole number beyond 2^53 gets an exponent, as in JSON, which distinguishes it from a rounded integer. */
function numberText(value: number) {
  return Number.isInteger(value) && !Number.isSafeInteger(value) ? value.toExponential() : String(value)
}

const titles: Record<string, string | undefined> = Object.assign(Object.create(null), {
  label: 'Label',
  weight: 'Weight',
  relation: 'Relation'
})

/** Counts the losses of nodes: a table of edges has only nodes with edges, and only their ids. */
function countNodes({ nodes, edges }: GraphToWrite['content'], losses: Losses) {
  const connected = new Set(edges.flatMap(({ source, target }) => [source, target]))
  const named = [...connected]
  const kept = nodes.filter(({ id }) => connected.has(id))
  losses.add('isolated-node-dropped', nodes.length - kept.length)
  if (kept.some(({ id }, index) => id !== named[index])) losses.add('node-order-changed')
  for (const { label, x, y, z, metadata } of kept) {
    if (label !== undefined) losses.add('label-dropped')
    if (x !== undefined || y !== undefined || z !== undefined) losses.add('position-dropped')
    losses.add('attributes-dropped', Object.keys(metadata ?? {}).length)
  }
}

/** Limits of a table: the columns of a spreadsheet, and cells that fit into memory. */
const COLUMNS = 16_384
const CELLS = 20_000_000

/** Returns the attributes of edges that become columns, and counts values that will not be read back as the same type. */
function columnsOf(edges: readonly Edge[], guarded: Guard, losses: Losses): Set<string> {
  const columns = new Map<string, { types: Types; values: unknown[] }>()
  const most = Math.min(COLUMNS, Math.max(16, Math.floor(CELLS / Math.max(1, edges.length))))
  for (const edge of edges) {
    for (const [name, value] of edgeAttributes(edge, vocabulary, losses)) {
      let column = columns.get(name)
      if (!column && columns.size >= most) {
        losses.add('attributes-dropped')
        continue
      }
      if (!column) {
        column = { types: noTypes(), values: [] }
        columns.set(name, column)
      }
      column.values.push(value)
      noteType(column.types, typeof value === 'number' ? numberText(value) : guarded(asText(value)))
    }
  }
  for (const [name, { types, values }] of columns) {
    const type = typeOf(name, types)
    for (const value of values) {
      if (typeof value === 'object') losses.add('nested-metadata')
      else if (value === '') losses.add('empty-text-dropped')
      else if (typeof value === 'string') {
        if (type !== 'text') losses.add('type-changed')
        else guarded(value, losses)
      } else if (typeof value !== type) losses.add('type-widened')
    }
  }
  return new Set(columns.keys())
}

/** Escapes a text cell for spreadsheets, and counts changes. */
type Guard = (value: string, counted?: Losses) => string

function guardFor(delimiter: string): Guard {
  const formulas = new Formulas(delimiter)
  return (value, counted) => {
    const escaped = formulas.escape(value)
    // A number is not a formula, although it may begin like one.
    if (escaped === value || isNumber(value)) return value
    counted?.add('formula-escaped')
    return escaped
  }
}

/** Returns a text as a cell, quoted if it contains any delimiter: some spreadsheets split at several. */
function cellOf(cell: string): string {
  const isQuoted = /["\r\n,;\t]/.test(cell) || cell.trim() !== cell
  return isQuoted ? `"${cell.replaceAll('"', '""')}"` : cell
}
