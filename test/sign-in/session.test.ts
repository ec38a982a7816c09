import t from 'tap'
import { type Store, StoreUnavailable } from '../../db/store.ts'
import { removeExpiredSessions, removeIdleSessions } from '../../db/users/sessions.ts'
import { buildApp } from '../../plugins/app.ts'
import { program } from '../../src/system/program.ts'
import { cookieOf, samePage } from '../support/browsers.ts'
import { stopClock } from '../support/clock.ts'
import { collectTransactions } from '../support/held-transactions.ts'
import { build, events, PASSWORD, problem, type Reply, sessionRow, triangle } from '../support/helper.ts'
import { until } from '../support/until.ts'

// Browser sign-in: a cookie that scripts cannot read, and that only pages of the server can use.

/** Headers of requests from other pages. */
const elsewhere: Record<string, string>[] = [
  {},
  { 'sec-fetch-site': 'cross-site' },
  { origin: 'http://elsewhere.example' }
]

const credentials = { username: 'ada', password: PASSWORD }

/** The attributes of the cookie that a response sets. */
const attributesOf = ({ headers }: Reply) => String([headers['set-cookie']].flat()[0]).split('; ').slice(1).sort()

async function logIn(t: Parameters<typeof build>[0], settings: Parameters<typeof build>[1] = {}) {
  const server = await build(t, settings)
  await server.tokenOf('ada')
  const reply = await server.as().post('/api/session', credentials, samePage)
  return { ...server, reply, cookie: cookieOf(reply) }
}

t.test('a session is a cookie that scripts cannot read, and the response has no token', async (t) => {
  const { as, store, reply, cookie } = await logIn(t)
  t.match(reply, { status: 200, body: { login: 'ada', role: 'USER', enabled: true } })
  t.notMatch(reply.text, /eyJ/, 'no token in the body')
  t.match(cookie, /^graphstead_session=eyJ/)
  t.same(attributesOf(reply), ['HttpOnly', 'Path=/', 'SameSite=Strict'], 'deleted with the window')
  t.match(await as().get('/api/account', { cookie }), { status: 200, body: { login: 'ada' } })
  t.match(await as().get('/api/session', { cookie: `other=1; ${cookie}` }), { status: 200, body: { login: 'ada' } })
  t.match(await events(store, 'AUTHENTICATION_SUCCESS'), [{ principal: 'ada', request: { route: '/api/session' } }])
  t.notMatch(JSON.stringify(await events(store)), /eyJ/, 'the trail contains no cookie')
})

t.test('rememberMe keeps a session for 30 days', async (t) => {
  const { as } = await logIn(t)
  const reply = await as().post('/api/session', { ...credentials, rememberMe: true }, samePage)
  t.same(attributesOf(reply), ['HttpOnly', 'Max-Age=2592000', 'Path=/', 'SameSite=Strict'])
})

t.test("only the server's own pages can start a session", async (t) => {
  const { as, tokenOf, store } = await build(t)
  await tokenOf('ada')
  const refused: Record<string, string>[] = [
    {},
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'none' },
    { 'sec-fetch-site': 'cross-site', origin: 'http://localhost:80' },
    { origin: 'http://elsewhere.example' },
    { origin: 'null' },
    { origin: 'http://localhost:81' }
  ]
  for (const headers of refused) {
    const reply = await as().post('/api/session', credentials, headers)
    t.match(reply, problem(403, 'cross-origin'), JSON.stringify(headers))
    t.notOk(reply.headers['set-cookie'])
    t.match(await as().delete('/api/session', headers), problem(403, 'cross-origin'))
  }
  t.same(await events(store), [], 'no password was checked')
  // Old browsers, and pages without TLS, send only Origin.
  const ownOrigin = { host: 'graphs.lan:8080', origin: 'http://graphs.lan:8080' }
  t.equal((await as().post('/api/session', credentials, ownOrigin)).status, 200)
})

t.test("a request that changes something with a session must come from one of the server's own pages", async (t) => {
  const { as, store, cookie } = await logIn(t)
  const client = as()
  await client.post('/api/graphs', triangle, { cookie, ...samePage })
  const changes: [string, (headers: Record<string, string>) => Promise<Reply>][] = [
    ['POST', (headers) => client.post('/api/graphs', triangle, headers)],
    ['PUT', (headers) => client.put('/api/graphs', { id: 1, name: 'Other' }, headers)],
    ['PATCH', (headers) => client.patch('/api/graphs/1', { shared: true }, headers)],
    ['DELETE', (headers) => client.delete('/api/graphs/1', headers)],
    ['import', (headers) => client.post('/api/graphs/import', 'graph {}', { ...headers, 'content-type': 'text/plain' })]
  ]
  for (const [name, send] of changes) {
    for (const origin of elsewhere) {
      t.match(await send({ cookie, ...origin }), problem(403, 'cross-origin'), `${name} ${JSON.stringify(origin)}`)
    }
  }
  t.equal((await store.read.selectFrom('graph').select('id').execute()).length, 1)
  t.match((await client.get('/api/graphs/1', { cookie })).body, { version: 1, shared: false }, 'nothing has changed')
  t.equal((await client.patch('/api/graphs/1', { shared: true }, { cookie, ...samePage })).status, 200)
  const byToken = await as('ada').patch('/api/graphs/1', { shared: false }, { origin: 'http://elsewhere.example' })
  t.equal(byToken.status, 200, 'a token is not a cookie: its sender must know it')
})

t.test('a token in the header overrides the session', async (t) => {
  const { as, cookie } = await logIn(t)
  t.match(await as('bob').get('/api/account', { cookie }), { status: 200, body: { login: 'bob' } })
  t.match(await as().get('/api/account', { cookie, authorization: 'Bearer nonsense' }), problem(401, 'token-invalid'))
})

t.test('signing out ends only the current session', async (t) => {
  const { as, store, cookie } = await logIn(t)
  const other = cookieOf(await as().post('/api/session', credentials, samePage))
  t.equal((await as().get('/api/account', { cookie })).status, 200)
  const out = await as().delete('/api/session', { cookie, ...samePage })
  t.match(out, { status: 204, text: '' })
  t.equal(cookieOf(out), 'graphstead_session=')
  t.same(attributesOf(out), ['HttpOnly', 'Max-Age=0', 'Path=/', 'SameSite=Strict'])
  t.match(await as().get('/api/account', { cookie }), problem(401, 'token-invalid'), 'a copy of the cookie')
  const authorization = `Bearer ${cookie.split('=')[1]}`
  t.match(
    await as().get('/api/account', { authorization }),
    problem(401, 'token-invalid'),
    'the token of the session is invalid'
  )
  t.equal((await as().get('/api/account', { cookie: other })).status, 200, 'the session of another window continues')
  t.equal((await as('ada').get('/api/account')).status, 200, 'the token of a program is still valid')
  for (const nobody of [{}, { cookie }, { cookie: 'graphstead_session=nonsense' }] as Record<string, string>[]) {
    t.equal(
      (await as().delete('/api/session', { ...nobody, ...samePage })).status,
      204,
      'signing out without a session succeeds'
    )
  }
  t.match(await events(store, 'SESSION_ENDED'), [
    { principal: 'ada', targetType: 'USER', targetName: 'ada', request: { route: '/api/session', method: 'DELETE' } }
  ])
  t.equal((await store.read.selectFrom('endedSession').selectAll().execute()).length, 1)
})

t.test('an ended session is forgotten when its token has expired', async (t) => {
  const { as, store, cookie } = await logIn(t)
  await as().delete('/api/session', { cookie, ...samePage })
  const [ended] = await store.read.selectFrom('endedSession').selectAll().execute()
  const days = ((ended?.expiresAt ?? 0) - Date.now()) / (24 * 60 * 60 * 1000)
  t.ok(days > 0.99 && days <= 1, 'the record expires after a day')
  await store.write(removeExpiredSessions)
  t.equal((await store.read.selectFrom('endedSession').selectAll().execute()).length, 1)
  await store.write((trx) => trx.updateTable('endedSession').set({ expiresAt: Date.now() }).execute())
  await store.write(removeExpiredSessions)
  t.same(await store.read.selectFrom('endedSession').selectAll().execute(), [])
})

t.test('the browser forgets a session even if the server cannot end it', async (t) => {
  const { as, store, cookie } = await logIn(t)
  store.write = () => Promise.reject(new StoreUnavailable('the disk is full'))
  const out = await as().delete('/api/session', { cookie, ...samePage })
  t.equal(out.status, 503)
  t.equal(cookieOf(out), 'graphstead_session=')
})

t.test('a session ends with the account, and when the user ends all sessions', async (t) => {
  const { as, cookie } = await logIn(t)
  t.equal((await as().post('/api/account/logout', undefined, { cookie, ...samePage })).status, 204)
  t.match(await as().get('/api/account', { cookie }), problem(401, 'token-invalid'))
  const ended = { 'graphstead-session': 'ended' }
  t.match(
    await as().get('/api/session', { cookie }),
    { status: 204, text: '', headers: ended },
    'no user, and no error'
  )
})

t.test('GET /api/session distinguishes visitors from users without an error', async (t) => {
  const { as } = await build(t)
  const askWith = async (cookie?: string) => {
    const { status, text, headers } = await as().get('/api/session', { ...(cookie && { cookie }) })
    return [status, text, headers['graphstead-session']]
  }
  t.same(await askWith(), [204, '', undefined])
  t.same(await askWith('graphstead_session='), [204, '', undefined])
  t.same(await askWith('graphstead_session=nonsense'), [204, '', 'ended'])
  t.same(await askWith('graphstead_session=one; graphstead_session=two'), [204, '', 'ended'])
  const root = await as('root').get('/api/session')
  t.match(root, { status: 200, body: { login: 'root', role: 'ADMIN' } })
  t.equal(root.headers['graphstead-session'], undefined)
})

t.test('wrong passwords are refused and throttled at sign-in for a session too', async (t) => {
  const { as, tokenOf, store } = await build(t)
  await tokenOf('ada')
  const wrong = { ...credentials, password: 'not the right one' }
  t.match(await as().post('/api/session', wrong, samePage), problem(401, 'credentials-incorrect'))
  t.match(await events(store), [{ type: 'AUTHENTICATION_FAILURE', outcome: 'FAILURE', principal: 'ada' }])
  const statuses = new Set<number>()
  for (let attempt = 0; attempt < 20; attempt++) {
    statuses.add((await as().post('/api/session', wrong, samePage)).status)
  }
  t.ok(statuses.has(429))
})

const HOUR = 60 * 60 * 1000
const DAY = 24 * HOUR

/** The stored sessions without their ids. */
async function kept({ read }: Store) {
  const rows = await read.selectFrom('session').select(['remembered', 'lastUsedAt']).orderBy('lastUsedAt').execute()
  return rows.map(({ remembered, lastUsedAt }) => [Boolean(remembered), lastUsedAt])
}

/** Sets the time of last use of all sessions. */
const lastUsed = (store: Store, lastUsedAt: number) =>
  store.write((trx) => trx.updateTable('session').set({ lastUsedAt }).execute())

t.test('a session ends when it has been unused for long enough', async (t) => {
  const clock = stopClock(t)
  const { as, store, cookie } = await logIn(t)
  const get = (url = '/api/account') => as().get(url, { cookie })
  t.same(await kept(store), [[false, clock(0)]])
  clock(8 * HOUR)
  t.equal((await get('/api/graphs/1')).status, 404, 'eight hours are allowed')
  await until(async () => (await kept(store))[0]?.[1] === clock(0))
  await lastUsed(store, clock(0) - 8 * HOUR - 1)
  const ended = await get()
  t.match(ended, problem(401, 'session-idle'))
  t.equal(ended.headers['www-authenticate'], 'Bearer error="invalid_token"')
  t.same(await kept(store), [])
  t.match(await get(), problem(401, 'session-idle'), 'later requests are refused too')
  t.match(await get('/api/session'), { status: 204, text: '' }, 'no user, which is not an error')
  t.match(await as().post('/api/graphs', triangle, { cookie, ...samePage }), problem(401, 'session-idle'))
  t.equal((await as().delete('/api/session', { cookie, ...samePage })).status, 204)
  t.same(await store.read.selectFrom('graph').select('id').execute(), [])
  t.same(await events(store, 'SESSION_ENDED'), [])
})

t.test('remembered sessions last a week without use, and settings change both limits', async (t) => {
  const clock = stopClock(t)
  const remembered = { ...credentials, rememberMe: true }
  const off = { sessionIdle: '0', sessionIdleRemembered: '0' }
  const cases: [Parameters<typeof logIn>[1], typeof credentials, number, string][] = [
    [{}, remembered, 7 * DAY, 'session-idle'],
    [{ sessionIdle: '30s' }, credentials, 30_000, 'session-idle'],
    [{ sessionIdle: '30s' }, remembered, 7 * DAY, 'session-idle'],
    [{ sessionIdleRemembered: '2h' }, remembered, 2 * HOUR, 'session-idle'],
    [off, credentials, DAY - 1000, 'token-invalid'],
    [off, remembered, 30 * DAY - 1000, 'token-invalid']
  ]
  for (const [settings, body, limit, code] of cases) {
    const { as, store, tokenOf } = await build(t, settings)
    await tokenOf('ada')
    const cookie = cookieOf(await as().post('/api/session', body, samePage))
    const begun = clock(0)
    clock(limit)
    t.equal((await as().get('/api/account', { cookie })).status, 200, `${limit}`)
    await until(async () => (await kept(store))[0]?.[1] === clock(0))
    await lastUsed(store, begun)
    clock(1000)
    t.match(await as().get('/api/account', { cookie }), problem(401, code), `${limit}`)
  }
})

t.test('API tokens end only by age, in header or cookie', async (t) => {
  const clock = stopClock(t)
  const { as, store, tokenOf } = await build(t)
  await tokenOf('ada')
  const { body } = await as().post('/api/authenticate', { ...credentials, rememberMe: true })
  t.same(await kept(store), [[true, clock(0)]])
  const used = clock(30 * DAY - 1000)
  const transactions = collectTransactions(store)
  const ways: Record<string, string>[] = [
    { authorization: `Bearer ${body.id_token}` },
    { cookie: `graphstead_session=${body.id_token}` }
  ]
  for (const headers of ways) t.equal((await as().get('/api/account', headers)).status, 200)
  await until(async () => (await kept(store))[0]?.[1] === used)
  t.equal(transactions.length, 1, 'one use is recorded')
  clock(1000)
  t.match(await as().get('/api/account', { authorization: `Bearer ${body.id_token}` }), problem(401, 'token-invalid'))
})

t.test('a use is recorded once in five minutes, and counts in every process and after a restart', async (t) => {
  const clock = stopClock(t)
  const { as, store, cookie, config, tokenKey } = await logIn(t)
  const other = await buildApp(config, { program, store, tokenKey })
  t.teardown(() => other.close())
  const transactions = collectTransactions(store)
  const use = async () => {
    const replies = await Promise.all(Array.from({ length: 10 }, () => as().get('/api/account', { cookie })))
    t.ok(replies.every(({ status }) => status === 200))
    await Promise.all(transactions)
  }
  const begun = clock(0)
  clock(5 * 60_000)
  await use()
  t.equal(transactions.length, 0)
  t.same(await kept(store), [[false, begun]])
  const used = clock(1)
  await use()
  t.equal(transactions.length, 1)
  t.same(await kept(store), [[false, used]])
  clock(8 * HOUR)
  t.equal((await other.inject({ url: '/api/account', headers: { cookie } })).statusCode, 200)
  await Promise.all(transactions)
  t.equal(transactions.length, 2)
  clock(8 * HOUR)
  await use()
  t.same(await kept(store), [[false, clock(0)]])
})

t.test('with a short idle limit, a use is recorded after a fiftieth of it', async (t) => {
  const clock = stopClock(t)
  const { as, store, cookie } = await logIn(t, { sessionIdle: '100s' })
  const begun = clock(0)
  clock(2000)
  t.equal((await as().get('/api/account', { cookie })).status, 200)
  await store.write(async () => {})
  t.same(await kept(store), [[false, begun]])
  const used = clock(1)
  t.equal((await as().get('/api/account', { cookie })).status, 200)
  await store.write(async () => {})
  t.same(await kept(store), [[false, used]])
})

t.test('a session unknown to the store has ended, whatever the limits', async (t) => {
  const off = { sessionIdle: '0', sessionIdleRemembered: '0' }
  for (const settings of [{}, off]) {
    const { as, store, cookie } = await logIn(t, settings)
    t.equal((await as().get('/api/account', { cookie })).status, 200)
    await store.write((trx) => trx.deleteFrom('session').execute())
    t.match(await as().get('/api/account', { cookie }), problem(401, 'session-idle'))
    t.match(await as().post('/api/graphs', triangle, { cookie, ...samePage }), problem(401, 'session-idle'))
  }
})

t.test('without writes, a session lasts until it expires', async (t) => {
  const clock = stopClock(t)
  const { as, store, cookie } = await logIn(t)
  store.write = () => Promise.reject(new StoreUnavailable('the disk is full'))
  clock(8 * HOUR)
  for (let look = 0; look < 3; look++) t.equal((await as().get('/api/account', { cookie })).status, 200)
  clock(1)
  t.match(await as().get('/api/account', { cookie }), problem(401, 'session-idle'))
})

t.test('ended sessions are forgotten', async (t) => {
  const clock = stopClock(t)
  const { as, store, cookie } = await logIn(t)
  const now = clock(0)
  await as().delete('/api/session', { cookie, ...samePage })
  t.same(await kept(store), [], 'that was ended')
  const both = [false, true]
  const ages = [30 * DAY + 1, 7 * DAY + 1, 7 * DAY, 8 * HOUR + 1, 8 * HOUR, -5 * 60_000, -5 * 60_000 - 1]
  const rows = both.flatMap((remembered) =>
    ages.map((age, index) => sessionRow({ id: `${remembered}${index}`, remembered, lastUsedAt: now - age }))
  )
  const left = async (window: number, remembered: number) => {
    await store.write(async (trx) => {
      await trx.deleteFrom('session').execute()
      await trx.insertInto('session').values(rows).execute()
      await removeIdleSessions(trx, { window, remembered })
    })
    return (await store.read.selectFrom('session').select('id').orderBy('id').execute()).map(({ id }) => id)
  }
  t.same(await left(8 * HOUR, 7 * DAY), ['false4', 'false5', 'true2', 'true3', 'true4', 'true5'])
  const never = Number.POSITIVE_INFINITY
  t.same(
    await left(never, never),
    both.flatMap((remembered) => [1, 2, 3, 4, 5].map((index) => `${remembered}${index}`))
  )
})
