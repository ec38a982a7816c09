import { sql } from 'kysely'
import { type Db, REMOVED_AT_ONCE, type Trx } from '../store.ts'

/** The number of attempts, and the time when they expire, in milliseconds since 1970. */
export interface Attempts {
  count: number
  expiresAt: number
}

/**
 * Counts an attempt. Returns the attempts in the current window, which starts with the first attempt and is `window` milliseconds
 * long.
 */
export async function countAttempt(trx: Trx, key: string, window: number): Promise<Attempts> {
  const now = Date.now()
  // Setting the clock back must not extend a window.
  const isOver = sql<boolean>`"attempt"."expiresAt" NOT BETWEEN ${now + 1} AND ${now + window}`
  return trx
    .insertInto('attempt')
    .values({ key, count: 1, expiresAt: now + window })
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet({
        count: sql<number>`CASE WHEN ${isOver} THEN 1 ELSE "attempt"."count" + 1 END`,
        expiresAt: sql<number>`CASE WHEN ${isOver} THEN excluded."expiresAt" ELSE "attempt"."expiresAt" END`
      })
    )
    .returning(['count', 'expiresAt'])
    .executeTakeFirstOrThrow()
}

/** Returns the attempts, and locks them until the transaction ends. */
export async function lockAttempts(trx: Trx, key: string): Promise<Attempts> {
  return trx
    .insertInto('attempt')
    .values({ key, count: 0, expiresAt: 0 })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ count: sql<number>`"attempt"."count"` }))
    .returning(['count', 'expiresAt'])
    .executeTakeFirstOrThrow()
}

/** Returns the attempts, unless they have expired. `window` is the maximum lifetime of attempts, in milliseconds. */
export async function findAttempts(db: Db, key: string, window: number): Promise<Attempts | undefined> {
  const now = Date.now()
  return db
    .selectFrom('attempt')
    .select(['count', 'expiresAt'])
    .where('key', '=', key)
    .where('expiresAt', '>', now)
    .where('expiresAt', '<=', now + window)
    .executeTakeFirst()
}

/** Stores the attempts. */
export async function setAttempts(trx: Trx, key: string, attempts: Attempts) {
  await trx
    .insertInto('attempt')
    .values({ key, ...attempts })
    .onConflict((conflict) => conflict.column('key').doUpdateSet(attempts))
    .execute()
}

/** Subtracts one attempt. */
export async function forgiveAttempt(trx: Trx, key: string) {
  await trx
    .updateTable('attempt')
    .set((eb) => ({ count: eb('count', '-', 1) }))
    .where('key', '=', key)
    .execute()
}

/** Removes all attempts for the key. */
export async function forgetAttempts(trx: Trx, key: string) {
  await trx.deleteFrom('attempt').where('key', '=', key).execute()
}

/** Removes some of the expired attempts. Returns whether more may remain. */
export async function removeOldAttempts(trx: Trx): Promise<boolean> {
  const now = Date.now()
  const old = trx.selectFrom('attempt').select('key').where('expiresAt', '<=', now).limit(REMOVED_AT_ONCE)
  const { numDeletedRows } = await trx
    .deleteFrom('attempt')
    .where('key', 'in', old)
    // Keep attempts that have been counted in the meantime.
    .where('expiresAt', '<=', now)
    .executeTakeFirstOrThrow()
  return numDeletedRows >= REMOVED_AT_ONCE
}
