import t, { type Test } from 'tap'
import type { Store } from '../../db/store.ts'
import { buildApp } from '../../plugins/app.ts'
import { base32, codeAt, otpauthUri } from '../../plugins/sign-in/totp.ts'
import { program } from '../../src/system/program.ts'
import { cookieOf, samePage } from '../support/browsers.ts'
import { stopClock } from '../support/clock.ts'
import { rowsOf } from '../support/consistency.ts'
import { beforeNextTransaction } from '../support/held-transactions.ts'
import { build, events, PASSWORD, problem, triangle } from '../support/helper.ts'
import { decodeBase32 } from './base32.ts'

// The second factor: codes of an authenticator app, and recovery codes.

const path = '/api/account/second-factor'
const credentials = { username: 'ada', password: PASSWORD }
const STEP = 30_000

t.test('codes are those of RFC 6238, appendix B', async (t) => {
  const secret = Buffer.from('12345678901234567890')
  const answers: [number, string][] = [
    [59, '94287082'],
    [1111111109, '07081804'],
    [1111111111, '14050471'],
    [1234567890, '89005924'],
    [2000000000, '69279037'],
    [20000000000, '65353130']
  ]
  for (const [time, code] of answers) {
    // The last six of the eight digits.
    t.equal(codeAt(secret, Math.floor(time / 30)), code.slice(2), String(time))
  }
})

t.test('secrets are base32 (RFC 4648), in an address that apps can read', async (t) => {
  t.equal(base32(Buffer.from('foobarfoob')), 'MZXW6YTBOJTG633C')
  t.equal(base32(Buffer.from('12345678901234567890')), 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ')
  t.equal(
    otpauthUri('Graphstead', 'a@b.example', 'GEZD'),
    'otpauth://totp/Graphstead:a%40b.example?secret=GEZD&issuer=Graphstead'
  )
})

/** Stops the clock, and starts a server with the user ada. */
async function prepare(t: Test, settings: Parameters<typeof build>[1] = {}) {
  const wait = stopClock(t, Math.floor(Date.now() / STEP) * STEP)
  const server = await build(t, settings)
  await server.tokenOf('ada')
  const signIn = (code?: string, headers: Record<string, string> = {}) =>
    server.as().post('/api/authenticate', { ...credentials, ...(code !== undefined && { code }) }, headers)
  /** The app's code this many steps from now. */
  const codeOf = (secret: string, steps = 0) => codeAt(decodeBase32(secret), Math.floor(wait() / STEP) + steps)
  /** Sets up a second factor for the user. */
  const setUp = async (login: string): Promise<{ secret: string; code: string; recoveryCodes: string[] }> => {
    const { secret } = (await server.as(login).post(path, { password: PASSWORD })).body
    const code = codeOf(secret)
    const { status, body } = await server.as(login).post(`${path}/confirmation`, { code })
    t.equal(status, 200)
    return { secret, code, recoveryCodes: body.recoveryCodes }
  }
  return { ...server, wait, signIn, codeOf, setUp }
}

/** Like `prepare`, but with a second factor set up for ada. */
async function prepareWithFactor(t: Test, settings: Parameters<typeof build>[1] = {}) {
  const server = await prepare(t, settings)
  const { secret, recoveryCodes } = await server.setUp('ada')
  server.wait(2 * STEP)
  const code = (steps?: number) => server.codeOf(secret, steps)
  const [first = '', second = '', third = ''] = recoveryCodes
  /** Sends ada's password, and a code if given, to a path below the second factor's path. */
  const prove = (name: string, code?: string) =>
    server.as('ada').post(`${path}/${name}`, { password: PASSWORD, ...(code !== undefined && { code }) })
  return { ...server, secret, recoveryCodes, first, second, third, code, prove }
}

/** The type, outcome, principal and data of the events. */
const trail = async (store: Store, types = /./) =>
  (await events(store))
    .filter(({ type }) => types.test(type))
    .map(({ type, outcome, principal, data }) => [type, outcome, principal, data])

const success = (data = {}) => ['AUTHENTICATION_SUCCESS', 'SUCCESS', 'ada', { method: 'password', ...data }]
const failure = (reason: string) => ['AUTHENTICATION_FAILURE', 'FAILURE', 'ada', { method: 'password', reason }]

t.test('a second factor is active once a code has confirmed it', async (t) => {
  const { as, store, signIn, codeOf } = await prepare(t)
  t.strictSame((await as('ada').get(path)).body, { since: null, recoveryCodes: 0 })
  const wrong = [{ pointer: '#/password', code: 'password-incorrect' }]
  t.match(await as('ada').post(path, { password: 'another one' }), problem(400, 'password-incorrect', wrong))
  t.match(await as('ada').post(`${path}/confirmation`, { code: '123456' }), problem(409, 'second-factor-not-begun'))
  const first = await as('ada').post(path, { password: PASSWORD })
  const begun = await as('ada').post(path, { password: PASSWORD })
  t.equal(begun.status, 201)
  const { secret, uri } = begun.body
  t.match(secret, /^[A-Z2-7]{32}$/)
  t.not(secret, first.body.secret)
  t.equal(uri, `otpauth://totp/Graphstead:ada?secret=${secret}&issuer=Graphstead`)
  t.equal((await signIn()).status, 200, 'it is not active yet')
  t.match((await as('ada').get('/api/account')).body, { secondFactor: false })
  const confirm = (code: string) => as('ada').post(`${path}/confirmation`, { code })
  const fault = [
    { pointer: '#/code', code: 'second-factor-incorrect', detail: 'is incorrect or has already been used' }
  ]
  t.match(await confirm(codeOf(first.body.secret)), problem(400, 'validation-failed', fault), 'it was replaced')
  t.match(await confirm(codeOf(secret, 2)), problem(400, 'validation-failed', fault))
  const confirmed = await confirm(codeOf(secret))
  t.equal(confirmed.status, 200)
  const { recoveryCodes } = confirmed.body
  t.equal(new Set(recoveryCodes).size, 10)
  for (const code of recoveryCodes) t.match(code, /^[a-z2-7]{4}(-[a-z2-7]{4}){3}$/)
  const { since, ...counts } = (await as('ada').get(path)).body
  t.match(since, /^20\d\d-\d\d-\d\dT[\d:.]{12}Z$/)
  t.strictSame(counts, { recoveryCodes: 10 })
  t.match((await as('ada').get('/api/account')).body, { secondFactor: true })
  t.match(await as('ada').post(path, { password: PASSWORD }), problem(409, 'second-factor-exists'))
  t.match(await confirm(codeOf(secret, 1)), problem(409, 'second-factor-exists'))
  t.match(await signIn(), problem(401, 'second-factor-required'))
  t.match(
    await signIn(codeOf(secret)),
    problem(401, 'second-factor-incorrect'),
    'the code that confirmed it is used up'
  )
  t.strictSame(await trail(store, /SECOND|RECOVERY/), [['SECOND_FACTOR_ENABLED', 'SUCCESS', 'ada', {}]])
})

t.test('sign-in asks for a code only after the right password, and accepts each code once', async (t) => {
  const { as, store, signIn, code, wait } = await prepareWithFactor(t)
  const before = (await trail(store)).length
  const wrong = { ...credentials, password: 'another one', code: code() }
  t.match(await as().post('/api/authenticate', wrong), problem(401, 'credentials-incorrect'))
  t.match(await signIn(), problem(401, 'second-factor-required'))
  t.match(await as().post('/api/session', credentials, samePage), problem(401, 'second-factor-required'))
  t.match(await signIn('000000'), problem(401, 'second-factor-incorrect'))
  t.equal((await signIn(code())).status, 200)
  t.match(await signIn(code()), problem(401, 'second-factor-incorrect'), 'a code cannot be used again')
  t.match(await signIn(code(-1)), problem(401, 'second-factor-incorrect'), 'an earlier code is refused')
  wait(STEP)
  const spaced = { ...credentials, code: ` ${code().slice(0, 3)} ${code().slice(3)}` }
  const session = await as().post('/api/session', spaced, samePage)
  t.match(session, { status: 200, body: { login: 'ada', secondFactor: true } }, 'a code may contain spaces')
  t.notMatch(session.text, /secret/)
  t.strictSame((await trail(store)).slice(before), [
    ['AUTHENTICATION_FAILURE', 'FAILURE', 'ada', { method: 'password' }],
    failure('second-factor-required'),
    failure('second-factor-required'),
    failure('second-factor-incorrect'),
    success({ secondFactor: 'totp' }),
    failure('second-factor-incorrect'),
    failure('second-factor-incorrect'),
    success({ secondFactor: 'totp' })
  ])
})

t.test('only codes from the previous, current and next time step are accepted', async (t) => {
  const { signIn, code, wait } = await prepareWithFactor(t)
  // Moves past the code that confirmed the second factor.
  wait(STEP)
  for (const steps of [-2, 2]) t.match(await signIn(code(steps)), problem(401, 'second-factor-incorrect'), `${steps}`)
  t.equal((await signIn(code(-1))).status, 200, 'a slow clock is tolerated')
  t.equal((await signIn(code(0))).status, 200)
  t.equal((await signIn(code(1))).status, 200, 'a fast clock is tolerated')
  t.match(await signIn(code(0)), problem(401, 'second-factor-incorrect'))
  wait(STEP)
  t.match(await signIn(code(0)), problem(401, 'second-factor-incorrect'), 'it was used ahead of time')
  t.equal((await signIn(code(1))).status, 200)
})

t.test('a recovery code works once, in any notation', async (t) => {
  const { as, store, signIn, code, first, second, third, recoveryCodes, prove } = await prepareWithFactor(t)
  t.equal((await signIn(first)).status, 200)
  t.match(await signIn(first), problem(401, 'second-factor-incorrect'))
  t.equal((await signIn(second.replaceAll('-', '').toUpperCase())).status, 200)
  t.match(await signIn(`${third.slice(0, -1)}!`), problem(401, 'second-factor-incorrect'))
  t.match((await as('ada').get(path)).body, { recoveryCodes: 8 })
  t.strictSame(
    (await events(store, 'RECOVERY_CODE_USED')).map(({ principal, targetName, data }) => [principal, targetName, data]),
    [
      ['ada', 'ada', { left: '9' }],
      ['ada', 'ada', { left: '8' }]
    ]
  )
  const renewed = await prove('recovery-codes', code())
  t.equal(new Set([...renewed.body.recoveryCodes, ...recoveryCodes]).size, 20)
  t.match(await signIn(third), problem(401, 'second-factor-incorrect'), 'an old recovery code is refused')
  t.equal((await signIn(renewed.body.recoveryCodes[9])).status, 200)
  t.equal((await events(store, 'RECOVERY_CODES_RENEWED')).length, 1)
})

t.test('if many clients send the same code concurrently, only one signs in', async (t) => {
  const { signIn, code, first } = await prepareWithFactor(t)
  for (const shown of [code(), first]) {
    const replies = await Promise.all(Array.from({ length: 6 }, () => signIn(shown)))
    t.strictSame(replies.map(({ status }) => status).sort(), [200, 401, 401, 401, 401, 401])
  }
})

t.test('codes and tokens of another user are worthless', async (t) => {
  const { as, store, signIn, secret, first, code, setUp } = await prepareWithFactor(t)
  const other = await setUp('bob')
  for (const wrong of [other.code, other.recoveryCodes[0], secret, '', 'x'.repeat(64)]) {
    t.match(await signIn(wrong), problem(401, 'second-factor-incorrect'), `${wrong}`)
  }
  const bob = { username: 'bob', password: PASSWORD }
  for (const wrong of [code(), first]) {
    t.match(await as().post('/api/authenticate', { ...bob, code: wrong }), problem(401, 'second-factor-incorrect'))
  }
  // A sealed secret works only for its user, even if somebody copies it within the database.
  const [ada] = await store.read.selectFrom('secondFactor').selectAll().orderBy('userId').execute()
  const stolen = { secret: ada?.secret ?? '' }
  await store.write((trx) => trx.updateTable('secondFactor').set(stolen).execute())
  t.match(await as().post('/api/authenticate', { ...bob, code: code() }), problem(401, 'second-factor-incorrect'))
  t.equal((await signIn(code())).status, 200)
})

t.test(
  'a user may enter twenty wrong codes an hour, from all addresses together; wrong passwords do not count',
  async (t) => {
    const { as, store, signIn, code, wait } = await prepareWithFactor(t, { trustProxy: 'loopback' })
    const from = (index: number) => ({ 'x-forwarded-for': `192.0.2.${index}` })
    for (let index = 0; index < 20; index++) {
      t.match(await signIn('000000', from(index)), problem(401, 'second-factor-incorrect'))
    }
    const refused = await signIn(code(), from(20))
    t.match(refused, problem(429, 'too-many-attempts'))
    t.equal(refused.headers['retry-after'], '3540', 'the hour began with the code that confirmed the second factor')
    t.match(await signIn(undefined, from(21)), problem(401, 'second-factor-required'))
    const wrong = { username: 'ada', password: 'another one', code: '000000' }
    t.match(await as().post('/api/authenticate', wrong, from(22)), problem(401, 'credentials-incorrect'))
    const denied = (await events(store, 'AUTHENTICATION_FAILURE')).filter(({ outcome }) => outcome === 'DENIED')
    t.equal(denied.length, 1, 'the first refusal is recorded')
    wait(60 * 60_000)
    t.equal((await signIn(code(), from(23))).status, 200)
  }
)

t.test('for its source, a right password without a code counts as a wrong one', async (t) => {
  const { signIn } = await prepareWithFactor(t)
  const statuses: number[] = []
  for (let attempt = 0; attempt < 11; attempt++) statuses.push((await signIn()).status)
  t.strictSame(statuses, [...Array(10).fill(401), 429])
})

t.test(
  "users can remove their second factor with their password and a code, and administrators can remove other users'",
  async (t) => {
    const { as, store, signIn, first, prove, setUp } = await prepareWithFactor(t)
    const wrong = { password: 'another one', code: first }
    t.match(await as('ada').post(`${path}/removal`, wrong), problem(400, 'password-incorrect'))
    t.match(await signIn(), problem(401, 'second-factor-required'))
    t.equal((await prove('removal', first)).status, 204)
    t.equal((await signIn()).status, 200)
    t.equal((await prove('removal')).status, 204, 'also if there is none')
    t.strictSame(await rowsOf(store, ['secondFactor', 'recoveryCode']), { secondFactor: [], recoveryCode: [] })
    await setUp('ada')
    t.match(await as('bob').delete('/api/users/ada/second-factor'), problem(403, 'forbidden'))
    t.match(
      await as('root').delete('/api/users/root/second-factor'),
      problem(403, 'forbidden'),
      'administrators cannot remove their own'
    )
    t.match(await as('root').delete('/api/users/nobody/second-factor'), problem(404, 'user-not-found'))
    t.match((await as('root').get('/api/users/ada')).body, { secondFactor: true })
    for (let round = 0; round < 2; round++)
      t.equal((await as('root').delete('/api/users/ada/second-factor')).status, 204)
    t.equal((await signIn()).status, 200)
    t.strictSame(await trail(store, /^SECOND/), [
      ['SECOND_FACTOR_ENABLED', 'SUCCESS', 'ada', {}],
      ['SECOND_FACTOR_DISABLED', 'SUCCESS', 'ada', {}],
      ['SECOND_FACTOR_ENABLED', 'SUCCESS', 'ada', {}],
      ['SECOND_FACTOR_DISABLED', 'SUCCESS', 'root', {}]
    ])
  }
)

t.test('a session and the password alone can neither remove a second factor nor create recovery codes', async (t) => {
  for (const name of ['removal', 'recovery-codes'] as const) {
    const { as, store, signIn, code, first, wait, prove } = await prepareWithFactor(t)
    const ask = (code?: string) => prove(name, code)
    const refused = (code: string, detail: string) =>
      problem(400, 'validation-failed', [{ pointer: '#/code', code, detail }])
    const wrong = refused('second-factor-incorrect', 'is incorrect or has already been used')
    const before = (await trail(store)).length
    t.match(await ask(), refused('required', 'is required for users with two-factor authentication'), name)
    t.match(await ask('000000'), wrong)
    t.match(await ask('abcd-abcd-abcd-abcd'), wrong)
    const used = code()
    t.equal((await signIn(used)).status, 200)
    t.match(await ask(used), wrong, 'the code of a sign-in')
    t.match((await as('ada').get(path)).body, { recoveryCodes: 10 })
    wait(STEP)
    const shown = name === 'removal' ? first : code()
    const replies = await Promise.all([ask(shown), ask(shown)])
    const done = name === 'removal' ? [204, 204] : [200, 400]
    t.strictSame(
      replies.map(({ status }) => status).sort(),
      done,
      'it works once; without a second factor no code is needed'
    )
    const change =
      name === 'removal'
        ? [
            ['RECOVERY_CODE_USED', 'SUCCESS', 'ada', { left: '9' }],
            ['SECOND_FACTOR_DISABLED', 'SUCCESS', 'ada', {}]
          ]
        : [['RECOVERY_CODES_RENEWED', 'SUCCESS', 'ada', {}], failure('second-factor-incorrect')]
    t.strictSame((await trail(store)).slice(before), [
      failure('second-factor-required'),
      failure('second-factor-incorrect'),
      failure('second-factor-incorrect'),
      success({ secondFactor: 'totp' }),
      failure('second-factor-incorrect'),
      ...change
    ])
  }
})

t.test('codes guessed in a session count together with those at sign-in', async (t) => {
  const { as, store, signIn, code, wait, prove } = await prepareWithFactor(t)
  const ask = (code: string) => prove('removal', code)
  for (let index = 0; index < 10; index++) t.equal((await ask('000000')).status, 400)
  t.match(await ask(code()), problem(429, 'too-many-attempts'), 'wrong codes are throttled like wrong passwords')
  wait(60 * 60_000)
  for (let index = 0; index < 10; index++) t.equal((await ask('000000')).status, 400)
  for (let index = 0; index < 10; index++) t.equal((await signIn('000000')).status, 401)
  wait(5_000)
  t.match(await ask(code()), problem(429, 'too-many-attempts'), 'twenty from all sources together')
  t.match((await as('ada').get('/api/account')).body, { secondFactor: true })
  const denied = (await events(store, 'AUTHENTICATION_FAILURE')).filter(({ outcome }) => outcome === 'DENIED')
  t.equal(denied.length, 2)
  wait(60 * 60_000)
  t.equal((await ask(code())).status, 204)
})

t.test("setting up a second factor ends the user's other sessions", async (t) => {
  const { as, store, codeOf } = await prepare(t)
  const [mine, token, bob] = await Promise.all(
    ['ada', 'ada', 'bob'].map(async (username) => {
      await as(username).get('/api/account')
      const { body } = await as().post('/api/authenticate', { username, password: PASSWORD })
      return { authorization: `Bearer ${body.id_token}` }
    })
  )
  const cookie = cookieOf(await as().post('/api/session', credentials, samePage))
  const program = await as('ada').post('/api/account/tokens', {
    name: 'x',
    scopes: ['read:graphs'],
    password: PASSWORD
  })
  const others = [token, { cookie }, bob, { authorization: `Bearer ${program.body.token}` }]
  const statuses = () =>
    Promise.all([mine, ...others].map(async (headers) => (await as().get('/api/account', headers)).status))
  t.strictSame(await statuses(), [200, 200, 200, 200, 200])
  const { secret } = (await as().post(path, { password: PASSWORD }, mine)).body
  t.equal((await as().post(`${path}/confirmation`, { code: '000000' }, mine)).status, 400)
  t.strictSame(await statuses(), [200, 200, 200, 200, 200], 'a wrong code ends no session')
  t.equal((await as().post(`${path}/confirmation`, { code: codeOf(secret) }, mine)).status, 200)
  t.strictSame(await statuses(), [200, 401, 401, 200, 200])
  t.strictSame(
    (await as().get('/api/account/sessions', mine)).body.map(({ current }: { current: boolean }) => current),
    [true]
  )
  t.strictSame(
    (await events(store)).slice(-2).map(({ type, principal, targetName, data }) => [type, principal, targetName, data]),
    [
      ['SECOND_FACTOR_ENABLED', 'ada', 'ada', {}],
      ['SESSIONS_ENDED', 'ada', 'ada', { count: '2' }]
    ]
  )
})

t.test('the database alone reveals no secret, and recovery codes work even without the token key', async (t) => {
  const { store, secret, first, recoveryCodes, code, config } = await prepareWithFactor(t)
  const rows = JSON.stringify(await rowsOf(store, ['user', 'secondFactor', 'recoveryCode', 'auditEvent', 'attempt']))
  const bytes = decodeBase32(secret)
  const encoded = (['hex', 'base64url', 'base64'] as const).map((encoding) => bytes.toString(encoding))
  for (const text of [secret, ...encoded, ...recoveryCodes]) t.notOk(rows.includes(text))
  const other = await buildApp(config, { program, store, tokenKey: Buffer.alloc(32, 2) })
  t.teardown(() => other.close())
  const tryCode = (text: string) =>
    other.inject({ method: 'POST', url: '/api/authenticate', payload: { ...credentials, code: text } })
  t.match((await tryCode(code())).json(), { code: 'second-factor-incorrect' })
  t.equal((await tryCode(first)).statusCode, 200)
})

t.test('a second factor is deleted with its user', async (t) => {
  const { as, store } = await prepareWithFactor(t)
  t.equal((await as('root').delete('/api/users/ada')).status, 204)
  t.strictSame(await rowsOf(store, ['secondFactor', 'recoveryCode']), { secondFactor: [], recoveryCode: [] })
})

t.test('where a second factor is required, users without one can only set one up', async (t) => {
  for (const [requireSecondFactor, refused] of [
    ['off', []],
    ['admins', ['root']],
    ['all', ['ada', 'audrey', 'root']]
  ] as const) {
    const { as, store, setUp } = await prepare(t, { requireSecondFactor })
    for (const login of ['ada', 'audrey', 'root']) {
      const isRefused = (refused as readonly string[]).includes(login)
      const wanted = isRefused ? problem(403, 'second-factor-setup-required') : { status: 200 }
      t.match(await as(login).get('/api/graphs'), wanted, `${requireSecondFactor}: ${login}`)
      const cookie = cookieOf(await as().post('/api/session', { username: login, password: PASSWORD }, samePage))
      t.match(await as().get('/api/graphs', { cookie }), wanted)
      t.equal((await as().get('/api/account', { cookie })).status, 200)
      if (!isRefused) continue
      t.match(await as(login).post('/api/graphs', triangle), wanted)
      t.match(
        await as(login).post('/api/account/tokens', { name: 'x', scopes: ['read:graphs'], password: PASSWORD }),
        wanted
      )
      const [code] = (await setUp(login)).recoveryCodes
      t.equal((await as(login).get('/api/graphs')).status, 200, 'access is granted immediately')
      t.equal((await as(login).post(`${path}/removal`, { password: PASSWORD, code })).status, 204)
      t.match(await as(login).get('/api/graphs'), wanted, 'access is refused once the second factor is removed')
    }
    t.same(await events(store, 'GRAPH_CREATED'), [])
  }
})

t.test("a request that arrives before its user's second factor is removed changes nothing", async (t) => {
  const { as, store } = await prepareWithFactor(t, { requireSecondFactor: 'all' })
  beforeNextTransaction(store, () =>
    store.write((trx) => trx.updateTable('user').set({ secondFactorSince: null }).execute())
  )
  t.match(await as('ada').post('/api/graphs', triangle), problem(403, 'second-factor-setup-required'))
  t.strictSame(await store.read.selectFrom('graph').select('id').execute(), [])
})
