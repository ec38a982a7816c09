import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { exporting } from './audit-export.ts'
import { creations, exactly, logIn } from './client.ts'
import { ask, type Exchange, load, requestOf } from './load.ts'
import { measure, median, percentile } from './measure.ts'
import { type Server, startProgram, startVariant } from './processes.ts'
import { seed } from './seed.ts'
import { compared, type Line } from './table.ts'

const EVENTS = 1_000_000
const plan = { connections: 64, rounds: 7, duration: 1500, warmUp: 4000 }

/** Measures the audit log: its cost for writers, its speed and its size. */
export async function audit(folder: string): Promise<Line[]> {
  return [
    ...(await writing(join(folder, 'writing'))),
    ...(await backlog(join(folder, 'backlog'))),
    ...(await exporting(join(folder, 'export')))
  ]
}

/** Compares creating graphs with and without the log. */
async function writing(folder: string): Promise<Line[]> {
  await seed(folder, { graphs: 1000, users: 10, events: 1000, shared: 10 })
  await cp(folder, `${folder}-without`, { recursive: true })
  return comparing(await startProgram(folder), await startVariant('without-log', `${folder}-without`))
}

/** Compares graph creation on a server with the log and on one without it, then stops both. */
export async function comparing(program: Server, without: Server): Promise<Line[]> {
  try {
    const token = await logIn(program, 'admin')
    const contenders = [
      { server: program, next: creations(token) },
      { server: without, next: creations(await logIn(without, 'admin')) }
    ] as const
    const both = await measure(contenders, plan)
    const [delays] = await Promise.all([
      delaysOf(program, token),
      load({ port: program.port, connections: 64, duration: 15_000, next: contenders[0].next })
    ])
    return [
      compared('POST /api/graphs, 64 connections', both, 'rate', { least: 0.95 }, 'without the log'),
      compared('the same: p99', both, 'p99', { most: 1.1 }, 'without the log'),
      {
        path: 'from an event to its checkpoint meanwhile',
        ours: `p50 ${Math.round(median(delays))} ms, of ${delays.length}`,
        ratio: percentile(delays, 0.99),
        aim: { most: 2000, unit: 'ms' }
      }
    ]
  } finally {
    await program.stop()
    await without.stop()
  }
}

/** Returns how long the newest event takes to reach a checkpoint, in milliseconds, measured repeatedly for ten seconds. */
async function delaysOf({ port }: Server, token: string): Promise<number[]> {
  const get = (path: string) => ask(port, { request: requestOf('GET', path, { token }), check: () => undefined })
  const delays: number[] = []
  const end = performance.now() + 10_000
  while (performance.now() < end) {
    const start = performance.now()
    const [{ id }] = JSON.parse((await get('/management/audits?size=1&cursor=')).body.toString()) as [{ id: number }]
    while ((await get(`/management/audits/${id}/proof`)).status !== 200) await sleep(10)
    delays.push(performance.now() - start)
    await sleep(37)
  }
  return delays
}

/** Measures a server while it adds a million existing events to its log, then measures its proofs. */
async function backlog(folder: string): Promise<Line[]> {
  await seed(folder, { graphs: 1000, users: 1000, events: EVENTS, shared: 10, isSealed: false })
  const start = performance.now()
  const program = await startProgram(folder, 'Graphstead', { pinned: false })
  try {
    const token = await logIn(program, 'admin')
    const get = exactly(requestOf('GET', '/api/graphs/77', { token }), 200)
    const others = (duration: number) => load({ port: program.port, connections: 8, duration, next: () => get })
    const sizeNow = async () => {
      const request = requestOf('GET', '/management/audits/log/checkpoint', { token })
      return Number((await ask(program.port, exactly(request, 200))).body.toString().split('\n')[1])
    }
    const [time, busy] = await Promise.all([
      (async () => {
        while ((await sizeNow()) < EVENTS) await sleep(100)
        return (performance.now() - start) / 1000
      })(),
      others(5000)
    ])
    const quiet = await others(5000)
    const proofs = await load({ port: program.port, connections: 8, duration: 5000, next: proving(token) })
    await program.stop()
    const bytes = bytesOf(join(folder, 'graphstead.db'))
    return [
      {
        path: 'a backlog of 1,000,000 events',
        ours: `${time.toFixed(1)} s from the start of the process`,
        ratio: time,
        aim: { most: 60, unit: 's' }
      },
      {
        path: 'GET of a small graph meanwhile: p99',
        ours: `${busy.p99.toFixed(2)} ms`,
        theirs: `afterwards: ${quiet.p99.toFixed(2)} ms`,
        ratio: busy.p99 / quiet.p99,
        aim: { most: 2 }
      },
      {
        path: 'size of the log, per event',
        ours: `${Math.round(bytes / 2 ** 20)} MiB`,
        ratio: bytes / EVENTS,
        aim: { most: 90, unit: 'bytes' }
      },
      {
        path: 'GET …/audits/{id}/proof of 1,000,000',
        ours: `p50 ${proofs.p50.toFixed(2)}, p99 ${proofs.p99.toFixed(2)} ms`,
        ratio: proofs.rate,
        aim: { least: 2000, unit: 'per second' }
      }
    ]
  } finally {
    await program.stop()
  }
}

/** Returns requests for proofs of events from all parts of the log. */
function proving(token: string): () => Exchange {
  let turn = 0
  return () => {
    const id = 1 + ((turn++ * 7919) % EVENTS)
    return exactly(requestOf('GET', `/management/audits/${id}/proof`, { token }), 200)
  }
}

/** Returns the size of the log's tables in bytes. */
function bytesOf(file: string): number {
  const db = new Database(file, { readonly: true })
  const tables = ['auditLog', 'auditTile', 'auditSalt', 'auditRun', 'auditErased']
  const size = db.prepare(`SELECT sum("pgsize") FROM dbstat JOIN sqlite_schema USING ("name")
    WHERE "tbl_name" IN (${tables.map(() => '?').join()})`)
  const bytes = size.pluck().get(tables) as number
  db.close()
  return bytes
}
