import { createHash, hash } from 'node:crypto'
import { zstdDecompressSync } from 'node:zlib'
import { type Db, MAX_ID, type Store } from '../store.ts'
import type { ContentRow } from '../tables.ts'

/** What is copied, in an order in which nothing refers to what is not there yet. Counters are kept by triggers. */
const TABLES = [
  'user',
  'content',
  'graph',
  'graphVersion',
  'trash',
  'purgedGraph',
  'auditEvent',
  'endedSession',
  'session'
] as const
export type CopiedTable = (typeof TABLES)[number]

/** Rows that are under way at once; contents may be large. */
const BATCH = 200
const CONTENTS = 10

/** What engines without booleans keep as 0 and 1. */
const FLAGS = ['shared', 'enabled', 'mustChangePassword', 'remembered']

type Row = Record<string, unknown>

/** A copy that cannot be made, or has not arrived; nothing of it stays. The message is a sentence for people. */
export class CopyRefused extends Error {
  override name = 'CopyRefused'
}

/** How many rows there are to be copied, table by table. */
export async function countRows(db: Db): Promise<Record<CopiedTable, number>> {
  const counts = {} as Record<CopiedTable, number>
  for (const table of TABLES) {
    const counted = await db
      .selectFrom(table as 'graph')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    counts[table] = Number(counted.count)
  }
  return counts
}

/**
 * Copies everything from one store to another that is empty: users, graphs, their versions and contents, the trash and
 * the trail, with their ids. Then reads it back, and compares. All in one unit: everything is there, or nothing. Tells
 * each time how many rows have been copied or compared. Throws CopyRefused.
 */
export async function copyStore(from: Store, to: Store, onProgress: (rows: number, table: string) => void) {
  await to.write(async (target) => {
    const there = Object.entries(await countRows(target)).find(([, count]) => count > 0)
    if (there) throw new CopyRefused(`The target is not empty: its ${there[0]} has ${there[1]} rows.`)
    let done = 0
    const digests = new Map<string, string>()
    const snapshot = from.read.transaction().setIsolationLevel('repeatable read')
    const lastIds = await snapshot.execute(async (source) => {
      for (const table of TABLES) {
        const digest = await digestOf(source, table, async (rows) => {
          await target
            .insertInto(table)
            .values(rows as never)
            .execute()
          done += rows.length
          onProgress(done, table)
        })
        digests.set(table, digest)
      }
      return from.lastIds(source)
    })
    await to.setLastIds(target, lastIds)
    for (const table of TABLES) {
      const digest = await digestOf(target, table, async (rows) => {
        if (table === 'content') for (const row of rows) checkContent(row as unknown as ContentRow)
        done += rows.length
        onProgress(done, table)
      })
      if (digest !== digests.get(table)) throw new CopyRefused(`The rows of ${table} have not arrived as they were.`)
    }
  })
}

/** A hash of all rows of the table, which are handed out on the way. */
async function digestOf(db: Db, table: CopiedTable, visit: (rows: Row[]) => Promise<void>): Promise<string> {
  const digest = createHash('sha256')
  for await (const rows of rowsOf(db, table)) {
    for (const row of rows) digest.update(textOf(row))
    await visit(rows)
  }
  return digest.digest('hex')
}

/** All rows by their key, some at a time. */
async function* rowsOf(db: Db, table: CopiedTable): AsyncGenerator<Row[]> {
  const limit = table === 'content' ? CONTENTS : BATCH
  for (let last: Row | undefined; ; ) {
    const rows = await (table === 'graphVersion' ? versions(db, last) : rowsById(db, table, last))
      .limit(limit)
      .execute()
    const strange = rows
      .flatMap(({ id, graphId, version }) => [id, graphId, version])
      .find((key) => Number(key) > MAX_ID)
    if (strange) throw new CopyRefused(`${table} has an id that Graphstead does not give out: ${strange}.`)
    if (rows.length > 0) yield rows.map(plain)
    if (rows.length < limit) return
    last = rows.at(-1)
  }
}

function rowsById(db: Db, table: Exclude<CopiedTable, 'graphVersion'>, last: Row | undefined) {
  // They all have one.
  const query = db
    .selectFrom(table as 'graph')
    .selectAll()
    .orderBy('id')
  return (last ? query.where('id', '>', last.id as number) : query) as unknown as Paged
}

function versions(db: Db, last: Row | undefined) {
  const query = db.selectFrom('graphVersion').selectAll().orderBy('graphId').orderBy('version')
  if (!last) return query as unknown as Paged
  const [graphId, version] = [last.graphId as number, last.version as number]
  return query.where((eb) =>
    eb.or([eb('graphId', '>', graphId), eb.and([eb('graphId', '=', graphId), eb('version', '>', version)])])
  ) as unknown as Paged
}

/** A query that is not finished yet. */
interface Paged {
  limit(count: number): { execute(): Promise<Row[]> }
}

/** The row as every engine takes it. */
function plain(row: Row): Row {
  return Object.fromEntries(
    Object.entries(row).map(([column, value]) => [column, FLAGS.includes(column) ? Boolean(value) : value])
  )
}

/** The same text for the same row, from whichever engine it comes. */
function textOf(row: Row) {
  const columns = Object.keys(row).sort()
  return JSON.stringify(
    columns.map((column) => {
      const value = row[column]
      return [column, Buffer.isBuffer(value) ? hash('sha256', value) : value]
    })
  )
}

/** Whether the content is what its hash says. */
function checkContent({ id, hash: expected, json, packed }: ContentRow) {
  const bytes = json ?? (packed ? zstdDecompressSync(packed) : '')
  if (hash('sha256', bytes) !== expected)
    throw new CopyRefused(`Content ${id} is damaged: it is not what its hash says.`)
}
