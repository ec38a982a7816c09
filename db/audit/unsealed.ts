import { sql } from 'kysely'
import { packedRows } from '../engine/packed-rows.ts'
import { prepared } from '../engine/prepared.ts'
import type { Db, Store } from '../store.ts'
import type { AuditEventRow } from '../tables.ts'
import { readHighestId, readLog } from './log.ts'
import { PACKED } from './rows.ts'

// Events that are not in the log yet: those with higher ids than any in it, and late ones, whose transactions took longer than those
// of later ids.

/** The most events that are taken in at once. */
const BATCH = 2048

/** The most events that requests can wait for: reading and sealing them takes a millisecond. */
export const FEW = 50

const eventsAbove = prepared((db, { id }: { id: number }) =>
  db.selectFrom('auditEvent').selectAll().where('id', '>', id).orderBy('id').limit(FEW)
)

const manyAbove = prepared((db, { id }: { id: number }) =>
  packedRows(db, db.selectFrom('auditEvent').select(PACKED).where('id', '>', id).orderBy('id').limit(BATCH), PACKED)
)

/** Events to take in. */
export interface NextEvents {
  /** Many are a text for `unpackRows`. */
  rows: readonly AuditEventRow[] | string
  /** Whether there may be enough others for another batch. */
  isMore: boolean
}

/**
 * Returns the next events to take in, BATCH at most. Late ones come first, alone. They are sought where the engine has any, among those of
 * the last day; with `all` they are sought everywhere.
 */
export async function nextEvents(
  { read, scan, commitsInOrder }: Pick<Store, 'read' | 'scan' | 'commitsInOrder'>,
  { all = false } = {}
): Promise<NextEvents> {
  const late = all || !commitsInOrder ? await lateEvents(scan, all ? 0 : await firstIdOfLastDay(read)) : []
  if (late.length > 0) return { rows: late, isMore: true }
  const [id, [last]] = [await readHighestId(read), await highestIdOf(read, {})]
  const most = (last?.id ?? 0) - id
  if (most <= FEW) return { rows: await eventsAbove(read, { id }), isMore: false }
  const [many] = await manyAbove(scan, { id })
  return { rows: many?.packed ?? [], isMore: most > BATCH }
}

/** Returns events whose ids lie between those of the log, from this id on. */
async function lateEvents(db: Db, since: number): Promise<AuditEventRow[]> {
  const from = sql`CAST(${since} AS BIGINT)`
  const { rows } = await sql<AuditEventRow>`
    WITH "run" AS (
      SELECT "firstId", "count" FROM "auditRun" WHERE "firstId" >= coalesce(
        (SELECT max("firstId") FROM "auditRun" WHERE "firstId" <= ${from}), 0)
      UNION ALL SELECT 0, 1 WHERE NOT EXISTS (SELECT 1 FROM "auditRun" WHERE "firstId" <= ${from})
    ), "gap" AS (
      SELECT "firstId" + "count" AS "from", lead("firstId") OVER (ORDER BY "firstId") AS "to" FROM "run"
    )
    SELECT "auditEvent".* FROM "gap" JOIN "auditEvent" ON "id" >= "from" AND "id" < "to"
    WHERE "to" > "from" ORDER BY "id" LIMIT ${sql.lit(BATCH)}`.execute(db)
  return rows
}

const firstIdSince = prepared((db, { day }: { day: string }) =>
  db
    .selectFrom('auditDay')
    .select((eb) => eb.fn.min('firstId').as('id'))
    .where('day', '>=', day)
)

async function firstIdOfLastDay(db: Db): Promise<number> {
  const yesterday = new Date(Date.now() - 24 * 60 * 60 * 1000).toISOString().slice(0, 10)
  const [first] = await firstIdSince(db, { day: yesterday })
  return first?.id ?? 0
}

const highestIdOf = prepared((db, _: object) => db.selectFrom('auditEvent').select('id').orderBy('id', 'desc').limit(1))

/** Tells whether there are events with higher ids than any in the log. */
export async function hasNewEvents(db: Db): Promise<boolean> {
  const [last] = await highestIdOf(db, {})
  return (last?.id ?? 0) > (await readHighestId(db))
}

const countOf = prepared((db, _: object) =>
  db.selectFrom('auditDay').select((eb) => eb.fn.sum<number>('count').as('count'))
)

/** Returns how many events are not in the log yet. Less than 0: events of the log are missing. */
export async function countUnsealed(db: Db): Promise<number> {
  const [total] = await countOf(db, {})
  const { size, firstIndex } = await readLog(db)
  return Number(total?.count ?? 0) - (size - firstIndex)
}

const oldestAbove = prepared((db, { id }: { id: number }) =>
  db.selectFrom('auditEvent').select('timestamp').where('id', '>', id).orderBy('id').limit(1)
)

/** Returns the time of the first event with a higher id than any in the log. */
export async function oldestUnsealed(db: Db): Promise<string | undefined> {
  const [event] = await oldestAbove(db, { id: await readHighestId(db) })
  return event?.timestamp
}
