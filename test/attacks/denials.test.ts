import t from 'tap'
import { build, events, problem, triangle } from '../support/helper.ts'

// The audit trail cannot be cleared, so a user with unlimited writes to it could fill the disk permanently.

const REQUESTS = 400

t.test("a user's repeated identical denials are recorded as two events", async (t) => {
  const { app, as, store } = await build(t, { rateUser: 0 })
  await as('ada').post('/api/graphs', { ...triangle, shared: true })
  await as('ada').post('/api/graphs', { ...triangle, shared: true })
  for (let round = 0; round < REQUESTS / 40; round++) {
    const replies = await Promise.all(
      Array.from({ length: 40 }, (_, index) => as('bob').patch(`/api/graphs/${1 + (index % 2)}`, { name: 'Mine' }))
    )
    t.ok(replies.every(({ status, body }) => status === 403 && body.code === 'forbidden'))
  }
  /** Returns the denials from index `start` on, sorted by target because concurrent events may be in any order. */
  const denied = async (start: number) =>
    (await events(store, 'AUTHORIZATION_FAILURE')).slice(start).sort((a, b) => Number(a.targetId) - Number(b.targetId))
  const first = [1, 2].map((targetId) => ({ principal: 'bob', targetId, data: {} }))
  const early = (await denied(0)).map(({ principal, targetId, data }) => ({ principal, targetId, data }))
  t.same(early, first, 'the first denial of each kind is recorded immediately')
  await app.close()
  const counted = await denied(2)
  const rest = [1, 2].map((targetId) => ['bob', targetId, 'DENIED', String(REQUESTS / 2 - 1)])
  const late = counted.map(({ principal, targetId, outcome, data: { count } }) => [principal, targetId, outcome, count])
  t.same(late, rest, 'the remaining denials are recorded as a count by the time the server stops')
  for (const { data, timestamp, request } of counted) {
    t.ok(
      data.since && data.until && data.since <= data.until && data.until <= timestamp,
      'the count has the times of the first and last denial'
    )
    t.equal(request?.route, '/api/graphs/{id}')
  }
})

t.test('a denial is recorded before the response, even if identical requests run concurrently', async (t) => {
  const { as, store, hold } = await build(t, {}, { lockTimeout: 300 })
  await as('ada').post('/api/graphs', { ...triangle, shared: true })
  await as('bob').get('/api/graphs/1')
  const release = await hold()
  const replies = await Promise.all([1, 2, 3].map(() => as('bob').delete('/api/graphs/1')))
  await release()
  for (const { status } of replies) {
    t.ok(status === 503 || (await events(store, 'AUTHORIZATION_FAILURE')).length > 0, `${status}`)
  }
  t.match(await as('bob').delete('/api/graphs/1'), problem(403, 'forbidden'))
  t.equal((await events(store, 'AUTHORIZATION_FAILURE')).length, 1)
})

t.test('a user with many different denials is throttled, and the denials are counted', async (t) => {
  const { app, as, store } = await build(t, { rateUser: 2000 })
  for (let id = 1; id <= 60; id++) await as('ada').post('/api/graphs', { name: `Graph ${id}`, shared: true })
  const statuses: number[] = []
  for (let id = 1; id <= 60; id++) {
    const reply = await as('bob').delete(`/api/graphs/${id}`)
    statuses.push(reply.status)
    if (reply.status === 429) {
      t.match(reply, { body: { code: 'too-many-requests' }, headers: { 'retry-after': /^\d+$/ } })
    }
  }
  t.same(statuses, [...Array(20).fill(403), ...Array(40).fill(429)])
  t.match(await as('ada').get('/api/graphs/1'), { status: 200 }, 'other users are not affected')
  await app.close()
  const denied = await events(store, 'AUTHORIZATION_FAILURE')
  t.equal(denied.length, 22)
  t.match(denied.at(-1), { principal: 'bob', targetId: null, data: { count: '39' } })
})

t.test('unknown logins create one event per minute and address', async (t) => {
  const { app, as, store } = await build(t)
  for (let index = 0; index < 30; index++) {
    const reply = await as().post('/api/authenticate', { username: `nobody-${index}`, password: 'a password of mine' })
    t.match(reply, { status: 401, body: { code: 'credentials-incorrect' } })
  }
  await app.close()
  const failures = await events(store, 'AUTHENTICATION_FAILURE')
  const told = failures.map(({ principal, data: { count } }) => [principal, count])
  t.same(told, [
    ['anonymous', undefined],
    ['anonymous', '29']
  ])
})
