import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { exactly, fetched, logIn, mixOf } from './client.ts'
import { smallNetwork } from './graphs.ts'
import { type Answer, ask, type Exchange, load, requestOf } from './load.ts'
import { measure, median } from './measure.ts'
import { EXECUTABLE, PASSWORD, type Server, start, startExecutable, startProgram } from './processes.ts'
import { seed } from './seed.ts'
import { compared, type Line } from './table.ts'

const GRAPHS = 10_000
const GETS = 30_000
const STARTS = 5
const plan = { connections: 64, rounds: 5, duration: 2000, warmUp: 2000, alone: true }

/** A program and its API for graphs. */
interface Peer {
  name: string
  start(data: string, options?: { pinned: boolean }): Promise<Server>
  /** Prepares a new store before the first start. */
  prepare(data: string): unknown
  /** Signs in the owner of all graphs. Returns the token, and a new record's fields other than its name and graph. */
  signIn(server: Server): Promise<{ token: string; fields: object }>
  records: string
  graphField: string
  page: string
  pageWithoutTotal: string
  total(page: Answer): number
}

const graphstead: Peer = {
  name: 'Graphstead',
  start: (data, options) => startProgram(data, 'Graphstead', options),
  prepare: (data) => seed(data, { graphs: 0, users: 1, events: 0, shared: 0 }),
  signIn: async (server) => ({ token: await logIn(server, 'user1'), fields: { type: 'LINE' } }),
  records: '/api/graphs',
  graphField: 'content',
  page: '?size=20',
  pageWithoutTotal: '?size=20&cursor=',
  total: ({ head }) => Number(/^x-total-count: (\d+)/im.exec(String(head))?.[1])
}

function pocketBase(path: string, name: string): Peer {
  const credentials = { identity: 'user@example.org', password: PASSWORD }
  const superuser = ['superuser', 'upsert', credentials.identity, PASSWORD]
  return {
    name,
    start: (data, options) =>
      start(name, path, (port) => ['serve', '--http', `127.0.0.1:${port}`, '--dir', data], {
        path: '/api/health',
        ...options
      }),
    prepare: (data) => execFileSync(path, [...superuser, '--dir', data], { stdio: 'ignore' }),
    async signIn({ port }) {
      async function post(to: string, content: object, token = '') {
        const request = requestOf('POST', `/api/collections${to}`, { token, body: JSON.stringify(content) })
        return parsed(await ask(port, exactly(request, 200)))
      }
      const admin = await post('/_superusers/auth-with-password', credentials)
      const user = { email: credentials.identity, password: PASSWORD, passwordConfirm: PASSWORD }
      const { id: owner, collectionId } = await post('/users/records', user, admin.token)
      const rule = 'owner = @request.auth.id'
      const collection = {
        ...{ name: 'graphs', type: 'base', listRule: rule, viewRule: rule, createRule: rule, updateRule: rule },
        indexes: ['CREATE INDEX graphs_owner ON graphs (owner)'],
        fields: [
          { name: 'name', type: 'text' },
          { name: 'graph', type: 'json' },
          { name: 'owner', type: 'relation', collectionId, maxSelect: 1 },
          { name: 'created', type: 'autodate', onCreate: true },
          { name: 'updated', type: 'autodate', onCreate: true, onUpdate: true }
        ]
      }
      await post('', collection, admin.token)
      const { token } = await post('/users/auth-with-password', credentials)
      return { token, fields: { owner } }
    },
    records: '/api/collections/graphs/records',
    graphField: 'graph',
    page: '?perPage=20',
    pageWithoutTotal: '?perPage=20&skipTotal=1',
    total: (page) => parsed(page).totalItems
  }
}

function parsed({ body }: Answer) {
  return JSON.parse(String(body))
}

type Store = Awaited<ReturnType<typeof fill>>

/** Fills a new store, and returns the requests to send to it. */
async function fill(peer: Peer, data: string) {
  const { records, graphField } = peer
  await peer.prepare(data)
  const server = await peer.start(data)
  const { token, fields } = await peer.signIn(server)
  /** Expects a record with this graph. */
  function exchange(method: string, path: string, graph: object, content?: object): Exchange {
    return {
      request: requestOf(method, path, { token, ...(content && { body: JSON.stringify(content) }) }),
      check: (answer) =>
        answer.status < 300 && isDeepStrictEqual(parsed(answer)[graphField], graph)
          ? undefined
          : `status ${answer.status}, or a different graph`
    }
  }
  let created = 0
  function create() {
    const graph = smallNetwork(++created)
    return exchange('POST', records, graph, { name: `Line ${created}`, [graphField]: graph, ...fields })
  }
  const createOne = async () => parsed(await ask(server.port, create())).id
  const next = () => (created < GRAPHS - 2 ? create() : undefined)
  await load({ port: server.port, connections: 64, duration: Number.POSITIVE_INFINITY, next })
  const id = await createOne()
  await ask(server.port, exchange('GET', `${records}/${id}`, smallNetwork(created)))
  // The mix renames a graph that it does not fetch, so that the expected bodies stay the same.
  const renamed = await createOne()
  const { get } = await fetched(server, `${records}/${id}`, token)
  const { get: list } = await fetched(server, records + peer.page, token)
  const { get: listWithoutTotal } = await fetched(server, records + peer.pageWithoutTotal, token)
  let name = 0
  const rename = () => exchange('PATCH', `${records}/${renamed}`, smallNetwork(GRAPHS), { name: `Line ${++name}` })
  async function verify(server: Server) {
    const total = peer.total((await fetched(server, records + peer.page, token)).answer)
    if (total !== created) throw new Error(`${peer.name}: ${created} acknowledged, ${total} present`)
  }
  await server.stop()
  const requests = {
    get: () => get,
    list: () => list,
    listWithoutTotal: () => listWithoutTotal,
    mix: mixOf(get, list, rename),
    create
  }
  return { peer, data, requests, verify }
}

/**
 * Compares Graphstead with the PocketBase executable at this path and, if it exists, with the variant whose path ends in
 * `-full`.
 */
export async function peers(folder: string, path: string | undefined): Promise<Line[]> {
  if (path === undefined) throw new Error('--only peers needs --pocketbase PATH: see "Peers" in bench/README.md')
  const version = /\S+$/.exec(execFileSync(path, ['--version'], { encoding: 'utf8' }).trim())
  const name = `PocketBase ${version}`
  console.log(`${new Date().toISOString().slice(0, 10)}; ${name}`)
  const ours = await fill(graphstead, join(folder, 'graphstead'))
  const theirs = await fill(pocketBase(path, name), join(folder, 'pocketbase'))
  const stores = [ours, theirs]
  const full = `${path}-full`
  if (existsSync(full)) stores.push(await fill(pocketBase(full, `${name}, synchronous=FULL`), join(folder, 'full')))
  const lines = await startUps(ours, theirs)
  const all = await Promise.all(stores.map(async (store) => ({ ...store, server: await store.peer.start(store.data) })))
  const two = all.slice(0, 2)
  async function compare(path: string, some: typeof all, request: keyof Store['requests'], connections = 64) {
    const contenders = some.map(({ server, requests }) => ({ server, next: requests[request] }))
    const [ours, ...theirs] = await measure(contenders, { ...plan, connections })
    if (ours) lines.push(...theirs.map((other) => compared(path, [ours, other], 'rate', {}, other.server)))
  }
  try {
    const sizes: number[] = []
    for (const side of two) sizes.push(await memoryAfterGets(side))
    lines.push(lineOf(`memory after ${GETS.toLocaleString('en')} GETs`, sizes.slice(0, 1), sizes.slice(1), 'MiB', name))
    const list = `list of 20 of ${GRAPHS.toLocaleString('en')} graphs`
    await compare('GET of a graph', two, 'get')
    await compare(`${list}, with the total`, two, 'list')
    await compare(`${list}, without the total`, two, 'listWithoutTotal')
    await compare('70 % GET, 20 % list with the total, 10 % PATCH', two, 'mix')
    await compare('POST, 64 connections', all, 'create')
    await compare('POST, 1 connection', all, 'create', 1)
    for (const { server, verify } of all) await verify(server)
    return lines
  } finally {
    for (const { server } of all) await server.stop()
  }
}

async function memoryAfterGets({ server, requests }: Store & { server: Server }) {
  let left = GETS
  const next = () => (left-- > 0 ? requests.get() : undefined)
  await load({ port: server.port, connections: 64, duration: Number.POSITIVE_INFINITY, next })
  return server.resident()
}

/** Measures start-up times on all cores, since nothing else runs, and memory use one second after each start. */
async function startUps(ours: Store, theirs: Store): Promise<Line[]> {
  const programOf = (start: () => Promise<Server>) => ({ start, times: [] as number[], sizes: [] as number[] })
  const peer = programOf(() => theirs.peer.start(theirs.data, { pinned: false }))
  const source = programOf(() => ours.peer.start(ours.data, { pinned: false }))
  const executable = programOf(() => startExecutable(ours.data))
  const isBuilt = existsSync(join(import.meta.dirname, '..', EXECUTABLE))
  for (let round = 0; round < STARTS; round++) {
    for (const { start, times, sizes } of [peer, source, ...(isBuilt ? [executable] : [])]) {
      const began = performance.now()
      const server = await start()
      times.push(performance.now() - began)
      await sleep(1000)
      sizes.push(server.resident())
      await server.stop()
    }
  }
  const linesOf = ({ times, sizes }: typeof peer, prefix = '') => [
    lineOf(`${prefix}start to ready`, times, peer.times, 'ms', theirs.peer.name),
    lineOf(`${prefix}memory at rest`, sizes, peer.sizes, 'MiB', theirs.peer.name)
  ]
  return [...linesOf(source), ...(isBuilt ? linesOf(executable, 'the executable: ') : [])]
}

function lineOf(path: string, ours: number[], theirs: number[], unit: string, name: string): Line {
  const [first, second] = [median(ours), median(theirs)]
  const shown = `${name}: ${Math.round(second)} ${unit}`
  return { path, ours: `${Math.round(first)} ${unit}`, theirs: shown, ratio: first / second, aim: {} }
}
