import t from 'tap'
import { contradictions } from '../support/consistency.ts'
import { beforeNextTransaction } from '../support/held-transactions.ts'
import { build, events, problem, type Reply, triangle } from '../support/helper.ts'

const DOT = { 'content-type': 'text/vnd.graphviz' }
const at = (key: string) => `/api/account/graphs/${encodeURIComponent(key)}`
const graph = (node = 'b') => `graph { a -- ${node} }`

t.test('the first push creates the graph with the key, and later ones replace its content', async (t) => {
  const { as, store } = await build(t)
  const push = (text: string, query = '') => as('ada').put(`${at('nightly/a')}/content${query}`, text, DOT)
  t.match(await as('ada').get(at('nightly/a')), problem(404, 'graph-not-found'))
  const created = await push('graph "Sketch" { a -- b }', '?description=By+night&shared=true&message=first')
  t.equal(created.status, 201)
  t.equal(created.headers.location, '/api/graphs/1')
  t.match(created.body, { id: 1, key: 'nightly/a', name: 'Sketch', description: 'By night', shared: true, version: 1 })
  const changed = await push('graph "Another" { a -- b -- c }', '?name=Other&shared=false&message=second')
  t.equal(changed.status, 200)
  const kept = { id: 1, key: 'nightly/a', name: 'Sketch', description: 'By night', shared: true, owner: 'ada' }
  t.match(changed.body, { ...kept, access: 'OWNER', version: 2, nodeCount: 3, edgeCount: 2 })
  const found = await as('ada').get(at('nightly/a'))
  t.same(found.body, changed.body)
  t.equal(found.headers.etag, changed.headers.etag)
  t.match(
    (await as('bob').get('/api/graphs')).body,
    [{ id: 1, key: 'nightly/a' }],
    'other users see the key in the record'
  )
  t.match(
    await as('bob').get(at('nightly/a')),
    problem(404, 'graph-not-found'),
    "a key in a URL refers to the caller's own graphs"
  )
  t.same(
    (await events(store)).map(({ type, data }) => [type, data['key.new'], data.message]),
    [
      ['GRAPH_CREATED', 'nightly/a', 'first'],
      ['GRAPH_UPDATED', undefined, 'second']
    ]
  )
  t.same(await contradictions(store), [])
})

t.test('pushing the same file a hundred times creates one version and one event', async (t) => {
  const { as, store } = await build(t)
  const replies: Reply[] = []
  for (let round = 0; round < 100; round++) replies.push(await as('ada').put(`${at('k')}/content`, graph(), DOT))
  t.same([...new Set(replies.map(({ status }) => status))], [201, 200])
  t.same([...new Set(replies.map(({ headers }) => headers.etag))].length, 1)
  t.equal((await as('ada').get('/api/graphs/1')).body.version, 1)
  t.equal((await events(store)).length, 1)
})

t.test('two concurrent pushes create one graph, and both return its version', async (t) => {
  const { as, store } = await build(t)
  await as('ada').get('/api/account')
  for (const key of ['a', 'b', 'c']) {
    const replies = await Promise.all(
      Array.from({ length: 12 }, (_, index) => as('ada').put(`${at(key)}/content`, graph(`n${index}`), DOT))
    )
    t.same(replies.map(({ status }) => status).sort(), [...Array(11).fill(200), 201])
    t.equal(new Set(replies.map(({ body }) => body.id)).size, 1)
    t.same(
      replies.map(({ body }) => body.version).sort((a, b) => a - b),
      Array.from({ length: 12 }, (_, n) => n + 1)
    )
  }
  t.equal((await as('ada').get('/api/graphs')).body.length, 3)
  t.same(await contradictions(store), [])
})

t.test('If-Match protects a push', async (t) => {
  const { as } = await build(t)
  const push = (text: string, etag: string) => as('ada').put(`${at('k')}/content`, text, { ...DOT, 'if-match': etag })
  t.match(await push(graph(), '*'), problem(412, 'precondition-failed'), 'the graph does not exist yet')
  const { headers } = await as('ada').put(`${at('k')}/content`, graph(), DOT)
  const etag = String(headers.etag)
  t.equal((await push(graph('c'), etag)).status, 200)
  t.match(await push(graph('d'), etag), problem(412, 'precondition-failed'))
  t.equal((await push(graph('d'), '*')).status, 200)
})

t.test('a push allows for concurrent changes to its graph', async (t) => {
  const { as, store } = await build(t)
  const ada = as('ada')
  const push = (headers = {}) => ada.put(`${at('k')}/content`, graph('c'), { ...DOT, ...headers })
  const etag = String((await push()).headers.etag)
  beforeNextTransaction(store, () => ada.patch('/api/graphs/1', { name: 'Changed' }))
  t.match(await push({ 'if-match': etag }), problem(412, 'precondition-failed'))
  beforeNextTransaction(store, () => ada.delete('/api/graphs/1'))
  t.match(await push(), problem(409, 'graph-in-trash'))
  await ada.post('/api/trash/1/restore')
  beforeNextTransaction(store, async () => {
    await ada.delete('/api/graphs/1')
    await ada.delete('/api/trash/1')
  })
  t.match(await push({ 'if-match': '*' }), problem(412, 'precondition-failed'))
  t.same((await ada.get('/api/graphs')).body, [])
})

t.test('neither a file with faults nor a dry run changes anything', async (t) => {
  const { as, store } = await build(t)
  t.equal((await as('ada').put(`${at('k')}/content`, 'graph { a -- ', DOT)).status, 400)
  t.match(await as('ada').put(`${at('k')}/content?dryRun=true`, graph(), DOT), { status: 200, body: { valid: true } })
  t.equal((await as('ada').put(`${at('k')}/content`, '', DOT)).status, 400)
  t.same(await events(store), [])
  await as('ada').put(`${at('k')}/content`, graph(), DOT)
  t.equal((await as('ada').put(`${at('k')}/content`, 'graph { a -- ', DOT)).status, 400)
  t.match(await as('ada').put(`${at('k')}/content?dryRun=true`, graph('c'), DOT), {
    body: { valid: true, nodeCount: 2 }
  })
  t.equal((await as('ada').get('/api/graphs/1')).body.version, 1)
})

t.test('a graph in the trash keeps its key', async (t) => {
  const { as, store } = await build(t)
  await as('ada').put(`${at('k')}/content`, graph(), DOT)
  await as('ada').delete('/api/graphs/1')
  t.match((await as('ada').get('/api/trash')).body, [{ id: 1, key: 'k' }])
  t.match(await as('ada').put(`${at('k')}/content`, graph('c'), DOT), problem(409, 'graph-in-trash'))
  t.match(await as('ada').get(at('k')), problem(404, 'graph-not-found'))
  t.match(await as('ada').post('/api/graphs', { name: 'New', key: 'k' }), problem(409, 'key-taken'))
  await as('ada').post('/api/graphs', { name: 'New' })
  t.match(await as('ada').patch('/api/graphs/2', { key: 'k' }), problem(409, 'key-taken'))
  t.equal((await as('ada').post('/api/trash/1/restore')).body.key, 'k')
  t.match(await as('ada').put(`${at('k')}/content`, graph('c'), DOT), { status: 200, body: { id: 1, version: 2 } })
  await as('ada').delete('/api/graphs/1')
  await as('ada').delete('/api/trash/1')
  t.match(await as('ada').put(`${at('k')}/content`, graph(), DOT), { status: 201, body: { id: 3, version: 1 } })
  t.same(await contradictions(store), [])
})

t.test('PATCH changes the key, and PUT leaves it unchanged', async (t) => {
  const { as, store } = await build(t)
  const ada = as('ada')
  for (const key of ['a', 'b']) await ada.post('/api/graphs', { name: key, key })
  const fault = { errors: [{ pointer: '#/key', code: 'key-taken', detail: 'is already used by another graph of ada' }] }
  t.match(await ada.post('/api/graphs', { name: 'a', key: 'a' }), { ...problem(409, 'key-taken'), body: fault })
  t.match(await ada.patch('/api/graphs/2', { key: 'a' }), { ...problem(409, 'key-taken'), body: fault })
  t.match(
    await ada.patch('/api/graphs/1', { key: 'a' }),
    { status: 200, body: { version: 1 } },
    'setting the same key is not a change'
  )
  t.match(await ada.put('/api/graphs', { id: 1, name: 'Replaced', key: 'x' }), { body: { key: 'a', version: 2 } })
  t.match(await ada.patch('/api/graphs/1', { key: 'c' }), { body: { key: 'c', version: 3 } })
  t.match(await ada.patch('/api/graphs/2', { key: 'a' }), { body: { key: 'a', version: 2 } }, 'the key is free')
  const without = await ada.patch('/api/graphs/2', { key: null })
  t.same([without.status, without.body.version, without.body.key], [200, 3, undefined])
  t.match(
    await ada.get('/api/graphs/1/versions/1'),
    { body: { name: 'a', key: 'c' } },
    'versions have no keys of their own'
  )
  t.match(await ada.post('/api/graphs/1/restore', { version: 1 }), { body: { name: 'a', key: 'c', version: 4 } })
  const updates = (await events(store, 'GRAPH_UPDATED')).map(({ data }) => [data['key.old'], data['key.new']])
  t.same(updates, [
    [undefined, undefined],
    ['a', 'c'],
    ['b', 'a'],
    ['a', undefined]
  ])
  t.same(await contradictions(store), [])
})

t.test(
  'a key belongs to the owner: writers cannot change it, and it moves with the graph to a new owner',
  async (t) => {
    const { as } = await build(t)
    const [ada, bob] = [as('ada'), as('bob')]
    await bob.get('/api/account')
    await ada.post('/api/graphs', { ...triangle, key: 'k' })
    await ada.put('/api/graphs/1/access/users/bob', { access: 'WRITE' })
    t.match(await bob.patch('/api/graphs/1', { key: 'mine' }), problem(403, 'forbidden'))
    t.match(await bob.patch('/api/graphs/1', { key: null }), problem(403, 'forbidden'))
    t.match(await bob.put('/api/graphs', { id: 1, name: 'Ours' }), { status: 200, body: { key: 'k' } })
    t.match(
      await bob.put(`${at('k')}/content`, graph(), DOT),
      { status: 201, body: { id: 2, owner: 'bob' } },
      "the same key creates bob's own graph"
    )
    t.match(await ada.patch('/api/graphs/1', { owner: 'bob' }), problem(409, 'key-taken'))
    t.match(await ada.patch('/api/graphs/1', { owner: 'bob', key: 'from ada' }), {
      body: { key: 'from ada', owner: 'bob' }
    })
    t.match(await ada.put(`${at('k')}/content`, graph(), DOT), { status: 201, body: { id: 3 } })
    t.match(await as('root').patch('/api/graphs/3', { key: 'by root' }), { status: 200, body: { key: 'by root' } })
  }
)

t.test('keys have 1 to 128 characters that are allowed in URLs', async (t) => {
  const { as } = await build(t)
  for (const key of ['.', '..', '', 'a\u0000', 'a\n', '\u007f', 'x'.repeat(129), 7]) {
    const reply = await as('ada').post('/api/graphs', { name: 'a', key })
    t.same([reply.status, reply.body.errors?.[0].pointer], [400, '#/key'], JSON.stringify(key))
  }
  for (const key of ['😀'.repeat(128), 'a/b', '%2F', 'a?b#c', ' ', '...', 'ü', '42', 'a\'b"c\\d']) {
    const { status, body } = await as('ada').put(`${at(key)}/content`, graph(), DOT)
    t.same([status, body.key, body.name], [201, key, key], key)
    t.equal((await as('ada').get(at(key))).body.id, body.id)
  }
  t.equal((await as('ada').put(`${at('x'.repeat(129))}/content`, graph(), DOT)).status, 400)
})
