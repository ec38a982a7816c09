import { sql } from 'kysely'
import { type Grant, type GrantedAccess, type GranteeType, MAX_GRANTS } from '../../schemas/grant.ts'
import { ProblemError } from '../../schemas/problem-catalogue.ts'
import type { Actor } from '../actors.ts'
import { describeChanges, recordEvent } from '../audit/events.ts'
import { prepared } from '../engine/prepared.ts'
import { requireGraph, requireRight } from '../graphs/access.ts'
import { findGraph, targetOf } from '../graphs/graphs.ts'
import { removeGrant } from '../graphs/listed-grants.ts'
import type { Db, Trx } from '../store.ts'
import type { Grantee } from '../tables.ts'
import { findUser } from '../users/users.ts'
import { findGroup } from './groups.ts'

// Grants of graphs to users and groups. Grants store ids, so that a later user or group with the same name does not inherit them.

/** A user or group, by name. */
export interface NamedGrantee {
  granteeType: GranteeType
  /** The login of a user, or the name of a group. */
  name: string
}

/** Returns the property that identifies the grantee in an event or grant. */
function naming({ granteeType, name }: NamedGrantee) {
  return granteeType === 'USER' ? { user: name } : { group: name }
}

const selectGrants = prepared((db, { graphId }: { graphId: number }) =>
  db
    .selectFrom('graphGrant')
    .leftJoin('user', (join) =>
      join.onRef('user.id', '=', 'granteeId').on('granteeType', '=', sql.lit('USER' as const))
    )
    .leftJoin('group', (join) =>
      join.onRef('group.id', '=', 'granteeId').on('granteeType', '=', sql.lit('GROUP' as const))
    )
    .select(['user.login as user', 'group.name as group', 'access', 'graphGrant.createdAt', 'createdBy'])
    .where('graphId', '=', graphId)
    .where((eb) => eb.or([eb('user.id', 'is not', null), eb('group.id', 'is not', null)]))
    .orderBy((eb) => eb.fn.coalesce('user.login', sql.lit('')))
    .orderBy('group.name')
)

/**
 * Returns the graph's grants: first those to groups, then those to users, each sorted by name. Throws `graph-not-found` or
 * `forbidden`.
 */
export async function listGrants(db: Db, actor: Actor, id: number): Promise<Grant[]> {
  await findOwn(db, actor, id)
  const rows = await selectGrants(db, { graphId: id })
  return rows.map(({ user, group, ...grant }) => ({ ...(user === null ? { group: group ?? '' } : { user }), ...grant }))
}

/**
 * Grants the graph to the grantee, replacing any previous access level. Does nothing if the grantee already has this level.
 * Throws `graph-not-found`, `forbidden`, `user-not-found`, `group-not-found`, `grant-to-owner` or `too-many-grants`.
 */
export async function grantAccess(trx: Trx, actor: Actor, id: number, grantee: NamedGrantee, access: GrantedAccess) {
  const graph = await findOwn(trx, actor, id)
  const { granteeType, name } = grantee
  const granteeId = await requireGrantee(trx, grantee)
  if (granteeType === 'USER' && name === graph.owner) throw new ProblemError('grant-to-owner')
  const before = await trx
    .selectFrom('graphGrant')
    .select('access')
    .where('graphId', '=', id)
    .where('granteeType', '=', granteeType)
    .where('granteeId', '=', granteeId)
    .executeTakeFirst()
  if (before?.access === access) return
  if (!before) await requireRoomForGrant(trx, id)
  const made = { createdAt: new Date().toISOString(), createdBy: actor.principal }
  await trx
    .insertInto('graphGrant')
    .values({ graphId: id, granteeType, granteeId, access, listed: !graph.shared, ...made })
    .onConflict((conflict) =>
      conflict.columns(['graphId', 'granteeType', 'granteeId']).doUpdateSet({ access, ...made })
    )
    .execute()
  const data = { ...naming(grantee), ...describeChanges({ access: before?.access }, { access }) }
  await recordEvent(trx, actor, { type: 'GRAPH_ACCESS_GRANTED', target: targetOf(graph), data })
}

/**
 * Revokes the grantee's access to the graph. Does nothing if the grantee has no access. Throws `graph-not-found`, `forbidden`,
 * `user-not-found` or `group-not-found`.
 */
export async function revokeAccess(trx: Trx, actor: Actor, id: number, grantee: NamedGrantee) {
  const graph = await findOwn(trx, actor, id)
  const granteeId = await requireGrantee(trx, grantee)
  const before = await removeGrant(trx, id, { granteeType: grantee.granteeType, granteeId })
  if (!before) return
  const data = { ...naming(grantee), ...describeChanges<{ access: string }>(before, {}) }
  await recordEvent(trx, actor, { type: 'GRAPH_ACCESS_REVOKED', target: targetOf(graph), data })
}

/**
 * Returns the graph if the actor may manage its grants. Inside a transaction, also locks the row. Throws `graph-not-found` or
 * `forbidden`.
 */
async function findOwn(db: Db, actor: Actor, id: number) {
  return requireRight(actor, 'OWNER', requireGraph(await findGraph(db, actor, id)))
}

/** Returns the id of the grantee. Throws `user-not-found` or `group-not-found`. */
async function requireGrantee(trx: Trx, { granteeType, name }: NamedGrantee): Promise<number> {
  const found = await (granteeType === 'USER' ? findUser(trx, name) : findGroup(trx, name))
  if (!found) throw new ProblemError(granteeType === 'USER' ? 'user-not-found' : 'group-not-found')
  return found.id
}

async function requireRoomForGrant(trx: Trx, graphId: number) {
  const { count } = await trx
    .selectFrom('graphGrant')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('graphId', '=', graphId)
    .executeTakeFirstOrThrow()
  if (Number(count) < MAX_GRANTS) return
  const detail = `A graph can be granted to at most ${MAX_GRANTS} people and groups. Use a group instead.`
  throw new ProblemError('too-many-grants', { detail })
}

/** Returns the number of grants to the grantee. */
export async function countGrants(db: Db, { granteeType, granteeId }: Grantee): Promise<number> {
  const row = await db
    .selectFrom('grantCount')
    .select('total')
    .where('granteeType', '=', granteeType)
    .where('granteeId', '=', granteeId)
    .executeTakeFirst()
  return Number(row?.total ?? 0)
}
