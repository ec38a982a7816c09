import { globSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { tablesWith } from '../../db/tables.ts'
import { hashOfToken, isTokenText, newTokenText } from '../../db/users/token-text.ts'
import { includesScope, MAX_TOKENS, scopes } from '../../schemas/api-token.ts'
import { rowsOf } from '../support/consistency.ts'
import { only } from '../support/engine.ts'
import { build, events, PASSWORD, problem, proven, triangle } from '../support/helper.ts'
import { call, login, root, serve } from '../support/program.ts'
import { until } from '../support/until.ts'

const sqlite = only('SQLite', 'it reads the files of the project')

/** The project's only text in the form of an API token. */
const MARKED = `gst_${'0'.repeat(30)}abcdef`

const DAY = 24 * 60 * 60 * 1000
const proof = { password: PASSWORD }
const script = { name: 'nightly import', scopes: ['write:graphs'], ...proof }

t.test('a token is recognised by its prefix and its checksum', async (t) => {
  t.equal(isTokenText(`gst_${'0'.repeat(30)}${checksum('0'.repeat(30))}`), true)
  const text = newTokenText()
  t.match(text, /^gst_[0-9A-Za-z]{36}$/)
  t.equal(isTokenText(text), true)
  const last = text.endsWith('0') ? '1' : '0'
  const start = text.slice(0, -1)
  for (const other of [`${start}${last}`, start, `${text}0`, text.toUpperCase(), ` ${text}`, '']) {
    t.equal(isTokenText(other), false, other)
  }
  t.equal(new Set(Array.from({ length: 1000 }, newTokenText)).size, 1000)
})

/** Computes the checksum differently: with arbitrary-precision integers. */
function checksum(text: string) {
  let crc = 0xffffffffn
  for (const byte of Buffer.from(text)) {
    crc ^= BigInt(byte)
    for (let bit = 0; bit < 8; bit++) crc = crc & 1n ? (crc >> 1n) ^ 0xedb88320n : crc >> 1n
  }
  let rest = crc ^ 0xffffffffn
  const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
  let result = ''
  for (let index = 0; index < 6; index++, rest /= 62n) result = `${digits[Number(rest % 62n)]}${result}`
  return result
}

t.test('writing includes reading, and nothing else is included', async (t) => {
  const table = scopes.map((scope) => scopes.filter((needed) => includesScope([scope], needed)))
  t.same(table, [
    ['read:graphs'],
    ['read:graphs', 'write:graphs'],
    ['read:audits'],
    ['read:users'],
    ['read:users', 'write:users']
  ])
  t.equal(includesScope(['read:users'], 'any'), true)
  t.equal(includesScope([], 'any'), true)
  t.equal(includesScope(scopes, undefined), false)
})

t.test('a token is shown once, and found only by its hash', async (t) => {
  const { as, store } = await build(t)
  const reply = await as('ada').post('/api/account/tokens', script)
  t.equal(reply.status, 201)
  const { token, ...shown } = reply.body
  t.equal(isTokenText(token), true)
  t.equal(reply.headers.location, '/api/account/tokens/1')
  t.same(Object.keys(shown), ['id', 'name', 'scopes', 'createdAt', 'createdBy', 'expiresAt'])
  t.same([shown.id, shown.name, shown.scopes, shown.createdBy], [1, 'nightly import', ['write:graphs'], 'ada'])
  const life = Date.parse(shown.expiresAt) - Date.parse(shown.createdAt)
  t.ok(life <= 90 * DAY && life > 90 * DAY - 60_000, `${life} ms`)
  t.same((await as('ada').get('/api/account/tokens')).body, [shown])
  t.same((await as('bob').get('/api/account/tokens')).body, [])

  t.equal((await as().post('/api/graphs', triangle, bearer(token))).status, 201)
  t.match(await as('ada').get('/api/graphs/1'), { status: 200, body: { owner: 'ada' } })
  const dump = JSON.stringify(await rowsOf(store, tablesWith({})))
  t.equal(dump.includes(hashOfToken(token)), true)
  t.equal(dump.includes(token) || dump.includes(token.slice(4, 34)), false, 'no table has the token itself')
  const [event] = await events(store, 'GRAPH_CREATED')
  t.same([event?.principal, event?.request?.token], ['ada', { id: 1, name: 'nightly import' }])
})

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

t.test('the day of the last use is recorded once', async (t) => {
  const { as, store } = await build(t)
  const { body } = await as('ada').post('/api/account/tokens', script)
  const lastUse = async () => (await as('ada').get('/api/account/tokens')).body[0].lastUsedAt
  t.equal(await lastUse(), undefined)
  const use = () => as().get('/api/graphs', bearer(body.token))
  for (let round = 0; round < 3; round++) t.equal((await use()).status, 200)
  t.equal(await until(async () => (await lastUse()) !== undefined), true)
  const today = new Date().toISOString().slice(0, 10)
  t.equal(await lastUse(), today)
  await store.write((trx) => trx.updateTable('apiToken').set({ lastUsedAt: '2026-01-31' }).execute())
  await use()
  t.equal(await until(async () => (await lastUse()) === today), true)
  t.same(
    (await events(store)).map(({ type }) => type),
    ['TOKEN_CREATED'],
    'it is not an event'
  )
})

t.test('creating and revoking a token are events of its user', async (t) => {
  const { as, store, tokenOf } = await build(t)
  await tokenOf('ada')
  const expiresAt = new Date(Date.now() + DAY).toISOString()
  const wanted = { ...script, scopes: ['read:graphs', 'read:users'], expiresAt }
  const made = await as('root').post('/api/users/ada/tokens', wanted)
  t.equal(made.headers.location, '/api/users/ada/tokens/1')
  t.same([made.body.createdBy, made.body.expiresAt], ['root', expiresAt])
  t.match(await as('bob').delete('/api/account/tokens/1'), problem(404, 'token-not-found'), "it is not bob's")
  t.match(await as('root').delete('/api/users/bob/tokens/1'), problem(404, 'token-not-found'))
  t.match(await as('root').delete('/api/users/nobody/tokens/1'), problem(404, 'user-not-found'))
  t.equal((await as('ada').delete('/api/account/tokens/1')).status, 204)
  t.match(await as('ada').delete('/api/account/tokens/1'), problem(404, 'token-not-found'))
  const data = { tokenId: '1', name: 'nightly import', scopes: 'read:graphs read:users', expiresAt }
  const named = (suffix: string) =>
    Object.fromEntries(Object.entries(data).map(([name, value]) => [`${name}.${suffix}`, value]))
  const told = await events(store)
  t.same(
    told.map(({ type, principal, targetType, targetName, data }) => [type, principal, targetType, targetName, data]),
    [
      ['TOKEN_CREATED', 'root', 'USER', 'ada', named('new')],
      ['TOKEN_REVOKED', 'ada', 'USER', 'ada', named('old')]
    ]
  )
})

t.test('a token expires within 366 days, and needs a name and scopes', async (t) => {
  const { as } = await build(t)
  const post = (body: object) => as('ada').post('/api/account/tokens', { ...script, ...body })
  const later = (time: number) => ({ expiresAt: new Date(Date.now() + time).toISOString() })
  for (const [body, pointer, code] of [
    [later(-1), '#/expiresAt', 'out-of-range'],
    [later(366 * DAY + 60_000), '#/expiresAt', 'out-of-range'],
    [{ expiresAt: '2026-12-31T23:59:60Z' }, '#/expiresAt', 'out-of-range'],
    [{ expiresAt: 'tomorrow' }, '#/expiresAt', 'wrong-format'],
    [{ scopes: [] }, '#/scopes', 'too-few'],
    [{ scopes: ['admin'] }, '#/scopes/0', 'not-allowed'],
    [{ scopes: ['read:users', 'read:users'] }, '#/scopes', 'not-unique'],
    [{ name: ' ' }, '#/name', 'blank']
  ] as const) {
    const reply = await post(body)
    t.same([reply.status, reply.body.errors?.[0]?.pointer], [400, pointer], `${JSON.stringify(body)} ${code}`)
  }
  t.equal((await post(later(366 * DAY - 60_000))).status, 201)
  t.equal((await post({ expiresAt: '2026-12-31T23:00:00+01:00' })).body?.expiresAt, '2026-12-31T22:00:00.000Z')
})

t.test('a user has a limited number of tokens', async (t) => {
  const { as } = await build(t)
  for (let made = 0; made < MAX_TOKENS; made++) await as('ada').post('/api/account/tokens', script)
  t.match(await as('ada').post('/api/account/tokens', script), problem(409, 'too-many-tokens'))
  t.equal((await as('bob').post('/api/account/tokens', script)).status, 201)
  t.equal((await as('ada').delete('/api/account/tokens/1')).status, 204)
  t.equal((await as('ada').post('/api/account/tokens', script)).status, 201)
})

t.test('a token outlives a new password and a sign-out, and is deleted with its user', async (t) => {
  const { as, store } = await build(t)
  const { token } = (await as('ada').post('/api/account/tokens', { name: 'a', scopes: ['read:graphs'], ...proof })).body
  const status = async () => (await as().get('/api/graphs', bearer(token))).status
  await as('ada').post('/api/account/logout')
  t.equal(await status(), 200)
  await as('root').patch('/api/users/ada', { password: 'another horse battery', ...proven })
  t.equal(await status(), 200, 'a program is not asked for a new password')
  await as('root').patch('/api/users/ada', { enabled: false })
  t.equal(await status(), 401)
  await as('root').patch('/api/users/ada', { enabled: true })
  t.equal(await status(), 200)
  await as('root').delete('/api/users/ada')
  t.equal(await status(), 401)
  await as('root').post('/api/users', { login: 'ada', password: PASSWORD, role: 'USER', ...proven })
  t.equal(await status(), 401, 'it does not work for a later user with the same login')
  t.same(await store.read.selectFrom('apiToken').select('id').execute(), [])
})

t.test('a token is accepted only in the Authorization header', async (t) => {
  const { as } = await build(t)
  const { token } = (await as('ada').post('/api/account/tokens', script)).body
  const status = async (url: string, headers: Record<string, string>) => (await as().get(url, headers)).status
  t.equal(await status('/api/graphs', { authorization: `bearer ${token}` }), 200)
  t.equal(await status('/api/graphs', { cookie: `graphstead_session=${token}` }), 401)
  t.equal(await status(`/api/graphs?token=${token}`, {}), 401)
  t.equal(await status('/api/graphs', { authorization: `Basic ${btoa(`ada:${token}`)}` }), 401)
  t.equal(await status('/api/graphs', { authorization: `Bearer ${token.slice(0, -1)}` }), 401)
  t.equal((await as().post('/api/authenticate', { username: 'ada', password: token })).status, 401)
})

t.test('a service account has no password: it cannot sign in, and its tokens work', async (t) => {
  const { as, store } = await build(t)
  const created = await as('root').post('/api/users', { login: 'robot', kind: 'SERVICE', role: 'USER' })
  t.match(created, { status: 201, body: { login: 'robot', kind: 'SERVICE', role: 'USER', mustChangePassword: false } })
  t.match((await as('root').get('/api/users/root')).body, { kind: 'PERSON' })
  for (const password of ['', PASSWORD]) {
    const reply = await as().post('/api/authenticate', { username: 'robot', password })
    t.match(reply, problem(401, 'credentials-incorrect'))
  }
  const fault = (pointer: string, code: string) => ({ status: 400, body: { errors: [{ pointer, code }] } })
  const post = (body: object) => as('root').post('/api/users', { login: 'other', role: 'USER', ...body })
  t.match(await post({ kind: 'SERVICE', password: PASSWORD }), fault('#/password', 'service'))
  t.match(await post({ kind: 'SERVICE', mustChangePassword: true }), fault('#/mustChangePassword', 'service'))
  t.match(await as('root').patch('/api/users/robot', { password: PASSWORD }), fault('#/password', 'service'))
  t.equal((await as('root').patch('/api/users/robot', { role: 'AUDITOR', ...proven })).status, 200)
  const { token } = (await as('root').post('/api/users/robot/tokens', { name: 'a', scopes: ['read:audits'], ...proof }))
    .body
  t.equal((await as().get('/management/audits', bearer(token))).status, 200)
  t.same(
    (await events(store, 'USER_CREATED')).map(({ data }) => data['kind.new']),
    ['SERVICE']
  )
})

t.test('an administrator with a password must remain, whatever service accounts exist', async (t) => {
  const { as } = await build(t)
  await as('root').post('/api/users', { login: 'robot', kind: 'SERVICE', role: 'ADMIN', ...proven })
  t.match(await as('root').patch('/api/users/root', { role: 'USER' }), problem(409, 'last-administrator'))
  t.match(await as('root').delete('/api/users/root'), problem(409, 'last-administrator'))
  t.equal((await as('root').patch('/api/users/robot', { role: 'USER' })).status, 200)
})

t.test('a token can create users and revoke rights, but grants no credential and no role above USER', async (t) => {
  const { as } = await build(t)
  const made = { name: 'a', scopes: ['write:users'], ...proof }
  const authorization = bearer((await as('root').post('/api/account/tokens', made)).body.token)
  for (const login of ['ada', 'audrey']) await as(login).get('/api/account')
  const post = (more: object) => as().post('/api/users', { login: 'eve', role: 'USER', ...more }, authorization)
  const patch = (login: string, change: object) => as().patch(`/api/users/${login}`, change, authorization)
  const refused = problem(403, 'scope-missing')
  for (const more of [proof, { role: 'ADMIN' }, { role: 'AUDITOR', kind: 'SERVICE' }, { mustChangePassword: false }]) {
    t.match(await post(more), refused, JSON.stringify(more))
  }
  t.match(await post({}), { status: 201, body: { role: 'USER', hasPassword: false, mustChangePassword: false } })
  t.equal((await patch('ada', { mustChangePassword: true })).status, 200)
  for (const change of [proof, { role: 'AUDITOR' }, { role: 'ADMIN' }, { mustChangePassword: false }]) {
    t.match(await patch('ada', change), refused, JSON.stringify(change))
  }
  const { body } = await as('root').get('/api/users/audrey')
  t.match(await patch('audrey', { ...body, role: 'ADMIN' }), refused)
  t.equal((await patch('audrey', body)).status, 200, 'a fetched user can be sent back')
  t.equal((await patch('audrey', { enabled: false })).status, 200)
  t.match(await patch('audrey', { enabled: true }), refused)
  t.match(await patch('audrey', { enabled: true, role: 'USER' }), refused)
})

t.test('a person without a password cannot sign in until an administrator sets one', async (t) => {
  const { as } = await build(t)
  const made = await as('root').post('/api/users', { login: 'eve', role: 'USER' })
  t.match(made, { status: 201, body: { kind: 'PERSON', hasPassword: false, linked: false } })
  const signIn = (password: string) => as().post('/api/authenticate', { username: 'eve', password })
  for (const password of ['', PASSWORD]) t.match(await signIn(password), problem(401, 'credentials-incorrect'))
  t.match(await as('root').patch('/api/users/eve', { ...proof, ...proven }), {
    status: 200,
    body: { mustChangePassword: true }
  })
  t.equal((await signIn(PASSWORD)).status, 200)
})

t.test('creating a token needs the password, and a code if there is a second factor', async (t) => {
  const { as, store } = await build(t)
  for (const path of ['/api/account/tokens', '/api/users/root/tokens']) {
    const make = (more: object) => as('root').post(path, { name: 'a', scopes: ['read:graphs'], ...more })
    const fault = (pointer: string, code: string) => [{ pointer, code }]
    t.match(await make({}), problem(400, 'validation-failed', fault('#/password', 'required')))
    t.match(
      await make({ password: 'x' }),
      problem(400, 'password-incorrect', fault('#/password', 'password-incorrect'))
    )
    const since = (secondFactorSince: string | null) =>
      store.write((trx) => trx.updateTable('user').set({ secondFactorSince }).execute())
    await since('2026-11-26T00:00:00.000Z')
    t.match(await make(proof), problem(400, 'validation-failed', fault('#/code', 'required')))
    const wrong = problem(400, 'validation-failed', fault('#/code', 'second-factor-incorrect'))
    t.match(await make({ ...proof, code: '000000' }), wrong)
    await since(null)
    t.equal((await make(proof)).status, 201)
  }
  t.equal((await events(store, 'TOKEN_CREATED')).length, 2)
})

t.test('no token appears in logs, output, errors, events, metrics, lists or the database', async (t) => {
  const folder = t.testdir({})
  const server = await serve(t, folder, ['--log-level', 'trace'])
  const admin = await login(server.url)
  const make = async () =>
    (await call(`${server.url}/api/account/tokens`, 'POST', { name: 'a', scopes, ...proof }, admin)).body.token
  const tokens: string[] = [await make(), await make()]
  const [token = '', revoked = ''] = tokens
  const answers: string[] = []
  const ask = async (path: string, method = 'GET', used = token, body?: object) => {
    const headers = { authorization: `Bearer ${used}`, ...(body && { 'content-type': 'application/json' }) }
    const reply = await fetch(`${server.url}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) })
    answers.push(JSON.stringify([...reply.headers]), await reply.text())
    return reply.status
  }
  t.equal(await ask('/api/graphs', 'POST', token, triangle), 201)
  t.equal(await ask('/api/graphs', 'POST', token, { name: '' }), 400)
  t.equal(await ask('/api/account/tokens', 'POST', token, { name: 'b', scopes, ...proof }), 403)
  t.equal((await call(`${server.url}/api/account/tokens/2`, 'DELETE', undefined, admin)).status, 204)
  for (const used of [revoked, `${token}0`, token.slice(0, -1)]) t.equal(await ask('/api/graphs', 'GET', used), 401)
  for (const path of ['/api/account', '/management/audits', '/metrics', '/api/users'])
    t.equal(await ask(path), 200, path)
  answers.push(JSON.stringify((await call(`${server.url}/api/account/tokens`, 'GET', undefined, admin)).body))
  t.equal(await server.stop(), 0)
  const stored = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'latin1'))
  const everything = [server.stdout(), server.stderr(), ...answers, ...stored].join('\n')
  t.match(server.stdout(), /"path":"\/api\/graphs"/, 'the log has the requests')
  for (const one of tokens) t.equal(everything.includes(one.slice(4, 34)), false)
})

t.test('no file of the project contains a token that a scanner would report', sqlite, async (t) => {
  const files = globSync('**/*', {
    cwd: root,
    exclude: (name) => /(^|\/)(node_modules|dist|data|\.git|\.cache)$/.test(name)
  }).filter((file) => statSync(join(root, file)).isFile())
  t.ok(files.length > 500)
  const found = files.flatMap((file) => {
    const texts = readFileSync(join(root, file), 'latin1').match(/gst_[0-9A-Za-z]{36}/g) ?? []
    return texts.filter((text) => text !== MARKED).map(() => file)
  })
  t.same(found, [])
  t.equal(isTokenText(MARKED), false, "the checksum of the tests' token is wrong")
})
