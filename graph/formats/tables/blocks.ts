import { type GraphBuilder, Unreadable } from '../shared/graph-builder.ts'
import type { Row } from './csv-rows.ts'
import { endsByName, nodeIdIn } from './names.ts'
import { openTable, readTable, type TableReader } from './reader.ts'
import type { Table } from './table.ts'

// A file may contain two tables with an empty line between them, such as the extended SIF of Pathway Commons.

/**
 * Reads the table of a file, or its table of edges and its table of nodes as one graph. Throws Unreadable if there are other
 * tables, or under the same conditions as readTable.
 */
export function readTables(table: Table, into: GraphBuilder) {
  const rows = [...table.rows]
  const starts = rows.flatMap((row, index) => (beginsTable(rows, index) ? [{ ...row, index }] : []))
  const [second, third] = starts
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
 * Returns whether the row is the header of another table. It follows an empty line, is not the first header again, and either has
 * known names, or has a different width from the rows before and the same width as the row below.
 */
function beginsTable(rows: readonly Row[], index: number) {
  const { cells, isAfterGap } = rows[index] as Row
  const first = rows[0]?.cells ?? []
  if (!isAfterGap || index === 0 || cells.join('\n') === first.join('\n')) return false
  if (endsByName(cells, () => false) !== undefined || nodeIdIn(cells) !== undefined) return true
  return cells.length > 1 && cells.length !== first.length && rows[index + 1]?.cells.length === cells.length
}

function severalTables({ at }: Row) {
  return new Unreadable(at, 'several-tables', 'begins another table: save each table in its own file')
}
