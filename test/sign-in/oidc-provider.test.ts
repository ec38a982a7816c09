import { join } from 'node:path'
import t, { type Test } from 'tap'
import { freePort } from '../../bench/ports.ts'
import { call, login, serve } from '../support/program.ts'
import { until } from '../support/until.ts'
import { startProvider, Visitor } from './provider.ts'

/** Starts a server and a real identity provider, each in its own process. */
async function startBoth(t: Test) {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const folder = t.testdir({ data: {} })
  const provider = await startProvider(t, url, folder)
  const server = await serve(t, join(folder, 'data'), ['--port', String(port), ...provider.args])
  t.equal(server.url, url)

  /** Returns a browser in which the person is signed in at the provider. */
  function visitorAs(person: string) {
    const visitor = new Visitor()
    visitor.set(provider.issuer, 'person', person)
    return visitor
  }
  /** Signs in at the provider. Returns the address that the browser is redirected to. */
  const arrive = (visitor: Visitor, start = '/api/oidc/start') =>
    visitor.follow(url + start, `${url}/api/oidc/callback`)
  const locationOf = async (visitor: Visitor, at: string) => (await visitor.fetch(at)).headers.get('location')
  const whoIs = async (visitor: Visitor) => {
    const response = await visitor.fetch(`${url}/api/session`)
    return response.status === 200 ? response.json() : undefined
  }
  return { url, provider, server, visitorAs, arrive, locationOf, whoIs }
}

t.test('people sign in with a real provider, and become users with the role of their group', async (t) => {
  const { url, provider, visitorAs, arrive, locationOf, whoIs } = await startBoth(t)
  t.match(await call(`${url}/api/sign-in`), { status: 200, body: { passwordLogin: true, provider: 'Example Lab' } })
  const eve = visitorAs('eve')
  const chief = visitorAs('chief')
  const back = await arrive(eve, '/api/oidc/start?to=/trash')
  t.equal(new URL(back).searchParams.get('iss'), provider.issuer)
  t.equal(await locationOf(eve, back), '/trash')
  t.match(await whoIs(eve), { id: 2, login: 'eve', role: 'USER', linked: true, hasPassword: false })
  t.equal(await locationOf(chief, await arrive(chief)), '/')
  t.match(await whoIs(chief), { id: 3, login: 'chief', role: 'ADMIN' })
  t.equal(await locationOf(eve, await arrive(eve)), '/', 'signing in again succeeds')
  t.match(await whoIs(eve), { id: 2 })

  const token = await login(url)
  const { body } = await call(`${url}/management/audits?principal=eve`, 'GET', undefined, token)
  t.strictSame(
    body.map(({ type, outcome, data }: Record<string, unknown>) => ({ type, outcome, data })),
    Array.from({ length: 2 }, () => ({ type: 'AUTHENTICATION_SUCCESS', outcome: 'SUCCESS', data: { method: 'oidc' } }))
  )
})

t.test('an account is linked, and a logout at the provider ends the sessions that the provider started', async (t) => {
  const { url, provider, server, visitorAs, arrive, locationOf, whoIs } = await startBoth(t)
  const visitor = visitorAs('somebody')
  const origin = { origin: url, 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' }
  const body = JSON.stringify({ username: 'admin', password: 'correct horse battery' })
  t.equal((await visitor.fetch(`${url}/api/session`, { method: 'POST', headers: origin, body })).status, 200)
  const proof = JSON.stringify({ password: 'correct horse battery' })
  const linking = await visitor.fetch(`${url}/api/account/identity`, { method: 'POST', headers: origin, body: proof })
  t.equal(linking.status, 200)
  const { location } = (await linking.json()) as { location: string }
  const back = await visitor.follow(location, `${url}/api/oidc/callback`)
  t.equal(await locationOf(visitor, back), '/account')
  t.match(await whoIs(visitor), { login: 'admin', linked: true })

  const other = visitorAs('somebody')
  t.equal(await locationOf(other, await arrive(other)), '/')
  t.match(await whoIs(other), { login: 'admin', role: 'ADMIN' }, 'the last administrator keeps the role')

  const form = await (await other.fetch(`${provider.issuer}/session/end`)).text()
  const xsrf = /name="xsrf" value="([^"]+)"/.exec(form)?.[1] ?? ''
  await other.fetch(`${provider.issuer}/session/end/confirm`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ xsrf, logout: 'yes' }).toString()
  })
  t.ok(await until(async () => (await whoIs(other)) === undefined), "the provider's session has ended")
  t.match(await whoIs(visitor), { login: 'admin' }, 'the password session continues')

  await provider.stop()
  t.match(
    await call(`${url}/api/account`, 'GET', undefined, await login(url)),
    { status: 200 },
    'password sign-in works without the provider'
  )
  const late = visitorAs('eve')
  t.equal((await late.fetch(`${url}/api/oidc/start`)).status, 302, 'the cached provider metadata is used')
  t.equal(await server.stop(), 0)
})

t.test('a server starts while the provider is down', async (t) => {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const folder = t.testdir({ data: {} })
  const provider = await startProvider(t, url, folder)
  await provider.stop()
  const server = await serve(t, join(folder, 'data'), ['--port', String(port), ...provider.args])
  const answer = await call(`${server.url}/api/oidc/start`)
  t.match(answer, { status: 503, headers: { 'retry-after': '5' }, body: { code: 'provider-unavailable' } })
  t.equal(typeof (await login(server.url)), 'string')
})
