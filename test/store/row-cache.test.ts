import { join } from 'node:path'
import Database from 'better-sqlite3'
import { sql } from 'kysely'
import t, { type Test } from 'tap'
import { prepared } from '../../db/engine/prepared.ts'
import { RowCache } from '../../db/engine/row-cache.ts'
import { openSqlite } from '../../db/engine/sqlite/store.ts'
import { startThread } from '../../src/system/assets.ts'
import { only } from '../support/engine.ts'
import { addUser } from '../support/helper.ts'

const sqlite = only('SQLite', 'PostgreSQL has no row cache')

/** Opens a store whose only user is ada. */
async function open(t: Test) {
  const file = join(t.testdir({}), 'graphstead.db')
  const store = await openSqlite(file, startThread)
  t.teardown(() => store.close())
  await addUser(store, 'ada')
  return { store, file }
}

const nextTurn = () => new Promise((resolve) => setImmediate(resolve))

const logins = prepared(
  (db, { role }: { role: string }) =>
    db
      .selectFrom('user')
      .select('login')
      .where('role', '=', role as 'USER'),
  {
    remembers: true
  }
)

t.test('a cache returns rows for the same SQL and key while the database version is unchanged', sqlite, async (t) => {
  const cache = new RowCache()
  const rows = [{ id: 1 }]
  cache.forgetUnless(1)
  t.equal(cache.get('SELECT 1', 'a'), undefined)
  cache.set('SELECT 1', 'a', rows)
  t.equal(cache.get('SELECT 1', 'a'), rows)
  t.equal(cache.get('SELECT 1', 'b'), undefined)
  t.equal(cache.get('SELECT 2', 'a'), undefined)
  cache.forgetUnless(1)
  t.equal(cache.get('SELECT 1', 'a'), rows)
  cache.forgetUnless(2)
  t.equal(cache.get('SELECT 1', 'a'), undefined)
})

t.test('a cache holds the rows of 5000 queries', sqlite, async (t) => {
  const cache = new RowCache()
  const fill = (from: number) => {
    for (let key = from; key < from + 5000; key++) cache.set(`SELECT ${key % 3}`, `${key}`, [])
  }
  const countKept = () =>
    Array.from({ length: 20_000 }, (_, key) => cache.get(`SELECT ${key % 3}`, `${key}`)).filter(Boolean).length
  fill(0)
  t.equal(countKept(), 5000)
  cache.set('SELECT 0', '15000', [])
  t.equal(countKept(), 1)
  fill(5000)
  t.equal(countKept(), 1, 'a full cache is emptied')
  fill(10_000)
  t.equal(countKept(), 1)
})

t.test('rows are cached until this process commits', sqlite, async (t) => {
  const { store } = await open(t)
  const before = await logins(store.read, { role: 'USER' })
  t.strictSame(before, [{ login: 'ada' }])
  t.strictSame(await logins(store.read, { role: 'ADMIN' }), [])
  await nextTurn()
  t.equal(await logins(store.read, { role: 'USER' }), before, 'the cached rows are returned')
  await addUser(store, 'bob')
  await addUser(store, 'root')
  t.strictSame(await logins(store.read, { role: 'USER' }), [{ login: 'ada' }, { login: 'bob' }])
  t.strictSame(await logins(store.read, { role: 'ADMIN' }), [{ login: 'root' }])
})

t.test('rows are cached until another process commits', sqlite, async (t) => {
  const { store, file } = await open(t)
  const before = await logins(store.read, { role: 'USER' })
  const other = new Database(file)
  t.teardown(() => other.close())
  await nextTurn()
  t.equal(await logins(store.read, { role: 'USER' }), before)
  other.exec(`UPDATE "user" SET "login" = 'eve'`)
  await nextTurn()
  t.strictSame(await logins(store.read, { role: 'USER' }), [{ login: 'eve' }])
})

t.test('transactions and snapshots do not share cached rows', sqlite, async (t) => {
  const { store } = await open(t)
  t.strictSame(await logins(store.read, { role: 'USER' }), [{ login: 'ada' }])
  await store.write(async (trx) => {
    t.strictSame(await logins(trx, { role: 'USER' }), [{ login: 'ada' }])
    await trx.updateTable('user').set({ login: 'eve' }).execute()
    t.strictSame(await logins(trx, { role: 'USER' }), [{ login: 'eve' }])
    t.strictSame(await logins(store.read, { role: 'USER' }), [{ login: 'ada' }])
  })
  await store.read.transaction().execute(async (snapshot) => {
    t.strictSame(await logins(snapshot, { role: 'USER' }), [{ login: 'eve' }])
    await store.write((trx) => trx.updateTable('user').set({ login: 'ada' }).execute())
    t.strictSame(await logins(snapshot, { role: 'USER' }), [{ login: 'eve' }])
    t.strictSame(await logins(store.read, { role: 'USER' }), [{ login: 'ada' }])
  })
})

t.test('parameters that look the same when joined are different keys', sqlite, async (t) => {
  const { store } = await open(t)
  const echo = prepared(
    (db, { one, other }: { one: unknown; other: unknown }) =>
      db.selectFrom('user').select([sql`${one}`.as('one'), sql`${other}`.as('other')]),
    { remembers: true }
  )
  for (const [one, other] of [
    ['a\0b', 'c'],
    ['a', 'b\0c'],
    ['a,"b', 'c'],
    ['1', ''],
    [1, '']
  ]) {
    t.strictSame(await echo(store.read, { one, other }), [{ one, other }], JSON.stringify([one, other]))
  }
})
