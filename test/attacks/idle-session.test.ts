import type { FastifyRequest } from 'fastify'
import t, { type Test } from 'tap'
import { cookieOf, samePage } from '../support/browsers.ts'
import { stopClock } from '../support/clock.ts'
import { beforeNextTransaction } from '../support/held-transactions.ts'
import { build, PASSWORD, problem, triangle } from '../support/helper.ts'

// An attacker finds a session, or a copy of its cookie, that its user abandoned long ago.

const HOUR = 60 * 60 * 1000

/** Starts a server with a new session for ada, and a function that moves the clock. */
async function prepare(t: Test) {
  const clock = stopClock(t)
  const server = await build(t)
  const { as, tokenOf, store } = server
  await tokenOf('ada')
  const cookie = cookieOf(await as().post('/api/session', { username: 'ada', password: PASSWORD }, samePage))
  const get = () => as().get('/api/account', { cookie })
  const authorization = `Bearer ${cookie.split('=')[1]}`
  const ids = async () => (await store.read.selectFrom('session').select('id').execute()).map(({ id }) => id)
  return { ...server, cookie, authorization, clock, get, ids }
}

const idle = problem(401, 'session-idle')

t.test('turning the clock back does not revive an ended session', async (t) => {
  const { as, store, clock, get, cookie, authorization, ids } = await prepare(t)
  clock(8 * HOUR + 1)
  t.match(await as().get('/api/account', { authorization }), idle, 'a copy of the token is refused')
  for (const time of [0, -HOUR, -8 * HOUR, 20 * HOUR, -11 * HOUR]) {
    clock(time)
    t.match(await get(), idle)
    t.match(await as().get('/api/account', { authorization }), idle)
    t.match(await as().post('/api/graphs', triangle, { cookie, ...samePage }), idle)
  }
  t.same(await ids(), [])
  t.same(await store.read.selectFrom('graph').select('id').execute(), [])
})

t.test('turning the clock back does not prolong a session', async (t) => {
  const { clock, get, ids } = await prepare(t)
  clock(-5 * 60_000)
  t.equal((await get()).status, 200, 'the clocks of two processes may differ a little')
  clock(-1)
  t.match(await get(), idle)
  clock(HOUR)
  t.match(await get(), idle)
  t.same(await ids(), [])
})

t.test('recording a use late does not revive a session', async (t) => {
  const { store, clock, get, ids } = await prepare(t)
  clock(8 * HOUR)
  const { write } = store
  let later: (() => Promise<unknown>) | undefined
  store.write = (transaction) => {
    const written = new Promise((resolve, reject) => {
      later = () => write.call(store, transaction).then(resolve, reject)
    })
    return written as never
  }
  t.equal((await get()).status, 200)
  store.write = write
  clock(1)
  t.match(await get(), idle)
  await later?.()
  t.same(await ids(), [])
  t.match(await get(), idle)
})

t.test('a request held open until its session ends changes nothing', async (t) => {
  const { app, as, store, clock, cookie } = await prepare(t)
  await as('ada').post('/api/graphs', triangle)
  const before = await store.read.selectFrom('graph').selectAll().execute()
  const headers = { cookie, ...samePage, 'content-type': 'application/json' }
  const change = (meanwhile: () => unknown) => {
    beforeNextTransaction(store, meanwhile)
    return app.inject({ method: 'PATCH', url: '/api/graphs/1', headers, payload: { name: 'Other' } })
  }
  const late = await change(() => clock(8 * HOUR + 1))
  t.equal(late.statusCode, 401)
  t.equal(late.json().code, 'session-idle')
  clock(-1)
  const removed = await change(() => store.write((trx) => trx.deleteFrom('session').execute()))
  t.equal(removed.statusCode, 401)
  t.equal(removed.json().code, 'session-idle')
  t.same(await store.read.selectFrom('graph').selectAll().execute(), before)
})

t.test('a session is marked as used when a request arrives, not when its sender is checked again', async (t) => {
  const { app, store, clock, cookie } = await prepare(t)
  const request = { headers: { cookie }, sender: {} } as FastifyRequest
  const caller = await app.identify(request, cookie.split('=')[1])
  clock(8 * HOUR)
  const actor = await store.write((trx) => caller.recheck(trx))
  t.equal((await store.write((trx) => actor.recheck(trx))).account, 'ada')
  clock(1)
  for (const one of [caller, actor]) {
    const rechecked = store.write((trx) => one.recheck(trx))
    await t.rejects(rechecked, { code: 'session-idle' })
  }
})
