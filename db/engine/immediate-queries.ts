import type { CompiledQuery } from 'kysely'
import type { Db } from '../store.ts'

/** Runs queries in the same turn of the event loop. Kysely's promises would add as much time as a lookup by key takes. */
export interface ImmediateQueries {
  /**
   * Returns the rows, which the caller must not modify, or undefined if no connection is free. `key` identifies the parameters,
   * and allows the engine to return cached rows if nothing has been committed since.
   */
  rowsOf<Row>(query: CompiledQuery<Row>, key?: string): readonly Row[] | undefined
}

const known = new WeakMap<Db, ImmediateQueries>()

/** Registers immediate queries for the handle's prepared queries, and returns the handle. */
export function withImmediateQueries<Handle extends Db>(db: Handle, queries: ImmediateQueries): Handle {
  known.set(db, queries)
  return db
}

/** Returns the handle's immediate queries, or undefined if the engine has none. */
export function immediateQueriesOf(db: Db): ImmediateQueries | undefined {
  return known.get(db)
}
