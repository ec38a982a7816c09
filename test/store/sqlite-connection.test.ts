import Database from 'better-sqlite3'
import { CompiledQuery, type Generated, sql } from 'kysely'
import t, { type Test } from 'tap'
import { SqliteConnection } from '../../db/engine/sqlite/connection.ts'
import { SqliteDriver, sqliteHandle } from '../../db/engine/sqlite/dialect.ts'

// A connection, and the driver that manages several of them.

const query = (text: string, ...parameters: unknown[]) => CompiledQuery.raw(text, parameters)
const nextTurn = () => new Promise((resolve) => setImmediate(resolve))

/** Opens an in-memory connection, and a driver that uses only this connection. */
function openConnection(t: Test, { sharesSnapshots = false } = {}) {
  const database = new Database(':memory:')
  t.teardown(() => database.close())
  database.exec('CREATE TABLE "note" ("id" INTEGER PRIMARY KEY, "text" TEXT NOT NULL) STRICT')
  const driver = new SqliteDriver(() => database, 1)
  return { database, connection: new SqliteConnection(database, sharesSnapshots), driver, handle: sqliteHandle(driver) }
}

/** Records the statements that the database prepares. */
function notePrepared(database: Database.Database) {
  const prepare = database.prepare.bind(database)
  const statements: string[] = []
  database.prepare = ((text: string) => {
    statements.push(text)
    return prepare(text)
  }) as typeof database.prepare
  return statements
}

/** Makes the next run of the statement fail, after calling `before`. */
function failNext(database: Database.Database, statement: string, before = () => {}) {
  const prepare = database.prepare.bind(database)
  const fail = () => {
    database.prepare = prepare
    before()
    throw new Database.SqliteError('malformed', 'SQLITE_CORRUPT')
  }
  database.prepare = ((text: string) => {
    if (text === statement) fail()
    return prepare(text)
  }) as typeof database.prepare
}

t.test('a change returns counts without rows, and a query returns its rows', async (t) => {
  const { connection } = openConnection(t)
  const insert = query(`INSERT INTO "note" ("text") VALUES ('a'), ('b')`)
  t.strictSame(connection.execute(insert), { rows: [], numAffectedRows: 2n, insertId: 2n })
  t.strictSame(await connection.executeQuery(query('SELECT ? AS "n"', true)), { rows: [{ n: 1 }] })
})

t.test('an insert returns its ids, and nothing if it inserts nothing', async (t) => {
  const { database, handle } = openConnection(t)
  const statements = notePrepared(database)
  const notes = handle.withTables<{ note: { id: Generated<number>; text: string } }>()
  const insert = (...values: { id?: number; text: string }[]) => notes.insertInto('note').values(values)
  t.strictSame(await insert({ text: 'a' }).returning('id').execute(), [{ id: 1 }])
  const known = insert({ id: 1, text: 'b' })
  const ignored = known.onConflict((conflict) => conflict.doNothing())
  t.strictSame(await ignored.returning('id').execute(), [])
  await insert({ text: 'c' }).execute()
  const changed = known.onConflict((conflict) => conflict.column('id').doUpdateSet({ text: 'd' }))
  t.strictSame(await changed.returning('id').execute(), [{ id: 1 }])
  t.strictSame(await insert({ text: 'e' }, { text: 'f' }).returning('id').execute(), [{ id: 3 }, { id: 4 }])
  t.strictSame(await insert({ text: 'g' }).returning('text').execute(), [{ text: 'g' }])
  const returning = statements.map((statement) => statement.includes(' returning '))
  t.strictSame(returning, [false, false, true, true, true])
})

t.test('a prepared statement is reused until a thousand others have been prepared', async (t) => {
  const { database, connection } = openConnection(t)
  const statements = notePrepared(database)
  const run = (from: number, to: number) => {
    for (let n = from; n <= to; n++) t.strictSame(connection.execute(query(`SELECT ${n} AS "n"`)), { rows: [{ n }] })
  }
  run(1, 1000)
  run(1, 1000)
  t.equal(statements.length, 1000)
  run(1001, 1001)
  run(1001, 1001)
  t.equal(statements.length, 1001)
  run(1, 1)
  t.strictSame(statements.slice(1000), ['SELECT 1001 AS "n"', 'SELECT 1 AS "n"'])
})

t.test('queries of one turn share a snapshot, even after a transaction', async (t) => {
  const { database, connection } = openConnection(t, { sharesSnapshots: true })
  connection.execute(query('SELECT 1 AS "n"'))
  t.equal(database.inTransaction, true)
  connection.begin()
  t.strictSame(connection.execute(query('SELECT 2 AS "n"')), { rows: [{ n: 2 }] })
  connection.end('COMMIT')
  t.equal(database.inTransaction, false)
  connection.execute(query('SELECT 3 AS "n"'))
  t.equal(database.inTransaction, true)
  await nextTurn()
  t.equal(database.inTransaction, false)
})

t.test('a transaction that cannot begin or end fails with a store error, and snapshots still work', async (t) => {
  const { database, connection } = openConnection(t, { sharesSnapshots: true })
  const exec = database.exec.bind(database)
  const failing = new Set(['BEGIN', 'COMMIT'])
  database.exec = (statement) => {
    if (failing.delete(statement)) throw new Database.SqliteError('malformed', 'SQLITE_CORRUPT')
    return exec(statement)
  }
  const refusal = { name: 'StoreUnavailable', message: 'SQLITE_CORRUPT: malformed' }
  t.throws(() => connection.begin(), refusal)
  connection.execute(query('SELECT 1 AS "n"'))
  t.equal(database.inTransaction, true)
  connection.begin()
  t.throws(() => connection.end('COMMIT'), refusal)
  connection.end('ROLLBACK')
  t.equal(database.inTransaction, false)
  connection.execute(query('SELECT 1 AS "n"'))
  t.equal(database.inTransaction, true)
})

t.test('a connection without snapshots leaves no transaction open', async (t) => {
  const { database, connection } = openConnection(t)
  connection.execute(query('SELECT 1 AS "n"'))
  connection.rowsOf(query('SELECT 1 AS "n"'), 'key')
  t.equal(database.inTransaction, false)
})

t.test('only rows with a key are cached', async (t) => {
  const { connection } = openConnection(t, { sharesSnapshots: true })
  const count = (n: number, key?: string) => connection.rowsOf(query('SELECT ? AS "n"', n), key)
  t.strictSame(count(1), [{ n: 1 }])
  t.strictSame(count(2), [{ n: 2 }])
  const remembered = count(3, 'key')
  t.equal(count(3, 'key'), remembered)
  t.strictSame(count(4, 'other'), [{ n: 4 }])
})

t.test('a snapshot that cannot begin fails with a store error', async (t) => {
  const { database, connection } = openConnection(t, { sharesSnapshots: true })
  const refusal = { name: 'StoreUnavailable', message: 'SQLITE_CORRUPT: malformed' }
  const remembered = () => connection.rowsOf(query('SELECT 1 AS "n"'), 'key')
  failNext(database, 'BEGIN')
  t.throws(remembered, refusal)
  failNext(database, 'PRAGMA data_version')
  t.throws(remembered, refusal)
  t.equal(database.inTransaction, false)
  failNext(database, 'PRAGMA data_version', () => database.exec('ROLLBACK'))
  t.throws(remembered, refusal, 'the engine has rolled the transaction back itself')
  t.strictSame(remembered(), [{ n: 1 }])
})

t.test('a snapshot that cannot end, as after reading damaged pages, does no other harm', async (t) => {
  const { database, connection } = openConnection(t, { sharesSnapshots: true })
  const one = () => connection.execute(query('SELECT 1 AS "n"')).rows
  let attempts = 0
  const failCommit = () => failNext(database, 'COMMIT', () => attempts++)
  t.same(one(), [{ n: 1 }])
  t.equal(database.inTransaction, true)
  failCommit()
  connection.endSnapshot()
  t.same([attempts, database.inTransaction], [1, false])
  t.same(one(), [{ n: 1 }], 'the next snapshot begins')
  failCommit()
  await nextTurn()
  t.same([attempts, database.inTransaction], [2, false], 'the end of the turn copes with the failure too')
})

t.test('a snapshot rolled back by the engine has ended', async (t) => {
  const { database, connection } = openConnection(t, { sharesSnapshots: true })
  connection.execute(query('SELECT 1 AS "n"'))
  failNext(database, 'COMMIT', () => database.exec('ROLLBACK'))
  connection.endSnapshot()
  t.equal(database.inTransaction, false)
  t.strictSame(connection.execute(query('SELECT 2 AS "n"')), { rows: [{ n: 2 }] })
})

t.test('streaming queries is not supported', async (t) => {
  const { handle } = openConnection(t)
  await t.rejects(handle.selectFrom('user').selectAll().stream().next(), {
    message: 'streaming queries is not supported'
  })
})

t.test('a handle lists the tables of its database', async (t) => {
  const { handle } = openConnection(t)
  const tables = await handle.introspection.getTables()
  const names = tables.map(({ name }) => name)
  t.strictSame(names, ['note'])
})

t.test('a transaction that fails is rolled back', async (t) => {
  const { database, handle } = openConnection(t)
  const failing = handle.transaction().execute(async (trx) => {
    await sql`INSERT INTO "note" ("text") VALUES ('a')`.execute(trx)
    throw new Error('changed my mind')
  })
  await t.rejects(failing, { message: 'changed my mind' })
  t.equal(database.inTransaction, false)
  t.strictSame((await sql`SELECT * FROM "note"`.execute(handle)).rows, [])
})

t.test('a database that cannot be opened fails with a store error', async (t) => {
  const driver = new SqliteDriver(() => {
    throw new Database.SqliteError('unable to open', 'SQLITE_CANTOPEN')
  }, 1)
  const refusal = { name: 'StoreBroken', message: 'SQLITE_CANTOPEN: unable to open' }
  await t.rejects(driver.acquireConnection(), refusal)
  t.throws(() => driver.rowsOf(query('SELECT 1 AS "n"')), refusal)
})

t.test('an immediate query runs only if a connection is free', async (t) => {
  const { driver } = openConnection(t)
  const one = () => driver.rowsOf(query('SELECT 1 AS "n"'))
  t.strictSame(one(), [{ n: 1 }])
  const connection = await driver.acquireConnection()
  t.equal(one(), undefined)
  await driver.releaseConnection(connection)
  t.strictSame(one(), [{ n: 1 }])
})

t.test('SQLite does not replan a query for its parameter values', async (t) => {
  const { database, handle } = openConnection(t)
  const { sql: text } = handle.selectFrom('user').select('id').where('login', '=', 'ada').limit(5).compile()
  t.equal(text, 'select "id" from "user" where "login" = +? limit +?')
  for (const value of ['1', 1, 1.5, null, Buffer.from('1')]) {
    t.strictSame(database.prepare('SELECT +? AS "value", typeof(+?) AS "type"').get(value, value), {
      value,
      type: database.prepare('SELECT typeof(?)').pluck().get(value)
    })
  }
})

t.test('a driver closes its connections when it is destroyed', async (t) => {
  const { database, driver } = openConnection(t)
  t.strictSame(driver.rowsOf(query('SELECT 1 AS "n"')), [{ n: 1 }])
  await driver.destroy()
  t.equal(database.open, false)
  t.throws(() => driver.rowsOf(query('SELECT 1 AS "n"')), { name: 'StoreUnavailable' })
})
