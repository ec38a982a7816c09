import { createHmac } from 'node:crypto'
import t, { type Test } from 'tap'
import { tellOldOpenings } from '../../db/sharing/opening-counts.ts'
import { tablesWith } from '../../db/tables.ts'
import { randomFrom } from '../../picture/model/random.ts'
import { buildApp } from '../../plugins/app.ts'
import { deriveKey } from '../../plugins/http/derived-keys.ts'
import type { Link } from '../../schemas/link.ts'
import { program } from '../../src/system/program.ts'
import { rowsOf } from '../support/consistency.ts'
import { openDataStore } from '../support/engine.ts'
import { collectTransactions } from '../support/held-transactions.ts'
import { build, events, PASSWORD, problem, triangle } from '../support/helper.ts'
import { call, login, serve } from '../support/program.ts'

// Strangers guess, forge and flood. Visitors try to exceed what their link allows. Owners send unexpected fields.

const links = '/api/graphs/1/links'

async function prepare(t: Test, body: object = {}) {
  const server = await build(t, { trustProxy: 'loopback' })
  const ada = server.as('ada')
  await ada.post('/api/graphs', triangle)
  const link = (await ada.post(links, body)).body as Link
  const secret = link.url.split('#')[1] ?? ''
  const visitor = server.as()
  const open = (body: object, address = '192.0.2.1', { publicId } = link) =>
    visitor.post(`/api/links/${publicId}/open`, body, { 'x-forwarded-for': address })
  return { ...server, ada, visitor, link, secret, open }
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

t.test('a link token is not accepted as a user token, and vice versa', async (t) => {
  const { app, ada, as, visitor, link, secret, open, store, tokenKey, tokenOf } = await prepare(t)
  // Gives every link the same token version, so that the version does not distinguish them.
  const sameVersion = () => store.write((trx) => trx.updateTable('link').set({ tokenVersion: 7 }).execute())
  await sameVersion()
  const { token } = (await open({ secret })).body
  const graph = `/api/links/${link.publicId}/graph`
  t.equal((await visitor.get(graph, bearer(token))).status, 200)

  const others = ['/api/account', '/api/graphs', '/api/graphs/1', links, '/api/users', '/management/audits', '/metrics']
  for (const path of others) {
    t.match(await visitor.get(path, bearer(token)), problem(401, 'token-invalid'), path)
    for (const name of ['graphstead_session', '__Host-graphstead_session']) {
      const { status } = await visitor.get(path, { cookie: `${name}=${token}` })
      t.equal(status, 401, `${path}, in a cookie`)
    }
  }
  t.equal((await visitor.get('/api/session', bearer(token))).status, 204, 'the token signs nobody in')
  t.match(await visitor.post('/mcp', {}, bearer(token)), { status: 401 })
  t.match(await visitor.patch(`${links}/1`, { downloads: true }, bearer(token)), problem(401, 'token-invalid'))
  t.match(await visitor.post(`${graph.replace('/graph', '/open')}`, {}, bearer(token)), problem(404, 'link-not-found'))

  const program = (
    await ada.post('/api/account/tokens', { name: 'script', scopes: ['write:graphs'], password: PASSWORD })
  ).body.token
  const other = (await ada.post(links, {})).body as Link
  await sameVersion()
  const theirs = (await open({ secret: other.url.split('#')[1] }, undefined, other)).body.token
  const part = (json: object) => Buffer.from(JSON.stringify(json)).toString('base64url')
  const forge = (key: Buffer, claims: object, header: object = { alg: 'HS256', typ: 'JWT' }) => {
    const text = `${part(header)}.${part(claims)}`
    return `${text}.${createHmac('sha256', key).update(text).digest('base64url')}`
  }
  const claims = JSON.parse(Buffer.from(token.split('.')[1], 'base64url').toString())
  t.match(claims, { iss: 'graphstead', aud: 'graphstead-link', sub: link.publicId })
  t.equal(claims.exp - claims.iat, 900)
  const own = deriveKey(tokenKey, 'graphstead link token')
  t.equal(
    (await visitor.get(graph, bearer(forge(own, claims)))).status,
    200,
    'a token forged with the right key is accepted'
  )
  const refused: Record<string, string> = {
    'of its owner': await tokenOf('ada'),
    'of an administrator': await tokenOf('root'),
    'of a program': program,
    'of another link': theirs,
    'with the user key': forge(tokenKey, claims),
    'with the key for secrets': forge(deriveKey(tokenKey, 'graphstead link'), claims),
    'for users': forge(own, { ...claims, aud: 'graphstead' }),
    'of another issuer': forge(own, { ...claims, iss: 'somebody' }),
    'that has expired': forge(own, { ...claims, exp: claims.iat - 1 }),
    'without an expiry': forge(own, { ...claims, exp: undefined }),
    'with another version': forge(own, { ...claims, tv: claims.tv + 1 }),
    'without a version': forge(own, { ...claims, tv: undefined }),
    'without a signature': `${part({ alg: 'none', typ: 'JWT' })}.${part(claims)}.`,
    'that is a secret': secret
  }
  for (const [which, text] of Object.entries(refused)) {
    for (const path of [graph, graph.replace('/graph', '/content')]) {
      t.match(await visitor.get(path, bearer(text)), problem(401, 'token-invalid'), `a token ${which}`)
    }
  }
  t.match(await visitor.get(graph), problem(401, 'token-missing'))
  t.match(await as('ada').get(graph), problem(401, 'token-invalid'))
  t.match(await visitor.get(graph, { cookie: `graphstead_session=${token}` }), problem(401, 'token-missing'))
  for (const aud of ['graphstead', 'graphstead-link']) {
    const forged = forge(tokenKey, { ...claims, aud, sub: link.publicId, tv: 1 })
    t.match(await visitor.get('/api/account', bearer(forged)), problem(401, 'token-invalid'))
  }
  t.throws(() => app.jwt.verify(token))
})

t.test('guesses of a secret are throttled, and do not lock out visitors who have it', async (t) => {
  const { ada, as, link, secret, open, store, tokenOf } = await prepare(t)
  const writes: number[] = []
  const transactions = collectTransactions(store)
  for (const [publicId, guess] of [
    [link.publicId, 'x'.repeat(43)],
    ['u'.repeat(22), 'x'.repeat(43)]
  ] as const) {
    const statuses: number[] = []
    const before = transactions.length
    for (let attempt = 0; attempt < 12; attempt++) {
      const answer = await open({ secret: guess }, '198.51.100.1', { ...link, publicId })
      statuses.push(answer.status)
      if (answer.status === 429) t.match(answer.headers, { 'retry-after': /^\d+$/ })
    }
    t.same(statuses, [...Array(10).fill(404), 429, 429])
    writes.push(transactions.length - before)
  }
  t.equal(writes[0], writes[1], 'an existing link causes as many writes as a missing one')
  t.equal((await open({ secret }, '198.51.100.1')).status, 200, 'the right secret is not throttled')
  t.equal((await open({ secret: 'wrong' }, '198.51.100.2')).status, 404, 'another network has its own attempts')
  await tokenOf('bob')
  const signIn = { username: 'bob', password: PASSWORD }
  t.equal((await as().post('/api/authenticate', signIn, { 'x-forwarded-for': '198.51.100.1' })).status, 200)
  t.equal((await events(store, 'LINK_OPENED')).length, 1)
  t.equal((await ada.get(links)).body[0].openCount, 1)
})

t.test('guesses of many links from one network are throttled together', async (t) => {
  const { link, open } = await prepare(t)
  const statuses: number[] = []
  for (let attempt = 0; attempt < 110; attempt++) {
    statuses.push((await open({ secret: 'x' }, '198.51.100.1', { ...link, publicId: `unknown${attempt}` })).status)
  }
  t.same(statuses, [...Array(100).fill(404), ...Array(10).fill(429)])
})

t.test('guesses of a password are throttled per network and in total, and create few events', async (t) => {
  const { link, secret, open, store } = await prepare(t, { password: PASSWORD })
  const statuses: number[] = []
  for (let attempt = 0; attempt < 12; attempt++) {
    statuses.push((await open({ secret, password: `guess ${attempt}` }, '198.51.100.1')).status)
  }
  t.same(statuses, [...Array(10).fill(401), 429, 429])
  t.match(await open({ secret, password: PASSWORD }, '198.51.100.1'), problem(429, 'too-many-attempts'))
  t.match(
    await open({ secret }, '198.51.100.1'),
    problem(401, 'link-password-required'),
    'a request for the password is not an attempt'
  )
  t.equal((await open({ secret, password: PASSWORD }, '192.0.2.7')).status, 200)
  for (let network = 0; network < 60; network++) await open({ secret, password: 'guess' }, `198.18.${network}.1`)
  const stranger = await open({ secret, password: PASSWORD }, '203.0.113.1')
  t.match(stranger, problem(429, 'too-many-attempts'), 'an unknown client has to wait')
  const known = await open({ secret, password: PASSWORD }, '192.0.2.7')
  t.equal(known.status, 200, 'a network that has opened the link does not have to wait')
  t.match(await open({ secret: 'x', password: PASSWORD }, '203.0.113.1'), problem(404, 'link-not-found'))
  const told = (await events(store, 'LINK_OPENED')).filter(({ request }) => request?.ip === '198.51.100.1')
  t.same(
    told.map(({ outcome, principal, data }) => [outcome, principal, data]),
    [
      ['FAILURE', 'anonymous', { link: String(link.id) }],
      ['DENIED', 'anonymous', { link: String(link.id) }]
    ],
    'identical failures are counted'
  )
})

t.test(
  'many visits create ten events a minute plus one with the count of the rest, across two processes',
  async (t) => {
    const { app, store, config, tokenKey, link, secret, open } = await prepare(t)
    const second = await buildApp(config, { program, store, tokenKey })
    await second.ready()
    const openThere = () =>
      second.inject({ method: 'POST', url: `/api/links/${link.publicId}/open`, payload: { secret } })
    const transactions = collectTransactions(store)
    for (let round = 0; round < 40; round++) {
      t.equal((await open({ secret })).status, 200)
      t.equal((await openThere()).statusCode, 200)
    }
    t.equal(transactions.length, 20, 'each process records its first ten')
    t.equal((await events(store, 'LINK_OPENED')).length, 10)
    await second.close()
    await app.close()
    const [row] = await store.read.selectFrom('link').selectAll().execute()
    t.equal(row?.openCount, 80)
    t.equal(await store.write(tellOldOpenings), false)
    t.equal((await events(store, 'LINK_OPENED')).length, 10, 'the minute is not over')
    const past = Date.now() - 60_000
    await store.write((trx) => trx.updateTable('link').set({ minuteStart: past }).execute())
    t.equal(await store.write(tellOldOpenings), false)
    t.equal(await store.write(tellOldOpenings), false, 'pending visits are recorded only once')
    const told = await events(store, 'LINK_OPENED')
    const counted = { link: '1', count: '70', since: new Date(past).toISOString(), until: row?.lastOpenedAt }
    const openings = told.map(({ principal, outcome, data, request }) => [principal, outcome, data, request !== null])
    t.same(openings, [
      ...Array(10).fill(['anonymous', 'SUCCESS', { link: '1' }, true]),
      ['anonymous', 'SUCCESS', counted, false]
    ])
  }
)

t.test('pending visits are recorded before their link or graph is deleted', async (t) => {
  const { store, ada } = await prepare(t)
  await ada.post(links, {})
  const set = () => store.write((trx) => trx.updateTable('link').set({ minuteCount: 12 }).execute())
  await set()
  await ada.delete(`${links}/1`)
  await ada.delete('/api/graphs/1')
  await ada.delete('/api/trash/1')
  const told = (await events(store)).slice(-5).map(({ type, data }) => [type, data.link, data.count])
  t.same(told, [
    ['LINK_OPENED', '1', '2'],
    ['LINK_REVOKED', '1', undefined],
    ['GRAPH_TRASHED', undefined, undefined],
    ['LINK_OPENED', '2', '2'],
    ['GRAPH_PURGED', undefined, undefined]
  ])
})

t.test('owners can change only the documented fields, whatever they send', async (t) => {
  const { ada, store } = await prepare(t)
  const random = randomFrom(11)
  const pick = <T>(values: readonly T[]) => values[Math.floor(random() * values.length)] as T
  const values = [
    ...[null, true, false, 0, 1, 2, -1, 7.5, 2 ** 53, '', 'root', 'ada', 'ADMIN', [], ['root'], {}],
    ...['2100-01-01T00:00:00Z', 'https://a.example', ['https://a.example'], [['https://a.example']], PASSWORD],
    ...[{ $set: 1 }, '\u0000', '\ud800', 'x'.repeat(300), ['https://a.example', 'https://a.example/x']]
  ]
  const chosen = ['name', 'version', 'expiresAt', 'password', 'origins', 'downloads', 'preview']
  const kept = ['id', 'publicId', 'url', 'hasPassword', 'createdAt', 'createdBy', 'openCount', 'lastOpenedAt']
  const stored = ['graphId', 'salt', 'passwordHash', 'tokenVersion', 'minuteCount']
  const unknown = [...stored, 'creator', 'owner', 'role', 'secret', '__proto__']
  const fields = [...chosen, ...kept, ...unknown]
  const immutable = () =>
    store.read
      .selectFrom('link')
      .select(['id', 'graphId', 'publicId', 'salt', 'createdAt', 'createdBy', 'openCount', 'lastOpenedAt'])
      .orderBy('id')
      .execute()
  const others = tablesWith({ rows: 'records' }).filter((table) => !/^(link|audit.*)$/.test(table))
  const before = await rowsOf(store, others)
  const statuses = new Map<number, number>()
  for (let round = 0; round < 300; round++) {
    const body = Object.fromEntries(
      Array.from({ length: 1 + Math.floor(random() * 3) }, () => [pick(fields), pick(values)])
    )
    const text = JSON.stringify(body)
    const isPost = random() < 0.3
    const known = await immutable()
    const answer = isPost ? await ada.post(links, text) : await ada.patch(`${links}/1`, text)
    statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
    const after = await immutable()
    if (!isPost || answer.status !== 201) {
      if (JSON.stringify(after) !== JSON.stringify(known)) t.fail(text)
    } else {
      const added = after.at(-1)
      const isOwn =
        added?.graphId === 1 && added.createdBy === 'ada' && added.openCount === 0 && added.lastOpenedAt === null
      if (after.length !== known.length + 1 || !isOwn) t.fail(text)
    }
    const isKnown = Object.keys(JSON.parse(text)).every((name) => !unknown.includes(name))
    if (!isKnown && answer.status !== 400) t.fail(`${answer.status} for ${text}`)
    if (answer.text.includes(PASSWORD)) t.fail(`the response contains the password: ${answer.text}`)
  }
  t.same(new Set([...statuses.keys(), 200, 201, 400, 404]).size, 4, 'there is no other status')
  t.ok((statuses.get(200) ?? 0) > 25 && (statuses.get(400) ?? 0) > 25, JSON.stringify([...statuses]))
  t.same(await rowsOf(store, others), before, 'no other record has changed')
})

t.test('secrets and passwords of links appear in no table, event, response or log line', async (t) => {
  const data = t.testdir({})
  const server = await serve(t, data, ['--log-level', 'trace', '--public-url', 'https://graphs.example.org/'])
  const admin = await login(server.url)
  const ask = (path: string, method = 'GET', body?: unknown, token = admin) =>
    call(`${server.url}${path}`, method, body, token)
  await ask('/api/graphs', 'POST', triangle)
  const password = 'a password of a link'
  const { body: link } = await ask(links, 'POST', { password })
  const [address, secret = ''] = link.url.split('#')
  t.equal(address, `https://graphs.example.org/s/${link.publicId}`)
  const path = `/api/links/${link.publicId}`
  const answers = [
    await ask(`${path}/open`, 'POST', { secret, password: `not ${password}` }),
    await ask(`${path}/open`, 'POST', { secret: `${secret}x`, password }),
    await ask(`${path}/open`, 'POST', { secret, password, [secret]: password }),
    await ask(`${path}/open`, 'POST', { secret: [secret], password: { password } }),
    await ask(`${path}/open?${secret}=${encodeURIComponent(password)}`, 'POST', {}),
    await ask(`${path}/graph`, 'GET', undefined, secret)
  ]
  const statuses = answers.map(({ status }) => status)
  t.same(statuses, [401, 404, 400, 400, 400, 401])
  const opened = await ask(`${path}/open`, 'POST', { secret, password })
  t.equal(opened.status, 200)
  const shown = await ask(`${path}/graph`, 'GET', undefined, opened.body.token)
  t.equal(shown.status, 200)
  const page = await fetch(`${server.url}/s/${link.publicId}#${secret}`)
  t.equal(page.headers.get('set-cookie'), null)
  const trail = await ask('/management/audits?size=1000')
  t.equal((await ask(`${links}/1`, 'PATCH', { password: `another ${password}` })).status, 200)
  t.equal(await server.stop(), 0)
  const store = await openDataStore(t, data)
  const rows = JSON.stringify(await rowsOf(store, tablesWith({})))
  await store.close()
  t.match(rows, /LINK_OPENED/, 'the dump includes the tables')
  const log = server.stdout() + server.stderr()
  t.match(log, new RegExp(`"path":"/s/${link.publicId}"`), 'the log includes link addresses')
  t.match(JSON.stringify(trail.body), /LINK_OPENED/)
  // Only the sender learns the name of an unknown field or parameter.
  const told = answers.filter((_, index) => index !== 2 && index !== 4)
  const [answered, shownTrail] = [JSON.stringify([told, shown]), JSON.stringify(trail.body)]
  const places = { log, rows, trail: shownTrail, answers: answered, page: await page.text() }
  for (const text of [secret, password, opened.body.token]) {
    for (const [place, dump] of Object.entries(places)) t.notOk(dump.includes(text), place)
  }
})
