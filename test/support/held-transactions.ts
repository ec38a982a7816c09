import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Store } from '../../db/store.ts'
import { engine } from './engine.ts'

/**
 * Lets the next transaction of the store run to completion, but delays the commit until `release` is called. `reached` resolves
 * at that point.
 */
export function holdNextTransaction(store: Store) {
  const { write } = store
  const reached = Promise.withResolvers<void>()
  const held = Promise.withResolvers<void>()
  store.write = (transaction) => {
    store.write = write
    return write.call(store, async (trx) => {
      const done = await transaction(trx)
      reached.resolve()
      await held.promise
      return done
    }) as never
  }
  return { reached: reached.promise, release: held.resolve }
}

/** Waits until a transaction of the store is waiting for another one: in SQLite's queue, or for a row lock in PostgreSQL. */
export async function untilOneWaits(store: Store) {
  for (;;) {
    if (engine === 'SQLite' && store.waiting > 0) return
    if (engine === 'PostgreSQL') {
      const { rows } = await sql`
        SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`.execute(
        store.scan
      )
      if (rows.length > 0) return
    }
    await sleep(5)
  }
}

/** Runs a function just before the next transaction of the store. */
export function beforeNextTransaction(store: Store, deed: () => unknown) {
  const { write } = store
  store.write = async (transaction) => {
    store.write = write
    await deed()
    return store.write(transaction)
  }
}

/** Collects the store's transactions from now on. */
export function collectTransactions(store: Store) {
  const { write } = store
  const transactions: Promise<unknown>[] = []
  store.write = (transaction) => {
    const written = write.call(store, transaction)
    transactions.push(written)
    return written as never
  }
  return transactions
}
