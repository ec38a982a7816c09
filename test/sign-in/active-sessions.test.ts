import t, { type Test } from 'tap'
import type { Store } from '../../db/store.ts'
import { removeExpiredSessions, removeIdleSessions } from '../../db/users/sessions.ts'
import type { Session } from '../../schemas/session.ts'
import { cookieOf, samePage } from '../support/browsers.ts'
import { stopClock } from '../support/clock.ts'
import { build, events, PASSWORD, problem } from '../support/helper.ts'
import { until } from '../support/until.ts'

// The list of a user's sessions, which shows the origin and last use of each, and lets the user end them.

const credentials = { username: 'ada', password: PASSWORD }
const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const never = { window: Number.POSITIVE_INFINITY, remembered: Number.POSITIVE_INFINITY }

/** Stops the clock, and starts a server with ada and ways to sign her in. */
async function prepare(t: Test, settings: Parameters<typeof build>[1] = {}) {
  const wait = stopClock(t)
  const time = (after = 0) => new Date(wait() + after).toISOString()
  const server = await build(t, settings)
  await server.tokenOf('ada')
  const browser = async (userAgent: string, more: object = {}) => {
    const headers = { ...samePage, 'user-agent': userAgent }
    const reply = await server.as().post('/api/session', { ...credentials, ...more }, headers)
    return { cookie: cookieOf(reply), ...samePage }
  }
  const program = async (userAgent: string, more: object = {}) => {
    const reply = await server.as().post('/api/authenticate', { ...credentials, ...more }, { 'user-agent': userAgent })
    return { authorization: `Bearer ${reply.body.id_token}` }
  }
  const list = async (headers: Record<string, string>): Promise<Session[]> =>
    (await server.as().get('/api/account/sessions', headers)).body
  const names = async (headers: Record<string, string>) => (await list(headers)).map(({ userAgent }) => userAgent)
  return { ...server, wait, time, browser, program, list, names }
}

/** Reads the ids that only the server knows. */
const secretIds = async ({ read }: Store) =>
  (await read.selectFrom('session').select('id').execute()).map(({ id }) => id)

t.test('the list of sessions shows where each one started and when it was last used', async (t) => {
  const { as, store, wait, time, browser, program, list } = await prepare(t)
  const [begun, ends] = [time(), time(DAY)]
  const first = await browser('Firefox')
  wait(MINUTE)
  const [later, remembered] = [time(), time(30 * DAY)]
  const script = await program('curl/8.5.0', { rememberMe: true })
  const listed = await list(first)
  const ids = listed.map(({ id }) => id)
  const common = { method: 'password', address: '127.0.0.1' }
  const [token, session] = [
    { kind: 'TOKEN', familiar: true, startedAt: later, lastUsedAt: later, expiresAt: remembered },
    { kind: 'BROWSER', familiar: false, startedAt: begun, lastUsedAt: begun, expiresAt: ends }
  ]
  t.strictSame(listed, [
    { id: ids[0], ...token, current: false, ...common, userAgent: 'curl/8.5.0' },
    { id: ids[1], ...session, current: true, ...common, userAgent: 'Firefox' }
  ])
  for (const id of await secretIds(store)) t.notOk(ids.includes(id), 'the public id differs from the id in the token')
  t.strictSame(
    (await list(script)).map(({ current }) => current),
    [true, false]
  )
  wait(6 * MINUTE)
  const used = time()
  for (const headers of [first, script]) {
    t.equal((await as().get('/api/account', headers)).status, 200)
  }
  await until(async () => (await list(first)).every(({ lastUsedAt }) => lastUsedAt === used))
  t.strictSame((await list(first)).map(({ lastUsedAt, startedAt }) => [startedAt, lastUsedAt]).sort(), [
    [begun, used],
    [later, used]
  ])
})

t.test('each session can be ended individually', async (t) => {
  const { as, store, browser, program, list, names } = await prepare(t)
  const [here, there, script] = [await browser('here'), await browser('there'), await program('script')]
  const idOf = async (name: string) => (await list(here)).find(({ userAgent }) => userAgent === name)?.id
  for (const [name, headers] of [
    ['there', there],
    ['script', script]
  ] as const) {
    const url = `/api/account/sessions/${await idOf(name)}`
    t.equal((await as().get('/api/account', headers)).status, 200)
    t.match(await as().delete(url, here), { status: 204, text: '' })
    t.match(await as().get('/api/account', headers), problem(401, 'token-invalid'), name)
    t.match(await as().delete(url, here), problem(404, 'session-not-found'), 'a session can be ended only once')
  }
  t.strictSame(await names(here), ['here'])
  t.strictSame(
    (await events(store, 'SESSION_ENDED')).map(({ principal, targetName, data, request }) => [
      ...[principal, targetName, data, request?.route]
    ]),
    Array(2).fill(['ada', 'ada', {}, '/api/account/sessions/{sessionId}'])
  )
  const own = `/api/account/sessions/${await idOf('here')}`
  t.match(await as().delete(own, { cookie: here.cookie }), problem(403, 'cross-origin'))
  t.equal((await as().delete(own, here)).status, 204, 'callers can end their own session')
  t.match(await as().get('/api/account', here), problem(401, 'token-invalid'))
})

t.test("other users' sessions are hidden, except from administrators", async (t) => {
  const { as, store, browser, list } = await prepare(t)
  const here = await browser('here')
  const [session] = await list(here)
  const id = session?.id
  t.strictSame((await as('bob').get('/api/account/sessions')).body, [])
  t.match(await as('bob').delete(`/api/account/sessions/${id}`), problem(404, 'session-not-found'))
  t.match(await as('bob').get('/api/users/ada/sessions'), problem(403, 'forbidden'))
  t.match(await as('root').delete(`/api/users/bob/sessions/${id}`), problem(404, 'session-not-found'))
  t.match(await as('root').get('/api/users/nobody/sessions'), problem(404, 'user-not-found'))
  const asRoot = (await as('root').get('/api/users/ada/sessions')).body
  t.strictSame(asRoot, [{ ...session, current: false }])
  const [secret = ''] = await secretIds(store)
  t.match(await as('root').delete(`/api/users/ada/sessions/${secret}`), problem(404, 'session-not-found'))
  t.equal((await as().get('/api/account', here)).status, 200)
  t.equal((await as('root').delete(`/api/users/ada/sessions/${id}`)).status, 204)
  t.match(await as().get('/api/account', here), problem(401, 'token-invalid'))
  t.match(await events(store, 'SESSION_ENDED'), [{ principal: 'root', targetName: 'ada' }])
  t.match(await as('root').delete('/api/users/ada/sessions/1'), problem(400, 'validation-failed'))
})

t.test('an administrator ends all sessions of a user, but not the API tokens', async (t) => {
  const { as, store, browser, program } = await prepare(t)
  const [here, script] = [await browser('here'), await program('script')]
  const token = { name: 'nightly', scopes: ['read:graphs'], password: PASSWORD }
  const made = await as('ada').post('/api/account/tokens', token)
  t.match(await as('bob').delete('/api/users/ada/sessions'), problem(403, 'forbidden'))
  t.match(await as('root').delete('/api/users/nobody/sessions'), problem(404, 'user-not-found'))
  t.strictSame(await events(store, 'SESSIONS_ENDED'), [])
  t.match(await as('root').delete('/api/users/ada/sessions'), { status: 204, text: '' })
  for (const headers of [here, script]) {
    t.match(await as().get('/api/account', headers), problem(401, 'token-invalid'))
  }
  t.equal((await as().get('/api/account', { authorization: `Bearer ${made.body.token}` })).status, 200)
  t.strictSame((await as('root').get('/api/users/ada/sessions')).body, [])
  t.match(await events(store, 'SESSIONS_ENDED'), [{ principal: 'root', targetName: 'ada' }])
})

t.test(
  'a user was last seen on the day of the last sign-in, or the last use of a session or an API token',
  async (t) => {
    const { as, store, wait, browser } = await prepare(t)
    const seen = async (login: string) => (await as('root').get(`/api/users/${login}`)).body.lastSeenAt
    const today = new Date().toISOString().slice(0, 10)
    const forget = (lastSeenAt: string | null) =>
      store.write((trx) => trx.updateTable('user').set({ lastSeenAt }).execute())
    await forget(null)
    const made = await as('root').post('/api/users', { login: 'eve', role: 'USER' })
    t.equal(made.body.lastSeenAt, undefined)
    t.equal(await seen('ada'), undefined)
    const here = await browser('here')
    t.equal(await seen('ada'), today, 'a sign-in')
    t.equal(await seen('eve'), undefined, 'other users were not seen')

    await forget('2026-01-31')
    await as().get('/api/account', here)
    t.equal(await seen('ada'), '2026-01-31', 'the use of a session is recorded every five minutes')
    wait(6 * MINUTE)
    await as().get('/api/account', here)
    await until(async () => (await seen('ada')) === today)

    const token = { name: 'nightly', scopes: ['read:graphs'], password: PASSWORD }
    const { body } = await as('ada').post('/api/account/tokens', token)
    await forget('2026-01-31')
    await as().get('/api/account', { authorization: `Bearer ${body.token}` })
    await until(async () => (await seen('ada')) === today)
    await forget('9999-12-31')
    await browser('there')
    t.equal(await seen('ada'), '9999-12-31', 'a clock that was set back changes nothing')
    const list = (await as('root').get('/api/users?sort=login')).body
    t.equal(list.find(({ login }: { login: string }) => login === 'ada').lastSeenAt, '9999-12-31')
  }
)

t.test('sessions that have ended in any way are not listed', async (t) => {
  const { as, wait, browser, program, names } = await prepare(t, { sessionIdle: '1h' })
  await browser('idle')
  const out = await browser('out')
  await as().delete('/api/session', out)
  const script = await program('script')
  wait(61 * MINUTE)
  await browser('kept', { rememberMe: true })
  t.strictSame((await names(script)).sort(), ['kept', 'script'])
  t.equal((await as().post('/api/account/logout', undefined, script)).status, 204)
  t.strictSame(await names(await browser('new')), ['new'], 'all other sessions end at once')
  t.strictSame((await names(await program('script'))).sort(), ['new', 'script'])
  wait(DAY)
  t.strictSame(await names(await browser('next day')), ['next day'])
})

t.test('at most a hundred sessions are listed, the most recently used first', async (t) => {
  const { store, wait, browser, names } = await prepare(t)
  const here = await browser('here')
  const { sid: _, ...row } = await store.read.selectFrom('session').selectAll().executeTakeFirstOrThrow()
  await store.write(async (trx) => {
    for (let index = 1; index <= 120; index++) {
      const id = `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`
      const more = { id, handle: id, lastUsedAt: row.lastUsedAt + index, userAgent: String(index) }
      const values = { ...row, ...more } as never
      await trx.insertInto('session').values(values).execute()
    }
  })
  wait(1)
  const last = Array.from({ length: 100 }, (_, index) => String(120 - index))
  t.strictSame(await names(here), last)
})

t.test('housekeeping removes tokens once they expire, but not for lack of use', async (t) => {
  const { store, wait, program, browser } = await prepare(t)
  await program('short')
  await program('long', { rememberMe: true })
  await browser('browser')
  const left = async () => {
    await store.write(removeExpiredSessions)
    await store.write((trx) => removeIdleSessions(trx, { window: 1, remembered: 1 }))
    const rows = await store.read.selectFrom('session').select('userAgent').orderBy('userAgent').execute()
    return rows.map(({ userAgent }) => userAgent)
  }
  t.strictSame(await left(), ['browser', 'long', 'short'])
  wait(2)
  t.strictSame(await left(), ['long', 'short'])
  wait(DAY - 3)
  t.strictSame(await left(), ['long', 'short'])
  wait(1)
  t.strictSame(await left(), ['long'])
  wait(29 * DAY)
  await store.write((trx) => removeIdleSessions(trx, never))
  t.strictSame(await left(), [])
})

t.test('a sign-in is familiar from a known network or browser', async (t) => {
  const { as, browser } = await prepare(t, { trustProxy: 'loopback' })
  const from = async (address: string, headers: Record<string, string> = {}) => {
    const reply = await as().post('/api/session', credentials, { ...samePage, 'x-forwarded-for': address, ...headers })
    const session = { cookie: cookieOf(reply) }
    const { body } = await as().get('/api/account/sessions', session)
    const { familiar, address: told } = body.find(({ current }: { current: boolean }) => current)
    t.equal(told, address)
    return { familiar, device: String([reply.headers['set-cookie']].flat()[1]).split(';')[0] ?? '' }
  }
  await browser('at home')
  const { familiar, device } = await from('192.0.2.1')
  t.equal(familiar, false, 'a new network is unfamiliar')
  t.equal((await from('192.0.2.1')).familiar, true)
  t.equal((await from('192.0.2.2')).familiar, false)
  t.equal(
    (await from('192.0.2.3', { cookie: device })).familiar,
    true,
    'a browser that has signed in before is familiar'
  )
})

t.test('sessions are deleted with their user', async (t) => {
  const { as, store, browser } = await prepare(t)
  await browser('here')
  t.equal((await as('root').delete('/api/users/ada')).status, 204)
  t.strictSame(await secretIds(store), [])
})

t.test('a user agent is optional and is truncated', async (t) => {
  const { as, app, list } = await prepare(t)
  const long = { 'user-agent': 'x'.repeat(5000), 'content-type': 'application/json' }
  const reply = await as().post('/api/authenticate', credentials, long)
  const headers = { authorization: `Bearer ${reply.body.id_token}` }
  t.equal((await list(headers))[0]?.userAgent, 'x'.repeat(255))
  const bare = { method: 'POST', url: '/api/authenticate', payload: credentials } as const
  const { id_token } = (await app.inject({ ...bare, headers: { 'user-agent': '' } })).json()
  const session = (await list({ authorization: `Bearer ${id_token}` })).find(({ current }) => current)
  t.equal(session && 'userAgent' in session, false)
})
