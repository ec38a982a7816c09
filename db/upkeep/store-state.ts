/** The state of a store, as far as a read-only inspection can tell. */
export interface StoreState {
  /** The engine, including the server version. */
  engine: string
  /** The schema version of the store, or 0 if it has no tables. */
  schema: number
  /** The schema version of this program. */
  ownSchema: number
  /** Size in bytes. */
  size: number
  /** The time of the newest event in ISO 8601, or undefined if there are no events. */
  newestEvent: string | undefined
}
