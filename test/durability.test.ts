import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { openSqlite } from '../db/sqlite.ts'
import { login, serve } from './program.ts'

const CLIENTS = 100
const SECONDS = 10

t.test(`${CLIENTS} clients write at once for ${SECONDS} s, then kill -9: nothing acknowledged is lost`, async (t) => {
  const data = t.testdir({})
  const server = await serve(t, data, ['--log-level', 'error'])
  const token = await login(server.url)
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const content = { nodes: [{ id: 'a' }, { id: 'b' }], edges: [{ source: 'a', target: 'b' }] }

  /** What each client was told: the graphs it created, and the version and name it gave some of them. */
  const acknowledged = new Map<number, { name: string; version: number }>()
  const unexpected: number[] = []
  let running = true
  async function write(client: number) {
    for (let turn = 0; running; turn++) {
      const name = `client ${client} turn ${turn}`
      const created = await fetch(`${server.url}/api/graphs`, {
        method: 'POST',
        headers,
        body: JSON.stringify({ name, content: { ...content, label: name } })
      })
      if (created.status !== 201) unexpected.push(created.status)
      const { id } = (await created.json()) as { id: number }
      acknowledged.set(id, { name, version: 1 })
      if (turn % 3 !== 0) continue
      const renamed = await fetch(`${server.url}/api/graphs/${id}`, {
        method: 'PATCH',
        headers,
        body: JSON.stringify({ name: `${name}, renamed` })
      })
      if (renamed.status !== 200) unexpected.push(renamed.status)
      await renamed.arrayBuffer()
      acknowledged.set(id, { name: `${name}, renamed`, version: 2 })
    }
  }
  // Requests that are under way when the server dies fail; they were not acknowledged.
  const writers = Array.from({ length: CLIENTS }, (_, client) => write(client).catch(() => {}))
  await sleep(SECONDS * 1000)
  await server.stop('SIGKILL')
  running = false
  await Promise.all(writers)
  t.same(unexpected, [])
  t.ok(acknowledged.size > 1000, `${acknowledged.size} graphs were acknowledged`)

  const again = await serve(t, data, ['--log-level', 'error'])
  const sample = [...acknowledged].filter((_, index) => index % 500 === 0)
  for (const [id, { name }] of sample) {
    const graph = await fetch(`${again.url}/api/graphs/${id}`, { headers })
    t.match(await graph.json(), { id, nodeCount: 2, edgeCount: 1 }, name)
  }
  await again.stop()

  const store = await openSqlite(join(data, 'graphstead.db'))
  const graphs = await store.read.selectFrom('graph').selectAll().execute()
  const events = await store.read.selectFrom('auditEvent').selectAll().execute()
  const contents = new Set((await store.read.selectFrom('content').select('id').execute()).map(({ id }) => id))
  await store.close()

  const stored = new Map(graphs.map((graph) => [graph.id, graph]))
  t.equal(stored.size, graphs.length, 'no id stands twice')
  t.equal(new Set(events.map(({ id }) => id)).size, events.length, 'nor in the trail')
  const lost = [...acknowledged].filter(([id, { version }]) => (stored.get(id)?.version ?? 0) < version)
  t.same(lost, [], 'every acknowledged change is there')

  const count = (type: string) => {
    const counts = new Map<number, number>()
    for (const event of events) {
      if (event.type === type && event.targetId) counts.set(event.targetId, (counts.get(event.targetId) ?? 0) + 1)
    }
    return counts
  }
  const created = count('GRAPH_CREATED')
  const updated = count('GRAPH_UPDATED')
  t.same(
    graphs.filter(({ id }) => created.get(id) !== 1),
    [],
    'every graph has its event, once'
  )
  t.same(
    [...created.keys()].filter((id) => !stored.has(id)),
    [],
    'no event lacks its graph'
  )
  t.same(
    graphs.filter(({ id, version }) => (updated.get(id) ?? 0) !== version - 1),
    [],
    'versions and events agree'
  )
  t.same(
    graphs.filter(({ contentId }) => !contents.has(contentId ?? 0)),
    [],
    'every graph has its content'
  )
})
