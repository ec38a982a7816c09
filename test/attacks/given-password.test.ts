import t from 'tap'
import { cookieOf, samePage } from '../support/browsers.ts'
import { contradictions } from '../support/consistency.ts'
import { beforeNextTransaction } from '../support/held-transactions.ts'
import { build, events, PASSWORD, problem, proven, triangle } from '../support/helper.ts'

// An assigned password is known to the administrator who set it and to anyone who reads the message. In a browser, it only lets
// the user choose a new one.

const own = 'nobody else knows it'

type Server = Awaited<ReturnType<typeof build>>

/** Signs in as a browser does. */
async function signIn({ as }: Server, username: string, password: string) {
  const reply = await as().post('/api/session', { username, password, rememberMe: false }, samePage)
  return { reply, headers: { ...samePage, cookie: cookieOf(reply) } }
}

/** Starts a server with a user whom root has created and who has signed in with the assigned password. */
async function prepare(t: Parameters<typeof build>[0], role = 'USER') {
  const server = await build(t)
  t.match(await server.as('root').post('/api/users', { login: 'eve', password: PASSWORD, role, ...proven }), {
    status: 201
  })
  const session = await signIn(server, 'eve', PASSWORD)
  t.match(session.reply, { status: 200, body: { mustChangePassword: true } })
  return { ...server, ...session }
}

/** The operations that a session with an assigned password may use. All others are refused. */
const open = [
  ...['getSession', 'endSession', 'startSession', 'getAccount', 'changePassword', 'endMySessions', 'getSecondFactor'],
  ...['beginSecondFactor', 'confirmSecondFactor', 'renewRecoveryCodes', 'removeMySecondFactor']
]

t.test("a session with an assigned password can only change the password, whatever the user's role", async (t) => {
  const { app, as, headers, store } = await prepare(t, 'ADMIN')
  const document = (await as().get('/openapi.json')).body
  const paths = Object.entries(document.paths as Record<string, Record<string, any>>)
  const refused: string[] = []
  for (const [path, methods] of paths) {
    for (const [method, { operationId, security, responses }] of Object.entries(methods)) {
      // Paths under `/api/links/` are for visitors.
      if (security.length === 0 || open.includes(operationId) || path.startsWith('/api/links/')) continue
      const url = path.replace('{id}', '1').replace('{version}', '1').replace('{login}', 'root')
      for (const verb of method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()]) {
        const { statusCode, payload } = await app.inject({ method: verb as 'GET', url, headers })
        t.equal(statusCode, 403, `${verb} ${path} ${payload}`)
        if (verb !== 'HEAD') t.match(payload, /"code":"password-change-required"/, operationId)
      }
      t.ok(responses['403'], `${operationId} documents the refusal`)
      refused.push(operationId)
    }
  }
  t.ok(refused.length > 20, `${refused.length} operations`)
  t.same(await events(store, 'AUTHORIZATION_FAILURE'), [], 'no denial is recorded')
  t.match(await as().get('/api/session', headers), { status: 200, body: { login: 'eve', mustChangePassword: true } })
  t.match(await as().get('/api/account', headers), { status: 200, body: { login: 'eve', mustChangePassword: true } })
  t.equal((await as().post('/api/account/logout', undefined, headers)).status, 204)
  const again = await signIn({ app, as, store } as Server, 'eve', PASSWORD)
  t.equal((await as().delete('/api/session', again.headers)).status, 204)
})

t.test('a different new password lifts the restriction', async (t) => {
  const server = await prepare(t)
  const { as, headers, store } = server
  const change = (newPassword: string) =>
    as().post('/api/account/password', { currentPassword: PASSWORD, newPassword }, headers)
  const same = { pointer: '#/newPassword', detail: 'must differ from the current password' }
  t.match(await change(PASSWORD), problem(400, 'password-refused', [same]))
  t.match(await as().get('/api/graphs', headers), problem(403, 'password-change-required'), 'nothing has changed')
  t.equal((await change(own)).status, 204)
  t.match(await as().get('/api/graphs', headers), problem(401, 'token-invalid'), 'the session has ended')
  t.match((await signIn(server, 'eve', PASSWORD)).reply, problem(401, 'credentials-incorrect'))
  const { reply, headers: now } = await signIn(server, 'eve', own)
  t.match(reply, { status: 200, body: { mustChangePassword: false } })
  t.equal((await as().post('/api/graphs', triangle, now)).status, 201)
  const [event, ...others] = (await events(store)).filter(({ type }) => type === 'USER_UPDATED')
  t.match(event, { principal: 'eve', targetName: 'eve' })
  t.same(
    [event?.data, others],
    [{ 'mustChangePassword.old': 'true', 'mustChangePassword.new': 'false' }, []],
    'the audit trail records the change'
  )
  t.same(await contradictions(store), [])
})

t.test('a request that arrives before its user must change the password changes nothing', async (t) => {
  const server = await build(t)
  const { as, store } = server
  await as('bob').get('/api/account')
  const { headers } = await signIn(server, 'bob', PASSWORD)
  t.equal((await as().post('/api/graphs', triangle, headers)).status, 201)
  beforeNextTransaction(store, () => as('root').patch('/api/users/bob', { mustChangePassword: true }))
  t.match(await as().post('/api/graphs', triangle, headers), problem(403, 'password-change-required'))
  t.equal((await store.read.selectFrom('graph').select('id').execute()).length, 1)
  t.match(await as().get('/api/graphs/1', headers), problem(403, 'password-change-required'))
  beforeNextTransaction(store, () =>
    as('root').patch('/api/users/bob', { mustChangePassword: true, role: 'AUDITOR', ...proven })
  )
  const change = { currentPassword: PASSWORD, newPassword: own }
  t.equal((await as().post('/api/account/password', change, headers)).status, 204, 'the password can still be changed')
})

t.test('API tokens work while the password is an assigned one', async (t) => {
  const { as } = await prepare(t)
  const { body } = await as().post('/api/authenticate', { username: 'eve', password: PASSWORD })
  const bearer = { authorization: `Bearer ${body.id_token}` }
  t.equal((await as().post('/api/graphs', triangle, bearer)).status, 201)
  t.match(await as().get('/api/account', bearer), { status: 200, body: { mustChangePassword: true } })
  const cookie = `graphstead_session=${body.id_token}`
  t.match(
    await as().get('/api/graphs', { cookie }),
    problem(403, 'password-change-required'),
    'a cookie session is restricted'
  )
})
