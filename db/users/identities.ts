import { ProblemError } from '../../schemas/problem-catalogue.ts'
import type { Identity } from '../../schemas/sign-in.ts'
import type { Role } from '../../schemas/user.ts'
import { type Author, system } from '../actors.ts'
import { recordEvent } from '../audit/events.ts'
import { type Db, StoreConflict, type Trx } from '../store.ts'
import type { UserRow } from '../tables.ts'
import { endProviderSessions } from './sessions.ts'
import {
  createUser,
  endsAdministration,
  type FoundUser,
  findUser,
  lockUser,
  lockUsers,
  targetOf,
  updateUser
} from './users.ts'

// Identities at an identity provider. Each user has at most one. Users are looked up by identity, never by login.

/** A person, as identified by an issuer. */
export interface Person {
  issuer: string
  subject: string
}

/** Returns the user's identity, or undefined if the user has none. */
export async function findIdentity(db: Db, { id }: Pick<UserRow, 'id'>): Promise<Identity | undefined> {
  return db
    .selectFrom('userIdentity')
    .select(['issuer', 'subject', 'linkedAt', 'linkedBy'])
    .where('userId', '=', id)
    .executeTakeFirst()
}

/** Finds the login and id of the user linked to the person. */
export async function findLinked(db: Db, { issuer, subject }: Person) {
  return db
    .selectFrom('userIdentity')
    .innerJoin('user', 'user.id', 'userIdentity.userId')
    .select(['user.id', 'user.login', 'user.role'])
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst()
}

/**
 * Links the user to the person, unless they are already linked. The transaction must have locked the user. Throws
 * `identity-taken` or `already-linked`.
 */
export async function linkIdentity(trx: Trx, actor: Author, user: UserRow, { issuer, subject }: Person) {
  const holder = await findLinked(trx, { issuer, subject })
  if (holder?.id === user.id) return
  if (holder) throw new ProblemError('identity-taken')
  if (await findIdentity(trx, user)) {
    throw new ProblemError('already-linked', { detail: 'Unlink the other identity first.' })
  }
  const linked = await trx
    .insertInto('userIdentity')
    .values({
      userId: user.id,
      issuer,
      subject,
      linkedAt: new Date().toISOString(),
      linkedBy: actor.principal
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('userId')
    .executeTakeFirst()
  if (!linked) throw new StoreConflict('the identity has been linked in the meantime')
  await recordEvent(trx, actor, { type: 'USER_LINKED', target: targetOf(user), data: { issuer, subject } })
}

/**
 * Unlinks the user's identity and ends the sessions that were started with it. Does nothing if the user has no identity. The
 * transaction must have locked the user.
 */
export async function unlinkIdentity(trx: Trx, actor: Author, user: UserRow) {
  const removed = await trx
    .deleteFrom('userIdentity')
    .where('userId', '=', user.id)
    .returning(['issuer', 'subject'])
    .executeTakeFirst()
  if (!removed) return
  await recordEvent(trx, actor, { type: 'USER_UNLINKED', target: targetOf(user), data: { ...removed } })
  await endProviderSessions(trx, actor, user)
}

/** A person whom the provider has signed in. */
export interface Arrival extends Person {
  /** The login for a new user, or undefined if the provider returned no usable username. */
  login: string | undefined
  /** The role set by the provider, or undefined if users keep their roles. */
  role: Role | undefined
}

/**
 * Finds the user for a person who has just signed in, and locks the user. Creates the user if `createUsers` is set. Updates the
 * user's role, except that the last administrator remains an administrator. Throws `identity-unknown`, `login-unusable`,
 * `login-taken` or `user-disabled`.
 */
export async function admit(
  trx: Trx,
  { request }: Pick<Author, 'request'>,
  person: Arrival,
  { createUsers }: { createUsers: boolean }
): Promise<FoundUser> {
  const provider = { principal: system.principal, ...(request && { request }) }
  const known = (await findLinked(trx, person)) ?? (await create(trx, provider, person, createUsers))
  const { role = known.role } = person
  const isChanged = role !== known.role
  await (isChanged ? lockUsers : lockUser)(trx, known.login)
  const user = await findUser(trx, known.login)
  if (user?.id !== known.id || user.role !== known.role) throw new StoreConflict('the user has changed in the meantime')
  if (!user.enabled) throw new ProblemError('user-disabled', { target: targetOf(user) })
  if (!isChanged || (await endsAdministration(trx, user, { role }))) return user
  return updateUser(trx, provider, user, { role })
}

/** Creates a user for the person. Throws `identity-unknown`, `login-unusable` or `login-taken`. */
async function create(trx: Trx, provider: Author, person: Arrival, isWanted: boolean) {
  const { login, role = 'USER' } = person
  if (!isWanted) throw new ProblemError('identity-unknown')
  if (login === undefined) throw new ProblemError('login-unusable')
  const user = await createUser(trx, provider, { login, passwordHash: '', role, enabled: true })
  if (!user) {
    // A concurrent sign-in by the same person may have created the user.
    const linked = await findLinked(trx, person)
    if (linked) return linked
    throw new ProblemError('login-taken')
  }
  await linkIdentity(trx, provider, user, person)
  return user
}
