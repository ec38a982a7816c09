import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import t from 'tap'
import type { Store } from '../../db/store.ts'
import { tablesWith } from '../../db/tables.ts'
import { rowsOf } from '../support/consistency.ts'
import { holdNextUnit } from '../support/held-units.ts'
import { addUser, build, events, PASSWORD, problem, triangle } from '../support/helper.ts'

// A user holds a request open until after a revocation, and then sends the rest.

type Server = Awaited<ReturnType<typeof build>>

/** Every operation that makes changes: the request of `root`, an administrator, and the outcome for others. */
const operations: Record<string, { method: string; url: string; body?: unknown; type?: string; asUser: number }> = {
  createUser: {
    method: 'POST',
    url: '/api/users',
    body: { login: 'mallory', password: PASSWORD, role: 'ADMIN' },
    asUser: 403
  },
  updateUser: { method: 'PATCH', url: '/api/users/ada', body: { role: 'ADMIN' }, asUser: 403 },
  deleteUser: { method: 'DELETE', url: '/api/users/spare', asUser: 403 },
  createGraph: { method: 'POST', url: '/api/graphs', body: triangle, asUser: 201 },
  updateGraph: { method: 'PUT', url: '/api/graphs', body: { id: 1, name: 'Mine' }, asUser: 404 },
  patchGraph: { method: 'PATCH', url: '/api/graphs/1', body: { shared: true }, asUser: 404 },
  deleteGraph: { method: 'DELETE', url: '/api/graphs/1', asUser: 200 },
  putGraphContent: {
    method: 'PUT',
    url: '/api/graphs/1/content',
    body: 'graph { a -- b }',
    type: 'text/vnd.graphviz',
    asUser: 404
  },
  patchGraphContent: {
    method: 'PATCH',
    url: '/api/graphs/1/content',
    body: { version: 2, nodes: { put: [{ id: 'mine' }] } },
    asUser: 404
  },
  putMyGraphContent: {
    method: 'PUT',
    url: '/api/account/graphs/nightly/content',
    body: 'graph { a -- b }',
    type: 'text/vnd.graphviz',
    asUser: 201
  },
  importGraph: {
    method: 'POST',
    url: '/api/graphs/import',
    body: 'graph { a -- b }',
    type: 'text/vnd.graphviz',
    asUser: 201
  },
  restoreVersion: { method: 'POST', url: '/api/graphs/1/restore', body: { version: 1 }, asUser: 404 },
  restoreTrashed: { method: 'POST', url: '/api/trash/2/restore', asUser: 404 },
  purgeTrashed: { method: 'DELETE', url: '/api/trash/2', asUser: 404 },
  grantToUser: { method: 'PUT', url: '/api/graphs/1/access/users/spare', body: { access: 'WRITE' }, asUser: 404 },
  revokeFromUser: { method: 'DELETE', url: '/api/graphs/1/access/users/reader', asUser: 404 },
  grantToGroup: { method: 'PUT', url: '/api/graphs/1/access/groups/spare', body: { access: 'WRITE' }, asUser: 404 },
  revokeFromGroup: { method: 'DELETE', url: '/api/graphs/1/access/groups/lab', asUser: 404 },
  saveView: { method: 'PUT', url: '/api/graphs/1/views/all', body: { query: '' }, asUser: 404 },
  removeView: { method: 'DELETE', url: '/api/graphs/1/views/all', asUser: 404 },
  createLink: { method: 'POST', url: '/api/graphs/1/links', body: {}, asUser: 404 },
  updateLink: { method: 'PATCH', url: '/api/graphs/1/links/1', body: { downloads: true }, asUser: 404 },
  revokeLink: { method: 'DELETE', url: '/api/graphs/1/links/1', asUser: 404 },
  createGroup: { method: 'POST', url: '/api/groups', body: { name: 'another' }, asUser: 403 },
  updateGroup: { method: 'PATCH', url: '/api/groups/lab', body: { name: 'another' }, asUser: 403 },
  deleteGroup: { method: 'DELETE', url: '/api/groups/lab', asUser: 403 },
  addMember: { method: 'PUT', url: '/api/groups/lab/members/spare', asUser: 403 },
  removeMember: { method: 'DELETE', url: '/api/groups/lab/members/reader', asUser: 403 },
  changePassword: {
    method: 'POST',
    url: '/api/account/password',
    body: { currentPassword: PASSWORD, newPassword: 'another horse battery' },
    asUser: 204
  },
  createMyToken: {
    method: 'POST',
    url: '/api/account/tokens',
    body: { name: 'mine', scopes: ['read:graphs'] },
    asUser: 201
  },
  revokeMyToken: { method: 'DELETE', url: '/api/account/tokens/1', asUser: 404 },
  createUserToken: {
    method: 'POST',
    url: '/api/users/ada/tokens',
    body: { name: 'theirs', scopes: ['read:graphs'] },
    asUser: 403
  },
  revokeUserToken: { method: 'DELETE', url: '/api/users/ada/tokens/1', asUser: 403 },
  unlinkMyIdentity: { method: 'DELETE', url: '/api/account/identity', asUser: 204 },
  linkIdentity: {
    method: 'PUT',
    url: '/api/users/ada/identity',
    body: { issuer: 'https://login.example.org', subject: 'mallory' },
    asUser: 403
  },
  unlinkIdentity: { method: 'DELETE', url: '/api/users/ada/identity', asUser: 403 },
  beginSecondFactor: {
    method: 'POST',
    url: '/api/account/second-factor',
    body: { password: PASSWORD },
    asUser: 201
  },
  confirmSecondFactor: {
    method: 'POST',
    url: '/api/account/second-factor/confirmation',
    body: { code: '000000' },
    asUser: 400
  },
  renewRecoveryCodes: {
    method: 'POST',
    url: '/api/account/second-factor/recovery-codes',
    body: { password: PASSWORD },
    asUser: 409
  },
  removeMySecondFactor: {
    method: 'POST',
    url: '/api/account/second-factor/removal',
    body: { password: PASSWORD },
    asUser: 204
  },
  removeSecondFactor: { method: 'DELETE', url: '/api/users/ada/second-factor', asUser: 403 },
  endMySession: { method: 'DELETE', url: `/api/account/sessions/${randomUUID()}`, asUser: 404 },
  endUserSession: { method: 'DELETE', url: `/api/users/ada/sessions/${randomUUID()}`, asUser: 403 },
  endMySessions: { method: 'POST', url: '/api/account/logout', asUser: 204 }
}

/** Every change of `root` is tried with these operations: of the caller, of another user, and of a graph. */
const thorough = ['patchGraph', 'changePassword', 'createMyToken', 'updateUser', 'deleteUser', 'createGroup']

/** Changes to `root` that may happen in between. */
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

/** A server with a graph of ada's, another in the trash, and users of every kind. */
async function prepare(t: Parameters<typeof build>[0]): Promise<Server> {
  const server = await build(t)
  const { as, store } = server
  for (const name of ['Kept', 'Trashed']) await as('ada').post('/api/graphs', { ...triangle, name })
  await as('ada').patch('/api/graphs/1', { name: 'Kept on' })
  await as('ada').delete('/api/graphs/2')
  for (const login of ['spare', 'reader']) await addUser(store, login)
  await as('ada').post('/api/account/tokens', { name: 'hers', scopes: ['read:graphs'] })
  for (const name of ['lab', 'spare']) await as('root').post('/api/groups', { name })
  await as('root').put('/api/groups/lab/members/reader')
  await as('ada').post('/api/graphs/1/links', {})
  for (const path of ['users/reader', 'groups/lab']) {
    await as('ada').put(`/api/graphs/1/access/${path}`, { access: 'READ' })
  }
  return server
}

/** All tables that requests change, except the trail, which also records refusals, and sessions, which the tests end. */
const everything = (store: Store) => rowsOf(store, changed)
const changed = tablesWith({ rows: 'records' }).filter((table) => !/^(auditEvent|session|endedSession)$/.test(table))

/** Operations that change nothing, although their methods may. */
const harmless = ['compareFile', 'postSubgraph', 'startLinking']

t.test('every authenticated operation that makes changes is listed here', async (t) => {
  const { as } = await build(t)
  const { body } = await as().get('/openapi.json')
  const changing = Object.values(body.paths as Record<string, Record<string, any>>).flatMap((path) =>
    Object.entries(path)
      .filter(([method, { security }]) => ['post', 'put', 'patch', 'delete'].includes(method) && security?.length > 0)
      .map(([, { operationId }]) => operationId as string)
  )
  t.same([...Object.keys(operations), ...harmless].sort(), changing.sort())
})

for (const [what, deed] of Object.entries(deeds)) {
  t.test(`an administrator who is ${what} right before a change does not make it`, async (t) => {
    const server = await prepare(t)
    const { app, store, tokenOf } = server
    const token = await tokenOf('root')
    const users = await store.read.selectFrom('user').selectAll().where('login', '=', 'root').execute()
    const { write } = store
    for (const [name, { method, url, body, type = 'application/json', asUser }] of Object.entries(operations)) {
      // One way to end a token shows for each operation that it checks again.
      if (what !== 'disabled' && what !== 'demoted' && !thorough.includes(name)) continue
      const isRefused = what !== 'demoted' || asUser >= 400
      if (!isRefused && asUser !== 200) continue
      const before = { state: {}, trail: 0 }
      store.write = async (unit) => {
        store.write = write
        await deed(store, token)
        before.state = await everything(store)
        before.trail = (await events(store, 'AUTHORIZATION_FAILURE')).length
        return store.write(unit)
      }
      const response = await app.inject({
        method: method as 'POST',
        url,
        headers: { authorization: `Bearer ${token}`, ...(body !== undefined && { 'content-type': type }) },
        ...(body !== undefined && { payload: typeof body === 'string' ? body : JSON.stringify(body) })
      })
      t.equal(response.statusCode, what === 'demoted' ? asUser : 401, `${name} ${response.payload}`)
      t.same(await everything(store), before.state, `${name}: nothing changed`)
      const denials = (await events(store, 'AUTHORIZATION_FAILURE')).length - before.trail
      t.equal(denials, response.statusCode === 403 ? 1 : 0, `${name}: a denial is recorded, and nothing else`)
      // Restores everything for the next case.
      await store.write(async (trx) => {
        await trx.deleteFrom('endedSession').execute()
        await trx.deleteFrom('user').where('login', '=', 'root').execute()
        await trx
          .insertInto('user')
          .values(users.map((user) => ({ ...user, enabled: true, mustChangePassword: false })))
          .execute()
      })
    }
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
  await new Promise((resolve) => setTimeout(resolve, 50))
  await meanwhile()
  request.end(payload.slice(1))
  const [response] = await once(request, 'response')
  let text = ''
  for await (const chunk of response) text += chunk
  return { status: response.statusCode, headers: response.headers, body: JSON.parse(text) }
}

t.test('an administrator who is disabled while the body arrives creates no other', async (t) => {
  const server = await prepare(t)
  const { as, store } = server
  await server.tokenOf('audrey')
  await store.write((trx) => trx.updateTable('user').set({ role: 'ADMIN' }).where('login', '=', 'audrey').execute())
  const mallory = { login: 'mallory', password: PASSWORD, role: 'ADMIN' }
  const demoted = await hold(server, '/api/users', 'root', mallory, () =>
    as('audrey').patch('/api/users/root', { role: 'USER' })
  )
  t.match(demoted, problem(403, 'forbidden'))
  await as('audrey').patch('/api/users/root', { role: 'ADMIN' })
  const disabled = await hold(server, '/api/users', 'root', mallory, () =>
    as('audrey').patch('/api/users/root', { enabled: false, role: 'USER' })
  )
  t.match(disabled, problem(401, 'token-invalid'))
  t.match(await as('audrey').get('/api/users/mallory'), problem(404, 'user-not-found'))
})

t.test('ending a session waits for its running changes, and allows none afterwards', async (t) => {
  const { app, as, store, tokenOf } = await build(t)
  await as('ada').post('/api/graphs', triangle)
  const samePage = { 'sec-fetch-site': 'same-origin' }
  const begin = await as().post('/api/session', { username: 'ada', password: PASSWORD }, samePage)
  const session = String([begin.headers['set-cookie']].flat()[0]).split(';', 1)[0] ?? ''
  for (const cookie of [session, `graphstead_session=${await tokenOf('ada')}`]) {
    const headers = { cookie, ...samePage, 'content-type': 'application/json' }
    const change = (name: string) => app.inject({ method: 'PATCH', url: '/api/graphs/1', headers, payload: { name } })
    const order: string[] = []
    const { release, reached: begun } = holdNextUnit(store)
    const changing = change('Meanwhile').then(({ statusCode }) => order.push(`changed ${statusCode}`))
    await begun
    const ending = as()
      .delete('/api/session', { cookie, ...samePage })
      .then(({ status }) => order.push(`ended ${status}`))
    await new Promise((resolve) => setTimeout(resolve, 300))
    t.same(order, [], 'both wait')
    release()
    await Promise.all([changing, ending])
    t.same(order.sort(), ['changed 200', 'ended 204'])
    t.equal((await change('Afterwards')).statusCode, 401)
    t.same(await store.read.selectFrom('graph').select('name').execute(), [{ name: 'Meanwhile' }])
  }
})

t.test('a change that waits until its session has ended is not made', async (t) => {
  const { app, as, store, tokenOf } = await build(t)
  await as('ada').post('/api/graphs', triangle)
  const samePage = { 'sec-fetch-site': 'same-origin' }
  const begin = await as().post('/api/session', { username: 'ada', password: PASSWORD }, samePage)
  const session = String([begin.headers['set-cookie']].flat()[0]).split(';', 1)[0] ?? ''
  for (const cookie of [session, `graphstead_session=${await tokenOf('ada')}`]) {
    const headers = { cookie, ...samePage, 'content-type': 'application/json' }
    const { release, reached: ended } = holdNextUnit(store)
    const ending = as().delete('/api/session', { cookie, ...samePage })
    await ended
    const changing = app.inject({ method: 'PATCH', url: '/api/graphs/1', headers, payload: { name: 'Too late' } })
    await new Promise((resolve) => setTimeout(resolve, 300))
    release()
    t.equal((await ending).status, 204)
    t.equal((await changing).statusCode, 401)
    t.same(await store.read.selectFrom('graph').select('name').execute(), [{ name: triangle.name }])
  }
})

t.test('a graph whose creator is deleted while it arrives is refused without a server error', async (t) => {
  const server = await prepare(t)
  const reply = await hold(server, '/api/graphs', 'bob', triangle, () => server.as('root').delete('/api/users/bob'))
  t.match(reply, problem(401, 'token-invalid'))
})

t.test('one of two administrators who disable each other at once stays', async (t) => {
  for (const change of [{ enabled: false }, { role: 'USER' }]) {
    const { as, store } = await prepare(t)
    for (const login of ['ann', 'ben', 'cid']) {
      await as(login).get('/api/account')
      await store.write((trx) => trx.updateTable('user').set({ role: 'ADMIN' }).where('login', '=', login).execute())
    }
    const all = ['root', 'ann', 'ben', 'cid']
    const replies = await Promise.all(
      all.flatMap((actor) => all.map((login) => as(actor).patch(`/api/users/${login}`, change)))
    )
    const statuses = new Set(replies.map(({ status }) => status))
    statuses.delete(409)
    t.ok(
      [...statuses].every((status) => [200, 401, 403].includes(status)),
      [...statuses].join()
    )
    const left = await store.read
      .selectFrom('user')
      .select('login')
      .where('role', '=', 'ADMIN')
      .where('enabled', '=', true)
      .execute()
    t.ok(left.length >= 1, `${left.length} left`)
  }
})

t.test('a user who is disabled while their password is being verified is not signed in', async (t) => {
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
      const reply = await as().post(path, { username: 'ada', password: PASSWORD }, { 'sec-fetch-site': 'same-origin' })
      t.match(reply, problem(401, 'credentials-incorrect'), path)
      await change({ enabled: true, passwordHash })
    }
  }
  t.same(await events(store, 'AUTHENTICATION_SUCCESS'), [])
  t.equal((await events(store, 'AUTHENTICATION_FAILURE')).length, 4)
  t.same(await store.read.selectFrom('session').select('id').execute(), [])
})
