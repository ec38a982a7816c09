import { copyFileSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { sql } from 'kysely'
import t, { type Test } from 'tap'
import { APPLICATION_ID, inspect } from '../../db/engine/sqlite/schema.ts'
import { openSqlite, type SqliteOptions } from '../../db/engine/sqlite/store.ts'
import { type Db, StoreBroken, StoreUnavailable } from '../../db/store.ts'
import { startThread } from '../../src/system/assets.ts'

async function open(t: Test, options: SqliteOptions = {}) {
  const file = join(t.testdir({}), 'graphstead.db')
  const store = await openSqlite(file, startThread, options)
  t.teardown(() => store.close())
  await store.write((trx) =>
    sql`CREATE TABLE "note" ("id" INTEGER PRIMARY KEY, "text" TEXT NOT NULL UNIQUE) STRICT`.execute(trx)
  )
  return { store, file }
}

const put = (db: Db, text: string) => sql`INSERT INTO "note" ("text") VALUES (${text})`.execute(db)
const notes = async (db: Db) =>
  (await sql<{ text: string }>`SELECT "text" FROM "note" ORDER BY "id"`.execute(db)).rows.map(({ text }) => text)

t.test('transactions in one turn share a commit, and only a failing one is rolled back', async (t) => {
  const { store, file } = await open(t)
  const spy = new Database(file)
  const version = () => spy.pragma('data_version', { simple: true }) as number
  const before = version()
  const outcomes = await Promise.allSettled([
    store.write((trx) => put(trx, 'a')),
    store.write(async (trx) => {
      await put(trx, 'doomed')
      await put(trx, 'a')
    }),
    store.write((trx) => put(trx, 'b')),
    store.write(async () => {
      throw new Error('no')
    }),
    store.write(async (trx) => {
      t.same(await notes(trx), ['a', 'b'], 'a transaction sees the changes of earlier ones')
      await put(trx, 'c')
    })
  ])
  const statuses = outcomes.map(({ status }) => status)
  t.same(statuses, ['fulfilled', 'rejected', 'fulfilled', 'rejected', 'fulfilled'])
  t.same(await notes(store.read), ['a', 'b', 'c'])
  t.not(version(), before)
  const seen = version()
  await Promise.all(['d', 'e', 'f', 'g'].map((text) => store.write((trx) => put(trx, text))))
  t.equal(version() - seen, 1, 'four transactions share one commit')
  spy.close()
})

t.test('a transaction that fails after another settles only after their commit', async (t) => {
  const { store } = await open(t)
  const order: string[] = []
  await Promise.allSettled([
    store.write(async () => Promise.reject(new Error('early'))).catch(() => order.push('failed')),
    store.write((trx) => put(trx, 'x')).then(() => order.push('committed'))
  ])
  t.same(order, ['failed', 'committed'])
  t.same(await notes(store.read), ['x'])
})

t.test("transactions beyond the queue's limit are refused without a trace", async (t) => {
  const { store } = await open(t, { queueLimit: 5 })
  const outcomes = await Promise.allSettled(
    ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((text) => store.write((trx) => put(trx, text)))
  )
  const isDone = outcomes.map(({ status }) => status === 'fulfilled')
  t.same(isDone, [true, true, true, true, true, false, false])
  for (const outcome of outcomes.slice(5)) {
    t.match(outcome, { reason: { name: 'StoreBusy', message: '5 writes are waiting for the disk' } })
  }
  t.same(await notes(store.read), ['a', 'b', 'c', 'd', 'e'])
})

t.test("reads in one turn share a snapshot, but see this process's commits", async (t) => {
  const { store, file } = await open(t)
  const other = new Database(file)
  t.same(await notes(store.read), [])
  other.exec(`INSERT INTO "note" ("text") VALUES ('theirs')`)
  t.same(await notes(store.read), [], 'the turn is not over')
  await new Promise((resolve) => setImmediate(resolve))
  t.same(await notes(store.read), ['theirs'])
  const committed = store.write((trx) => put(trx, 'ours'))
  t.same(await notes(store.read), ['theirs'])
  await committed
  t.same(await notes(store.read), ['theirs', 'ours'], 'a read after the acknowledged commit sees it')
  other.close()
})

t.test('slow queries do not block the event loop', async (t) => {
  const { store } = await open(t)
  const endless = (steps: number) =>
    sql<{
      n: number
    }>`WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c LIMIT ${steps}) SELECT max(n) AS n FROM c`
  await endless(1).execute(store.scan)
  let turns = 0
  const timer = setInterval(() => turns++, 2)
  const { rows } = await endless(2_000_000).execute(store.scan)
  clearInterval(timer)
  t.same(rows, [{ n: 2_000_000 }])
  t.ok(turns > 10, `${turns} turns`)
  await t.rejects(sql`SELECT * FROM "nothing"`.execute(store.scan), /SQLITE_ERROR: no such table/)
  await t.rejects(put(store.scan, 'x'), 'scans cannot write')
  t.same((await endless(3).execute(store.scan)).rows, [{ n: 3 }], 'an error does not end the thread')

  const many = await Promise.allSettled(Array.from({ length: 120 }, () => endless(1000).execute(store.scan)))
  const refused = many.filter((outcome) => outcome.status === 'rejected')
  t.equal(refused.length, 19, 'one requester has one query running and a hundred waiting')
  t.ok(refused.every(({ reason }) => reason.code === 'server-busy'))

  const cut = endless(10_000_000).execute(store.scan)
  setTimeout(() => store.close(), 20)
  await t.rejects(cut, StoreUnavailable)
  await t.rejects(endless(1).execute(store.scan), StoreUnavailable)
})

t.test('reads continue during a transaction, and see only committed data', async (t) => {
  const { store } = await open(t)
  const atWork = Promise.withResolvers<void>()
  const held = Promise.withResolvers<void>()
  const writing = store.write(async (trx) => {
    await put(trx, 'a')
    atWork.resolve()
    await held.promise
  })
  await atWork.promise
  t.same(await notes(store.read), [])
  held.resolve()
  await writing
  t.same(await notes(store.read), ['a'])
})

t.test('reads beyond the number of connections wait for a free one', async (t) => {
  const { store } = await open(t)
  const counts = Array.from({ length: 20 }, () =>
    store.read.transaction().execute(async (snapshot) => {
      await sleep(1)
      return (await notes(snapshot)).length
    })
  )
  t.same(new Set(await Promise.all(counts)), new Set([0]))
})

t.test('reading connections cannot write', async (t) => {
  const { store } = await open(t)
  await t.rejects(put(store.read, 'x'), StoreBroken)
})

t.test('opening a store sets the pragmas that are not stored in the file', async (t) => {
  const { store, file } = await open(t)
  const pragma = async (db: Db, name: string) =>
    Object.values((await sql.raw<Record<string, unknown>>(`PRAGMA ${name}`).execute(db)).rows[0] ?? {})[0]
  const again = await openSqlite(file, startThread)
  t.teardown(() => again.close())
  for (const opened of [store, again]) {
    await opened.write(async (trx) => {
      t.equal(await pragma(trx, 'synchronous'), 2, 'FULL')
      t.equal(await pragma(trx, 'journal_mode'), 'wal')
      t.equal(await pragma(trx, 'foreign_keys'), 1)
      t.equal(await pragma(trx, 'recursive_triggers'), 1)
      t.equal(await pragma(trx, 'trusted_schema'), 0)
    })
  }
  const tables = await sql<{ name: string; strict: number }>`PRAGMA table_list`.execute(store.read)
  const own = tables.rows.filter(({ name }) => ['user', 'graph', 'content', 'auditEvent'].includes(name))
  t.equal(own.length, 4)
  t.ok(own.every(({ strict }) => strict === 1))
})

t.test("a file that another process is creating is not mistaken for another program's database", async (t) => {
  const file = join(t.testdir({}), 'graphstead.db')
  const other = new Database(file)
  other.pragma('journal_mode = WAL')
  const create = `BEGIN; CREATE TABLE "graph" ("id"); PRAGMA application_id = ${APPLICATION_ID}; COMMIT`
  // Runs just before the statement that counts the tables.
  const verbose = (statement?: unknown) => void (String(statement).includes('sqlite_schema') && other.exec(create))
  const connection = new Database(file, { verbose })
  t.equal(inspect(connection, file), true)
  t.equal(other.pragma('application_id', { simple: true }), APPLICATION_ID, 'the database was created in the meantime')
  connection.close()
  other.close()
})

t.test("a transaction waits for another process's lock without blocking the event loop", async (t) => {
  const { store, file } = await open(t)
  const other = new Database(file)
  other.exec('BEGIN IMMEDIATE')
  // A blocked event loop would never release the lock.
  let turns = 0
  const timer = setInterval(() => {
    if (++turns === 10) other.exec('COMMIT')
  }, 2)
  await store.write((trx) => put(trx, 'a'))
  clearInterval(timer)
  t.same(await notes(store.read), ['a'])
  other.close()
})

t.test('a full disk fails and rolls back the whole group', async (t) => {
  const { store } = await open(t)
  const filler = 'x'.repeat(200_000)
  await store.write(async (trx) => {
    const { rows } = await sql<{ page_count: number }>`PRAGMA page_count`.execute(trx)
    await sql.raw(`PRAGMA max_page_count = ${(rows[0]?.page_count ?? 0) + 5}`).execute(trx)
  })
  const outcomes = await Promise.allSettled([
    store.write((trx) => put(trx, 'small')),
    store.write((trx) => put(trx, filler)),
    store.write((trx) => put(trx, 'small too'))
  ])
  t.ok(outcomes.some((outcome) => outcome.status === 'rejected' && outcome.reason instanceof StoreUnavailable))
  const kept = outcomes.flatMap(({ status }, index) =>
    status === 'fulfilled' ? [['small', filler, 'small too'][index]] : []
  )
  t.same(await notes(store.read), kept, 'only the acknowledged rows are stored')
  await store.write((trx) => sql`PRAGMA max_page_count = 1000000`.execute(trx))
  await store.write((trx) => put(trx, filler))
  t.ok((await notes(store.read)).includes(filler), 'the store recovers when there is space')
})

t.test('a failed rollback fails its group, but not the next one', async (t) => {
  const { store } = await open(t)
  await store.write((trx) =>
    sql`CREATE TABLE "part" ("note" INTEGER REFERENCES "note" DEFERRABLE INITIALLY DEFERRED) STRICT`.execute(trx)
  )
  const { exec } = Database.prototype
  let failures = 0
  t.intercept(Database.prototype, 'exec', {
    value(this: Database.Database, statement: string) {
      if (statement === 'ROLLBACK' && failures++ === 0) throw new Error('no rollback')
      return exec.call(this, statement)
    }
  })
  const orphan = store.write((trx) => sql`INSERT INTO "part" VALUES (7)`.execute(trx))
  const beside = store.write((trx) => put(trx, 'a'))
  const refusal = { code: 'SQLITE_CONSTRAINT_FOREIGNKEY' }
  await Promise.all([t.rejects(orphan, refusal), t.rejects(beside, refusal)])
  await store.write((trx) => put(trx, 'b'))
  t.same(await notes(store.read), ['b'])
  t.equal(failures, 2, 'the next group retries the rollback')
})

t.test('closing commits queued transactions in order, and refuses later ones', async (t) => {
  const { store, file } = await open(t)
  const texts = Array.from({ length: 300 }, (_, index) => `n${index}`)
  const queued = texts.map((text) => store.write((trx) => put(trx, text)))
  await store.close()
  await Promise.all(queued)
  const late = store.write((trx) => put(trx, 'late'))
  await t.rejects(late, StoreUnavailable)
  await store.close()
  const again = await openSqlite(file, startThread)
  t.same(await notes(again.read), texts)
  await again.close()
})

t.test('closing succeeds while another process holds the lock', async (t) => {
  const { store, file } = await open(t)
  for (let index = 0; index < 300; index++) await store.write((trx) => put(trx, `n${index}`))
  t.equal((await notes(store.read)).length, 300)
  const other = new Database(file)
  other.exec('BEGIN IMMEDIATE')
  await store.close()
  other.exec('ROLLBACK')
  other.close()
  await t.rejects(notes(store.read), StoreUnavailable, 'the store is closed')
})

t.test('many processes that open a new file concurrently all start', async (t) => {
  const file = join(t.testdir({}), 'graphstead.db')
  const stores = await Promise.all(Array.from({ length: 5 }, () => openSqlite(file, startThread)))
  for (const [index, store] of stores.entries()) {
    await store.write((trx) =>
      trx
        .insertInto('content')
        .values({ hash: `${index}`, json: '{}', packed: null, size: 2 })
        .execute()
    )
  }
  t.equal((await stores[0]?.read.selectFrom('content').select('hash').execute())?.length, 5)
  for (const store of stores) await store.close()
})

t.test("another program's database is refused in one sentence, and left unchanged", async (t) => {
  const folder = t.testdir({
    'text.db': 'This is a text, and long enough not to be taken for an empty database file.\n'.repeat(20)
  })
  /** Creates or changes a database as another program would. */
  const other = (name: string, change: (db: Database.Database) => unknown) => {
    const db = new Database(join(folder, name))
    change(db)
    db.close()
  }
  other('foreign.db', (db) => db.exec('CREATE TABLE "note" ("text" TEXT)'))
  other('marked.db', (db) => db.pragma('application_id = 42'))
  const newer = join(folder, 'newer.db')
  await (await openSqlite(newer, startThread)).close()
  other('newer.db', (db) => db.pragma('user_version = 99'))
  const damaged = join(folder, 'damaged.db')
  copyFileSync(newer, damaged)
  const bytes = readFileSync(damaged)
  bytes.fill(0xff, 100, 4096)
  writeFileSync(damaged, bytes)

  const cases: [string, RegExp][] = [
    [join(folder, 'text.db'), /text\.db is not a database\. Graphstead has not changed it\.$/],
    [join(folder, 'foreign.db'), /foreign\.db belongs to another program/],
    [join(folder, 'marked.db'), /marked\.db belongs to another program/],
    [newer, /newer\.db was written by a newer version of Graphstead \(schema 99; this version supports up to \d+\)/],
    [damaged, /damaged\.db (is damaged|was written by a newer)/],
    [folder, /cannot be opened/],
    [join(folder, 'missing', 'x.db'), /cannot be opened/]
  ]
  for (const [file, message] of cases) {
    const before = statSync(file, { throwIfNoEntry: false })?.isFile() ? readFileSync(file) : undefined
    await t.rejects(openSqlite(file, startThread), { name: 'StoreRefused', message })
    if (before) t.same(readFileSync(file), before, `${file} is unchanged`)
  }
})
