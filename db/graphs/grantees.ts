import { sql } from 'kysely'
import type { GranteeType } from '../../schemas/grant.ts'
import { prepared } from '../engine/prepared.ts'
import type { Db, Reader } from '../store.ts'
import type { Grantee } from '../tables.ts'
import { selectGrantedCount, type Viewer, type ViewerParameters, viewerParametersOf } from './access.ts'

// The people and groups of a viewer, whose grants their lists merge and count.

/** A person or group of a viewer, and the state of its grants. */
export interface GranteeState extends Grantee {
  /** The number of all grants. */
  total: number
  /** The number of private graphs that are listed because of them. */
  listed: number
  /** Changes whenever one of the grants or its graph has changed for lists. */
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

/** Returns the user and their groups, as far as they have grants. Groups and people without any are left out. */
export async function findGrantees(db: Db, { userId }: Viewer): Promise<readonly GranteeState[]> {
  if (userId === undefined) return []
  const states = await statesOf(db, { userId })
  return states.filter(({ total }) => total > 0)
}

/** The parameters of a query that merges grants to several people and groups. */
export type GranteeParameters = Record<`granteeType${number}`, GranteeType> & Record<`granteeId${number}`, number>

export function granteeParametersOf(grantees: readonly Grantee[]): GranteeParameters {
  const parameters: GranteeParameters = {}
  for (const [index, { granteeType, granteeId }] of grantees.entries()) {
    parameters[`granteeType${index}`] = granteeType
    parameters[`granteeId${index}`] = granteeId
  }
  return parameters
}

/** A number of graphs, and the state of the grantees of which it is true. */
interface KnownCount {
  state: string
  count: Promise<number>
}

/** The most viewers whose numbers are remembered. */
const CAPACITY = 10_000

/** The numbers of graphs that were counted, for each store by the ids of its users. */
const known = new WeakMap<Db, Map<number, KnownCount>>()

const selectCount = prepared((db, viewer: ViewerParameters) => selectGrantedCount(db, viewer))

/**
 * Returns the number of private graphs of others that are granted to the viewer, as one of these grantees. Several grants may
 * be for one graph: counting reads all of them. The number is remembered until one of the grants or its graph changes, and
 * requests that come meanwhile wait for the same count.
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
