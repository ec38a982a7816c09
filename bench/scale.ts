import { join } from 'node:path'
import { openSqlite } from '../db/engine/sqlite/store.ts'
import { findUser } from '../db/users/users.ts'
import { buildApp } from '../plugins/app.ts'
import { readConfig } from '../src/settings/config.ts'
import { readTokenKey } from '../src/settings/token-key.ts'
import { startThread } from '../src/system/assets.ts'
import { program } from '../src/system/program.ts'
import { exactly, logIn } from './client.ts'
import { seeded } from './graphs.ts'
import { ask, type Exchange, requestOf } from './load.ts'
import { measure } from './measure.ts'
import { type Server, startProgram } from './processes.ts'
import { type Amounts, DAYS, LAST_DAY, seed } from './seed.ts'
import { compared, type Line } from './table.ts'

const plan = { connections: 16, rounds: 5, duration: 800, warmUp: 1500 }

/** In both stores, every user sees 20 graphs: ten of their own and ten shared ones. */
const few: Amounts = { graphs: 1000, users: 100, events: 5000, shared: 10 }
const many: Amounts = { graphs: 1_000_000, users: 100_000, events: 5_000_000, shared: 10 }
/**
 * The number of requests of each kind, which is more than the server caches. In the small store, many of them are identical.
 */
const DIFFERENT = 20_000
const USERS = 2000
const DAY = 24 * 60 * 60 * 1000

/** Measures the same requests on a thousand and on a million graphs. Their cost must not grow. */
export async function scale(folder: string): Promise<Line[]> {
  const [small, large] = [join(folder, 'few'), join(folder, 'many')]
  await seed(small, few)
  const rate = await seed(large, many)
  const [fewTokens, manyTokens] = [await tokensOf(small, few), await tokensOf(large, many)]
  const servers = [await startProgram(small, '1,000 graphs'), await startProgram(large, '1,000,000 graphs')]
  const [smaller, larger] = servers as [Server, Server]
  try {
    const fewer = await requests(smaller, few, fewTokens)
    const more = await requests(larger, many, manyTokens)
    const lines: Line[] = [
      {
        path: 'bench/seed.ts',
        ours: `${many.graphs.toLocaleString('en')} graphs, ${many.events.toLocaleString('en')} events`,
        ratio: rate,
        aim: { least: 50_000, unit: 'rows/s' }
      }
    ]
    for (const path of Object.keys(more) as (keyof typeof more)[]) {
      const both = [
        { server: larger, next: more[path] },
        { server: smaller, next: fewer[path] }
      ] as const
      const what = `${path}, 1,000,000 graphs and 5,000,000 events: p50`
      lines.push(compared(what, await measure(both, plan), 'p50', { most: 1.25 }, '1,000 and 5,000'))
    }
    for (const path of ['/api/graphs', '/management/audits']) {
      const [deep, first] = await cursors(larger, path)
      const both = [
        { server: larger, next: deep },
        { server: larger, next: first }
      ] as const
      const what = `GET ${path}?cursor= after 900,000 rows: p50`
      lines.push(compared(what, await measure(both, plan), 'p50', { most: 1.25 }, 'after 1,000 rows'))
    }
    return lines
  } finally {
    for (const server of servers) await server.stop()
  }
}

/** Signs tokens as the server does, without the deliberately slow sign-in. */
async function tokensOf(folder: string, { users }: Amounts) {
  const store = await openSqlite(join(folder, 'graphstead.db'), startThread)
  const app = await buildApp(readConfig([], {}), { program, store, tokenKey: readTokenKey(folder, undefined) })
  await app.ready()
  const tokens: string[] = []
  // The first users own fewer graphs, because the shared graphs belong to the administrator.
  for (let user = 12; user <= Math.min(users, USERS); user++) {
    const row = await findUser(store.read, `user${user}`)
    if (row) tokens.push(app.issueToken(row, false).token)
  }
  await app.close()
  await store.close()
  return tokens
}

/** Returns requests from several users, spread over the store. */
async function requests(server: Server, { graphs, events }: Amounts, tokens: string[]) {
  const random = seeded()
  const admin = await logIn(server, 'admin')
  const token = () => tokens[Math.floor(random() * tokens.length)] as string
  const id = (count: number) => 1 + Math.floor(random() * count)
  const day = (time: number) => new Date(time).toISOString().slice(0, 10)
  return {
    'GET /api/graphs/{id}': varied(() => [`/api/graphs/${id(graphs)}`, admin], 1),
    'GET /api/graphs': varied(() => ['/api/graphs', token()], 20),
    'GET /api/mygraphs': varied(() => ['/api/mygraphs', token()], 20),
    'GET /management/audits': varied(() => ['/management/audits', admin], 20),
    'GET /management/audits?fromDate&toDate': varied(() => {
      // The period has the same number of days for both stores, although one has a thousand times as many events.
      const from = LAST_DAY - DAYS * DAY + Math.floor(random() * (DAYS - 40)) * DAY
      return [`/management/audits?fromDate=${day(from)}&toDate=${day(from + 30 * DAY)}`, admin]
    }, 20),
    'GET /management/audits/{id}': varied(() => [`/management/audits/${id(events)}`, admin], 1)
  }
}

/** Returns a series of different requests, each of which returns `records` records. */
function varied(make: () => [path: string, token: string], records: number) {
  const exchanges = Array.from({ length: DIFFERENT }, (): Exchange => {
    const [path, token] = make()
    return {
      request: requestOf('GET', path, { token }),
      check({ status, body }) {
        if (status !== 200) return `status ${status} instead of 200`
        const found = body.toString().match(/"(?:updatedAt|outcome)":/g)?.length
        return found === records ? undefined : `${found} records instead of ${records}`
      }
    }
  })
  let turn = 0
  return () => exchanges[turn++ % exchanges.length] as Exchange
}

/** Returns requests that use a cursor: one for a page deep in the list, and one for a page near its beginning. */
async function cursors(server: Server, path: string) {
  const token = await logIn(server, 'admin')
  const after = async (page: number) => {
    const request = requestOf('GET', `${path}?size=20&page=${page}`, { token })
    const { head } = await ask(server.port, exactly(request, 200))
    const cursor = /^x-next-cursor: (.*)$/im.exec(String(head))?.[1]
    return varied(() => [`${path}?size=20&cursor=${cursor}`, token], 20)
  }
  return [await after(45_000), await after(50)] as const
}
