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

/** Returns whether the comments state that edges are undirected, as in files from SNAP and KONECT. */
export function areUndirected(comments: string) {
  return /^#[ \t]*undirected\b|^%[ \t]*sym\b/im.test(comments)
}
