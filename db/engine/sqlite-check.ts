import { hash } from 'node:crypto'
import { zstdDecompressSync } from 'node:zlib'
import Database from 'better-sqlite3'
import { Kysely } from 'kysely'
import { migrations } from '../migrations/sqlite/index.ts'
import { StoreRefused } from '../store.ts'
import { type ContentRow, type Tables, type TableWith, tablesWith } from '../tables.ts'
import { contradictions } from './sqlite-contradictions.ts'
import { SqliteDriver, sqliteDialect } from './sqlite-dialect.ts'
import { inspect, toRefusal } from './sqlite-schema.ts'

/** What a look at every part of a file has found. */
export interface Soundness {
  /** Of the schema. */
  version: number
  /** How many rows there are, table by table. */
  rows: Record<TableWith<{ hasFigure: true }>, number>
  /** What is wrong, in sentences; the first of them. */
  faults: string[]
}

/** How much there is, for people. */
export function contentsOf({ version, rows }: Soundness) {
  const { user, graph, trash, graphVersion, auditEvent } = rows
  return `${user} users, ${graph} graphs and ${trash} in the trash, ${graphVersion} earlier versions, ${auditEvent} events (schema ${version})`
}

/** So many faults are told. */
const FAULTS = 20

/**
 * Looks at all of a database file without changing it: that its pages fit together, that its schema is what migrations
 * make, that whatever is referred to is there, that contents are what their hashes say, and that counts are right. Sees
 * the file as it is at one moment, also while a server changes it. Tells how far it is, in steps. Takes as long as to
 * read the file: for a thread or a command of its own. Throws StoreRefused where the file is not ours or cannot be read.
 */
export async function checkSqlite(
  file: string,
  onProgress: (done: number, total: number, at: string) => void
): Promise<Soundness> {
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

async function check(db: Database.Database, onProgress: (done: number, total: number, at: string) => void) {
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
  // What cannot be read cannot be looked at more closely.
  if (faults.length > 0) return { version, rows: noRows, faults }
  for (const fault of await schemaFaults(db, version)) found(fault)
  if (faults.length > 0) return { version, rows: noRows, faults }
  for (const { table, rowid } of db.pragma('foreign_key_check') as { table: string; rowid: number | null }[]) {
    found(`${table} ${rowid ?? ''} refers to what is not there`)
  }

  const rows = { ...noRows }
  const tables = new Set(
    db.prepare(`SELECT "name" FROM sqlite_schema WHERE "type" = 'table'`).pluck().all() as string[]
  )
  for (const table of FIGURES) if (tables.has(table)) rows[table] = count(table)
  const known = contradictions.filter(({ since, until = version }) => since <= version && version <= until)
  const total = rows.content + known.length
  for (const [index, { says, sql }] of known.entries()) {
    onProgress(index, total, 'counts')
    const query = typeof sql === 'string' ? sql : sql(tables)
    const wrong = db.prepare(`${query} LIMIT ${FAULTS}`).all() as { of: string | number }[]
    for (const { of } of wrong) found(`${says}: ${of === '' ? 'all' : of}`)
  }
  const withContent = ['graph', 'graphVersion'].filter((table) => tables.has(table))
  const miscounted = db.prepare(
    withContent
      .map(
        (table) => `SELECT 1 FROM "${table}" WHERE "contentId" = $id AND ("nodeCount", "edgeCount") <> ($nodes, $edges)`
      )
      .join(' UNION ALL ')
  )
  let done = 0
  for (const content of db.prepare('SELECT "id", "hash", "json", "packed", "size" FROM "content"').iterate()) {
    if (done % 100 === 0) onProgress(known.length + done, total, 'contents')
    done++
    checkContent(content as ContentRow)
  }
  onProgress(total, total, 'done')
  return { version, rows, faults }

  function checkContent({ id, hash: expected, json, packed, size }: ContentRow) {
    try {
      const bytes = packed ? zstdDecompressSync(packed) : Buffer.from(json ?? '')
      if (hash('sha256', bytes) !== expected) return found(`content ${id} is not what its hash says`)
      if (bytes.length !== size) return found(`content ${id} has another size`)
      const { nodes, edges } = JSON.parse(bytes.toString()) as { nodes: unknown[]; edges: unknown[] }
      if (miscounted.get({ id, nodes: nodes.length, edges: edges.length })) found(`content ${id} is miscounted`)
    } catch (error) {
      found(`content ${id} cannot be read: ${(error as Error).message}`)
    }
  }
}

const FIGURES = tablesWith({ hasFigure: true })
const noRows = Object.fromEntries(FIGURES.map((table) => [table, 0])) as Soundness['rows']

/** What the schema has and lacks, compared with one that the migrations make. */
async function schemaFaults(db: Database.Database, version: number) {
  const fresh = new Database(':memory:')
  try {
    const kysely = new Kysely<Tables>({ dialect: sqliteDialect(new SqliteDriver(() => fresh, 1)) })
    for (const migration of migrations.slice(0, version)) await migration(kysely as Kysely<unknown>)
    const [expected, actual] = [schemaOf(fresh), schemaOf(db)]
    return [
      ...[...expected].filter(([name, sql]) => actual.get(name) !== sql).map(([name]) => name),
      ...[...actual.keys()].filter((name) => !expected.has(name))
    ].map((name) => `schema: ${name} is not as Graphstead makes it`)
  } finally {
    fresh.close()
  }
}

function schemaOf(db: Database.Database) {
  // What begins so is SQLite's own.
  const rows = db.prepare(
    `SELECT "type", "name", "sql" FROM sqlite_schema WHERE "name" NOT LIKE 'sqlite\\_%' ESCAPE '\\'`
  )
  const objects = rows.all() as { type: string; name: string; sql: string }[]
  return new Map(objects.map(({ type, name, sql }) => [`${type} ${name}`, sql]))
}
