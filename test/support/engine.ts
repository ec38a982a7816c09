import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import pg from 'pg'
import type { Test } from 'tap'
import { openStore } from '../../db/engine/open.ts'
import { openPostgres } from '../../db/engine/postgres/store.ts'
import { openSqlite, type SqliteOptions } from '../../db/engine/sqlite/store.ts'
import type { Store } from '../../db/store.ts'
import { startThread } from '../../src/system/assets.ts'

// The engine of this run; `test/run.ts` runs the tests once for each engine. The environment variable below specifies a
// PostgreSQL database whose user may create databases. Each test has its own database.

const server = process.env.GRAPHSTEAD_TEST_DATABASE

export const engine = server === undefined ? 'SQLite' : 'PostgreSQL'

/** Skips a test on the other engine for the given reason. */
export function only(wanted: typeof engine, reason: string) {
  return { skip: engine === wanted ? false : `${wanted} only: ${reason}` }
}

const TEMPLATE = 'graphstead_template'

/** A store on either engine, for tests. */
export interface TestStore {
  store: Store
  /** The URL of a PostgreSQL database. */
  url?: string
  /** Blocks all writes, as another process could, until the returned function is called. */
  hold(): Promise<() => Promise<unknown>>
}

export interface TestStoreOptions extends SqliteOptions {
  /** Whether the server uses the role in docs/deploy.md instead of the owner of the tables. */
  isRestricted?: boolean
}

/** Creates a store with the schema, and removes it when the test ends. With SQLite, its file is in the folder. */
export async function openTestStore(t: Test, folder: string, options: TestStoreOptions = {}): Promise<TestStore> {
  if (server === undefined) {
    const file = join(folder, 'graphstead.db')
    const hold = async () => {
      const other = new Database(file)
      other.exec('BEGIN IMMEDIATE')
      return async () => other.close()
    }
    return { store: await openSqlite(file, startThread, options), hold }
  }
  const { queueLimit, lockTimeout, isRestricted } = options
  const url = await newDatabase(t)
  const hold = async () => {
    const other = new pg.Client({ connectionString: url })
    await other.connect()
    await other.query('BEGIN; LOCK TABLE "graph" IN SHARE MODE')
    return () => other.end()
  }
  const own = isRestricted ? await asServerRole(t, url) : url
  return { store: await openPostgres(own, { poolSize: 5, queueLimit, lockTimeout }), url, hold }
}

/** Creates a PostgreSQL database, empty or with the schema, that is removed when the test ends. Returns its URL. */
export async function newDatabase(t: Test, { empty = false } = {}) {
  if (server === undefined) throw new Error('this run uses SQLite')
  const name = `test_${randomBytes(8).toString('hex')}`
  await asAdministrator(`CREATE DATABASE ${name} ${empty ? '' : `TEMPLATE ${TEMPLATE} STRATEGY file_copy`}`)
  // Runs last, after every user of the database has closed it.
  t.teardown(() => asAdministrator(`DROP DATABASE ${name} WITH (FORCE)`))
  return urlOf(name)
}

/** Connects another client to a PostgreSQL database until the test ends. */
export async function clientOf(t: Test, url: string) {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  t.teardown(() => client.end())
  return client
}

/**
 * Returns a URL with the role in docs/deploy.md, which does not own the tables. Runs that document's statements, except those
 * that match `lacking`.
 */
export async function asServerRole(t: Test, url: string, lacking?: RegExp) {
  const deploy = readFileSync(new URL('../../docs/deploy.md', import.meta.url), 'utf8')
  const own = new URL(url)
  const role = `role_${randomBytes(8).toString('hex')}`
  const statements = /```sql\n([\s\S]*?)```/.exec(deploy)?.[1]?.trim().split('\n') ?? []
  const script = statements
    .filter((statement) => !lacking?.test(statement))
    .join('\n')
    .replaceAll('graphstead_server', role)
    .replace('ON DATABASE graphstead ', `ON DATABASE ${own.pathname.slice(1)} `)
  await asAdministrator(script, url)
  // Drops the role and its privileges before the database is dropped.
  t.teardown(async () => {
    await asAdministrator(`DROP OWNED BY ${role}`, url)
    await asAdministrator(`DROP ROLE ${role}`)
  })
  own.username = role
  own.password = 'a secret'
  return String(own)
}

/** Creates the template for test databases. */
export async function prepareTemplate(server: string) {
  await asAdministrator(`DROP DATABASE IF EXISTS ${TEMPLATE}`, server)
  await asAdministrator(`CREATE DATABASE ${TEMPLATE}`, server)
  await (await openPostgres(urlOf(TEMPLATE, server))).close()
}

const databases = new Map<string, Promise<string>>()

/** Returns the environment variables through which the program finds the database of a data folder. */
export async function environmentOf(t: Test, folder: string): Promise<Record<string, string>> {
  if (server === undefined) return {}
  let url = databases.get(folder)
  if (!url) {
    url = newDatabase(t)
    databases.set(folder, url)
  }
  return { GRAPHSTEAD_DATABASE_URL: await url }
}

/** Opens the store of a data folder, while the program is running or afterwards. */
export async function openDataStore(t: Test, folder: string): Promise<Store> {
  const { GRAPHSTEAD_DATABASE_URL: database } = await environmentOf(t, folder)
  return openStore(database === undefined ? {} : { database }, () => join(folder, 'graphstead.db'), startThread)
}

function urlOf(database: string, on = server ?? '') {
  const url = new URL(on)
  url.pathname = `/${database}`
  return String(url)
}

/** Runs an administrative statement, by default on the server's main database. */
async function asAdministrator(statement: string, on = server ?? '') {
  const client = new pg.Client({ connectionString: on })
  client.on('error', () => {})
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
