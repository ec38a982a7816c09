import { spawn, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import t, { type Test } from 'tap'
import { freePort } from '../../bench/ports.ts'
import { readLog } from '../../db/audit/log.ts'
import { countUnsealed } from '../../db/audit/unsealed.ts'
import { openPostgres } from '../../db/engine/postgres/store.ts'
import { expectOneLog } from '../audit/one-log.ts'
import { contradictions } from '../support/consistency.ts'
import { only } from '../support/engine.ts'
import { triangle } from '../support/helper.ts'
import { startPostgres } from '../support/postgres-server.ts'
import { call, login, runProgram, serveProgram } from '../support/program.ts'
import { until } from '../support/until.ts'

// PgBouncer in front of the database. .ci/all runs these tests with version 1.18, which loses prepared statements in transaction
// mode, and with a version that keeps them.

const PROGRAM = process.env.GRAPHSTEAD_TEST_PGBOUNCER || '/usr/sbin/pgbouncer'
const [, version] =
  /PgBouncer 1\.(\d+)/.exec(spawnSync(PROGRAM, ['--version'], { encoding: 'utf8' }).stdout ?? '') ?? []
const once = only('SQLite', 'it starts its own PostgreSQL server')
const poolers = { skip: once.skip || (version === undefined && `needs PgBouncer as ${PROGRAM}`) }
const isOld = Number(version) < 21
const recent = { skip: poolers.skip || (isOld && 'PgBouncer before 1.21 loses prepared statements') }

/** Starts PgBouncer in front of the database. Returns the settings of a server that uses it. */
async function startPooler(t: Test, database: string, mode: 'session' | 'transaction', size: number) {
  const folder = t.testdir({ data: {} })
  const port = await freePort()
  const file = join(folder, 'pgbouncer.ini')
  const settings = [
    '[databases]',
    `postgres = host=127.0.0.1 port=${new URL(database).port} user=postgres password=postgres`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = any',
    ...(!isOld ? ['max_prepared_statements = 200'] : []),
    `pool_mode = ${mode}`,
    `default_pool_size = ${size}`,
    'ignore_startup_parameters = statement_timeout, lock_timeout, idle_in_transaction_session_timeout'
  ]
  // PgBouncer does not run as root.
  if (process.getuid?.() === 0) settings.push('user = nobody')
  writeFileSync(file, settings.join('\n'))
  const child = spawn(PROGRAM, ['--quiet', file], { stdio: 'ignore' })
  t.teardown(() => child.kill())
  while (!(await listens(port))) await sleep(20)
  const data = join(folder, 'data')
  const env = { GRAPHSTEAD_DATABASE_URL: `postgres://postgres:postgres@127.0.0.1:${port}/postgres` }
  return { data, env }
}

function listens(port: number) {
  return new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => resolve(false))
    socket.on('connect', () => {
      socket.destroy()
      resolve(true)
    })
  })
}

t.test('PgBouncer is used if it keeps prepared statements and has enough connections', poolers, async (t) => {
  const postgres = await startPostgres()
  t.teardown(() => postgres.stop())

  for (const mode of !isOld ? (['session', 'transaction'] as const) : (['session'] as const)) {
    await t.test(`in ${mode} mode, the server works`, async (t) => {
      const { data, env } = await startPooler(t, postgres.url, mode, 12)
      const { url } = await serveProgram(t, data, ['--log-level', 'fatal'], env)
      const token = await login(url)
      const answers = await Promise.all(
        Array.from({ length: 50 }, () => call(`${url}/api/graphs`, 'POST', triangle, token))
      )
      t.same(new Set(answers.map(({ status }) => status)), new Set([201]))
    })
  }

  await t.test('a pool that is too small is refused', async (t) => {
    const { data, env } = await startPooler(t, postgres.url, 'session', 12)
    const options = ['--data', data, '--database-pool-size', '11']
    const reason = /The pooler in front of the database does not give this process 13 connections at once/
    const { code, stderr } = await runProgram(['serve', ...options], env)
    t.equal(code, 1)
    t.match(stderr, reason)
    const { code: found, stdout } = await runProgram(['doctor', ...options], env)
    t.equal(found, 1)
    t.match(stdout, reason)
  })

  await t.test('a database that does not wait for the disk is refused', async (t) => {
    const { data, env } = await startPooler(t, postgres.url, 'session', 12)
    const client = new pg.Client({ connectionString: postgres.url })
    await client.connect()
    t.teardown(() => client.end())
    await client.query('ALTER ROLE "postgres" SET synchronous_commit = off')
    const { code, stderr } = await runProgram(['serve', '--data', data], env)
    await client.query('ALTER ROLE "postgres" RESET synchronous_commit')
    t.equal(code, 1)
    t.match(stderr, /The database does not wait for the disk/)
  })

  const old = { skip: !isOld && 'PgBouncer 1.21 and later keep them' }
  await t.test('a pooler that loses prepared statements is refused', old, async (t) => {
    const { data, env } = await startPooler(t, postgres.url, 'transaction', 20)
    const { code, stderr } = await runProgram(['serve', '--data', data], env)
    t.equal(code, 1)
    t.match(stderr, /The pooler in front of the database loses prepared statements/)
  })
})

t.test('in transaction mode, two servers keep one log while kill -9 ends one of them', recent, async (t) => {
  const postgres = await startPostgres()
  t.teardown(() => postgres.stop())
  const { data, env } = await startPooler(t, postgres.url, 'transaction', 24)
  const start = () => serveProgram(t, data, ['--log-level', 'error', '--rate-user', '0'], env)
  const servers = [await start(), await start()]
  const token = await login(servers[0]?.url ?? '')
  const acknowledged: number[] = []
  const statuses = new Set<number>()
  let isRunning = true
  const write = async (client: number) => {
    for (let turn = client; isRunning; turn++) {
      const url = servers[turn % 2]?.url ?? ''
      // The server that was killed does not respond.
      const answer = await call(`${url}/api/graphs`, 'POST', triangle, token).catch(() => undefined)
      if (answer) statuses.add(answer.status)
      if (answer?.status === 201) acknowledged.push(answer.body.id)
    }
  }
  const writers = Array.from({ length: 16 }, (_, client) => write(client))
  for (let round = 0; round < 4; round++) {
    await sleep(1500)
    await servers[round % 2]?.stop('SIGKILL')
    servers[round % 2] = await start()
  }
  isRunning = false
  await Promise.all(writers)
  t.same([...statuses], [201])
  const store = await openPostgres(postgres.url)
  t.teardown(() => store.close())
  const stored = new Set((await store.read.selectFrom('graph').select('id').execute()).map(({ id }) => id))
  t.same(
    acknowledged.filter((id) => !stored.has(id)),
    [],
    `all ${acknowledged.length} acknowledged graphs are stored`
  )
  t.ok(await until(async () => (await countUnsealed(store.read)) === 0), 'all events are in the log')
  t.same(await contradictions(store), [])
  await expectOneLog(t, store, [(await readLog(store.read)).checkpoint])
})
