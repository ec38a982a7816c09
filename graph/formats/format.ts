import type { GraphContent } from '../../schemas/graph-content.ts'
import type { GraphBuilder } from './graph-builder.ts'
import type { Losses } from './losses.ts'

/** A graph on its way out. */
export interface GraphToWrite {
  name: string
  type?: string
  content: GraphContent
}

/** A codec for one kind of graph file. Pure: bytes in, a graph out, and back. */
export interface Format {
  /** As `?format=` and `--format` name it. */
  name: string
  /** As people call it. */
  title: string
  mediaType: string
  /** Endings of file names, with the dot; the first is for files that are written. */
  endings: readonly string[]
  /** Whether the text looks like this format. */
  recognises(text: string): boolean
  /** Reads the file into the builder. Faults go there; Unreadable is thrown where there is no going on. */
  read(bytes: Buffer, into: GraphBuilder): void
  /** The file in pieces. What it cannot hold is counted before the first piece is asked for. */
  write(graph: GraphToWrite, losses: Losses): Iterable<string>
}
