import type { GraphContent } from '../../../schemas/graph-content.ts'
import type { FormatName } from '../../../schemas/graph-file.ts'
import type { GraphBuilder } from './graph-builder.ts'
import type { Losses } from './losses.ts'

/** A graph to write. */
export interface GraphToWrite {
  name: string
  type?: string
  content: GraphContent
}

/** The codec of one file format. It has no side effects: it reads bytes into a graph, and writes a graph as text or bytes. */
export interface Format {
  /** The name in `?format=` and `--format`. */
  name: FormatName
  /** The display name. */
  title: string
  mediaType: string
  /** The file name extensions, including the dot. Exports use the first. */
  endings: readonly string[]
  /** Whether y increases downwards, as on a screen. In GraphContent, y increases upwards, as on a map. */
  growsDown?: true
  /** Returns whether the text looks like this format. */
  recognises(text: string): boolean
  /** Reads the file into the builder, which collects the faults. Throws Unreadable if it cannot continue. */
  read(bytes: Buffer, into: GraphBuilder): void
  /** Returns the file in chunks. Counts all losses before the first chunk. Undefined for read-only formats. */
  write?(graph: GraphToWrite, losses: Losses): Iterable<string | Buffer>
}

/** A format that graphs can be exported to. */
export type WritableFormat = Format & Required<Pick<Format, 'write'>>
