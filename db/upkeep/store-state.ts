/** The state of a store, as far as an inspection tells that changes nothing. */
export interface StoreState {
  /** The engine, with the version of its server. */
  engine: string
  /** The number of the schema, 0 for a store without tables, and the number that this program has. */
  schema: number
  ownSchema: number
  /** In bytes. */
  size: number
  /** The time of the newest event, as ISO 8601; undefined without events. */
  newestEvent: string | undefined
}
