import type { SelectQueryBuilder } from 'kysely'
import type { Db, Trx } from '../store.ts'
import type { Tables } from '../tables.ts'

/**
 * The strengths of row locks, from weak to strong. Under `forKeyShare` other transactions may change the row but not remove it,
 * under `forShare` they may only read and share it, and under `forNoKeyUpdate` they may neither change nor share it.
 */
type Strength = 'forKeyShare' | 'forShare' | 'forNoKeyUpdate'

/** Returns the query so that its rows stay locked until the transaction ends. Outside of transactions it returns the query as it is. */
export function locked<Table extends keyof Tables, Row>(
  db: Db,
  query: SelectQueryBuilder<Tables, Table, Row>,
  strength: Strength
): SelectQueryBuilder<Tables, Table, Row> {
  return db.locksRows ? query[strength]() : query
}

/** Locks the rows of the query until the transaction ends. */
export async function lockRows<Table extends keyof Tables, Row>(
  trx: Trx,
  query: SelectQueryBuilder<Tables, Table, Row>,
  strength: Strength
) {
  if (trx.locksRows) await locked(trx, query, strength).execute()
}
