import { randomInt } from 'node:crypto'
import type { ExpressionBuilder } from 'kysely'
import type { Slice, SortKey } from '../../schemas/parameters.ts'
import { ProblemError } from '../../schemas/problem-catalogue.ts'
import { authoritiesOf, type Role, type User, type UserKind, type userSorts } from '../../schemas/user.ts'
import type { Author } from '../actors.ts'
import { describeChanges, recordEvent } from '../audit/events.ts'
import { prepared, preparedByShape } from '../engine/prepared.ts'
import { lockRows } from '../engine/row-locks.ts'
import { removeGrantsTo } from '../graphs/listed-grants.ts'
import {
  applySlice,
  isNear,
  type SliceParameters,
  type SliceShape,
  sliceParametersOf,
  sliceShapeOf
} from '../paging.ts'
import { type Db, expectOne, type Reader, StoreConflict, type Trx } from '../store.ts'
import type { Tables, UserRow } from '../tables.ts'

/** A user, and whether they can sign in through an identity provider. */
export interface FoundUser extends UserRow {
  linked: boolean | number
}

const isLinked = (eb: ExpressionBuilder<Tables, 'user'>) =>
  eb.exists(eb.selectFrom('userIdentity').select('userId').whereRef('userIdentity.userId', '=', 'user.id')).as('linked')

const byLogin = prepared((db: Db, { login }: { login: string }) =>
  db.selectFrom('user').selectAll().select(isLinked).where('login', '=', login)
)

/** Finds the user with this login. */
export async function findUser(db: Db, login: string): Promise<FoundUser | undefined> {
  const [user] = await byLogin(db, { login })
  return user
}

/**
 * Locks these users and all administrators until the transaction ends, so that no other transaction changes them or acts on
 * their behalf. Call this for both the acting and the affected users in every transaction that changes users. Locks rows in a
 * fixed order to prevent deadlocks between transactions that lock each other's users.
 */
export async function lockUsers(trx: Trx, ...logins: string[]) {
  const query = trx
    .selectFrom('user')
    .select('id')
    .where((eb) => eb.or([eb('login', 'in', logins), eb('role', '=', 'ADMIN')]))
  await lockRows(trx, query.orderBy('id'), 'forNoKeyUpdate')
}

/**
 * Locks the user until the transaction ends, so that no other transaction acts on their behalf. Call this in every transaction
 * that ends one of the user's sessions.
 */
export async function lockUser(trx: Trx, login: string) {
  await lockRows(trx, trx.selectFrom('user').select('id').where('login', '=', login), 'forNoKeyUpdate')
}

/** Returns the user with this login. Throws `user-not-found`. */
export async function requireUser(db: Db, login: string): Promise<FoundUser> {
  const user = await findUser(db, login)
  if (!user) throw new ProblemError('user-not-found')
  return user
}

const selectPage = preparedByShape((db, shape: SliceShape, parameters: SliceParameters) =>
  applySlice(db.selectFrom('user').selectAll().select(isLinked), shape, parameters, (field, eb) =>
    eb.ref(field as 'id')
  )
)

/** Lists the users, ordered and limited by the slice. */
export async function listUsers({ read, scan }: Reader, slice: Slice): Promise<User[]> {
  const rows = await selectPage(isNear(slice) ? read : scan, sliceShapeOf(slice), sliceParametersOf(slice))
  return rows.map(toUser)
}

const selectCount = prepared((db: Db) => db.selectFrom('user').select((eb) => eb.fn.countAll<number>().as('count')))

/** Counts the users by reading them all. */
export async function countUsers(db: Db): Promise<number> {
  const [counted] = await selectCount(db, {})
  return Number(counted?.count ?? 0)
}

/** Returns the user's value for the field that the list is sorted by. */
export function userSortKey(user: User, field: string): SortKey {
  const value = user[field as (typeof userSorts)[number]]
  return typeof value === 'boolean' ? Number(value) : value
}

export interface NewUserValues {
  login: string
  /** Defaults to PERSON. */
  kind?: UserKind
  /** Empty for a user without a password. */
  passwordHash: string
  role: Role
  enabled: boolean
  /** Defaults to false. */
  mustChangePassword?: boolean
}

/** Creates the user. Returns undefined if the login is taken. */
export async function createUser(trx: Trx, actor: Author, values: NewUserValues): Promise<FoundUser | undefined> {
  const now = new Date().toISOString()
  const user = await trx
    .insertInto('user')
    // The version is random, so that tokens of an earlier user with the same login stay invalid.
    .values({ ...values, tokenVersion: randomInt(2 ** 47), createdAt: now, updatedAt: now })
    .onConflict((conflict) => conflict.column('login').doNothing())
    .returningAll()
    .executeTakeFirst()
  if (!user) return undefined
  await recordEvent(trx, actor, {
    type: 'USER_CREATED',
    target: targetOf(user),
    data: describeChanges({}, describeUser(user))
  })
  return { ...user, linked: false }
}

export interface UserChanges {
  role?: Role | undefined
  enabled?: boolean | undefined
  passwordHash?: string | undefined
  mustChangePassword?: boolean | undefined
}

/** Updates the user. A new password or `enabled: false` immediately revokes all of the user's tokens, and their invitation. */
export async function updateUser<User extends UserRow>(
  trx: Trx,
  actor: Author,
  before: User,
  wanted: UserChanges
): Promise<User> {
  const {
    role = before.role,
    enabled = Boolean(before.enabled),
    mustChangePassword = Boolean(before.mustChangePassword),
    passwordHash
  } = wanted
  const data = describeChanges(describeUser(before), { kind: before.kind, role, enabled, mustChangePassword })
  const isChanged = Object.keys(data).length > 0
  if (!isChanged && passwordHash === undefined) return before

  const revoked = passwordHash !== undefined || (before.enabled && !enabled)
  const after = await trx
    .updateTable('user')
    .set({
      role,
      enabled,
      mustChangePassword,
      passwordHash: passwordHash ?? before.passwordHash,
      tokenVersion: before.tokenVersion + (revoked ? 1 : 0),
      updatedAt: new Date().toISOString()
    })
    .where('id', '=', before.id)
    .where('role', '=', before.role)
    .where('enabled', '=', Boolean(before.enabled))
    .where('mustChangePassword', '=', Boolean(before.mustChangePassword))
    .where('passwordHash', '=', before.passwordHash)
    .where('tokenVersion', '=', before.tokenVersion)
    .returningAll()
    .executeTakeFirst()
  if (!after) throw new StoreConflict('the user has been changed in the meantime')
  if (revoked) await trx.deleteFrom('invitation').where('userId', '=', before.id).execute()
  const target = targetOf(after)
  if (isChanged) await recordEvent(trx, actor, { type: 'USER_UPDATED', target, data })
  if (passwordHash !== undefined) await recordEvent(trx, actor, { type: 'PASSWORD_CHANGED', target })
  return { ...before, ...after }
}

const updateLastSeen = prepared((trx: Trx, { id, day }: { id: number; day: string }) =>
  trx
    .updateTable('user')
    .set({ lastSeenAt: day })
    .where('id', '=', id)
    .where(({ or, eb }) => or([eb('lastSeenAt', 'is', null), eb('lastSeenAt', '<', day)]))
    .returning('id')
)

/**
 * Records that the user was seen today, in UTC. Writes at most once a day. Call this before changing the user's sessions or
 * tokens, because other transactions lock the user first.
 */
export async function recordSeen(trx: Trx, id: number) {
  await updateLastSeen(trx, { id, day: new Date().toISOString().slice(0, 10) })
}

/** Deletes the user, who must not own any graphs. */
export async function deleteUser(trx: Trx, actor: Author, user: UserRow) {
  expectOne(await trx.deleteFrom('user').where('id', '=', user.id).returning('id').execute())
  // Housekeeping removes any remaining grants.
  await removeGrantsTo(trx, { granteeType: 'USER', granteeId: user.id })
  await recordEvent(trx, actor, {
    type: 'USER_DELETED',
    target: targetOf(user),
    data: describeChanges(describeUser(user), {})
  })
}

/**
 * Returns whether the changes would leave no enabled administrator who has a password. Must be called inside the transaction that
 * makes the changes.
 */
export async function endsAdministration(trx: Trx, user: UserRow, { role, enabled }: UserChanges): Promise<boolean> {
  const remains = (role ?? user.role) === 'ADMIN' && (enabled ?? Boolean(user.enabled))
  if (remains || user.role !== 'ADMIN' || !user.enabled || user.passwordHash === '') return false
  // Two administrators could disable each other at the same time, so make the second transaction wait for the first.
  await lockUsers(trx, user.login)
  const other = await trx
    .selectFrom('user')
    .select('id')
    .where('role', '=', 'ADMIN')
    .where('passwordHash', '<>', '')
    .where('enabled', '=', true)
    .where('id', '<>', user.id)
    .executeTakeFirst()
  return other === undefined
}

/** Returns whether the user can sign in with a password. If `passwordLogin` is false, only administrators can. */
export function hasUsablePassword({ passwordHash, role }: UserRow, passwordLogin: boolean): boolean {
  return passwordHash !== '' && (passwordLogin || role === 'ADMIN')
}

/** Returns whether the user owns any graphs, including graphs in the trash. */
export async function ownsGraphs(db: Db, login: string): Promise<boolean> {
  const one = (table: 'graph' | 'trash') =>
    db.selectFrom(table).select('id').where('owner', '=', login).limit(1).executeTakeFirst()
  return ((await one('graph')) ?? (await one('trash'))) !== undefined
}

/** Returns the properties of a user that events record. */
function describeUser({
  kind,
  role,
  enabled,
  mustChangePassword
}: Pick<UserRow, 'kind' | 'role' | 'enabled' | 'mustChangePassword'>) {
  return { kind, role, enabled: Boolean(enabled), mustChangePassword: Boolean(mustChangePassword) }
}

/** Returns the target of an event about the user. */
export function targetOf({ id, login }: Pick<UserRow, 'id' | 'login'>) {
  return { type: 'USER', id, name: login } as const
}

/** Returns the user as shown to clients, without the password hash and token version. */
export function toUser(user: FoundUser): User {
  const { id, login, lastSeenAt, createdAt, updatedAt } = user
  const ways = { hasPassword: user.passwordHash !== '', linked: Boolean(user.linked) }
  const secondFactor = user.secondFactorSince !== null
  const details = describeUser(user)
  return {
    id,
    login,
    ...details,
    authorities: authoritiesOf(details.role),
    ...ways,
    secondFactor,
    ...(lastSeenAt !== null && { lastSeenAt }),
    createdAt,
    updatedAt
  }
}
