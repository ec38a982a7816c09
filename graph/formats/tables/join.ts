import type { GraphBuilder } from '../shared/graph-builder.ts'
import { tableIn } from './csv.ts'
import { openTable } from './reader.ts'

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
    const table = openTable(tableIn(bytes, into, delimiter), into)
    return { name, table, mayBeNodes: table.mayBeNodes, mayBeEdges: table.mayBeEdges }
  })
  const [first, second] = tables
  if (!first || !second) return false
  const pairs = [
    { nodes: first, edges: second },
    { nodes: second, edges: first }
  ].filter(({ nodes, edges }) => nodes.mayBeNodes && edges.mayBeEdges)
  const [pair] = pairs
  if (!pair || pairs.length > 1) return false
  into.openFile(pair.nodes.name)
  pair.nodes.table.readNodes()
  into.openFile(pair.edges.name)
  pair.edges.table.readEdges()
  return true
}
