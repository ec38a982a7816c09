import { exactly, fetched, logIn, mixOf, numbered } from './client.ts'
import { ask, requestOf } from './load.ts'
import { measure } from './measure.ts'
import { startBare, startProgram } from './processes.ts'
import { seed } from './seed.ts'
import { compared, type Line } from './table.ts'

const plan = { connections: 64, rounds: 5, duration: 1500, warmUp: 5000 }

/** Measures fetching a graph, fetching a page of a list, and a mix of both with changes, on a store of 100,000 graphs. */
export async function reads(folder: string): Promise<Line[]> {
  await seed(folder, { graphs: 100_000, users: 1000, events: 100_000, shared: 10 })
  const program = await startProgram(folder)
  const bare = await startBare()
  try {
    const token = await logIn(program, 'admin')
    const one = await fetched(program, '/api/graphs/77777', token)
    const page = await fetched(program, '/api/graphs?size=20', token)
    const change = numbered((number) =>
      requestOf('PUT', '/api/graphs', { token, body: JSON.stringify({ id: 55555, name: `Line ${number}` }) })
    )
    const changed = await ask(program.port, exactly(change(), 200))
    await bare.tell({
      graphs: { 77777: one.answer.body.toString() },
      list: page.answer.body.toString(),
      changed: changed.body.toString()
    })

    const lines: Line[] = []
    for (const [path, least, next] of [
      ['GET /api/graphs/{id}, small', 0.5, () => one.get],
      ['GET /api/graphs, 20 of 100,000', 0.2, () => page.get],
      ['70 % GET, 20 % list, 10 % PUT', 0.3, mixOf(one.get, page.get, () => exactly(change(), 200))]
    ] as const) {
      const both = [
        { server: program, next },
        { server: bare, next }
      ] as const
      lines.push(compared(path, await measure(both, plan), 'rate', { least }))
    }
    return lines
  } finally {
    await program.stop()
    await bare.stop()
  }
}
