/** What a file holds, as its format tells it. */
export interface GraphFile {
  /** What the graph is called, where the file says so. */
  name?: string
  /** What kind of graph it is. */
  type?: string
  /** Meant to be GraphContent, and not checked yet. */
  content: unknown
  /** Where in the file something stands that the content has at this pointer. */
  origin(pointer: string): string
}

/** A codec for one kind of graph file. Pure: bytes in, content out. */
export interface Format {
  name: string
  mediaType: string
  /** Endings of file names, with the dot. */
  endings: readonly string[]
  /** Throws ProblemError with every fault that keeps the file from being understood. */
  read(bytes: Buffer): GraphFile
  /** Lines and columns of pointers into a file, from 1. */
  locate(bytes: Buffer, pointers: string[]): { line: number; column: number }[]
}
