import fc from 'fast-check'
import t from 'tap'
import { build } from '../support/helper.ts'
import { operations } from '../support/operations.ts'

const SEED = 20261121
const REQUESTS = 1500

/** Strings that have broken other programs. */
const nasty = [
  ...['', ' ', '\0', '\ud800', '\u202e', '🜁'.repeat(300), 'x'.repeat(10_000), '\\', '*', '%', '%00', '%ff'],
  ...['__proto__', 'constructor', 'null', 'undefined', '[object Object]', 'NaN'],
  ...['-1', '0', '1.5', '1e309', '0x10', '9007199254740993', '9223372036854775808'],
  ...["' OR '1'='1", '"; DROP TABLE graph; --', '{{7*7}}', '../../etc/passwd', '<script>alert(1)</script>'],
  '\r\nX-Injected: 1'
]
const text = fc.oneof(fc.constantFrom(...nasty), fc.string({ unit: 'binary', maxLength: 40 }))
const value: fc.Arbitrary<unknown> = fc.oneof(
  { depthSize: 'small' },
  text,
  fc.constantFrom(null, true, false, 0, -1, 1.5, 1e300, 2 ** 53, [], {}, [[]]),
  fc.double({ noNaN: true }),
  fc.array(text, { maxLength: 3 }),
  fc.dictionary(text, text, { maxKeys: 3 }),
  fc.jsonValue({ maxDepth: 4 })
)
const fields = [
  ...['id', 'name', 'type', 'description', 'shared', 'version', 'content', 'owner', '__proto__', 'toString'],
  ...['login', 'username', 'password', 'role', 'enabled', 'currentPassword', 'newPassword', 'rememberMe']
]
const element = fc.dictionary(
  fc.constantFrom('id', 'source', 'target', 'label', 'x', 'directed', 'metadata', '__proto__'),
  value
)
const content = fc.record({
  nodes: fc.oneof(fc.array(element, { maxLength: 4 }), value),
  edges: fc.oneof(fc.array(element, { maxLength: 4 }), value)
})
const object = fc
  .dictionary(fc.constantFrom(...fields), fc.oneof(value, content), { maxKeys: 8 })
  .map((body) => JSON.stringify(body) ?? '')

/** Bodies that do not match any schema. */
const raw = fc.oneof(
  fc.constantFrom(
    ...['{"name":"\xff\xfe"}', '{"name":"\xed\xa0\x80"}', '\0'.repeat(100), ''].map((text) =>
      Buffer.from(text, 'latin1')
    ),
    ...[
      '['.repeat(200_000),
      `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`,
      `{"name":"x","content":{"nodes":[${'{"id":"a"},'.repeat(5000)}{}],"edges":[]}}`,
      '{"id":9007199254740993,"name":"x"}',
      '{"name":"x","__proto__":{"shared":true}}',
      '{"name":"x","constructor":{"prototype":{"shared":true}}}',
      '{"name":"a","name":"b","shared":1e999}',
      `{${Array.from({ length: 20_000 }, (_, index) => `"k${index}":0`).join()}}`,
      '\uFEFF{}',
      '{"name": 1}'.padEnd(2_100_000)
    ].map((text) => Buffer.from(text))
  ),
  fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)),
  object.chain((json) => fc.nat(json.length).map((end) => Buffer.from(json.slice(0, end))))
)
const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'PROPFIND', 'TRACE', 'SEARCH']
const paths = ['/{id}', '/api/{id}', '/api/graphs', '/api/graphs/{id}']
const target = fc.oneof(
  { weight: 9, arbitrary: fc.constantFrom(...operations).map(({ method, path }) => [method.toUpperCase(), path]) },
  { weight: 1, arbitrary: fc.tuple(fc.constantFrom(...methods), fc.constantFrom(...paths)) }
)
const parameters = [
  ...['page', 'size', 'sort', 'cursor', 'q', 'type', 'owner', 'shared', 'fromDate', 'toDate', 'zone'],
  ...['principal', 'targetId', '__proto__', 'x']
]
const encoded = fc.oneof(
  text.map((part) => encodeURIComponent(part.toWellFormed())),
  fc.constantFrom('%', '%ff', '%zz', '%ED%A0%80', '&', '=', '..', '%2e%2e%2f')
)
const query = fc.array(fc.tuple(fc.constantFrom(...parameters), encoded), { maxLength: 4 })

const hostile = fc.record({
  target,
  segment: fc.oneof(fc.constantFrom('1', '2', 'ada'), encoded),
  query,
  body: fc.option(
    fc.oneof({ weight: 3, arbitrary: object.map((json) => Buffer.from(json)) }, { weight: 1, arbitrary: raw })
  ),
  type: fc.constantFrom(...Array<string>(3).fill('application/json'), 'text/plain', 'application/xml', ''),
  login: fc.constantFrom('root', 'ada', undefined),
  headers: fc.dictionary(
    fc.constantFrom(
      ...['if-match', 'if-none-match', 'range', 'accept', 'content-encoding'],
      ...['x-request-id', 'user-agent', 'x-forwarded-for']
    ),
    fc.oneof(
      fc.constantFrom('*', '"', 'W/"x"', '"a","b', ',,,', 'gzip', 'bytes=0-', '::1', 'x'.repeat(9000)),
      fc.string({ maxLength: 30 })
    ),
    { maxKeys: 2 }
  )
})

t.test(`${REQUESTS} random and hostile requests get a sensible response and never a 500`, async (t) => {
  const { app, as, tokenOf } = await build(t, { bodyLimit: 2_000_000 })
  await as('ada').post('/api/graphs', { name: 'mine', shared: true })
  const tokens: Record<string, string> = { root: await tokenOf('root'), ada: await tokenOf('ada') }
  const statuses = new Map<number, number>()
  const wrong: object[] = []
  const requests = fc.sample(hostile, { numRuns: REQUESTS, seed: SEED })
  for (const { target, segment, query, body, type, login, headers } of requests) {
    const [method = '', path = ''] = target
    const url = `${path.replaceAll(/\{\w+\}/g, () => segment)}${query.length > 0 ? '?' : ''}${query.map((pair) => pair.join('=')).join('&')}`
    const response = await app.inject({
      method: method as 'GET',
      url,
      headers: {
        ...headers,
        ...(login && { authorization: `Bearer ${tokens[login]}` }),
        ...(body && type && { 'content-type': type })
      },
      ...(body && { payload: body })
    })
    const { statusCode } = response
    statuses.set(statusCode, (statuses.get(statusCode) ?? 0) + 1)
    const isProblem = method === 'HEAD' || /^application\/problem\+json/.test(String(response.headers['content-type']))
    if (statusCode >= 500 || (statusCode >= 400 && !isProblem) || response.headers['x-injected']) {
      wrong.push({ statusCode, method, url, body: body?.toString().slice(0, 200), payload: response.payload })
    }
    // The fuzzer may end its own sessions.
    if (statusCode === 401 && login) tokens[login] = await relogin(login)
  }
  async function relogin(login: string) {
    const user = await app.store.write((trx) =>
      trx.updateTable('user').set({ enabled: true }).where('login', '=', login).returningAll().executeTakeFirst()
    )
    return user ? app.issueToken(user, false).token : ''
  }
  t.same(wrong, [])
  t.ok((statuses.get(400) ?? 0) > REQUESTS / 5, `many requests were refused: ${JSON.stringify([...statuses].sort())}`)
  t.ok(
    [...statuses].some(([status]) => status < 300),
    'some requests were accepted'
  )
  t.equal(({} as Record<string, unknown>).shared, undefined, 'Object.prototype is unchanged')
  t.match(await as().get('/readyz'), { status: 200 }, 'the server still responds')
  t.match(await as('carol').post('/api/graphs', { name: 'still here' }), { status: 201 })
})
