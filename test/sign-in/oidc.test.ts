import type { ServerResponse } from 'node:http'
import { generateKeyPair, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose'
import t from 'tap'
import { samePage } from '../support/browsers.ts'
import { stopClock } from '../support/clock.ts'
import { build, PASSWORD, problem, proven } from '../support/helper.ts'
import { type Answer, CLIENT_ID } from './hostile-provider.ts'
import { buildWithProvider, endOf, failure, PUBLIC, refusedWith, signedIn, trail } from './signing-in.ts'

/** Returns an event about eve. */
function success(type: string, principal: string, data: object) {
  return { type, outcome: 'SUCCESS', principal, target: 'eve', data }
}

t.test('a person signs in with the provider and becomes a user', async (t) => {
  const { provider, store, visitor, start, comeBack, whoIs } = await buildWithProvider(t)
  t.match(await visitor.get('/api/sign-in'), {
    status: 200,
    body: { passwordLogin: true, provider: 'single sign-on' }
  })
  const { location, cookie } = await start('?to=/graphs/7%3Fq=1')
  const { searchParams, origin, pathname } = new URL(location)
  t.equal(origin + pathname, `${provider.issuer}/authorize`)
  t.equal(searchParams.get('redirect_uri'), `${PUBLIC}/api/oidc/callback`)
  t.equal(searchParams.get('code_challenge_method'), 'S256')
  t.equal(searchParams.get('client_id'), CLIENT_ID)
  t.notMatch(decodeURIComponent(cookie), searchParams.get('state') ?? '', 'the cookie is encrypted')

  const back = await comeBack(provider.arrive(location), cookie)
  t.equal(back.location, '/graphs/7?q=1')
  t.match(back.headers['set-cookie'], [
    /^__Host-graphstead_sign_in=; Max-Age=0; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    /^__Host-graphstead_session=[^;]+; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
    /^graphstead_session=; Max-Age=0; /,
    /^__Host-graphstead_device=[^;]+; Max-Age=15552000; /
  ])
  t.match(await whoIs(back.session), { login: 'eve', role: 'USER', kind: 'PERSON', linked: true, hasPassword: false })
  const identity = { issuer: provider.issuer, subject: 'eve' }
  const user = { 'kind.new': 'PERSON', 'role.new': 'USER', 'enabled.new': 'true', 'mustChangePassword.new': 'false' }
  t.strictSame(await trail(store), [
    success('USER_CREATED', 'system', user),
    success('USER_LINKED', 'system', identity),
    success('AUTHENTICATION_SUCCESS', 'eve', { method: 'oidc' })
  ])
  const users = await store.read.selectFrom('user').select(['login', 'passwordHash']).execute()
  t.same(users, [{ login: 'eve', passwordHash: '' }])
})

t.test('after sign-in the browser is redirected only to pages of this server', async (t) => {
  const { provider, start, comeBack } = await buildWithProvider(t)
  const others = ['//evil.example', '/\\evil.example', 'https://evil.example/', '/\t/evil.example', '/.//evil.example']
  for (const to of others) {
    const { location, cookie } = await start(`?to=${encodeURIComponent(to)}`)
    const back = await comeBack(provider.arrive(location), cookie)
    t.equal(new URL(back.location ?? '', PUBLIC).origin, PUBLIC, to)
  }
})

t.test('a sign-in completes only once, within ten minutes, in the browser where it started', async (t) => {
  const { provider, store, start, comeBack } = await buildWithProvider(t)
  const wait = stopClock(t)
  const { location, cookie } = await start()
  const path = provider.arrive(location)
  const expired = refusedWith('sign-in-expired')
  t.strictSame(endOf(await comeBack(path, '')), expired, 'another browser cannot finish it')
  t.strictSame(endOf(await comeBack(path, (await start()).cookie)), expired, 'the cookie of another sign-in is refused')
  t.strictSame(endOf(await comeBack(path, `${cookie}x`)), expired, 'a changed cookie is refused')
  wait(11 * 60_000)
  t.strictSame(endOf(await comeBack(path, cookie)), expired, 'the sign-in has expired')
  wait(-11 * 60_000)
  t.strictSame(provider.asked['/token'], undefined, 'no request was sent to the provider')
  t.strictSame(await trail(store), [failure('sign-in-expired')])
  t.strictSame(endOf(await comeBack(path, cookie)), signedIn)
  t.strictSame(endOf(await comeBack(path, cookie)), expired, 'the code was already used')
})

t.test('an id token with a wrong claim is refused', async (t) => {
  const { store, signIn } = await buildWithProvider(t)
  const now = Math.floor(Date.now() / 1000)
  const invalid: [what: string, claims: JWTPayload][] = [
    ['another nonce', { nonce: 'another' }],
    ['no nonce', { nonce: undefined }],
    ['another audience', { aud: 'another' }],
    ['another issuer', { iss: 'https://evil.example' }],
    ['another authorized party', { azp: 'another' }],
    ['several audiences and no authorized party', { aud: [CLIENT_ID, 'another'] }],
    ['an expiry in the past', { exp: now - 60 }],
    ['no expiry', { exp: undefined }],
    ['nbf in the future', { nbf: now + 600 }],
    ['no subject', { sub: undefined }],
    ['a subject that is too long', { sub: 'x'.repeat(256) }],
    ['a subject with U+0000', { sub: 'e\0e' }],
    ['a lone surrogate as the subject', { sub: '\ud83d' }]
  ]
  for (const [what, claims] of invalid) {
    t.strictSame(endOf(await signIn({ claims })), refusedWith('identity-invalid'), what)
  }
  // The last login becomes ASCII only when lowercased.
  for (const login of [undefined, 7, 'Zoë', 'System', '\u212aate']) {
    const answer = await signIn({ claims: { preferred_username: login } })
    t.strictSame(endOf(answer), refusedWith('login-unusable'), `${login}`)
  }
  t.strictSame(
    await trail(store),
    [failure('identity-invalid'), failure('login-unusable')],
    'repeated failures are counted'
  )
})

t.test('an id token not signed by the provider is refused', async (t) => {
  const { provider, store, signIn } = await buildWithProvider(t)
  const { privateKey } = await generateKeyPair('ES256')
  const by = (alg: string, kid: string, key: CryptoKey | Buffer) => (claims: JWTPayload) =>
    new SignJWT(claims).setProtectedHeader({ alg, kid }).sign(key)
  const forgeries: Record<string, NonNullable<Answer['sign']>> = {
    'no signature': (claims) => new UnsecuredJWT(claims).encode(),
    'another key with the same id': by('ES256', 'first', privateKey),
    'an unknown key': by('ES256', 'x', privateKey),
    'a shared secret': by('HS256', 'first', Buffer.alloc(32, 1)),
    'the signature of another token': async (claims) => {
      const [head, , signature] = (await provider.signed(claims)).split('.')
      return [head, Buffer.from(JSON.stringify({ ...claims, sub: 'root' })).toString('base64url'), signature].join('.')
    },
    'no token': () => ''
  }
  for (const [what, sign] of Object.entries(forgeries)) {
    t.strictSame(endOf(await signIn({ sign })), refusedWith('identity-invalid'), what)
  }
  t.equal(provider.asked['/jwks'], 1, 'the keys were fetched once')
  t.strictSame(await store.read.selectFrom('user').selectAll().execute(), [])
  t.strictSame(endOf(await signIn()), signedIn, 'a valid token is accepted')
})

t.test('a response with another issuer, or without one, is refused (RFC 9207)', async (t) => {
  const { provider, visitor, start, comeBack } = await buildWithProvider(t)
  for (const change of [
    (query: URLSearchParams) => query.set('iss', 'https://evil.example'),
    (query: URLSearchParams) => query.delete('iss')
  ]) {
    const { location, cookie } = await start()
    const url = new URL(provider.arrive(location), PUBLIC)
    change(url.searchParams)
    t.equal((await comeBack(url.pathname + url.search, cookie)).location, '/sign-in?error=identity-invalid')
  }
  for (const name of ['iss', 'code', 'state', 'error']) {
    const { location, cookie } = await start()
    const url = new URL(provider.arrive(location), PUBLIC)
    for (let i = 0; i < 2; i++) url.searchParams.append(name, 'x')
    const answer = await visitor.get(url.pathname + url.search, { cookie })
    t.match(answer, problem(400, 'validation-failed', [{ parameter: name, code: 'repeated' }]))
  }
  t.equal(provider.asked['/token'], undefined, 'no code was sent')
})

t.test("a cancelled sign-in is reported without the provider's text", async (t) => {
  const { provider, store, start, comeBack } = await buildWithProvider(t)
  const { location, cookie } = await start()
  const state = new URL(location).searchParams.get('state') ?? ''
  const answer = { error: 'access_denied', error_description: '<b>no</b>', state, iss: provider.issuer }
  const back = await comeBack(`/api/oidc/callback?${new URLSearchParams(answer)}`, cookie)
  t.strictSame(endOf(back), refusedWith('sign-in-refused'))
  t.strictSame(await trail(store), [failure('sign-in-refused')])
})

t.test('an existing account is never taken over by someone with the same login', async (t) => {
  const { store, signIn, tokenOf } = await buildWithProvider(t)
  await tokenOf('eve')
  t.strictSame(endOf(await signIn()), refusedWith('login-taken'))
  t.strictSame(await trail(store), [failure('login-taken')])
  t.strictSame(endOf(await signIn({ claims: { preferred_username: ' EVE.2 ' } })), signedIn, 'a free login is accepted')
})

t.test('the setting can stop unknown people from becoming users', async (t) => {
  const { store, signIn } = await buildWithProvider(t, { oidcCreateUsers: 'off' })
  t.strictSame(endOf(await signIn()), refusedWith('identity-unknown'))
  t.strictSame(await trail(store), [failure('identity-unknown')])
  t.strictSame(await store.read.selectFrom('user').selectAll().execute(), [])
})

t.test('a disabled user cannot sign in', async (t) => {
  const { as, store, signIn, whoIs } = await buildWithProvider(t)
  const { session } = await signIn()
  t.match(await as('root').patch('/api/users/eve', { enabled: false }), { status: 200, body: { linked: true } })
  t.equal(await whoIs(session), undefined)
  t.strictSame(endOf(await signIn()), refusedWith('user-disabled'))
  t.strictSame((await trail(store)).at(-1), failure('user-disabled', 'eve'))
})

t.test('the claim sets the role at each sign-in, except for the last administrator with a password', async (t) => {
  const { as, visitor, store, signIn, whoIs } = await buildWithProvider(t, {
    oidcRoleClaim: 'realm.roles',
    oidcAdminValues: 'graph-admins, chiefs',
    oidcAuditorValues: 'auditors'
  })
  const roleWith = async (roles?: unknown) => {
    const { session } = await signIn({ claims: { realm: { roles } } })
    return (await whoIs(session)).role
  }
  t.equal(await roleWith(['x', 'auditors']), 'AUDITOR')
  t.equal(await roleWith(['auditors', 'chiefs']), 'ADMIN')
  t.equal(await roleWith('graph-admins'), 'ADMIN')
  const updates = (await trail(store)).filter(({ type }) => type === 'USER_UPDATED')
  t.strictSame(updates, [success('USER_UPDATED', 'system', { 'role.old': 'AUDITOR', 'role.new': 'ADMIN' })])
  t.equal(await roleWith(), 'USER', 'an administrator without a password is demoted')
  t.equal(await roleWith({ auditors: true }), 'USER')

  t.match(await as('root').patch('/api/users/eve', { role: 'ADMIN', password: PASSWORD, ...proven }), { status: 200 })
  const { body } = await visitor.post('/api/authenticate', { username: 'eve', password: PASSWORD })
  const bearer = { authorization: `Bearer ${body.id_token}` }
  t.match(await visitor.patch('/api/users/root', { role: 'USER' }, bearer), { status: 200 })
  t.equal(await roleWith(['auditors']), 'ADMIN', 'the last administrator with a password keeps the role')
})

t.test('the last administrator can be demoted if they have no password', async (t) => {
  const { as, signIn, whoIs, visitor } = await buildWithProvider(t, { oidcRoleClaim: 'roles', oidcAdminValues: 'a' })
  const { session } = await signIn({ claims: { roles: ['a'] } })
  t.equal((await whoIs(session)).role, 'ADMIN')
  const sent = { cookie: session, ...samePage }
  await as('root').get('/api/account')
  t.match(await visitor.patch('/api/users/root', { enabled: false }, sent), problem(409, 'last-administrator'))
})

/** Returns a handler that responds with this JSON. */
const json =
  (text: string, status = 200) =>
  (response: ServerResponse) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(text)

t.test('while the provider is down, the server keeps running and reports the outage', async (t) => {
  const { provider, visitor, as, signIn } = await buildWithProvider(t)
  const down = problem(503, 'provider-unavailable')
  const discovery = '/.well-known/openid-configuration'
  provider.replace(discovery, (_, response) => void response.writeHead(500).end())
  const now = performance.now.bind(performance)
  let ahead = 0
  t.capture(performance, 'now', () => now() + ahead)
  for (let i = 0; i < 3; i++)
    t.match(await visitor.get('/api/oidc/start'), { ...down, headers: { 'retry-after': '5' } })
  t.equal(provider.asked[discovery], 1, 'the provider is not asked again for a while')
  t.match(await visitor.get('/api/oidc/start', { accept: 'text/html,*/*;q=0.8' }), {
    status: 302,
    headers: { location: '/sign-in?error=provider-unavailable' }
  })
  t.equal((await as('ada').get('/api/account')).status, 200)

  const cases: Record<string, (response: ServerResponse) => unknown> = {
    'a redirect': (response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(),
    'not valid JSON': (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<p>'),
    'broken JSON': json('{'),
    'too many bytes': json(`"${'x'.repeat(300 * 1024)}"`),
    'another issuer': json(JSON.stringify({ ...provider.metadata, issuer: 'https://evil.example' })),
    'no key endpoint': json(JSON.stringify({ ...provider.metadata, jwks_uri: undefined })),
    'an endpoint with another scheme': json(
      JSON.stringify({ ...provider.metadata, token_endpoint: 'file:///etc/passwd' })
    ),
    'no response': () => {}
  }
  for (const [what, answer] of Object.entries(cases)) {
    ahead += 6000
    provider.replace(discovery, (_, response) => void answer(response))
    t.match(await visitor.get('/api/oidc/start'), down, what)
  }
  ahead += 6000
  provider.replace(discovery)
  t.strictSame(endOf(await signIn()), signedIn, 'sign-in works once the provider is up again')

  // Expired provider metadata is still used during an outage.
  ahead += 2 * 60 * 60 * 1000
  provider.replace(discovery, (_, response) => void response.destroy())
  t.strictSame(endOf(await signIn()), signedIn)
})

t.test('token responses are limited in size, and failed token requests do not count against the person', async (t) => {
  const { provider, store, signIn } = await buildWithProvider(t)
  const cases: Record<string, (response: ServerResponse) => unknown> = {
    'a redirect': (response) => response.writeHead(307, { location: `${provider.issuer}/token` }).end(),
    'too many bytes': json(`"${'x'.repeat(300 * 1024)}"`),
    'a rejected client': json('{"error":"invalid_client"}', 401),
    'an error': (response) => response.writeHead(502).end('oops'),
    'a closed connection': (response) => response.destroy()
  }
  for (const [what, answer] of Object.entries(cases)) {
    provider.replace('/token', (_, response) => void answer(response))
    t.strictSame(endOf(await signIn()), refusedWith('provider-unavailable'), what)
  }
  t.strictSame(await trail(store), [], 'nothing is recorded')
})

t.test('new provider keys are fetched at most every 30 seconds', async (t) => {
  const wait = stopClock(t)
  const { provider, signIn } = await buildWithProvider(t)
  t.strictSame(endOf(await signIn()), signedIn)
  await provider.rotate()
  for (let i = 0; i < 3; i++) t.strictSame(endOf(await signIn()), refusedWith('identity-invalid'))
  t.equal(provider.asked['/jwks'], 1)
  wait(31_000)
  t.strictSame(endOf(await signIn()), signedIn)
  t.equal(provider.asked['/jwks'], 2)
})

t.test('provider sign-in is disabled if no provider is configured', async (t) => {
  const { as } = await build(t)
  t.strictSame((await as().get('/api/sign-in')).body, { passwordLogin: true })
  t.match(await as().get('/api/oidc/start'), problem(404, 'provider-missing'))
  t.match(await as().get('/api/oidc/callback?code=1'), problem(404, 'provider-missing'))
  t.match(await as('ada').post('/api/account/identity', { password: PASSWORD }), problem(404, 'provider-missing'))
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const logout = await as().post('/api/oidc/backchannel-logout', 'logout_token=x', form)
  t.match(logout, problem(404, 'provider-missing'))
})

t.test('a setting restricts password sign-in to administrators', async (t) => {
  const { visitor, store, tokenOf } = await buildWithProvider(t, { passwordLogin: 'off' })
  await tokenOf('root')
  await tokenOf('ada')
  t.strictSame((await visitor.get('/api/sign-in')).body.passwordLogin, false)
  const logIn = (username: string) => visitor.post('/api/authenticate', { username, password: PASSWORD })
  t.match(await logIn('ada'), problem(401, 'credentials-incorrect'))
  t.match(await logIn('root'), { status: 200 })
  const data = { method: 'password' }
  t.strictSame(await trail(store), [
    { type: 'AUTHENTICATION_FAILURE', outcome: 'FAILURE', principal: 'ada', target: 'ada', data },
    { type: 'AUTHENTICATION_SUCCESS', outcome: 'SUCCESS', principal: 'root', target: 'root', data }
  ])
})

t.test('failed sign-ins from an address are limited, and more failures do not prolong the wait', async (t) => {
  const { provider, start, comeBack } = await buildWithProvider(t)
  const { location, cookie } = await start()
  const path = provider.arrive(location)
  const wrong = new URL(path, PUBLIC)
  wrong.searchParams.set('code', 'wrong')
  let ahead = 0
  t.capture(performance, 'now', () => 1e6 + ahead)
  const fail = async () => (await comeBack(wrong.pathname + wrong.search, cookie)).location
  let failures = 0
  while (failures < 700 && (await fail()) !== '/sign-in?error=too-many-attempts') failures++
  const asked = provider.asked['/token']
  t.equal(failures, 600)
  for (let i = 0; i < 200; i++) {
    t.equal((await comeBack(path, cookie)).location, '/sign-in?error=too-many-attempts')
  }
  t.equal(provider.asked['/token'], asked)
  ahead = 1001
  t.strictSame(endOf(await comeBack(path, cookie)), signedIn)
})

t.test('provider failures do not count against people who sign in', async (t) => {
  const { provider, start, comeBack, signIn } = await buildWithProvider(t)
  t.capture(performance, 'now', () => 1e6)
  const path = provider.arrive((await start()).location)
  for (let i = 0; i < 595; i++) await comeBack(path, '')
  provider.replace('/token', (_, response) => void response.writeHead(502).end())
  for (let i = 0; i < 10; i++) await signIn()
  provider.replace('/token')
  t.strictSame(endOf(await signIn()), signedIn)
})
