import t from 'tap'
import { system } from '../db/actors.ts'
import { createApiToken } from '../db/api-tokens.ts'
import { linkIdentity } from '../db/identities.ts'
import { createLink } from '../db/links.ts'
import type { Store } from '../db/store.ts'
import { tablesWith } from '../db/tables.ts'
import { requireUser } from '../db/users.ts'
import { type Scope, scopes } from '../schemas/api-token.ts'
import { rowsOf } from './consistency.ts'
import { addUser, build, events, problem, type Reply, triangle } from './helper.ts'
import { addressOf, good, makeSession, operations } from './operations.ts'

// Every operation of the OpenAPI document, for every state of a program's token.

/** The operations that each scope allows. All others refuse tokens, but for the public ones. */
const allowed: Record<Scope | 'any', string[]> = {
  any: ['getAccount'],
  'read:graphs': [
    'listGraphs',
    'listMyGraphs',
    'getGraph',
    'getGraphContent',
    'getMyGraphByKey',
    'listVersions',
    'getVersion',
    'getVersionContent',
    'diffVersions',
    'compareFile',
    'listTrash',
    'listTags',
    'search',
    'getSubgraph',
    'postSubgraph',
    'getSummary',
    'getPictureAsSvg',
    'getPictureAsPng',
    'listAccess',
    'listViews'
  ],
  'write:graphs': [
    'createGraph',
    'updateGraph',
    'patchGraph',
    'deleteGraph',
    'putGraphContent',
    'patchGraphContent',
    'putMyGraphContent',
    'importGraph',
    'restoreVersion',
    'restoreTrashed',
    'purgeTrashed',
    'grantToUser',
    'revokeFromUser',
    'grantToGroup',
    'revokeFromGroup',
    'saveView',
    'removeView',
    'listLinks',
    'createLink',
    'updateLink',
    'revokeLink'
  ],
  'read:audits': [
    'listAudits',
    'getAudit',
    'auditActivity',
    'getAuditCheckpoint',
    'getAuditKey',
    'getAuditConsistency',
    'getAuditProof',
    'exportAudits',
    'readMetrics'
  ],
  'read:users': ['listUsers', 'getUser', 'getIdentity', 'listGroups', 'getGroup'],
  'write:users': [
    'createUser',
    'updateUser',
    'deleteUser',
    'linkIdentity',
    'unlinkIdentity',
    'createGroup',
    'updateGroup',
    'deleteGroup',
    'addMember',
    'removeMember'
  ]
}
/** Operations that take the tokens of links, and no others. */
const isOfLink = ['getLinkedGraph', 'getLinkedContent', 'getLinkedPictureAsSvg', 'getLinkedPictureAsPng']
const isPublic = [
  ...['isAlive', 'isReady', 'authenticate', 'startSession', 'getSession', 'endSession', 'openLink'],
  ...['getSignInWays', 'startSignIn', 'finishSignIn', 'endProviderSessions']
]
/** Operations of administrators, and of auditors. */
const isAdministration = /^\/api\/users|^\/management|^\/metrics/
const scopeOf = (operationId: string) =>
  (Object.keys(allowed) as (keyof typeof allowed)[]).find((scope) => allowed[scope].includes(operationId))

/** The scopes with which a token may do it, each alone. */
function sufficient(needed: Scope | 'any'): Scope[] {
  return scopes.filter((scope) => needed === 'any' || scope === needed || scope === needed.replace('read:', 'write:'))
}

/** Makes a token of the user. Returns its text. */
async function tokenWith(store: Store, login: string, granted: readonly Scope[]) {
  const values = { name: 'a script', scopes: granted, expiresAt: new Date(Date.now() + 1e6) }
  return store.write(async (trx) => createApiToken(trx, system, await requireUser(trx, login), values))
}

/** Links the user with an identity. */
async function linkAt(store: Store, login: string) {
  const person = { issuer: 'https://login.example.org', subject: login }
  await store.write(async (trx) => linkIdentity(trx, system, await requireUser(trx, login), person))
}

/** Everything but the trail, and the days on which tokens were used. */
const unchanged = tablesWith({ rows: 'records' }).filter((table) => !/^(auditEvent|apiToken)$/.test(table))

t.test('the document names the scope of each operation', async (t) => {
  for (const { operationId, security } of operations) {
    const scope = scopeOf(operationId)
    const bearer = scope === undefined || scope === 'any' ? [] : [scope]
    const own = isOfLink.includes(operationId) ? [{ bearer: [] }] : [{ bearer }, { session: [] }]
    t.same(security, isPublic.includes(operationId) ? [] : own, operationId)
  }
  const known = operations.map(({ operationId }) => operationId)
  t.same(
    Object.values(allowed)
      .flat()
      .filter((name) => !known.includes(name)),
    []
  )
})

for (const operation of operations) {
  const { path, method, operationId } = operation
  const needed = scopeOf(operationId)
  t.test(`${operationId}: tokens with the scope, and no others`, async (t) => {
    const { app, as, store, tokenOf } = await build(t)
    await tokenOf('root')
    await tokenOf('other')
    let round = 0

    /** Sends the request with the token, about things of its own, after the deed. */
    async function ask(token: string | undefined, deed?: () => Promise<unknown>) {
      const owner = 'root'
      const [login, group] = [`somebody${++round}`, `group${round}`]
      const key = `key ${round}`
      const { body: graph } = await as(owner).post('/api/graphs', { ...triangle, key })
      await as(owner).patch(`/api/graphs/${graph.id}`, { name: 'Second version' })
      if (path.startsWith('/api/trash')) await as(owner).delete(`/api/graphs/${graph.id}`)
      await as('other').post('/api/graphs', triangle)
      await addUser(store, login)
      if (operationId === 'getIdentity') await linkAt(store, login)
      await store.write((trx) =>
        trx.insertInto('group').values({ name: group, createdAt: '', updatedAt: '', description: null }).execute()
      )
      const { id: own } = await tokenWith(store, owner, ['read:graphs'])
      const { id: others } = await tokenWith(store, login, ['read:graphs'])
      const link = path.includes('{linkId}')
        ? (await store.write((trx) => createLink(trx, system, graph.id, {}))).id
        : undefined
      const target = {
        id: graph.id,
        login,
        group,
        token: path.includes('{login}') ? others : own,
        ...(link !== undefined && { link }),
        key: encodeURIComponent(key),
        session: await makeSession(store, path.includes('{login}') ? login : owner)
      }
      await deed?.()
      const before = await rowsOf(store, unchanged)
      const { body, headers } = good[operationId] ?? {}
      const payload = body?.(target)
      const response = await app.inject({
        method: method as 'get',
        url: addressOf(operation, target),
        headers: {
          ...(payload !== undefined && { 'content-type': 'application/json' }),
          ...headers,
          ...(token !== undefined && { authorization: `Bearer ${token}` })
        },
        ...(payload !== undefined && { payload: typeof payload === 'string' ? payload : JSON.stringify(payload) })
      })
      const reply = {
        status: response.statusCode,
        headers: response.headers,
        body: response.payload.startsWith('{') ? JSON.parse(response.payload) : undefined
      } as Reply
      return { reply, isChanged: JSON.stringify(await rowsOf(store, unchanged)) !== JSON.stringify(before) }
    }
    async function isRefused(
      name: string,
      token: string | undefined,
      status: number,
      code: string,
      deed?: () => Promise<unknown>
    ) {
      const { reply, isChanged } = await ask(token, deed)
      t.match(reply, problem(status, code), `${name}: ${JSON.stringify(reply.body)}`)
      t.equal(isChanged, false, `${name}: nothing has changed`)
      return reply
    }
    async function isDone(name: string, token: string, deed?: () => Promise<unknown>) {
      const { reply } = await ask(token, deed)
      t.ok(reply.status >= 200 && reply.status < 300, `${name}: ${reply.status} ${JSON.stringify(reply.body)}`)
    }

    if (isPublic.includes(operationId)) {
      const { token } = await tokenWith(store, 'root', scopes)
      const [bare, shown] = [(await ask(undefined)).reply, (await ask(token)).reply]
      t.same([shown.status, shown.body?.code], [bare.status, bare.body?.code], 'a token makes no difference')
      t.equal(shown.headers['set-cookie'] === undefined, bare.headers['set-cookie'] === undefined, 'and logs nobody in')
      return
    }

    await isRefused('no token', undefined, 401, 'token-missing')
    if (isOfLink.includes(operationId)) {
      const { token } = await tokenWith(store, 'root', scopes)
      await isRefused('every scope', token, 401, 'token-invalid')
      return
    }
    if (needed === undefined) {
      const { token } = await tokenWith(store, 'root', scopes)
      const { headers } = await isRefused('every scope', token, 403, 'scope-missing')
      t.equal(headers['www-authenticate'], 'Bearer error="insufficient_scope"')
      return
    }
    const enough = sufficient(needed)
    const others = scopes.filter((scope) => !enough.includes(scope))
    if (others.length > 0) {
      const { token, id } = await tokenWith(store, 'root', others)
      const { headers } = await isRefused('every other scope', token, 403, 'scope-missing')
      t.equal(headers['www-authenticate'], `Bearer error="insufficient_scope", scope="${needed}"`)
      const denied = (await events(store, 'AUTHORIZATION_FAILURE')).at(-1)
      t.same(
        [denied?.principal, denied?.request?.token],
        ['root', { id, name: 'a script' }],
        'an event names the token'
      )
    }
    for (const scope of enough) await isDone(scope, (await tokenWith(store, 'root', [scope])).token)

    const [scope] = enough as [Scope]
    const { token, id } = await tokenWith(store, 'root', [scope])
    const set = (values: { enabled?: boolean; role?: 'USER' | 'ADMIN' }) =>
      store.write((trx) => trx.updateTable('user').set(values).where('login', '=', 'root').execute())

    await isRefused('disabled', token, 401, 'token-invalid', () => set({ enabled: false }))
    await set({ enabled: true })
    const isForOthers = isAdministration.test(path) || (path.startsWith('/api/groups') && method !== 'get')
    const demote = () => set({ role: 'USER' })
    if (isForOthers) await isRefused('demoted', token, 403, 'forbidden', demote)
    else await isDone('demoted', token, demote)
    await set({ role: 'ADMIN' })

    const expire = (time: number) =>
      store.write((trx) =>
        trx
          .updateTable('apiToken')
          .set({ expiresAt: new Date(time).toISOString() })
          .where('id', '=', id)
          .execute()
      )
    await isRefused('expired', token, 401, 'token-invalid', () => expire(Date.now()))
    await expire(Date.now() + 1e6)
    await isDone('as before', token)
    const revoke = async () => t.equal((await as('root').delete(`/api/account/tokens/${id}`)).status, 204)
    await isRefused('revoked', token, 401, 'token-invalid', revoke)

    const robot = { login: 'robot', kind: 'SERVICE', role: 'ADMIN' }
    const created = await as('root').post('/api/users', robot)
    t.equal(created.status, 201, created.text)
    const giveAll = () => store.write((trx) => trx.updateTable('graph').set({ owner: 'robot' }).execute())
    await isDone('a service account', (await tokenWith(store, 'robot', [scope])).token, giveAll)
  })
}
