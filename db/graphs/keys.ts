import { sql } from 'kysely'
import { faultAs } from '../../schemas/problem-catalogue.ts'
import { prepared } from '../engine/prepared.ts'
import type { Db, Trx } from '../store.ts'

// A key identifies one of an owner's graphs, so that programs can find it again. A graph in the trash keeps its key.

interface OwnedKey {
  owner: string
  key: string
}

const selectByKey = prepared((db: Db, { owner, key }: OwnedKey) => {
  const living = db.selectFrom('graph').select(['id', sql<number>`0`.as('isTrashed')])
  const trashed = db.selectFrom('trash').select(['id', sql<number>`1`.as('isTrashed')])
  // Use a single query, so that a graph that is moving to or from the trash appears in exactly one place.
  return living
    .where('owner', '=', owner)
    .where('key', '=', key)
    .unionAll(trashed.where('owner', '=', owner).where('key', '=', key))
})

/**
 * Returns the id of the owner's graph with this key, and whether it is in the trash. Returns undefined if the owner has no such
 * graph.
 */
export async function findByKey(db: Db, owner: string, key: string) {
  const [found] = await selectByKey(db, { owner, key })
  return found && { id: found.id, isTrashed: Boolean(found.isTrashed) }
}

/** Serializes transactions that assign keys for this owner, because two of them could otherwise choose the same key. */
export async function lockKeys(trx: Trx, owner: string) {
  await trx.lock('key', owner)
}

/** Reserves the key for one of the owner's graphs until the transaction ends. Throws `key-taken`. */
export async function takeKey(trx: Trx, owner: string, key: string) {
  await lockKeys(trx, owner)
  const found = await findByKey(trx, owner, key)
  if (!found) return
  const place = found.isTrashed ? ', in the trash' : ''
  throw faultAs({ pointer: '#/key', code: 'key-taken', detail: `is already used by another graph of ${owner}${place}` })
}
