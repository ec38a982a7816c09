import { createHash } from 'node:crypto'
import { ProblemError } from '../../schemas/problem-catalogue.ts'
import type { Author } from '../actors.ts'
import { recordEvent } from '../audit/events.ts'
import { type Db, expectOne, type Trx } from '../store.ts'
import type { UserRow } from '../tables.ts'
import { targetOf } from './users.ts'

// A user's second factor: the encrypted secret of an authenticator app, and recovery codes. Transactions that change it must
// have locked the user.

/**
 * Returns the user's encrypted secret and the time step of the last accepted code, or undefined if there is no second factor.
 */
export async function findSecret(db: Db, { id }: Pick<UserRow, 'id'>) {
  return db.selectFrom('secondFactor').select(['secret', 'lastStep']).where('userId', '=', id).executeTakeFirst()
}

/** How long a user has to confirm a second factor, in milliseconds. */
export const SETUP_TIME = 10 * 60 * 1000

/** Stores a pending secret, replacing any earlier pending secret. Throws `second-factor-exists`. */
export async function beginSecondFactor(trx: Trx, user: UserRow, token: string, secret: string) {
  if (user.secondFactorSince !== null) throw new ProblemError('second-factor-exists')
  const values = { secret, lastStep: 0, begunAt: Date.now(), begunBy: token }
  await trx
    .insertInto('secondFactor')
    .values({ userId: user.id, ...values })
    .onConflict((conflict) => conflict.column('userId').doUpdateSet(values))
    .execute()
}

/**
 * Checks that the session with this token has recently begun to set up a second factor, so that no other session can guess its
 * codes. Throws `second-factor-exists` or `second-factor-not-begun`.
 */
export async function requireBegunSecondFactor(db: Db, user: UserRow, token: string) {
  if (user.secondFactorSince !== null) throw new ProblemError('second-factor-exists')
  const begun = await db
    .selectFrom('secondFactor')
    .select('begunAt')
    .where('userId', '=', user.id)
    .where('begunBy', '=', token)
    .executeTakeFirst()
  // Setting the clock back must not give the user more time.
  if (!begun || Math.abs(Date.now() - Number(begun.begunAt)) > SETUP_TIME) {
    throw new ProblemError('second-factor-not-begun')
  }
}

/** Enables the second factor. `step` is the time step of the code that confirmed it. */
export async function enableSecondFactor(trx: Trx, actor: Author, user: UserRow, step: number, codes: string[]) {
  await setSince(trx, user, new Date().toISOString())
  await acceptStep(trx, user, step)
  await setRecoveryCodes(trx, user, codes)
  await recordEvent(trx, actor, { type: 'SECOND_FACTOR_ENABLED', target: targetOf(user) })
}

/** Removes the user's second factor and recovery codes. Does nothing if the user has no second factor. */
export async function removeSecondFactor(trx: Trx, actor: Author, user: UserRow) {
  await trx.deleteFrom('secondFactor').where('userId', '=', user.id).execute()
  await setRecoveryCodes(trx, user, [])
  if (user.secondFactorSince === null) return
  await setSince(trx, user, null)
  await recordEvent(trx, actor, { type: 'SECOND_FACTOR_DISABLED', target: targetOf(user) })
}

async function setSince(trx: Trx, { id }: UserRow, secondFactorSince: string | null) {
  expectOne(await trx.updateTable('user').set({ secondFactorSince }).where('id', '=', id).returning('id').execute())
}

/** Accepts a code for this time step. Returns false if a code for the same or a later step was already accepted. */
export async function acceptStep(trx: Trx, { id }: UserRow, step: number): Promise<boolean> {
  const accepted = await trx
    .updateTable('secondFactor')
    .set({ lastStep: step })
    .where('userId', '=', id)
    .where('lastStep', '<', step)
    .returning('userId')
    .executeTakeFirst()
  return accepted !== undefined
}

/** Replaces the recovery codes. Only their hashes are stored. */
async function setRecoveryCodes(trx: Trx, { id: userId }: UserRow, codes: string[]) {
  await trx.deleteFrom('recoveryCode').where('userId', '=', userId).execute()
  const rows = codes.map((code) => ({ userId, hash: hashOf(code) }))
  if (rows.length > 0) await trx.insertInto('recoveryCode').values(rows).execute()
}

/** Replaces the recovery codes of a user who has a second factor. Throws `second-factor-missing`. */
export async function renewRecoveryCodes(trx: Trx, actor: Author, user: UserRow, codes: string[]) {
  if (user.secondFactorSince === null) throw new ProblemError('second-factor-missing')
  await setRecoveryCodes(trx, user, codes)
  await recordEvent(trx, actor, { type: 'RECOVERY_CODES_RENEWED', target: targetOf(user) })
}

/** Redeems a recovery code, which cannot be used again. Returns whether the code was valid. */
export async function acceptRecoveryCode(trx: Trx, actor: Author, user: UserRow, code: string): Promise<boolean> {
  const used = await trx
    .deleteFrom('recoveryCode')
    .where('userId', '=', user.id)
    .where('hash', '=', hashOf(code))
    .returning('hash')
    .executeTakeFirst()
  if (!used) return false
  const left = String(await countRecoveryCodes(trx, user))
  await recordEvent(trx, actor, { type: 'RECOVERY_CODE_USED', target: targetOf(user), data: { left } })
  return true
}

/** Returns the number of unused recovery codes. */
export async function countRecoveryCodes(db: Db, { id }: Pick<UserRow, 'id'>): Promise<number> {
  const rows = await db.selectFrom('recoveryCode').select('hash').where('userId', '=', id).execute()
  return rows.length
}

/** Returns the hash of a recovery code. The codes are random enough for a fast hash. */
function hashOf(code: string) {
  return createHash('sha256').update(code).digest('base64url')
}
