import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import type { AuditEventType } from '../../schemas/audit.ts'
import { contradictions } from '../support/consistency.ts'
import { openDataStore } from '../support/engine.ts'
import { events } from '../support/helper.ts'
import { login, serveProgram } from '../support/program.ts'

const CLIENTS = 100
const SECONDS = 10

t.test(
  `after ${CLIENTS} clients have written for ${SECONDS} s and kill -9, no acknowledged change is lost`,
  async (t) => {
    const data = t.testdir({})
    const server = await serveProgram(t, data, ['--log-level', 'error'])
    const token = await login(server.url)
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const content = { nodes: [{ id: 'a' }, { id: 'b' }], edges: [{ source: 'a', target: 'b' }] }

    /** The last acknowledged state of each graph, and whether another change is pending. */
    const acknowledged = new Map<number, { version: number; isTrashed: boolean; isPending: boolean }>()
    const unexpected: number[] = []
    let running = true
    async function ask(id: number | undefined, method: string, path: string, body?: object) {
      const known = id === undefined ? undefined : acknowledged.get(id)
      if (known) known.isPending = true
      const response = await fetch(`${server.url}${path}`, {
        method,
        headers: body ? headers : { authorization: headers.authorization },
        ...(body && { body: JSON.stringify(body) })
      })
      if (response.status !== (method === 'POST' && path === '/api/graphs' ? 201 : 200))
        unexpected.push(response.status)
      const text = await response.text()
      if (known) known.isPending = false
      return text === '' ? undefined : (JSON.parse(text) as { id: number; version: number })
    }

    async function write(client: number) {
      for (let turn = 0; running; turn++) {
        const name = `client ${client} turn ${turn}`
        const created = await ask(undefined, 'POST', '/api/graphs', { name, content: { ...content, label: name } })
        if (!created) return
        const { id } = created
        const told = { version: 1, isTrashed: false, isPending: false }
        acknowledged.set(id, told)
        if (turn % 3 === 0) {
          await ask(id, 'PATCH', `/api/graphs/${id}`, { name: `${name}, renamed`, message: 'A better name' })
          told.version = 2
        } else if (turn % 3 === 1) {
          // Different clients send identical content, which the store deduplicates.
          const label = `turn ${turn} ${'x'.repeat(1000)}`
          const nodes = [1, 2, 3, 4, 5].map((index) => ({ id: `${index}`, label }))
          await ask(id, 'PUT', '/api/graphs', { id, name, content: { nodes, edges: [] } })
          told.version = 2
          await ask(id, 'POST', `/api/graphs/${id}/restore`, { version: 1 })
          told.version = 3
        } else {
          await ask(id, 'DELETE', `/api/graphs/${id}`)
          told.isTrashed = true
          if (turn % 2 === 0) continue
          await ask(id, 'POST', `/api/trash/${id}/restore`)
          told.isTrashed = false
        }
      }
    }
    // Requests in flight when the server is killed fail, and were never acknowledged.
    const writers = Array.from({ length: CLIENTS }, (_, client) => write(client).catch(() => {}))
    await sleep(SECONDS * 1000)
    // On a busy machine, ten seconds are not enough for every kind of change.
    while (acknowledged.size < 8 * CLIENTS && unexpected.length === 0) await sleep(100)
    await server.stop('SIGKILL')
    running = false
    await Promise.all(writers)
    t.same(unexpected, [])

    const again = await serveProgram(t, data, ['--log-level', 'error'])
    const sample = [...acknowledged].filter(([, { isTrashed }], index) => index % 500 === 0 && !isTrashed)
    for (const [id, { version, isPending }] of sample) {
      if (isPending) continue
      const graph = await fetch(`${again.url}/api/graphs/${id}`, { headers })
      t.match(await graph.json(), { id, version, nodeCount: 2, edgeCount: 1 })
    }
    await again.stop()

    const store = await openDataStore(t, data)
    const graphs = await store.read.selectFrom('graph').select(['id', 'version']).execute()
    const trash = await store.read.selectFrom('trash').select(['id', 'version']).execute()
    t.same(await contradictions(store), [], 'records, versions, events and contents match')
    const count = async (type: AuditEventType) => (await events(store, type)).length
    t.ok((await count('GRAPH_RESTORED')) > 20 && (await count('GRAPH_TRASHED')) > 20)
    await store.close()

    const living = new Map(graphs.map(({ id, version }) => [id, version]))
    const trashed = new Map(trash.map(({ id, version }) => [id, version]))
    const lost = [...acknowledged].filter(([id, told]) => {
      const version = living.get(id) ?? trashed.get(id) ?? 0
      if (told.isPending) return version < told.version
      return version !== told.version || trashed.has(id) !== told.isTrashed
    })
    t.same(lost, [], 'every acknowledged change is stored')
  }
)
