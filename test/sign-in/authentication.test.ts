import { createHmac, randomUUID } from 'node:crypto'
import t, { type Test } from 'tap'
import { hashPassword, verifyPassword } from '../../db/users/passwords.ts'
import { holdHashes, useRealHashes } from '../support/hashes.ts'
import { build, events, PASSWORD, problem, proven, triangle } from '../support/helper.ts'
import { guestOf, runAs } from '../support/holders.ts'

const base64url = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** Builds a token by hand, possibly an invalid one. */
function forge(key: Buffer, claims: object, header: object = { alg: 'HS256', typ: 'JWT' }, hash = 'sha256') {
  const signed = `${base64url(header)}.${base64url(claims)}`
  return `${signed}.${createHmac(hash, key).update(signed).digest('base64url')}`
}

async function goodClaims(t: Test) {
  const server = await build(t)
  const token = await server.tokenOf('ada')
  const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
  const tryToken = (text: string) => server.as().get('/api/account', { authorization: `Bearer ${text}` })
  return { ...server, token, claims, tryToken }
}

t.test('POST /api/authenticate returns a token for a day, or for 30 days with rememberMe', async (t) => {
  const { as, app, tokenOf, store } = await build(t)
  await tokenOf('ada')
  for (const [rememberMe, seconds] of [
    [undefined, 86400],
    [false, 86400],
    [true, 30 * 86400]
  ] as const) {
    const { status, body } = await as().post('/api/authenticate', { username: 'ada', password: PASSWORD, rememberMe })
    t.equal(status, 200)
    t.match(body, { token_type: 'Bearer', expires_in: seconds, id_token: /^[\w-]+\.[\w-]+\.[\w-]+$/ })
    const claims = app.jwt.decode<Record<string, number>>(body.id_token)
    t.match(claims, { sub: 'ada', iss: 'graphstead', aud: 'graphstead', jti: /^[0-9a-f-]{36}$/, tv: Number })
    t.equal((claims?.exp ?? 0) - (claims?.iat ?? 0), seconds)
    const authorization = `Bearer ${body.id_token}`
    t.match(await as().get('/api/account', { authorization }), { status: 200, body: { login: 'ada' } })
  }
  const event = { principal: 'ada', outcome: 'SUCCESS', targetName: 'ada' }
  t.match(await events(store, 'AUTHENTICATION_SUCCESS'), [event, event, event])
})

t.test('an unknown login, a wrong password and a disabled user get the same refusal', async (t) => {
  const { as, store, tokenOf } = await build(t)
  await tokenOf('ada')
  await tokenOf('bob')
  await store.write((trx) => trx.updateTable('user').set({ enabled: false }).where('login', '=', 'bob').execute())
  const attempts = [
    { username: 'ada', password: 'wrong wrong wrong' },
    { username: 'nobody', password: PASSWORD },
    { username: 'bob', password: PASSWORD },
    { username: 'ADA', password: PASSWORD },
    { username: '', password: '' },
    { username: "' OR 1=1 --", password: PASSWORD }
  ]
  const shape = (reply: object) => JSON.stringify(reply).replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}|"date":"[^"]+"/g, '')
  const refusal = { ...problem(401, 'credentials-incorrect'), headers: { 'www-authenticate': 'Bearer' } }
  const replies = new Set<string>()
  for (const attempt of attempts) {
    const reply = await as().post('/api/authenticate', attempt)
    t.match(reply, refusal, attempt.username)
    replies.add(shape(reply))
  }
  t.equal(replies.size, 1)
  t.same(
    (await events(store, 'AUTHENTICATION_FAILURE')).map(({ principal, outcome }) => [principal, outcome]),
    [
      ['ada', 'FAILURE'],
      // Events for unknown names are aggregated; see test/attacks/denials.test.ts.
      ['anonymous', 'FAILURE'],
      ['bob', 'FAILURE']
    ]
  )
})

t.test('an unknown user takes as long as a wrong password', async (t) => {
  // Compares hashes instead of times: both logins compute one hash of the same cost.
  const made = useRealHashes(t)
  const stored = await hashPassword(PASSWORD)
  t.equal(await verifyPassword('wrong wrong wrong', stored), false)
  t.equal(await verifyPassword(PASSWORD, undefined), false)
  const cost = { memory: 19456, passes: 2, parallelism: 1, tagLength: 32 }
  t.same(
    made.map(({ memory, passes, parallelism, tagLength }) => ({ memory, passes, parallelism, tagLength })),
    [cost, cost, cost]
  )
})

t.test('an unknown login waits in the same hash queue', async (t) => {
  const { as } = await build(t)
  const { releaseAll } = holdHashes(t)
  // Fills the queue shared by all strangers. A login that computes no hash would not have to wait.
  const stranger = { holder: guestOf('strangers', '127.0.0.1') }
  const full = Array.from({ length: 101 }, () => runAs(stranger, () => verifyPassword('x', undefined)))
  const guesses = Array.from({ length: 20 }, (_, index) =>
    as().post('/api/authenticate', { username: `nobody${index}`, password: 'wrong' })
  )
  t.same(new Set((await Promise.all(guesses)).map(({ status }) => status)), new Set([503]))
  releaseAll()
  await Promise.all(full)
})

t.test('POST /api/authenticate checks its body', async (t) => {
  const { as } = await build(t)
  const cases: [unknown, string][] = [
    [{ password: 'x' }, '#/username'],
    [{ username: 'ada' }, '#/password'],
    [{ username: 5, password: 'x' }, '#/username'],
    [{ username: 'ada', password: ['x'] }, '#/password'],
    [{ username: 'ada', password: 'x', rememberMe: 'yes' }, '#/rememberMe'],
    [{ username: 'ada', password: 'x', admin: true }, '#/admin'],
    [{ username: 'ada', password: 'x'.repeat(1025) }, '#/password']
  ]
  for (const [body, pointer] of cases) {
    const reply = await as().post('/api/authenticate', body)
    t.match(reply, problem(400, 'validation-failed', [{ pointer }]))
    t.notMatch(reply.text, /xxx/, 'the response does not repeat the input')
  }
})

t.test('without a valid token the response is 401 with WWW-Authenticate', async (t) => {
  const { as } = await build(t)
  const refusal = (code: string, challenge: string) => ({
    ...problem(401, code),
    headers: { 'www-authenticate': challenge }
  })
  t.match(await as().get('/api/graphs'), refusal('token-missing', 'Bearer'))
  const wrong = [
    '',
    'Bearer',
    'Bearer ',
    'Bearer x',
    'Bearer a.b.c',
    'Basic YWRhOng=',
    'Token x',
    'Bearer a b',
    'Bearer é'
  ]
  for (const authorization of wrong) {
    const reply = await as().get('/api/graphs', { authorization })
    t.match(reply, refusal('token-invalid', 'Bearer error="invalid_token"'), authorization)
  }
})

t.test('the header must contain only Bearer and the token', async (t) => {
  const { as, tokenOf } = await build(t)
  const token = await tokenOf('ada')
  const statusOf = async (authorization: string) => (await as().get('/api/account', { authorization })).status
  for (const header of [`Bearer ${token}`, `bEARER ${token}`, `Bearer   ${token}  `]) {
    t.equal(await statusOf(header), 200, header)
  }
  for (const header of [`xBearer ${token}`, `Bearer${token}`, `Bearer ${token} x`, `Bearer ${token},`, token]) {
    t.equal(await statusOf(header), 401, header)
  }
})

t.test('an invalid or malformed token is refused', async (t) => {
  const { token, claims, tokenKey, tryToken } = await goodClaims(t)
  t.match(await tryToken(forge(tokenKey, claims)), { status: 200 }, 'the test can forge a valid token')
  const [header = '', payload = '', signature = ''] = token.split('.')
  const { iat, tv } = claims
  const bad: Record<string, string> = {
    'another key': forge(Buffer.alloc(32, 9), claims),
    'no algorithm': `${base64url({ alg: 'none', typ: 'JWT' })}.${payload}.`,
    'no algorithm, original signature': `${base64url({ alg: 'none', typ: 'JWT' })}.${payload}.${signature}`,
    HS512: forge(tokenKey, claims, { alg: 'HS512', typ: 'JWT' }, 'sha512'),
    RS256: forge(tokenKey, claims, { alg: 'RS256', typ: 'JWT' }),
    'another type': forge(tokenKey, claims, { alg: 'HS256', typ: 'at+jwt' }),
    'no type': forge(tokenKey, claims, { alg: 'HS256' }),
    'an altered payload': `${header}.${base64url({ ...claims, sub: 'root' })}.${signature}`,
    'an altered signature': `${header}.${payload}.${signature.slice(0, -2)}AA`,
    'no signature': `${header}.${payload}.`,
    expired: forge(tokenKey, { ...claims, exp: iat - 1, iat: iat - 10 }),
    'another issuer': forge(tokenKey, { ...claims, iss: 'elsewhere' }),
    'another audience': forge(tokenKey, { ...claims, aud: 'elsewhere' }),
    'another version': forge(tokenKey, { ...claims, tv: tv + 1 }),
    'a version as a string': forge(tokenKey, { ...claims, tv: String(tv) }),
    'an unknown user': forge(tokenKey, { ...claims, sub: 'nobody' }),
    'a user that is not a string': forge(tokenKey, { ...claims, sub: { $ne: 1 } }),
    'an identifier that is not a string': forge(tokenKey, { ...claims, jti: 7 }),
    'claims that are not an object': forge(tokenKey, ['sub']),
    'a header that is not valid JSON': `${Buffer.from('x').toString('base64url')}.${payload}.${signature}`,
    'two tokens': `${token},${token}`,
    'a huge token': forge(tokenKey, { ...claims, x: 'x'.repeat(10_000) }, { alg: 'none' })
  }
  for (const name of ['exp', 'iat', 'jti', 'tv', 'sub', 'iss', 'aud']) {
    t.ok(name in claims)
    bad[`without ${name}`] = forge(tokenKey, { ...claims, [name]: undefined })
  }
  for (const [what, text] of Object.entries(bad)) t.match(await tryToken(text), problem(401, 'token-invalid'), what)
  t.match(await tryToken(forge(tokenKey, { ...claims, jti: randomUUID() })), { status: 200 })
})

t.test('disabling, role changes and new passwords take effect on the next request', async (t) => {
  const { as, tokenOf, tryToken } = await goodClaims(t)
  const root = as('root')
  await as('ada').post('/api/graphs', triangle)

  t.match(await as('bob').get('/management/audits'), problem(403, 'forbidden'))
  await root.patch('/api/users/bob', { role: 'AUDITOR', ...proven })
  t.match(await as('bob').get('/management/audits'), { status: 200 }, 'the new role applies to the existing token')
  await root.patch('/api/users/bob', { role: 'USER' })
  t.match(await as('bob').get('/management/audits'), problem(403, 'forbidden'))

  await root.patch('/api/users/ada', { enabled: false })
  t.match(await as('ada').get('/api/graphs/1'), problem(401, 'token-invalid'))
  await root.patch('/api/users/ada', { enabled: true })
  t.match(await as('ada').get('/api/graphs/1'), problem(401, 'token-invalid'), 'old tokens stay invalid')

  await root.patch('/api/users/bob', { password: 'a new one for bob', ...proven })
  t.match(await as('bob').get('/api/account'), problem(401, 'token-invalid'))
  t.match(await tryToken(await tokenOf('bob')), { status: 401 })
  t.match(await as().post('/api/authenticate', { username: 'bob', password: 'a new one for bob' }), { status: 200 })
})

t.test('a token stops working when its user is deleted, even if a later user has the same login', async (t) => {
  const { as } = await build(t)
  const root = as('root')
  await as('ada').get('/api/account')
  t.match(await root.delete('/api/users/ada'), { status: 204 })
  t.match(await as('ada').get('/api/account'), problem(401, 'token-invalid'))
  t.match(await root.post('/api/users', { login: 'ada', password: PASSWORD, role: 'ADMIN', ...proven }), {
    status: 201
  })
  t.match(await as('ada').get('/api/account'), problem(401, 'token-invalid'))
})

t.test('guessing is throttled per account, even for accounts that do not exist', async (t) => {
  const { as, tokenOf, store } = await build(t)
  await tokenOf('ada')
  await tokenOf('bob')
  for (const username of ['ada', 'nobody']) {
    for (let attempt = 0; attempt < 10; attempt++) {
      t.match(await as().post('/api/authenticate', { username, password: 'wrong' }), { status: 401 })
    }
    const refused = await as().post('/api/authenticate', { username, password: PASSWORD })
    t.match(refused, { ...problem(429, 'too-many-attempts'), headers: { 'retry-after': /^[1-9]\d*$/ } }, username)
  }
  const other = await as().post('/api/authenticate', { username: 'bob', password: PASSWORD })
  t.equal(other.status, 200, 'other users can sign in')
  await as().post('/api/authenticate', { username: 'ada', password: 'wrong' })
  const failures = await events(store, 'AUTHENTICATION_FAILURE')
  const denials = failures.filter(({ outcome }) => outcome === 'DENIED')
  t.match(denials, [{ principal: 'ada' }, { principal: 'anonymous' }], 'only the first refusal is recorded')
  t.equal(failures.length, 13, 'one failure per minute is recorded for unknown names')
})

t.test('concurrent attempts all count', async (t) => {
  const { as, tokenOf } = await build(t)
  await tokenOf('ada')
  const attempts = Array.from({ length: 30 }, () =>
    as().post('/api/authenticate', { username: 'ada', password: 'wrong' })
  )
  const statuses = (await Promise.all(attempts)).map(({ status }) => status)
  t.equal(statuses.filter((status) => status === 401).length, 10)
  t.equal(statuses.filter((status) => status === 429).length, 20)
})

t.test('a correct password resets the failure count', async (t) => {
  const { as, tokenOf } = await build(t)
  await tokenOf('ada')
  for (let round = 0; round < 3; round++) {
    for (let attempt = 0; attempt < 9; attempt++) {
      await as().post('/api/authenticate', { username: 'ada', password: 'wrong' })
    }
    t.match(await as().post('/api/authenticate', { username: 'ada', password: PASSWORD }), { status: 200 })
  }
})

t.test('guessing is throttled per address', async (t) => {
  const { as } = await build(t, { trustProxy: 'true' })
  const attempt = async (address: string, username: string) =>
    (await as().post('/api/authenticate', { username, password: 'wrong' }, { 'x-forwarded-for': address })).status
  for (let index = 0; index < 100; index++)
    t.equal(await attempt(`2001:db8:0:1::${index.toString(16)}`, `user${index}`), 401)
  t.equal(await attempt('2001:db8:0:1:ffff::1', 'another'), 429, 'the whole /64 network is throttled')
  t.equal(await attempt('2001:db8:0:2::1', 'another'), 401, 'the next /64 network is not throttled')
  t.equal(await attempt('192.0.2.1', 'another'), 401)
})

t.test('X-Forwarded-For is trusted only from trusted proxies', async (t) => {
  for (const [trustProxy, expected] of [
    ['', '127.0.0.1'],
    ['10.0.0.0/8', '127.0.0.1'],
    ['127.0.0.1', '203.0.113.9'],
    ['loopback', '203.0.113.9'],
    ['true', '203.0.113.9']
  ] as const) {
    const { as, store } = await build(t, { trustProxy })
    await as('ada').post('/api/graphs', triangle, { 'x-forwarded-for': '203.0.113.9' })
    t.match(await events(store, 'GRAPH_CREATED'), [{ request: { ip: expected } }], trustProxy)
  }
})
