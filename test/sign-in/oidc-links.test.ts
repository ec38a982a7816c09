import t from 'tap'
import { codeAt } from '../../plugins/sign-in/totp.ts'
import { samePage } from '../support/browsers.ts'
import { addUser, events, PASSWORD, problem, proven } from '../support/helper.ts'
import { decodeBase32 } from './base32.ts'
import { buildWithProvider, cookieOf, endOf, failure, PUBLIC, refusedWith, trail } from './signing-in.ts'

const proof = { password: PASSWORD }

/** Starts a server with a provider, and a browser in which ada has signed in with her password. */
async function buildWithSession(...[t, settings]: Parameters<typeof buildWithProvider>) {
  const built = await buildWithProvider(t, settings)
  const { visitor, store } = built
  await addUser(store, 'ada')
  const { headers } = await visitor.post('/api/session', { username: 'ada', ...proof }, { ...samePage, origin: PUBLIC })
  const session = cookieOf(headers, '__Host-graphstead_session')

  /** Starts linking the session's user to an identity. */
  async function startLinking() {
    const answer = await visitor.post('/api/account/identity', proof, { ...samePage, cookie: session })
    t.equal(answer.status, 200)
    return { location: answer.body.location as string, cookie: cookieOf(answer.headers, '__Host-graphstead_sign_in') }
  }
  return { ...built, session, startLinking }
}

t.test('a user links their account, signs in with the provider, and removes the link', async (t) => {
  const { provider, visitor, store, session, startLinking, comeBack, signIn, whoIs } = await buildWithSession(t)
  const { location, cookie } = await startLinking()
  const back = await comeBack(provider.arrive(location, { claims: { preferred_username: 'other' } }), cookie)
  t.strictSame([back.location, back.session], ['/account', ''])
  t.match(await whoIs(session), { login: 'ada', linked: true, hasPassword: true })

  const arrived = await signIn()
  t.equal(arrived.location, '/')
  t.match(await whoIs(arrived.session), { login: 'ada' }, 'the linked identity decides, not the login')

  const unlink = (session: string, more: object = samePage) =>
    visitor.delete('/api/account/identity', { cookie: session, ...more })
  t.match(await unlink(session, { 'sec-fetch-site': 'cross-site' }), problem(403, 'cross-origin'))
  t.equal((await unlink(session)).status, 204)
  t.equal(await whoIs(arrived.session), undefined, "the provider's session has ended")
  t.match(await whoIs(session), { login: 'ada', linked: false }, 'the password session continues')
  t.equal((await unlink(session)).status, 204, 'unlinking again succeeds')
  const identity = { issuer: provider.issuer, subject: 'eve' }
  const about = { outcome: 'SUCCESS', principal: 'ada', target: 'ada' }
  t.strictSame(await trail(store), [
    { type: 'AUTHENTICATION_SUCCESS', ...about, data: { method: 'password' } },
    { type: 'USER_LINKED', ...about, data: identity },
    { type: 'AUTHENTICATION_SUCCESS', ...about, data: { method: 'oidc' } },
    { type: 'USER_UNLINKED', ...about, data: identity },
    { type: 'SESSIONS_ENDED', ...about, data: { method: 'oidc', count: '1' } }
  ])
})

t.test('only the user can start linking their account, and the session must still exist at the end', async (t) => {
  const { provider, visitor, store, session, startLinking, comeBack, as } = await buildWithSession(t)
  const begin = (headers: Record<string, string>) => visitor.post('/api/account/identity', proof, headers)
  t.match(await begin({}), problem(401, 'token-missing'))
  t.match(await begin({ cookie: session }), problem(403, 'cross-origin'))
  t.match(await begin({ cookie: session, 'sec-fetch-site': 'cross-site' }), problem(403, 'cross-origin'))
  const token = await as('bob').post('/api/account/tokens', { name: 'x', scopes: ['write:users'], ...proof })
  const program = { authorization: `Bearer ${token.body.token}` }
  t.match(await begin(program), problem(403, 'scope-missing'))
  t.match(await visitor.delete('/api/account/identity', program), problem(403, 'scope-missing'))

  const { location, cookie } = await startLinking()
  t.equal((await visitor.delete('/api/session', { cookie: session, ...samePage })).status, 204)
  const back = await comeBack(provider.arrive(location), cookie)
  t.strictSame([back.location, back.session], ['/account?error=token-invalid', ''])
  t.strictSame(await store.read.selectFrom('userIdentity').selectAll().execute(), [])
})

t.test("somebody at another person's browser cannot link an identity without the password", async (t) => {
  const { provider, visitor, store, session } = await buildWithSession(t)
  const headers = { ...samePage, cookie: session }
  const begin = (body?: object) => visitor.post('/api/account/identity', body, headers)
  for (const body of [undefined, {}, { password: '' }]) t.match(await begin(body), { status: 400 })
  const wrong = await begin({ password: 'another battery' })
  t.match(wrong, problem(400, 'password-incorrect', [{ pointer: '#/password', code: 'password-incorrect' }]))
  t.strictSame(cookieOf(wrong.headers, '__Host-graphstead_sign_in'), '')
  t.equal(provider.asked['/.well-known/openid-configuration'], undefined)
  t.equal((await trail(store)).at(-1)?.type, 'AUTHENTICATION_FAILURE')
  for (let attempt = 1; attempt < 10; attempt++) await begin({ password: 'another battery' })
  t.match(await begin(proof), problem(429, 'too-many-attempts'), 'guesses are throttled')
})

t.test('a user with a second factor needs a code to link, and each code works once', async (t) => {
  const { visitor, session } = await buildWithSession(t)
  const headers = { ...samePage, cookie: session }
  const { secret } = (await visitor.post('/api/account/second-factor', proof, headers)).body
  const code = codeAt(decodeBase32(secret), Math.floor(Date.now() / 30_000))
  const confirmed = await visitor.post('/api/account/second-factor/confirmation', { code }, headers)
  const begin = (more: object) => visitor.post('/api/account/identity', { ...proof, ...more }, headers)
  const refused = (code: string) => problem(400, 'validation-failed', [{ pointer: '#/code', code }])
  t.match(await begin({}), refused('required'))
  t.match(await begin({ code }), refused('second-factor-incorrect'), 'the code was already used')
  const [recoveryCode] = confirmed.body.recoveryCodes
  const begun = await begin({ code: recoveryCode })
  t.equal(begun.status, 200)
  t.not(cookieOf(begun.headers, '__Host-graphstead_sign_in'), '')
  t.match(await begin({ code: recoveryCode }), refused('second-factor-incorrect'))
})

t.test('an identity belongs to one user, and a user has one identity', async (t) => {
  const { provider, store, startLinking, comeBack, signIn } = await buildWithSession(t)
  await signIn()
  const link = async (sub: string) => {
    const { location, cookie } = await startLinking()
    return (await comeBack(provider.arrive(location, { claims: { sub } }), cookie)).location
  }
  t.equal(await link('eve'), '/account?error=identity-taken')
  t.equal(await link('ada-there'), '/account')
  t.equal(await link('ada-there'), '/account', 'linking the same identity again succeeds')
  t.equal(await link('another'), '/account?error=already-linked')
  const told = (await trail(store)).filter(
    ({ type, principal }) => type !== 'AUTHENTICATION_SUCCESS' && principal === 'ada'
  )
  const data = { issuer: provider.issuer, subject: 'ada-there' }
  t.strictSame(told, [
    { ...failure('identity-taken'), principal: 'ada' },
    { type: 'USER_LINKED', outcome: 'SUCCESS', principal: 'ada', target: 'ada', data },
    { ...failure('already-linked'), principal: 'ada' }
  ])
})

t.test('a user without a password cannot remove the identity, but an administrator can', async (t) => {
  const { visitor, as, signIn, whoIs } = await buildWithProvider(t)
  const { session } = await signIn()
  const headers = { cookie: session, ...samePage }
  t.match(await visitor.delete('/api/account/identity', headers), problem(409, 'only-way-in'))
  const wrong = { currentPassword: 'x', newPassword: 'another long one' }
  t.match(await visitor.post('/api/account/password', wrong, headers), problem(400, 'password-incorrect'))
  const blank = await visitor.post('/api/authenticate', { username: 'eve', password: '' })
  t.match(blank, problem(401, 'credentials-incorrect'))
  t.equal((await as('root').delete('/api/users/eve/identity')).status, 204)
  t.equal(await whoIs(session), undefined)
  t.match(await as('root').get('/api/users/eve'), { body: { linked: false, hasPassword: false } })
  t.strictSame(endOf(await signIn()), refusedWith('login-taken'))
})

t.test('a password does not count as a way to sign in if password sign-in is off', async (t) => {
  const { visitor, as, signIn } = await buildWithProvider(t, { passwordLogin: 'off' })
  const { session } = await signIn()
  t.equal(
    (await as('root').patch('/api/users/eve', { password: PASSWORD, mustChangePassword: false, ...proven })).status,
    200
  )
  const { session: again } = await signIn()
  t.not(again, session)
  const unlink = () => visitor.delete('/api/account/identity', { cookie: again, ...samePage })
  t.match(await unlink(), problem(409, 'only-way-in'))
  t.equal((await as('root').patch('/api/users/eve', { role: 'ADMIN', ...proven })).status, 200)
  t.equal((await unlink()).status, 204)
})

t.test('an administrator can link users to identities, and see the links', async (t) => {
  const { provider, as, store, signIn, whoIs } = await buildWithProvider(t)
  await addUser(store, 'ada')
  await addUser(store, 'bob')
  const root = as('root')
  await root.post('/api/users', { login: 'robot', kind: 'SERVICE', role: 'USER' })
  t.match(await root.get('/api/users/ada/identity'), problem(404, 'identity-not-found'))
  t.equal((await root.put('/api/users/ada/identity', { subject: 'eve', ...proven.proof })).status, 204)
  t.equal(
    (await root.put('/api/users/ada/identity', { subject: 'eve', ...proven.proof })).status,
    204,
    'linking the same identity again succeeds'
  )
  const { body } = await root.get('/api/users/ada/identity')
  t.strictSame(body, { issuer: provider.issuer, subject: 'eve', linkedAt: body.linkedAt, linkedBy: 'root' })
  t.match(
    await root.put('/api/users/bob/identity', { subject: 'eve', ...proven.proof }),
    problem(409, 'identity-taken')
  )
  t.match(await root.put('/api/users/ada/identity', { subject: 'x', ...proven.proof }), problem(409, 'already-linked'))
  t.equal(
    (await root.put('/api/users/bob/identity', { issuer: 'https://old.example', subject: 'eve', ...proven.proof }))
      .status,
    204
  )
  const service = await root.put('/api/users/robot/identity', { subject: 'r', ...proven.proof })
  t.match(service, problem(400, 'validation-failed', [{ pointer: '#/subject', code: 'service' }]))
  for (const body of [{}, { subject: '' }, { subject: 'x', issuer: 'nowhere' }, { subject: 'x', more: 1 }]) {
    t.match(await root.put('/api/users/ada/identity', body), problem(400, 'validation-failed'))
  }
  for (const send of [root.get, root.delete]) {
    t.match(await send('/api/users/nobody/identity'), problem(404, 'user-not-found'))
  }
  t.match(await whoIs((await signIn()).session), { login: 'ada' })
  const list = await root.get('/api/users?sort=login')
  t.strictSame(
    list.body.map(({ login, linked, hasPassword }: Record<string, unknown>) => [login, linked, hasPassword]),
    [
      ['ada', true, true],
      ['bob', true, true],
      ['robot', false, false],
      ['root', false, true]
    ]
  )
  t.equal((await root.delete('/api/users/bob')).status, 204)
  const left = await store.read.selectFrom('userIdentity').select('subject').execute()
  t.same(left, [{ subject: 'eve' }], 'the identity is deleted with the user')
  t.equal((await events(store, 'USER_LINKED')).length, 2)
})
