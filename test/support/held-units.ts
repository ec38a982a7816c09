import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Store } from '../../db/store.ts'
import { engine } from './engine.ts'

/** Lets the next unit of the store run to its end, but not commit, until `release` is called. `reached` resolves at that point. */
export function holdNextUnit(store: Store) {
  const { write } = store
  const reached = Promise.withResolvers<void>()
  const held = Promise.withResolvers<void>()
  store.write = (unit) => {
    store.write = write
    return write.call(store, async (trx) => {
      const done = await unit(trx)
      reached.resolve()
      await held.promise
      return done
    }) as never
  }
  return { reached: reached.promise, release: held.resolve }
}

/** Waits until a unit of the store waits for another: in the queue of SQLite, for a row of PostgreSQL. */
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

/** Does something right before the next unit of the store. */
export function beforeNextUnit(store: Store, deed: () => unknown) {
  const { write } = store
  store.write = async (unit) => {
    store.write = write
    await deed()
    return store.write(unit)
  }
}

/** Keeps the units of the store from now on. */
export function collectUnits(store: Store) {
  const { write } = store
  const units: Promise<unknown>[] = []
  store.write = (unit) => {
    const written = write.call(store, unit)
    units.push(written)
    return written as never
  }
  return units
}
