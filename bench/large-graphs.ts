import { setTimeout as sleep } from 'node:timers/promises'
import { createGraph, exactly, fetched, logIn } from './client.ts'
import { network } from './graphs.ts'
import { ask, load, requestOf } from './load.ts'
import { measure, timed } from './measure.ts'
import { startBare, startProgram } from './processes.ts'
import { seed } from './seed.ts'
import { compared, describe, type Line } from './table.ts'

const plan = { connections: 4, rounds: 5, duration: 1500, warmUp: 1500 }
const MIB = 1024 * 1024

/**
 * Measures downloads of a 10 MiB graph, and how long other clients wait during uploads of 20,000 nodes and 100,000 edges.
 */
export async function largeGraphs(folder: string): Promise<Line[]> {
  await seed(folder, { graphs: 1000, users: 10, events: 1000, shared: 10 })
  const program = await startProgram(folder)
  const bare = await startBare()
  try {
    const token = await logIn(program, 'admin')
    const large = network(20_000, 100_000)
    while (JSON.stringify(large).length < 10 * MIB) large.edges.push(...large.edges.slice(0, 1000))
    const id = await createGraph(program, token, { name: 'Large', content: large })
    const { answer, get } = await fetched(program, `/api/graphs/${id}`, token)
    await bare.tell({ graphs: { [id]: answer.body.toString() }, list: '[]', changed: '{}' })
    const before = program.memory()
    const both = [
      { server: program, next: () => get },
      { server: bare, next: () => get }
    ] as const
    const [ours, theirs] = await measure(both, plan)
    const after = program.memory()

    const packed = await fetched(program, `/api/graphs/${id}`, token, { 'Accept-Encoding': 'zstd' })
    const [handed] = await measure([{ server: program, next: () => packed.get }], plan)

    const content = network(20_000, 100_000)
    // These are built in advance, so that building them does not block the load generator.
    const puts = [1, 2, 3].map((round) =>
      requestOf('PUT', '/api/graphs', {
        token,
        body: JSON.stringify({ id, name: 'Large', content: { ...content, label: `Round ${round}` } })
      })
    )
    const small = await fetched(program, '/api/graphs/77', token)
    const others = (duration: number) => load({ port: program.port, connections: 8, duration, next: () => small.get })
    const alone = await others(3000)
    const [beside, times] = await Promise.all([
      others(6000),
      (async () => {
        const times: number[] = []
        for (const request of puts) {
          times.push(await timed(() => ask(program.port, exactly(request, 200))))
          await sleep(100)
        }
        return times
      })()
    ])
    const zstd = (packed.answer.body.length / MIB).toFixed(2)
    const size = `${(answer.body.length / MIB).toFixed(1)} MiB`
    return [
      {
        ...compared(`GET of ${size} content`, [ours, theirs], 'rate', { least: 0.8 }),
        ours: `${describe(ours)}; ${before} → ${after} MiB`
      },
      compared(`the same for a client that takes zstd (${zstd} MiB)`, [handed, theirs], 'rate', {}),
      {
        path: 'longest wait of a small GET while 20,000 nodes and 100,000 edges are PUT',
        ours: `p50 ${beside.p50.toFixed(1)}, p99 ${beside.p99.toFixed(1)} ms; a PUT takes ${times.map((time) => Math.round(time)).join(', ')} ms`,
        theirs: `without the PUT: ${Math.round(alone.max)} ms`,
        ratio: beside.max,
        aim: { most: 50, unit: 'ms' }
      }
    ]
  } finally {
    await program.stop()
    await bare.stop()
  }
}
