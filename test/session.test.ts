import t from 'tap'
import { StoreUnavailable } from '../db/store.ts'
import { removeExpiredSessions } from '../db/users.ts'
import { build, events, PASSWORD, problem, type Reply, triangle } from './helper.ts'

// Logging in with a browser: a cookie that no script can read, and that only pages of the server can use.

/** As a browser says of a page of the server. */
const samePage = { 'sec-fetch-site': 'same-origin' }

/** What comes with requests that others have made. */
const elsewhere: Record<string, string>[] = [
  {},
  { 'sec-fetch-site': 'cross-site' },
  { origin: 'http://elsewhere.example' }
]

const credentials = { username: 'ada', password: PASSWORD }

/** The attributes of the cookie that an answer sets. */
function cookieOf({ headers }: Reply) {
  const [pair = '', ...attributes] = String([headers['set-cookie']].flat()[0]).split('; ')
  return { pair, attributes: attributes.sort() }
}

async function logIn(t: Parameters<typeof build>[0], settings: Parameters<typeof build>[1] = {}) {
  const server = await build(t, settings)
  await server.tokenOf('ada')
  const reply = await server.as().post('/api/session', credentials, samePage)
  return { ...server, reply, cookie: cookieOf(reply).pair }
}

t.test('a session is a cookie that no script can read, and the answer has no token', async (t) => {
  const { as, store, reply, cookie } = await logIn(t)
  t.match(reply, { status: 200, body: { login: 'ada', role: 'USER', enabled: true } })
  t.notMatch(reply.text, /eyJ/, 'no token in the body')
  t.match(cookie, /^graphstead_session=eyJ/)
  t.same(cookieOf(reply).attributes, ['HttpOnly', 'Path=/', 'SameSite=Strict'], 'gone with the window')
  t.match(await as().get('/api/account', { cookie }), { status: 200, body: { login: 'ada' } })
  t.match(await as().get('/api/session', { cookie: `other=1; ${cookie}` }), { status: 200, body: { login: 'ada' } })
  t.match(await events(store, 'AUTHENTICATION_SUCCESS'), [{ principal: 'ada', request: { route: '/api/session' } }])
  t.notMatch(JSON.stringify(await events(store)), /eyJ/, 'the trail knows no cookie')
})

t.test('a session tells whether the password was given by somebody else', async (t) => {
  const { as } = await logIn(t)
  t.match(await as('ada').get('/api/session'), { body: { mustChangePassword: false } })
  await as('root').patch('/api/users/ada', { password: 'a given password' })
  const reply = await as().post('/api/session', { username: 'ada', password: 'a given password' }, samePage)
  t.match(reply, { status: 200, body: { login: 'ada', mustChangePassword: true } })
  const { pair: cookie } = cookieOf(reply)
  t.match(await as().get('/api/session', { cookie }), { status: 200, body: { mustChangePassword: true } })
  t.match(await as().get('/api/mygraphs', { cookie }), problem(403, 'password-change-required'))
})

t.test('who wants to be remembered is, for 30 days', async (t) => {
  const { as } = await logIn(t)
  const reply = await as().post('/api/session', { ...credentials, rememberMe: true }, samePage)
  t.same(cookieOf(reply).attributes, ['HttpOnly', 'Max-Age=2592000', 'Path=/', 'SameSite=Strict'])
})

t.test('under TLS the cookie is Secure: of its own, of a trusted proxy, or by what the browser says', async (t) => {
  const { as } = await logIn(t, { trustProxy: 'loopback' })
  for (const headers of [
    { ...samePage, 'x-forwarded-proto': 'https' },
    { ...samePage, origin: 'https://graphs.example.org' }
  ] as Record<string, string>[]) {
    t.match(cookieOf(await as().post('/api/session', credentials, headers)).attributes, [
      'HttpOnly',
      'Path=/',
      'SameSite=Strict',
      'Secure'
    ])
  }
})

t.test('a session is asked for by pages of the server only', async (t) => {
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
  t.same(await events(store), [], 'no password was tried')
  // Old browsers, and pages that are not under TLS, say where they are from.
  t.equal(
    (await as().post('/api/session', credentials, { host: 'graphs.lan:8080', origin: 'http://graphs.lan:8080' }))
      .status,
    200
  )
})

t.test('a request with a session that changes something has to come from a page of the server', async (t) => {
  const { as, store, cookie } = await logIn(t)
  const client = as()
  await client.post('/api/graphs', triangle, { cookie, ...samePage })
  const changes: [string, (headers: Record<string, string>) => Promise<Reply>][] = [
    ['POST', (headers) => client.post('/api/graphs', triangle, headers)],
    ['PUT', (headers) => client.put('/api/graphs', { id: 1, name: 'Other' }, headers)],
    ['PATCH', (headers) => client.patch('/api/graphs/1', { shared: true }, headers)],
    ['DELETE', (headers) => client.delete('/api/graphs/1', headers)],
    [
      'import',
      (headers) => client.post('/api/graphs/import', 'graph { a -- b }', { ...headers, 'content-type': 'text/plain' })
    ]
  ]
  for (const [name, send] of changes) {
    for (const origin of elsewhere) {
      t.match(await send({ cookie, ...origin }), problem(403, 'cross-origin'), `${name} ${JSON.stringify(origin)}`)
    }
  }
  t.equal((await store.read.selectFrom('graph').select('id').execute()).length, 1)
  t.match((await client.get('/api/graphs/1', { cookie })).body, { version: 1, shared: false }, 'nothing has changed')
  t.equal((await client.patch('/api/graphs/1', { shared: true }, { cookie, ...samePage })).status, 200)
  t.equal(
    (await as('ada').patch('/api/graphs/1', { shared: false }, { origin: 'http://elsewhere.example' })).status,
    200,
    'a token is no cookie: whoever sends it has it'
  )
})

t.test('a token of the header wins over the session', async (t) => {
  const { as, cookie } = await logIn(t)
  t.match(await as('bob').get('/api/account', { cookie }), { status: 200, body: { login: 'bob' } })
  t.match(await as().get('/api/account', { cookie, authorization: 'Bearer nonsense' }), problem(401, 'token-invalid'))
})

t.test('logging out ends the session itself, and no other', async (t) => {
  const { as, store, cookie } = await logIn(t)
  const other = cookieOf(await as().post('/api/session', credentials, samePage)).pair
  t.equal((await as().get('/api/account', { cookie })).status, 200)
  const out = await as().delete('/api/session', { cookie, ...samePage })
  t.match(out, { status: 204, text: '' })
  t.same(cookieOf(out), {
    pair: 'graphstead_session=',
    attributes: ['HttpOnly', 'Max-Age=0', 'Path=/', 'SameSite=Strict']
  })
  t.match(await as().get('/api/account', { cookie }), problem(401, 'token-invalid'), 'a copy of the cookie')
  const authorization = `Bearer ${cookie.split('=')[1]}`
  t.match(await as().get('/api/account', { authorization }), problem(401, 'token-invalid'), 'what is in it')
  t.equal((await as().get('/api/account', { cookie: other })).status, 200, 'another window')
  t.equal((await as('ada').get('/api/account')).status, 200, 'a program')
  for (const nobody of [{}, { cookie }, { cookie: 'graphstead_session=nonsense' }] as Record<string, string>[]) {
    t.equal((await as().delete('/api/session', { ...nobody, ...samePage })).status, 204, 'also without one')
  }
  t.match(await events(store, 'SESSION_ENDED'), [
    { principal: 'ada', targetType: 'USER', targetName: 'ada', request: { route: '/api/session', method: 'DELETE' } }
  ])
  t.equal((await store.read.selectFrom('endedSession').selectAll().execute()).length, 1)
})

t.test('a session that has ended is forgotten when its token has expired', async (t) => {
  const { as, store, cookie } = await logIn(t)
  await as().delete('/api/session', { cookie, ...samePage })
  const [ended] = await store.read.selectFrom('endedSession').selectAll().execute()
  const days = ((ended?.expiresAt ?? 0) - Date.now()) / (24 * 60 * 60 * 1000)
  t.ok(days > 0.99 && days <= 1, 'a day')
  await store.write(removeExpiredSessions)
  t.equal((await store.read.selectFrom('endedSession').selectAll().execute()).length, 1)
  await store.write((trx) => trx.updateTable('endedSession').set({ expiresAt: Date.now() }).execute())
  await store.write(removeExpiredSessions)
  t.same(await store.read.selectFrom('endedSession').selectAll().execute(), [])
})

t.test('where the session cannot be ended, the browser forgets it all the same', async (t) => {
  const { as, store, cookie } = await logIn(t)
  store.write = () => Promise.reject(new StoreUnavailable('the disk is full'))
  const out = await as().delete('/api/session', { cookie, ...samePage })
  t.equal(out.status, 503)
  t.match(cookieOf(out), { pair: 'graphstead_session=' })
})

t.test('a session ends with the account, and where all of them are ended', async (t) => {
  const { as, cookie } = await logIn(t)
  t.equal((await as().post('/api/account/logout', undefined, { cookie, ...samePage })).status, 204)
  t.match(await as().get('/api/account', { cookie }), problem(401, 'token-invalid'))
  t.match(await as().get('/api/session', { cookie }), { status: 204, text: '' }, 'nobody, which is no error')
})

t.test('GET /api/session tells nobody from somebody without an error', async (t) => {
  const { as } = await build(t)
  t.match(await as().get('/api/session'), { status: 204, text: '' })
  t.match(await as().get('/api/session', { cookie: 'graphstead_session=nonsense' }), { status: 204, text: '' })
  t.match(await as('root').get('/api/session'), { status: 200, body: { login: 'root', role: 'ADMIN' } })
})

t.test('a wrong password is refused and throttled as everywhere', async (t) => {
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
