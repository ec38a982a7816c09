import { sql } from 'kysely'
import type { AuditTarget } from '../../schemas/audit.ts'
import type { Author } from '../actors.ts'
import { recordEvent } from '../audit/events.ts'
import { locked } from '../engine/row-locks.ts'
import { targetOf } from '../graphs/graphs.ts'
import type { Trx } from '../store.ts'
import type { LinkRow } from '../tables.ts'

// How often links were opened. Of the openings of a link in a minute, each of the first ones is an event, and one event counts the
// others. The minute stands in the row of the link: processes that share a store count together, and a restart loses nothing of it.

/** The events of one link in a minute. An index of the table knows it. */
const EVENTS = 10

/** In milliseconds. */
const MINUTE = 60_000

/** The most links whose openings one transaction tells. */
const TOLD_AT_ONCE = 100

/** Counts so many openings of the link, which the transaction has locked, with their event. */
export async function countOpenings(trx: Trx, author: Author, target: AuditTarget, link: LinkRow, count: number) {
  const now = Date.now()
  // The clocks of two processes may differ by a little. A clock that was put back by more ends the minute as well.
  const isOver = Math.abs(now - link.minuteStart) >= MINUTE
  if (isOver) await tellOpenings(trx, target, link)
  const before = isOver ? 0 : link.minuteCount
  const isTold = before < EVENTS
  await trx
    .updateTable('link')
    .set((eb) => ({
      openCount: eb('openCount', '+', count),
      lastOpenedAt: new Date(now).toISOString(),
      minuteStart: isOver ? now : link.minuteStart,
      // Openings that one event tells count once: what exceeds EVENTS is still to be told.
      minuteCount: before + (isTold ? 1 : count)
    }))
    .where('id', '=', link.id)
    .execute()
  const data = { link: String(link.id), ...(count > 1 && { count: String(count) }) }
  if (isTold) await recordEvent(trx, author, { type: 'LINK_OPENED', target, data })
}

/** Records one event for the openings of the link's minute that have none, if there are any. */
export async function tellOpenings(trx: Trx, target: AuditTarget, link: LinkRow) {
  const count = link.minuteCount - EVENTS
  if (count <= 0) return
  const since = new Date(link.minuteStart).toISOString()
  const data = { link: String(link.id), count: String(count), since, until: link.lastOpenedAt ?? since }
  await recordEvent(trx, { principal: 'anonymous' }, { type: 'LINK_OPENED', target, data })
}

/** Records the openings of minutes that are over. Returns whether more may be left. */
export async function tellOldOpenings(trx: Trx): Promise<boolean> {
  const query = trx
    .selectFrom('link')
    .selectAll()
    .where('minuteCount', '>', sql.lit(EVENTS))
    .where('minuteStart', '<=', Date.now() - MINUTE)
    .orderBy('minuteStart')
    .limit(TOLD_AT_ONCE)
  const links = await locked(trx, query, 'forNoKeyUpdate').execute()
  for (const link of links) {
    await tellOpenings(trx, await targetOfLink(trx, link), link)
    await trx.updateTable('link').set({ minuteCount: 0 }).where('id', '=', link.id).execute()
  }
  return links.length === TOLD_AT_ONCE
}

/** Returns the graph of the link as events name it, also one in the trash. */
async function targetOfLink(trx: Trx, { graphId: id }: LinkRow) {
  const graph = await trx.selectFrom('graph').select('name').where('id', '=', id).executeTakeFirst()
  const last = trx.selectFrom('graphVersion').select('name').where('graphId', '=', id).orderBy('version', 'desc')
  return targetOf({ id, name: (graph ?? (await last.limit(1).executeTakeFirst()))?.name ?? '' })
}
