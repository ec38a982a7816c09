import { cp } from 'node:fs/promises'
import { creations, exactly, fetched, logIn, mixOf, numbered } from './client.ts'
import { requestOf } from './load.ts'
import { measure } from './measure.ts'
import { type Server, startProgram, withoutLimits } from './processes.ts'
import { seed } from './seed.ts'
import { compared, type Line } from './table.ts'

const plan = { connections: 64, rounds: 7, duration: 1500, warmUp: 5000 }

/** Compares two workers with one, on all cores and beside the load generator. */
export async function workers(folder: string): Promise<Line[]> {
  await seed(folder, { graphs: 1000, users: 10, events: 1000, shared: 10 })
  await cp(folder, `${folder}-one`, { recursive: true })
  const startWith = (data: string, count: number) =>
    startProgram(data, `--workers ${count}`, {
      args: [...withoutLimits, '--workers', String(count)],
      pinned: false
    })
  const two = await startWith(folder, 2)
  const one = await startWith(`${folder}-one`, 1)
  try {
    const [ours, theirs] = [await requestsTo(two), await requestsTo(one)]
    const lines: Line[] = []
    for (const [path, kind, least] of [
      ['GET /api/graphs/{id}, small', 'get', 1.5],
      ['GET /api/graphs, 20 of 1,000', 'list', 1.5],
      ['70 % GET, 20 % list, 10 % PUT', 'mix', 1.4],
      ['POST /api/graphs, small', 'create', 1.2]
    ] as const) {
      const both = [
        { server: two, next: ours[kind] },
        { server: one, next: theirs[kind] }
      ] as const
      lines.push(compared(path, await measure(both, plan), 'rate', { least }, one.name))
    }
    return lines
  } finally {
    await two.stop()
    await one.stop()
  }
}

/** Returns the requests to a server, by kind. */
async function requestsTo(server: Server) {
  const token = await logIn(server, 'admin')
  const { get: one } = await fetched(server, '/api/graphs/777', token)
  const { get: page } = await fetched(server, '/api/graphs?size=20', token)
  const change = numbered((number) =>
    requestOf('PUT', '/api/graphs', { token, body: JSON.stringify({ id: 555, name: `Line ${number}` }) })
  )
  return {
    get: () => one,
    list: () => page,
    mix: mixOf(one, page, () => exactly(change(), 200)),
    create: creations(token)
  }
}
