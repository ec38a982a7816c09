import { cp } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { createGraph, exactly, fetched, logIn, numbered } from './client.ts'
import { network } from './graphs.ts'
import { ask, load, requestOf } from './load.ts'
import { type Contender, measure, median, timed } from './measure.ts'
import { type Server, startProgram } from './processes.ts'
import { seed } from './seed.ts'
import { compared, type Line } from './table.ts'

const plan = { connections: 64, rounds: 5, duration: 1500, warmUp: 3000 }
const ROUNDS = 7

/** Compares two versions of a graph of 20,000 nodes and 100,000 edges, and measures the cost of keeping versions. */
export async function history(folder: string): Promise<Line[]> {
  await seed(folder, { graphs: 1000, users: 10, events: 1000, shared: 10 })
  await cp(folder, `${folder}-one`, { recursive: true })
  const all = await startProgram(folder, 'all versions')
  const one = await startProgram(`${folder}-one`, 'one version', { args: ['--keep-versions', '1'] })
  try {
    const both = await measure([await renaming(all), await renaming(one)], plan)
    return [
      ...(await comparing(all)),
      compared('PATCH /api/graphs/{id}, 64 connections', both, 'rate', {}, 'one version kept')
    ]
  } finally {
    await all.stop()
    await one.stop()
  }
}

/**
 * Measures how long it takes to compare two versions that differ in one of every hundred elements, while other clients request
 * a small graph.
 */
async function comparing(program: Server): Promise<Line[]> {
  const token = await logIn(program, 'admin')
  const before = network(20_000, 100_000)
  const after = structuredClone(before)
  for (let index = 0; index < after.nodes.length; index += 100) after.nodes[index] = { id: `n${index}`, label: 'other' }
  for (const [index, edge] of after.edges.entries()) if (index % 100 === 0) edge.metadata = { weight: -1 }
  const texts = [before, after].map((content) => JSON.stringify(content))
  const id = await createGraph(program, token, { name: 'Large', content: before })
  const put = requestOf('PUT', '/api/graphs', { token, body: `{"id":${id},"name":"Large","content":${texts[1]}}` })
  await ask(program.port, exactly(put, 200))

  const { answer, get } = await fetched(program, `/api/graphs/${id}/diff`, token)
  const { nodes, edges } = JSON.parse(answer.body.toString())
  if (nodes.changed.count !== 200 || edges.changed.count !== 1000) throw new Error('the difference is wrong')
  const small = await fetched(program, '/api/graphs/77', token)
  const others = (duration: number) => load({ port: program.port, connections: 8, duration, next: () => small.get })

  const times: number[] = []
  const parses: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    times.push(await timed(() => ask(program.port, get)))
    parses.push(await timed(() => texts.map((text) => JSON.parse(text))))
  }
  const alone = await others(3000)
  const [beside] = await Promise.all([
    others(5000),
    (async () => {
      for (let round = 0; round < 3; round++) {
        await ask(program.port, get)
        await sleep(100)
      }
    })()
  ])
  const listed = (values: number[]) => values.map((value) => Math.round(value)).join(', ')
  return [
    {
      path: 'GET …/diff of 20,000 nodes and 100,000 edges, 1 % of them changed',
      ours: `${listed(times)} ms`,
      theirs: `JSON.parse of both: ${listed(parses)} ms`,
      ratio: median(times) / median(parses),
      aim: { most: 3 }
    },
    {
      path: 'longest wait for a small GET in the meantime',
      ours: `p50 ${beside.p50.toFixed(1)}, p99 ${beside.p99.toFixed(1)} ms`,
      theirs: `without it: ${Math.round(alone.max)} ms`,
      ratio: beside.max,
      aim: { most: 50, unit: 'ms' }
    }
  ]
}

/** Returns requests that rename the first thousand graphs in turn. */
async function renaming(server: Server): Promise<Contender> {
  const token = await logIn(server, 'admin')
  const requests = Array.from({ length: 1000 }, (_, index) =>
    numbered((number) =>
      requestOf('PATCH', `/api/graphs/${index + 1}`, { token, body: JSON.stringify({ name: `Line ${number}` }) })
    )
  )
  let turn = 0
  return { server, next: () => exactly((requests[turn++ % 1000] as () => Buffer)(), 200) }
}
