import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { sql } from 'kysely'
import t from 'tap'
import { system } from '../../db/actors.ts'
import { recordEvent } from '../../db/audit/events.ts'
import { wipePostgres } from '../../db/upkeep/wiping-postgres.ts'
import { wipeSqlite } from '../../db/upkeep/wiping-sqlite.ts'
import { bytesOf, foundIn, mayReadBytes } from '../support/database-bytes.ts'
import { clientOf, newDatabase, only } from '../support/engine.ts'
import { build, triangle } from '../support/helper.ts'

const secret = 'a-value-that-goes'

t.test('changed values are wiped from the database files while a server runs', async (t) => {
  const { as, store, folder, url } = await build(t)
  const ada = as('ada')
  for (let index = 0; index < 60; index++) {
    t.equal((await ada.post('/api/graphs', { ...triangle, name: `${secret} ${index}`, shared: true })).status, 201)
  }
  for (let id = 1; id <= 60; id++) t.equal((await ada.delete(`/api/graphs/${id}`)).status, 200)
  for (let id = 1; id <= 60; id++) t.equal((await ada.delete(`/api/trash/${id}`)).status, 200)
  await store.write((trx) => recordEvent(trx, system, { type: 'SERVER_STARTED', data: { version: 'stays' } }))
  const word = Buffer.from(secret.slice(2, 7))
  if (!(await mayReadBytes(t, folder, url))) return
  t.same(foundIn(await bytesOf(folder, url), { secret, word, stays: 'stays' }), ['secret', 'word', 'stays'])
  // Events still contain the names; test/audit/erase.test.ts covers their erasure.
  const { rows } = await sql`SELECT 1 FROM "auditEvent" WHERE "data" LIKE ${`%${secret}%`}`.execute(store.read)
  t.ok(rows.length > 0)
  t.equal(url === undefined ? await wipeSqlite(join(folder, 'graphstead.db')) : await wipePostgres(url, {}), undefined)
  t.equal((await ada.post('/api/graphs', triangle)).status, 201)
  t.equal((await ada.get('/api/graphs/61')).status, 200)
})

t.test('a blocking reader or writer is reported', only('SQLite', 'its file is locked as a whole'), async (t) => {
  const { folder, as } = await build(t)
  const file = join(folder, 'graphstead.db')
  t.equal((await as('ada').post('/api/graphs', triangle)).status, 201)
  const other = new Database(file)
  other.exec('BEGIN; SELECT * FROM "user"')
  t.equal(await wipeSqlite(file, 300), 'Another process is reading the database.')
  other.exec('ROLLBACK; BEGIN IMMEDIATE')
  t.equal(await wipeSqlite(file, 300), 'Another process is changing the database.')
  other.exec('ROLLBACK')
  t.equal(await wipeSqlite(file, 3000), undefined)
  other.close()
})

t.test('a blocking session is reported', only('PostgreSQL', 'tables are locked one by one'), async (t) => {
  const { url = '' } = await build(t)
  const other = await clientOf(t, url)
  await other.query('BEGIN; LOCK TABLE "auditEvent" IN ROW EXCLUSIVE MODE')
  t.equal(await wipePostgres(url, { lockTimeout: 300 }), 'PostgreSQL error: canceling statement due to lock timeout.')
  await other.query('ROLLBACK')
  t.equal(await wipePostgres(url, {}), undefined)
})

t.test(
  'rows still visible to another session are wiped when it ends',
  only('PostgreSQL', 'SQLite reports readers'),
  async (t) => {
    const { as, folder, store, url = '' } = await build(t)
    t.equal((await as('ada').post('/api/graphs', triangle)).status, 201)
    if (!(await mayReadBytes(t, folder, url))) return
    const describe = (description: string | null) =>
      store.write((trx) => trx.updateTable('graph').set({ description }).execute())
    const sessions: [what: string, database: string, begin: string][] = [
      ['a reader', url, 'BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT * FROM "user"'],
      ['a writer in another database', await newDatabase(t, { empty: true }), 'BEGIN; SELECT pg_current_xact_id()']
    ]
    for (const [what, database, begin] of sessions) {
      await describe(secret)
      const other = await clientOf(t, database)
      await other.query(begin)
      await describe(null)
      const wiping = wipePostgres(url, {})
      await sleep(500)
      await other.query('COMMIT')
      t.equal(await wiping, undefined, what)
      t.same(foundIn(await bytesOf(folder, url), { secret }), [], what)
    }
  }
)

t.test(
  'a session to which removed rows are still visible is reported',
  only('PostgreSQL', 'SQLite reports readers'),
  async (t) => {
    const { as, store, url = '' } = await build(t)
    t.equal((await as('ada').post('/api/graphs', triangle)).status, 201)
    const other = await clientOf(t, url)
    await other.query('BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT 1')
    await store.write((trx) => trx.updateTable('graph').set({ description: secret }).execute())
    t.equal(await wipePostgres(url, {}), 'Other transactions can still see the removed data.')
    await other.query('ROLLBACK')
    t.equal(await wipePostgres(url, {}), undefined)
  }
)
