import type { GraphBuilder } from '../shared/graph-builder.ts'
import { pairOf } from './blocks.ts'
import { tableIn } from './csv.ts'
import { openTable, type TableReader } from './reader.ts'

/** A table in an archive. */
export interface NamedTable {
  name: string
  bytes: Buffer
  /** The delimiter, if the file name implies it. */
  delimiter?: string | undefined
}

/** An open table, and the name of its file. */
export interface OpenTable {
  name: string
  table: TableReader
}

/**
 * Reads tables of nodes and tables of edges, in any order, as one graph. Edges may refer to nodes that are missing from the
 * tables of nodes. Such nodes are counted. Returns false without reading anything if the tables do not belong together. Throws
 * Unreadable under the same conditions as readTable.
 */
export function readTables(files: readonly NamedTable[], into: GraphBuilder): boolean {
  const tables = files.map(({ name, bytes, delimiter }) => {
    into.openFile(name)
    return { name, table: openTable(tableIn(bytes, into, delimiter), into) }
  })
  const parts =
    partsOf(tables) ?? partsWithRelations(tables, into) ?? partsOfSeveral(tables) ?? partsByIds(tables, into)
  if (!parts) return false
  readTogether(parts, into)
  return true
}

/** Tables of nodes, and tables of edges between them. */
export interface TableParts {
  nodes: OpenTable[]
  edges: OpenTable[]
}

/** Returns which tables contain nodes and which contain edges, or undefined if they do not belong together. */
export function partsOf(tables: readonly OpenTable[]): TableParts | undefined {
  if (tables.length > 1 && tables.every(({ table }) => table.isTyped)) {
    const edges = tables.filter(({ table }) => table.mayBeEdges)
    return { nodes: tables.filter((table) => !edges.includes(table)), edges }
  }
  const [first, second, ...more] = tables
  if (!first || !second || more.length > 0) return undefined
  const pair = pairOf(first.table, second.table)
  if (!pair) return undefined
  const tableOf = (table: TableReader) => tables.filter((each) => each.table === table)
  return { nodes: tableOf(pair.nodes), edges: tableOf(pair.edges) }
}

/**
 * Returns which tables contain nodes and which contain edges, if some tables of edges have an id column, so that they look like
 * tables of nodes: two other columns contain only ids of other tables, and no edges are known between their own ids. Tables with
 * labels are read as nodes, and counted as guesses. Returns undefined if there are no such tables, or any columns were chosen.
 */
function partsWithRelations(tables: readonly OpenTable[], into: GraphBuilder): TableParts | undefined {
  if (Object.values(into.columns).some((name) => name !== undefined)) return undefined
  const nodes = tables.filter(({ table }) => table.mayBeNodes)
  const edges = tables.filter(({ table }) => table.mayBeEdges)
  const owners = new Map<string, TableReader>()
  for (const { table } of nodes) for (const id of table.ids) owners.set(id, table)
  const unclear = nodes.filter(({ table }) => {
    const isOther = (id: string) => (owners.get(id) ?? table) !== table
    return !table.isTyped && table.findEnds({ has: isOther }) && !edges.some((each) => table.describes(each.table))
  })
  const relations = unclear.filter(({ table }) => !table.hasLabels)
  into.losses.add('header-guessed', unclear.length - relations.length)
  return relations.length === 0 ? undefined : partsByIds(tables, into, relations)
}

/** Returns which of more than two tables contain nodes and which contain edges, or undefined if there are not both. */
function partsOfSeveral(tables: readonly OpenTable[]): TableParts | undefined {
  const edges = tables.filter(({ table }) => table.mayBeEdges)
  const nodes = tables.filter((each) => !edges.includes(each) && each.table.mayBeNodes)
  const areAll = tables.length > 2 && nodes.length + edges.length === tables.length
  return areAll && nodes.length > 0 && edges.length > 0 ? { nodes, edges } : undefined
}

/**
 * Returns which tables contain nodes and which contain edges, if the columns with the endpoints of some edges have unknown names,
 * but contain only ids of the nodes. `relations` are tables of edges with an id column. Returns undefined if the endpoints were
 * chosen, or if any table is neither.
 */
function partsByIds(
  tables: readonly OpenTable[],
  { columns }: GraphBuilder,
  relations: readonly OpenTable[] = []
): TableParts | undefined {
  if (columns.source !== undefined || columns.target !== undefined) return undefined
  const nodes = tables.filter((each) => each.table.mayBeNodes && !relations.includes(each))
  const edges = tables.filter((each) => !nodes.includes(each))
  const ids = new Set(nodes.flatMap(({ table }) => table.ids))
  const areAll = edges.length > 0 && edges.every(({ table }) => table.mayBeEdges || table.findEnds(ids))
  return areAll && nodes.length > 0 ? { nodes, edges } : undefined
}

/** Reads tables that belong together: first all nodes, then the edges. */
export function readTogether({ nodes, edges }: TableParts, into: GraphBuilder) {
  const areShared = shareIds([...nodes, ...edges])
  for (const { name, table } of nodes) {
    into.openFile(name)
    table.readNodes(areShared)
  }
  for (const { name, table } of edges) {
    into.openFile(name)
    table.readEdges(areShared)
  }
}

/** Returns whether an id occurs in two of Neo4j's id spaces. */
function shareIds(tables: readonly OpenTable[]) {
  const spaces = new Map<string, string>()
  for (const { table } of tables) {
    for (const [space, id] of table.spacedIds()) {
      const known = spaces.get(id)
      if (known === undefined) spaces.set(id, space)
      else if (known !== space) return true
    }
  }
  return false
}
