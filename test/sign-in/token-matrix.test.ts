import t from 'tap'
import { tablesWith } from '../../db/tables.ts'
import { type Scope, scopes } from '../../schemas/api-token.ts'
import { rowsOf } from '../support/consistency.ts'
import { build, events, problem, proven, type Reply } from '../support/helper.ts'
import { makeTarget, makeToken, operations, requestOf, type Target } from '../support/operations.ts'

// Every operation of the OpenAPI document accepts API tokens with its scope, and no others. One operation of each scope is tried
// with tokens in every state.

type Operation = (typeof operations)[number]

/** Returns the scopes that are each sufficient for the operation. */
function sufficient(needed: Scope | 'any'): Scope[] {
  return scopes.filter((scope) => needed === 'any' || scope === needed || scope === needed.replace('read:', 'write:'))
}

const tokenWith = (login: string, granted: readonly Scope[]) => store.write((trx) => makeToken(trx, login, granted))

/** All tables except the audit trail and the days on which tokens were used. */
const unchanged = tablesWith({ rows: 'records' }).filter((table) => !/^(auditEvent|apiToken)$/.test(table))
const rows = () => rowsOf(store, unchanged)

/** Sends the request with the token. */
async function send(operation: Operation, target: Target, token: string | undefined) {
  const { headers, ...request } = requestOf(operation, target)
  const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` }
  const response = await server.app.inject({ ...request, headers: { ...headers, ...authorization } })
  const body = response.payload.startsWith('{') ? JSON.parse(response.payload) : undefined
  return { status: response.statusCode, headers: response.headers, body } as Reply
}

const isDone = ({ status }: Reply) => status >= 200 && status < 300

/** Turns off the counting of denials, because users here exceed the limit per minute. */
const server = await build(t, { rateUser: 0 })
const { as, store } = server
for (const login of ['root', 'other']) await server.tokenOf(login)

t.test('the OpenAPI document states the scope of each operation', async (t) => {
  for (const { operationId, security, good } of operations) {
    const bearer = scopes.includes(good.scope as Scope) ? [good.scope] : []
    const own = good.scope === 'link' ? [{ bearer: [] }] : [{ bearer }, { session: [] }]
    t.same(security, good.scope === 'public' ? [] : own, operationId)
  }
})

for (const operation of operations.filter(({ operationId }) =>
  ['getAccount', 'getGraph', 'updateGraph', 'listAudits', 'getUser', 'updateUser'].includes(operationId)
)) {
  const { operationId, good } = operation
  t.test(`${operationId} accepts or refuses a token according to its state`, async (t) => {
    /** Runs the deed, then sends a request for a new target with the token. */
    async function ask(token: string, deed?: () => Promise<unknown>) {
      const target = await makeTarget(server, operation, { owner: 'root' })
      await deed?.()
      const before = await rows()
      const reply = await send(operation, target, token)
      return { reply, isChanged: JSON.stringify(await rows()) !== JSON.stringify(before) }
    }
    async function refuses(name: string, token: string, status: number, code: string, deed?: () => Promise<unknown>) {
      const { reply, isChanged } = await ask(token, deed)
      t.match(reply, problem(status, code), `${name}: ${JSON.stringify(reply.body)}`)
      t.equal(isChanged, false, `${name}: nothing has changed`)
    }
    async function does(name: string, token: string, deed?: () => Promise<unknown>) {
      const { reply, isChanged } = await ask(token, deed)
      t.ok(isDone(reply), `${name}: ${reply.status} ${JSON.stringify(reply.body)}`)
      t.equal(isChanged, operation.method !== 'get', `${name}: it succeeds`)
    }

    const enough = sufficient(good.scope as Scope | 'any')
    const others = scopes.filter((scope) => !enough.includes(scope))
    if (others.length > 0) {
      const { token, id } = await tokenWith('root', others)
      await refuses('every other scope', token, 403, 'scope-missing')
      const denied = (await events(store, 'AUTHORIZATION_FAILURE')).at(-1)
      t.same(
        [denied?.principal, denied?.request?.token],
        ['root', { id, name: 'a script' }],
        'an event names the token'
      )
    }
    for (const scope of enough) await does(scope, (await tokenWith('root', [scope])).token)

    const { token, id } = await tokenWith('root', enough.slice(0, 1))
    const set = (values: { enabled?: boolean; role?: 'USER' | 'ADMIN' }) =>
      store.write((trx) => trx.updateTable('user').set(values).where('login', '=', 'root').execute())
    await refuses('disabled', token, 401, 'token-invalid', () => set({ enabled: false }))
    await set({ enabled: true })
    const demote = () => set({ role: 'USER' })
    if (good.role) await refuses('demoted', token, 403, 'forbidden', demote)
    else await does('demoted', token, demote)
    await set({ role: 'ADMIN' })

    const expire = (time: number) =>
      store.write((trx) =>
        trx
          .updateTable('apiToken')
          .set({ expiresAt: new Date(time).toISOString() })
          .where('id', '=', id)
          .execute()
      )
    await refuses('expired', token, 401, 'token-invalid', () => expire(Date.now()))
    await expire(Date.now() + 1e6)
    await does('as before', token)
    const revoke = async () => t.equal((await as('root').delete(`/api/account/tokens/${id}`)).status, 204)
    await refuses('revoked', token, 401, 'token-invalid', revoke)

    const login = `robot.${operationId.toLowerCase()}`
    const robot = { login, kind: 'SERVICE', role: 'ADMIN', ...proven }
    const created = await as('root').post('/api/users', robot)
    t.equal(created.status, 201, created.text)
    const giveAll = () => store.write((trx) => trx.updateTable('graph').set({ owner: login }).execute())
    await does('a service account', (await tokenWith(login, enough.slice(0, 1))).token, giveAll)
  })
}

t.test('every operation refuses tokens without its scope, and changes nothing', async (t) => {
  const targets = new Map<Operation, Target>()
  for (const operation of operations) targets.set(operation, await makeTarget(server, operation, { owner: 'root' }))
  const all = (await tokenWith('root', scopes)).token
  const others = new Map<string, string>()
  for (const scope of ['any', ...scopes] as const) {
    const rest = scopes.filter((one) => !sufficient(scope).includes(one))
    if (rest.length > 0) others.set(scope, (await tokenWith('root', rest)).token)
  }
  const before = await rows()
  for (const [operation, target] of targets) {
    const { operationId, good } = operation
    const ask = (token?: string) => send(operation, target, token)
    if (good.scope === 'public') {
      const [bare, shown] = [await ask(), await ask(all)]
      t.same([shown.status, shown.body?.code], [bare.status, bare.body?.code], `${operationId}: a token is ignored`)
      t.equal(
        shown.headers['set-cookie'] === undefined,
        bare.headers['set-cookie'] === undefined,
        'the token does not sign anyone in'
      )
      continue
    }
    t.match(await ask(), problem(401, 'token-missing'), `${operationId}: no token`)
    if (good.scope === 'link') {
      t.match(await ask(all), problem(401, 'token-invalid'), `${operationId}: every scope`)
      continue
    }
    const token = good.scope === 'session' ? all : others.get(good.scope)
    if (token === undefined) continue
    const refused = await ask(token)
    t.match(refused, problem(403, 'scope-missing'), `${operationId}: every other scope`)
    const named = good.scope === 'session' ? '' : `, scope="${good.scope}"`
    t.equal(refused.headers['www-authenticate'], `Bearer error="insufficient_scope"${named}`, operationId)
  }
  t.same(await rows(), before, 'nothing has changed')
})

t.test('every operation accepts a token that has only its scope', async (t) => {
  for (const operation of operations) {
    const { operationId, good } = operation
    if (good.scope === 'public' || good.scope === 'link' || good.scope === 'session') continue
    const { token } = await tokenWith('root', [good.scope === 'any' ? 'read:users' : good.scope])
    // The targets exist, since an operation on missing ones is refused before its own checks run.
    const reply = await send(operation, await makeTarget(server, operation, { owner: 'root' }), token)
    t.ok(isDone(reply), `${operationId}: ${reply.status} ${JSON.stringify(reply.body)}`)
  }
})
