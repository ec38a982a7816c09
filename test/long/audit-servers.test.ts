import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { system } from '../../db/actors.ts'
import { recordEvent } from '../../db/audit/events.ts'
import { countUnsealed } from '../../db/audit/unsealed.ts'
import { expectOneLog } from '../audit/one-log.ts'
import { engine, openDataStore } from '../support/engine.ts'
import { triangle } from '../support/helper.ts'
import { call, login, type ServerProcess, serveProgram } from '../support/program.ts'
import { until } from '../support/until.ts'

const SERVERS = 3
const ROUNDS = 10

t.test(`three servers on one store keep one unforked log while kill -9 ends one of them ${ROUNDS} times`, async (t) => {
  const data = t.testdir({})
  const start = () => serveProgram(t, data, ['--log-level', 'error', '--rate-user', '0'])
  // The first server creates the store and the keys.
  const servers: ServerProcess[] = [await start()]
  const token = await login(servers[0]?.url ?? '')
  while (servers.length < SERVERS) servers.push(await start())
  const store = await openDataStore(t, data)
  t.teardown(() => store.close())

  let isRunning = true
  const failures = new Set<unknown>()
  const checkpoints: string[] = []
  let acknowledged = 0
  /** Repeats the task on one of the servers, which does not respond when it has just been killed. */
  const repeat = async (place: number, task: (url: string) => Promise<unknown>) => {
    while (isRunning) {
      await task(servers[place]?.url ?? '').catch((error: Error) => {
        if (error instanceof TypeError && error.message === 'fetch failed') return sleep(20)
        failures.add(error.message)
      })
    }
  }
  const poll = async (url: string) => {
    const headers = { authorization: `Bearer ${token}` }
    const answer = await fetch(`${url}/management/audits/log/checkpoint`, { headers })
    const text = await answer.text().catch(() => '')
    if (answer.status === 200 && text.endsWith('\n')) checkpoints.push(text)
    await sleep(30)
  }
  const change = async (url: string) => {
    const { status } = await call(`${url}/api/graphs`, 'POST', triangle, token)
    if (status === 201) acknowledged++
    // A 503 means that the server's commit may or may not have succeeded.
    else if (status !== 503) failures.add(status)
  }
  /** Runs slow and failing transactions, whose ids appear late or never. */
  const delay = async (count: number) => {
    await store
      .write(async (trx) => {
        await recordEvent(trx, system, { type: 'SERVER_STARTED', data: { count: String(count) } })
        // SQLite has one writer at a time.
        await sleep(engine === 'SQLite' ? 20 : Math.random() * 1500)
        if (count % 3 === 0) throw new Error('the transaction fails')
      })
      .catch(() => {})
    await sleep(50)
  }
  const tasks = servers.flatMap((_, place) => [repeat(place, poll), repeat(place, change), repeat(place, change)])
  for (let lane = 0; lane < 3; lane++) {
    tasks.push(
      (async () => {
        for (let count = lane; isRunning; count += 3) await delay(count)
      })()
    )
  }
  for (let round = 0; round < ROUNDS; round++) {
    await sleep(300 + Math.random() * 900)
    const place = Math.floor(Math.random() * SERVERS)
    await servers[place]?.stop('SIGKILL')
    servers[place] = await start()
  }
  isRunning = false
  await Promise.all(tasks)
  t.same([...failures], [])
  t.ok(await until(async () => (await countUnsealed(store.read)) === 0), 'all events are in the log')
  for (const server of servers) await server.stop()
  // One final server adds the events that the others recorded as they stopped.
  const last = await start()
  t.ok(await until(async () => (await countUnsealed(store.read)) === 0))
  await last.stop('SIGKILL')
  t.ok(acknowledged > 100, `${acknowledged} changes were acknowledged`)
  await expectOneLog(t, store, checkpoints)
})
