import { ProblemError } from '../../../schemas/problem-catalogue.ts'
import { type GraphBuilder, quote, Unreadable } from '../shared/graph-builder.ts'
import { type OpenTable, partsOf, readTogether, type TableParts } from '../tables/join.ts'
import { openTable } from '../tables/reader.ts'
import { textOfCell } from './cell-values.ts'
import type { Sheet } from './workbook.ts'

/** The names of sheets with nodes. Their columns may be named like edge endpoints. */
const NODES = /^(?:nodes?|vertices|vertex)$/i

/** The maximum number of sheet names listed in an error. */
const NAMES = 10

/**
 * Reads the sheets as one graph: a sheet of edges, a sheet of nodes, or one of each. Other sheets are counted. Throws
 * `format-unknown` if several sheets may contain a graph.
 */
export function readSheets(sheets: readonly Sheet[], into: GraphBuilder) {
  const tables = sheets.map((sheet) => {
    into.openFile(sheet.name)
    const { name, rows } = sheet
    const table = openTable({ rows, delimiter: '\t', textOf: textOfCell, peek: textOfCell }, into)
    return { name, table, sheet }
  })
  const [first, ...more] = tables
  if (!first) throw new Unreadable(undefined, 'required', 'has no sheet with a table')
  const parts = partsOf(tables) ?? partsByName(tables)
  const used = parts ? [...parts.nodes, ...parts.edges] : more.length === 0 ? tables : tables.filter(mayBeGraph)
  const [only, ...others] = used
  if (!only || (!parts && others.length > 0)) throw severalSheets(tables)
  into.losses.add('sheets-skipped', tables.length - used.length)
  for (const { name, sheet } of tables) if (used.some((table) => table.name === name)) tellLosses(sheet, into)
  if (parts) return readTogether(parts, into)
  into.openFile(only.name)
  only.table.read()
}

/** Returns the sheets if exactly one has edges and at most one has nodes, or undefined otherwise. */
function partsByName(tables: readonly OpenTable[]): TableParts | undefined {
  const nodes = tables.filter(({ name, table }) => table.mayBeNodes || (NODES.test(name) && table.hasIds))
  const edges = tables.filter((table) => table.table.mayBeEdges && !nodes.includes(table))
  return edges.length === 1 && nodes.length <= 1 && tables.length > 1 ? { nodes, edges } : undefined
}

/** Returns whether a sheet may contain a graph. Sheets of notes have a single column. */
function mayBeGraph({ table }: OpenTable) {
  return table.width > 1 || table.mayBeNodes
}

function severalSheets(tables: readonly OpenTable[]) {
  const names = tables.slice(0, NAMES).map(({ name }) => quote(name))
  const more = tables.length > NAMES ? `, and ${tables.length - NAMES} more` : ''
  return new ProblemError('format-unknown', {
    detail: `This workbook has ${tables.length} sheets with tables: ${names.join(', ')}${more}. Keep a single graph, or one sheet of nodes and one sheet of edges.`
  })
}

/** Reports what cannot be read from a sheet. */
function tellLosses({ name, titles, errors, unvalued }: Sheet, into: GraphBuilder) {
  into.openFile(name)
  into.losses.add('titles-dropped', titles)
  into.losses.add('null-dropped', errors)
  for (const at of unvalued) {
    into.refuse(
      at,
      'formula-without-value',
      'has a formula without a cached value: open the workbook in Excel and save it'
    )
  }
}
