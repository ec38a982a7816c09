import { randomInt } from 'node:crypto'
import type { ExpressionBuilder } from 'kysely'
import type { SignInMethod } from '../../schemas/session.ts'
import type { Author } from '../actors.ts'
import { recordEvent } from '../audit/events.ts'
import { expectOne, REMOVED_AT_ONCE, type Trx } from '../store.ts'
import type { Tables, UserRow } from '../tables.ts'
import { targetOf } from './users.ts'

/** How long a browser's session lasts without use, in milliseconds; Infinity for as long as its token is valid. */
export interface IdleLimits {
  /** For sessions that end when the browser window closes. */
  window: number
  /** For sessions that outlive the window. */
  remembered: number
}

/** The stored part of a session. */
export interface KeptSession {
  remembered: boolean | number
  /** In milliseconds since 1970. */
  lastUsedAt: number
}

/** A session whose recorded use is older than this is recorded again, in milliseconds. A session may end early by as much. */
const USE_INTERVAL = 5 * 60 * 1000

/** The clocks of processes that share a store may differ by this much, in milliseconds. */
const SKEW = 5 * 60 * 1000

/** No token is valid for longer, in milliseconds. */
const LONGEST = 30 * 24 * 60 * 60 * 1000

function limitOf({ remembered }: KeptSession, limits: IdleLimits) {
  return remembered ? limits.remembered : limits.window
}

/** Tells whether the session was unused for too long. A use in the future counts as none: a clock set back gives no more time. */
export function isIdle(session: KeptSession, limits: IdleLimits): boolean {
  const unused = Date.now() - session.lastUsedAt
  return unused > limitOf(session, limits) || unused < -SKEW
}

/** Tells whether a use of the session has to be recorded now: after five minutes, or after a fiftieth of a short limit. */
export function isStale(session: KeptSession, limits: IdleLimits): boolean {
  return Date.now() - session.lastUsedAt > Math.min(USE_INTERVAL, limitOf(session, limits) / 50)
}

/** The session at an identity provider by which a session begins. */
export interface ProviderSession {
  /** The provider's name of it, if it has told one. */
  sid?: string | undefined
}

/** A session that begins. */
interface NewSession extends Partial<ProviderSession> {
  id: string
  handle: string
  /** Whether it is a browser's. */
  browser: boolean
  method: SignInMethod
  remembered: boolean
  /** In milliseconds since 1970. */
  expiresAt: number
  address: string
  userAgent?: string | undefined
  /** Whether the user had signed in from there before. */
  familiar: boolean
}

/** Begins a session of the user. */
export async function beginSession(trx: Trx, { id: userId, tokenVersion }: UserRow, session: NewSession) {
  const now = Date.now()
  await trx
    .insertInto('session')
    .values({ ...session, userId, tokenVersion, startedAt: now, lastUsedAt: now })
    .execute()
}

/** Records that the session is used now. A session that has ended stays so. */
export async function recordUse(trx: Trx, id: string) {
  const lastUsedAt = Date.now()
  await trx
    .updateTable('session')
    .set({ lastUsedAt })
    .where('id', '=', id)
    .where('lastUsedAt', '<', lastUsedAt)
    .execute()
}

/** Ends the session, unless it has been used meanwhile. */
export async function removeIdleSession(trx: Trx, id: string, { lastUsedAt }: KeptSession) {
  await trx.deleteFrom('session').where('id', '=', id).where('lastUsedAt', '=', lastUsedAt).execute()
}

/** Ends some of the sessions that were unused for too long. Returns whether more may be left. */
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
    // A session that is used meanwhile stays.
    const { numDeletedRows } = await trx
      .deleteFrom('session')
      .where('id', 'in', idle)
      .where(isUnused)
      .executeTakeFirstOrThrow()
    areMore ||= numDeletedRows >= REMOVED_AT_ONCE
  }
  return areMore
}

/** A token to be ended: its id, and when it expires, in milliseconds since 1970. */
export interface EndingToken {
  id: string
  expiresAt: number
}

/** Ends one session of the user: its token is not valid any more. The transaction has locked the user. */
export async function endSession(trx: Trx, actor: Author, user: UserRow, token: EndingToken) {
  const ended = await trx
    .insertInto('endedSession')
    .values(token)
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id')
    .executeTakeFirst()
  await trx.deleteFrom('session').where('id', '=', token.id).execute()
  if (ended) await recordEvent(trx, actor, { type: 'SESSION_ENDED', target: targetOf(user) })
}

/** Finds the user whom a session of the identity provider has signed in. */
export async function findUserOfSession(trx: Trx, sid: string) {
  return trx
    .selectFrom('session')
    .innerJoin('user', 'user.id', 'session.userId')
    .select(['user.id', 'user.login'])
    .where('sid', '=', sid)
    .executeTakeFirst()
}

/** The longest time for which a session by an identity provider is valid, in milliseconds. */
const LONGEST_BY_PROVIDER = 24 * 60 * 60 * 1000

/**
 * Ends the sessions of the user that began at the identity provider; with `sid` those of one session there, and those of which it is
 * not known. The transaction has locked the user. Returns their number.
 */
export async function endProviderSessions(trx: Trx, actor: Author, user: Pick<UserRow, 'id' | 'login'>, sid?: string) {
  let query = trx.deleteFrom('session').where('userId', '=', user.id).where('method', '=', 'oidc')
  if (sid !== undefined) query = query.where((eb) => eb.or([eb('sid', '=', sid), eb('sid', 'is', null)]))
  const ended = await query.returning('id').execute()
  if (ended.length === 0) return 0
  const expiresAt = Date.now() + LONGEST_BY_PROVIDER + SKEW
  // Few at a time, since statements have a bounded number of parameters.
  for (let at = 0; at < ended.length; at += REMOVED_AT_ONCE) {
    const tokens = ended.slice(at, at + REMOVED_AT_ONCE).map(({ id }) => ({ id, expiresAt }))
    const insertion = trx.insertInto('endedSession').values(tokens)
    await insertion.onConflict((conflict) => conflict.column('id').doNothing()).execute()
  }
  const data = { method: 'oidc', count: String(ended.length) }
  await recordEvent(trx, actor, { type: 'SESSIONS_ENDED', target: targetOf(user), data })
  return ended.length
}

/** Ends the recorded sessions of the user, but for the one with this token. The transaction has locked the user. */
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

/** Forgets some of the ended tokens, and of the sessions, that have expired meanwhile. Returns whether more may be left. */
export async function removeExpiredSessions(trx: Trx): Promise<boolean> {
  let areMore = false
  for (const table of ['endedSession', 'session'] as const) {
    const expired = trx.selectFrom(table).select('id').where('expiresAt', '<=', Date.now()).limit(REMOVED_AT_ONCE)
    const { numDeletedRows } = await trx.deleteFrom(table).where('id', 'in', expired).executeTakeFirstOrThrow()
    areMore ||= numDeletedRows >= REMOVED_AT_ONCE
  }
  return areMore
}

/** Ends every session of the user: no token that was issued until now is valid any more. */
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

/** Ends every session of all users: no token that was issued until now is valid any more. */
export async function endAllSessions(trx: Trx) {
  await trx
    .updateTable('user')
    .set({ tokenVersion: randomInt(2 ** 47) })
    .execute()
}
