import { type ApiToken, MAX_TOKENS, type Scope } from '../../schemas/api-token.ts'
import { ProblemError } from '../../schemas/problem-catalogue.ts'
import type { Author } from '../actors.ts'
import { describeChanges, recordEvent } from '../audit/events.ts'
import { prepared } from '../engine/prepared.ts'
import type { Db, Trx } from '../store.ts'
import type { ApiTokenRow, UserRow } from '../tables.ts'
import { hashOfToken, newTokenText } from './token-text.ts'
import { lockUserShared } from './tokens.ts'
import { recordSeen, targetOf } from './users.ts'

// API tokens for programs. Each token acts on behalf of its user, whose rights are looked up for every request.

/** The state of a token, and the rights of its user. */
export interface ApiTokenState
  extends Pick<ApiTokenRow, 'id' | 'name' | 'scopes' | 'expiresAt' | 'lastUsedAt' | 'userId'>,
    Pick<UserRow, 'login' | 'role' | 'enabled'> {}

const selectState = prepared(
  (db: Db, { hash }: { hash: string }) =>
    db
      .selectFrom('apiToken')
      .innerJoin('user', 'user.id', 'apiToken.userId')
      .select(['apiToken.id', 'apiToken.name', 'scopes', 'expiresAt', 'lastUsedAt', 'userId'])
      .select(['login', 'role', 'enabled'])
      .where('hash', '=', hash),
  { remembers: true }
)

/** Returns the state of the token with this hash, or undefined if it does not exist. Runs for every request from a program. */
export async function findApiTokenState(db: Db, hash: string): Promise<ApiTokenState | undefined> {
  const [state] = await selectState(db, { hash })
  return state
}

/**
 * Returns the state of a user's token inside a transaction. The state stays locked until the transaction ends: transactions
 * that revoke the token, disable the user or change the user's rights must wait.
 */
export async function holdApiTokenState(trx: Trx, login: string, hash: string): Promise<ApiTokenState | undefined> {
  if (trx.locksRows) await lockUserShared(trx, { login })
  return findApiTokenState(trx, hash)
}

const updateLastUse = prepared((trx: Trx, { id, day }: { id: number; day: string }) =>
  trx.updateTable('apiToken').set({ lastUsedAt: day }).where('id', '=', id).returning('id')
)

/** Records that the user's token was used on this UTC day, `yyyy-MM-dd`. */
export async function recordTokenUse(trx: Trx, { id, userId }: Pick<ApiTokenRow, 'id' | 'userId'>, day: string) {
  await recordSeen(trx, userId)
  await updateLastUse(trx, { id, day })
}

/** Returns the user's tokens, oldest first. */
export async function listApiTokens(db: Db, { id }: Pick<UserRow, 'id'>): Promise<ApiToken[]> {
  const rows = await db.selectFrom('apiToken').selectAll().where('userId', '=', id).orderBy('id').execute()
  return rows.map(toApiToken)
}

/** The fields of a token that its creator sets. */
export interface ApiTokenValues {
  name: string
  scopes: readonly Scope[]
  expiresAt: Date
}

/**
 * Creates a token for the user, whom the transaction must have locked. Returns it with its secret, which is not stored. Throws
 * `too-many-tokens`.
 */
export async function createApiToken(trx: Trx, author: Author, user: UserRow, values: ApiTokenValues) {
  const { count } = await trx
    .selectFrom('apiToken')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('userId', '=', user.id)
    .executeTakeFirstOrThrow()
  if (Number(count) >= MAX_TOKENS) {
    throw new ProblemError('too-many-tokens', {
      detail: `A user can have at most ${MAX_TOKENS} tokens. Revoke some first.`
    })
  }
  const token = newTokenText()
  const row = {
    userId: user.id,
    name: values.name,
    hash: hashOfToken(token),
    scopes: values.scopes.join(' '),
    createdAt: new Date().toISOString(),
    createdBy: author.principal,
    expiresAt: values.expiresAt.toISOString(),
    lastUsedAt: null
  }
  const inserted = await trx.insertInto('apiToken').values(row).returning('id').executeTakeFirstOrThrow()
  const created = { ...row, ...inserted }
  const data = describeChanges({}, describeToken(created))
  await recordEvent(trx, author, { type: 'TOKEN_CREATED', target: targetOf(user), data })
  return { ...toApiToken(created), token }
}

/** Revokes one of the user's tokens. The transaction must have locked the user. Throws `token-not-found`. */
export async function revokeApiToken(trx: Trx, author: Author, user: UserRow, id: number) {
  const revoked = await trx
    .deleteFrom('apiToken')
    .where('id', '=', id)
    .where('userId', '=', user.id)
    .returningAll()
    .executeTakeFirst()
  if (!revoked) throw new ProblemError('token-not-found')
  const data = describeChanges(describeToken(revoked), {})
  await recordEvent(trx, author, { type: 'TOKEN_REVOKED', target: targetOf(user), data })
}

/** The number of tokens removed per query. */
const REMOVED_AT_ONCE = 500

/** Removes all tokens except those with these hashes. */
export async function keepApiTokens(trx: Trx, hashes: ReadonlySet<string>) {
  const tokens = await trx.selectFrom('apiToken').select(['id', 'hash']).execute()
  const removed = tokens.filter(({ hash }) => !hashes.has(hash)).map(({ id }) => id)
  for (let start = 0; start < removed.length; start += REMOVED_AT_ONCE) {
    await trx
      .deleteFrom('apiToken')
      .where('id', 'in', removed.slice(start, start + REMOVED_AT_ONCE))
      .execute()
  }
}

/** Parses the scopes from their stored form. */
export function scopesOf({ scopes }: Pick<ApiTokenRow, 'scopes'>): Scope[] {
  return scopes.split(' ') as Scope[]
}

/** Returns the properties of a token that events record. */
function describeToken({ id, name, scopes, expiresAt }: ApiTokenRow) {
  return { tokenId: id, name, scopes, expiresAt }
}

/** Returns the token as shown to clients, without its hash. */
function toApiToken(row: ApiTokenRow): ApiToken {
  const { id, name, createdAt, createdBy, expiresAt, lastUsedAt } = row
  const token = { id, name, scopes: scopesOf(row), createdAt, createdBy, expiresAt }
  return lastUsedAt === null ? token : { ...token, lastUsedAt }
}
