import t from 'tap'
import { samePage } from '../support/browsers.ts'
import { build, PASSWORD, problem, type Reply } from '../support/helper.ts'

// A sibling host or an attacker on the network sets a cookie in the browser.

const https = { 'x-forwarded-proto': 'https' }
const credentials = { username: 'ada', password: PASSWORD }

function cookiesOf({ headers }: Reply) {
  return [headers['set-cookie']].flat().map((cookie) => String(cookie))
}

/** Returns the name and attributes of each cookie in the response. */
function described(reply: Reply) {
  return cookiesOf(reply).map((cookie) => cookie.replace(/=[^;]*/, '').replace(/=\d{3,}/, '=…'))
}

async function prepare(t: Parameters<typeof build>[0]) {
  const server = await build(t, { trustProxy: 'loopback' })
  const tokens = { ada: await server.tokenOf('ada'), mallory: await server.tokenOf('mallory') }
  return { ...server, tokens }
}

t.test('over TLS, cookie names begin with __Host-, and cookies with the old names are removed', async (t) => {
  const { as } = await prepare(t)
  const own = 'Path=/; HttpOnly; Secure; SameSite=Strict'
  for (const secure of [https, { origin: 'https://graphs.example.org', host: 'graphs.example.org' }]) {
    const headers = { ...samePage, ...secure } as Record<string, string>
    t.same(described(await as().post('/api/session', credentials, headers)), [
      `__Host-graphstead_session; ${own}`,
      'graphstead_session; Max-Age=0; Path=/; HttpOnly; SameSite=Strict',
      `__Host-graphstead_device; Max-Age=…; ${own}`
    ])
    t.same(cookiesOf(await as().delete('/api/session', headers)), [
      `__Host-graphstead_session=; Max-Age=0; ${own}`,
      'graphstead_session=; Max-Age=0; Path=/; HttpOnly; SameSite=Strict'
    ])
  }
  t.same(described(await as().post('/api/session', credentials, samePage)), [
    'graphstead_session; Path=/; HttpOnly; SameSite=Strict',
    'graphstead_device; Max-Age=…; Path=/; HttpOnly; SameSite=Strict'
  ])
})

t.test('over TLS, the server ignores a session cookie without the __Host- prefix', async (t) => {
  const { as, tokens } = await prepare(t)
  const injected = `graphstead_session=${tokens.mallory}`
  const own = `__Host-graphstead_session=${tokens.ada}`
  const who = (cookie: string, headers = {}) => as().get('/api/session', { cookie, ...headers })
  t.match(await who(injected, https), { status: 204 }, 'it does not sign anyone in')
  for (const cookie of [`${injected}; ${own}`, `${own}; ${injected}`, `${injected}; ${injected}; ${own}`]) {
    t.match(await who(cookie, https), { status: 200, body: { login: 'ada' } })
    t.match(
      await who(cookie),
      { status: 200, body: { login: 'ada' } },
      'the prefixed cookie works even if the proxy does not report TLS'
    )
  }
  t.match(await who(injected), { status: 200, body: { login: 'mallory' } }, 'without TLS, only the plain name is used')
})

t.test('a request with two session cookies is refused, even if one is valid', async (t) => {
  const { as, tokens } = await prepare(t)
  for (const [name, headers] of [
    ['graphstead_session', {}],
    ['__Host-graphstead_session', https]
  ] as const) {
    for (const [first, second] of [
      ['ada', 'mallory'],
      ['mallory', 'ada'],
      ['ada', 'ada']
    ] as const) {
      const cookie = `${name}=${tokens[first]}; other=1;${name}=${tokens[second]}`
      t.match(await as().get('/api/account', { cookie, ...headers }), problem(401, 'token-invalid'))
      t.match(await as().get('/api/session', { cookie, ...headers }), { status: 204 })
      const change = await as().post('/api/graphs', { name: 'Whose?' }, { cookie, ...headers, ...samePage })
      t.match(change, problem(401, 'token-invalid'))
    }
  }
})

t.test('only responses over TLS carry Strict-Transport-Security', async (t) => {
  const { as } = await prepare(t)
  const header = 'strict-transport-security'
  for (const url of ['/healthz', '/api/account', '/nowhere']) {
    t.equal((await as().get(url, https)).headers[header], 'max-age=31536000', url)
    t.equal((await as().get(url)).headers[header], undefined, `${url} without`)
  }
  const { as: untrusting } = await build(t)
  t.equal(
    (await untrusting().get('/healthz', https)).headers[header],
    undefined,
    'an untrusted client cannot claim TLS'
  )
})

t.test('the device cookie may contain any characters', async (t) => {
  const { as } = await prepare(t)
  // As long as a signature in characters, but not in bytes.
  const cookie = `graphstead_device=a.1.${'%C3%A9'.repeat(43)}`
  const wrong = { ...credentials, password: 'not this one' }
  t.match(await as().post('/api/session', wrong, { ...samePage, cookie }), problem(401, 'credentials-incorrect'))
  t.equal((await as().post('/api/session', credentials, { ...samePage, cookie })).status, 200)
})
