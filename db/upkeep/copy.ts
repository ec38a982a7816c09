import { createHash, hash } from 'node:crypto'
import { zstdDecompressSync } from 'node:zlib'
import { sql } from 'kysely'
import { copyLog } from '../audit/log.ts'
import { type Db, type Store, StoreRefused, type Trx } from '../store.ts'
import { type ContentRow, TABLES, type TableWith, tablesWith } from '../tables.ts'
import { countRows } from './figures.ts'
import { indexAll } from './reindex.ts'

/**
 * The tables to copy. Triggers fill the derived tables, words are recomputed, and the remaining tables hold the state of the
 * source's servers.
 */
const COPIED = tablesWith({ rows: 'records' })
type CopiedTable = TableWith<{ rows: 'records' }>

/** The number of rows to hold in memory at once. Content may be large. */
const BATCH = 200
const CONTENTS = 10

type Row = Record<string, unknown>

/**
 * Thrown if a copy cannot be made, or differs from its source. The copy is then discarded. The message is a complete sentence for
 * users.
 */
export class CopyRefused extends StoreRefused {
  override name = 'CopyRefused'
}

/** Counts the rows to copy in each table. */
export async function countCopied(db: Db): Promise<Record<CopiedTable, number>> {
  const counts = {} as Record<CopiedTable, number>
  for (const table of COPIED) counts[table] = await countRows(db, table)
  return counts
}

/**
 * Copies everything from one store to an empty one, with all ids: users, graphs with their versions and content, the trash and
 * the audit log. Then reads the copy back and compares it. Everything happens in one transaction, so the target receives
 * everything or nothing. Reports the number of rows copied and compared so far. Throws CopyRefused.
 */
export async function copyStore(from: Store, to: Store, onProgress: (rows: number, table: string) => void) {
  await to.write(async (target) => {
    const there = Object.entries(await countCopied(target)).find(([, count]) => count > 0)
    if (there) throw new CopyRefused(`The target is not empty: its table ${there[0]} has ${there[1]} rows.`)
    let done = 0
    const digests = new Map<string, string>()
    const snapshot = from.read.transaction().setIsolationLevel('repeatable read')
    const lastIds = await snapshot.execute(async (source) => {
      await expectKnownTables(from, source)
      for (const table of COPIED) {
        const digest = await digestOf(source, table, async (rows) => {
          await insert(target, table, rows)
          done += rows.length
          onProgress(done, table)
        })
        digests.set(table, digest)
      }
      await copyLog(source, target)
      return from.lastIds(source)
    })
    await to.setLastIds(target, lastIds)
    for (const table of COPIED) {
      const digest = await digestOf(target, table, async (rows) => {
        if (table === 'content') for (const row of rows) checkContent(row as unknown as ContentRow)
        done += rows.length
        onProgress(done, table)
      })
      if (digest !== digests.get(table)) throw new CopyRefused(`The rows of ${table} differ after the copy.`)
    }
    await indexAll(target)
  })
}

/** Throws CopyRefused if the source has rows in a table that TABLES does not list. */
async function expectKnownTables(from: Store, source: Db) {
  for (const table of await from.listTables(source)) {
    if (Object.hasOwn(TABLES, table)) continue
    const count = await countRows(source, table)
    if (count > 0) throw new CopyRefused(`The source has an unknown table: ${table}, with ${count} rows.`)
  }
}

async function insert(target: Trx, table: CopiedTable, rows: Row[]) {
  await target
    .insertInto(table)
    .values(rows as never)
    .execute()
}

/** Returns a hash of all rows of the table, and passes the rows to `visit`. */
async function digestOf(db: Db, table: CopiedTable, visit: (rows: Row[]) => Promise<void>): Promise<string> {
  const digest = createHash('sha256')
  for await (const rows of rowsOf(db, table)) {
    for (const row of rows) digest.update(textOf(row))
    await visit(rows)
  }
  return digest.digest('hex')
}

/** Yields all rows in key order, in batches. */
async function* rowsOf(db: Db, table: CopiedTable): AsyncGenerator<Row[]> {
  const limit = table === 'content' ? CONTENTS : BATCH
  const { key } = TABLES[table]
  const columns = sql.join(key.map((column) => sql.ref(column)))
  for (let last: Row | undefined; ; ) {
    const place = last
    const after = place ? sql`WHERE (${columns}) > (${sql.join(key.map((column) => place[column]))})` : sql``
    const { rows } = await sql<Row>`
      SELECT * FROM ${sql.table(table)} ${after} ORDER BY ${columns} LIMIT ${sql.lit(limit)}`.execute(db)
    if (rows.length > 0) yield rows
    if (rows.length < limit) return
    last = rows.at(-1)
  }
}

/** Returns a string for the row that is the same on both engines, although SQLite stores booleans as 0 and 1. */
function textOf(row: Row) {
  const columns = Object.keys(row).sort()
  return JSON.stringify(
    columns.map((column) => {
      const value = row[column]
      if (typeof value === 'boolean') return [column, Number(value)]
      return [column, Buffer.isBuffer(value) ? hash('sha256', value) : value]
    })
  )
}

/** Throws CopyRefused if the content does not match its hash. */
function checkContent({ id, hash: expected, json, packed }: ContentRow) {
  const bytes = json ?? (packed ? zstdDecompressSync(packed) : '')
  if (hash('sha256', bytes) !== expected) throw new CopyRefused(`Content ${id} is damaged: it does not match its hash.`)
}
