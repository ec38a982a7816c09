import t from 'tap'
import { usageOf } from '../../db/graphs/usage.ts'
import { build, events, problem, triangle } from '../support/helper.ts'

/** Content too large to be stored as text. */
const large = {
  directed: true,
  nodes: Array.from({ length: 3000 }, (_, index) => ({ id: `n${index}`, label: `zebra ${index}` })),
  edges: []
}

const described = { ...triangle, type: 'LINE', description: 'Three nodes.', tags: ['one', 'two'] }

t.test('a copy has the content and description, and belongs to the caller alone', async (t) => {
  const { as, store } = await build(t)
  const [ada, bob] = [as('ada'), as('bob')]
  const original = (await ada.post('/api/graphs', { ...described, key: 'nightly', shared: true })).body
  await ada.put('/api/graphs/1/access/users/root', { access: 'WRITE' })
  const { status, body, headers } = await bob.post('/api/graphs/1/copy', {})
  t.equal(status, 201)
  t.equal(headers.location, '/api/graphs/2')
  const { key: _, content, createdAt: __, updatedAt: ___, ...rest } = original
  const { createdAt, updatedAt, ...copy } = body
  t.same(copy, { ...rest, id: 2, name: `Copy of ${triangle.name}`, owner: 'bob', shared: false })
  t.equal(createdAt, updatedAt)

  const fetched = await bob.get('/api/graphs/2')
  t.same(fetched.body, { ...body, content })
  t.equal(fetched.headers.etag, headers.etag)
  t.same((await bob.get('/api/graphs/2/access')).body, [])
  t.equal((await bob.get('/api/graphs/2/versions')).body.length, 1)
  t.match(await ada.get('/api/graphs/2'), problem(404, 'graph-not-found'))
  const [first, second] = await events(store, 'GRAPH_CREATED')
  t.equal(second?.principal, 'bob')
  t.match(second, { targetId: 2, targetName: `Copy of ${triangle.name}`, targetVersion: 1 })
  const { 'key.new': ____, ...data } = first?.data ?? {}
  const expected = { ...data, 'name.new': `Copy of ${triangle.name}`, 'shared.new': 'false' }
  t.same(second?.data, { ...expected, copiedFrom: '1', copiedVersion: '1' })
})

t.test('a copy can have another name, and the state of an earlier version', async (t) => {
  const { as, store } = await build(t)
  const ada = as('ada')
  await ada.post('/api/graphs', described)
  await ada.put('/api/graphs', { id: 1, name: 'x'.repeat(255), content: { nodes: [], edges: [] } })
  t.match(await ada.post('/api/graphs/1/copy', { name: 'Mine', version: 1 }), {
    status: 201,
    body: { name: 'Mine', version: 1, type: 'LINE', tags: ['one', 'two'], nodeCount: 3 }
  })
  t.same((await ada.get('/api/graphs/2')).body.content, (await ada.get('/api/graphs/1/versions/1')).body.content)
  t.match((await events(store, 'GRAPH_CREATED')).at(-1)?.data, { copiedFrom: '1', copiedVersion: '1' })
  const { body } = await ada.post('/api/graphs/1/copy', {})
  t.equal(body.name, `Copy of ${'x'.repeat(247)}`, 'the default name has the maximum length')
  t.equal(body.nodeCount, 0)

  t.match(await ada.post('/api/graphs/1/copy', { version: 9 }), problem(404, 'version-not-found'))
  t.match(
    await ada.post('/api/graphs/1/copy', { name: ' ' }),
    problem(400, 'validation-failed', [{ pointer: '#/name' }])
  )
  t.match(await ada.post('/api/graphs/1/copy', { shared: true }), problem(400, 'validation-failed'))
  t.match(await as('bob').post('/api/graphs/1/copy', {}), problem(404, 'graph-not-found'))
  await ada.delete('/api/graphs/1')
  t.match(await ada.post('/api/graphs/1/copy', {}), problem(404, 'graph-not-found'))
})

t.test('a copy shares the stored content, is searchable, and outlives the original', async (t) => {
  const { as, store } = await build(t)
  const ada = as('ada')
  for (const content of [large, triangle.content]) {
    const { body } = await ada.post('/api/graphs', { name: 'Original', content })
    await ada.post(`/api/graphs/${body.id}/copy`, { name: 'Duplicate' })
    await ada.delete(`/api/graphs/${body.id}`)
    await ada.delete(`/api/trash/${body.id}`)
  }
  t.same((await ada.get('/api/graphs/2')).body.content, large)
  t.match((await ada.get('/api/graphs/4')).body.content, triangle.content)
  t.equal((await store.read.selectFrom('content').select('id').execute()).length, 2)
  const found = (await ada.get('/api/search?q=zebra')).body
  t.same(
    found.map(({ graph }: { graph: { id: number } }) => graph.id),
    [2]
  )
})

t.test('copies count towards the quota of their owner', async (t) => {
  const { as, store } = await build(t, { userGraphs: 2 })
  const ada = as('ada')
  await ada.post('/api/graphs', { ...triangle, shared: true })
  const { bytes } = await usageOf(store.read, 'ada')
  t.ok(bytes > 0)
  t.equal((await ada.post('/api/graphs/1/copy', {})).status, 201)
  t.strictSame(await usageOf(store.read, 'ada'), { graphs: 2, bytes: 2 * bytes })
  t.match(await ada.post('/api/graphs/1/copy', {}), problem(507, 'quota-exceeded'))
  t.equal((await as('bob').post('/api/graphs/1/copy', {})).status, 201, 'the quota of another user')
})
