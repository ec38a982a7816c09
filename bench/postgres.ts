import { once } from 'node:events'
import { join } from 'node:path'
import pg from 'pg'
import { openPostgres } from '../db/engine/postgres/store.ts'
import { openSqlite } from '../db/engine/sqlite/store.ts'
import { copyStore } from '../db/upkeep/copy.ts'
import { buildApp } from '../plugins/app.ts'
import { readConfig } from '../src/settings/config.ts'
import { readTokenKey } from '../src/settings/token-key.ts'
import { startThread } from '../src/system/assets.ts'
import { program } from '../src/system/program.ts'
import { comparing } from './audit.ts'
import { creations, fetched, logIn, mixOf } from './client.ts'
import { smallNetwork } from './graphs.ts'
import { ask } from './load.ts'
import { measure } from './measure.ts'
import type { Plan, Statement } from './plain-pg.ts'
import { start, startProgram, startVariant, withoutLimits } from './processes.ts'
import { seed } from './seed.ts'
import { compared, type Line } from './table.ts'

const plan = { connections: 64, rounds: 5, duration: 2000, warmUp: 4000 }
const GRAPHS = 20_000

/** Measures the program on an empty PostgreSQL database, compared with the plain driver running the same statements. */
export async function postgres(folder: string, url: string): Promise<Line[]> {
  await seed(folder, { graphs: GRAPHS, users: 100, events: GRAPHS, shared: 10 })
  const [from, to] = [await openSqlite(join(folder, 'graphstead.db'), startThread), await openPostgres(url)]
  await copyStore(from, to, () => {})
  await from.close()
  await to.close()
  const second = await copyOf(url)

  const program = await startProgram(folder, 'Graphstead', { args: ['--database', url] })
  const driver = await start('plain pg', 'bench/plain-pg.ts', (port) => [String(port), url], {
    channel: true,
    path: '/api/graphs'
  })
  try {
    const token = await logIn(program, 'admin')
    const one = await fetched(program, '/api/graphs/7777', token)
    const page = await fetched(program, '/api/graphs?size=20', token)
    const create = creations(token)
    const created = await ask(program.port, create())
    const statements = await statementsOf(folder, url, token)
    driver.child.send({
      one: { statements: statements.one, answer: one.answer.body.toString() },
      page: { statements: statements.page, answer: page.answer.body.toString() },
      create: { statements: statements.create, answer: created.body.toString() },
      createdId: statements.createdId
    } satisfies Plan)
    await once(driver.child, 'message')

    const lines: Line[] = []
    for (const [path, next, connections] of [
      ['GET /api/graphs/{id}, small', () => one.get, 64],
      [`GET /api/graphs, 20 of ${GRAPHS.toLocaleString('en')}`, () => page.get, 64],
      ['POST /api/graphs, 64 connections', create, 64],
      ['POST /api/graphs, 1 connection', create, 1],
      ['70 % GET, 20 % list, 10 % POST', mixOf(one.get, page.get, create), 64]
    ] as const) {
      // Creating graphs changes the total count in the headers of the first page, but not its body.
      const both = [
        { server: program, next },
        { server: driver, next }
      ] as const
      const figures = await measure(both, { ...plan, connections })
      lines.push(compared(`PostgreSQL: ${path}`, figures, 'rate', { least: 0.6 }))
    }
    await program.stop()
    await driver.stop()
    const trail = await comparing(
      await startProgram(folder, 'Graphstead', { args: [...withoutLimits, '--database', url] }),
      await startVariant('without-log', folder, ['--database', second])
    )
    return [...lines, ...trail.map((line) => ({ ...line, path: `PostgreSQL: the trail: ${line.path}` }))]
  } finally {
    await program.stop()
    await driver.stop()
  }
}

/** Copies a database that nobody is using to a new one on the same server. Returns the URL of the copy. */
async function copyOf(url: string) {
  const copy = new URL(url)
  copy.pathname = `${copy.pathname}_second`
  const administrator = new URL(url)
  administrator.pathname = '/postgres'
  const client = new pg.Client({ connectionString: String(administrator) })
  await client.connect()
  const [name, original] = [copy, new URL(url)].map(({ pathname }) => client.escapeIdentifier(pathname.slice(1)))
  await client.query(`CREATE DATABASE ${name} TEMPLATE ${original}`)
  await client.end()
  return String(copy)
}

/** Returns the statements that the server runs for the requests, recorded in this process. */
async function statementsOf(folder: string, url: string, token: string) {
  const store = await openPostgres(url, { poolSize: 1 })
  const app = await buildApp(readConfig(['--data', folder], {}), {
    program,
    store,
    tokenKey: readTokenKey(folder, undefined)
  })
  const { query } = pg.Client.prototype
  let seen: Statement[] = []
  pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
    const { text, values = [] } = args[0] as Partial<Statement>
    if (text !== undefined) seen.push({ text, values })
    return (query as (...args: unknown[]) => unknown).apply(this, args)
  } as typeof query
  const headers = { authorization: `Bearer ${token}` }
  const payload = { name: 'Line 0000000000', type: 'LINE', content: smallNetwork(0) }
  const record = async (request: { method: 'GET' | 'POST'; url: string; payload?: object }) => {
    seen = []
    const { id } = (await app.inject({ ...request, headers })).json()
    return { id: id as number, statements: seen.splice(0) }
  }
  try {
    const { id: createdId, statements: create } = await record({ method: 'POST', url: '/api/graphs', payload })
    return {
      one: (await record({ method: 'GET', url: '/api/graphs/7777' })).statements,
      page: (await record({ method: 'GET', url: '/api/graphs?size=20' })).statements,
      create,
      createdId
    }
  } finally {
    pg.Client.prototype.query = query
    await app.close()
    await store.close()
  }
}
