import { copyFileSync, existsSync, readFileSync, renameSync, statSync, unlinkSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { sql } from 'kysely'
import t, { type Test } from 'tap'
import { openSqlite } from '../../db/engine/sqlite/store.ts'
import { type Db, StoreBroken } from '../../db/store.ts'
import { TABLES } from '../../db/tables.ts'
import { startThread } from '../../src/system/assets.ts'

// The store and its file: tables, sizes, removed files and closing.

async function open(t: Test) {
  const file = join(t.testdir({}), 'graphstead.db')
  const store = await openSqlite(file, startThread)
  t.teardown(() => store.close())
  return { store, file }
}

const put = (db: Db, hash: string) =>
  db.insertInto('content').values({ hash, json: '{}', packed: null, size: 2 }).execute()
const hashes = async (db: Db) => (await db.selectFrom('content').select('hash').execute()).map(({ hash }) => hash)

/** Counts the connections closed until the test ends. */
function countClosed(t: Test) {
  const { close } = Database.prototype
  const closed = { count: 0 }
  t.intercept(Database.prototype, 'close', {
    value(this: Database.Database) {
      closed.count++
      return close.call(this)
    }
  })
  return closed
}

t.test("the list of tables excludes views and the engine's own tables", async (t) => {
  const { store } = await open(t)
  await store.write(async (trx) => {
    await sql`CREATE VIEW "seen" AS SELECT 1`.execute(trx)
    await sql`CREATE VIRTUAL TABLE "words" USING fts5("text")`.execute(trx)
  })
  t.strictSame((await store.listTables(store.read)).sort(), [...Object.keys(TABLES), 'words'].sort())
})

t.test('new ids follow the last ids, which can be set', async (t) => {
  const { store } = await open(t)
  const none = { apiToken: 0, group: 0, link: 0, user: 0, content: 0, graph: 0, auditEvent: 0 }
  t.strictSame(await store.lastIds(store.read), none)
  await store.write((trx) => put(trx, 'a'))
  t.strictSame(await store.lastIds(store.read), { ...none, content: 1 })
  for (const content of [40, 50]) {
    await store.write((trx) => store.setLastIds(trx, { ...none, user: 7, content }))
    t.strictSame(await store.lastIds(store.read), { ...none, user: 7, content })
  }
  await store.write((trx) => put(trx, 'b'))
  t.strictSame(await store.read.selectFrom('content').select('id').orderBy('id').execute(), [{ id: 1 }, { id: 51 }])
  const { rows } = await sql`SELECT count(*) AS "n" FROM sqlite_sequence`.execute(store.read)
  t.strictSame(rows, [{ n: 7 }], 'each table has one row')
})

t.test('a store notifies its listeners of commits, and of transactions that find it broken', async (t) => {
  const { store } = await open(t)
  const warnings: unknown[] = []
  t.intercept(process, 'emitWarning', { value: (warning: unknown) => warnings.push(warning) })
  const error = new StoreBroken('the disk is full')
  const fail = () =>
    t.rejects(
      store.write(async () => Promise.reject(error)),
      error
    )
  await fail()
  const told: unknown[] = []
  store.onCommit = (transactions, milliseconds) => told.push(transactions, typeof milliseconds)
  store.onBroken = (reason) => told.push(reason)
  await fail()
  t.strictSame(told, [error, 1, 'number'])
  store.onCommit = undefined
  store.onBroken = undefined
  await fail()
  t.strictSame(warnings, [], 'listeners are optional')
})

t.test('the size of a store is that of its files', async (t) => {
  const { store, file } = await open(t)
  await store.write((trx) => put(trx, 'a'))
  const sizes = { database: statSync(file).size, log: statSync(`${file}-wal`).size }
  t.ok(sizes.database > 0 && sizes.log > 0)
  t.strictSame(await store.sizes(), sizes)
  unlinkSync(`${file}-wal`)
  t.strictSame(await store.sizes(), { ...sizes, log: 0 })
})

t.test('commits in a removed write-ahead log are rescued, and later ones are refused', async (t) => {
  const { store, file } = await open(t)
  await store.write((trx) => put(trx, 'a'))
  t.equal(store.fault(), undefined)
  unlinkSync(`${file}-wal`)
  const fault = 'the write-ahead log was removed while the server was running: restart it'
  t.equal(store.fault(), fault)
  const late = store.write((trx) => put(trx, 'b'))
  await t.rejects(late, { name: 'StoreBroken', message: fault })
  copyFileSync(file, `${file}.copy`)
  const copy = await openSqlite(`${file}.copy`, startThread)
  t.teardown(() => copy.close())
  t.strictSame(await hashes(copy.read), ['a'])
})

t.test('a replaced database file is left unchanged', async (t) => {
  const { store, file } = await open(t)
  await store.write((trx) => put(trx, 'a'))
  copyFileSync(file, `${file}.copy`)
  renameSync(file, `${file}.moved`)
  renameSync(`${file}.copy`, file)
  const before = readFileSync(`${file}.moved`)
  const fault = 'the database file was replaced while the server was running: restart it'
  const late = store.write((trx) => put(trx, 'b'))
  await t.rejects(late, { name: 'StoreBroken', message: fault })
  t.strictSame(readFileSync(`${file}.moved`), before, 'no commit is written to the original file')
})

t.test('closing a store leaves no open connection and no write-ahead log', async (t) => {
  const { store, file } = await open(t)
  await store.write((trx) => put(trx, 'a'))
  t.strictSame(await hashes(store.read), ['a'])
  t.equal(existsSync(`${file}-wal`), true)
  const closed = countClosed(t)
  await store.close()
  t.equal(closed.count, 2, 'one connection for writing and one for reading were closed')
  t.equal(existsSync(`${file}-wal`), false)
  await store.close()
  t.equal(closed.count, 2)
})

t.test('a rejected file is closed', async (t) => {
  const file = join(t.testdir({}), 'other.db')
  const other = new Database(file)
  other.pragma('application_id = 42')
  other.close()
  const closed = countClosed(t)
  await t.rejects(openSqlite(file, startThread), { name: 'StoreRefused' })
  t.equal(closed.count, 1)
})
