import { prepared } from '../engine/prepared.ts'
import { locked } from '../engine/row-locks.ts'
import type { Db, Trx } from '../store.ts'

// The force-directed layouts of content, which are computed once and are the same for everybody. They are not part of the
// content, and are deleted with it.

/** A computed layout. Content with a given id never changes, so neither does its layout. */
export interface KeptLayout {
  /** The x and y coordinates of all nodes, alternating, in the order of the content. */
  positions: Float32Array
  isSettled: boolean
}

const byContent = prepared((db, { contentId }: { contentId: number }) =>
  db.selectFrom('layout').select(['positions', 'settled']).where('contentId', '=', contentId)
)

/** Returns the layout of the content, or undefined if none has been computed. */
export async function findLayout(db: Db, contentId: number): Promise<KeptLayout | undefined> {
  const [row] = await byContent(db, { contentId })
  if (!row) return undefined
  const { positions: bytes, settled } = row
  const positions = Float32Array.from({ length: bytes.length / 4 }, (_, index) => bytes.readFloatLE(index * 4))
  return { positions, isSettled: Boolean(settled) }
}

/** Keeps the layout of the content, unless the content has been deleted or already has one. */
export async function keepLayout(trx: Trx, contentId: number, { positions, isSettled }: KeptLayout) {
  const bytes = Buffer.alloc(positions.length * 4)
  positions.forEach((value, index) => {
    bytes.writeFloatLE(value, index * 4)
  })
  const content = trx.selectFrom('content').select('id').where('id', '=', contentId)
  if (!(await locked(trx, content, 'forKeyShare').executeTakeFirst())) return
  await trx
    .insertInto('layout')
    .values({ contentId, positions: bytes, settled: isSettled })
    .onConflict((conflict) => conflict.column('contentId').doNothing())
    .execute()
}
