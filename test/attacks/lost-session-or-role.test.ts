import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import type { Store } from '../../db/store.ts'
import { tablesWith } from '../../db/tables.ts'
import { cookieOf, samePage } from '../support/browsers.ts'
import { rowsOf } from '../support/consistency.ts'
import { beforeNextTransaction, holdNextTransaction } from '../support/held-transactions.ts'
import { addUser, build, events, PASSWORD, problem, proven, triangle } from '../support/helper.ts'
import { makeTarget, operations, requestOf, type Target } from '../support/operations.ts'

// A user holds a request open until after a revocation, and then sends the rest of the body.

type Server = Awaited<ReturnType<typeof build>>

/** Operations that change nothing despite their method. */
const harmless = ['compareFile', 'postSubgraph', 'startLinking']

const changing = operations.filter(
  ({ operationId, method, security }) => method !== 'get' && security.length > 0 && !harmless.includes(operationId)
)

/** Returns the status that a former administrator gets; undefined for operations open to every user. */
function statusOfUser({ operationId, good }: (typeof operations)[number]) {
  if (good.role === 'ADMIN') return 403
  // Deleting a hidden graph succeeds, just like deleting a missing one.
  return good.right && (operationId === 'deleteGraph' ? 200 : 404)
}

/**
 * The operations tried with each change to `root`. They concern the caller, other users, groups and graphs, and cover every
 * class of operation.
 */
const sample = [
  ...['createGraph', 'copyGraph', 'patchGraph', 'deleteGraph', 'changePassword', 'createMyToken'],
  ...['createUserToken', 'updateUser', 'deleteUser', 'createGroup']
]

const classOf = ({ good }: (typeof operations)[number]) => `${good.scope} ${good.right} ${good.role}`

t.test('the sample covers every class of operation', async (t) => {
  const classes = (all: typeof changing) => [...new Set(all.map(classOf))].sort()
  t.same(classes(changing.filter(({ operationId }) => sample.includes(operationId))), classes(changing))
})

/** Changes to `root` while its request is in flight. */
const deeds: Record<string, (store: Store, token: string) => Promise<unknown>> = {
  disabled: (store) => set(store, { enabled: false }),
  deleted: (store) => store.write((trx) => trx.deleteFrom('user').where('login', '=', 'root').execute()),
  'given another password': (store) => set(store, { tokenVersion: 2 }),
  'logged out': (store, token) => {
    const { jti, exp } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
    const session = { id: jti, expiresAt: exp * 1000 }
    return store.write((trx) => trx.insertInto('endedSession').values(session).execute())
  },
  demoted: (store) => set(store, { role: 'USER' })
}

function set(store: Store, values: { enabled?: boolean; role?: 'USER'; tokenVersion?: number }) {
  return store.write((trx) => trx.updateTable('user').set(values).where('login', '=', 'root').execute())
}

/** Starts a server with the users ada and root. */
async function prepare(t: Parameters<typeof build>[0]): Promise<Server> {
  const server = await build(t)
  for (const login of ['ada', 'root']) await server.tokenOf(login)
  return server
}

const newPassword = { currentPassword: PASSWORD, newPassword: 'another horse battery' }

/** Reads the tables that requests change, except the audit trail (it records refusals) and sessions (the tests end them). */
const everything = (store: Store) => rowsOf(store, changed)
const changed = tablesWith({ rows: 'records' }).filter((table) => !/^(auditEvent|session|endedSession)$/.test(table))

for (const [what, deed] of Object.entries(deeds)) {
  t.test(`an administrator who is ${what} just before a change cannot make it`, async (t) => {
    const server = await prepare(t)
    const { app, store, tokenOf } = server
    const token = await tokenOf('root')
    const authorization = `Bearer ${token}`
    const root = await store.read.selectFrom('user').selectAll().where('login', '=', 'root').executeTakeFirstOrThrow()
    const restored = { ...root, enabled: true, mustChangePassword: false }
    // All operations share one check of the caller, so most changes are tested on only a sample of the operations.
    const tried = changing
      .filter(({ operationId }) => what === 'disabled' || sample.includes(operationId))
      .map((operation) => ({ operation, status: what === 'demoted' ? statusOfUser(operation) : 401 }))
      .filter(({ status }) => status !== undefined)
    const targets = []
    for (const { operation } of tried)
      targets.push(await makeTarget(server, operation, { owner: 'ada', caller: 'root' }))
    let before: Awaited<ReturnType<typeof everything>> | undefined
    for (const [index, { operation, status }] of tried.entries()) {
      const { operationId: name } = operation
      const { headers, ...request } = requestOf(operation, targets[index] as Target)
      // A wrong password is refused before the transaction.
      if (name === 'changePassword') request.payload = JSON.stringify(newPassword)
      await store.write(async (trx) => {
        await trx.deleteFrom('endedSession').execute()
        await trx
          .insertInto('user')
          .values(restored)
          .onConflict((conflict) => conflict.column('id').doUpdateSet(restored))
          .execute()
      })
      beforeNextTransaction(store, async () => {
        await deed(store, token)
        before ??= await everything(store)
      })
      const response = await app.inject({ ...request, headers: { ...headers, authorization } })
      t.equal(response.statusCode, status, `${name} ${response.payload}`)
    }
    t.ok(before)
    t.same(await everything(store), before, 'nothing changed')
    const denials = await events(store, 'AUTHORIZATION_FAILURE')
    t.equal(denials.length, tried.filter(({ status }) => status === 403).length, 'only denials are recorded')
  })
}

/** Sends the headers of a request, waits for `meanwhile`, then sends the body. */
async function hold(server: Server, url: string, login: string, body: unknown, meanwhile: () => Promise<unknown>) {
  if (!server.app.server.listening) await server.app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = server.app.server.address() as AddressInfo
  const payload = JSON.stringify(body)
  const seen = new Promise<void>((resolve) => server.app.server.once('request', () => setImmediate(resolve)))
  const request = httpRequest({
    port,
    path: url,
    method: 'POST',
    headers: {
      authorization: `Bearer ${await server.tokenOf(login)}`,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(payload)
    }
  })
  request.write(payload.slice(0, 1))
  await seen
  await sleep(50)
  await meanwhile()
  request.end(payload.slice(1))
  const [response] = await once(request, 'response')
  let text = ''
  for await (const chunk of response) text += chunk
  return { status: response.statusCode, headers: response.headers, body: JSON.parse(text) }
}

t.test('an administrator who is disabled while the body arrives does not create another administrator', async (t) => {
  const server = await prepare(t)
  const { as, store } = server
  await server.tokenOf('audrey')
  await store.write((trx) => trx.updateTable('user').set({ role: 'ADMIN' }).where('login', '=', 'audrey').execute())
  const mallory = { login: 'mallory', password: PASSWORD, role: 'ADMIN', ...proven }
  const demoted = await hold(server, '/api/users', 'root', mallory, () =>
    as('audrey').patch('/api/users/root', { role: 'USER' })
  )
  t.match(demoted, problem(403, 'forbidden'))
  await as('audrey').patch('/api/users/root', { role: 'ADMIN', ...proven })
  const disabled = await hold(server, '/api/users', 'root', mallory, () =>
    as('audrey').patch('/api/users/root', { enabled: false, role: 'USER' })
  )
  t.match(disabled, problem(401, 'token-invalid'))
  t.match(await as('audrey').get('/api/users/mallory'), problem(404, 'user-not-found'))
})

/**
 * Starts a server with ada's graph, her session and token as cookies, and functions that change the graph, or end the session
 * or token.
 */
async function prepareSessions(t: Parameters<typeof build>[0]) {
  const server = await build(t)
  const { app, as, store, tokenOf } = server
  await as('ada').post('/api/graphs', triangle)
  const session = cookieOf(await as().post('/api/session', { username: 'ada', password: PASSWORD }, samePage))
  const change = (cookie: string, name: string) => {
    const headers = { cookie, ...samePage, 'content-type': 'application/json' }
    return app.inject({ method: 'PATCH', url: '/api/graphs/1', headers, payload: { name } })
  }
  const end = (cookie: string) => as().delete('/api/session', { cookie, ...samePage })
  const names = () => store.read.selectFrom('graph').select('name').execute()
  return { store, cookies: [session, `graphstead_session=${await tokenOf('ada')}`], change, end, names }
}

t.test('ending a session waits for its changes in progress, and blocks later ones', async (t) => {
  const { store, cookies, change, end, names } = await prepareSessions(t)
  for (const cookie of cookies) {
    const order: string[] = []
    const { release, reached: begun } = holdNextTransaction(store)
    const changing = change(cookie, 'Meanwhile').then(({ statusCode }) => order.push(`changed ${statusCode}`))
    await begun
    const ending = end(cookie).then(({ status }) => order.push(`ended ${status}`))
    await sleep(300)
    t.same(order, [], 'both are waiting')
    release()
    await Promise.all([changing, ending])
    t.same(order.sort(), ['changed 200', 'ended 204'])
    t.equal((await change(cookie, 'Afterwards')).statusCode, 401)
    t.same(await names(), [{ name: 'Meanwhile' }])
  }
})

t.test('a change that waits until its session has ended is refused', async (t) => {
  const { store, cookies, change, end, names } = await prepareSessions(t)
  for (const cookie of cookies) {
    const { release, reached: ended } = holdNextTransaction(store)
    const ending = end(cookie)
    await ended
    const changing = change(cookie, 'Too late')
    await sleep(300)
    release()
    t.equal((await ending).status, 204)
    t.equal((await changing).statusCode, 401)
    t.same(await names(), [{ name: triangle.name }])
  }
})

t.test('an upload whose creator is deleted in the meantime is refused without a server error', async (t) => {
  const server = await prepare(t)
  const reply = await hold(server, '/api/graphs', 'bob', triangle, () => server.as('root').delete('/api/users/bob'))
  t.match(reply, problem(401, 'token-invalid'))
})

t.test('a user who is disabled while their password is verified is not signed in', async (t) => {
  const { app, as, store } = await build(t)
  await addUser(store, 'ada')
  const change = (values: { enabled?: boolean; passwordHash?: string }) =>
    store.write((trx) => trx.updateTable('user').set(values).where('login', '=', 'ada').execute())
  const { succeeded } = app.throttle
  for (const path of ['/api/authenticate', '/api/session']) {
    for (const deed of [{ enabled: false }, { passwordHash: 'another' }]) {
      app.throttle.succeeded = async (...args) => {
        await change(deed)
        return succeeded(...args)
      }
      const { passwordHash } = await store.read.selectFrom('user').selectAll().executeTakeFirstOrThrow()
      const reply = await as().post(path, { username: 'ada', password: PASSWORD }, samePage)
      t.match(reply, problem(401, 'credentials-incorrect'), path)
      await change({ enabled: true, passwordHash })
    }
  }
  t.same(await events(store, 'AUTHENTICATION_SUCCESS'), [])
  t.equal((await events(store, 'AUTHENTICATION_FAILURE')).length, 4)
  t.same(await store.read.selectFrom('session').select('id').execute(), [])
})
