import type { GraphRecord, ImportReport, ImportTable } from '../api.ts'
import type { Columns } from './import.ts'

/** A file to import. */
export interface Item {
  key: number
  file: File
  format?: string | undefined
  /** The columns of a table that the user chose. */
  columns?: Columns
  /** The uploaded fraction of the file, from 0 to 1. */
  progress?: number
  report?: ImportReport | undefined
  /** The table of the last report. */
  table?: ImportTable | undefined
  error?: unknown
  name: string
  graph?: GraphRecord
  /** The files that this archive contains. */
  parts?: TablePair
}

/** A table of nodes and a table of edges that may form one graph. */
export interface TablePair {
  nodes: Item & { table: ImportTable }
  edges: Item & { table: ImportTable }
}
