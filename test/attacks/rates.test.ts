import { Readable } from 'node:stream'
import t from 'tap'
import { LeakyBucket } from '../../plugins/http/leaky-bucket.ts'
import { ratesOf } from '../../plugins/server/index.ts'
import { readConfig } from '../../src/settings/config.ts'
import { build, problem, type Reply, triangle } from '../support/helper.ts'

/** Counts the requests that are answered before one is refused, up to `limit`. */
async function until429(limit: number, send: () => Promise<Reply>) {
  for (let count = 0; count < limit; count++) {
    const reply = await send()
    if (reply.status === 429) return { count, reply }
  }
  return { count: limit, reply: undefined }
}

const refusal = { ...problem(429, 'too-many-requests'), headers: { 'retry-after': /^[1-9]\d*$/ } }

t.test('only the user who sends too many requests is throttled', async (t) => {
  const { as } = await build(t, { rateUser: 3 })
  const { count, reply } = await until429(50, () => as('eve').get('/api/account'))
  t.equal(count, 30, 'the burst is a ten-minute allowance')
  t.match(reply, refusal)
  t.match(await as('ada').get('/api/account'), { status: 200 })
})

t.test('a user who sends too many changes can still read', async (t) => {
  const { as } = await build(t, { rateUser: 30 })
  const { count, reply } = await until429(50, () => as('eve').post('/api/graphs', triangle))
  t.equal(count, 30)
  t.match(reply, refusal)
  t.match(await as('eve').get('/api/graphs/1'), { status: 200 })
  t.match(await as('ada').post('/api/graphs', triangle), { status: 201 })

  const part = await until429(50, () => as('eve').post('/api/graphs/1/subgraph', { nodes: ['a'] }))
  t.equal(part.reply, undefined, 'reading by POST is allowed')
})

t.test('a user who sends too many bytes is throttled', async (t) => {
  const { as } = await build(t, { rateUser: 100 })
  const nodes = [{ id: 'a', metadata: { text: 'x'.repeat(100_000) } }]
  const large = JSON.stringify({ name: 'Large', content: { nodes, edges: [] } })
  const { count, reply } = await until429(100, () => as('eve').post('/api/graphs', large))
  const expected = Math.ceil((4000 * 1024) / large.length)
  t.ok(count >= expected && count < expected + 20, `${count} of ${expected}, plus the refill meanwhile`)
  t.match(reply, refusal)
  t.match(await as('eve').get('/api/graphs'), { status: 200 })
})

t.test('bytes of bodies of unknown length are limited too', async (t) => {
  const { app, tokenOf } = await build(t, { rateUser: 100 })
  const authorization = `Bearer ${await tokenOf('eve')}`
  const large = JSON.stringify({ name: 'Large', description: 'x'.repeat(100_000) })
  const headers = { authorization, 'content-type': 'application/json', 'transfer-encoding': 'chunked' }
  let count = 0
  for (; count < 100; count++) {
    const payload = Readable.from([large])
    if ((await app.inject({ method: 'POST', url: '/api/graphs', headers, payload })).statusCode === 429) break
  }
  const expected = Math.ceil((4000 * 1024) / large.length)
  t.ok(count >= expected && count < expected + 20, `${count} of ${expected}, plus the refill meanwhile`)
})

t.test(
  'a body over the limit is charged as the longest accepted body at most, and reserves no disk space',
  async (t) => {
    const settings = { rateUser: 5, bodyLimit: 20 * 1024, data: '.', minFree: '1' }
    const { app, as, tokenOf } = await build(t, settings)
    const authorization = `Bearer ${await tokenOf('eve')}`
    const headers = { authorization, 'content-type': 'application/json', 'content-length': String(2 ** 53 - 1) }
    const { statusCode } = await app.inject({ method: 'POST', url: '/api/graphs', headers, payload: '{}' })
    t.equal(statusCode, 413)
    t.equal((await as('eve').post('/api/graphs', triangle)).status, 201)
  }
)

for (const path of ['/docs', '/help/', '/nowhere', '/api/graphs']) {
  t.test(
    `an address that requests ${path} too often without a token is throttled, and other addresses are not`,
    async (t) => {
      const { app } = await build(t, { rateAddress: 1 })
      let refused = 0
      for (let index = 0; index < 30; index++) {
        const { statusCode, headers, payload } = await app.inject({ url: path })
        if (statusCode !== 429) continue
        refused++
        t.match({ status: statusCode, headers, body: JSON.parse(payload) }, refusal)
      }
      t.equal(refused, 20)
      t.not(
        (await app.inject({ url: path, remoteAddress: '192.0.2.1' })).statusCode,
        429,
        'another address is not throttled'
      )
    }
  )
}

t.test("another site's page cannot use up the rate limit of an address", async (t) => {
  const { app } = await build(t, { rateAddress: 1 })
  const image = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' }
  const statuses = []
  for (let index = 0; index < 30; index++)
    statuses.push((await app.inject({ url: '/api/sign-in', headers: image })).statusCode)
  t.equal(statuses.filter((status) => status === 429).length, 20)
  t.equal((await app.inject({ url: '/api/sign-in' })).statusCode, 200)
})

t.test('signed-in users and probes are served at a throttled address', async (t) => {
  const { app, as } = await build(t, { rateAddress: 1 })
  for (let index = 0; index < 30; index++) {
    await app.inject({ url: '/api/graphs', headers: { authorization: 'Bearer made.up.token' } })
  }
  t.match(await as().get('/api/graphs'), refusal)
  t.match(await as('ada').get('/api/graphs'), { status: 200 })
  t.match(await as().get('/readyz'), { status: 200 })
  t.match(await as().get('/healthz'), { status: 200 })
})

t.test('a script that saves 20,000 small graphs in a row stays under every limit', (t) => {
  const limits = ratesOf(readConfig([], {}))
  const requests = new LeakyBucket(limits.requests)
  const changes = new LeakyBucket(limits.changes)
  const bytes = new LeakyBucket(limits.bytes)
  for (let index = 0; index < 20_000; index++) {
    if (requests.take('ada') + changes.take('ada') + bytes.take('ada', 10_000) > 0) t.fail(`graph ${index}`)
  }
  t.end()
})

t.test('a limit refills over time, whatever the system clock says', (t) => {
  let now = 0
  t.capture(performance, 'now', () => now)
  t.capture(Date, 'now', () => 0)
  const rate = new LeakyBucket(60)
  for (let index = 0; index < 600; index++) if (rate.take('eve') > 0) t.fail(`${index}`)
  t.equal(rate.take('eve'), 1, 'the wait is in seconds')
  now += 1000
  t.equal(rate.take('eve'), 0)
  t.equal(rate.take('eve'), 1)
  now += 60_000
  t.equal(rate.take('eve', 600), 0, 'a large amount may exceed the limit')
  t.equal(rate.take('eve'), 541, 'later requests wait for it')
  t.equal(new LeakyBucket(0).take('eve', 1e9), 0, 'a rate of 0 disables the limit')
  t.end()
})

t.test('the number of remembered keys is limited', (t) => {
  const rate = new LeakyBucket(1)
  for (let index = 0; index < 10; index++) rate.take('first')
  t.ok(rate.take('first') > 0)
  for (let index = 0; index < 10_000; index++) rate.take(`other ${index}`)
  t.equal(rate.take('first'), 0, 'the oldest key is evicted')
  t.end()
})
