import type { Item, Table } from './items.ts'
import { columnName, placesIn } from './table-columns.ts'

// How a single table can be read: as a table of nodes or of edges.

/** The names of columns whose small numbers may be node ids by chance. */
const MEASURES = /^(?:weight|count|value|amount|score|year|month|day)s?$/i

/** Returns whether a file is a table that can be combined with others. */
export function isPairable(item: Item): item is Table {
  const { file, report, table, graph, parts } = item
  const isTable = table !== undefined && (report?.format === 'csv' || report?.format === 'tsv')
  return isTable && !graph && !parts && !/\.(gz|zst|zip)$/i.test(file.name)
}

/** Returns whether a table may list nodes, by the name and values of its id column. */
export function isProposed({ table: { kind, idColumn, sourceColumn } }: Table) {
  return kind === 'edges' && idColumn !== undefined && sourceColumn === undefined
}

/** Returns whether it is known which columns contain the ends of edges. */
export function hasEnds({ table: { kind, sourceColumn } }: Table) {
  return kind === 'edges' && sourceColumn !== undefined
}

/**
 * Returns a table as one of nodes, or undefined if it has none. The server reads no table as nodes if its columns are named like
 * the ends of edges.
 */
export function asNodes(item: Table): Table | undefined {
  const { kind, basis, columns } = item.table
  if (kind === 'nodes') return item
  const idColumn = isProposed(item) ? item.table.idColumn : columns[0]
  if (kind === 'matrix' || basis === 'names' || idColumn === undefined) return undefined
  return { ...item, table: { kind: 'nodes', columns, idColumn, basis: isProposed(item) ? 'content' : 'order' } }
}

/**
 * Returns a table as one of edges between these nodes, or undefined if it lists nodes. If its ends are unclear, they are the
 * columns whose values are node ids, or else the first two.
 */
export function asEdges(item: Table, nodes: readonly Table[]): Table | undefined {
  const { kind, columns } = item.table
  const found = asEdgesBetween(item, nodes)
  if (found || kind !== 'edges' || isProposed(item) || columns.length < 2) return found
  const [sourceColumn, targetColumn] = [0, 1].map((index) => columnName(columns, index)) as [string, string]
  return { ...item, table: { kind, columns, sourceColumn, targetColumn, basis: 'order' } }
}

/** Returns a table as one of edges if its ends are known, or if all values of two columns are ids of these nodes. */
export function asEdgesBetween(item: Table, nodes: readonly Table[]): Table | undefined {
  const { kind, columns } = item.table
  if (kind !== 'edges' || hasEnds(item)) return hasEnds(item) ? item : undefined
  const isId = idTestFor(nodes)
  const found = [...columns.keys()].filter((index) => {
    const values = [...(item.values?.[index] ?? [])]
    return values.length > 0 && values.every(isId) && !MEASURES.test(columns[index] as string)
  })
  const [source, target] = found
  // Other small numbers may be ids too.
  const areClear = found.length === 2 || (source === 0 && target === 1)
  if (source === undefined || target === undefined || !areClear) return undefined
  const [sourceColumn, targetColumn] = [columnName(columns, source), columnName(columns, target)]
  return { ...item, table: { kind, columns, sourceColumn, targetColumn, basis: 'content' } }
}

/** Returns whether most ends of the edges are ids of these nodes. */
export function haveSameIds(edges: Table, nodes: readonly Table[]) {
  const columns = idsIn(edges)
  const ends = columns.flatMap((ids, index) =>
    [...ids].filter((id) => columns.findIndex((each) => each.has(id)) === index)
  )
  return ends.filter(idTestFor(nodes)).length * 2 > ends.length
}

/** Returns whether any end of the edges is an id of these nodes. */
export function haveCommonId(edges: Table, nodes: readonly Table[]) {
  const isId = idTestFor(nodes)
  return idsIn(edges).some((ids) => [...ids].some(isId))
}

/** Returns a function that returns whether a value is an id of these nodes. Builds no set, since there may be many ids. */
function idTestFor(nodes: readonly Table[]) {
  const columns = nodes.flatMap(idsIn)
  return (value: string) => columns.some((ids) => ids.has(value))
}

/** Returns the ids or the ends of edges at the start of a table, by column. */
function idsIn({ table, values }: Table): ReadonlySet<string>[] {
  return Object.values(placesIn(table)).flatMap((place) => (place === undefined ? [] : (values?.[place] ?? [])))
}
