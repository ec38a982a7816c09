import { join } from 'node:path'
import Database from 'better-sqlite3'
import { sql } from 'kysely'
import t, { type Test } from 'tap'
import { notify } from '../../db/engine/notify.ts'
import { begin, type CommitLimits, CommitQueue } from '../../db/engine/sqlite/commits.ts'
import { SqliteDriver, sqliteHandle } from '../../db/engine/sqlite/dialect.ts'
import { SqliteFiles } from '../../db/engine/sqlite/files.ts'
import { StoreBroken, type Trx } from '../../db/store.ts'

// The queue of transactions, with a clock that the tests control to set the duration of commits.

const LIMITS: CommitLimits = { queueLimit: 100, groupSize: 100, lockTimeout: 1000 }
/** The duration of each commit, in milliseconds. */
const COMMIT = 100

/** Stops the clock of the process until the test ends. */
function stopClock(t: Test) {
  const clock = { now: 1000 }
  t.intercept(performance, 'now', { value: () => clock.now })
  return clock
}

/** Records the warnings of the process until the test ends. */
function noteWarnings(t: Test) {
  const warnings: unknown[] = []
  t.intercept(process, 'emitWarning', { value: (warning: unknown) => warnings.push(warning) })
  return warnings
}

/** Creates a queue for a new file with the table `note`. */
function openQueue(t: Test, limits: Partial<CommitLimits> = {}) {
  const file = join(t.testdir({}), 'queue.db')
  const connection = new Database(file)
  t.teardown(() => connection.close())
  connection.pragma('journal_mode = WAL')
  connection.pragma('busy_timeout = 0')
  connection.exec('CREATE TABLE "note" ("text" TEXT NOT NULL UNIQUE) STRICT')
  const clock = stopClock(t)
  // The files are checked during the measured commit.
  class SlowFiles extends SqliteFiles {
    override fault() {
      clock.now += COMMIT
      return super.fault()
    }
  }
  const db = sqliteHandle(new SqliteDriver(() => connection, 1))
  const commits: [transactions: number, milliseconds: number][] = []
  const broken: StoreBroken[] = []
  const queue = new CommitQueue(
    connection,
    db,
    new SlowFiles(file),
    { ...LIMITS, ...limits },
    {
      beforeCommit() {},
      onCommit: (...commit) => commits.push(commit),
      onBroken: (error) => broken.push(error)
    }
  )
  const put = (text: string) => (trx: Trx) => sql`INSERT INTO "note" ("text") VALUES (${text})`.execute(trx)
  return { queue, connection, file, clock, commits, broken, put }
}

type Fixture = ReturnType<typeof openQueue>

/**
 * Adds two transactions right after a commit that took COMMIT, and the given number of `arrivals` in each later turn. A turn
 * takes `duration` milliseconds. Returns the turns in which the transactions ran, in order.
 */
async function turnsOf({ queue, clock, commits }: Fixture, arrivals: readonly number[], duration: number) {
  await queue.add(async () => {})
  commits.length = 0
  const ran: number[] = []
  let turn = 0
  const added: Promise<void>[] = []
  const add = (count: number) => {
    for (let index = 0; index < count; index++) added.push(queue.add(async () => void ran.push(turn)))
  }
  add(2)
  for (; turn < arrivals.length || queue.waiting > 0; turn++) {
    await new Promise((resolve) => setImmediate(resolve))
    clock.now += duration
    add(arrivals[turn] ?? 0)
  }
  await Promise.all(added)
  return ran
}

t.test('a commit is reported with its number of transactions and its duration', async (t) => {
  const { queue, commits, broken, put } = openQueue(t)
  await Promise.all([queue.add(put('a')), queue.add(put('b'))])
  await queue.add(put('c'))
  t.strictSame(commits, [
    [2, COMMIT],
    [1, COMMIT]
  ])
  t.strictSame(broken, [])
})

t.test('transactions that arrive in the same turn of the event loop join its group', async (t) => {
  const { queue, commits, put } = openQueue(t)
  const first = queue.add(put('a'))
  for (let step = 0; step < 50; step++) await undefined
  await Promise.all([first, queue.add(put('b'))])
  t.strictSame(commits, [[2, COMMIT]])
})

t.test('deferred tasks run at the end of their group, except those of failed transactions', async (t) => {
  const { queue, connection, put } = openQueue(t)
  const deferring = (text: string, error?: Error) =>
    queue.add(async (trx) => {
      await trx.defer(() => put(`${text}, deferred`)(trx))
      await put(text)(trx)
      if (error) throw error
    })
  const failure = new Error('failed')
  const settled = await Promise.allSettled([deferring('a'), deferring('b', failure), deferring('c')])
  t.strictSame(
    settled.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled']
  )
  await deferring('d')
  t.strictSame(connection.prepare('SELECT "text" FROM "note" ORDER BY "rowid"').pluck().all(), [
    'a',
    'c',
    'a, deferred',
    'c, deferred',
    'd',
    'd, deferred'
  ])
})

t.test('a deferred task that fails undoes its whole group', async (t) => {
  const { queue, connection, put } = openQueue(t)
  const failure = new Error('failed')
  const failing = queue.add(async (trx) => {
    await put('a')(trx)
    await trx.defer(() => Promise.reject(failure))
  })
  t.strictSame(await Promise.allSettled([failing, queue.add(put('b'))]), [
    { status: 'rejected', reason: failure },
    { status: 'rejected', reason: failure }
  ])
  await queue.add(put('c'))
  t.strictSame(connection.prepare('SELECT "text" FROM "note"').pluck().all(), ['c'])
})

t.test('a single transaction commits without waiting for others', async (t) => {
  const { queue, clock } = openQueue(t)
  await queue.add(async () => {})
  let turn = 0
  const done = queue.add(async () => turn)
  for (; queue.waiting > 0; turn++) {
    await new Promise((resolve) => setImmediate(resolve))
    clock.now++
  }
  t.equal(await done, 0)
})

for (const [name, limits, arrivals, duration, turns, groups] of [
  ['a group of several waits while each turn adds some', {}, [1, 2, 1, 0, 1], 1, [4, 4, 4, 4, 4, 4, 5], [6, 1]],
  ['a group waits no longer than the last commit took', {}, [1, 1, 1], COMMIT / 2, [2, 2, 2, 2, 3], [4, 1]],
  ['a full group does not wait', { groupSize: 3 }, [1, 1], 1, [1, 1, 1, 2], [3, 1]]
] as const) {
  t.test(name, async (t) => {
    const fixture = openQueue(t, limits)
    t.strictSame(await turnsOf(fixture, arrivals, duration), turns)
    t.strictSame(
      fixture.commits,
      groups.map((transactions) => [transactions, COMMIT])
    )
  })
}

t.test('the number of waiting transactions excludes running ones', async (t) => {
  const { queue } = openQueue(t, { groupSize: 1 })
  t.equal(queue.waiting, 0)
  const held = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  const first = queue.add(async () => {
    begun.resolve()
    await held.promise
  })
  const others = [queue.add(async () => {}), queue.add(async () => {})]
  t.equal(queue.waiting, 3)
  await begun.promise
  t.equal(queue.waiting, 2)
  held.resolve()
  await Promise.all([first, ...others])
  t.equal(queue.waiting, 0)
})

t.test('only a transaction that finds the store broken reports it as broken', async (t) => {
  const { queue, broken, put } = openQueue(t)
  await queue.add(put('a'))
  await t.rejects(queue.add(put('a')), { code: 'SQLITE_CONSTRAINT_UNIQUE' })
  t.strictSame(broken, [])
  const error = new StoreBroken('the disk is full')
  const failing = queue.add(async () => Promise.reject(error))
  await t.rejects(failing, error)
  t.strictSame(broken, [error])
})

t.test('a full disk is reported as broken, and a lock is not', async (t) => {
  const { queue, connection, file, broken, clock, put } = openQueue(t)
  const other = new Database(file)
  t.teardown(() => other.close())
  other.exec('BEGIN IMMEDIATE')
  const locked = queue.add(put('a'))
  const refused = t.rejects(locked, { name: 'StoreUnavailable', message: 'SQLITE_BUSY: database is locked' })
  await new Promise((resolve) => setImmediate(resolve))
  clock.now += LIMITS.lockTimeout + 1
  await refused
  t.strictSame(broken, [])
  other.exec('ROLLBACK')
  connection.pragma(`max_page_count = ${connection.pragma('page_count', { simple: true })}`)
  const outcomes = await Promise.allSettled([queue.add(put('x'.repeat(10_000))), queue.add(put('b'))])
  const [full, after] = outcomes.map((outcome) => outcome.status === 'rejected' && outcome.reason)
  t.ok(full instanceof StoreBroken)
  t.strictSame(broken, [full])
  t.equal(after, false, 'queued transactions are tried')
})

t.test('a listener that throws causes a warning', async (t) => {
  const warnings = noteWarnings(t)
  let calls = 0
  notify(() => calls++)
  t.equal(calls, 1)
  t.strictSame(warnings, [])
  const error = new Error('not told')
  notify(() => {
    throw error
  })
  notify(() => {
    throw 42
  })
  t.strictSame(warnings, [error, '42'])
})

/** Opens a connection on which the first transactions fail to begin, with these error codes in order. */
function failing(t: Test, ...codes: string[]) {
  const connection = new Database(':memory:')
  t.teardown(() => connection.close())
  const exec = connection.exec.bind(connection)
  const attempts = { count: 0 }
  connection.exec = (statement) => {
    const code = codes[attempts.count++]
    if (code !== undefined) throw new Database.SqliteError('cannot begin', code)
    return exec(statement)
  }
  return { connection, attempts }
}

t.test('a transaction waits for any kind of lock until its timeout', async (t) => {
  const clock = stopClock(t)
  const { connection, attempts } = failing(t, 'SQLITE_BUSY', 'SQLITE_BUSY_RECOVERY', 'SQLITE_BUSY_SNAPSHOT')
  await begin(connection, 0)
  t.strictSame([attempts.count, connection.inTransaction], [4, true])
  const late = failing(t, 'SQLITE_BUSY', 'SQLITE_BUSY')
  const begun = begin(late.connection, 10)
  clock.now += 11
  await t.rejects(begun, { code: 'SQLITE_BUSY' })
  t.equal(late.attempts.count, 2)
})

t.test('a transaction that fails for another reason does not wait', async (t) => {
  const { connection, attempts } = failing(t, 'SQLITE_IOERR')
  await t.rejects(begin(connection, 1000), { code: 'SQLITE_IOERR' })
  t.equal(attempts.count, 1)
})
