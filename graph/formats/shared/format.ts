import type { GraphContent } from '../../../schemas/graph-content.ts'
import type { FormatName } from '../../../schemas/graph-file.ts'
import type { GraphBuilder } from './graph-builder.ts'
import type { Losses } from './losses.ts'

/** A graph to be written. */
export interface GraphToWrite {
  name: string
  type?: string
  content: GraphContent
}

/** A codec for one file format. Pure: reads bytes into a graph, and writes a graph as text. */
export interface Format {
  /** Its name in `?format=` and `--format`. */
  name: FormatName
  /** Its name for people. */
  title: string
  mediaType: string
  /** Endings of file names, with the dot; exports get the first. */
  endings: readonly string[]
  /** Whether y grows downwards, as on a screen. In GraphContent it grows upwards, as on a map. */
  growsDown?: true
  /** Tells whether the text looks like this format. */
  recognises(text: string): boolean
  /** Reads the file into the builder, faults included. Throws Unreadable if it cannot go on. */
  read(bytes: Buffer, into: GraphBuilder): void
  /** Returns the file in pieces. Counts all losses before the first piece. Absent from formats that are only read. */
  write?(graph: GraphToWrite, losses: Losses): Iterable<string>
}

/** A format that graphs are exported to. */
export type WritableFormat = Format & Required<Pick<Format, 'write'>>
