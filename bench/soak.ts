import { setTimeout as sleep } from 'node:timers/promises'
import { createGraph, exactly, fetched, logIn, numbered, totalOf } from './client.ts'
import { network, seeded, smallNetwork } from './graphs.ts'
import { type Exchange, load, requestOf } from './load.ts'
import { startProgram } from './processes.ts'
import { seed } from './seed.ts'

/** The interval between memory samples, in milliseconds. */
const INTERVAL = 10_000

/**
 * Sends all kinds of requests on 64 connections, and occasionally a large graph, while sampling memory use. Throws if a
 * response is wrong, an acknowledged write is missing, or memory use grows.
 */
export async function soak(folder: string, minutes: number) {
  await seed(folder, { graphs: 10_000, users: 100, events: 10_000, shared: 10 })
  const program = await startProgram(folder)
  const { port } = program
  const token = await logIn(program, 'admin')
  const total = (path: string) => totalOf(program, token, path)
  const [graphsBefore, eventsBefore] = [await total('/api/graphs'), await total('/management/audits')]

  const random = seeded()
  const content = JSON.stringify(smallNetwork(0))
  let created = 0
  const versions = new Map<number, number>()
  const create = numbered((number) =>
    requestOf('POST', '/api/graphs', {
      token,
      body: `{"name":"Soak ${number}","content":${content.replace('Start 0', number)}}`
    })
  )
  const page = exactly(requestOf('GET', '/api/graphs', { token }), 200)
  const trail = exactly(requestOf('GET', '/management/audits', { token }), 200)
  let renamed = 0
  const next = (): Exchange => {
    const dice = random()
    const id = 1 + Math.floor(random() * 10_000)
    if (dice < 0.55) return exactly(requestOf('GET', `/api/graphs/${id}`, { token }), 200)
    if (dice < 0.7) return page
    if (dice < 0.75) return trail
    if (dice < 0.9) {
      const body = JSON.stringify({ name: `Renamed ${++renamed}` })
      return {
        request: requestOf('PATCH', `/api/graphs/${id}`, { token, body }),
        check({ status, body }) {
          const { version } = JSON.parse(body.toString()) as { version: number }
          versions.set(id, Math.max(version, versions.get(id) ?? 0))
          return status === 200 ? undefined : `status ${status} instead of 200`
        }
      }
    }
    return {
      request: create(),
      check({ status }) {
        created++
        return status === 201 ? undefined : `status ${status} instead of 201`
      }
    }
  }

  const end = performance.now() + minutes * 60_000
  const memory: number[] = []
  let large = 0
  const [{ count, rate, p50, p99, max }] = await Promise.all([
    load({ port, connections: 64, duration: minutes * 60_000, next }),
    (async () => {
      const graph = { name: 'Large', content: network(5000, 25_000) }
      while (performance.now() < end - INTERVAL) {
        await sleep(INTERVAL / 2)
        const id = await createGraph(program, token, graph)
        large++
        await fetched(program, `/api/graphs/${id}`, token)
        await sleep(INTERVAL / 2)
        memory.push(program.memory())
        console.error(`${memory.length * (INTERVAL / 1000)} s: ${memory.at(-1)} MiB`)
      }
    })()
  ])

  const graphs = (await total('/api/graphs')) - graphsBefore
  const changes = [...versions.values()].reduce((total, version) => total + version - 1, 0)
  // The events of the sign-in are included in `eventsBefore`.
  const events = (await total('/management/audits')) - eventsBefore
  for (const [id, version] of [...versions].slice(0, 1000)) {
    const { answer } = await fetched(program, `/api/graphs/${id}`, token)
    const stored = JSON.parse(answer.body.toString()) as { version: number }
    if (stored.version !== version) throw new Error(`graph ${id} has version ${stored.version} instead of ${version}`)
  }
  await program.stop()

  const third = Math.floor(memory.length / 3)
  const mean = (values: number[]) => values.reduce((total, value) => total + value, 0) / values.length
  const [middle, last] = [mean(memory.slice(third, 2 * third)), mean(memory.slice(2 * third))]
  console.log(
    `${minutes} minutes: ${count} responses, ${Math.round(rate)}/s, p50 ${p50.toFixed(1)}, p99 ${p99.toFixed(1)}, longest ${Math.round(max)} ms`
  )
  console.log(`${created + large} graphs created, ${graphs} stored; ${changes + graphs} changes, ${events} events`)
  console.log(`memory: ${Math.round(middle)} MiB in the second third, ${Math.round(last)} MiB in the last`)
  if (graphs !== created + large) throw new Error('graphs are missing')
  if (events !== changes + graphs) throw new Error('events are missing')
  if (last > 1.1 * middle) throw new Error('the memory grows')
}
