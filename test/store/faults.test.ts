import { execFileSync } from 'node:child_process'
import { chmodSync, closeSync, cpSync, openSync, readFileSync, writeSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import Database from 'better-sqlite3'
import t, { type Test } from 'tap'
import { checkFile } from '../../db/upkeep/backup.ts'
import { startThread } from '../../src/system/assets.ts'
import { only } from '../support/engine.ts'
import { addUser, build, PASSWORD, proven, triangle } from '../support/helper.ts'
import {
  call,
  login,
  run,
  runProgram,
  type Server,
  type ServerProcess,
  serve,
  serveProgram
} from '../support/program.ts'
import { until } from '../support/until.ts'

// Environment faults. In each test no acknowledged write is lost, no response is wrong, the log reports the fault, requests
// that cannot be served get 503, and the server recovers on its own. test/attacks/readiness.test.ts covers a full disk.

const sqlite = only('SQLite', 'it tests the file; postgres.test.ts covers the failures of a database server')

/** Waits briefly for the server's log to match the pattern, since log lines may follow responses. */
const logs = (server: Server, pattern: RegExp) => until(async () => pattern.test(server.stdout()))

/** Sets a resource limit of a running process, as an administrator can. */
function limit({ child }: ServerProcess, what: string) {
  execFileSync('prlimit', [`--pid=${child.pid}`, what])
}

/** Drops the privileges of root, which can write anywhere. */
const withoutPrivileges = process.getuid?.() === 0 ? 'exec setpriv --bounding-set=-all "$@"' : undefined

t.test('a server survives a folder that becomes read-only', sqlite, async (t) => {
  const data = join(t.testdir({}), 'data')
  const server = await serveProgram(t, data, [], {}, withoutPrivileges)
  const token = await login(server.url)
  chmodSync(data, 0o500)
  t.match(
    await call(`${server.url}/api/graphs`, 'POST', triangle, token),
    { status: 201 },
    'a server with open files keeps working'
  )
  t.equal(await server.stop(), 0)
  const deeper = ['serve', '--port', '0', '--data', join(data, 'deeper')]
  const outcome = await runProgram(deeper, { GRAPHSTEAD_ADMIN_PASSWORD: PASSWORD }, '', withoutPrivileges)
  t.match(outcome, { code: 2, stderr: /^graphstead serve: --data: .*deeper cannot be created: EACCES/ })
  chmodSync(data, 0o700)
})

t.test('a server reports a file that is locked at startup', sqlite, async (t) => {
  const data = t.testdir({})
  await (await serve(t, data)).stop()
  const other = new Database(join(data, 'graphstead.db'))
  other.exec('BEGIN IMMEDIATE')
  const outcome = await run(['serve', '--port', '0', '--data', data])
  t.match(outcome, { code: 1, stderr: /^graphstead serve: .*graphstead\.db is locked by another program\.\n$/ })
  other.exec('ROLLBACK')
  other.close()
  t.equal(await (await serve(t, data)).stop(), 0)
})

let original: ReturnType<typeof fill> | undefined

/** Creates a data folder with large and small graphs, some with the same content. */
async function filled(t: Test) {
  original ??= fill()
  const { data: from, ...rest } = await original
  const data = t.testdir({})
  cpSync(from, data, { recursive: true })
  return { file: join(data, 'graphstead.db'), data, ...rest }
}

async function fill() {
  const data = t.testdir({})
  const server = await serve(t, data)
  const token = await login(server.url)
  const large = { nodes: Array.from({ length: 900 }, (_, index) => ({ id: `${index} ${Math.random()}` })), edges: [] }
  for (let index = 0; index < 30; index++) {
    const content = index % 3 === 0 ? { ...large, label: `${index}` } : triangle.content
    await call(`${server.url}/api/graphs`, 'POST', { name: `Graph ${index}`, content }, token)
  }
  const { body: expected } = await call(`${server.url}/api/mygraphs`, 'GET', undefined, token)
  const contents = new Map<number, unknown>()
  for (const { id } of expected) {
    contents.set(id, (await call(`${server.url}/api/graphs/${id}`, 'GET', undefined, token)).body)
  }
  await server.stop()
  return { data, token, contents }
}

function overwrite(file: string, offset: number, bytes: Buffer) {
  const handle = openSync(file, 'r+')
  writeSync(handle, bytes, 0, bytes.length, offset)
  closeSync(handle)
}

/** Returns the number of pages up to the last root page of a table or index. They hold the schema and the users. */
function pagesOfRoots(file: string): number {
  const db = new Database(file, { readonly: true })
  const pages = db.prepare<[], number>('SELECT max("rootpage") FROM "sqlite_schema"').pluck().get()
  db.close()
  return pages as number
}

t.test('with a damaged file, every response is either correct or 503', sqlite, async (t) => {
  const { file, data, token, contents } = await filled(t)
  const original = readFileSync(file)
  const pages = original.length / 4096
  const roots = pagesOfRoots(file)
  let unavailable = 0
  for (let round = 0; round < 3; round++) {
    overwrite(file, 0, original)
    // Overwrites the middle of every third page, except the pages that a server needs to start.
    const offset = 1000 + round * 1000
    for (let page = roots + round; page < pages; page += 3) {
      overwrite(file, page * 4096 + offset, Buffer.from('damaged '.repeat(8)))
    }
    const server = await serve(t, data)
    const statuses = new Set<number>()
    for (const [id, expected] of contents) {
      const { status, body } = await call(`${server.url}/api/graphs/${id}`, 'GET', undefined, token)
      statuses.add(status)
      if (status === 503) unavailable++
      else if (status === 200) t.same(body.content, (expected as { content: unknown }).content, `graph ${id}`)
    }
    const others = [...statuses].filter((status) => status !== 200 && status !== 503 && status !== 401)
    t.same(others, [])
    t.match(await call(`${server.url}/healthz`), { status: 200 })
    if (statuses.has(503)) t.ok(await logs(server, /"level":50.*(SQLITE_CORRUPT|is damaged|damaged in the store)/))
    await server.stop()
    const { faults } = await checkFile(file, startThread).catch(() => ({ faults: ['unreadable'] }))
    t.not(faults.length, 0, 'check finds the damage')
  }
  t.ok(unavailable > 0, `${unavailable} responses were 503`)
})

t.test('a record with missing content is an error, not an empty graph', sqlite, async (t) => {
  const { file, data, token } = await filled(t)
  const damage = new Database(file)
  damage.pragma('foreign_keys = OFF')
  damage.pragma('ignore_check_constraints = ON')
  damage.exec(`
    DELETE FROM "content" WHERE "id" = (SELECT "contentId" FROM "graph" WHERE "id" = 1);
    UPDATE "graph" SET "contentId" = NULL WHERE "id" = 2;
    UPDATE "content" SET "packed" = NULL WHERE "id" = (SELECT "contentId" FROM "graph" WHERE "id" = 4)`)
  damage.close()
  const server = await serve(t, data)
  for (const id of [1, 2, 4]) {
    for (const path of ['', '/content', '/versions/1']) {
      const answer = await call(`${server.url}/api/graphs/${id}${path}`, 'GET', undefined, token)
      t.match(answer, { status: 503, body: { code: 'store-unavailable' } }, `graph ${id}${path}`)
    }
  }
  t.match(await call(`${server.url}/api/graphs/3`, 'GET', undefined, token), { status: 200 })
  await server.stop()
})

t.test('a clock that jumps back does no harm', async (t) => {
  const { as, app, store } = await build(t)
  await addUser(store, 'bob')
  const now = Date.now()
  const clock = t.capture(Date, 'now', () => time)
  let time = now
  const logIn = (username: string, password: string) =>
    as().post('/api/authenticate', { username, password }) as Promise<{ status: number; body: { id_token: string } }>
  const { id_token } = (await logIn('bob', PASSWORD)).body
  await as('ada').post('/api/graphs', triangle)
  for (let attempt = 0; attempt < 12; attempt++) await logIn('bob', 'not the right one')
  t.match(await logIn('bob', PASSWORD), { status: 429 })

  // Sets the clock back by a day, as happens when its battery runs out.
  time = now - 24 * 60 * 60 * 1000
  const account = await app.inject({ url: '/api/account', headers: { authorization: `Bearer ${id_token}` } })
  t.equal(account.statusCode, 200, 'tokens are still valid')
  t.match(await logIn('bob', PASSWORD), { status: 200 }, 'nobody is locked out for a day')
  t.match(await as('ada').patch('/api/graphs/1', { name: 'Earlier' }), { status: 200, body: { version: 2 } })
  t.match(await as('ada').post('/api/graphs', triangle), { status: 201, body: { id: 2 } })
  const { body: trail } = await as('root').get('/management/audits?size=3')
  const types = trail.map(({ type }: { type: string }) => type).join(', ')
  t.equal(
    types,
    'GRAPH_CREATED, GRAPH_UPDATED, AUTHENTICATION_SUCCESS',
    'events are listed newest first, whatever their timestamps'
  )
  t.match((await as('ada').get('/api/graphs/1/versions')).body, [{ version: 2 }, { version: 1 }])
  await as('ada').delete('/api/graphs/2')
  t.match((await as('ada').get('/api/trash')).body, [{ id: 2 }], 'the trash keeps its graphs')
  clock.restore?.()
})

/** Returns a function that sends requests over a single connection, and returns the status. */
function connectionOf(t: Test, { url }: Server, token: string) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  t.teardown(() => agent.destroy())
  return (method: string, path: string, body?: object) =>
    new Promise<number | undefined>((resolve, reject) => {
      const headers = { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) }
      const sent = request(`${url}${path}`, { agent, method, headers }, (response) => {
        response.resume().on('end', () => resolve(response.statusCode))
      })
      sent.on('error', reject).end(body && JSON.stringify(body))
    })
}

t.test('without free file descriptors, open connections are still served', sqlite, async (t) => {
  const data = t.testdir({})
  const server = await serveProgram(t, data, [], {}, 'ulimit -n 110; exec "$@"')
  const token = await login(server.url)
  const own = connectionOf(t, server, token)
  t.equal(await own('POST', '/api/graphs', triangle), 201)

  const { hostname, port } = new URL(server.url)
  const idle: Socket[] = []
  for (let index = 0; index < 300; index++) {
    idle.push(connect(Number(port), hostname).on('error', () => {}))
    if (index % 50 === 0) await sleep(50)
  }
  await sleep(200)
  t.equal(await own('POST', '/api/graphs', triangle), 201, 'a connected client is served')
  t.equal(await own('GET', '/api/graphs/2'), 200)
  t.equal(await own('GET', '/api/graphs?q=triangle'), 200, 'a request that opens files is served')
  t.ok(await logs(server, /"level":50.*closing connections: too many are open/))
  for (const socket of idle) socket.destroy()
  await sleep(200)
  t.match(
    await call(`${server.url}/api/graphs/1`, 'GET', undefined, token),
    { status: 200 },
    'later every client is served'
  )
  t.equal(await server.stop(), 0)
})

t.test('a server recovers when the store has run out of file descriptors', sqlite, async (t) => {
  const data = t.testdir({})
  const server = await serveProgram(t, data)
  const token = await login(server.url)
  const ask = connectionOf(t, server, token)
  t.equal(await ask('POST', '/api/users', { login: 'ada', password: PASSWORD, role: 'USER', ...proven }), 201)
  const asAda = connectionOf(t, server, await login(server.url, 'ada'))
  t.equal(await asAda('GET', '/api/graphs'), 200)
  // Concurrent searches by two users open another database connection.
  const search = () => Promise.all([ask, asAda].map((send) => send('GET', '/api/graphs?q=x')))
  limit(server, '--nofile=10:')
  t.ok(await until(async () => (await search()).includes(503)))
  t.ok(await logs(server, /"level":50.*EMFILE/))
  t.equal(await ask('GET', '/api/graphs'), 200)
  limit(server, '--nofile=1000:')
  t.same(await search(), [200, 200])
  t.equal(await server.stop(), 0)
})

t.test('on SIGTERM under load, every acknowledged change is stored and the server stops in time', async (t) => {
  const data = t.testdir({})
  const server = await serveProgram(t, data)
  const token = await login(server.url)
  const acknowledged: number[] = []
  const others = new Set<number>()
  const writers = Array.from({ length: 30 }, async () => {
    for (;;) {
      const { status, body } = await call(`${server.url}/api/graphs`, 'POST', triangle, token)
      if (status === 201) acknowledged.push(body.id)
      else others.add(status)
    }
  })
  const ended = Promise.allSettled(writers)
  await sleep(700)
  const began = Date.now()
  t.equal(await server.stop(), 0)
  t.ok(Date.now() - began < 10_000)
  await ended
  t.same([...others], [], 'requests were either completed or refused')
  const again = await serve(t, data)
  const { body } = await call(`${again.url}/api/mygraphs`, 'GET', undefined, token)
  const there = new Set(body.map(({ id }: { id: number }) => id))
  const lost = acknowledged.filter((id) => !there.has(id))
  t.same(lost, [])
  t.ok(acknowledged.length > 30, `${acknowledged.length} changes were acknowledged`)
  await again.stop()
})
