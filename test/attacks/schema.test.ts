import { join } from 'node:path'
import Database from 'better-sqlite3'
import t, { type Test } from 'tap'
import { checkSqlite } from '../../db/upkeep/check.ts'
import { only, openTestStore } from '../support/engine.ts'
import { runProgram } from '../support/program.ts'

const sqlite = only('SQLite', 'check reads files')

/** Creates a database whose schema has extra objects. */
async function databaseWith(t: Test, sql: string) {
  const folder = t.testdir({})
  const { store } = await openTestStore(t, folder)
  await store.close()
  const file = join(folder, 'graphstead.db')
  const db = new Database(file)
  db.unsafeMode()
  db.pragma('writable_schema = ON')
  db.exec(sql)
  db.close()
  return file
}

const NAME = 'sqlite_autoindex_graph_9'
const insert = (type: string, name: string, table: string) =>
  `INSERT INTO sqlite_schema VALUES (${type}, '${name}', ${table}, 0, 'CREATE TRIGGER ${NAME} AFTER UPDATE OF "role" ON "user"
    BEGIN UPDATE "user" SET "role" = ''ADMIN'' WHERE "login" = ''eve''; END')`
const giveBack = insert(`'trigger'`, NAME, `'user'`)

t.test('check finds a trigger under any name', sqlite, async (t) => {
  const { faults } = await checkSqlite(await databaseWith(t, giveBack), () => {})
  t.same(faults, [`schema: trigger ${NAME} differs from Graphstead's`])
  for (const sql of [
    insert(`'index'`, NAME, `'user'`),
    insert(`'trigger'`, 'graphUsed', `'user'`),
    insert(`'table'`, 'user', 'NULL'),
    insert('NULL', 'sqlite_stat1', 'NULL'),
    `${giveBack}; ${giveBack}`
  ]) {
    const soundness = checkSqlite(await databaseWith(t, sql), () => {})
    await t.rejects(soundness, { message: /malformed database schema/ }, sql)
  }
})

t.test('restore refuses a backup with an added trigger', sqlite, async (t) => {
  const backup = await databaseWith(t, giveBack)
  const { code, stderr } = await runProgram(['restore', backup, '--data', join(t.testdirName, 'new')])
  t.match(stderr, new RegExp(`trigger ${NAME} differs from Graphstead's`))
  t.not(code, 0)
})

t.test('the tables that ANALYZE and Litestream create are not reported', sqlite, async (t) => {
  const faultsWith = async (sql: string) => (await checkSqlite(await databaseWith(t, sql), () => {})).faults
  t.same(await faultsWith('ANALYZE'), [])
  const sequence = 'CREATE TABLE IF NOT EXISTS _litestream_seq (id INTEGER PRIMARY KEY, seq INTEGER)'
  t.same(await faultsWith(`${sequence}; CREATE TABLE IF NOT EXISTS _litestream_lock (id INTEGER)`), [])
  const other = 'CREATE TABLE _litestream_seq (id INTEGER PRIMARY KEY)'
  t.same(await faultsWith(other), ["schema: table _litestream_seq differs from Graphstead's"])
})
