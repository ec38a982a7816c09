import { sql } from 'kysely'
import pg from 'pg'
import t, { type Test } from 'tap'
import { openPostgres, type PostgresOptions } from '../../db/engine/postgres/store.ts'
import { type Db, StoreUnavailable, type Trx } from '../../db/store.ts'
import { only } from '../support/engine.ts'
import { triangle } from '../support/helper.ts'
import { startPostgres } from '../support/postgres-server.ts'
import { call, login, run, serveProgram } from '../support/program.ts'
import { until } from '../support/until.ts'

// A real standby that streams from a real primary.

const once = only('SQLite', 'it starts its own PostgreSQL servers')

/** Starts a primary with the schema and a table of notes, and its standby. */
async function startBoth(t: Test) {
  const primary = await startPostgres()
  t.teardown(() => primary.stop())
  await (await openPostgres(primary.url)).close()
  const standby = await primary.addStandby()
  t.teardown(() => standby.stop())
  return { primary, standby }
}

async function clientOf(t: Test, url: string) {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  t.teardown(() => client.end().catch(() => {}))
  return client
}

/** Opens a store with a replica, and collects what it tells about it. */
async function openWith(t: Test, url: string, replica: string, options: PostgresOptions = {}) {
  const store = await openPostgres(url, { ...options, replica })
  t.teardown(() => store.close())
  const told: string[] = []
  store.onReplica = (fault) => told.push(fault?.message ?? 'used again')
  return { store, told }
}

const isOnReplica = async (db: Db) =>
  (await sql<{ is: boolean }>`SELECT pg_is_in_recovery() AS "is"`.execute(db)).rows[0]?.is
const put = (trx: Trx, text: string) => sql`INSERT INTO "note" VALUES (${text})`.execute(trx)
const notes = async (db: Db) =>
  (
    await sql<{
      count: number
      is: boolean
    }>`SELECT count(*) AS "count", pg_is_in_recovery() AS "is" FROM "note"`.execute(db)
  ).rows[0]

t.test('reports run on a replica that has everything committed before', once, async (t) => {
  const { primary, standby } = await startBoth(t)
  const [owner, follower] = [await clientOf(t, primary.url), await clientOf(t, standby.url)]
  await owner.query('CREATE TABLE "note" ("text" TEXT)')
  await owner.query(
    `CREATE ROLE plain LOGIN PASSWORD 'plain'; GRANT SELECT, INSERT ON ALL TABLES IN SCHEMA public TO plain`
  )
  const asPlain = (url: string) => Object.assign(new URL(url), { username: 'plain', password: 'plain' }).href
  const { store, told } = await openWith(t, asPlain(primary.url), asPlain(standby.url))

  await t.test('a role without further privileges sees each change at once', async (t) => {
    t.same(
      [await isOnReplica(store.report), await isOnReplica(store.scan), await isOnReplica(store.read)],
      [true, false, false]
    )
    for (let count = 1; count <= 50; count++) {
      await store.write((trx) => put(trx, `${count}`))
      t.same(await notes(store.report), { count, is: true })
    }
    t.same([store.usesReplica, told], [true, []])
  })

  await t.test('a query that the replica cancels runs on the primary', async (t) => {
    await follower.query(`ALTER SYSTEM SET max_standby_streaming_delay = 0`)
    await follower.query('SELECT pg_reload_conf()')
    const query = sql<{ count: number; is: boolean }>`
      SELECT count(*) AS "count", pg_is_in_recovery() AS "is", pg_sleep(2) IS NULL FROM "note"`.execute(store.report)
    const runs = async () =>
      (await follower.query(`SELECT 1 FROM pg_stat_activity WHERE wait_event = 'PgSleep'`)).rows.length > 0
    t.ok(await until(runs))
    await owner.query(`DELETE FROM "note" WHERE "text" <> '1'`)
    await owner.query('VACUUM "note"')
    t.match((await query).rows, [{ count: 1, is: false }])
    const wasCancelled = `SELECT 1 FROM pg_stat_database WHERE datname = current_database() AND conflicts > 0`
    t.ok(await until(async () => (await follower.query(wasCancelled)).rows.length > 0))
    t.same([await notes(store.report), told], [{ count: 1, is: true }, []], 'the replica remains in use')
  })

  await t.test('a query that takes too long fails without running on the primary', async (t) => {
    const { store, told } = await openWith(t, primary.url, standby.url, { statementTimeout: 500 })
    await t.rejects(sql`SELECT pg_sleep(10)`.execute(store.report), StoreUnavailable)
    await t.rejects(sql`SELECT pg_sleep(10), pg_is_in_recovery()`.execute(store.report), {
      cause: { code: '57014' }
    })
    t.same([store.usesReplica, told], [true, []])
  })

  await t.test('an error of the statement is that of the primary', async (t) => {
    await t.rejects(sql`SELECT * FROM "nothing"`.execute(store.report), /relation "nothing" does not exist/)
    await t.rejects(store.report.transaction().execute(isOnReplica), { message: 'a replica runs one query at a time' })
  })

  await t.test('while the replica is behind, the primary answers', async (t) => {
    const { store, told } = await openWith(t, primary.url, standby.url)
    await follower.query('SELECT pg_wal_replay_pause()')
    await store.write((trx) => put(trx, '2'))
    t.same(await notes(store.report), { count: 2, is: false })
    t.match(told, [/^it is \d+ bytes behind$/])
    t.equal(store.usesReplica, false)
    await follower.query('SELECT pg_wal_replay_resume()')
    t.same(await notes(store.report), { count: 2, is: false }, 'it is not tried at each query')
    t.ok(await until(async () => (await isOnReplica(store.report)) === true))
    t.match(told, [/bytes behind/, 'used again'])
  })

  await t.test('a database that is not replicated is not used', async (t) => {
    for (const [name, reason] of [
      ['template1', /^it is not a standby of this database/],
      ['missing', /is not connected/]
    ] as const) {
      const { store, told } = await openWith(
        t,
        primary.url,
        Object.assign(new URL(standby.url), { pathname: name }).href
      )
      t.equal(await isOnReplica(store.report), false)
      t.match(told, [reason])
    }
    const { store, told } = await openWith(t, primary.url, primary.url)
    t.equal(await isOnReplica(store.report), false)
    t.same(told, ['it is not a standby'])
  })

  await t.test('the server uses a standby until it is promoted, and serves without it', async (t) => {
    const data = t.testdir({})
    const env = { GRAPHSTEAD_DATABASE_URL: primary.url, GRAPHSTEAD_DATABASE_REPLICA: standby.url }
    const server = await serveProgram(t, data, ['--log-level', 'info'], env)
    const token = await login(server.url)
    const created = async () => {
      const { status } = await call(`${server.url}/api/graphs`, 'POST', triangle, token)
      const events = `${server.url}/management/audits?type=GRAPH_CREATED&sort=type`
      const { body } = await call(events, 'GET', undefined, token)
      return [status, body.length]
    }
    const used = async () => {
      const response = await fetch(`${server.url}/metrics`, { headers: { authorization: `Bearer ${token}` } })
      return /^graphstead_replica_used (\d)$/m.exec(await response.text())?.[1]
    }
    const said = () =>
      server
        .stdout()
        .split('\n')
        .filter((line) => line.includes('replica'))
        .map((line) => JSON.parse(line))
    const diagnosed = async () => {
      const { stdout } = await run(['doctor', '--data', data, '--port', '0'], env)
      return /^(\w+) +replica +postgres:\S+ (.*)$/m.exec(stdout)?.slice(1)
    }
    t.same([await created(), await created(), await used(), said()], [[201, 1], [201, 2], '1', []])
    t.same(await diagnosed(), ['good', 'is a standby of the database, and has every change'])

    await follower.query('SELECT pg_wal_replay_pause()')
    t.same(await created(), [201, 3])
    t.match(await diagnosed(), ['warning', /^is a standby of the database, \S+ \w+ behind;/])
    await follower.query('SELECT pg_wal_replay_resume()')
    await follower.query('SELECT pg_promote()')
    t.same([await created(), await used()], [[201, 4], '0'])
    t.match(said(), [
      { level: 40, msg: 'the replica cannot be used; the primary answers in its place', err: { message: /behind/ } }
    ])
    t.match(await diagnosed(), ['bad', /^The replica cannot be used: it is not a standby;/])

    await standby.stop()
    t.same(await created(), [201, 5])
    t.match(await diagnosed(), ['bad', /^The replica cannot be used: connect ECONNREFUSED/])
  })

  await t.test('a replica that was promoted or has stopped is not used', async (t) => {
    t.same([await notes(store.report), told], [{ count: 2, is: false }, ['the database is not connected']])
  })
})
