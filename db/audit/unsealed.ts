import { sql } from 'kysely'
import { packedRows } from '../engine/packed-rows.ts'
import { prepared } from '../engine/prepared.ts'
import type { Db, Store } from '../store.ts'
import type { AuditEventRow } from '../tables.ts'
import { readHighestId, readLog } from './log.ts'
import { PACKED } from './rows.ts'

// Events that are not in the log yet: new events, whose ids are above the highest id in the log, and late events, whose
// transactions committed after transactions with higher ids.

/** The maximum number of events per batch. */
const BATCH = 2048

/** The maximum number of events to seal on the event loop. Reading and sealing that many takes a millisecond. */
export const FEW = 50

const eventsAbove = prepared((db, { id }: { id: number }) =>
  db.selectFrom('auditEvent').selectAll().where('id', '>', id).orderBy('id').limit(FEW)
)

const manyAbove = prepared((db, { id }: { id: number }) =>
  packedRows(db, db.selectFrom('auditEvent').select(PACKED).where('id', '>', id).orderBy('id').limit(BATCH), PACKED)
)

/** Events to append to the log. */
export interface NextEvents {
  /** Packed for `unpackRows` if the batch is large. */
  rows: readonly AuditEventRow[] | string
  /** Whether another batch may be ready. */
  isMore: boolean
}

/**
 * Returns the next events to append, at most BATCH. Late events come first, in a separate batch. By default, looks for late
 * events only if the engine commits out of order, and only among the events of the last day. If `all` is set, checks all
 * events.
 */
export async function nextEvents(
  { read, scan, commitsInOrder }: Pick<Store, 'read' | 'scan' | 'commitsInOrder'>,
  { all = false } = {}
): Promise<NextEvents> {
  const late = await findLate()
  if (late.length > 0) return { rows: late, isMore: true }
  const [id, [last]] = [await readHighestId(read), await highestIdOf(read, {})]
  const most = (last?.id ?? 0) - id
  if (most <= FEW) return { rows: await eventsAbove(read, { id }), isMore: false }
  const [many] = await manyAbove(scan, { id })
  return { rows: many?.packed ?? [], isMore: most > BATCH }

  async function findLate() {
    if (all) return lateEvents((await areRunsMany(read)) ? scan : read, 0)
    return commitsInOrder ? [] : lateEvents(scan, await firstIdOfLastDay(read))
  }
}

/** The maximum number of runs to search on the event loop, which takes a millisecond. A thread would take 10 MiB. */
const FEW_RUNS = 1000

const nextRun = prepared((db, _: object) =>
  db.selectFrom('auditRun').select('firstIndex').orderBy('firstIndex').offset(FEW_RUNS).limit(1)
)

async function areRunsMany(db: Db): Promise<boolean> {
  return (await nextRun(db, {})).length > 0
}

/** Returns the late events from this id on: those whose ids fall into gaps between the ids in the log. */
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

/** Returns whether there are events above the highest id in the log. */
export async function hasNewEvents(db: Db): Promise<boolean> {
  const [last] = await highestIdOf(db, {})
  return (last?.id ?? 0) > (await readHighestId(db))
}

const countOf = prepared((db, _: object) =>
  db.selectFrom('auditDay').select((eb) => eb.fn.sum<number>('count').as('count'))
)

/** Returns the number of events that are not in the log yet. A negative number means that events in the log no longer exist. */
export async function countUnsealed(db: Db): Promise<number> {
  const [total] = await countOf(db, {})
  const { size, firstIndex } = await readLog(db)
  return Number(total?.count ?? 0) - (size - firstIndex)
}

const oldestAbove = prepared((db, { id }: { id: number }) =>
  db.selectFrom('auditEvent').select('timestamp').where('id', '>', id).orderBy('id').limit(1)
)

/** Returns the time of the first event above the highest id in the log. */
export async function oldestUnsealed(db: Db): Promise<string | undefined> {
  const [event] = await oldestAbove(db, { id: await readHighestId(db) })
  return event?.timestamp
}
