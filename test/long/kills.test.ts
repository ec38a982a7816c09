import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { openSqlite } from '../../db/engine/sqlite/store.ts'
import { checkFile } from '../../db/upkeep/backup.ts'
import { startThread } from '../../src/system/assets.ts'
import { only } from '../support/engine.ts'
import { triangle } from '../support/helper.ts'
import { call, login, serveProgram } from '../support/program.ts'

const sqlite = only('SQLite', 'it tests the file; several-processes.test.ts kills servers on PostgreSQL')

const ROUNDS = 100

t.test(`acknowledged changes survive kill -9 at any moment under load, ${ROUNDS} times`, sqlite, async (t) => {
  const data = t.testdir({})
  /** The acknowledged name of each graph, and the last requested name, which may have been stored. */
  const known = new Map<number, { name: string; asked: string }>()
  let lastId = 0
  for (let round = 0; round < ROUNDS; round++) {
    const server = await serveProgram(t, data, ['--log-level', 'error'])
    const token = await login(server.url)
    for (const id of lately(known, 5)) {
      const { status, body } = await call(`${server.url}/api/graphs/${id}`, 'GET', undefined, token)
      const { name, asked } = known.get(id) ?? { name: '', asked: '' }
      if (status !== 200 || (body.name !== name && body.name !== asked)) t.fail(`graph ${id}: ${status} ${body?.name}`)
    }
    const writers = Array.from({ length: 8 }, async (_, client) => {
      for (let turn = 0; ; turn++) {
        const name = `${round} ${client} ${turn}`
        const created = await call(`${server.url}/api/graphs`, 'POST', { ...triangle, name }, token)
        if (created.status !== 201) throw new Error(`POST returned ${created.status}`)
        const { id } = created.body
        if (known.has(id)) t.fail(`id ${id} was assigned twice`)
        known.set(id, { name, asked: `${name}, changed` })
        lastId = Math.max(lastId, id)
        const changed = await call(`${server.url}/api/graphs/${id}`, 'PATCH', { name: `${name}, changed` }, token)
        if (changed.status !== 200) throw new Error(`PATCH returned ${changed.status}`)
        known.set(id, { name: `${name}, changed`, asked: `${name}, changed` })
      }
    })
    const ended = Promise.allSettled(writers)
    await sleep(Math.random() * 150)
    // On a slow machine, the first graph may take longer.
    for (let waited = 0; known.size <= round && waited < 30_000; waited += 10) await sleep(10)
    await server.stop('SIGKILL')
    for (const outcome of await ended) {
      if (outcome.status === 'rejected' && /is \d/.test(outcome.reason.message)) t.fail(outcome.reason.message)
    }
  }
  t.ok(known.size >= ROUNDS, `${known.size} graphs were acknowledged`)
  t.same((await checkFile(join(data, 'graphstead.db'), startThread)).faults, [], 'the file is sound')
  const store = await openSqlite(join(data, 'graphstead.db'), startThread)
  const names = new Map(
    (await store.read.selectFrom('graph').select(['id', 'name']).execute()).map(({ id, name }) => [id, name])
  )
  await store.close()
  const lost = [...known].filter(([id, { name, asked }]) => names.get(id) !== name && names.get(id) !== asked)
  t.same(lost, [], 'every acknowledged change is stored')
})

function lately(known: Map<number, unknown>, count: number) {
  return [...known.keys()].slice(-count)
}
