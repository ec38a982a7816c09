import { sql } from 'kysely'
import type { Db, Store, Trx } from './store.ts'

/** When the system clock was last trusted, and how long servers have run since then; both in milliseconds. */
export interface ClockState {
  /** Since 1970. */
  trustedAt: number
  ran: number
}

/** How far the clock may be ahead of the time that servers have run, in milliseconds: longer than an update takes. */
const TOLERANCE = 60 * 60 * 1000

/** How long servers have to run until a clock that is further ahead is trusted, in milliseconds. */
const PROBATION = 24 * 60 * 60 * 1000

/**
 * Judges a clock that shows `now`, after servers have run for `elapsed` milliseconds more. Returns its new state, and whether it
 * is trusted. A clock that has jumped ahead is not, until it agrees again or servers have run for a day, as they do after a
 * machine was off for long. Data removed by a wrong clock is lost; data kept for another day is not.
 */
export function judgeClock({ trustedAt, ran }: ClockState, now: number, elapsed: number) {
  const total = ran + elapsed
  const isTrusted = now <= trustedAt + total + TOLERANCE || total >= PROBATION
  return { isTrusted, ...(isTrusted ? { trustedAt: now, ran: 0 } : { trustedAt, ran: total }) }
}

/** Returns the state of the clock. */
export async function readClock(db: Db): Promise<ClockState> {
  return db.selectFrom('clock').select(['trustedAt', 'ran']).executeTakeFirstOrThrow()
}

/**
 * Returns the time from which ages count for a command: what the system clock shows, but no later than servers have seen it. What was
 * not old while one ran is not removed. In milliseconds since 1970.
 */
export async function readSeenTime(db: Db, now = Date.now()): Promise<number> {
  const { trustedAt, ran } = await readClock(db)
  return Math.min(now, trustedAt + ran + TOLERANCE)
}

/** Stores the state of the clock. */
export async function setClock(trx: Trx, state: ClockState) {
  await trx.updateTable('clock').set(state).execute()
}

/** Runs a query without a table. Rejects if the store does not answer. */
export async function probeReading(store: Store) {
  await sql`SELECT 1`.execute(store.read)
}

/** Writes something small, durably. Throws StoreUnavailable if nothing can be written. */
export async function probeWriting(store: Store) {
  await store.write((trx) => trx.updateTable('clock').set({ probes: sql<number>`("probes" + 1) % 1000000` }).execute())
}
