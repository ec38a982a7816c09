import { sql } from 'kysely'
import type { Db, Store, Trx } from './store.ts'

/** When the system clock was last trusted, and how long servers have run since then, in milliseconds. */
export interface ClockState {
  /** Milliseconds since 1970. */
  trustedAt: number
  ran: number
}

/** How far the clock may be ahead of the servers' accumulated uptime, in milliseconds. Downtime for an update is shorter. */
const TOLERANCE = 60 * 60 * 1000

/** How long servers must run before a clock that has jumped further ahead than TOLERANCE is trusted, in milliseconds. */
const PROBATION = 24 * 60 * 60 * 1000

/**
 * Decides whether to trust a clock that shows `now` after servers have run for another `elapsed` milliseconds. Returns the new
 * state and the verdict. A clock that has jumped ahead is not trusted until it agrees with the servers' uptime again or servers
 * have run for a day. The same applies after a long downtime. Data removed because of a wrong clock is lost, whereas keeping it
 * for another day does no harm.
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
 * Returns the current time for a command that removes old data, in milliseconds since 1970. This is the system clock, capped at
 * the latest time that servers have seen, so that commands remove only data that a running server would have considered old.
 */
export async function readSeenTime(db: Db, now = Date.now()): Promise<number> {
  const { trustedAt, ran } = await readClock(db)
  return Math.min(now, trustedAt + ran + TOLERANCE)
}

/** Stores the state of the clock. */
export async function setClock(trx: Trx, state: ClockState) {
  await trx.updateTable('clock').set(state).execute()
}

/** Runs a query that reads no table. Rejects if the store does not respond. */
export async function probeReading(store: Store) {
  await sql`SELECT 1`.execute(store.read)
}

/** Durably writes a small value. Throws StoreUnavailable if writing fails. */
export async function probeWriting(store: Store) {
  await store.write((trx) => trx.updateTable('clock').set({ probes: sql<number>`("probes" + 1) % 1000000` }).execute())
}
