import { execFileSync } from 'node:child_process'
import { statSync, unlinkSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { openSqlite } from '../../db/engine/sqlite/store.ts'
import { checkFile } from '../../db/upkeep/backup.ts'
import { startThread } from '../../src/system/assets.ts'
import { only } from '../support/engine.ts'
import { build, problem, triangle } from '../support/helper.ts'
import { call, login, processesOf, serveProgram } from '../support/program.ts'
import { until } from '../support/until.ts'

// The server is not ready while it cannot write, and never loses acknowledged changes.

const sqlite = only('SQLite', 'it tests the file')

t.test('a server with a full disk is not ready until there is space again', sqlite, async (t) => {
  const data = t.testdir({})
  const server = await serveProgram(t, data)
  const token = await login(server.url)
  const graphs = `${server.url}/api/graphs`
  const ready = () => call(`${server.url}/readyz`)
  t.equal((await ready()).status, 200)
  t.equal((await call(graphs, 'POST', triangle, token)).status, 201)
  const { size } = statSync(join(data, 'graphstead.db-wal'))
  const limit = (bytes: number | string) => {
    for (const pid of processesOf(server)) execFileSync('prlimit', [`--pid=${pid}`, `--fsize=${bytes}:`])
  }
  limit(size)
  t.match(await call(graphs, 'POST', triangle, token), {
    status: 503,
    headers: { 'retry-after': /\d/ },
    body: { code: 'store-unavailable' }
  })
  t.equal((await call(`${graphs}/1`, 'DELETE', undefined, token)).status, 503)
  t.match(await call(`${graphs}/1`, 'GET', undefined, token), { status: 200, body: { name: 'Triangle' } })
  t.ok(await until(async () => /"level":50.*SQLITE_(FULL|IOERR)/.test(server.stdout())), 'the log gives the reason')
  const refused = await ready()
  t.match(refused, {
    status: 503,
    body: { code: 'not-ready', detail: /^The server cannot write: SQLITE_(FULL|IOERR)/ }
  })
  await sleep(1200)
  t.equal((await ready()).status, 503, 'it is not ready while the disk is full')
  limit('unlimited')
  t.ok(await until(async () => (await ready()).status === 200), 'it is ready once there is space')
  t.match(await call(graphs, 'POST', triangle, token), { status: 201, body: { id: 2 } })
  t.equal(await server.stop(), 0)
  const { rows, faults } = await checkFile(join(data, 'graphstead.db'), startThread)
  t.same([rows.graph, faults], [2, []], 'only acknowledged graphs are stored')
})

t.test(
  'once the write-ahead log is removed, nothing more is acknowledged, and acknowledged changes are stored',
  sqlite,
  async (t) => {
    const { app, as, store, folder } = await build(t)
    const file = join(folder, 'graphstead.db')
    t.equal((await as('ada').post('/api/graphs', triangle)).status, 201)
    t.equal((await as().get('/readyz')).status, 200)
    unlinkSync(`${file}-wal`)
    t.match(await as().get('/readyz'), {
      ...problem(503, 'not-ready'),
      body: {
        detail: 'The server cannot write: the write-ahead log was removed while the server was running: restart it.'
      }
    })
    t.match(await as('ada').post('/api/graphs', triangle), problem(503, 'store-unavailable'))
    t.equal((await as('ada').get('/api/graphs/1')).status, 200)
    await app.close()
    await store.close()
    const again = await openSqlite(file, startThread)
    const kept = await again.read.selectFrom('graph').select(['id', 'name']).execute()
    t.same(kept, [{ id: 1, name: 'Triangle' }], 'the acknowledged changes are stored')
    await again.close()
  }
)
