import type { CompiledQuery } from 'kysely'

/**
 * Answers queries in the same turn of the event loop. The promises that Kysely has around a query take as long as a lookup
 * by key does.
 */
export interface ImmediateQueries {
  /**
   * Returns the rows, which the caller must not change; undefined if no connection is free. A `key` stands for the parameters
   * and lets the engine return rows that it remembers, if nothing has been committed since.
   */
  rowsOf<Row>(query: CompiledQuery<Row>, key?: string): readonly Row[] | undefined
}
