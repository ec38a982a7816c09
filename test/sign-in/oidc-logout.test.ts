import { generateKeyPair, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose'
import t, { type Test } from 'tap'
import { events, problem, proven } from '../support/helper.ts'
import { buildWithProvider, trail } from './signing-in.ts'

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

async function buildWithLogout(t: Test) {
  const built = await buildWithProvider(t)
  const notify = (token: string, headers: Record<string, string> = FORM) =>
    built.visitor.post('/api/oidc/backchannel-logout', new URLSearchParams({ logout_token: token }).toString(), headers)
  const logOut = async (claims?: JWTPayload) => notify(await built.provider.logoutToken(claims))
  return { ...built, notify, logOut }
}

t.test('a logout at the provider ends only the sessions that the provider started', async (t) => {
  const { store, as, visitor, signIn, whoIs, logOut } = await buildWithLogout(t)
  const first = (await signIn()).session
  const second = (await signIn()).session
  const other = (await signIn({ claims: { sub: 'zoe', preferred_username: 'zoe' } })).session
  await as('root').patch('/api/users/eve', { password: 'correct horse battery', mustChangePassword: false, ...proven })
  const { session } = await signIn()
  const { body } = await visitor.post('/api/authenticate', { username: 'eve', password: 'correct horse battery' })
  const answer = await logOut()
  t.strictSame([answer.status, answer.headers['cache-control'], answer.text], [200, 'no-store', ''])
  for (const ended of [first, second, session]) t.equal(await whoIs(ended), undefined)
  t.match(await whoIs(other), { login: 'zoe' })
  t.equal((await visitor.get('/api/account', { authorization: `Bearer ${body.id_token}` })).status, 200)
  t.strictSame((await trail(store)).at(-1), {
    type: 'SESSIONS_ENDED',
    outcome: 'SUCCESS',
    principal: 'system',
    target: 'eve',
    data: { method: 'oidc', count: '3' }
  })
  t.equal((await logOut()).status, 200, 'a logout without sessions succeeds')
  t.equal((await logOut({ sub: 'stranger' })).status, 200, 'a logout of an unknown person succeeds')
  t.equal((await events(store, 'SESSIONS_ENDED')).length, 1)
})

t.test('a logout can name a session at the provider', async (t) => {
  const { signIn, whoIs, logOut } = await buildWithLogout(t)
  const [first, second, third] = await Promise.all(
    ['one', 'two', 'three'].map(async (sid) => (await signIn({ claims: { sid } })).session)
  )
  t.equal((await logOut({ sub: undefined, sid: 'one' })).status, 200)
  t.equal(await whoIs(first ?? ''), undefined)
  t.equal((await logOut({ sid: 'two' })).status, 200)
  t.equal(await whoIs(second ?? ''), undefined)
  t.match(await whoIs(third ?? ''), { login: 'eve' })
  t.equal((await logOut({ sub: undefined, sid: 'four' })).status, 200)
  t.match(await whoIs(third ?? ''), { login: 'eve' })
})

t.test('an invalid or reused logout token ends no session', async (t) => {
  const { provider, signIn, whoIs, notify, logOut } = await buildWithLogout(t)
  const { session } = await signIn()
  const refused = problem(400, 'logout-token-invalid')
  const event = 'http://schemas.openid.net/event/backchannel-logout'
  const wrong: Record<string, JWTPayload> = {
    'another issuer': { iss: 'https://evil.example' },
    'another audience': { aud: 'another' },
    'no issue time': { iat: undefined },
    'an old issue time': { iat: provider.now() - 10 * 60 },
    'an issue time in the future': { iat: provider.now() + 10 * 60 },
    'an expiry in the past': { exp: provider.now() - 60 },
    'no id': { jti: undefined },
    'no event': { events: undefined },
    'another event': { events: { [`${event}x`]: {} } },
    'an event that is not an object': { events: { [event]: true } },
    'events as a list': { events: [event] },
    'a nonce': { nonce: 'x' },
    'no person and no session': { sub: undefined },
    'a session that is not a string': { sid: 7 as unknown as string },
    'an empty session': { sid: '' },
    'a session with U+0000': { sid: 'a\0b' },
    'a person with U+0000': { sub: 'a\0b' },
    'a lone surrogate as the person': { sub: '\ud83d' }
  }
  for (const [what, claims] of Object.entries(wrong)) t.match(await logOut(claims), refused, what)

  const { privateKey } = await generateKeyPair('ES256')
  const forgeries: Record<string, (claims: JWTPayload) => string | Promise<string>> = {
    'no signature': (claims) => new UnsecuredJWT(claims).encode(),
    'another key': (claims) => new SignJWT(claims).setProtectedHeader({ alg: 'ES256', kid: 'first' }).sign(privateKey),
    'a shared secret': (claims) => new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.alloc(32, 1))
  }
  for (const [what, sign] of Object.entries(forgeries)) {
    t.match(await notify(await provider.logoutToken({}, sign as typeof provider.signed)), refused, what)
  }
  t.match(await notify('no token'), refused)
  t.match(await notify(''), refused)
  t.match(await notify('x'.repeat(9000)), problem(400, 'validation-failed'))
  t.match(await notify('x'.repeat(70_000)), problem(413, 'body-too-large'))
  t.match(await notify('x', { 'content-type': 'text/plain' }), problem(415, 'media-type-unsupported'))
  t.match(await whoIs(session), { login: 'eve' })

  const token = await provider.logoutToken()
  t.equal((await notify(token)).status, 200)
  const { session: later } = await signIn()
  t.match(await notify(token), refused, 'a reused token is refused')
  t.match(await whoIs(later), { login: 'eve' })
  t.equal(provider.asked['/jwks'], 1)
})

t.test('invalid logout tokens from one address are rate-limited, and valid ones are not', async (t) => {
  const { notify, logOut } = await buildWithLogout(t)
  /** Returns the first response refused by the rate limit. On a slow machine, the allowance refills while requests are sent. */
  const refusal = async (send: () => ReturnType<typeof notify>) => {
    for (let count = 0; count < 3000; count++) {
      const answer = await send()
      if (answer.status === 429) return answer
    }
    return undefined
  }
  t.match(await refusal(() => notify('x')), problem(429, 'too-many-requests'))
  const afterWrong = () => notify('x').then(() => logOut())
  t.match(await refusal(afterWrong), problem(429, 'too-many-requests'))
  const { logOut: logOutElsewhere } = await buildWithLogout(t)
  for (let i = 0; i < 620; i++) if ((await logOutElsewhere()).status !== 200) t.fail(`the ${i}th`)
})
