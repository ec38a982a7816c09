import { randomInt } from 'node:crypto'
import type { ExpressionBuilder } from 'kysely'
import type { SignInMethod } from '../../schemas/session.ts'
import type { Author } from '../actors.ts'
import { recordEvent } from '../audit/events.ts'
import { expectOne, REMOVED_AT_ONCE, type Trx } from '../store.ts'
import type { Tables, UserRow } from '../tables.ts'
import { recordSeen, targetOf } from './users.ts'

/** How long a browser session may be idle, in milliseconds. Infinity means until its token expires. */
export interface IdleLimits {
  /** For sessions that end when the browser window closes. */
  window: number
  /** For sessions that outlive the browser window. */
  remembered: number
}

/** The stored fields that determine whether a session is idle. */
export interface KeptSession {
  remembered: boolean | number
  /** In milliseconds since 1970. */
  lastUsedAt: number
}

/**
 * How stale the recorded last use of a session may be before it is updated, in milliseconds. A session may therefore end early
 * by up to this much.
 */
const USE_INTERVAL = 5 * 60 * 1000

/** The maximum clock difference between processes that share a store, in milliseconds. */
const SKEW = 5 * 60 * 1000

/** The maximum lifetime of a token, in milliseconds. */
const LONGEST = 30 * 24 * 60 * 60 * 1000

function limitOf({ remembered }: KeptSession, limits: IdleLimits) {
  return remembered ? limits.remembered : limits.window
}

/**
 * Returns whether the session has been idle for too long. A last use in the future is treated as idle, so that setting the
 * clock back does not extend sessions.
 */
export function isIdle(session: KeptSession, limits: IdleLimits): boolean {
  const unused = Date.now() - session.lastUsedAt
  return unused > limitOf(session, limits) || unused < -SKEW
}

/**
 * Returns whether the recorded last use must be updated now: after five minutes, or after a fiftieth of the idle limit if that
 * is shorter.
 */
export function isStale(session: KeptSession, limits: IdleLimits): boolean {
  return Date.now() - session.lastUsedAt > Math.min(USE_INTERVAL, limitOf(session, limits) / 50)
}

/** The identity provider's session from which a session was started. */
export interface ProviderSession {
  /** The provider's id for its session, if the provider has sent one. */
  sid?: string | undefined
}

/** A new session. */
interface NewSession extends Partial<ProviderSession> {
  id: string
  handle: string
  /** Whether it is a browser session. */
  browser: boolean
  method: SignInMethod
  remembered: boolean
  /** In milliseconds since 1970. */
  expiresAt: number
  address: string
  userAgent?: string | undefined
  /** Whether the user had signed in from the same network before. */
  familiar: boolean
}

/** Starts a session for the user. */
export async function beginSession(trx: Trx, { id: userId, tokenVersion }: UserRow, session: NewSession) {
  const now = Date.now()
  await recordSeen(trx, userId)
  await trx
    .insertInto('session')
    .values({ ...session, userId, tokenVersion, startedAt: now, lastUsedAt: now })
    .execute()
}

/** Records that the user's session is in use now. Does nothing to a session that has ended. */
export async function recordUse(trx: Trx, id: string, userId: number) {
  await recordSeen(trx, userId)
  const lastUsedAt = Date.now()
  await trx
    .updateTable('session')
    .set({ lastUsedAt })
    .where('id', '=', id)
    .where('lastUsedAt', '<', lastUsedAt)
    .execute()
}

/** Ends the session, unless it has been used in the meantime. */
export async function removeIdleSession(trx: Trx, id: string, { lastUsedAt }: KeptSession) {
  await trx.deleteFrom('session').where('id', '=', id).where('lastUsedAt', '=', lastUsedAt).execute()
}

/** Ends some of the sessions that have been idle for too long. Returns whether more may remain. */
export async function removeIdleSessions(trx: Trx, limits: IdleLimits): Promise<boolean> {
  const now = Date.now()
  let areMore = false
  for (const remembered of [false, true]) {
    const oldest = now - Math.min(remembered ? limits.remembered : limits.window, LONGEST)
    const isUnused = ({ and, or, eb }: ExpressionBuilder<Tables, 'session'>) =>
      and([
        eb('remembered', '=', remembered),
        eb('browser', '=', true),
        or([eb('lastUsedAt', '<', oldest), eb('lastUsedAt', '>', now + SKEW)])
      ])
    const idle = trx.selectFrom('session').select('id').where(isUnused).limit(REMOVED_AT_ONCE)
    // Keep sessions that have been used in the meantime.
    const { numDeletedRows } = await trx
      .deleteFrom('session')
      .where('id', 'in', idle)
      .where(isUnused)
      .executeTakeFirstOrThrow()
    areMore ||= numDeletedRows >= REMOVED_AT_ONCE
  }
  return areMore
}

/** A token to revoke: its id, and its expiry time in milliseconds since 1970. */
export interface EndingToken {
  id: string
  expiresAt: number
}

/** Ends one of the user's sessions, which invalidates its token. The transaction must have locked the user. */
export async function endSession(trx: Trx, actor: Author, user: UserRow, token: EndingToken) {
  const ended = await trx
    .insertInto('endedSession')
    .values(token)
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('expiresAt')
    .executeTakeFirst()
  await trx.deleteFrom('session').where('id', '=', token.id).execute()
  if (ended) await recordEvent(trx, actor, { type: 'SESSION_ENDED', target: targetOf(user) })
}

/** Finds the user who signed in through this session at the identity provider. */
export async function findUserOfSession(trx: Trx, sid: string) {
  return trx
    .selectFrom('session')
    .innerJoin('user', 'user.id', 'session.userId')
    .select(['user.id', 'user.login'])
    .where('sid', '=', sid)
    .executeTakeFirst()
}

/** The maximum lifetime of a session started through an identity provider, in milliseconds. */
const LONGEST_BY_PROVIDER = 24 * 60 * 60 * 1000

/**
 * Ends the user's sessions that were started through the identity provider. With `sid`, ends only those that were started from
 * that provider session or whose provider session is unknown. The transaction must have locked the user. Returns the number of
 * ended sessions.
 */
export async function endProviderSessions(trx: Trx, actor: Author, user: Pick<UserRow, 'id' | 'login'>, sid?: string) {
  let query = trx.deleteFrom('session').where('userId', '=', user.id).where('method', '=', 'oidc')
  if (sid !== undefined) query = query.where((eb) => eb.or([eb('sid', '=', sid), eb('sid', 'is', null)]))
  const ended = await query.returning('id').execute()
  if (ended.length === 0) return 0
  const expiresAt = Date.now() + LONGEST_BY_PROVIDER + SKEW
  // Insert in batches, because the number of parameters per statement is limited.
  for (let at = 0; at < ended.length; at += REMOVED_AT_ONCE) {
    const tokens = ended.slice(at, at + REMOVED_AT_ONCE).map(({ id }) => ({ id, expiresAt }))
    const insertion = trx.insertInto('endedSession').values(tokens)
    await insertion.onConflict((conflict) => conflict.column('id').doNothing()).execute()
  }
  const data = { method: 'oidc', count: String(ended.length) }
  await recordEvent(trx, actor, { type: 'SESSIONS_ENDED', target: targetOf(user), data })
  return ended.length
}

/** Ends the user's recorded sessions, except the one with this token. The transaction must have locked the user. */
export async function endOtherSessions(trx: Trx, actor: Author, user: UserRow, token: string) {
  const isOther = ({ and, eb }: ExpressionBuilder<Tables, 'session'>) =>
    and([eb('userId', '=', user.id), eb('id', '<>', token), eb('expiresAt', '>', Date.now())])
  const others = trx.selectFrom('session').select(['id', 'expiresAt']).where(isOther)
  await trx
    .insertInto('endedSession')
    .columns(['id', 'expiresAt'])
    .expression(others)
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
  const { numDeletedRows } = await trx.deleteFrom('session').where(isOther).executeTakeFirstOrThrow()
  if (numDeletedRows === 0n) return
  await recordEvent(trx, actor, {
    type: 'SESSIONS_ENDED',
    target: targetOf(user),
    data: { count: String(numDeletedRows) }
  })
}

/** Deletes a batch of expired sessions and revoked tokens. Returns whether there may be more. */
export async function removeExpiredSessions(trx: Trx): Promise<boolean> {
  let areMore = false
  for (const table of ['endedSession', 'session'] as const) {
    const expired = trx.selectFrom(table).select('id').where('expiresAt', '<=', Date.now()).limit(REMOVED_AT_ONCE)
    const { numDeletedRows } = await trx.deleteFrom(table).where('id', 'in', expired).executeTakeFirstOrThrow()
    areMore ||= numDeletedRows >= REMOVED_AT_ONCE
  }
  return areMore
}

/** Ends all sessions of the user, which invalidates all tokens issued so far. */
export async function endSessions(trx: Trx, actor: Author, user: UserRow) {
  const ended = await trx
    .updateTable('user')
    .set((eb) => ({ tokenVersion: eb('tokenVersion', '+', 1) }))
    .where('id', '=', user.id)
    .returning('id')
    .execute()
  expectOne(ended)
  await recordEvent(trx, actor, { type: 'SESSIONS_ENDED', target: targetOf(user) })
}

/** Ends all sessions of all users, which invalidates all tokens issued so far. */
export async function endAllSessions(trx: Trx) {
  await trx
    .updateTable('user')
    .set({ tokenVersion: randomInt(2 ** 47) })
    .execute()
}
