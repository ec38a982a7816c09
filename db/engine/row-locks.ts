import type { SelectQueryBuilder } from 'kysely'
import type { Db, Trx } from '../store.ts'
import type { Tables } from '../tables.ts'

/**
 * The strengths of row locks, from weakest to strongest. `forKeyShare` lets other transactions change the row but not remove it.
 * `forShare` lets them only read the row and lock it with `forShare` too. `forNoKeyUpdate` lets them neither change the row nor
 * lock it with `forShare`.
 */
type Strength = 'forKeyShare' | 'forShare' | 'forNoKeyUpdate'

/** Adds a row lock that lasts until the transaction ends. Outside a transaction, returns the query unchanged. */
export function locked<Table extends keyof Tables, Row>(
  db: Db,
  query: SelectQueryBuilder<Tables, Table, Row>,
  strength: Strength
): SelectQueryBuilder<Tables, Table, Row> {
  return db.locksRows ? query[strength]() : query
}

/** Locks the query's rows until the transaction ends. */
export async function lockRows<Table extends keyof Tables, Row>(
  trx: Trx,
  query: SelectQueryBuilder<Tables, Table, Row>,
  strength: Strength
) {
  if (trx.locksRows) await locked(trx, query, strength).execute()
}
