import { type GraphBuilder, Unreadable } from '../shared/graph-builder.ts'
import type { Row } from './csv-rows.ts'
import { endsByName, nodeIdIn } from './names.ts'
import { openTable, readTable, type TableReader } from './reader.ts'
import type { Table } from './table.ts'

// A file may contain two tables with an empty line between them, such as the extended SIF of Pathway Commons.

/** The maximum number of empty lines that may separate tables. */
const GAPS = 100

/**
 * Reads the table of a file, or its table of edges and its table of nodes as one graph. Throws Unreadable if there are other
 * tables, or under the same conditions as readTable.
 */
export function readTables(table: Table, into: GraphBuilder) {
  const rows = [...table.rows]
  const gaps = [...rows.keys()].filter((index) => index > 0 && rows[index]?.isAfterGap)
  // If there are many empty lines, they do not separate tables.
  const [second, third] = (gaps.length > GAPS ? [] : gaps)
    .filter((index) => beginsTable(rows, index))
    .map((index) => ({ ...(rows[index] as Row), index }))
  if (!second) return readTable({ ...table, rows }, into)
  if (third) throw severalTables(third)
  const upper = openTable({ ...table, rows: rows.slice(0, second.index) }, into)
  const lower = openTable({ ...table, rows: rows.slice(second.index), header: undefined }, into)
  const pair =
    pairOf(upper, lower) ?? (upper.mayBeEdges && lower.describes(upper) ? { nodes: lower, edges: upper } : undefined)
  if (!pair) throw severalTables(second)
  pair.nodes.readNodes()
  pair.edges.readEdges()
}

/** Returns which of two tables contains the nodes and which the edges. Returns undefined if that is unclear. */
export function pairOf(
  first: TableReader,
  second: TableReader
): { nodes: TableReader; edges: TableReader } | undefined {
  const pairs = [
    { nodes: first, edges: second },
    { nodes: second, edges: first }
  ].filter(({ nodes, edges }) => nodes.mayBeNodes && edges.mayBeEdges)
  return pairs.length === 1 ? pairs[0] : undefined
}

/**
 * Returns whether the row below an empty line is the header of another table. Such a row does not repeat the first header, and
 * either has known names, or differs in width from the rows before it but not from the row below.
 */
function beginsTable(rows: readonly Row[], index: number) {
  const { cells } = rows[index] as Row
  const first = rows[0]?.cells ?? []
  if (cells.join('\n') === first.join('\n')) return false
  if (endsByName(cells, () => false) !== undefined || nodeIdIn(cells) !== undefined) return true
  return cells.length > 1 && cells.length !== first.length && rows[index + 1]?.cells.length === cells.length
}

function severalTables({ at }: Row) {
  return new Unreadable(at, 'several-tables', 'begins another table: save each table in its own file')
}
