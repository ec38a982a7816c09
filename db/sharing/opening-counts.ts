import { sql } from 'kysely'
import type { AuditTarget } from '../../schemas/audit.ts'
import type { Author } from '../actors.ts'
import { recordEvent } from '../audit/events.ts'
import { locked } from '../engine/row-locks.ts'
import { targetOf } from '../graphs/graphs.ts'
import type { Trx } from '../store.ts'
import type { LinkRow } from '../tables.ts'

// Counts visits to links. Each of a link's first visits in a minute gets its own event, and a single event reports the rest.
// The counter is stored with the link, so that all processes that share the store use the same count and a restart loses
// nothing.

/** The number of individual events per link per minute. An index of the table relies on this number. */
const EVENTS = 10

/** One minute, in milliseconds. */
const MINUTE = 60_000

/** The maximum number of links that one transaction reports on. */
const TOLD_AT_ONCE = 100

/**
 * Counts visits to the link, which the transaction must have locked. Records an event for them unless EVENTS events have
 * already been recorded this minute.
 */
export async function countOpenings(trx: Trx, author: Author, target: AuditTarget, link: LinkRow, count: number) {
  const now = Date.now()
  // The clocks of different processes may differ slightly. A new minute also starts if a clock is set back by a minute or more.
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
      // Visits that share an individual event count as one. Visits beyond EVENTS are reported later.
      minuteCount: before + (isTold ? 1 : count)
    }))
    .where('id', '=', link.id)
    .execute()
  const data = { link: String(link.id), ...(count > 1 && { count: String(count) }) }
  if (isTold) await recordEvent(trx, author, { type: 'LINK_OPENED', target, data })
}

/** Records one event for any unreported visits in the link's most recently counted minute. */
export async function tellOpenings(trx: Trx, target: AuditTarget, link: LinkRow) {
  const count = link.minuteCount - EVENTS
  if (count <= 0) return
  const since = new Date(link.minuteStart).toISOString()
  const data = { link: String(link.id), count: String(count), since, until: link.lastOpenedAt ?? since }
  await recordEvent(trx, { principal: 'anonymous' }, { type: 'LINK_OPENED', target, data })
}

/** Reports the visits from past minutes. Returns whether more may remain. */
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

/** Returns the link's graph as the target of an event, even if the graph is in the trash. */
async function targetOfLink(trx: Trx, { graphId: id }: LinkRow) {
  const graph = await trx.selectFrom('graph').select('name').where('id', '=', id).executeTakeFirst()
  const last = trx.selectFrom('graphVersion').select('name').where('graphId', '=', id).orderBy('version', 'desc')
  return targetOf({ id, name: (graph ?? (await last.limit(1).executeTakeFirst()))?.name ?? '' })
}
