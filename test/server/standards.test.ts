import { readdirSync, readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { type ConnectionOptions, connect } from 'node:tls'
import t from 'tap'
import { only } from '../support/engine.ts'
import { build, events, PASSWORD, problem, proven, triangle } from '../support/helper.ts'
import { root, serve } from '../support/program.ts'
import { sendRaw } from '../support/raw-http.ts'

// Promises in docs/security-checklist.md that no other test covers.

t.test('text in a filter, a sort or a login never becomes part of a query', async (t) => {
  const { as } = await build(t)
  await as('ada').post('/api/graphs', triangle)
  await as('bob').get('/api/account')
  for (const text of ["' OR 1=1 --", '" OR ""="', '%', '_riangle', "Triangle'; DROP TABLE graph; --", '\\', '?', '$1'])
    for (const field of ['q', 'type', 'owner']) {
      const reply = await as('ada').get(`/api/graphs?${field}=${encodeURIComponent(text)}`)
      t.ok(reply.status === 400 || (reply.status === 200 && reply.body.length === 0), `${field}: ${text}`)
    }
  t.match(await as('ada').get(`/api/graphs?sort=${encodeURIComponent('name;--')}`), problem(400, 'validation-failed'))
  const signIn = await as().post('/api/authenticate', { username: "bob' --", password: PASSWORD })
  t.match(signIn, problem(401, 'credentials-incorrect'))
  t.match(await as('ada').get('/api/graphs?q=riangle'), { status: 200, headers: { 'x-total-count': '1' } })
})

t.test('no code is built from strings, and no shell is used', (t) => {
  const sources = ['src', 'plugins', 'db', 'graph', 'picture', 'audit', 'schemas', 'ui/src'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.tsx?$/.test(file))
      .map((file) => join(folder, file))
  )
  t.ok(sources.length > 150)
  const dangerous = /\beval\(|new Function\(|'node:vm'|shell: |\bexecFile|\bexecSync|[^.\w]exec\(/
  const found = sources.filter((file) => dangerous.test(readFileSync(join(root, file), 'utf8')))
  t.same(found, [])
  t.end()
})

t.test('every response has a UTF-8 media type, and no response is readable from other origins', async (t) => {
  const { as } = await build(t)
  await as('ada').post('/api/graphs', triangle)
  const origin = { origin: 'https://elsewhere.example' }
  const asked: [string, RegExp][] = [
    ['/', /^text\/html; charset=utf-8$/],
    ['/docs', /^text\/html; charset=utf-8$/],
    ['/docs/start.js', /^text\/javascript; charset=utf-8$/],
    ['/docs/swagger-ui.css', /^text\/css; charset=utf-8$/],
    ['/help/', /^text\/html; charset=utf-8$/],
    ['/help/search.js', /^text\/javascript; charset=utf-8$/],
    ['/help/search.json', /^application\/json; charset=utf-8$/],
    ['/openapi.json', /^application\/json/],
    ['/api/graphs', /^application\/json; charset=utf-8$/],
    ['/api/graphs/1', /^application\/json; charset=utf-8$/],
    ['/api/graphs/1/diff', /^application\/json/],
    ['/nothing', /^application\/problem\+json/]
  ]
  for (const [url, type] of asked) {
    const { headers } = await as('ada').get(url, origin)
    t.match(headers['content-type'], type, url)
    t.notMatch(Object.keys(headers).join(), /access-control/, url)
  }
  const preflight = { ...origin, 'access-control-request-method': 'PUT' }
  t.notMatch(Object.keys((await as('ada').get('/api/graphs', preflight)).headers).join(), /access-control/)
})

t.test('tokens and passwords in URLs are not accepted', async (t) => {
  const { as, tokenOf } = await build(t)
  const token = await tokenOf('ada')
  for (const name of ['access_token', 'token', 'id_token', 'authorization', 'graphstead_session']) {
    const reply = await as().get(`/api/account?${name}=${token}`)
    t.ok([400, 401].includes(reply.status), `${name}: ${reply.status}`)
    t.notMatch(reply.text, /eyJ/, 'the response does not repeat the token')
  }
  const asked = `/api/authenticate?username=ada&password=${encodeURIComponent(PASSWORD)}`
  t.match(await as().post(asked, { username: 'ada', password: PASSWORD }), problem(400, 'validation-failed'))
})

t.test('the server serves only its routes: no directory listing, no other file, no TRACE', async (t) => {
  const { as, app } = await build(t)
  const paths = ['/.git/config', '/.git/', '/.env', '/package.json', '/assets', '/assets/', '/docs/', '/data/token.key']
  const more = [
    '/docs/../package.json',
    '/assets/..%2f..%2fpackage.json',
    '/ui/',
    '/debug',
    '/src/main.ts',
    '/help/images/',
    '/help/images/..%2findex.html'
  ]
  for (const path of [...paths, ...more]) t.match(await as('root').get(path), problem(404, 'route-not-found'), path)
  const trace = await app.inject({ method: 'TRACE' as 'GET', url: '/api/graphs', headers: { cookie: 's3cret=1' } })
  t.ok(trace.statusCode >= 400, `${trace.statusCode}`)
  t.notMatch(trace.payload, /s3cret/)
})

t.test("a response with a user's data is not cached, except for revalidation by the browser", async (t) => {
  const { as } = await build(t)
  await as('ada').post('/api/graphs', triangle)
  for (const path of ['/api/account', '/api/graphs', '/api/mygraphs', '/api/trash', '/api/session'])
    t.equal((await as('ada').get(path)).headers['cache-control'], 'no-store', path)
  t.equal((await as('root').get('/api/users')).headers['cache-control'], 'no-store')
  t.equal((await as('root').get('/management/audits')).headers['cache-control'], 'no-store')
  for (const path of ['/api/graphs/1', '/api/graphs/1/content'])
    t.equal((await as('ada').get(path)).headers['cache-control'], 'private, no-cache', path)
})

t.test('a password is used as typed: with any characters, without case folding or truncation', async (t) => {
  const { as } = await build(t)
  const long = `${'a long pass phrase '.repeat(6)}é!`
  for (const [login, password] of [
    ['lower', 'only small letters here'],
    ['digits', '590184620571'],
    ['long', long]
  ] as const) {
    t.match(await as('root').post('/api/users', { login, password, role: 'USER', ...proven }), { status: 201 })
    const tryIt = async (text: string) =>
      (await as().post('/api/authenticate', { username: login, password: text })).status
    t.equal(await tryIt(password), 200)
    t.equal(await tryIt(password.slice(0, -1)), 401)
    t.equal(await tryIt(` ${password}`), 401)
  }
  t.ok(long.length > 100)
  const folded = await as().post('/api/authenticate', { username: 'lower', password: 'Only small letters here' })
  t.match(folded, problem(401, 'credentials-incorrect'))
})

t.test('sign-ins, sign-outs and failed sign-ins are in the audit trail, with time, address and client', async (t) => {
  const { as, store } = await build(t)
  await as('ada').get('/api/account')
  await as().post('/api/authenticate', { username: 'ada', password: PASSWORD })
  await as().post('/api/authenticate', { username: 'ada', password: 'not the password' })
  await as('ada').post('/api/account/logout')
  await as('ada').get('/management/audits')
  const kept = await events(store)
  const told = kept.map(({ type, principal, outcome, request }) => [type, principal, outcome, request?.route])
  t.same(told, [
    ['AUTHENTICATION_SUCCESS', 'ada', 'SUCCESS', '/api/authenticate'],
    ['AUTHENTICATION_FAILURE', 'ada', 'FAILURE', '/api/authenticate'],
    ['SESSIONS_ENDED', 'ada', 'SUCCESS', '/api/account/logout']
  ])
  for (const { timestamp, request } of kept) {
    t.match(timestamp, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/, 'the timestamp is in UTC')
    t.equal(request?.ip, '127.0.0.1')
  }
})

t.test(
  'TLS is 1.2 or 1.3, with forward secrecy and authenticated encryption',
  only('SQLite', 'it tests TLS'),
  async (t) => {
    const [cert, key] = ['first.crt', 'first.key'].map((name) => join(root, 'test/tls', name)) as [string, string]
    const server = await serve(t, join(t.testdir({}), 'data'), ['--tls-cert', cert, '--tls-key', key])
    const port = Number(new URL(server.url).port)
    const offer = (options: ConnectionOptions) =>
      new Promise<string>((resolve) => {
        const socket = connect({ host: '127.0.0.1', port, rejectUnauthorized: false, ...options }, () => {
          resolve(`${socket.getProtocol()} ${socket.getCipher().name}`)
          socket.destroy()
        })
        socket.on('error', () => resolve('refused'))
      })
    t.match(await offer({}), /^TLSv1\.3 TLS_AES_/)
    t.match(await offer({ maxVersion: 'TLSv1.2' }), /^TLSv1\.2 ECDHE-.*-GCM-/)
    const weak = { ciphers: 'ALL:@SECLEVEL=0' }
    t.equal(await offer({ ...weak, minVersion: 'TLSv1', maxVersion: 'TLSv1.1' }), 'refused')
    const cbc = 'ECDHE-RSA-AES128-SHA:ECDHE-ECDSA-AES128-SHA'
    for (const ciphers of ['AES256-GCM-SHA384', 'AES128-SHA', cbc, 'PSK', 'ADH', 'NULL'])
      t.equal(await offer({ maxVersion: 'TLSv1.2', ciphers: `${ciphers}:@SECLEVEL=0` }), 'refused', ciphers)
    await server.stop()
  }
)

t.test('GET, HEAD and OPTIONS change nothing on any route, except that an export is recorded', async (t) => {
  const { as, store } = await build(t)
  await as('root').post('/api/graphs', triangle)
  await as('root').patch('/api/graphs/1', { name: 'Another' })
  const isExport = ({ type }: { type: string }) => type === 'AUDIT_EXPORTED'
  const state = async () => {
    const trail = (await events(store)).filter((event) => !isExport(event))
    return JSON.stringify([trail, await store.read.selectFrom('graph').selectAll().execute()])
  }
  const before = await state()
  const { paths } = JSON.parse(readFileSync(join(root, 'openapi.json'), 'utf8')) as { paths: Record<string, object> }
  for (const path of Object.keys(paths)) {
    const url = path.replace(/\{(id|version)\}/g, '1').replace('{login}', 'root')
    await as('root').get(url)
    await as('root').head(url)
    await as('root').options(url)
  }
  t.ok(Object.keys(paths).length > 20)
  t.equal(await state(), before)
  t.equal((await events(store)).filter(isExport).length, 1)
})

t.test('ambiguous message lengths are refused, and the connection is closed', async (t) => {
  const { app } = await build(t)
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  const start = 'POST /api/authenticate HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n'
  const second = 'GET /healthz HTTP/1.1\r\nHost: smuggled\r\n\r\n'
  for (const lines of [
    'Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    'Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n',
    'Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}',
    'Content-Length: +2\r\n\r\n{}',
    'Content-Length: 2, 2\r\n\r\n{}',
    'Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n',
    'Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n',
    'Content-Length : 2\r\n\r\n{}',
    'Transfer-Encoding: chunked\r\n\r\n0x2\r\n{}\r\n0\r\n\r\n',
    'X: a\nContent-Length: 2\r\n\r\n{}'
  ]) {
    const heard = await sendRaw(port, `${start}${lines}${second}`)
    const statuses = [...heard.matchAll(/^HTTP\/1\.1 (\d+)/gm)].map(([, status]) => status)
    t.same(statuses, ['400'], JSON.stringify(lines))
  }
})

t.test('password fields are masked, work with password managers, and accept pasted text', (t) => {
  const files = readdirSync(join(root, 'ui/src'), { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.tsx')
  )
  const sources = files.map((file) => readFileSync(join(root, 'ui/src', file), 'utf8'))
  const fields = sources.flatMap((source) => source.match(/<PasswordInput\b.*?\/>/gs) ?? [])
  t.ok(fields.length >= 4)
  for (const field of fields) t.match(field, /autoComplete="(current|new)-password"/)
  for (const source of sources) t.notMatch(source, /onPaste=[^>]*preventDefault|autoComplete="off"[^>]*assword/)
  t.end()
})
