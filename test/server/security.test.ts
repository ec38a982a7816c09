import { readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import t from 'tap'
import { codeAt } from '../../plugins/sign-in/totp.ts'
import { decodeBase32 } from '../sign-in/base32.ts'
import { only } from '../support/engine.ts'
import { build, events, PASSWORD, problem, triangle } from '../support/helper.ts'
import { call, login, run, serve } from '../support/program.ts'
import { sendRaw } from '../support/raw-http.ts'

// Attempted attacks. Other files cover more: tokens and guessing in test/sign-in/authentication.test.ts, rights in
// test/sign-in/authorization.test.ts, hostile requests and files in hostile-requests.test.ts and
// test/formats/hostile-files.test.ts, headers on errors in problems.test.ts, formulas in test/formats/csv.test.ts.

t.test('a token is invalid once its user has signed out everywhere', async (t) => {
  const { as, store, tokenOf } = await build(t)
  const stolen = await tokenOf('ada')
  const other = await tokenOf('bob')
  const tryIt = async (token: string) => (await as().get('/api/account', { authorization: `Bearer ${token}` })).status
  t.equal(await tryIt(stolen), 200)
  t.match(await as('ada').post('/api/account/logout'), { status: 204, text: '' })
  t.equal(await tryIt(stolen), 401)
  t.equal(await tryIt(other), 200, 'other users remain signed in')
  t.match(await events(store, 'SESSIONS_ENDED'), [{ principal: 'ada', targetType: 'USER', targetName: 'ada' }])
  const { body } = await as().post('/api/authenticate', { username: 'ada', password: PASSWORD })
  t.equal(await tryIt(body.id_token), 200, 'the user can sign in again')
  t.match(await as('ada').post('/api/account/logout'), problem(401, 'token-invalid'))
})

t.test('graphstead user one-factor removes a second factor while the server is running', async (t) => {
  const data = t.testdir({})
  const server = await serve(t, data, ['--require-second-factor', 'admins'])
  const send = (path: string, body: unknown, token?: string) => call(`${server.url}${path}`, 'POST', body, token)
  const token = await login(server.url)
  t.match(await call(`${server.url}/api/graphs`, 'GET', undefined, token), { status: 403 })
  const { secret } = (await send('/api/account/second-factor', { password: PASSWORD }, token)).body
  const code = codeAt(decodeBase32(secret), Math.floor(Date.now() / 30_000))
  t.match(await send('/api/account/second-factor/confirmation', { code }, token), { status: 200 })
  t.match(await call(`${server.url}/api/graphs`, 'GET', undefined, token), { status: 200 })
  const admin = { username: 'admin', password: PASSWORD }
  t.match(await send('/api/authenticate', admin), { status: 401, body: { code: 'second-factor-required' } })
  const outcome = (stdout: string) => ({ code: 0, stdout, stderr: '' })
  const args = ['user', 'one-factor', 'admin', '--data', data]
  t.same(await run(args), outcome('Two-factor authentication is now off for admin.\n'))
  t.match(await send('/api/authenticate', admin), { status: 200 })
  t.same(await run(args), outcome('admin does not use two-factor authentication.\n'))
  t.equal(await server.stop(), 0)
})

t.test('graphstead user logout ends sessions while the server is running', async (t) => {
  const data = t.testdir({})
  const server = await serve(t, data)
  const token = await login(server.url)
  t.match(await run(['user', 'logout', 'nobody', '--data', data]), { code: 1, stderr: /user nobody not found/ })
  const outcome = await run(['user', 'logout', 'admin', '--data', data])
  t.match(outcome, { code: 0, stdout: /All sessions of admin have ended/ })
  t.match(await call(`${server.url}/api/account`, 'GET', undefined, token), { status: 401 })
  await server.stop()
})

t.test('fields that the caller may not set are refused or ignored, and never written', async (t) => {
  const { as, store } = await build(t)
  await as('bob').get('/api/account')
  const readOnly = { owner: 'bob', nodeCount: 99, edgeCount: 99, createdAt: '2001-01-01T00:00:00.000Z' }
  const own = { owner: 'ada', nodeCount: 3, edgeCount: 3 }
  const created = await as('ada').post('/api/graphs', { ...triangle, ...readOnly, version: 7 })
  t.match(created, { status: 201, body: { ...own, version: 1 } })
  const replaced = await as('ada').put('/api/graphs', { id: 1, name: 'Mine', ...readOnly })
  t.match(replaced, { status: 200, body: { ...own, version: 2 } })
  const patched = await as('ada').patch('/api/graphs/1', { name: 'Still mine', nodeCount: 99, version: 2 })
  t.match(patched, { status: 200, body: { ...own, version: 3 } })
  for (const field of ['contentId', 'principal', 'auditEventId', 'searchText', 'role', '__proto__', 'constructor']) {
    const body = `{"name": "Other", ${JSON.stringify(field)}: {"isAdmin": true}}`
    t.match(await as('ada').post('/api/graphs', body), problem(400, 'validation-failed'), field)
    t.match(await as('ada').patch('/api/graphs/1', body), problem(400, 'validation-failed'), field)
  }
  for (const field of ['tokenVersion', 'passwordHash', 'isAdmin']) {
    const user = { login: 'eve', password: PASSWORD, role: 'USER', [field]: 1 }
    t.match(await as('root').post('/api/users', user), problem(400, 'validation-failed'), field)
    t.match(await as('root').patch('/api/users/bob', { [field]: 1 }), problem(400, 'validation-failed'), field)
  }
  for (const role of ['ADMIN', 'AUDITOR']) {
    t.match(await as('bob').patch('/api/users/bob', { role }), problem(403, 'forbidden'))
    const change = { currentPassword: PASSWORD, newPassword: 'quite another one', role }
    t.match(await as('bob').post('/api/account/password', change), problem(400, 'validation-failed'))
  }
  t.match(await store.read.selectFrom('user').select('role').where('login', '=', 'bob').execute(), [{ role: 'USER' }])
  t.equal(({} as { isAdmin?: boolean }).isAdmin, undefined)
})

t.test('a private graph takes as long as a missing one', async (t) => {
  const { as } = await build(t)
  await as('ada').post('/api/graphs', triangle)
  const timed = async (url: string) => {
    const start = performance.now()
    await as('bob').get(url)
    return performance.now() - start
  }
  const median = (values: number[]) => values.sort((a, b) => a - b)[values.length / 2] ?? 0
  const ratio = async () => {
    const hidden: number[] = []
    const none: number[] = []
    // Alternates between the two, so that noise affects both.
    for (let round = 0; round < 400; round++) {
      hidden.push(await timed('/api/graphs/1'))
      none.push(await timed('/api/graphs/2'))
    }
    return median(hidden) / median(none)
  }
  // Both run the same query. An extra query would affect every ratio, whereas noise does not.
  const ratios = [await ratio(), await ratio(), await ratio()]
  t.ok(
    ratios.some((ratio) => ratio > 0.8 && ratio < 1.25),
    ratios.map((ratio) => ratio.toFixed(2)).join(', ')
  )
})

t.test('input cannot inject headers or log lines', async (t) => {
  const data = t.testdir({})
  const server = await serve(t, data)
  const token = await login(server.url)
  const evil = 'a"\r\nX-Evil: 1\r\n\r\n<script>\u001b[31m\u2028'
  const { body } = await call(`${server.url}/api/graphs`, 'POST', { ...triangle, name: evil }, token)
  const forged = { 'user-agent': '{"level":60}', 'x-request-id': 'forged', 'x-forwarded-for': '1.2.3.4' }
  const [text, headers] = [encodeURIComponent(evil), { authorization: `Bearer ${token}`, ...forged }]
  for (const path of [`graphs/${body.id}/content?format=gml`, `graphs?q=${text}`, `graphs?sort=${text}`, text]) {
    const answer = await fetch(`${server.url}/api/${path}`, { headers })
    t.equal(answer.headers.get('x-evil'), null, answer.url)
    t.match(answer.headers.get('x-request-id'), /^[0-9a-f-]{36}$/)
  }
  const request = 'GET /x\x0b{"level":60,"msg":"forged"} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'
  const injected = await sendRaw(Number(new URL(server.url).port), request)
  t.notMatch(injected, /X-Evil|HTTP\/1.1 2/)
  await server.stop()
  for (const line of server.stdout().trim().split('\n')) {
    const { level, ip } = JSON.parse(line) as { level: number; ip?: string }
    t.ok(level <= 50)
    if (ip) t.equal(ip, '127.0.0.1')
  }
  t.notMatch(server.stdout(), /forged|\u001b/)
})

t.test('names in files cannot control the terminal', async (t) => {
  const folder = t.testdir({})
  const data = join(folder, 'data')
  await (await serve(t, data)).stop()
  const file = join(folder, 'evil.jgf.json')
  const name = 'a\u001b[2Jb\u0007\nc\u202ed'
  writeFileSync(file, JSON.stringify({ graph: { label: name, nodes: { [name]: {} }, edges: [] } }))
  const imported = await run(['import', file, '--owner', 'admin', '--data', data])
  t.equal(imported.code, 0)
  const exported = await run(['export', '1', join(folder, 'out.gml'), '--data', data])
  t.equal(exported.code, 0)
  writeFileSync(file, JSON.stringify({ graph: { nodes: { a: {} }, edges: [{ source: 'a', target: name }] } }))
  const faulty = await run(['import', file, '--owner', 'admin', '--data', data])
  t.equal(faulty.code, 1)
  for (const { stdout, stderr } of [imported, exported, faulty]) t.notMatch(stdout + stderr, /[\u0007\u001b\u202e]/)
})

t.test('many slow senders do not delay other clients', async (t) => {
  const { app } = await build(t)
  const { headersTimeout, requestTimeout, timeout, keepAliveTimeout } = app.server
  t.same(
    { headersTimeout, requestTimeout, timeout, keepAliveTimeout },
    { headersTimeout: 20_000, requestTimeout: 0, timeout: 0, keepAliveTimeout: 72_000 },
    'test/attacks/connections.test.ts covers time limits and minimum rates'
  )
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  const slow = Array.from({ length: 300 }, () => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => {})
    socket.write(
      'POST /api/authenticate HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n'
    )
    return socket
  })
  const answers = await Promise.all(Array.from({ length: 20 }, () => fetch(`${url}/healthz`)))
  t.same([...new Set(answers.map(({ status }) => status))], [200])
  for (const socket of slow) socket.destroy()
})

t.test(
  'a backup contains no secrets except password hashes, and no permanently deleted content',
  only('SQLite', 'PostgreSQL has its own backup tools'),
  async (t) => {
    const folder = t.testdir({})
    const data = join(folder, 'data')
    const server = await serve(t, data)
    const token = await login(server.url)
    const content = { nodes: [{ id: 'confidential node' }], edges: [] }
    await call(`${server.url}/api/graphs`, 'POST', { name: 'Public', content }, token)
    await call(`${server.url}/api/graphs/1`, 'DELETE', undefined, token)
    await call(`${server.url}/api/trash/1`, 'DELETE', undefined, token)
    const file = join(folder, 'backup.db')
    t.match(await run(['backup', file, '--data', data]), { code: 0 })
    const bytes = readFileSync(file)
    const key = readFileSync(join(data, 'token.key'))
    for (const [what, needle] of Object.entries({
      'the token key': key,
      // The format is PRIVATE+KEY+NAME+ID+KEY, with the last part in base64.
      'the key of the audit log': readFileSync(join(data, 'audit.key'), 'utf8').trim().split('+').slice(4).join('+'),
      'a token': token,
      'the password': PASSWORD,
      'content that was permanently deleted': 'confidential node'
    })) {
      t.equal(bytes.indexOf(needle), -1, what)
    }
    t.notMatch(server.stdout() + server.stderr(), new RegExp(`${PASSWORD}|${token.slice(-20)}|confidential`))
    await server.stop()
  }
)
