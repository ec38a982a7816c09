import { hash } from 'node:crypto'
import { zstdDecompressSync } from 'node:zlib'
import Database from 'better-sqlite3'
import { Kysely } from 'kysely'
import { SqliteDriver, sqliteDialect } from '../engine/sqlite/dialect.ts'
import { inspect, LITESTREAM, toRefusal } from '../engine/sqlite/schema.ts'
import { migrations } from '../migrations/sqlite/index.ts'
import { StoreRefused } from '../store.ts'
import { type ContentRow, type Tables, type TableWith, tablesWith } from '../tables.ts'
import { checkAuditLog } from './audit-check.ts'
import { contradictions } from './contradictions.ts'
import { describeFigures } from './figures.ts'

/** A callback that receives the progress of a copy or check, in steps. */
export type OnProgress = (done: number, total: number, at: string) => void

/** The result of a complete check of a file. */
export interface Soundness {
  /** The schema version. */
  version: number
  /** The number of rows per table. */
  rows: Record<TableWith<{ hasFigure: true }>, number>
  /** The first faults found, as sentences. */
  faults: string[]
}

/** Formats the row counts and the schema version for display. */
export function contentsOf({ version, rows }: Soundness) {
  return `${describeFigures(rows)} (schema ${version})`
}

/** The maximum number of faults to report. */
const FAULTS = 20

/**
 * Checks a database file completely without changing it: that its pages are intact, its schema matches the migrations, its
 * references resolve, its content matches its hashes, and its counters are correct. Checks a consistent snapshot, even while a
 * server changes the file. Reports its progress in steps. Blocks until the whole file has been read, so it must run in a thread
 * or in its own command. Throws StoreRefused if the file belongs to another program or cannot be read.
 */
export async function checkSqlite(file: string, onProgress: OnProgress): Promise<Soundness> {
  let connection: Database.Database | undefined
  try {
    connection = new Database(file, { readonly: true, fileMustExist: true })
    connection.pragma('busy_timeout = 10000')
    connection.pragma('trusted_schema = OFF')
    if (inspect(connection, file)) throw new StoreRefused(`${file} is empty.`)
    connection.exec('BEGIN')
    return await check(connection, onProgress)
  } catch (error) {
    throw toRefusal(error, file)
  } finally {
    connection?.close()
  }
}

async function check(db: Database.Database, onProgress: OnProgress) {
  const faults: string[] = []
  const found = (fault: string) => {
    if (faults.length < FAULTS) faults.push(fault)
  }
  const version = db.pragma('user_version', { simple: true }) as number
  const count = (table: string) => Number(db.prepare(`SELECT count(*) FROM "${table}"`).pluck().get())

  onProgress(0, 1, 'pages')
  for (const { integrity_check: fault } of db.pragma(`integrity_check(${FAULTS})`) as { integrity_check: string }[]) {
    if (fault !== 'ok') found(`pages: ${fault}`)
  }
  // Damaged pages would make all other checks fail.
  if (faults.length > 0) return { version, rows: noRows, faults }
  for (const fault of await schemaFaults(db, version)) found(fault)
  if (faults.length > 0) return { version, rows: noRows, faults }
  for (const { table, rowid } of db.pragma('foreign_key_check') as { table: string; rowid: number | null }[]) {
    found(`${table} ${rowid ?? ''} refers to a missing row`)
  }

  const rows = { ...noRows }
  for (const table of FIGURES) rows[table] = count(table)
  const total = rows.content + contradictions.length
  for (const [index, { says, sql }] of contradictions.entries()) {
    onProgress(index, total, 'counts')
    const wrong = db.prepare(`${sql} LIMIT ${FAULTS}`).all() as { of: string | number }[]
    for (const { of } of wrong) found(`${says}: ${of === '' ? 'all' : of}`)
  }
  const miscounted = db.prepare(
    ['graph', 'graphVersion']
      .map(
        (table) => `SELECT 1 FROM "${table}" WHERE "contentId" = $id AND ("nodeCount", "edgeCount") <> ($nodes, $edges)`
      )
      .join(' UNION ALL ')
  )
  const kysely = new Kysely<Tables>({ dialect: sqliteDialect(new SqliteDriver(() => db, 1)) })
  await checkAuditLog(kysely, found, (leaves) => onProgress(leaves, Math.max(rows.auditEvent, leaves), 'audit log'))
  let done = 0
  for (const content of db.prepare('SELECT "id", "hash", "json", "packed", "size" FROM "content"').iterate()) {
    if (done % 100 === 0) onProgress(contradictions.length + done, total, 'contents')
    done++
    checkContent(content as ContentRow)
  }
  onProgress(total, total, 'done')
  return { version, rows, faults }

  function checkContent({ id, hash: expected, json, packed, size }: ContentRow) {
    try {
      const bytes = packed ? zstdDecompressSync(packed) : Buffer.from(json ?? '')
      if (hash('sha256', bytes) !== expected) return found(`content ${id} does not match its hash`)
      if (bytes.length !== size) return found(`content ${id} has the wrong size`)
      const { nodes, edges } = JSON.parse(bytes.toString()) as { nodes: unknown[]; edges: unknown[] }
      if (miscounted.get({ id, nodes: nodes.length, edges: edges.length }))
        found(`a graph with content ${id} has the wrong counts`)
    } catch (error) {
      found(`content ${id} cannot be read: ${(error as Error).message}`)
    }
  }
}

const FIGURES = tablesWith({ hasFigure: true })
const noRows = Object.fromEntries(FIGURES.map((table) => [table, 0])) as Soundness['rows']

/** Lists the differences between this schema and the one that the migrations create. */
async function schemaFaults(db: Database.Database, version: number) {
  const fresh = new Database(':memory:')
  try {
    const kysely = new Kysely<Tables>({ dialect: sqliteDialect(new SqliteDriver(() => fresh, 1)) })
    for (const migration of migrations.slice(0, version)) await migration(kysely as Kysely<unknown>)
    const [expected, actual] = [schemaOf(fresh), schemaOf(db)]
    return [
      ...[...expected].filter(([name, sql]) => actual.get(name) !== sql).map(([name]) => name),
      ...[...actual.keys()].filter((name) => !expected.has(name))
    ].map((name) => `schema: ${name} differs from Graphstead's`)
  } finally {
    fresh.close()
  }
}

/** The tables that ANALYZE and Litestream create, which do not affect the data. */
const FOREIGN = [
  'CREATE TABLE sqlite_stat1(tbl,idx,stat)',
  'CREATE TABLE sqlite_stat4(tbl,idx,neq,nlt,ndlt,sample)',
  ...Object.values(LITESTREAM)
]

/**
 * Returns the schema entries that have SQL. SQLite's own indexes have none. The names need no check, because SQLite rejects
 * duplicate names and SQL that creates an object with a different name.
 */
function schemaOf(db: Database.Database) {
  const rows = db.prepare('SELECT "type", "name", "sql" FROM sqlite_schema WHERE "sql" IS NOT NULL')
  const objects = rows.all() as { type: string; name: string; sql: string }[]
  return new Map(
    objects.filter(({ sql }) => !FOREIGN.includes(sql)).map(({ type, name, sql }) => [`${type} ${name}`, sql])
  )
}
