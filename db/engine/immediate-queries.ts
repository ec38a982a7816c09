import type { CompiledQuery } from 'kysely'
import type { Db } from '../store.ts'

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

const known = new WeakMap<Db, ImmediateQueries>()

/** Lets prepared queries of the handle be answered at once. Returns the handle. */
export function withImmediateQueries<Handle extends Db>(db: Handle, queries: ImmediateQueries): Handle {
  known.set(db, queries)
  return db
}

/** Returns the immediate queries of the handle; undefined where the engine has none. */
export function immediateQueriesOf(db: Db): ImmediateQueries | undefined {
  return known.get(db)
}
