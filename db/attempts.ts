import { sql } from 'kysely'
import type { Db } from './store.ts'

/** How often something was tried in its window, the last try included, and when that ends, in milliseconds since 1970. */
export interface Attempts {
  count: number
  expiresAt: number
}

/** Counts a try, together with those of the window, which begins with the first; its length is in milliseconds. */
export async function countAttempt(trx: Db, key: string, window: number): Promise<Attempts> {
  const now = Date.now()
  // Nor does a window last longer because the clock was put back.
  const isOver = sql<boolean>`"attempt"."expiresAt" NOT BETWEEN ${sql.lit(now + 1)} AND ${sql.lit(now + window)}`
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

/** Takes one try back. */
export async function forgiveAttempt(trx: Db, key: string) {
  await trx
    .updateTable('attempt')
    .set((eb) => ({ count: eb('count', '-', 1) }))
    .where('key', '=', key)
    .execute()
}

/** Forgets all tries. */
export async function forgetAttempts(trx: Db, key: string) {
  await trx.deleteFrom('attempt').where('key', '=', key).execute()
}

/** Removes what is over. */
export async function removeOldAttempts(trx: Db) {
  await trx.deleteFrom('attempt').where('expiresAt', '<=', Date.now()).execute()
}
