import { setTimeout as sleep } from 'node:timers/promises'
import { exactly, fetched, logIn } from './client.ts'
import { network } from './graphs.ts'
import { ask, load, requestOf } from './load.ts'
import { measure, ratio } from './measure.ts'
import { startBare, startProgram } from './processes.ts'
import { seed } from './seed.ts'
import { describe, type Line } from './table.ts'

const plan = { connections: 4, rounds: 5, duration: 1500, warmUp: 1500 }
const MIB = 1024 * 1024

/** Sends a graph of 10 MiB, and receives one of 20,000 nodes and 100,000 edges while others request small ones. */
export async function largeGraphs(folder: string): Promise<Line[]> {
  await seed(folder, { graphs: 1000, users: 10, events: 1000, shared: 10 })
  const program = await startProgram(folder)
  const bare = await startBare()
  try {
    const token = await logIn(program, 'admin')
    const large = network(20_000, 100_000)
    while (JSON.stringify(large).length < 10 * MIB) large.edges.push(...large.edges.slice(0, 1000))
    const create = requestOf('POST', '/api/graphs', { token, body: JSON.stringify({ name: 'Large', content: large }) })
    const { id } = JSON.parse((await ask(program.port, exactly(create, 201))).body.toString()) as { id: number }
    const { request, answer } = await fetched(program, `/api/graphs/${id}`, token)
    await bare.tell({ graphs: { [id]: answer.body.toString() }, list: '[]', changed: '{}' })
    const get = exactly(request, 200, answer.body)
    const before = program.memory()
    const [ours, theirs] = await measure(
      [program, bare].map((server) => ({ server, next: () => get })),
      plan
    )
    const after = program.memory()
    if (!ours || !theirs) return []

    const packed = await fetched(program, `/api/graphs/${id}`, token, { 'Accept-Encoding': 'zstd' })
    const getPacked = exactly(packed.request, 200)
    const [handed] = await measure([{ server: program, next: () => getPacked }], plan)
    if (!handed) return []

    const content = network(20_000, 100_000)
    // Built beforehand, so that the load generator does not block itself.
    const puts = [1, 2, 3].map((round) =>
      requestOf('PUT', '/api/graphs', {
        token,
        body: JSON.stringify({ id, name: 'Large', content: { ...content, label: `Round ${round}` } })
      })
    )
    const small = await fetched(program, '/api/graphs/77', token)
    const getSmall = exactly(small.request, 200, small.answer.body)
    const others = (duration: number) => load({ port: program.port, connections: 8, duration, next: () => getSmall })
    const alone = await others(3000)
    const [beside, times] = await Promise.all([
      others(6000),
      (async () => {
        const times: number[] = []
        for (const request of puts) {
          const start = performance.now()
          await ask(program.port, exactly(request, 200))
          times.push(performance.now() - start)
          await sleep(100)
        }
        return times
      })()
    ])
    const size = `${(answer.body.length / MIB).toFixed(1)} MiB`
    return [
      {
        path: `GET of ${size} content`,
        ours: `${describe(ours)}; ${before} → ${after} MiB`,
        theirs: describe(theirs),
        ratio: ratio(ours, theirs, 'rate'),
        aim: { least: 0.8 }
      },
      {
        path: `the same for a client that takes zstd (${(packed.answer.body.length / MIB).toFixed(2)} MiB)`,
        ours: describe(handed),
        theirs: describe(theirs),
        ratio: ratio(handed, theirs, 'rate'),
        aim: {}
      },
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
