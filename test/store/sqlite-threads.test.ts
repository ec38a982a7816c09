import { once } from 'node:events'
import { join } from 'node:path'
import type { Worker } from 'node:worker_threads'
import { sql } from 'kysely'
import t, { type Test } from 'tap'
import { nextEvents } from '../../db/audit/unsealed.ts'
import { openSqlite } from '../../db/engine/sqlite/store.ts'
import type { Db } from '../../db/store.ts'
import { startThread } from '../../src/system/assets.ts'
import { runAs } from '../support/holders.ts'

// The threads that run `scan` queries.

/** Opens a store, and records its threads. */
async function open(t: Test, onStart: (thread: Worker) => void = () => {}) {
  const threads: Worker[] = []
  const store = await openSqlite(join(t.testdir({}), 'graphstead.db'), (...of) => {
    const thread = startThread(...of)
    threads.push(thread)
    onStart(thread)
    return thread
  })
  t.teardown(() => store.close())
  return { store, threads }
}

const one = async (db: Db) => (await sql`SELECT 1 AS "n"`.execute(db)).rows
const long = (db: Db) =>
  sql`WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c LIMIT 1000000) SELECT max(n) FROM c`.execute(db)

t.test('only a busy thread keeps the process alive', async (t) => {
  const calls: string[] = []
  const { store } = await open(t, (thread) => {
    for (const name of ['ref', 'unref'] as const) t.intercept(thread, name, { value: () => calls.push(name) })
  })
  t.strictSame(await one(store.scan), [{ n: 1 }])
  t.strictSame(calls, ['unref', 'ref', 'unref'])
  await t.rejects(sql`SELECT`.execute(store.scan))
  t.strictSame(calls, ['unref', 'ref', 'unref', 'ref', 'unref'])
})

t.test('the search for late events needs no thread if there are few runs', async (t) => {
  const { store, threads } = await open(t)
  t.strictSame(await nextEvents(store, { all: true }), { rows: [], isMore: false })
  t.equal(threads.length, 0)

  const run = (firstIndex: number) => ({ firstIndex, firstId: firstIndex + 1, count: 1 })
  await store.write(async (trx) => {
    for (let index = 0; index <= 1000; index++) await trx.insertInto('auditRun').values(run(index)).execute()
  })
  t.strictSame(await nextEvents(store, { all: true }), { rows: [], isMore: false })
  t.equal(threads.length, 1)
})

t.test('a thread that fails rejects its query and is replaced', async (t) => {
  const { store, threads } = await open(t)
  t.strictSame(await one(store.scan), [{ n: 1 }])
  const cause = new Error('out of memory')
  const refused = t.rejects(long(store.scan), { name: 'StoreUnavailable', message: 'a reader thread failed', cause })
  await new Promise((resolve) => setImmediate(resolve))
  threads[0]?.emit('error', cause)
  await refused
  t.strictSame(await one(store.scan), [{ n: 1 }])
  t.equal(threads.length, 2)
  await threads[0]?.terminate()
  t.strictSame(await one(store.scan), [{ n: 1 }])
  t.equal(threads.length, 2, 'the exit of a failed thread is handled only once')
  await threads[1]?.terminate()
  t.strictSame(await one(store.scan), [{ n: 1 }])
  t.equal(threads.length, 3, 'an idle thread that exits is replaced too')
})

t.test('a thread that exits early rejects its query', async (t) => {
  const { store, threads } = await open(t)
  const query = store.scan.connection().execute(async (db) => {
    await threads[0]?.terminate()
    return one(db)
  })
  await t.rejects(query, { name: 'StoreUnavailable', message: 'the store is closed' })
  t.strictSame(await one(store.scan), [{ n: 1 }])
  t.equal(threads.length, 2)
})

t.test('a result that nobody waits for is ignored', async (t) => {
  const { store, threads } = await open(t)
  await store.scan.connection().execute(async (db) => {
    threads[0]?.emit('message', { rows: [{ n: 2 }] })
    t.strictSame(await one(db), [{ n: 1 }])
  })
})

t.test('a reader thread runs one query at a time', async (t) => {
  const { store } = await open(t)
  await t.rejects(store.scan.transaction().execute(one), { message: 'a reader thread runs one query at a time' })
  await t.rejects(store.scan.selectFrom('user').selectAll().stream().next(), {
    message: 'streaming queries is not supported'
  })
  t.strictSame(await one(store.scan), [{ n: 1 }])
})

t.test('closing a store terminates its threads', async (t) => {
  const { store, threads } = await open(t)
  const both = ['ada', 'bob'].map((user) => runAs(user, () => one(store.scan)))
  t.strictSame(await Promise.all(both), [[{ n: 1 }], [{ n: 1 }]])
  const ended = Promise.all(threads.map((thread) => once(thread, 'exit')))
  await store.close()
  t.strictSame(await ended, [[1], [1]])
})
