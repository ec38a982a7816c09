import { randomUUID } from 'node:crypto'
import t from 'tap'
import { system } from '../db/actors.ts'
import { createApiToken } from '../db/api-tokens.ts'
import { grantAccess, revokeAccess } from '../db/grants.ts'
import { createLink } from '../db/links.ts'
import type { Store } from '../db/store.ts'
import { requireUser } from '../db/users.ts'
import { build, problem, type Reply, triangle } from './helper.ts'
import { addressOf, good, makeSession, operations } from './operations.ts'

// The rights of every role in every operation of the OpenAPI document, for every kind of graph. Fails for operations
// without a valid request here.

/** All callers except `anonymous` are logged in; graphs belong to ada. */
const callers = {
  anonymous: undefined,
  owner: 'ada',
  'a writer': 'will',
  'a reader': 'rita',
  'a writer by a group': 'wanda',
  'a reader by a group': 'rob',
  'a former writer': 'fritz',
  'a former writer by a group': 'greta',
  other: 'bob',
  auditor: 'audrey',
  administrator: 'root'
}
type Caller = keyof typeof callers
type Kind = 'private' | 'shared' | 'none'
const everybody = Object.keys(callers) as Caller[]

/** The rights of each caller to a graph that only grants give to others. */
const rights: Partial<Record<Caller, 'OWNER' | 'WRITE' | 'READ'>> = {
  owner: 'OWNER',
  administrator: 'OWNER',
  'a writer': 'WRITE',
  'a writer by a group': 'WRITE',
  'a reader': 'READ',
  'a reader by a group': 'READ'
}

const reading = [
  'getGraph',
  'getGraphContent',
  'listVersions',
  'getVersion',
  'getVersionContent',
  'diffVersions',
  'compareFile',
  'getSubgraph',
  'postSubgraph',
  'getSummary',
  'getPictureAsSvg',
  'getPictureAsPng',
  'listViews'
]
const writing = [
  'updateGraph',
  'patchGraph',
  'putGraphContent',
  'patchGraphContent',
  'restoreVersion',
  'saveView',
  'removeView'
]
/** All other operations on a graph are for owners. */
const neededRights = (operationId: string) =>
  reading.includes(operationId)
    ? ['OWNER', 'WRITE', 'READ']
    : writing.includes(operationId)
      ? ['OWNER', 'WRITE']
      : ['OWNER']

/** The roles that may call an operation at all. */
function roles(path: string, method: string): Caller[] {
  if (path.startsWith('/api/links/')) return everybody
  if (['/healthz', '/readyz', '/api/authenticate', '/api/session', '/api/sign-in'].includes(path)) return everybody
  if (path.startsWith('/api/oidc/')) return everybody
  const isAdministration = path.startsWith('/api/users') || (path.startsWith('/api/groups') && method !== 'get')
  if (path === '/metrics' || isAdministration) return ['administrator']
  if (path.startsWith('/management/')) return ['administrator', 'auditor']
  return everybody.filter((caller) => caller !== 'anonymous')
}

/** The right of the caller to a graph of this kind, or to one in the trash; undefined if they must not notice it. */
function rightOf(caller: Caller, kind: Kind, isTrashed: boolean) {
  if (kind === 'none') return undefined
  const right = rights[caller] ?? (kind === 'shared' ? 'READ' : undefined)
  return isTrashed && right !== 'OWNER' ? undefined : right
}

/** The status of a valid request: a number, or `done`, which is any success. */
function expected(
  { operationId, path, method }: (typeof operations)[number],
  caller: Caller,
  kind: Kind
): number | 'done' {
  if (!roles(path, method).includes(caller)) return caller === 'anonymous' ? 401 : 403
  if (operationId === 'authenticate' || operationId === 'startSession') return 401
  if (operationId === 'openLink') return 404
  // These take the tokens of links only.
  if (path.startsWith('/api/links/')) return 401
  if (operationId === 'changePassword' || operationId === 'confirmSecondFactor') return 400
  if (operationId === 'renewRecoveryCodes') return 409
  // The server has no identity provider.
  if (path.startsWith('/api/oidc/') || operationId === 'startLinking') return 404
  const isAboutTrash = path.startsWith('/api/trash/{id}')
  if (!path.startsWith('/api/graphs/{id}') && operationId !== 'updateGraph' && !isAboutTrash) return 'done'
  const right = rightOf(caller, kind, isAboutTrash)
  // Purged and hidden graphs count as missing, and deleting a missing one succeeds.
  if (right === undefined) return operationId === 'deleteGraph' ? 'done' : 404
  return neededRights(operationId).includes(right) ? 'done' : 403
}

/** Makes a token of the user. Returns its id. */
async function makeToken(store: Store, login: string) {
  const values = { name: 'to be revoked', scopes: ['read:graphs'], expiresAt: new Date(Date.now() + 1e6) } as const
  const { id } = await store.write(async (trx) => createApiToken(trx, system, await requireUser(trx, login), values))
  return id
}

/** Makes a link to the graph. Returns its id. */
async function makeLink(store: Store, graphId: number) {
  return (await store.write((trx) => createLink(trx, system, graphId, {}))).id
}

/** The stored state of a graph. */
async function stateOf(store: Store, id: number) {
  const graph = await store.read.selectFrom('graph').selectAll().where('id', '=', id).executeTakeFirst()
  const trash = await store.read.selectFrom('trash').selectAll().where('id', '=', id).executeTakeFirst()
  const links = await store.read.selectFrom('link').selectAll().where('graphId', '=', id).execute()
  const grants = await store.read.selectFrom('graphGrant').selectAll().where('graphId', '=', id).execute()
  return { graph, trash, links, grants: grants.map((grant) => JSON.stringify(grant)).sort() }
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

for (const operation of operations) {
  const { path, method, operationId, security } = operation
  t.test(`${method.toUpperCase()} ${path}: the roles of the matrix, and no others`, async (t) => {
    const { as, store, tokenOf } = await build(t)
    const request = good[operationId]
    if (!request) return t.fail(`${operationId} needs a good request`)
    const ways =
      method === 'get' && path.startsWith('/api/links/')
        ? [['bearer']]
        : roles(path, method).includes('anonymous')
          ? []
          : [['bearer'], ['session']]
    t.same(security.map(Object.keys), ways, 'as documented')
    const links = new Map<number, number>()
    const isAboutGraph =
      path.startsWith('/api/graphs/{id}') || path.startsWith('/api/trash/') || operationId === 'updateGraph'

    /** Gives each caller their right, and takes those of the former ones away. */
    async function grantAll(id: number) {
      const grants = [
        ['USER', 'will', 'WRITE'],
        ['USER', 'rita', 'READ'],
        ['USER', 'fritz', 'WRITE'],
        ['GROUP', 'writers', 'WRITE'],
        ['GROUP', 'readers', 'READ'],
        ['GROUP', 'former', 'WRITE']
      ] as const
      await store.write(async (trx) => {
        for (const [granteeType, name, access] of grants) {
          await grantAccess(trx, system, id, { granteeType, name }, access)
        }
        await revokeAccess(trx, system, id, { granteeType: 'USER', name: 'fritz' })
        await revokeAccess(trx, system, id, { granteeType: 'GROUP', name: 'former' })
      })
    }
    async function makeGroups() {
      for (const login of ['will', 'rita', 'fritz']) await tokenOf(login)
      for (const [name, member] of [
        ['writers', 'wanda'],
        ['readers', 'rob'],
        ['former', 'greta']
      ] as const) {
        await tokenOf(member)
        await as('root').post('/api/groups', { name })
        await as('root').put(`/api/groups/${name}/members/${member}`)
      }
    }
    async function graphOf(kind: Kind) {
      const { body } = await as('ada').post('/api/graphs', { ...triangle, shared: kind === 'shared' })
      await as('ada').patch(`/api/graphs/${body.id}`, { name: 'Second version' })
      await grantAll(body.id)
      if (path.includes('{linkId}')) links.set(body.id, await makeLink(store, body.id))
      if (path.startsWith('/api/trash')) await as('ada').delete(`/api/graphs/${body.id}`)
      return body.id as number
    }
    async function ask(caller: Caller, id: number) {
      const [login, group] = [`somebody${id}`, `group${id}`]
      if (path.includes('{login}')) {
        await as('root').post('/api/users', { login, password: 'a new one for all', role: 'USER' })
      }
      if (path.includes('{name}')) await as('root').post('/api/groups', { name: group })
      const holder = path.includes('{login}') ? login : callers[caller]
      if (callers[caller] !== undefined) await tokenOf(callers[caller])
      const token = path.includes('{tokenId}') && holder ? await makeToken(store, holder) : 0
      const link = links.get(id)
      const session = path.includes('{sessionId}') && holder ? await makeSession(store, holder) : randomUUID()
      const url = addressOf(operation, { id, login, group, token, session, ...(link && { link }) })
      const client = as(callers[caller])
      if (operationId === 'getIdentity') {
        await as('root').put(`/api/users/${login}/identity`, { issuer: 'https://login.example.org', subject: caller })
      }
      const body = request?.body?.({ id, login, group })
      if (method === 'get') return client.get(url)
      if (method === 'delete') return client.delete(url, request?.headers)
      return client[method as 'post'](url, body, request?.headers)
    }

    if (isAboutGraph) await makeGroups()
    for (const caller of everybody) {
      const answers: Partial<Record<Kind, ReturnType<typeof look>>> = {}
      for (const kind of isAboutGraph ? (['private', 'shared', 'none'] as const) : (['shared'] as const)) {
        const id = kind === 'none' ? 7_000_000 : isAboutGraph ? await graphOf(kind) : 1
        if (operationId === 'getMyGraphByKey' && callers[caller]) {
          await as(callers[caller]).post('/api/graphs', { name: 'Mine', key: 'nightly' })
        }
        if (operationId === 'getAudit') await as('ada').post('/api/graphs', triangle)
        const before = await stateOf(store, id)
        const reply = await ask(caller, id)
        const wanted = expected(operation, caller, kind)
        const name = `${caller}, ${kind}: ${reply.status}`
        if (wanted === 'done') t.ok(reply.status >= 200 && reply.status < 300, name)
        else t.match(reply, { ...problem(wanted, ''), body: { status: wanted, code: String } }, name)
        const right = rightOf(caller, kind, path.startsWith('/api/trash'))
        const mayChange = wanted === 'done' && right !== undefined && !reading.includes(operationId)
        if (isAboutGraph && !mayChange) t.same(await stateOf(store, id), before, `${name}, and nothing has changed`)
        answers[kind] = look(reply, id)
      }
      if (isAboutGraph && rightOf(caller, 'private', path.startsWith('/api/trash')) === undefined) {
        t.same(answers.private, answers.none, `${caller}: a private graph is as good as none, in every header and word`)
      }
    }
  })
}
