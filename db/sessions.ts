import { prepared } from './engine/prepared.ts'
import { locked } from './engine/row-locks.ts'
import type { Db, Trx } from './store.ts'

/** How long sessions of browsers go on without use, in milliseconds; Infinity for as long as their tokens. */
export interface IdleLimits {
  /** Those that end with the window. */
  window: number
  /** Those that outlive it. */
  remembered: number
}

/** What is kept of a session. */
export interface KeptSession {
  remembered: boolean | number
  lastUsedAt: number
}

/** A use is written down if the last one that was is so long ago, in milliseconds: a session may end so much early. */
const USE_INTERVAL = 5 * 60 * 1000

/** So far the clocks of processes that share a store may differ, in milliseconds. */
const SKEW = 5 * 60 * 1000

/** No token is valid for longer, in milliseconds. */
const LONGEST = 30 * 24 * 60 * 60 * 1000

const limitOf = ({ remembered }: KeptSession, limits: IdleLimits) => (remembered ? limits.remembered : limits.window)

/**
 * Whether the session has not been used for too long. So has one whose last use is still to come: who puts the clock back
 * does not give it more time.
 */
export function isIdle(session: KeptSession, limits: IdleLimits): boolean {
  const unused = Date.now() - session.lastUsedAt
  return unused > limitOf(session, limits) || unused < -SKEW
}

/** Whether a use of it now is to be written down. Where little time is allowed, a fiftieth of it counts. */
export function isStale(session: KeptSession, limits: IdleLimits): boolean {
  return Date.now() - session.lastUsedAt > Math.min(USE_INTERVAL, limitOf(session, limits) / 50)
}

/** Begins a session. */
export async function beginSession(trx: Trx, session: { id: string; remembered: boolean }) {
  await trx
    .insertInto('session')
    .values({ ...session, lastUsedAt: Date.now() })
    .execute()
}

const accessOf = prepared(
  (db: Db, { login, session }: { login: string; session: string }) =>
    db
      .selectFrom('user')
      .leftJoin('session', (join) => join.on('session.id', '=', session))
      .select(['role', 'enabled', 'tokenVersion', 'mustChangePassword', 'remembered', 'lastUsedAt'])
      .where('login', '=', login)
      .where(({ not, exists, selectFrom }) =>
        not(exists(selectFrom('endedSession').select('id').where('id', '=', session)))
      ),
  { remembers: true }
)

/**
 * What the user may do at the moment, and the session: that is undefined where it has ended as nobody used it. Undefined
 * where there is no such user, or the session was ended.
 */
export async function findSessionAccess(db: Db, login: string, session: string) {
  const [row] = await accessOf(db, { login, session })
  if (!row) return undefined
  const { remembered, lastUsedAt, ...access } = row
  return { ...access, session: remembered === null || lastUsedAt === null ? undefined : { remembered, lastUsedAt } }
}

const sessionHeld = prepared((trx: Trx, { id }: { id: string }) => {
  const query = trx.selectFrom('session').select(['remembered', 'lastUsedAt']).where('id', '=', id)
  // A use may be written down meanwhile.
  return locked(trx, query, 'forKeyShare')
})

/**
 * The session, inside of the unit that is about to change something; undefined where it has ended. Who ends it waits until
 * the unit has ended.
 */
export async function holdSession(trx: Trx, id: string): Promise<KeptSession | undefined> {
  const [session] = await sessionHeld(trx, { id })
  return session
}

/** Writes down that the session is used. One that has ended meanwhile stays so. */
export async function noteUse(trx: Trx, id: string) {
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

/** Ends all sessions that have not been used for too long. */
export async function removeIdleSessions(trx: Trx, limits: IdleLimits) {
  const now = Date.now()
  for (const remembered of [false, true]) {
    const oldest = now - Math.min(remembered ? limits.remembered : limits.window, LONGEST)
    await trx
      .deleteFrom('session')
      .where('remembered', '=', remembered)
      .where(({ or, eb }) => or([eb('lastUsedAt', '<', oldest), eb('lastUsedAt', '>', now + SKEW)]))
      .execute()
  }
}
