import { randomBytes } from 'node:crypto'
import { INVITATION_DAYS } from '../../schemas/invitation.ts'
import { ProblemError } from '../../schemas/problem-catalogue.ts'
import type { Author } from '../actors.ts'
import { recordEvent } from '../audit/events.ts'
import type { Db, Trx } from '../store.ts'
import type { UserRow } from '../tables.ts'
import { hashOfToken } from './token-text.ts'
import { requireUser, targetOf, updateUser } from './users.ts'

// Invitations let users without a password choose one. Each user has at most one invitation, which `updateUser` revokes when the
// user gets a password or is disabled.

/** How long an invitation is valid, in milliseconds. */
const LIFETIME = INVITATION_DAYS * 24 * 60 * 60 * 1000

/**
 * Invites the user, whom the transaction must have locked, and revokes an earlier invitation. Returns the secret, which is not
 * stored. Throws `user-disabled` or `password-exists`.
 */
export async function inviteUser(trx: Trx, author: Author, user: UserRow) {
  if (!user.enabled) throw new ProblemError('user-disabled')
  if (user.passwordHash !== '') throw new ProblemError('password-exists')
  const secret = randomBytes(32).toString('base64url')
  const values = { hash: hashOfToken(secret), expiresAt: Date.now() + LIFETIME }
  await trx
    .insertInto('invitation')
    .values({ userId: user.id, ...values })
    .onConflict((conflict) => conflict.column('userId').doUpdateSet(values))
    .execute()
  const expiresAt = new Date(values.expiresAt).toISOString()
  await recordEvent(trx, author, { type: 'USER_INVITED', target: targetOf(user), data: { expiresAt } })
  return { secret, expiresAt }
}

/**
 * Returns the login and role of the user whom the secret invites, and when the invitation expires. Throws
 * `invitation-not-found`.
 */
export async function requireInvited(db: Db, secret: string) {
  const now = Date.now()
  const found = await db
    .selectFrom('invitation')
    .innerJoin('user', 'user.id', 'invitation.userId')
    .select(['login', 'role', 'expiresAt'])
    .where('hash', '=', hashOfToken(secret))
    .where('expiresAt', '>', now)
    // Setting the clock back must not give the user more time.
    .where('expiresAt', '<=', now + LIFETIME)
    .executeTakeFirst()
  if (!found) throw new ProblemError('invitation-not-found')
  return { ...found, expiresAt: new Date(Number(found.expiresAt)).toISOString() }
}

/**
 * Sets the first password of an invited user, which revokes the invitation. The transaction must have locked the user, and
 * checked the invitation.
 */
export async function acceptInvitation(trx: Trx, author: Author, login: string, passwordHash: string) {
  const user = await requireUser(trx, login)
  await recordEvent(trx, author, { type: 'INVITATION_ACCEPTED', target: targetOf(user) })
  await updateUser(trx, author, user, { passwordHash, mustChangePassword: false })
}
