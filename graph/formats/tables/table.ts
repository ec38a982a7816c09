import { Unreadable } from '../shared/graph-builder.ts'
import type { Row } from './csv-rows.ts'
import type { TextOf } from './header.ts'

/** A table as provided by its format, row by row. */
export interface Table {
  rows: Iterable<Row>
  /** The column names, if a comment before the table provides them. */
  header?: Row | undefined
  delimiter: string
  textOf: TextOf
  /** Like `textOf`, but does not count losses. */
  peek: TextOf
  /** Whether the file is an edge list, in which the first two columns are the endpoints unless names indicate otherwise. */
  isList?: boolean
  /** Whether edges without a direction are undirected. */
  isUndirected?: boolean
}

/** Returns the rows. Throws if there are more than `most` of them. */
export function upTo(most: number, rows: Iterable<Row>): Row[] {
  const all: Row[] = []
  for (const row of rows) {
    if (all.length > most) throw new Unreadable(row.at, 'too-many-edges', `has more than ${most} rows`)
    all.push(row)
  }
  return all
}

/**
 * Returns whether rows contain a node and its neighbours, as in `a,b,c`. Each node has one row, rows differ in length, some
 * contain three neighbours or more, and most neighbours have rows as well.
 */
export function isAdjacencyList(rows: readonly Row[]) {
  const filled = rows.map(({ cells }) => cells.filter((cell) => cell !== ''))
  const nodes = new Set(filled.map(([node]) => node))
  const lengths = filled.map(({ length }) => length)
  const later = filled.flatMap((cells) => cells.slice(2))
  const known = later.filter((cell) => nodes.has(cell)).length
  const isRagged = lengths.some((length) => length > 3) && lengths.some((length) => length !== lengths[0])
  return nodes.size === rows.length && isRagged && known > later.length / 2
}

/** Returns whether the comments say that edges are undirected, as in files from SNAP and KONECT. */
export function areUndirected(comments: string) {
  return /^#[ \t]*undirected\b|^%[ \t]*sym\b/im.test(comments)
}
