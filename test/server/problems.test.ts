import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import t, { type Test } from 'tap'
import { OutcomeUnknown } from '../../db/store.ts'
import { docsPage } from '../../src/system/assets.ts'
import { build, problem, triangle } from '../support/helper.ts'
import { sendRaw } from '../support/raw-http.ts'

/** Sends bytes on a socket. Returns the response. */
async function raw(t: Test, bytes: string | Buffer, settings = {}) {
  const { app } = await build(t, settings)
  const { port } = new URL(await app.listen({ port: 0, host: '127.0.0.1' }))
  const answer = await sendRaw(Number(port), bytes)
  const [head = '', body = ''] = answer.split('\r\n\r\n')
  const [statusLine = '', ...lines] = head.split('\r\n')
  const headers = Object.fromEntries(lines.map((line) => line.toLowerCase().split(/: (.*)/s)))
  return { status: Number(statusLine.split(' ')[1]), headers, body: body.startsWith('{') ? JSON.parse(body) : body }
}

t.test('a problem has every member defined by RFC 9457, plus the request id', async (t) => {
  const { as } = await build(t)
  const { headers, body } = await as('ada').get('/api/graphs/7')
  t.same(body, {
    type: 'urn:problem-type:graphstead:graph-not-found',
    title: 'Graph not found.',
    status: 404,
    detail: 'Graph not found.',
    instance: `urn:uuid:${headers['x-request-id']}`,
    code: 'graph-not-found'
  })
  t.match(headers['x-request-id'], /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
})

t.test('every response, including errors, has security headers and a request id', async (t) => {
  const { as } = await build(t)
  const replies = [
    await as().get('/healthz'),
    await as('ada').get('/api/graphs'),
    await as().get('/api/graphs'),
    await as().get('/nothing'),
    await as().get('/%zz'),
    await as().options('/api/graphs'),
    await as('ada').post('/api/graphs', '{')
  ]
  const expected = {
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'content-security-policy': /default-src 'none'/,
    'referrer-policy': 'no-referrer',
    'cache-control': /no-/,
    'x-request-id': /^[0-9a-f-]{36}$/
  }
  for (const { status, headers } of replies) {
    t.match(headers, expected, `${status}`)
  }
})

t.test('an unknown path returns 404', async (t) => {
  const { as } = await build(t)
  for (const url of [
    '/nothing',
    '/graphs/1/nothing',
    '/api',
    '/api/',
    '/api/graphs/1/x',
    '/management',
    '/API/graphs'
  ]) {
    t.match(await as('ada').get(url), problem(404, 'route-not-found'), url)
    t.match(await as('ada').post(url, triangle), problem(404, 'route-not-found'), `POST ${url}`)
  }
  t.match(await as('ada').get('/api/graphs/'), problem(400, 'validation-failed'), 'an empty id is invalid')
  t.match(await as().get(`/api/users/${'x'.repeat(2000)}`), { status: 404 }, 'an overlong path segment is not found')
})

t.test('a known path with another method returns 405, and OPTIONS lists the allowed methods', async (t) => {
  const { as, app } = await build(t)
  const allowed = {
    '/api/graphs': 'GET, HEAD, OPTIONS, POST, PUT',
    '/api/graphs/7': 'DELETE, GET, HEAD, OPTIONS, PATCH',
    '/api/mygraphs?x=1': 'GET, HEAD, OPTIONS',
    '/api/authenticate': 'OPTIONS, POST',
    '/api/users/ada': 'DELETE, GET, HEAD, OPTIONS, PATCH',
    '/management/audits/1.5': 'GET, HEAD, OPTIONS',
    '/healthz': 'GET, HEAD, OPTIONS'
  }
  for (const [url, allow] of Object.entries(allowed)) {
    t.match(await as().options(url), { status: 204, headers: { allow }, text: '' }, `OPTIONS ${url}`)
    const response = await app.inject({ method: 'PROPFIND' as 'GET', url })
    t.match(response, { statusCode: 405, headers: { allow, 'content-type': /problem\+json/ } }, `PROPFIND ${url}`)
  }
  t.match(await as('ada').put('/api/graphs/7', triangle), problem(405, 'method-not-allowed'))
  t.match(await as('ada').delete('/api/graphs'), problem(405, 'method-not-allowed'))
})

t.test('HEAD responds like GET, without a body', async (t) => {
  const { as } = await build(t)
  await as('ada').post('/api/graphs', triangle)
  const urls = ['/healthz', '/readyz', '/openapi.json', '/docs', '/api/graphs', '/api/graphs/1', '/api/account']
  for (const url of urls) {
    const get = await as('ada').get(url)
    const head = await as('ada').head(url)
    // The API page exists only after `npm run build:ui`, which `npm test` runs.
    t.equal(head.status, url === '/docs' && docsPage().size === 0 ? 404 : 200, url)
    t.equal(head.text, '')
    for (const name of ['content-type', 'content-length', 'etag', 'link', 'x-total-count']) {
      t.equal(head.headers[name], get.headers[name], `${url}: ${name}`)
    }
  }
  t.match(await as('ada').head('/api/graphs/2'), { status: 404, text: '' })
})

t.test('a URL that is not percent-encoded UTF-8 returns 400', async (t) => {
  const { as } = await build(t)
  for (const text of ['/%', '/%zz', '/%ff', '?q=%', '?q=%ff', '?q=%ed%a0%80']) {
    t.match(await as('ada').get(`/api/graphs${text}`), problem(400, 'malformed-url'), text)
  }
})

t.test('unknown and repeated parameters are refused', async (t) => {
  const { as } = await build(t)
  const cases = [
    ['/api/graphs?color=red', 'color', 'unknown-parameter'],
    ['/api/graphs?__proto__=1', '__proto__', 'unknown-parameter'],
    ['/api/graphs?size=1&size=2', 'size', 'repeated'],
    ['/api/graphs?q=a&q=b', 'q', 'repeated'],
    ['/api/graphs?shared=true&shared=true', 'shared', 'repeated'],
    ['/api/graphs/1?x=', 'x', 'unknown-parameter'],
    ['/api/account?x', 'x', 'unknown-parameter'],
    ['/healthz?x=1', 'x', 'unknown-parameter']
  ] as const
  for (const [url, parameter, code] of cases) {
    t.match(await as('ada').get(url), problem(400, 'validation-failed', [{ parameter, code }]), url)
  }
  t.match(await as('ada').post('/api/graphs?x=1', triangle), problem(400, 'validation-failed', [{ parameter: 'x' }]))
})

t.test('a body with a media type other than JSON returns 415', async (t) => {
  const { as } = await build(t)
  const post = (type: string) => as('ada').post('/api/graphs', '{"name":"x"}', { 'content-type': type })
  const others = ['text/plain', 'application/xml', 'application/x-www-form-urlencoded', 'multipart/form-data', 'x', '']
  for (const type of [...others, 'application/jsonx', 'application/json; charset=utf-16']) {
    t.match(await post(type), problem(415, 'media-type-unsupported'), type)
  }
  t.match(await post('Application/JSON; charset="UTF-8"'), { status: 201 })
})

t.test('a media type without a body is ignored', async (t) => {
  const { as } = await build(t)
  await as('ada').post('/api/graphs', triangle)
  const headers = { 'content-type': 'application/json' }
  t.match(await as('ada').post('/api/graphs', '', headers), problem(400, 'validation-failed', [{ pointer: '#' }]))
  t.match(await as('ada').delete('/api/graphs/1', headers), { status: 200 })
})

t.test('a compressed body returns 415', async (t) => {
  const { as } = await build(t)
  const body = gzipSync('{"name":"x"}')
  const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' }
  t.match(await as('ada').post('/api/graphs', body, headers), problem(415, 'media-type-unsupported'))
})

t.test('malformed JSON returns 400 with the position', async (t) => {
  const { as } = await build(t)
  const cases: [string | Buffer, RegExp][] = [
    ['{"name": "x",\n "shared": yes}', /line 2, column 12/],
    ['{"name": "x"', /line 1, column 13/],
    ['{"name": "x"} trailing', /line 1, column 15/],
    [Buffer.from('{"name":"\xff"}', 'latin1'), /UTF-8/],
    [`{"name":${'['.repeat(100_000)}`, /deeper than 32/],
    [`{"name":"x","content":${'{"a":'.repeat(40)}1${'}'.repeat(40)}}`, /deeper than 32/]
  ]
  for (const [body, detail] of cases) {
    const response = await as('ada').post('/api/graphs', body, { 'content-type': 'application/json' })
    t.match(response, { ...problem(400, 'malformed-json'), body: { code: 'malformed-json', detail } })
  }
})

t.test('lone surrogates and numbers that would be rounded return 400', async (t) => {
  const { as } = await build(t)
  const withNumber = (text: string) => `{"name":"x","content":{"nodes":[],"edges":[],"metadata":{"n":${text}}}}`
  const cases: [string, string, string][] = [
    ['{"name":"\\ud800"}', '#/name', 'malformed-unicode'],
    ['{"name":"x","description":"\\udc00x"}', '#/description', 'malformed-unicode'],
    ['{"name":"x","content":{"nodes":[{"id":"\\ud83d"}],"edges":[]}}', '#/content/nodes/0/id', 'malformed-unicode'],
    [withNumber('9007199254740992'), '#/content/metadata/n', 'number-too-large'],
    [withNumber('-1e400'), '#/content/metadata/n', 'number-too-large']
  ]
  for (const [body, pointer, code] of cases) {
    t.match(await as('ada').post('/api/graphs', body), problem(400, 'validation-failed', [{ pointer, code }]), body)
  }
  for (const text of ['9007199254740991', '-1.5e300']) {
    t.match(await as('ada').post('/api/graphs', withNumber(text)), { status: 201 }, text)
  }
})

t.test('a body over the limit returns 413', async (t) => {
  const { as } = await build(t, { bodyLimit: 2000 })
  t.match(await as('ada').post('/api/graphs', { name: 'x', description: 'y'.repeat(1900) }), { status: 201 })
  const large = { name: 'x', description: 'y'.repeat(2000) }
  t.match(await as('ada').post('/api/graphs', large), problem(413, 'body-too-large'))
  const huge = JSON.stringify({ username: 'x'.repeat(20_000), password: 'y' })
  t.match(await as().post('/api/authenticate', huge), problem(413, 'body-too-large'), 'sign-in has a small limit')
})

t.test('at most 50 faults are listed', async (t) => {
  const { as } = await build(t)
  const nodes = Array.from({ length: 5000 }, () => ({ id: '' }))
  const { status, body } = await as('ada').post('/api/graphs', { name: 'x', content: { nodes, edges: [] } })
  t.equal(status, 400)
  t.equal(body.errors.length, 50)
  t.ok(body.detail.length < 500, 'the detail remains short')
  const flags = Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`x${index}`, 1]))
  t.equal((await as('ada').post('/api/graphs', { name: 'x', ...flags })).body.errors.length, 50)
})

t.test('input that is not HTTP also gets a problem response', async (t) => {
  for (const line of ['nonsense', 'FOO /healthz HTTP/1.1\r\nHost: x', 'GET /healthz HTTP/9.9']) {
    const reply = await raw(t, `${line}\r\n\r\n`)
    t.match(reply, problem(400, 'malformed-request'), line)
    t.match(reply.headers, { 'x-content-type-options': 'nosniff', connection: 'close' })
    t.equal(reply.body.instance, `urn:uuid:${reply.headers['x-request-id']}`)
  }
})

t.test('a request without a Host header returns 400', async (t) => {
  t.match(await raw(t, 'GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n'), problem(400, 'malformed-request'))
})

t.test('a request may have an absolute URL', async (t) => {
  const reply = await raw(t, 'GET http://here.example/healthz?x=1 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
  t.match(reply, problem(400, 'validation-failed', [{ parameter: 'x' }]), 'the request reaches its route')
})

t.test('headers that are too large return 431', async (t) => {
  const reply = await raw(t, `GET /healthz HTTP/1.1\r\nHost: x\r\nX-Large: ${'x'.repeat(40_000)}\r\n\r\n`)
  t.match(reply, problem(431, 'headers-too-large'))
})

t.test('an unknown expectation returns 417', async (t) => {
  const reply = await raw(t, 'GET /healthz HTTP/1.1\r\nHost: x\r\nExpect: miracles\r\nConnection: close\r\n\r\n')
  t.match(reply, problem(417, 'expectation-failed'))
})

t.test('a body shorter than its Content-Length does no harm', async (t) => {
  const { app, as, tokenOf } = await build(t)
  const { port } = new URL(await app.listen({ port: 0, host: '127.0.0.1' }))
  const socket = connect(Number(port), '127.0.0.1')
  socket.write(
    `POST /api/graphs HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${await tokenOf('ada')}\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"name":"x"}`
  )
  socket.end()
  await text(socket)
  const { status, body } = await as('ada').get('/api/graphs')
  t.same([status, body], [200, []])
})

t.test('a store that cannot write returns 503 with Retry-After', async (t) => {
  const { as, hold } = await build(t, {}, { lockTimeout: 50 })
  await as('ada').post('/api/graphs', triangle)
  const callOff = await hold()
  const refused = await as('ada').post('/api/graphs', triangle)
  t.match(refused, { ...problem(503, 'store-unavailable'), headers: { 'retry-after': '5' } })
  t.notMatch(refused.text, /sqlite|postgres|lock/i, 'no internal details are revealed')
  t.match(await as('ada').get('/api/graphs'), { status: 200, body: [{ id: 1 }] }, 'reading still works')
  t.match(await as().get('/readyz'), { status: 200 })
  await callOff()
  t.match(
    await as('ada').post('/api/graphs', triangle),
    { status: 201, body: { id: 2 } },
    'the server recovers on its own'
  )
})

t.test('an unknown commit outcome returns 503 outcome-unknown', async (t) => {
  const { as, store } = await build(t)
  await as('ada').get('/api/account')
  store.write = async () => {
    throw new OutcomeUnknown('the connection broke')
  }
  const reply = await as('ada').post('/api/graphs', triangle)
  t.match(reply, { ...problem(503, 'outcome-unknown'), headers: { 'retry-after': /^\d+$/ } })
})

t.test('a closed store also returns 503', async (t) => {
  const { as, store } = await build(t)
  await as('ada').get('/api/account')
  await store.close()
  t.match(await as('ada').get('/api/graphs'), problem(503, 'store-unavailable'))
})
