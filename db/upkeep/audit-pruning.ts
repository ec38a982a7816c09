import { TILE_WIDTH } from '../../audit/tiles.ts'
import { system } from '../actors.ts'
import { recordEvent } from '../audit/events.ts'
import { type Leaf, LeafGone, readLeaves } from '../audit/leaves.ts'
import { readLog, updateLog } from '../audit/log.ts'
import type { Amend, Store, Trx } from '../store.ts'

// Removes old events. The hashes of their leaves are kept, so the log continues from them.

/** The maximum number of bundles that one transaction removes. */
const BUNDLES = 4

const DAY = 24 * 60 * 60 * 1000

/** Returns the cutoff time. Events before it are more than `days` whole days old. */
export function pruningTime(days: number, now = Date.now()): string {
  const day = new Date(now - days * DAY).toISOString().slice(0, 10)
  return `${day}T00:00:00.000Z`
}

/** The result of removing a batch of events. */
export interface Pruned {
  events: number
  /** The index of the first remaining leaf. */
  firstIndex: number
}

/**
 * Removes the next batch of old events. Removes a bundle only if all of its events are older than `days`. Returns undefined if
 * there are no such bundles. Throws LeafGone if an event is already missing.
 */
export async function pruneNext(store: Store, amend: Amend, days: number, now?: number): Promise<Pruned | undefined> {
  const { firstIndex, size } = await readLog(store.read)
  let leaves: Leaf[]
  try {
    leaves = await readOld(store, firstIndex, size, pruningTime(days, now))
  } catch (error) {
    const { firstIndex: next } = await readLog(store.read)
    if (!(error instanceof LeafGone) || next === firstIndex) throw error
    // Another process is removing the same events.
    return { events: 0, firstIndex: next }
  }
  if (leaves.length === 0) return undefined
  return amend(['auditEvent', 'auditDay'], async (trx) => {
    // Another process may have already removed these events.
    const isNext = (await readLog(trx)).firstIndex === firstIndex
    return isNext ? removeLeaves(trx, leaves, days) : { events: 0, firstIndex }
  })
}

/** Returns the leaves of the next bundles that are old enough. */
async function readOld(store: Store, from: number, size: number, before: string): Promise<Leaf[]> {
  const old: Leaf[] = []
  for (let place = from; place + TILE_WIDTH <= size && old.length < BUNDLES * TILE_WIDTH; place += TILE_WIDTH) {
    const leaves = await readLeaves(store.read, place, place + TILE_WIDTH)
    if (leaves.some(({ row }) => row.timestamp >= before)) break
    const missing = Array.from({ length: TILE_WIDTH }).findIndex((_, step) => leaves[step]?.index !== place + step)
    if (missing >= 0) throw new LeafGone(place + missing)
    old.push(...leaves)
  }
  return old
}

/**
 * Removes the leaves, which must be the oldest remaining leaves, and records the removal. The transaction must have unlocked
 * the guarded tables.
 */
async function removeLeaves(trx: Trx, leaves: readonly Leaf[], days: number): Promise<Pruned> {
  const from = (leaves[0] as Leaf).index
  const to = from + leaves.length
  const ids = leaves.map(({ row }) => row.id)
  const removed = await deleteEvents(trx, ids)
  await trx
    .deleteFrom('auditSalt')
    .where('bundle', '>=', from / TILE_WIDTH)
    .where('bundle', '<', to / TILE_WIDTH)
    .execute()
  await trx.deleteFrom('auditErased').where('index', '>=', from).where('index', '<', to).execute()
  await deleteRuns(trx, to)
  await updateLog(trx, { firstIndex: to })
  for (const [day, some] of Map.groupBy(leaves, ({ row }) => row.timestamp.slice(0, 10))) {
    await countDown(trx, day, some.length)
  }
  await recordEvent(trx, system, {
    type: 'AUDIT_PRUNED',
    data: {
      firstIndex: String(to),
      events: String(removed),
      toId: String(ids.reduce((one, other) => Math.max(one, other))),
      toTime: leaves.reduce((latest, { row }) => (row.timestamp > latest ? row.timestamp : latest), ''),
      days: String(days)
    }
  })
  return { events: removed, firstIndex: to }
}

/** Deletes the events, one range of consecutive ids at a time. */
async function deleteEvents(trx: Trx, ids: readonly number[]): Promise<number> {
  let count = 0
  for (let start = 0, end = 1; end <= ids.length; end++) {
    if (ids[end] === (ids[end - 1] as number) + 1) continue
    const [from, to] = [ids[start] as number, ids[end - 1] as number]
    const { numDeletedRows } = await trx
      .deleteFrom('auditEvent')
      .where('id', '>=', from)
      .where('id', '<=', to)
      .executeTakeFirstOrThrow()
    count += Number(numDeletedRows)
    start = end
  }
  return count
}

/**
 * Deletes runs that end before leaf `to`. Keeps the last run and the run with the highest ids, because the sequencer continues
 * from them.
 */
async function deleteRuns(trx: Trx, to: number) {
  await trx
    .deleteFrom('auditRun')
    .where('firstIndex', '<', to)
    .where((eb) => eb(eb('firstIndex', '+', eb.ref('count')), '<=', to))
    .where('firstIndex', '<', (eb) => eb.selectFrom('auditRun').select((eb) => eb.fn.max('firstIndex').as('last')))
    .where('firstId', '<', (eb) => eb.selectFrom('auditRun').select((eb) => eb.fn.max('firstId').as('last')))
    .execute()
}

/**
 * Subtracts removed events from the count for their day. The count may be spread over several rows, each with a different first
 * id.
 */
async function countDown(trx: Trx, day: string, removed: number) {
  const rows = await trx.selectFrom('auditDay').selectAll().where('day', '=', day).execute()
  const count = rows.reduce((sum, row) => sum + row.count, 0) - removed
  const first = rows.reduce((least, { firstId }) => Math.min(least, firstId), Number.POSITIVE_INFINITY)
  const last = rows.reduce((most, { lastId }) => Math.max(most, lastId), 0)
  const isOf = trx
    .selectFrom('auditEvent')
    .select('id')
    .where((eb) => eb(eb.fn('substr', ['timestamp', eb.lit(1), eb.lit(10)]), '=', day))
  const firstKept = await isOf.where('id', '>=', first).orderBy('id').limit(1).executeTakeFirst()
  const lastKept = await isOf.where('id', '<=', last).orderBy('id', 'desc').limit(1).executeTakeFirst()
  if (count === 0 || !firstKept || !lastKept) {
    await trx.deleteFrom('auditDay').where('day', '=', day).execute()
    return
  }
  await trx.deleteFrom('auditDay').where('day', '=', day).where('firstId', '<>', first).execute()
  const now = { count, firstId: firstKept.id, lastId: lastKept.id }
  await trx.updateTable('auditDay').set(now).where('day', '=', day).execute()
}
