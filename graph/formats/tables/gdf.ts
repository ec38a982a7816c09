import type { Format } from '../shared/format.ts'
import { type GraphBuilder, quote, Unreadable } from '../shared/graph-builder.ts'
import { afterAll, decodeText, typedValue } from '../shared/text.ts'
import { setDirections } from './edge-rows.ts'

/**
 * GDF, the format of GUESS and Gephi: a table of nodes, followed by a table of edges.
 * https://docs.gephi.org/User_Manual/Import_GDF
 */
export const gdf: Format = {
  name: 'gdf',
  title: 'GDF',
  mediaType: 'text/x-gdf',
  endings: ['.gdf'],
  recognises: (text) => /^\s*nodedef\s*>/i.test(text.slice(0, 1000)),
  read: (bytes, into) => read(decodeText(bytes, into, { isOld: true }), into)
}

type Type = 'text' | 'boolean' | 'integer' | 'double'

interface Column {
  name: string
  type: Type
  /** The value for empty and missing cells. */
  byDefault?: string | undefined
}

const NUMBERS: Readonly<Record<string, Type>> = Object.assign(Object.create(null), {
  BOOLEAN: 'boolean',
  BOOL: 'boolean',
  INT: 'integer',
  INTEGER: 'integer',
  TINYINT: 'integer',
  SMALLINT: 'integer',
  BIGINT: 'integer',
  LONG: 'integer',
  FLOAT: 'double',
  DOUBLE: 'double',
  REAL: 'double',
  NUMERIC: 'double',
  DECIMAL: 'double'
})

function read(text: string, into: GraphBuilder) {
  let section: 'nodes' | 'edges' | undefined
  let columns: Column[] = []
  let defaults: number[] = []
  const directions = new Map<number, boolean>()
  const lines = /([^\r\n]*)(?:\r\n?|\n|$)/y
  while (lines.lastIndex < text.length) {
    const at = lines.lastIndex
    const line = (lines.exec(text)?.[1] ?? '').trim()
    if (line === '' || line.startsWith('#')) continue
    const definition = /^(nodedef|edgedef)\s*>/i.exec(line)
    if (definition) {
      section = definition[1]?.toLowerCase() === 'nodedef' ? 'nodes' : 'edges'
      columns = columnsOf(cellsOf(line.slice(definition[0].length), at), at)
      defaults = columns.flatMap(({ byDefault }, index) => (byDefault === undefined ? [] : [index]))
      const ends = section === 'edges' ? 2 : 1
      if (columns.length < ends) throw new Unreadable(at, 'required', `defines fewer than ${ends} columns`)
    } else if (!section) throw new Unreadable(at, 'malformed-gdf', 'must come after nodedef> or edgedef>')
    else addElement(section, columns, defaults, cellsOf(line, at), at, directions, into)
  }
  setDirections(directions, into)
  // In GDF, edges without a direction are undirected.
  if (![...directions.values()].includes(true)) into.directed = false
  else for (const [index, edge] of into.content.edges.entries()) if (!directions.has(index)) edge.directed = false
}

function addElement(
  section: 'nodes' | 'edges',
  columns: readonly Column[],
  /** The indexes of columns with a default. */
  defaults: readonly number[],
  cells: string[],
  at: number,
  directions: Map<number, boolean>,
  into: GraphBuilder
) {
  if (cells.length > columns.length) {
    into.fault(at, 'too-many-cells', `has ${cells.length} cells, but there are ${columns.length} columns`)
    return
  }
  const own = section === 'nodes' ? 1 : 2
  const attributes: [string, unknown][] = []
  let directed: boolean | undefined
  const add = ({ name, type, byDefault = '' }: Column, given: string) => {
    const cell = given === '' ? byDefault : given
    if (cell === '') return
    if (given === '') into.repeat(name.length + cell.length, at)
    const value = type === 'text' ? cell : typedValue(cell, type, into)
    if (section === 'edges' && name === 'directed') directed = /^(?:true|1)$/i.test(cell)
    else attributes.push([name, value ?? cell])
  }
  for (let index = own; index < cells.length; index++) add(columns[index] as Column, cells[index] as string)
  // A row may have far fewer cells than the table has columns.
  const missing = defaults.slice(firstAfter(defaults, Math.max(own, cells.length)))
  for (const index of missing) add(columns[index] as Column, '')
  const [first = '', second = ''] = cells
  if (section === 'nodes') into.addNode(first, at, attributes)
  else {
    into.addEdge(first, second, at, attributes)
    if (directed !== undefined) directions.set(into.content.edges.length - 1, directed)
  }
}

/** Returns the index of the first number that is at least `least`. The numbers must be in ascending order. */
function firstAfter(numbers: readonly number[], least: number) {
  let [from, to] = [0, numbers.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if ((numbers[middle] as number) < least) from = middle + 1
    else to = middle
  }
  return from
}

/** Parses definitions such as `name VARCHAR` and `weight DOUBLE default 1.0`. */
function columnsOf(definitions: string[], at: number): Column[] {
  return definitions.map((definition) => {
    const [name = '', type = ''] = definition.trim().split(/\s+/)
    const [, byDefault] = /\sdefault\s+(\S.*)$/i.exec(definition.trim()) ?? []
    const column: Column = { name, type: NUMBERS[(type.split('(')[0] as string).toUpperCase()] ?? 'text' }
    if (byDefault === undefined) return column
    const [, , quoted] = /^(['"])(.*)\1$/.exec(byDefault) ?? []
    if (quoted === undefined && /^['"]/.test(byDefault)) {
      throw new Unreadable(at, 'malformed-gdf', `has a default for ${quote(name)} with an unclosed quote or a comma`)
    }
    return { ...column, byDefault: quoted?.replace(/\\(.)/g, '$1') ?? byDefault }
  })
}

/** Splits a line at commas outside single or double quotes. */
function cellsOf(line: string, at: number): string[] {
  const cells: string[] = []
  let next = 0
  for (;;) {
    const start = afterAll(line, /[ \t]+/y, next)
    const quote = line[start]
    const isQuoted = quote === '"' || quote === "'"
    const close = isQuoted ? closingQuote(line, start) : start
    if (close < 0) throw new Unreadable(at + start, 'malformed-gdf', 'opens a quote that is never closed')
    const comma = line.indexOf(',', close)
    const end = comma < 0 ? line.length : comma
    if (isQuoted && line.slice(close + 1, end).trim() !== '') {
      throw new Unreadable(at + close + 1, 'malformed-gdf', 'follows a closing quote')
    }
    cells.push(isQuoted ? line.slice(start + 1, close).replace(/\\(.)/g, '$1') : line.slice(start, end).trim())
    if (comma < 0) return cells
    next = comma + 1
  }
}

/** Returns the index of the quote that closes the one at `start`, or -1. */
function closingQuote(line: string, start: number) {
  for (let index = start + 1; index < line.length; index++) {
    if (line[index] === '\\') index++
    else if (line[index] === line[start]) return index
  }
  return -1
}
