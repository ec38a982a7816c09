import t, { type Test } from 'tap'
import { beforeNextTransaction } from '../support/held-transactions.ts'
import { build, events, PASSWORD, problem, proven } from '../support/helper.ts'
import { makeToken } from '../support/operations.ts'

// Attackers try to invite, or to guess, repeat or outrun invitations.

const own = 'nobody else knows it'
const path = '/api/users/eve/invitation'

/** Starts a server with an invited user. */
async function prepare(t: Test) {
  const server = await build(t)
  const { as } = server
  await as('root').post('/api/users', { login: 'eve', role: 'USER' })
  const [, secret = ''] = (await as('root').post(path, proven.proof)).body.url.split('#')
  const accept = (password: string, given = secret) =>
    as().post('/api/invitation/acceptance', { secret: given, password })
  return { ...server, secret, accept }
}

t.test('a stolen administrator session or token invites nobody without the password', async (t) => {
  const { as, store } = await build(t)
  await as('root').post('/api/users', { login: 'eve', role: 'USER' })
  const required = problem(400, 'validation-failed', [{ pointer: '#/password', code: 'required' }])
  t.match(await as('root').post(path, {}), required)
  const incorrect = problem(400, 'password-incorrect', [{ pointer: '#/password', code: 'password-incorrect' }])
  t.match(await as('root').post(path, { password: 'a guess of mine' }), incorrect)
  const { token } = await store.write((trx) => makeToken(trx, 'root', ['write:users']))
  const authorization = { authorization: `Bearer ${token}` }
  t.match(await as().post(path, { password: PASSWORD }, authorization), problem(403, 'scope-missing'))
  t.match(await as('bob').post(path, { password: PASSWORD }), problem(403, 'forbidden'))
  t.strictSame(await events(store, 'USER_INVITED'), [])
})

t.test('of several acceptances at once, only one sets the password', async (t) => {
  const { as, store, accept } = await prepare(t)
  const passwords = Array.from({ length: 5 }, (_, index) => `${own} ${index}`)
  const statuses = (await Promise.all(passwords.map((password) => accept(password)))).map(({ status }) => status)
  t.strictSame(statuses.toSorted(), [204, 404, 404, 404, 404])
  const set = passwords[statuses.indexOf(204)]
  t.equal((await as().post('/api/authenticate', { username: 'eve', password: set })).status, 200)
  t.equal((await events(store, 'INVITATION_ACCEPTED')).length, 1)
  t.equal((await events(store, 'PASSWORD_CHANGED')).length, 1)
})

t.test('an invitation that is revoked during an acceptance sets no password', async (t) => {
  const { as, store, accept } = await prepare(t)
  beforeNextTransaction(store, () => as('root').patch('/api/users/eve', { enabled: false }))
  t.match(await accept(own), problem(404, 'invitation-not-found'))
  t.equal((await as('root').get('/api/users/eve')).body.hasPassword, false)
  t.strictSame(await events(store, 'INVITATION_ACCEPTED'), [])
})

t.test('wrong secrets are throttled, and do not lock out the invited user', async (t) => {
  const { as, secret, accept } = await prepare(t)
  const guess = () => as().post('/api/invitation', { secret: 'x'.repeat(43) })
  const statuses: number[] = []
  for (let number = 0; number < 12; number++) statuses.push((await guess()).status)
  t.strictSame(statuses, [...Array(10).fill(404), 429, 429])
  t.equal((await accept(own, 'y'.repeat(43))).status, 429)
  t.strictSame((await as().post('/api/invitation', { secret })).status, 200)
  t.equal((await accept(own)).status, 204)
})

t.test('the database, the events and the lists do not contain the secret', async (t) => {
  const { as, store, secret } = await prepare(t)
  const rows = [
    await store.read.selectFrom('invitation').selectAll().execute(),
    await store.read.selectFrom('auditEvent').selectAll().execute(),
    (await as('root').get('/api/users')).body
  ]
  t.equal(rows[0]?.length, 1)
  t.notOk(JSON.stringify(rows).includes(secret))
})
