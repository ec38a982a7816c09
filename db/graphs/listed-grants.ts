import { prepared } from '../engine/prepared.ts'
import { REMOVED_AT_ONCE, type Trx } from '../store.ts'
import type { Grantee, GraphRow } from '../tables.ts'

// Keeps the grants of graphs up to date when the graphs or their grantees change.

/** Removes a graph's grant to the grantee. Returns the grant, or undefined if there was none. */
export function removeGrant(trx: Trx, graphId: number, { granteeType, granteeId }: Grantee) {
  return trx
    .deleteFrom('graphGrant')
    .where('graphId', '=', graphId)
    .where('granteeType', '=', granteeType)
    .where('granteeId', '=', granteeId)
    .returning('access')
    .executeTakeFirst()
}

/** Removes the grant of a user who becomes the owner of the graph, and invalidates the cached list counts of all grantees. */
export async function removeGrantToOwner(trx: Trx, { id, shared }: GraphRow, userId: number) {
  await removeGrant(trx, id, { granteeType: 'USER', granteeId: userId })
  await showInLists(trx, id, !shared)
}

const setListed = prepared((trx: Trx, { graphId, listed }: { graphId: number; listed: boolean }) =>
  trx.updateTable('graphGrant').set({ listed }).where('graphId', '=', graphId)
)

/** Sets whether the graph appears in lists because of its grants. Pass true if it is private and not in the trash. */
export async function showInLists(trx: Trx, graphId: number, listed: boolean) {
  await setListed(trx, { graphId, listed })
}

/** Removes all grants of a permanently deleted graph. */
export async function removeGrantsOfGraph(trx: Trx, graphId: number) {
  await trx.deleteFrom('graphGrant').where('graphId', '=', graphId).execute()
}

/**
 * Removes some of the grants to a deleted user or group. They no longer have any effect. Returns whether more may remain. The
 * number removed per transaction is limited, because other transactions have to wait.
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

/** Removes grants to the grantee, up to the limit per transaction. Returns whether more may remain. */
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
