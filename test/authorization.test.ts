import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import type { Store } from '../db/store.ts'
import { build, problem, type Reply, triangle } from './helper.ts'

// The rights of every role in every operation of the OpenAPI document, for every kind of graph. Fails for operations
// without a valid request here.

const checkedIn = readFileSync(join(import.meta.dirname, '..', 'openapi.json'), 'utf8')
const document = JSON.parse(checkedIn) as {
  paths: Record<string, Record<string, { operationId: string; security: object[] }>>
}
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, { operationId, security }]) => ({ path, method, operationId, security }))
)

type Target = { id: number; login: string }
const file = JSON.stringify({ graph: { nodes: { a: {} }, edges: [] } })
/** The header that a browser sends from a page of the server. */
const samePage = { 'sec-fetch-site': 'same-origin' }
const jgf = { 'content-type': 'application/vnd.jgf+json' }
const good: Record<string, { query?: string; body?: (target: Target) => unknown; headers?: Record<string, string> }> = {
  isAlive: {},
  isReady: {},
  authenticate: { body: () => ({ username: 'nobody', password: 'no password of anybody' }) },
  startSession: { body: () => ({ username: 'nobody', password: 'no password of anybody' }), headers: samePage },
  getSession: {},
  endSession: { headers: samePage },
  getAccount: {},
  changePassword: { body: () => ({ currentPassword: 'not the current one', newPassword: 'a new one for all' }) },
  endMySessions: {},
  createGraph: { body: () => triangle },
  updateGraph: { body: ({ id }) => ({ id, name: 'Replaced' }) },
  listGraphs: {},
  patchGraph: { body: () => ({ name: 'Patched' }) },
  getGraph: {},
  deleteGraph: {},
  getGraphContent: {},
  putGraphContent: { body: () => file, headers: jgf },
  importGraph: { body: () => file, headers: jgf },
  listMyGraphs: {},
  listVersions: {},
  getVersion: {},
  getVersionContent: {},
  restoreVersion: { body: () => ({ version: 1 }) },
  diffVersions: {},
  compareFile: { body: () => file, headers: jgf },
  listTrash: {},
  restoreTrashed: {},
  purgeTrashed: {},
  listUsers: {},
  createUser: { body: () => ({ login: `u${Math.random()}`, password: 'a new one for all', role: 'USER' }) },
  getUser: {},
  updateUser: { body: () => ({ role: 'AUDITOR' }) },
  deleteUser: {},
  listAudits: {},
  getAudit: {},
  auditActivity: { query: '?fromDate=2026-11-01&toDate=2026-11-30' },
  readMetrics: {}
}

/** All callers except `anonymous` are logged in; graphs belong to ada. */
const callers = { anonymous: undefined, owner: 'ada', other: 'bob', auditor: 'audrey', administrator: 'root' }
type Caller = keyof typeof callers
type Kind = 'private' | 'shared' | 'none'

const reading = [
  'getGraph',
  'getGraphContent',
  'listVersions',
  'getVersion',
  'getVersionContent',
  'diffVersions',
  'compareFile'
]

/** The roles that may call an operation at all, by path. */
function roles(path: string): Caller[] {
  if (['/healthz', '/readyz', '/api/authenticate', '/api/session'].includes(path))
    return Object.keys(callers) as Caller[]
  if (path === '/metrics' || path.startsWith('/api/users')) return ['administrator']
  if (path.startsWith('/management/')) return ['administrator', 'auditor']
  return ['owner', 'other', 'auditor', 'administrator']
}

/** The status of a valid request: a number, or `done`, which is any success. */
function expected(operationId: string, path: string, caller: Caller, kind: Kind): number | 'done' {
  if (!roles(path).includes(caller)) return caller === 'anonymous' ? 401 : 403
  if (operationId === 'authenticate' || operationId === 'startSession') return 401
  if (operationId === 'changePassword') return 400
  const isAboutGraph = path.startsWith('/api/graphs/{id}') || operationId === 'updateGraph'
  const isAboutTrash = path.startsWith('/api/trash/{id}')
  if (!isAboutGraph && !isAboutTrash) return 'done'
  const mayWrite = caller === 'owner' || caller === 'administrator'
  // Purged and hidden graphs count as missing, and deleting a missing one succeeds.
  const maySee = kind !== 'none' && (mayWrite || (kind === 'shared' && isAboutGraph))
  if (!maySee) return operationId === 'deleteGraph' ? 'done' : 404
  return mayWrite || reading.includes(operationId) ? 'done' : 403
}

/** The stored state of a graph. */
async function stateOf(store: Store, id: number) {
  const graph = await store.read.selectFrom('graph').selectAll().where('id', '=', id).executeTakeFirst()
  const trash = await store.read.selectFrom('trash').selectAll().where('id', '=', id).executeTakeFirst()
  return { graph, trash }
}

/** The parts of an answer that a client can compare. */
function look({ status, headers, text }: Reply, id: number) {
  const { 'x-request-id': _, date: __, ...rest } = headers
  const shown = text.replaceAll(/urn:uuid:[0-9a-f-]+/g, '').replaceAll(new RegExp(`\\b${id}\\b`, 'g'), 'ID')
  return { status, headers: rest, text: shown }
}

t.test('every operation has a valid request here', async (t) => {
  t.same(operations.map(({ operationId }) => operationId).sort(), Object.keys(good).sort())
})

for (const { path, method, operationId, security } of operations) {
  t.test(`${method.toUpperCase()} ${path}: the roles of the matrix, and no others`, async (t) => {
    const { as, store } = await build(t)
    const request = good[operationId]
    if (!request) return t.fail(`${operationId} needs a good request`)
    t.same(security, roles(path).includes('anonymous') ? [] : [{ bearer: [] }, { session: [] }], 'as documented')
    const isAboutGraph =
      path.startsWith('/api/graphs/{id}') || path.startsWith('/api/trash/') || operationId === 'updateGraph'

    async function graphOf(kind: Kind) {
      const { body } = await as('ada').post('/api/graphs', { ...triangle, shared: kind === 'shared' })
      await as('ada').patch(`/api/graphs/${body.id}`, { name: 'Second version' })
      if (path.startsWith('/api/trash')) await as('ada').delete(`/api/graphs/${body.id}`)
      return body.id as number
    }
    async function ask(caller: Caller, id: number) {
      const login = `somebody${id}`
      if (path.includes('{login}')) {
        await as('root').post('/api/users', { login, password: 'a new one for all', role: 'USER' })
      }
      const address = path.replace('{id}', String(id)).replace('{version}', '1').replace('{login}', login)
      const url = `${address}${request?.query ?? ''}`
      const client = as(callers[caller])
      const body = request?.body?.({ id, login })
      if (method === 'get') return client.get(url)
      if (method === 'delete') return client.delete(url, request?.headers)
      return client[method as 'post'](url, body, request?.headers)
    }

    for (const caller of Object.keys(callers) as Caller[]) {
      const answers: Partial<Record<Kind, ReturnType<typeof look>>> = {}
      for (const kind of isAboutGraph ? (['private', 'shared', 'none'] as const) : (['shared'] as const)) {
        const id = kind === 'none' ? 7_000_000 : isAboutGraph ? await graphOf(kind) : 1
        if (operationId === 'getAudit') await as('ada').post('/api/graphs', triangle)
        const before = await stateOf(store, id)
        const reply = await ask(caller, id)
        const wanted = expected(operationId, path, caller, kind)
        const name = `${caller}, ${kind}: ${reply.status}`
        if (wanted === 'done') t.ok(reply.status >= 200 && reply.status < 300, name)
        else t.match(reply, { ...problem(wanted, ''), body: { status: wanted, code: String } }, name)
        const { graph, trash } = await stateOf(store, id)
        const mayChange = wanted === 'done' && (caller === 'owner' || caller === 'administrator')
        if (isAboutGraph && !mayChange) t.same({ graph, trash }, before, `${name}, and nothing has changed`)
        answers[kind] = look(reply, id)
      }
      if (isAboutGraph && caller !== 'owner' && caller !== 'administrator') {
        t.same(answers.private, answers.none, `${caller}: a private graph is as good as none, in every header and word`)
      }
    }
  })
}
