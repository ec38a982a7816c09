import type { GraphRecord, ImportReport, ImportTable } from '../api.ts'
import type { Choices } from './choices.ts'

/** A file to import. */
export interface Item {
  key: number
  file: File
  format?: string | undefined
  /** The user's choices for reading the file. */
  choices?: Choices
  /** The uploaded fraction of the file, from 0 to 1. */
  progress?: number
  report?: ImportReport | undefined
  /** The table described by the last report. */
  table?: ImportTable | undefined
  /** The first node ids or edge endpoints in the table, if several tables are imported together. */
  ids?: ReadonlySet<string> | undefined
  error?: unknown
  name: string
  graph?: GraphRecord
  /** The two tables in the file, if it is an archive of a table pair. */
  parts?: TablePair
  /** Whether the user took the table out of a pair. */
  isApart?: boolean
}

/** A file that contains a single table. */
export type Table = Item & { table: ImportTable }

/** A node table and an edge table that form one graph. */
export interface TablePair {
  nodes: Table
  edges: Table
}
