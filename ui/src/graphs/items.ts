import type { GraphRecord, ImportReport, ImportTable } from '../api.ts'
import type { Columns } from './import.ts'

/** A file to import. */
export interface Item {
  key: number
  file: File
  format?: string | undefined
  /** The columns of a table that the user chose. */
  columns?: Columns
  /** The fraction of the file that has been uploaded, from 0 to 1. */
  progress?: number
  report?: ImportReport | undefined
  /** The table according to the last report. */
  table?: ImportTable | undefined
  error?: unknown
  name: string
  graph?: GraphRecord
  /** The files that this archive contains. */
  parts?: TablePair
}

/** A node table and an edge table that may form one graph. */
export interface TablePair {
  nodes: Item & { table: ImportTable }
  edges: Item & { table: ImportTable }
}
