import type { ExpressionBuilder } from 'kysely'
import { ProblemError } from '../../schemas/problem-catalogue.ts'
import { LISTED_SESSIONS, type Session } from '../../schemas/session.ts'
import type { Author } from '../actors.ts'
import type { Db, Trx } from '../store.ts'
import type { SessionRow, Tables, UserRow } from '../tables.ts'
import { endSession, type IdleLimits, isIdle } from './sessions.ts'

/** Returns a condition that selects the user's sessions with valid tokens. Some of them may have been idle for too long. */
const lastingOf =
  (user: UserRow) =>
  ({ and, eb }: ExpressionBuilder<Tables, 'session'>) =>
    and([eb('userId', '=', user.id), eb('tokenVersion', '=', user.tokenVersion), eb('expiresAt', '>', Date.now())])

/** Lists up to LISTED_SESSIONS of the user's sessions, most recently used first. `token` is the id of the request's token. */
export async function listSessions(db: Db, user: UserRow, limits: IdleLimits, token: string): Promise<Session[]> {
  const rows = await db
    .selectFrom('session')
    .selectAll()
    .where(lastingOf(user))
    .where(({ or, and, eb }) =>
      or([
        eb('browser', '=', false),
        ...([true, false] as const).map((remembered) =>
          and([eb('remembered', '=', remembered), eb('lastUsedAt', '>=', oldestOf(remembered, limits))])
        )
      ])
    )
    .orderBy('lastUsedAt', 'desc')
    .orderBy('id')
    .limit(LISTED_SESSIONS)
    .execute()
  return rows.filter((row) => !row.browser || !isIdle(row, limits)).map((row) => toSession(row, token))
}

/**
 * Returns the earliest last-use time of a session that is not idle yet, or Number.MIN_SAFE_INTEGER if there is no limit.
 */
function oldestOf(remembered: boolean, limits: IdleLimits) {
  return Math.max(Number.MIN_SAFE_INTEGER, Date.now() - (remembered ? limits.remembered : limits.window))
}

/** Ends the user's session with this id. The transaction must have locked the user. Throws `session-not-found`. */
export async function endListedSession(trx: Trx, actor: Author, user: UserRow, id: string) {
  const session = await trx
    .selectFrom('session')
    .select(['id', 'expiresAt'])
    .where(lastingOf(user))
    .where('handle', '=', id)
    .executeTakeFirst()
  if (!session) throw new ProblemError('session-not-found')
  await endSession(trx, actor, user, session)
}

function toSession(row: SessionRow, token: string): Session {
  const { id, handle, browser, method, familiar, startedAt, lastUsedAt, expiresAt, address, userAgent } = row
  return {
    id: handle,
    kind: browser ? 'BROWSER' : 'TOKEN',
    current: id === token,
    method,
    familiar: Boolean(familiar),
    startedAt: timeOf(startedAt),
    lastUsedAt: timeOf(lastUsedAt),
    expiresAt: timeOf(expiresAt),
    address,
    ...(userAgent !== null && { userAgent })
  }
}

function timeOf(milliseconds: number) {
  return new Date(milliseconds).toISOString()
}
