import t from 'tap'
import { samePage } from '../support/browsers.ts'
import { stopClock } from '../support/clock.ts'
import { holdHashes } from '../support/hashes.ts'
import { collectTransactions } from '../support/held-transactions.ts'
import { build, PASSWORD, problem } from '../support/helper.ts'
import { until } from '../support/until.ts'

// Attackers guess passwords to get in, or to lock the owner out.

type Test = Parameters<typeof build>[0]

const MINUTE = 60_000

/** Starts a server whose clock only the test advances. Clients can use any address. */
async function prepare(t: Test) {
  const server = await build(t, { trustProxy: 'loopback' })
  await server.tokenOf('ada')
  const wait = stopClock(t)
  const logIn = (address: string, password: string, { username = 'ada', cookie = '' } = {}) => {
    const headers = { 'x-forwarded-for': address, ...samePage, ...(cookie && { cookie }) }
    return server.as().post('/api/session', { username, password }, headers)
  }
  return { ...server, wait, logIn }
}

type Login = Awaited<ReturnType<typeof prepare>>['logIn']

/** Returns the cookie that marks a browser as known. */
async function deviceOf(logIn: Login, address: string) {
  const { headers } = await logIn(address, PASSWORD)
  return String([headers['set-cookie']].flat().at(-1)).split(';')[0] ?? ''
}

/** Sends wrong passwords from this many networks, several from each. */
async function attack(logIn: Login, networks: number, times = 3, username = 'ada') {
  for (let network = 0; network < networks; network++) {
    for (let time = 0; time < times; time++) await logIn(`198.18.${network}.1`, 'not the right one', { username })
  }
}

t.test('guesses from other networks do not lock the owner out of a known browser or network', async (t) => {
  const { logIn } = await prepare(t)
  const device = await deviceOf(logIn, '192.0.2.1')
  await attack(logIn, 18)
  t.match(await logIn('203.0.113.7', PASSWORD), problem(429, 'too-many-attempts'), 'an unknown client has to wait')
  t.match(
    await logIn('203.0.113.8', PASSWORD, { cookie: device }),
    { status: 200 },
    'a known browser does not have to wait on any network'
  )
  t.match(await logIn('192.0.2.1', PASSWORD), { status: 200 }, 'a known network does not have to wait')
})

t.test('a network is throttled for its guesses, but a known browser in it is not', async (t) => {
  const { logIn, tokenOf } = await prepare(t)
  const device = await deviceOf(logIn, '192.0.2.1')
  for (let time = 0; time < 20; time++) await logIn('192.0.2.1', 'not the right one')
  for (let user = 0; user < 9; user++) {
    await tokenOf(`user${user}`)
    for (let time = 0; time < 10; time++) await logIn('192.0.2.1', 'not the right one', { username: `user${user}` })
  }
  t.match(await logIn('192.0.2.1', PASSWORD), problem(429, 'too-many-attempts'))
  t.match(await logIn('192.0.2.1', PASSWORD, { cookie: device }), { status: 200 })
})

t.test('a known browser cannot guess faster, and is known to one account only', async (t) => {
  const { logIn, tokenOf } = await prepare(t)
  await tokenOf('bob')
  const device = await deviceOf(logIn, '192.0.2.1')
  const statuses = new Map<number, number>()
  for (let time = 0; time < 30; time++) {
    const { status } = await logIn(`198.18.${time}.1`, 'not the right one', { cookie: device })
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
  }
  t.same(
    [...statuses],
    [
      [401, 10],
      [429, 20]
    ]
  )
  await attack(logIn, 18, 3, 'bob')
  const stolen = await logIn('203.0.113.7', PASSWORD, { username: 'bob', cookie: device })
  t.match(stolen, problem(429, 'too-many-attempts'))
  const [name, value = ''] = device.split('=')
  for (const forged of [value.replace(/^./, 'x'), value.replace(/\d+/, '9999999999999'), 'x.y.z', '..', '']) {
    const reply = await logIn('203.0.113.9', PASSWORD, { username: 'bob', cookie: `${name}=${forged}` })
    t.match(reply, problem(429, 'too-many-attempts'))
  }
})

t.test('wrong current passwords in one session do not throttle other sessions of its network', async (t) => {
  const { as, wait } = await prepare(t)
  const change = (currentPassword: string) =>
    as('ada').post('/api/account/password', { currentPassword, newPassword: 'a quiet orange lantern' })
  for (let time = 0; time < 10; time++) t.match(await change('wrong'), { status: 400 })
  t.match(await change(PASSWORD), problem(429, 'too-many-attempts'))
  t.match(await as().post('/api/authenticate', { username: 'ada', password: PASSWORD }), { status: 200 })
  wait(5000)
  t.match(await change(PASSWORD), { status: 204 })
})

t.test('each failure doubles the wait, up to a quarter of an hour; early attempts do not', async (t) => {
  const { logIn, wait } = await prepare(t)
  const waits: number[] = []
  for (let time = 0; time < 10; time++) await logIn('203.0.113.7', 'not the right one')
  for (let time = 0; time < 10; time++) {
    const refused = await logIn('203.0.113.7', 'not the right one')
    t.equal(refused.status, 429)
    for (let again = 0; again < 3; again++) await logIn('203.0.113.7', PASSWORD)
    const seconds = Number(refused.headers['retry-after'])
    waits.push(seconds)
    wait(seconds * 1000)
    t.equal((await logIn('203.0.113.7', 'not the right one')).status, 401, 'after the wait the password is checked')
  }
  const rounded = waits.map((seconds) => Math.round(seconds / 5) * 5)
  t.same(rounded, [5, 10, 20, 40, 80, 160, 320, 640, 900, 900])
  wait(15 * MINUTE)
  t.match(await logIn('203.0.113.7', PASSWORD), { status: 200 }, 'the right password is accepted')
})

t.test('guesses from many networks are throttled together, and the owner still gets a turn', async (t) => {
  const { logIn, wait } = await prepare(t)
  let tried = 0
  for (let minute = 0; minute < 2; minute++) {
    for (let network = 0; network < 55; network++) {
      const { status } = await logIn(`198.18.${minute * 55 + network}.1`, 'not the right one')
      if (status === 401) tried++
    }
    wait(MINUTE)
  }
  t.ok(tried <= 50 + 2 * 15, `${tried} passwords were checked: 50 at once, then one every four seconds`)
  const refused = await logIn('203.0.113.7', PASSWORD)
  t.match(refused, problem(429, 'too-many-attempts'))
  const seconds = Number(refused.headers['retry-after'])
  t.ok(seconds <= 600, `${seconds} seconds`)
  wait(seconds * 1000)
  for (let network = 0; network < 20; network++) await logIn(`198.19.${network}.1`, 'not the right one')
  t.match(await logIn('203.0.113.7', PASSWORD), { status: 200 }, 'the owner is not affected by other clients')
})

t.test('an unknown login is throttled like a known one', async (t) => {
  const { logIn, store } = await prepare(t)
  const told: string[][] = []
  for (const username of ['ada', 'nobody']) {
    const answers: string[] = []
    for (let network = 0; network < 53; network++) {
      const { status, headers } = await logIn(`198.18.${network}.1`, 'not the right one', { username })
      answers.push(`${status} ${Object.keys(headers).sort()}`)
    }
    for (let time = 0; time < 14; time++) {
      answers.push(String((await logIn('198.18.1.1', 'not the right one', { username })).status))
    }
    told.push(answers)
  }
  t.same(told[0], told[1])
  const keys = await store.read.selectFrom('attempt').select('key').execute()
  t.notMatch(JSON.stringify(keys), /ada|nobody|198\.18/, 'only hashes are stored')
})

t.test('turning the clock back does not prolong a throttle', async (t) => {
  const { logIn, wait } = await prepare(t)
  wait(365 * 24 * 60 * MINUTE)
  for (let time = 0; time < 30; time++) await logIn('203.0.113.7', 'not the right one')
  await attack(logIn, 18)
  wait(-365 * 24 * 60 * MINUTE)
  t.match(await logIn('203.0.113.7', PASSWORD), { status: 200 })
  t.match(await logIn('203.0.113.8', PASSWORD), { status: 200 })
})

t.test('an unknown login causes as many writes as a wrong password', async (t) => {
  const { logIn, store } = await prepare(t)
  const transactions = collectTransactions(store)
  const writesOf = async (username: string, address: string) => {
    const counts: number[] = []
    for (let attempt = 0; attempt < 4; attempt++) {
      const before = transactions.length
      t.match(await logIn(address, 'not the right one', { username }), problem(401, 'credentials-incorrect'))
      counts.push(transactions.length - before)
    }
    return counts
  }
  t.strictSame(await writesOf('nobody', '192.0.2.1'), await writesOf('ada', '192.0.2.2'))
})

t.test('any number of unknown clients cannot block a user who has signed in before', async (t) => {
  const { logIn } = await prepare(t)
  const device = await deviceOf(logIn, '192.0.2.1')
  const { releaseOne, releaseAll } = holdHashes(t)
  let answered = 0
  const strangers = Array.from({ length: 215 }, async (_, index) => {
    await logIn(`198.51.${index}.1`, 'not the right one', { username: `nobody${index}` })
    answered++
  })
  t.ok(await until(async () => answered === 114), 'one password is being checked, and 100 wait')
  let isDone = false
  const owners = Promise.all([
    logIn('192.0.2.1', PASSWORD),
    logIn('203.0.113.9', PASSWORD, { cookie: device })
  ]).finally(() => {
    isDone = true
  })
  await until(async () => {
    releaseOne()
    return isDone
  })
  const served = (await owners).map(({ status }) => status)
  t.strictSame(served, [200, 200])
  t.ok(answered < 125, `${answered} unknown clients came first`)
  releaseAll()
  await Promise.all(strangers)
})
