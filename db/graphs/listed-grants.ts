import { prepared } from '../engine/prepared.ts'
import { REMOVED_AT_ONCE, type Trx } from '../store.ts'
import type { Grantee, GraphRow } from '../tables.ts'

// The grants of graphs follow what happens to the graphs, and to those who have the grants.

/** Removes the grant of the graph to the grantee. Returns it, or undefined if there was none. */
export function removeGrant(trx: Trx, graphId: number, { granteeType, granteeId }: Grantee) {
  return trx
    .deleteFrom('graphGrant')
    .where('graphId', '=', graphId)
    .where('granteeType', '=', granteeType)
    .where('granteeId', '=', granteeId)
    .returning('access')
    .executeTakeFirst()
}

/** Removes the grant to a person who becomes the owner of the graph, and has the lists of all grantees counted anew. */
export async function removeGrantToOwner(trx: Trx, { id, shared }: GraphRow, userId: number) {
  await removeGrant(trx, id, { granteeType: 'USER', granteeId: userId })
  await showInLists(trx, id, !shared)
}

const setListed = prepared((trx: Trx, { graphId, listed }: { graphId: number; listed: boolean }) =>
  trx.updateTable('graphGrant').set({ listed }).where('graphId', '=', graphId)
)

/** Tells the grants of the graph whether it is in lists because of them: it is private, and not in the trash. */
export async function showInLists(trx: Trx, graphId: number, listed: boolean) {
  await setListed(trx, { graphId, listed })
}

/** Removes all grants of a graph that is permanently deleted. */
export async function removeGrantsOfGraph(trx: Trx, graphId: number) {
  await trx.deleteFrom('graphGrant').where('graphId', '=', graphId).execute()
}

/**
 * Removes some grants of a person or a group that is gone: they have no effect any more. Returns whether more may be left.
 * Other transactions wait for this one, so it removes a limited number.
 */
export async function removeOrphanedGrants(trx: Trx): Promise<boolean> {
  const orphan = await trx
    .selectFrom('grantCount')
    .select(['granteeType', 'granteeId'])
    .where('total', '>', 0)
    .where(({ and, or, eb, not, exists, selectFrom }) =>
      or(
        (['USER', 'GROUP'] as const).map((type) =>
          and([
            eb('granteeType', '=', type),
            not(
              exists(
                selectFrom(type === 'USER' ? 'user' : 'group')
                  .select('id')
                  .whereRef('id', '=', 'grantCount.granteeId')
              )
            )
          ])
        )
      )
    )
    .limit(1)
    .executeTakeFirst()
  return orphan !== undefined && removeGrantsTo(trx, orphan)
}

/** Removes grants to the grantee, as many as one transaction may. Returns whether more may be left. */
export async function removeGrantsTo(trx: Trx, { granteeType, granteeId }: Grantee): Promise<boolean> {
  const removed = await trx
    .deleteFrom('graphGrant')
    .where('granteeType', '=', granteeType)
    .where('granteeId', '=', granteeId)
    .where('graphId', 'in', (eb) =>
      eb
        .selectFrom('graphGrant')
        .select('graphId')
        .where('granteeType', '=', granteeType)
        .where('granteeId', '=', granteeId)
        .limit(REMOVED_AT_ONCE)
    )
    .returning('graphId')
    .execute()
  return removed.length > 0
}
