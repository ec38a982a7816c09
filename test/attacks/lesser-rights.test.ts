import t from 'tap'
import { codeAt } from '../../plugins/sign-in/totp.ts'
import { decodeBase32 } from '../sign-in/base32.ts'
import { buildWithProvider, endOf, refusedWith } from '../sign-in/signing-in.ts'
import { cookieOf, samePage } from '../support/browsers.ts'
import { stopClock } from '../support/clock.ts'
import { beforeNextTransaction } from '../support/held-transactions.ts'
import { build, events, PASSWORD, problem, proven } from '../support/helper.ts'
import { makeToken } from '../support/operations.ts'

// Attackers with a stolen token or session try to gain more rights, or longer-lived ones.

type Server = Pick<Awaited<ReturnType<typeof build>>, 'as' | 'store'>

const MINUTE = 60_000
const mine = 'the password of the attacker'

t.test('a token that may change users cannot create an administrator', async (t) => {
  const server = await buildWithProvider(t, { oidcCreateUsers: 'off' })
  const { as, store, provider, signIn, tokenOf } = server
  for (const login of ['root', 'audrey', 'eve']) await tokenOf(login)
  await as('root').patch('/api/users/audrey', { enabled: false })
  const { token } = await store.write((trx) => makeToken(trx, 'root', ['write:users']))
  const authorization = { authorization: `Bearer ${token}` }
  const send = as()
  const users = '/api/users'
  const person = { issuer: provider.issuer, subject: 'eve' }
  for (const [method, path, body] of [
    ['put', `${users}/root/identity`, person],
    ['put', `${users}/audrey/identity`, person],
    ['post', users, { login: 'mallory', role: 'ADMIN', password: mine, mustChangePassword: false }],
    ['post', users, { login: 'mallory', role: 'USER', password: mine }],
    ['post', users, { login: 'mallory', role: 'ADMIN', kind: 'SERVICE' }],
    ['patch', `${users}/eve`, { role: 'ADMIN' }],
    ['patch', `${users}/eve`, { role: 'AUDITOR' }],
    ['patch', `${users}/eve`, { password: mine, mustChangePassword: false }],
    ['patch', `${users}/audrey`, { enabled: true }],
    ['patch', `${users}/audrey`, { enabled: true, role: 'USER' }],
    ['patch', `${users}/eve`, { role: 'ADMIN', ...proven }],
    ['post', '/api/account/tokens', { name: 'more', scopes: ['write:graphs'], password: PASSWORD }],
    ['post', `${users}/root/tokens`, { name: 'more', scopes: ['write:graphs'], password: PASSWORD }],
    ['post', '/api/account/second-factor', { password: PASSWORD }]
  ] as const) {
    const reply = await send[method](path, body, authorization)
    t.match(reply, problem(403, 'scope-missing'), `${method} ${path} ${JSON.stringify(body)}`)
  }
  for (const path of [`${users}/root/identity`, `${users}/root/second-factor`]) {
    t.match(await send.delete(path, authorization), problem(403, 'scope-missing'))
  }
  t.strictSame(endOf(await signIn()), refusedWith('identity-unknown'), 'the provider does not sign the user in')
  t.match(await as('root').get(`${users}/mallory`), problem(404, 'user-not-found'))
  const roles = (await as('root').get(users)).body.map(({ login, role, enabled }: Record<string, unknown>) => [
    ...[login, role, enabled]
  ])
  t.strictSame(roles, [
    ['root', 'ADMIN', true],
    ['audrey', 'AUDITOR', false],
    ['eve', 'USER', true]
  ])
})

t.test('a token cannot waive the change of an assigned password', async (t) => {
  const { as, store } = await build(t)
  await as('root').post('/api/users', { login: 'eve', password: mine, role: 'USER', ...proven })
  const { token } = await store.write((trx) => makeToken(trx, 'root', ['write:users']))
  const waive = { mustChangePassword: false }
  t.match(
    await as().patch('/api/users/eve', waive, { authorization: `Bearer ${token}` }),
    problem(403, 'scope-missing')
  )
  t.match((await as('root').get('/api/users/eve')).body, { mustChangePassword: true })
})

/** Starts a browser session and a program's session for the user. */
async function sessionsOf({ as }: Server, username: string, codes: string[] = []): Promise<Record<string, string>[]> {
  const credentials = (code?: string) => ({ username, password: PASSWORD, ...(code && { code }) })
  const cookie = cookieOf(await as().post('/api/session', credentials(codes[0]), samePage))
  const { body } = await as().post('/api/authenticate', credentials(codes[1]))
  return [{ ...samePage, cookie }, { authorization: `Bearer ${body.id_token}` }]
}

t.test('a stolen session cannot create a token for anyone, or add a way to sign in', async (t) => {
  const server = await build(t)
  const { as, store, tokenOf } = server
  for (const login of ['root', 'ada']) await tokenOf(login)
  await as('root').post('/api/users', { login: 'robot', kind: 'SERVICE', role: 'ADMIN', ...proven })
  const wanted = { name: 'lasting', scopes: ['write:graphs', 'write:users'] }
  for (const stolen of await sessionsOf(server, 'root')) {
    for (const path of ['/api/account/tokens', '/api/users/robot/tokens', '/api/users/ada/tokens']) {
      t.match(await as().post(path, wanted, stolen), problem(400, 'validation-failed', [{ pointer: '#/password' }]))
      const guess = { ...wanted, password: 'a guess of mine' }
      t.match(await as().post(path, guess, stolen), problem(400, 'password-incorrect'))
    }
    t.match(await as().patch('/api/users/root', { password: mine }, stolen), problem(403, 'forbidden'))
    const person = { issuer: 'https://login.example.org', subject: 'eve' }
    t.match(await as().put('/api/users/root/identity', person, stolen), problem(403, 'forbidden'))
  }
  const [stolen = {}] = await sessionsOf(server, 'ada')
  const guess = () => as().post('/api/account/tokens', { ...wanted, password: 'a guess of mine' }, stolen)
  const statuses = (await Promise.all(Array.from({ length: 25 }, guess))).map(({ status }) => status)
  t.equal(statuses.filter((status) => status === 400).length, 10, 'only ten guesses, even concurrently')
  t.equal(statuses.filter((status) => status === 429).length, 15)
  t.strictSame(await store.read.selectFrom('apiToken').select('id').execute(), [])
})

/** Lists an administrator's requests that let a user sign in or gain rights, with the position of the required proof. */
const conferring = (number: number) =>
  [
    ['post', '/api/users', { login: `m${number}`, role: 'ADMIN', password: mine, mustChangePassword: false }, '/proof'],
    ['post', '/api/users', { login: `n${number}`, role: 'USER', password: mine }, '/proof'],
    ['post', '/api/users', { login: `o${number}`, role: 'AUDITOR', kind: 'SERVICE' }, '/proof'],
    ['patch', '/api/users/eve', { role: 'ADMIN' }, '/proof'],
    ['patch', '/api/users/ada', { password: mine, mustChangePassword: false }, '/proof'],
    ['patch', '/api/users/given', { mustChangePassword: false }, '/proof'],
    ['patch', '/api/users/audrey', { enabled: true }, '/proof'],
    ['put', '/api/users/ada/identity', { issuer: 'https://login.example.org', subject: 'eve' }, '']
  ] as const

/** Starts a server with several users. Root has a second factor; the attacker has a copy of root's session. */
async function prepareTheft(t: Parameters<typeof build>[0], kind: number) {
  const server = await prepareSetup(t, 'root')
  const { as, store, tokenOf, own, codeOf, confirm } = server
  for (const login of ['ada', 'eve', 'audrey', 'given']) await tokenOf(login)
  await store.write(async (trx) => {
    await trx.updateTable('user').set({ enabled: false }).where('login', '=', 'audrey').execute()
    await trx.updateTable('user').set({ mustChangePassword: true }).where('login', '=', 'given').execute()
  })
  const recoveryCodes: string[] = (await confirm(codeOf(), own)).body.recoveryCodes
  const stolen = (await sessionsOf(server, 'root', recoveryCodes.splice(0, 2)))[kind] ?? {}
  const everybody = () => store.read.selectFrom('user').selectAll().orderBy('id').execute()
  const send = ([method, path, body, at]: ReturnType<typeof conferring>[number], proof?: object) =>
    as()[method](path, { ...body, ...(at ? proof && { proof } : proof) }, stolen)
  return { ...server, recoveryCodes, everybody, send }
}

for (const [kind, name] of ['browser', 'program'].entries()) {
  t.test(`a stolen administrator session in a ${name} gives nobody a way to sign in or more rights`, async (t) => {
    const { store, recoveryCodes, everybody, send, failures } = await prepareTheft(t, kind)
    const before = await everybody()
    for (const request of conferring(0)) {
      const [method, path, , at] = request
      const fault = (field: string, code: string) => [{ pointer: `#${at}/${field}`, code }]
      const required = problem(400, 'validation-failed', fault('password', 'required'))
      t.match(await send(request), required, `${method} ${path}`)
      const incorrect = problem(400, 'password-incorrect', fault('password', 'password-incorrect'))
      t.match(await send(request, { password: 'a guess of mine' }), incorrect, `${method} ${path}`)
    }
    const [request] = conferring(0)
    const coded = problem(400, 'validation-failed', [{ pointer: '#/proof/code', code: 'required' }])
    t.match(await send(request, { password: PASSWORD }), coded, 'the password is not enough')
    const guesses = Array.from({ length: 9 }, () => send(request, { password: PASSWORD, code: '000000' }))
    const statuses = (await Promise.all(guesses)).map(({ status }) => status).sort()
    t.strictSame(statuses, [400, ...Array.from({ length: 8 }, () => 429)], 'only ten guesses, even concurrently')
    t.strictSame(await everybody(), before)
    const identities = store.read.selectFrom('userIdentity').select('userId')
    t.strictSame(await identities.execute(), [])
    const recorded = await failures()
    t.equal(recorded.filter(([outcome]) => outcome === 'FAILURE').length, 10, 'each guess is recorded')
    t.equal(recorded.filter(([outcome]) => outcome === 'DENIED').length, 1)
    t.equal(recoveryCodes.length, 8, 'no recovery code is used up')
  })

  t.test(`with password and code, an administrator can create administrators in a ${name}`, async (t) => {
    const { recoveryCodes, everybody, send } = await prepareTheft(t, kind)
    for (const [index, request] of conferring(1).entries()) {
      const reply = await send(request, { password: PASSWORD, code: recoveryCodes[index] })
      t.ok(reply.status < 300, `${request[0]} ${request[1]}: ${reply.text}`)
    }
    const made = (await everybody()).map(({ login, role, enabled, mustChangePassword }) => [
      ...[login, role, Boolean(enabled), Boolean(mustChangePassword)]
    ])
    t.strictSame(made, [
      ['root', 'ADMIN', true, false],
      ['ada', 'USER', true, false],
      ['eve', 'ADMIN', true, false],
      ['audrey', 'AUDITOR', true, false],
      ['given', 'USER', true, false],
      ['m1', 'ADMIN', true, false],
      ['n1', 'USER', true, true],
      ['o1', 'AUDITOR', true, false]
    ])
    const [, again] = conferring(2)
    const used = problem(400, 'validation-failed', [{ pointer: '#/proof/code', code: 'second-factor-incorrect' }])
    t.match(await send(again, { password: PASSWORD, code: recoveryCodes[0] }), used)
  })
}

t.test("a change that grants nothing needs no proof, unless the user's role has changed in the meantime", async (t) => {
  const { as, store, tokenOf } = await build(t)
  for (const login of ['root', 'eve']) await tokenOf(login)
  const patch = (change: object) => as('root').patch('/api/users/eve', change)
  t.equal((await patch({ enabled: false })).status, 200)
  t.equal((await patch({ enabled: true, mustChangePassword: true })).status, 200)
  t.equal((await as('root').post('/api/users', { login: 'mallory', role: 'USER' })).status, 201)
  t.equal((await patch({ enabled: false })).status, 200)
  beforeNextTransaction(store, () =>
    store.write((trx) => trx.updateTable('user').set({ role: 'ADMIN' }).where('login', '=', 'eve').execute())
  )
  const required = problem(400, 'validation-failed', [{ pointer: '#/proof/password', code: 'required' }])
  t.match(await patch({ enabled: true }), required)
  t.match((await as('root').get('/api/users/eve')).body, { role: 'ADMIN', enabled: false })
})

t.test('an administrator signed in with the provider can create administrators for ten minutes', async (t) => {
  const wait = stopClock(t)
  const { as, store, signIn } = await buildWithProvider(t)
  const { session } = await signIn()
  await store.write((trx) => trx.updateTable('user').set({ role: 'ADMIN' }).execute())
  const make = (login: string) =>
    as().post('/api/users', { login, role: 'ADMIN', password: mine }, { cookie: session, ...samePage })
  t.equal((await make('first')).status, 201)
  wait(10 * MINUTE + 1)
  t.match(await make('second'), problem(403, 'sign-in-again'))
})

t.test('a password that cannot be used to sign in is not accepted as proof', async (t) => {
  const { as } = await buildWithProvider(t, { passwordLogin: 'off' })
  const wanted = { name: 'mine', scopes: ['read:graphs'], password: PASSWORD }
  t.match(await as('ada').post('/api/account/tokens', wanted), problem(403, 'sign-in-again'))
  t.equal((await as('root').post('/api/account/tokens', wanted)).status, 201)
})

t.test('a session started by the provider can create tokens for ten minutes', async (t) => {
  const wait = stopClock(t)
  const { as, store, signIn } = await buildWithProvider(t)
  const { session } = await signIn()
  const wanted = { name: 'mine', scopes: ['read:graphs'] }
  const make = (more = {}) => as().post('/api/account/tokens', { ...wanted, ...more }, { cookie: session, ...samePage })
  t.equal((await make()).status, 201)
  t.equal((await make({ password: '' })).status, 201, 'an empty password is accepted')
  wait(10 * MINUTE + 1)
  for (const more of [{}, { password: '' }]) t.match(await make(more), problem(403, 'sign-in-again'))
  wait(-2 * MINUTE)
  t.equal((await make()).status, 201)
  await store.write((trx) => trx.updateTable('user').set({ passwordHash: 'some' }).where('login', '=', 'eve').execute())
  t.match(await make(), problem(400, 'validation-failed', [{ pointer: '#/password', code: 'required' }]))
})

const factor = '/api/account/second-factor'
const confirmation = `${factor}/confirmation`

/** Starts a server with two sessions of the user, one of which has started to set up a second factor. */
async function prepareSetup(t: Parameters<typeof build>[0], login = 'ada') {
  const server = await build(t)
  const { as, store, tokenOf } = server
  await tokenOf(login)
  const [own = {}, other = {}] = await sessionsOf(server, login)
  const { secret } = (await as().post(factor, { password: PASSWORD }, own)).body
  const codeOf = (steps = 0) => codeAt(decodeBase32(secret), Math.floor(Date.now() / 30_000) + steps)
  const confirm = (code: string, headers: Record<string, string>) => as().post(confirmation, { code }, headers)
  const failures = async () =>
    (await events(store, 'AUTHENTICATION_FAILURE')).map(({ outcome, data }) => [outcome, data])
  return { ...server, own, other, codeOf, confirm, failures }
}

t.test('only the session that set up a second factor can confirm it, even with the right code', async (t) => {
  const { own, other, codeOf, confirm, failures } = await prepareSetup(t)
  const guesses = Array.from({ length: 60 }, (_, index) => confirm(String(100_000 + index), other))
  for (const reply of await Promise.all(guesses)) t.match(reply, problem(409, 'second-factor-not-begun'))
  t.match(await confirm(codeOf(), other), problem(409, 'second-factor-not-begun'))
  t.strictSame(await failures(), [], 'no guess is counted')
  t.equal((await confirm(codeOf(), own)).status, 200, 'the user can still confirm it')
  t.match(await confirm(codeOf(1), other), problem(401, 'token-invalid'))
})

t.test('only twenty of many concurrent codes are checked, and the wrong ones are recorded', async (t) => {
  // The limit allows more attempts as time passes.
  stopClock(t)
  const { own, codeOf, confirm, failures } = await prepareSetup(t)
  const right = [-1, 0, 1, 2].map(codeOf)
  const wrong = Array.from({ length: 64 }, (_, index) => String(100_000 + index)).filter(
    (code) => !right.includes(code)
  )
  const statuses = (await Promise.all(wrong.map((code) => confirm(code, own)))).map(({ status }) => status)
  t.equal(statuses.filter((status) => status === 400).length, 20)
  t.equal(statuses.filter((status) => status === 429).length, wrong.length - 20)
  t.match(await confirm(codeOf(), own), problem(429, 'too-many-attempts'))
  const recorded = await failures()
  const failure = ['FAILURE', { method: 'password', reason: 'second-factor-incorrect' }]
  t.strictSame(
    recorded.filter(([outcome]) => outcome === 'FAILURE'),
    Array.from({ length: 20 }, () => failure)
  )
  t.strictSame(
    recorded.filter(([outcome]) => outcome === 'DENIED'),
    [['DENIED', { method: 'password' }]],
    'the first refusal is recorded'
  )
})

t.test('a second factor cannot be confirmed more than ten minutes after setup began', async (t) => {
  const { as, store, own, codeOf, confirm } = await prepareSetup(t)
  const begin = (ago: number) =>
    store.write((trx) =>
      trx
        .updateTable('secondFactor')
        .set({ begunAt: Date.now() - ago })
        .execute()
    )
  for (const ago of [10 * MINUTE + 1, -10 * MINUTE - 1000]) {
    await begin(ago)
    t.match(await confirm(codeOf(), own), problem(409, 'second-factor-not-begun'))
  }
  t.match((await as().get(factor, own)).body, { since: null })
  await begin(9 * MINUTE)
  t.equal((await confirm(codeOf(), own)).status, 200)
})
