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

/**
 * Reads a table of nodes and a table of edges, in either order, as one graph. Edges may refer to nodes that are missing from
 * the table of nodes. Such nodes are counted. Returns false without reading anything if the tables do not form such a pair.
 * Throws Unreadable under the same conditions as readTable.
 */
export function readPair(files: readonly NamedTable[], into: GraphBuilder): boolean {
  const tables = files.map(({ name, bytes, delimiter }) => {
    into.openFile(name)
    return { name, table: openTable(tableIn(bytes, into, delimiter), into) }
  })
  const [first, second] = tables
  const pair = first && second && pairOf(first.table, second.table)
  if (!pair) return false
  const open = (table: TableReader) => into.openFile(table === first.table ? first.name : second.name)
  open(pair.nodes)
  pair.nodes.readNodes()
  open(pair.edges)
  pair.edges.readEdges()
  return true
}
