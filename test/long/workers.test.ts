import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { contradictions } from '../support/consistency.ts'
import { openDataStore } from '../support/engine.ts'
import { triangle } from '../support/helper.ts'
import { call, login, processesOf, serveProgram } from '../support/program.ts'
import { until } from '../support/until.ts'

const onLinux = { skip: process.platform !== 'linux' && 'it finds the processes in /proc' }

const ROUNDS = 200
const WRITERS = 8

t.test(`workers and their primary are killed ${ROUNDS} times under load`, onLinux, async (t) => {
  const data = t.testdir({})
  /** The acknowledged names, by id, and all names that were sent. */
  const acknowledged = new Map<number, string>()
  const sent = new Set<string>()
  const unexpected = new Map<string, number>()
  let server = await start(t, data)
  let token = await login(server.url)
  let isRunning = true
  const writers = Array.from({ length: WRITERS }, async (_, client) => {
    for (let turn = 0; isRunning; turn++) {
      const name = `${client} ${turn}`
      sent.add(name)
      const answer = await call(`${server.url}/api/graphs`, 'POST', { ...triangle, name }, token).catch(() => undefined)
      if (answer?.status === 201) {
        const { id } = answer.body
        if (acknowledged.has(id)) t.fail(`id ${id} was assigned twice`)
        acknowledged.set(id, name)
      } else if (answer) unexpected.set(`${answer.status}`, (unexpected.get(`${answer.status}`) ?? 0) + 1)
      else await sleep(20)
    }
  })
  for (let round = 1; round <= ROUNDS; round++) {
    const before = acknowledged.size
    await sleep(Math.random() * 200)
    if (round % 10 === 0) {
      const { port } = new URL(server.url)
      await server.stop('SIGKILL')
      server = await start(t, data, ['--port', port])
      token = await login(server.url)
    } else {
      const [, ...workers] = processesOf(server)
      const victim = workers[round % workers.length]
      if (victim !== undefined) process.kill(victim, 'SIGKILL')
    }
    t.ok(await until(async () => acknowledged.size > before && processesOf(server).length === 3), server.stderr())
  }
  isRunning = false
  await Promise.all(writers)
  t.equal(await server.stop(), 0)

  t.same([...unexpected.keys()].filter((status) => status !== '503').length, 0, JSON.stringify([...unexpected]))
  const store = await openDataStore(t, data)
  t.teardown(() => store.close())
  const graphs = await store.read.selectFrom('graph').select(['id', 'name']).execute()
  const stored = new Map(graphs.map(({ id, name }) => [id, name]))
  t.equal(new Set(stored.values()).size, graphs.length, 'no graph exists twice')
  t.equal([...stored.values()].filter((name) => !sent.has(name)).length, 0, 'no graph exists that was not sent')
  t.equal([...acknowledged].filter(([id, name]) => stored.get(id) !== name).length, 0, 'no acknowledged graph is lost')
  t.equal((await contradictions(store)).length, 0, 'changes and events match')
  t.comment(`${acknowledged.size} of ${sent.size} graphs were acknowledged`)
})

function start(t: Test, data: string, args: string[] = []) {
  return serveProgram(t, data, ['--workers', '2', '--log-level', 'error', '--rate-user', '0', ...args])
}
