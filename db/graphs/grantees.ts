import { sql } from 'kysely'
import type { GranteeType } from '../../schemas/grant.ts'
import { prepared } from '../engine/prepared.ts'
import type { Db, Reader } from '../store.ts'
import type { Grantee } from '../tables.ts'
import { selectGrantedCount, type Viewer, type ViewerParameters, viewerParametersOf } from './access.ts'

// The grantees of a viewer: the viewer and their groups. Lists merge and count their grants.

/** A viewer or one of their groups, with the state of its grants. */
export interface GranteeState extends Grantee {
  /** The total number of grants. */
  total: number
  /** The number of private graphs that appear in lists because of these grants. */
  listed: number
  /** Changes whenever one of the grants or its graph changes in a way that affects lists. */
  changes: number
}

const statesOf = prepared(
  (db, { userId }: { userId: number }) =>
    db
      .selectFrom('grantCount')
      .select(['granteeType', 'granteeId', 'total', 'listed', 'changes'])
      .where('granteeType', '=', sql.lit('USER' as const))
      .where('granteeId', '=', userId)
      .unionAll(
        db
          .selectFrom('groupMember')
          .innerJoin('grantCount', 'grantCount.granteeId', 'groupMember.groupId')
          .select(['granteeType', 'granteeId', 'total', 'listed', 'changes'])
          .where('granteeType', '=', sql.lit('GROUP' as const))
          .where('groupMember.userId', '=', userId)
      ),
  { remembers: true }
)

/** Returns the user and their groups, omitting those that have no grants. */
export async function findGrantees(db: Db, { userId }: Viewer): Promise<readonly GranteeState[]> {
  if (userId === undefined) return []
  const states = await statesOf(db, { userId })
  return states.filter(({ total }) => total > 0)
}

/** The parameters of a query that merges the grants of several grantees. */
export type GranteeParameters = Record<`granteeType${number}`, GranteeType> & Record<`granteeId${number}`, number>

export function granteeParametersOf(grantees: readonly Grantee[]): GranteeParameters {
  const parameters: GranteeParameters = {}
  for (const [index, { granteeType, granteeId }] of grantees.entries()) {
    parameters[`granteeType${index}`] = granteeType
    parameters[`granteeId${index}`] = granteeId
  }
  return parameters
}

/** A cached count, and the state of the grantees for which the count is valid. */
interface KnownCount {
  state: string
  count: Promise<number>
}

/** The maximum number of viewers whose counts are cached. */
const CAPACITY = 10_000

/** Cached counts of graphs, by store and user id. */
const known = new WeakMap<Db, Map<number, KnownCount>>()

const selectCount = prepared((db, viewer: ViewerParameters) => selectGrantedCount(db, viewer))

/**
 * Returns the number of other users' private graphs that are granted to the viewer through these grantees. Several grants may
 * refer to the same graph, so all of them must be read. Caches the count until one of the grants or its graph changes.
 * Concurrent requests share one query.
 */
export async function countGranted(
  { read, scan }: Reader,
  viewer: Viewer,
  grantees: readonly GranteeState[]
): Promise<number> {
  const parameters = viewerParametersOf(viewer)
  const counts = known.get(read) ?? new Map<number, KnownCount>()
  known.set(read, counts)
  const state = JSON.stringify(grantees)
  const before = counts.get(parameters.userId)
  if (before?.state === state) return before.count
  const count = selectCount(scan, parameters).then(([counted]) => Number(counted?.count ?? 0))
  if (counts.size >= CAPACITY) counts.clear()
  const now = { state, count }
  counts.set(parameters.userId, now)
  count.catch(() => {
    if (counts.get(parameters.userId) === now) counts.delete(parameters.userId)
  })
  return count
}
