import type { GraphRecord, ImportReport, ImportTable } from '../api.ts'
import type { PastedTable } from '../paste/pasted-table.ts'
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
  /** The distinct values at the start of each column of the table. */
  values?: readonly ReadonlySet<string>[] | undefined
  error?: unknown
  name: string
  graph?: GraphRecord
  /** The first rows of the table. */
  sample?: PastedTable | undefined
  /** The tables in the file, if it is an archive of tables that form one graph. */
  parts?: TableGroup
  /** Whether the user took the table out of a group. */
  isApart?: boolean
}

/** A file that contains a single table. */
export type Table = Item & { table: ImportTable }

/** Tables that form one graph. There is at least one of each kind. */
export interface TableGroup {
  nodes: Table[]
  edges: Table[]
}
