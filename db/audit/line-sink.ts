/** The position up to which lines have been written. */
export interface LinePosition {
  /** The index of the next leaf. */
  next: number
  /**
   * The hash of the preceding leaf, in hexadecimal, or an empty string at the start. After a restore, the store may have a
   * different leaf there.
   */
  leaf: string
}

/** A destination outside the store for lines that are written as events occur. See src/audit/line-file.ts. */
export interface AuditLineSink {
  /** The name of the destination in log messages. */
  readonly name: string
  /** Returns the last saved position, or undefined if none was saved. */
  position(): Promise<LinePosition | undefined>
  /**
   * Appends whole lines, then saves the position after them. After a failure, all, some or none of the lines may have been
   * written.
   */
  append(lines: Uint8Array, position: LinePosition): Promise<void>
  close(): Promise<void>
}
