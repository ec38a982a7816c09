import { cp } from 'node:fs/promises'
import { logIn, numbered, totalOf } from './client.ts'
import { smallNetwork } from './graphs.ts'
import { ask, type Exchange, requestOf } from './load.ts'
import { type Contender, measure } from './measure.ts'
import { type Server, startBare, startProgram, startVariant } from './processes.ts'
import { seed } from './seed.ts'
import { compared, describe, type Line } from './table.ts'

const plan = { connections: 64, rounds: 5, duration: 1500, warmUp: 4000 }

/** Measures how fast graphs and their events are durably created, compared with one commit per graph and with bare Fastify. */
export async function writes(folder: string): Promise<Line[]> {
  await seed(folder, { graphs: 1000, users: 10, events: 1000, shared: 10 })
  await cp(folder, `${folder}-one`, { recursive: true })
  const program = await startProgram(folder)
  const oneCommit = await startVariant('one-commit', `${folder}-one`)
  const bare = await startBare()
  try {
    const [ours, theirs] = [await creating(program), await creating(oneCommit)]
    const created = await ask(program.port, ours.next())
    await bare.tell({ graphs: {}, list: '[]', changed: created.body.toString() })
    const plain: Contender = { server: bare, next: () => ({ ...ours.next(), check: created201 }) }

    const [grouped, alone, parsed] = await measure([ours, theirs, plain], plan)
    const single = await measure([ours, theirs], { ...plan, connections: 1, warmUp: 500 })
    const named = oneCommit.name
    const lines: Line[] = [
      compared('POST /api/graphs, 64 connections', [grouped, alone], 'rate', { least: 8 }, named),
      compared('the same: p99', [grouped, alone], 'p99', { most: 1 }, named),
      compared('the same', [grouped, parsed], 'rate', { least: 0.25 }, bare.name),
      compared('POST /api/graphs, 1 connection', single, 'rate', { least: 0.9 }, named)
    ]
    // With this many connections, the server either creates each graph or refuses the request with 503.
    const crowd = { server: program, next: ours.nextOrBusy }
    const [crowded] = await measure([crowd], { ...plan, connections: 1000, rounds: 3, duration: 3000 })
    lines.push({
      path: 'POST /api/graphs, 1,000 connections: memory',
      ours: `${describe(crowded)}; ${ours.refusals()} of them 503`,
      theirs: `64 connections: ${grouped.memory} MiB`,
      ratio: crowded.memory,
      aim: { most: 512, unit: 'MiB' }
    })
    await ours.verify()
    return lines
  } finally {
    await program.stop()
    await oneCommit.stop()
    await bare.stop()
  }
}

function created201({ status }: { status: number }) {
  return status === 201 ? undefined : `status ${status} instead of 201`
}

/** Returns requests that create graphs on the server, and a check that all acknowledged graphs exist. */
async function creating(server: Server) {
  const token = await logIn(server, 'admin')
  const request = numbered((number) =>
    requestOf('POST', '/api/graphs', {
      token,
      body: JSON.stringify({ name: `Line ${number}`, type: 'LINE', content: smallNetwork(0) }).replace(
        'Start 0',
        number
      )
    })
  )
  const count = () => totalOf(server, token, '/api/graphs')
  const before = await count()
  let acknowledged = 0
  let refused = 0
  const next = (): Exchange => ({
    request: request(),
    check(answer) {
      if (answer.status === 201) acknowledged++
      return created201(answer)
    }
  })
  return {
    server,
    next,
    nextOrBusy(): Exchange {
      const exchange = next()
      return {
        ...exchange,
        check(answer) {
          if (answer.status !== 503 || !/^retry-after: \d+/im.test(String(answer.head))) return exchange.check(answer)
          refused++
          return undefined
        }
      }
    },
    refusals: () => refused,
    async verify() {
      const after = await count()
      if (after - before !== acknowledged)
        throw new Error(`${acknowledged} graphs acknowledged, ${after - before} stored`)
    }
  }
}
