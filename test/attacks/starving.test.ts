import t from 'tap'
import { addToIndex, removeFromIndex } from '../../db/search/word-index.ts'
import type { GraphRow } from '../../db/tables.ts'
import { ProblemError } from '../../schemas/problem-catalogue.ts'
import { buildWithProvider, endOf, signedIn } from '../sign-in/signing-in.ts'
import { build, type Client, PASSWORD, type Reply } from '../support/helper.ts'

// A user, or a client without an account, tries to starve others.

t.setTimeout(300_000)

/**
 * Sends an attacker's requests at once, then one from another user. Returns how many of the attacker's were answered first.
 */
async function answeredBefore(attack: (() => Promise<unknown>)[], other: () => Promise<unknown>) {
  let answered = 0
  const all = attack.map((send) => send().then(() => answered++))
  await new Promise((resolve) => setTimeout(resolve, 20))
  const before = answered
  await other()
  const meanwhile = answered - before
  await Promise.all(all)
  return meanwhile
}

/** Creates a graph with this many distinct words, numbered from `first`. */
function wordsOf(count: number, first: number) {
  const words = Array.from({ length: count }, (_, index) => `zzz${(first + index).toString(36)}`)
  const labels = Array.from({ length: Math.ceil(count / 500) }, (_, row) =>
    words.slice(row * 500, row * 500 + 500).join(' ')
  )
  return { nodes: labels.map((label, id) => ({ id: String(id), metadata: { label } })), edges: [] }
}

async function createLink(eve: Client, body: object = {}) {
  const { publicId, url, id } = (await eve.post('/api/graphs/1/links', { name: 'x', ...body })).body
  return { id, publicId, secret: url.split('#')[1] }
}

t.test('visitors who request pictures of a link from 64 addresses do not starve others', async (t) => {
  const { app, as } = await build(t)
  const nodes = Array.from({ length: 200 }, (_, id) => ({ id: String(id) }))
  const edges = nodes.slice(1).map(({ id }, index) => ({ source: id, target: String(index >> 1) }))
  await as('eve').post('/api/graphs', { name: 'Linked', content: { nodes, edges } })
  const { publicId, secret } = await createLink(as('eve'))
  const { token } = (await as().post(`/api/links/${publicId}/open`, { secret })).body
  const visits = Array.from({ length: 64 }, (_, visitor) => () => {
    const url = `/api/links/${publicId}/picture.svg?width=${500 + visitor}`
    const headers = { authorization: `Bearer ${token}` }
    return app.inject({ url, headers, remoteAddress: `10.0.0.${visitor}` })
  })
  const file = `<graphml><graph edgedefault="directed"><node id="a"/><!--${'x'.repeat(40_000)}--></graph></graphml>`
  let imported: Reply | undefined
  const before = await answeredBefore(visits, async () => {
    imported = await as('ada').post('/api/graphs/import?format=graphml', file, { 'content-type': 'application/xml' })
  })
  t.equal(imported?.status, 201)
  t.ok(before < 16, `${before} pictures came before an import`)
})

t.test('a user who saves many graphs with many words does not starve others', async (t) => {
  const { as, store } = await build(t)
  await as('eve').get('/api/graphs')
  let most = 0
  store.onCommit = (transactions) => {
    most = Math.max(most, transactions)
  }
  const saved = Array.from({ length: 12 }, (_, index) =>
    as('eve').post('/api/graphs', { name: 'Words', content: wordsOf(14_000, index * 14_000) })
  )
  t.same([...new Set((await Promise.all(saved)).map(({ status }) => status))], [201])
  // A commit blocks the event loop.
  t.ok(most < 5, `${most} graphs in one commit`)
})

t.test('a user who sends small but slow bodies does not starve others', async (t) => {
  const { app, as, tokenOf } = await build(t)
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  await as('eve').post('/api/graphs', { name: 'Mine' })
  const [eve, ada] = [await tokenOf('eve'), await tokenOf('ada')]
  const send = (token: string, path: string, body?: string, type = 'application/json') => {
    const headers = { authorization: `Bearer ${token}`, ...(body && { 'content-type': type }) }
    return fetch(url + path, { headers, ...(body && { method: 'POST', body }) }).then((answer) => answer.text())
  }
  const table = `${'a,'.repeat(8000)}\n`
  const nodes = JSON.stringify({ depth: 1, nodes: Array(50_000).fill(1) })
  const attacks = {
    tables: () => send(eve, '/api/graphs/import?format=csv&dryRun=true', table, 'text/csv'),
    parts: () => send(eve, '/api/graphs/1/subgraph', nodes)
  }
  for (const [name, attack] of Object.entries(attacks)) {
    await Promise.all([...Array.from({ length: 40 }, attack), send(ada, '/api/graphs')])
    let answered = 0
    const all = Array.from({ length: 40 }, () => attack().then(() => answered++))
    await send(ada, '/api/graphs')
    t.ok(answered < 20, `${answered} ${name} were read before a small request of another user`)
    await Promise.all(all)
  }
})

t.test('a user who searches constantly does not starve others', async (t) => {
  const { as } = await build(t)
  for (let graph = 0; graph < 3; graph++) {
    await as('eve').post('/api/graphs', { name: `Words ${graph}`, content: wordsOf(120_000, graph * 120_000) })
  }
  // Starts both threads.
  await Promise.all(['ada', 'eve'].map((user) => as(user).get('/api/search?q=zzz')))
  const attack = Array.from({ length: 30 }, () => () => as('eve').get('/api/search?q=zzz'))
  let found: Reply | undefined
  const before = await answeredBefore(attack, async () => {
    found = await as('ada').get('/api/search?q=words')
  })
  t.equal(found?.status, 200)
  t.ok(before < 5, `${before} searches came before one of another user`)
})

t.test('a user who keeps changing the password of a link does not starve others', async (t) => {
  const { as, tokenOf } = await build(t)
  await tokenOf('ada')
  await as('eve').post('/api/graphs', { name: 'Linked' })
  const { id } = await createLink(as('eve'))
  const attack = Array.from({ length: 60 }, (_, index) => () => {
    return as('eve').patch(`/api/graphs/1/links/${id}`, { password: `another password ${index}` })
  })
  let session: Reply | undefined
  const before = await answeredBefore(attack, async () => {
    session = await as().post('/api/authenticate', { username: 'ada', password: PASSWORD })
  })
  t.equal(session?.status, 200)
  t.ok(before < 16, `${before} passwords were set before another user was signed in`)
})

t.test('sites that send browsers to the callback neither use up attempts nor end a sign-in', async (t) => {
  const { provider, start, comeBack } = await buildWithProvider(t)
  t.capture(performance, 'now', () => 1e6)
  const { location, cookie } = await start()
  for (let i = 0; i < 700; i++) {
    const stray = await comeBack('/api/oidc/callback?state=x&code=y', i % 2 === 0 ? '' : cookie)
    t.strictSame([stray.location, stray.headers['set-cookie']], ['/sign-in?error=sign-in-expired', undefined])
  }
  t.strictSame(endOf(await comeBack(provider.arrive(location), cookie)), signedIn)
})

t.test('extra members beside the content do not block the event loop', async (t) => {
  const { as } = await build(t)
  const junk = Array.from({ length: 100_000 }, (_, a) => ({ a }))
  const { status, body } = await as('eve').post('/api/graphs', { name: 'Junk', junk })
  t.equal(status, 400)
  t.same(body.errors, [{ pointer: '#', code: 'too-large', detail: 'has more than 65536 bytes besides the content' }])
})

t.test('a header with thousands of media types is ignored', async (t) => {
  const { as } = await build(t)
  await as('eve').post('/api/graphs', { name: 'Plain' })
  const reply = await as('eve').get('/api/graphs/1/content', { accept: 'a/b,'.repeat(4000) })
  t.match(reply, { status: 200, headers: { 'content-type': /^application\/json/ } })
})

t.test('a list that is far too long is refused at its first fault', async (t) => {
  const { as } = await build(t)
  const nodes = Array.from({ length: 500_000 }, () => 1)
  const { status, body } = await as('eve').post('/api/graphs/1/subgraph', { nodes })
  t.equal(status, 400)
  t.equal(body.errors.length, 1)
})

t.test('a password that a busy server cannot verify does not count as an attempt', async (t) => {
  const { app } = await build(t)
  const source = { address: '192.0.2.1' }
  const refused = async () => t.fail('refused')
  for (let attempt = 0; attempt < 20; attempt++) {
    await app.throttle.attempt('ada', source, refused)
    const verification = Promise.reject(new ProblemError('server-busy'))
    await t.rejects(app.throttle.verify('ada', source, verification), { code: 'server-busy' })
  }
})

t.test('the words of a large graph are removed over several turns of the event loop', async (t) => {
  const { store } = await build(t)
  const words = Array.from({ length: 200_000 }, (_, index) => `w${index}`).join(' ')
  const graph = { id: 1, name: 'Words', description: null, tags: '[]', owner: 'ada', shared: 0 } as unknown as GraphRow
  await store.write((trx) => addToIndex(trx, graph, words, words.length))
  let turns = 0
  await store.write(async (trx) => {
    let immediate = setImmediate(function count() {
      turns++
      immediate = setImmediate(count)
    })
    await removeFromIndex(trx, 1)
    clearImmediate(immediate)
  })
  t.ok(turns >= 6, `${turns} turns`)
  const rows = await store.read.selectFrom('graphWordPart').select('rowid').execute()
  t.same(rows, [])
})
