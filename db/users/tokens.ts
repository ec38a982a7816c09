import { prepared } from '../engine/prepared.ts'
import { locked } from '../engine/row-locks.ts'
import type { Db, Trx } from '../store.ts'
import type { UserRow } from '../tables.ts'

/** The state of a token: the rights of its user, and the last use of the session that it belongs to. */
export interface TokenState
  extends Pick<UserRow, 'id' | 'role' | 'enabled' | 'tokenVersion' | 'mustChangePassword' | 'secondFactorSince'> {
  /** Null if no session is stored, or not any more; `lastUsedAt` as well. */
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

/** Finds the state of a token; undefined if its user is gone, or if the token has been ended. Every request asks for it. */
export async function findTokenState(db: Db, login: string, id: string): Promise<TokenState | undefined> {
  const [state] = await selectState(db, { login, id })
  return state
}

/** Has transactions that change the user, or end their sessions or tokens, wait until this transaction has ended. */
export const lockUserShared = prepared((trx: Trx, { login }: { login: string }) =>
  locked(trx, trx.selectFrom('user').select('id').where('login', '=', login), 'forShare')
)

/**
 * Finds the state of a token inside of a transaction. It stays as it is until the transaction has ended: transactions that disable the user,
 * change their rights or end their sessions wait for that. Transactions that end sessions for lack of use do not wait: no such end
 * is meant for a caller who has just sent a request.
 */
export async function holdTokenState(trx: Trx, login: string, id: string): Promise<TokenState | undefined> {
  // A query that has waited for a lock sees other tables as they were before. Hence the state is read by another one.
  if (trx.locksRows) await lockUserShared(trx, { login })
  return findTokenState(trx, login, id)
}
