import { prepared } from '../engine/prepared.ts'
import { locked } from '../engine/row-locks.ts'
import type { Db, Trx } from '../store.ts'
import type { UserRow } from '../tables.ts'

/** The state of a token: the rights of its user, and the last use of its session. */
export interface TokenState
  extends Pick<UserRow, 'id' | 'role' | 'enabled' | 'tokenVersion' | 'mustChangePassword' | 'secondFactorSince'> {
  /** Null if there is no stored session. The same applies to `lastUsedAt`. */
  remembered: boolean | number | null
  /** In milliseconds since 1970. */
  lastUsedAt: number | null
}

/** The login of a user, and the id of one of their tokens. */
interface Key {
  login: string
  id: string
}

const selectState = prepared(
  (db: Db, { login, id }: Key) =>
    db
      .selectFrom('user')
      .select(['id', 'role', 'enabled', 'tokenVersion', 'mustChangePassword', 'secondFactorSince'])
      .select((eb) => [
        eb.selectFrom('session').select('remembered').where('id', '=', id).as('remembered'),
        eb.selectFrom('session').select('lastUsedAt').where('id', '=', id).as('lastUsedAt')
      ])
      .where('login', '=', login)
      .where(({ not, exists, selectFrom }) =>
        not(exists(selectFrom('endedSession').select('id').where('id', '=', id)))
      ),
  { remembers: true }
)

/** Returns the state of a token, or undefined if its user no longer exists or the token was revoked. Runs for every request. */
export async function findTokenState(db: Db, login: string, id: string): Promise<TokenState | undefined> {
  const [state] = await selectState(db, { login, id })
  return state
}

/** Blocks transactions that change the user, or end the user's sessions or tokens, until this transaction ends. */
export const lockUserShared = prepared((trx: Trx, { login }: { login: string }) =>
  locked(trx, trx.selectFrom('user').select('id').where('login', '=', login), 'forShare')
)

/**
 * Returns the state of a token inside a transaction. The state stays locked until the transaction ends: transactions that
 * disable the user, change the user's rights or end the user's sessions must wait. Transactions that end idle sessions do not
 * wait, because a caller who has just sent a request is not idle.
 */
export async function holdTokenState(trx: Trx, login: string, id: string): Promise<TokenState | undefined> {
  // After waiting for a lock, a query still sees the old state of other tables. A separate query therefore reads the current
  // state.
  if (trx.locksRows) await lockUserShared(trx, { login })
  return findTokenState(trx, login, id)
}
