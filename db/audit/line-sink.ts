/** The leaves whose lines have been written. */
export interface LinePosition {
  /** The index of the next leaf. */
  next: number
  /** The hash of the leaf before it, in hexadecimal; empty at the beginning. A store that was restored may have another leaf there. */
  leaf: string
}

/** The place of the lines that are written as events come, outside of the store; see src/audit/line-file.ts. */
export interface AuditLineSink {
  /** Its name in the log. */
  readonly name: string
  /** Returns the position that was last kept; undefined if there is none. */
  position(): Promise<LinePosition | undefined>
  /** Appends whole lines, and then keeps the position behind them. If it fails, the lines may be there, whole, or some of them. */
  append(lines: Uint8Array, position: LinePosition): Promise<void>
  close(): Promise<void>
}
