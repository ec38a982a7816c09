import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { sql } from 'kysely'
import t, { type Test } from 'tap'
import { openStore } from '../../db/engine/open.ts'
import { openSqlite } from '../../db/engine/sqlite/store.ts'
import type { Migration } from '../../db/migrations/migration.ts'
import { migrations as postgresMigrations } from '../../db/migrations/postgres/index.ts'
import { migrations as sqliteMigrations } from '../../db/migrations/sqlite/index.ts'
import type { Db } from '../../db/store.ts'
import { backUp } from '../../db/upkeep/backup.ts'
import { checkSqlite } from '../../db/upkeep/check.ts'
import { inspectStore } from '../../db/upkeep/inspect.ts'
import { restore } from '../../db/upkeep/restore.ts'
import { startThread } from '../../src/system/assets.ts'
import { engine, newDatabase, only } from '../support/engine.ts'
import { addUser } from '../support/helper.ts'
import { run } from '../support/program.ts'

const migrations = (engine === 'SQLite' ? sqliteMigrations : postgresMigrations) as Migration[]

/** Adds a migration to this process. Returns a function that removes it. */
function add(t: Test, migration: Migration) {
  const { length } = migrations
  const remove = () => migrations.splice(length)
  migrations.push(migration)
  t.teardown(remove)
  return remove
}

const addColour: Migration = async (db) => {
  await sql`ALTER TABLE "user" ADD COLUMN "colour" TEXT`.execute(db)
  await sql`UPDATE "user" SET "colour" = 'red'`.execute(db)
}

async function coloursOf(db: Db) {
  const { rows } = await sql<{ colour: string }>`SELECT "colour" FROM "user" ORDER BY "id"`.execute(db)
  return rows.map(({ colour }) => colour)
}

/** Creates a database with the users ada and bob. Returns functions that open it and read its schema. */
async function createDatabase(t: Test) {
  const file = join(t.testdir({}), 'graphstead.db')
  const settings = engine === 'SQLite' ? {} : { database: await newDatabase(t, { empty: true }) }
  const open = () => openStore(settings, () => file, startThread)
  const schema = async () => (await inspectStore(settings, file))?.schema
  const store = await open()
  for (const login of ['ada', 'bob']) await addUser(store, login)
  await store.close()
  return { file, open, schema }
}

t.test('a new migration is applied only once to a database with rows', async (t) => {
  const { open, schema } = await createDatabase(t)
  t.equal(await schema(), migrations.length)
  add(t, addColour)
  const store = await open()
  t.same(await coloursOf(store.read), ['red', 'red'])
  await store.write((trx) => sql`UPDATE "user" SET "colour" = 'blue' WHERE "login" = 'bob'`.execute(trx))
  await store.close()
  t.equal(await schema(), migrations.length)
  const again = await open()
  t.same(await coloursOf(again.read), ['red', 'blue'])
  await again.close()
})

t.test('a new database has all migrations', async (t) => {
  add(t, addColour)
  const { open, schema } = await createDatabase(t)
  t.equal(await schema(), migrations.length)
  const store = await open()
  t.same(await coloursOf(store.read), [null, null])
  await store.close()
})

t.test('a migration that fails leaves the database unchanged', async (t) => {
  const { open, schema } = await createDatabase(t)
  const remove = add(t, async (db) => {
    await addColour(db)
    throw new Error('it failed')
  })
  await t.rejects(open(), { message: 'it failed' })
  t.equal(await schema(), migrations.length - 1)
  remove()
  const store = await open()
  await t.rejects(coloursOf(store.read), /colour/)
  await store.close()
})

t.test('a database with an unknown migration is refused', async (t) => {
  const { open, schema } = await createDatabase(t)
  const remove = add(t, addColour)
  await (await open()).close()
  remove()
  await t.rejects(open(), {
    name: 'StoreRefused',
    message: /a newer version of Graphstead \(schema \d+; this version supports up to \d+\)/
  })
  t.equal(await schema(), migrations.length + 1)
})

const files = only('SQLite', 'PostgreSQL has its own backup tools')

t.test('an older database is checked against its own schema, and migrated when restored', files, async (t) => {
  const { file } = await createDatabase(t)
  const { version } = await checkSqlite(file, () => {})
  const backup = join(t.testdirName, 'backup.db')
  await backUp(file, backup, startThread)
  add(t, addColour)
  const older = await checkSqlite(backup, () => {})
  t.same([older.version, older.faults], [version, []])
  await restore(backup, file, startThread)
  const restored = await checkSqlite(file, () => {})
  t.same([restored.version, restored.faults], [version + 1, []])
  const store = await openSqlite(file, startThread)
  t.same(await coloursOf(store.read), ['red', 'red'])
  await store.close()
})

t.test('every command refuses a newer database in one sentence, and leaves it unchanged', files, async (t) => {
  const { file } = await createDatabase(t)
  const data = t.testdirName
  const database = new Database(file)
  database.pragma(`user_version = ${migrations.length + 1}`)
  database.close()
  const before = readFileSync(file)
  for (const args of [['serve', '--port', '0'], ['user', 'list'], ['check'], ['backup', join(data, 'copy.db')]]) {
    const { code, stderr } = await run([...args, '--data', data])
    t.equal(code, 1)
    t.match(
      stderr,
      /^graphstead \w+: .* was written by a newer version of Graphstead \(schema \d+; this version supports up to \d+\)\. Start the newer version instead\.\n$/
    )
  }
  t.ok(readFileSync(file).equals(before))
})
