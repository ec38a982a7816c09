import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import t, { type Test } from 'tap'
import { stopClock } from '../support/clock.ts'
import { type Answer, CLIENT_ID } from './hostile-provider.ts'
import { buildWithProvider, endOf, failure, PUBLIC, refusedWith, signedIn, trail } from './signing-in.ts'

// The OpenID certification tests for relying parties that test/sign-in/oidc.test.ts does not cover. Tests are named after the
// modules (oidcc-client-test-…) for the code flow with one issuer. Graphstead does not use userinfo, hybrid flows, refresh
// tokens or request objects.

interface Key {
  alg: 'RS256' | 'ES256'
  kid: string
  secret: CryptoKey
  published: object
}

async function newKey(alg: Key['alg'], kid: string): Promise<Key> {
  const { privateKey, publicKey } = await generateKeyPair(alg)
  return { alg, kid, secret: privateKey, published: { ...(await exportJWK(publicKey)), alg, kid, use: 'sig' } }
}

/** Signs with the key. The header identifies the key unless the test overrides it. */
const by =
  ({ alg, kid, secret }: Key, header: object = { kid }) =>
  (claims: JWTPayload) =>
    new SignJWT(claims).setProtectedHeader({ alg, ...header }).sign(secret)

/** Starts a server whose provider publishes these keys. */
async function buildWithKeys(t: Test, keys: () => object[]) {
  const built = await buildWithProvider(t)
  built.provider.replace('/jwks', (_, response) => sendJson(response, { keys: keys() }))
  return built
}

function sendJson(response: ServerResponse, body: object) {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

const refused = refusedWith('identity-invalid')

t.test('missing or different claims are refused', async (t) => {
  const { provider, store, signIn } = await buildWithProvider(t)
  const cases: Record<string, JWTPayload> = {
    'missing-iat': { iat: undefined },
    'missing-aud': { aud: undefined },
    'missing-iss': { iss: undefined },
    'invalid-iss: an extra slash': { iss: `${provider.issuer}/` },
    'invalid-aud: a list without the client': { aud: ['another'] },
    'invalid-aud: another case': { aud: CLIENT_ID.toUpperCase() },
    'invalid-azp: not a string': { azp: 7 as unknown as string },
    'invalid-sub: empty': { sub: '' },
    'invalid-sub: not a string': { sub: 7 as unknown as string },
    'nonce-invalid: a list': { nonce: ['x'] as unknown as string },
    'iat as a string': { iat: 'now' as unknown as number },
    'exp as a string': { exp: 'never' as unknown as number }
  }
  for (const [what, claims] of Object.entries(cases)) t.strictSame(endOf(await signIn({ claims })), refused, what)
  t.strictSame(await trail(store), [failure('identity-invalid')], 'only the first refusal is recorded')
  t.strictSame(endOf(await signIn({ claims: { aud: [CLIENT_ID, 'another'], azp: CLIENT_ID } })), signedIn)
})

t.test('RS256 and ES256 signatures: valid ones are accepted, and invalid ones refused', async (t) => {
  for (const alg of ['RS256', 'ES256'] as const) {
    const [key, forged] = [await newKey(alg, 'key'), await newKey(alg, 'key')]
    const { signIn } = await buildWithKeys(t, () => [key.published])
    const broken = async (claims: JWTPayload) => {
      const token = await by(key)(claims)
      const at = token.lastIndexOf('.') + 10
      return token.slice(0, at) + (token[at] === 'A' ? 'B' : 'A') + token.slice(at + 1)
    }
    const cases: Record<string, NonNullable<Answer['sign']>> = {
      'a changed signature': broken,
      'another key': by(forged),
      'another key, included in the header': by(forged, { kid: 'key', jwk: forged.published }),
      'another key, referenced by URL': by(forged, { kid: 'key', jku: 'https://evil.example/jwks' }),
      'no signature': async (claims) => `${(await by(key)(claims)).split('.', 2).join('.')}.`
    }
    for (const [what, sign] of Object.entries(cases)) {
      t.strictSame(endOf(await signIn({ sign })), refused, `${alg}: ${what}`)
    }
    t.strictSame(endOf(await signIn({ sign: by(key) })), signedIn, alg)
  }
})

t.test('kid-absent-single-jwks, kid-absent-multiple-jwks: without a kid, only a single key is accepted', async (t) => {
  const [one, two, other] = [await newKey('RS256', 'one'), await newKey('RS256', 'two'), await newKey('ES256', 'other')]
  const single = await buildWithKeys(t, () => [one.published])
  t.strictSame(endOf(await single.signIn({ sign: by(one, {}) })), signedIn)
  t.strictSame(endOf(await single.signIn({ sign: by(two, {}) })), refused)
  const multiple = await buildWithKeys(t, () => [one.published, two.published, other.published])
  t.strictSame(endOf(await multiple.signIn({ sign: by(one, {}) })), refused, 'two keys for the algorithm')
  t.strictSame(endOf(await multiple.signIn({ sign: by(other, {}) })), signedIn, 'one key for the algorithm')
})

t.test('signing-key-rotation: old and new keys work while they are published', async (t) => {
  const [old, next] = [await newKey('RS256', 'old'), await newKey('RS256', 'next')]
  let published = [old.published]
  const wait = stopClock(t)
  const { signIn } = await buildWithKeys(t, () => published)
  t.strictSame(endOf(await signIn({ sign: by(old) })), signedIn)
  published = [old.published, next.published]
  wait(31_000)
  t.strictSame(endOf(await signIn({ sign: by(next) })), signedIn, 'a key published just before signing is accepted')
  t.strictSame(endOf(await signIn({ sign: by(old) })), signedIn)
  published = [next.published]
  wait(11 * 60_000)
  t.strictSame(endOf(await signIn({ sign: by(old) })), refused, 'a key that is no longer published is refused')
})

t.test('a key for another purpose is not accepted for signatures', async (t) => {
  const key = await newKey('RS256', 'key')
  for (const change of [{ use: 'enc' }, { alg: 'PS256' }, { key_ops: ['encrypt'] }]) {
    const { signIn } = await buildWithKeys(t, () => [{ ...key.published, ...change }])
    t.strictSame(endOf(await signIn({ sign: by(key) })), refused, JSON.stringify(change))
  }
})

t.test('with a different or missing state, no code is sent to the provider', async (t) => {
  const { provider, start, comeBack } = await buildWithProvider(t)
  for (const change of [
    (query: URLSearchParams) => query.set('state', 'another'),
    (query: URLSearchParams) => query.delete('state')
  ]) {
    const { location, cookie } = await start()
    const url = new URL(provider.arrive(location), PUBLIC)
    change(url.searchParams)
    t.equal((await comeBack(url.pathname + url.search, cookie)).location, '/sign-in?error=sign-in-expired')
  }
  t.equal(provider.asked['/token'], undefined)
})

t.test("the provider refuses another person's code (PKCE), and the sign-in fails", async (t) => {
  const { provider, start, comeBack } = await buildWithProvider(t)
  const [mine, theirs] = [await start(), await start()]
  const stolen = new URL(provider.arrive(theirs.location), PUBLIC).searchParams.get('code') ?? ''
  const path = new URL(provider.arrive(mine.location), PUBLIC)
  path.searchParams.set('code', stolen)
  t.strictSame(endOf(await comeBack(path.pathname + path.search, mine.cookie)), refusedWith('sign-in-expired'))
  t.equal(provider.asked['/token'], 1)
})

t.test(
  'client-secret-basic, client-secret-post: the server uses the method that the provider advertises',
  async (t) => {
    const file = join(t.testdir({ secret: 'a:secret ü' }), 'secret')
    for (const [methods, expected] of [
      [undefined, 'basic'],
      [['client_secret_post', 'client_secret_basic'], 'basic'],
      [['client_secret_post'], 'post']
    ] as const) {
      await t.test(`${methods}`, async (t) => {
        const { provider, signIn } = await buildWithProvider(t, { oidcClientSecretFile: file })
        provider.metadata.token_endpoint_auth_methods_supported = methods
        const sent: string[] = []
        provider.replace('/token', async (request: IncomingMessage, response) => {
          sent.push(
            request.headers.authorization ?? '',
            new URLSearchParams(await text(request)).get('client_secret') ?? ''
          )
          sendJson(response, {})
        })
        await signIn()
        const basic = `Basic ${Buffer.from(`${CLIENT_ID}:a%3Asecret+%C3%BC`).toString('base64')}`
        t.strictSame(sent, expected === 'basic' ? [basic, ''] : ['', 'a:secret ü'])
      })
    }
  }
)
