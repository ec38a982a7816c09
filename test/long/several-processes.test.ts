import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { openStore } from '../../db/engine/open.ts'
import { startThread } from '../../src/system/assets.ts'
import { contradictions } from '../support/consistency.ts'
import { only } from '../support/engine.ts'
import { call, login } from '../support/program.ts'
import { startTwo } from '../support/two-processes.ts'
import { until } from '../support/until.ts'

const here = only('PostgreSQL', 'processes on several machines share only a PostgreSQL database')

t.test(
  '64 clients, a killed process and a database restart: no acknowledged change is lost or applied twice',
  here,
  async (t) => {
    const { postgres, one, other, start } = await startTwo(t)
    const token = await login(one.url)
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    /** The acknowledged graphs by name, with id and version. */
    const acknowledged = new Map<string, { id: number; version: number }>()
    const statuses = new Map<number, number>()
    let running = true

    /** Returns the response; undefined if the process has ended. */
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
        // Each name is sent once, so an unacknowledged graph may or may not exist.
        const created = await ask(url, 'POST', '/api/graphs', { name, content: { nodes: [{ id: name }], edges: [] } })
        if (!created) continue
        acknowledged.set(name, { id: created.id, version: 1 })
        const path = `/api/graphs/${created.id}`
        const changed = await ask(other.url, 'PATCH', path, { type: 'changed', message: 'Now changed' })
        if (changed) acknowledged.set(name, { id: created.id, version: 2 })
      }
    }
    const writers = Array.from({ length: 64 }, (_, client) => write(client))
    t.ok(await until(async () => acknowledged.size > 50))
    await one.stop('SIGKILL')
    await sleep(2000)
    const before = acknowledged.size
    await postgres.restart()
    await sleep(4000)
    running = false
    await Promise.all(writers)
    t.ok(acknowledged.size > before, `${before} before the restart, ${acknowledged.size} after it`)
    const others = [...statuses.keys()].filter((status) => ![200, 201, 503].includes(status))
    t.same(others, [], JSON.stringify([...statuses]))
    t.equal((await fetch(`${other.url}/readyz`)).status, 200, 'the server has recovered on its own')

    const again = await start('one')
    t.equal((await call(`${again.url}/api/graphs?size=1`, 'GET', undefined, token)).status, 200)
    await again.stop()
    await other.stop()
    const store = await openStore({ database: postgres.url }, () => '', startThread)
    t.teardown(() => store.close())
    t.same(await contradictions(store), [], 'changes and events match')
    const graphs = await store.read.selectFrom('graph').select(['id', 'name', 'version']).execute()
    t.equal(new Set(graphs.map(({ name }) => name)).size, graphs.length, 'no graph exists twice')
    const stored = new Map(graphs.map((graph) => [graph.name, graph]))
    const lost = [...acknowledged].filter(([name, { id, version }]) => {
      const graph = stored.get(name)
      return graph?.id !== id || graph.version < version
    })
    t.same(lost, [], 'no acknowledged change is lost')
  }
)
