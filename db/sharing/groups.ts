import { type Group, type groupSorts, MAX_MEMBERS } from '../../schemas/group.ts'
import type { Slice, SortKey } from '../../schemas/parameters.ts'
import { ProblemError } from '../../schemas/problem-catalogue.ts'
import type { Author } from '../actors.ts'
import { describeChanges, recordEvent } from '../audit/events.ts'
import { prepared, preparedByShape } from '../engine/prepared.ts'
import { locked, lockRows } from '../engine/row-locks.ts'
import { removeGrantsTo } from '../graphs/listed-grants.ts'
import {
  applySlice,
  isNear,
  type SliceParameters,
  type SliceShape,
  sliceParametersOf,
  sliceShapeOf
} from '../paging.ts'
import { type Db, expectOne, type Reader, type Trx } from '../store.ts'
import type { GroupRow, UserRow } from '../tables.ts'

const byName = prepared((db: Db, { name }: { name: string }) =>
  locked(db, db.selectFrom('group').selectAll().where('name', '=', name), 'forNoKeyUpdate')
)

/** Finds the group with this name. Inside a transaction, also locks the row. */
export async function findGroup(db: Db, name: string): Promise<GroupRow | undefined> {
  const [group] = await byName(db, { name })
  return group
}

/** Returns the group with this name. Inside a transaction, also locks the row. Throws `group-not-found`. */
export async function requireGroup(db: Db, name: string): Promise<GroupRow> {
  const group = await findGroup(db, name)
  if (!group) throw new ProblemError('group-not-found')
  return group
}

const selectPage = preparedByShape((db, shape: SliceShape, parameters: SliceParameters) =>
  applySlice(db.selectFrom('group').selectAll(), shape, parameters, (field, eb) => eb.ref(field as 'id'))
)

/** Lists the groups, ordered and limited by the slice. */
export async function listGroups({ read, scan }: Reader, slice: Slice): Promise<Group[]> {
  const rows = await selectPage(isNear(slice) ? read : scan, sliceShapeOf(slice), sliceParametersOf(slice))
  return rows.map(toGroup)
}

const selectCount = prepared((db: Db) => db.selectFrom('group').select((eb) => eb.fn.countAll<number>().as('count')))

/** Counts the groups by reading them all. */
export async function countGroups(db: Db): Promise<number> {
  const [counted] = await selectCount(db, {})
  return Number(counted?.count ?? 0)
}

/** Returns the group's value for the field that the list is sorted by. */
export function groupSortKey(group: Group, field: string): SortKey {
  return group[field as (typeof groupSorts)[number]]
}

/** The fields of a group that clients can set. */
export type GroupValues = Pick<GroupRow, 'name' | 'description'>

/** Creates a group without members. Throws `group-name-taken`. */
export async function createGroup(trx: Trx, author: Author, values: GroupValues): Promise<GroupRow> {
  await lockNames(trx)
  const now = new Date().toISOString()
  const group = await trx
    .insertInto('group')
    .values({ ...values, createdAt: now, updatedAt: now })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .returningAll()
    .executeTakeFirst()
  if (!group) throw new ProblemError('group-name-taken')
  const data = describeChanges({}, describeGroup(group))
  await recordEvent(trx, author, { type: 'GROUP_CREATED', target: targetOf(group), data })
  return group
}

/** Serializes transactions that assign group names, because two of them could otherwise choose the same name. */
function lockNames(trx: Trx) {
  return trx.lock('group', 'names')
}

/**
 * Updates the group, which the transaction must have locked. Does nothing if nothing has changed. Throws `group-name-taken`.
 */
export async function updateGroup(
  trx: Trx,
  author: Author,
  before: GroupRow,
  { name = before.name, description = before.description }: Partial<GroupValues>
): Promise<GroupRow> {
  const data = describeChanges(describeGroup(before), { name, description })
  if (Object.keys(data).length === 0) return before
  if (name !== before.name) {
    await lockNames(trx)
    if (await findGroup(trx, name)) throw new ProblemError('group-name-taken')
  }
  const updatedAt = new Date().toISOString()
  const updated = trx.updateTable('group').set({ name, description, updatedAt }).where('id', '=', before.id)
  expectOne(await updated.returning('id').execute())
  const after = { ...before, name, description, updatedAt }
  await recordEvent(trx, author, { type: 'GROUP_UPDATED', target: targetOf(after), data })
  return after
}

/** Deletes the group, which the transaction must have locked. Its members lose access to everything that was granted to it. */
export async function deleteGroup(trx: Trx, author: Author, group: GroupRow) {
  // Wait for members' running transactions to end. Later transactions no longer find the group.
  const members = trx
    .selectFrom('user')
    .select('id')
    .where('id', 'in', (eb) => eb.selectFrom('groupMember').select('userId').where('groupId', '=', group.id))
  await lockRows(trx, members.orderBy('id'), 'forNoKeyUpdate')
  expectOne(await trx.deleteFrom('group').where('id', '=', group.id).returning('id').execute())
  // Housekeeping removes any remaining grants.
  await removeGrantsTo(trx, { granteeType: 'GROUP', granteeId: group.id })
  const data = describeChanges(describeGroup(group), {})
  await recordEvent(trx, author, { type: 'GROUP_DELETED', target: targetOf(group), data })
}

/**
 * Adds the user to the group. The transaction must have locked both. Does nothing if the user is already a member. Throws
 * `too-many-members`.
 */
export async function addMember(trx: Trx, author: Author, group: GroupRow, user: UserRow) {
  const added = await trx
    .insertInto('groupMember')
    .values({ groupId: group.id, userId: user.id })
    .onConflict((conflict) => conflict.columns(['groupId', 'userId']).doNothing())
    .returning('userId')
    .executeTakeFirst()
  if (!added) return
  const { count } = await trx
    .selectFrom('groupMember')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('groupId', '=', group.id)
    .executeTakeFirstOrThrow()
  if (Number(count) > MAX_MEMBERS) {
    throw new ProblemError('too-many-members', { detail: `A group can have at most ${MAX_MEMBERS} members.` })
  }
  await recordMembership(trx, author, group, {}, { member: user.login })
}

/** Removes the user from the group. The transaction must have locked both. Does nothing if the user is not a member. */
export async function removeMember(trx: Trx, author: Author, group: GroupRow, user: UserRow) {
  const removed = await trx
    .deleteFrom('groupMember')
    .where('groupId', '=', group.id)
    .where('userId', '=', user.id)
    .returning('userId')
    .executeTakeFirst()
  if (removed) await recordMembership(trx, author, group, { member: user.login }, {})
}

async function recordMembership(
  trx: Trx,
  author: Author,
  group: GroupRow,
  before: { member?: string },
  after: { member?: string }
) {
  const data = describeChanges(before, after)
  await recordEvent(trx, author, { type: 'GROUP_UPDATED', target: targetOf(group), data })
}

const selectMembers = prepared((db, { groupId }: { groupId: number }) =>
  db
    .selectFrom('groupMember')
    .innerJoin('user', 'user.id', 'groupMember.userId')
    .select('login')
    .where('groupId', '=', groupId)
    .orderBy('login')
)

/** Returns the logins of the members, sorted. */
export async function listMembers(db: Db, groupId: number): Promise<string[]> {
  const rows = await selectMembers(db, { groupId })
  return rows.map(({ login }) => login)
}

const selectMember = prepared((db, { groupId, userId }: { groupId: number; userId: number }) =>
  db.selectFrom('groupMember').select('userId').where('groupId', '=', groupId).where('userId', '=', userId)
)

/** Returns whether the user belongs to the group. */
export async function isMember(db: Db, groupId: number, userId: number | undefined): Promise<boolean> {
  return userId !== undefined && (await selectMember(db, { groupId, userId })).length > 0
}

const selectGroupsOf = prepared((db, { userId }: { userId: number }) =>
  db
    .selectFrom('groupMember')
    .innerJoin('group', 'group.id', 'groupMember.groupId')
    .select('name')
    .where('userId', '=', userId)
    .orderBy('name')
)

/** Returns the names of the groups that the user belongs to, sorted. */
export async function listGroupsOf(db: Db, userId: number): Promise<string[]> {
  const rows = await selectGroupsOf(db, { userId })
  return rows.map(({ name }) => name)
}

/** Returns the properties of a group that are recorded in events. */
function describeGroup({ name, description }: GroupValues) {
  return { name, description }
}

/** Returns the target of an event about the group. */
function targetOf({ id, name }: Pick<GroupRow, 'id' | 'name'>) {
  return { type: 'GROUP', id, name } as const
}

/** Returns the group as shown in lists. */
export function toGroup({ id, name, description, createdAt, updatedAt }: GroupRow): Group {
  return { id, name, ...(description !== null && { description }), createdAt, updatedAt }
}
