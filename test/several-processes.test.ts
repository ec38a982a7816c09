import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { openStore } from '../db/open.ts'
import { contradictions } from './consistency.ts'
import { only } from './engine.ts'
import { PASSWORD } from './helper.ts'
import { startPostgres } from './postgres-server.ts'
import { call, login, serve } from './program.ts'

const here = only('PostgreSQL', 'processes on several machines share nothing else')

/** A database, and two processes that share it and the key of tokens. */
async function two(t: Test) {
  const postgres = await startPostgres({ safe: true })
  t.teardown(() => postgres.stop())
  const folder = t.testdir({ one: {}, two: {} })
  const key = join(folder, 'token.key')
  writeFileSync(key, randomBytes(32), { mode: 0o600 })
  const env = { GRAPHSTEAD_DATABASE_URL: postgres.url, GRAPHSTEAD_JWT_SECRET_FILE: key }
  const start = (name: string) => serve(t, join(folder, name), ['--log-level', 'fatal'], env)
  const [one, other] = await Promise.all([start('one'), start('two')])
  return { postgres, one, other, start }
}

t.test('roles, revocation and failed logins count in all processes at once', here, async (t) => {
  const { one, other } = await two(t)
  const admin = await login(one.url)
  t.equal((await call(`${other.url}/api/account`, 'GET', undefined, admin)).status, 200, 'a token is good in both')
  const ada = { login: 'ada', password: 'analytical engine', role: 'USER' }
  await call(`${one.url}/api/users`, 'POST', ada, admin)
  const token = await login(other.url, 'ada', ada.password)
  t.equal((await call(`${other.url}/management/audits`, 'GET', undefined, token)).status, 403)
  await call(`${one.url}/api/users/ada`, 'PATCH', { role: 'AUDITOR' }, admin)
  t.equal((await call(`${other.url}/management/audits`, 'GET', undefined, token)).status, 200)
  const session = (url: string, method: string, headers: Record<string, string>, body?: object) =>
    fetch(`${url}/api/session`, {
      method,
      headers: { ...headers, origin: url, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) })
    })
  const started = await session(one.url, 'POST', {}, { username: ada.login, password: ada.password })
  const cookie = started.headers.get('set-cookie')?.split(';')[0] ?? ''
  t.equal((await session(other.url, 'GET', { cookie })).status, 200)
  t.equal((await session(one.url, 'DELETE', { cookie })).status, 204)
  t.equal((await session(other.url, 'GET', { cookie })).status, 204, 'a session that has ended here has ended there')
  await call(`${one.url}/api/users/ada`, 'PATCH', { enabled: false }, admin)
  t.equal((await call(`${other.url}/api/account`, 'GET', undefined, token)).status, 401)

  const statuses: number[] = []
  for (let attempt = 0; attempt < 12; attempt++) {
    const { url } = attempt % 2 === 0 ? one : other
    statuses.push((await call(`${url}/api/authenticate`, 'POST', { username: 'nobody', password: PASSWORD })).status)
  }
  t.same(statuses, [...Array(10).fill(401), 429, 429], 'ten in all, and not ten each')

  const page = await call(`${one.url}/api/users?size=1&cursor=`, 'GET', undefined, admin)
  const next = await call(
    `${other.url}/api/users?size=1&cursor=${page.headers['x-next-cursor']}`,
    'GET',
    undefined,
    admin
  )
  t.match(next, { status: 200, body: [{ login: 'ada' }] }, 'and so is a cursor')
})

t.test(
  '64 clients, a process killed, the database restarted: nothing acknowledged is lost, nothing is there twice',
  here,
  async (t) => {
    const { postgres, one, other, start } = await two(t)
    const token = await login(one.url)
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    /** What was acknowledged: the name of a graph, and its id and version. */
    const acknowledged = new Map<string, { id: number; version: number }>()
    const statuses = new Map<number, number>()
    let running = true

    /** The answer, if there is one: who asks a process that is gone gets none. */
    async function ask(url: string, method: string, path: string, body: object) {
      try {
        const response = await fetch(`${url}${path}`, { method, headers, body: JSON.stringify(body) })
        statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1)
        const text = await response.text()
        return response.ok ? (JSON.parse(text) as { id: number; version: number }) : undefined
      } catch {
        await sleep(50)
        return undefined
      }
    }
    async function write(client: number) {
      for (let turn = 0; running; turn++) {
        const { url } = (client + turn) % 2 === 0 ? one : other
        const name = `client ${client} turn ${turn}`
        // Each name is sent once: what was not acknowledged may be there, or not.
        const created = await ask(url, 'POST', '/api/graphs', { name, content: { nodes: [{ id: name }], edges: [] } })
        if (!created) continue
        acknowledged.set(name, { id: created.id, version: 1 })
        const path = `/api/graphs/${created.id}`
        const changed = await ask(other.url, 'PATCH', path, { type: 'changed', message: 'Now changed' })
        if (changed) acknowledged.set(name, { id: created.id, version: 2 })
      }
    }
    const writers = Array.from({ length: 64 }, (_, client) => write(client))
    await sleep(3000)
    await one.stop('SIGKILL')
    await sleep(2000)
    const before = acknowledged.size
    await postgres.restart()
    await sleep(4000)
    running = false
    await Promise.all(writers)
    t.ok(before > 50 && acknowledged.size > before, `${before} before the restart, ${acknowledged.size} after it`)
    t.same(
      [...statuses.keys()].filter((status) => ![200, 201, 503].includes(status)),
      [],
      JSON.stringify([...statuses])
    )
    t.equal((await fetch(`${other.url}/readyz`)).status, 200, 'it has recovered by itself')

    const again = await start('one')
    t.equal((await call(`${again.url}/api/graphs?size=1`, 'GET', undefined, token)).status, 200)
    await again.stop()
    await other.stop()
    const store = await openStore({ database: postgres.url }, () => '')
    t.teardown(() => store.close())
    t.same(await contradictions(store), [], 'no event without its change, and no change without its event')
    const graphs = await store.read.selectFrom('graph').select(['id', 'name', 'version']).execute()
    t.equal(new Set(graphs.map(({ name }) => name)).size, graphs.length, 'nothing is there twice')
    const stored = new Map(graphs.map((graph) => [graph.name, graph]))
    const lost = [...acknowledged].filter(([name, { id, version }]) => {
      const graph = stored.get(name)
      return graph?.id !== id || graph.version < version
    })
    t.same(lost, [], 'nothing acknowledged is lost')
  }
)
