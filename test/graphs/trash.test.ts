import t from 'tap'
import { findExpired } from '../../db/changes/trash.ts'
import { pick } from '../../db/engine/prepared.ts'
import { removeVersions, VERSION_COLUMNS } from '../../db/graphs/versions.ts'
import { build, events, problem, triangle } from '../support/helper.ts'
import { until } from '../support/until.ts'

const DAY = 24 * 60 * 60 * 1000

type Store = Awaited<ReturnType<typeof build>>['store']

/** Backdates the deletion of one graph, or of all graphs, by this many days. */
function age(store: Store, days: number, id?: number) {
  const trashedAt = new Date(Date.now() - days * DAY).toISOString()
  return store.write((trx) => {
    const update = trx.updateTable('trash').set({ trashedAt })
    return (id === undefined ? update : update.where('id', '=', id)).execute()
  })
}

/** Gives the graph this many earlier versions. */
async function addVersions(store: Store, graphId: number, count: number) {
  const graph = await store.read.selectFrom('graph').selectAll().where('id', '=', graphId).executeTakeFirstOrThrow()
  await store.write(async (trx) => {
    for (let version = 1; version <= count; version++) {
      const values = { ...pick(graph, VERSION_COLUMNS), graphId, version, shared: false }
      await trx.insertInto('graphVersion').values(values).execute()
    }
    const version = count + 1
    await trx.updateTable('graph').set({ version }).where('id', '=', graphId).execute()
  })
}

t.test('a deleted graph appears only in the trash', async (t) => {
  const { as, store } = await build(t)
  const ada = as('ada')
  await ada.post('/api/graphs', { ...triangle, type: 'LINE', description: 'Three', shared: true })
  const record = (await ada.patch('/api/graphs/1', { name: 'Renamed' })).body
  await ada.post('/api/graphs', triangle)
  t.equal((await ada.delete('/api/graphs/1')).status, 200)

  for (const login of ['ada', 'bob', 'root']) {
    const client = as(login)
    for (const path of ['', '/diff', '/content', '/versions', '/versions/1', '/versions/2', '/versions/2/content']) {
      t.match(await client.get(`/api/graphs/1${path}`), problem(404, 'graph-not-found'), `${login}: ${path}`)
    }
    t.match(await client.put('/api/graphs', { id: 1, name: 'x' }), problem(404, 'graph-not-found'))
    t.match(await client.patch('/api/graphs/1', { name: 'x' }), problem(404, 'graph-not-found'))
    t.match(await client.post('/api/graphs/1/restore', { version: 1 }), problem(404, 'graph-not-found'))
    t.match(await client.delete('/api/graphs/1'), { status: 200, text: '' })
    const idsOf = ({ body }: { body: { id: number }[] }) => body.map(({ id }) => id)
    t.notOk(idsOf(await client.get('/api/graphs')).includes(1))
    t.notOk(idsOf(await client.get('/api/mygraphs')).includes(1))
    t.notOk(idsOf(await client.get('/api/graphs?q=renamed')).includes(1))
  }
  t.equal((await ada.get('/api/graphs')).headers['x-total-count'], '1', 'a trashed graph is not counted')

  const { status, body, headers } = await ada.get('/api/trash')
  t.equal(status, 200)
  t.equal(headers['x-total-count'], '1')
  const { content: _, ...listed } = record
  const [{ trashedAt, trashedBy, expiresAt, ...graph }] = body
  t.same(graph, listed, 'a trashed graph is listed unchanged without content')
  t.equal(trashedBy, 'ada')
  t.equal(Date.parse(expiresAt) - Date.parse(trashedAt), 30 * DAY)
  t.match(await events(store, 'GRAPH_TRASHED'), [
    { principal: 'ada', targetId: 1, targetName: 'Renamed', data: { 'trashedAt.new': trashedAt } }
  ])
  t.equal((await events(store, 'GRAPH_TRASHED')).length, 1)
})

t.test('users see their own graphs in the trash, and administrators see all of them', async (t) => {
  const { as } = await build(t)
  for (const login of ['ada', 'bob', 'root']) {
    for (const name of ['one', 'Two', 'three']) {
      const { body } = await as(login).post('/api/graphs', { name: `${name} of ${login}`, type: name, shared: true })
      await as(login).delete(`/api/graphs/${body.id}`)
    }
  }
  const namesOf = async (login: string, query = '') =>
    (await as(login).get(`/api/trash${query}`)).body.map(({ name }: { name: string }) => name)
  t.same(await namesOf('ada'), ['one of ada', 'Two of ada', 'three of ada'])
  t.same(await namesOf('audrey'), [])
  t.equal((await namesOf('root')).length, 9)
  t.same(await namesOf('root', '?owner=bob&sort=name,desc'), ['Two of bob', 'three of bob', 'one of bob'])
  t.same(await namesOf('ada', '?owner=bob'), [])
  t.equal((await namesOf('ada', '?access=OWNER')).length, 3)
  const granted = await as('root').get('/api/trash?access=READ')
  t.same([granted.body, granted.headers['x-total-count']], [[], '0'], "the trash lists only the caller's own graphs")
  t.match((await as('root').get('/api/trash?size=4&page=1')).headers, {
    'x-total-count': '9',
    link: /rel="prev", <\/api\/trash\?page=2&size=4>; rel="next"/
  })
  t.match(await as('ada').get('/api/trash?sort=x'), problem(400, 'validation-failed', [{ parameter: 'sort' }]))
})

t.test('GET /api/trash/{id} shows a graph in the trash to its owner and to administrators', async (t) => {
  const { as } = await build(t)
  const ada = as('ada')
  await ada.post('/api/graphs', { ...triangle, shared: true })
  t.match(await ada.get('/api/trash/1'), problem(404, 'graph-not-found'), 'the graph is not in the trash')
  await ada.delete('/api/graphs/1')
  const [listed] = (await ada.get('/api/trash')).body
  for (const login of ['ada', 'root']) {
    const { status, body } = await as(login).get('/api/trash/1')
    t.same([status, body], [200, listed], login)
  }
  for (const login of ['bob', 'audrey'])
    t.match(await as(login).get('/api/trash/1'), problem(404, 'graph-not-found'), login)
  t.match(await ada.get('/api/trash/x'), problem(400, 'validation-failed', [{ parameter: 'id' }]))
  await ada.post('/api/trash/1/restore')
  t.match(await ada.get('/api/trash/1'), problem(404, 'graph-not-found'))
})

t.test('a graph restored from the trash is unchanged and has its history', async (t) => {
  const { as, store } = await build(t)
  const ada = as('ada')
  await ada.post('/api/graphs', { ...triangle, message: 'First' })
  const before = await ada.patch('/api/graphs/1', { name: 'Renamed', shared: true })
  const history = (await ada.get('/api/graphs/1/versions')).body
  await ada.delete('/api/graphs/1')
  t.match(await as('bob').post('/api/trash/1/restore'), problem(404, 'graph-not-found'))
  t.match(await as('audrey').post('/api/trash/1/restore'), problem(404, 'graph-not-found'))

  const back = await ada.post('/api/trash/1/restore')
  t.equal(back.status, 200)
  t.same(back.body, before.body)
  t.equal(back.headers.etag, before.headers.etag)
  t.same((await ada.get('/api/graphs/1')).body, before.body)
  t.same((await ada.get('/api/graphs/1/versions')).body, history)
  t.equal((await as('bob').get('/api/graphs/1')).status, 200)
  t.same((await ada.get('/api/trash')).body, [])
  t.match(await events(store, 'GRAPH_RESTORED'), [{ principal: 'ada', targetId: 1, targetVersion: null }])
  t.match(await ada.post('/api/trash/1/restore'), problem(404, 'graph-not-found'), 'a graph can be restored only once')
  t.match(await ada.patch('/api/graphs/1', { name: 'Again' }), { status: 200, body: { version: 3 } })

  await as('root').delete('/api/graphs/1')
  t.match(await ada.get('/api/trash'), { body: [{ id: 1, trashedBy: 'root', version: 3 }] })
  t.match(await as('root').post('/api/trash/1/restore'), { status: 200, body: { owner: 'ada', name: 'Again' } })
  t.match(await ada.post('/api/graphs', triangle), { body: { id: 2 } }, 'ids are never reused')
})

t.test('DELETE /api/trash/{id} deletes a graph permanently', async (t) => {
  const { as, store } = await build(t)
  const ada = as('ada')
  await ada.post('/api/graphs', { ...triangle, type: 'LINE' })
  await ada.put('/api/graphs', { id: 1, name: 'Empty', content: { nodes: [], edges: [] } })
  await ada.patch('/api/graphs/1', { shared: true })
  t.match(await ada.delete('/api/trash/1'), problem(404, 'graph-not-found'), 'the graph is no longer in the trash')
  await ada.delete('/api/graphs/1')
  t.match(await as('bob').delete('/api/trash/1'), problem(404, 'graph-not-found'))
  t.match(await as().delete('/api/trash/1'), problem(401, 'token-missing'))
  t.match(await ada.delete('/api/trash/1'), { status: 200, text: '' })
  t.match(await ada.delete('/api/trash/1'), problem(404, 'graph-not-found'))
  t.match(await ada.post('/api/trash/1/restore'), problem(404, 'graph-not-found'))
  for (const table of ['graph', 'graphVersion', 'trash', 'purgedGraph', 'content'] as const) {
    t.same(await store.read.selectFrom(table).selectAll().execute(), [], `${table} is empty`)
  }
  t.match(await events(store, 'GRAPH_PURGED'), [
    {
      principal: 'ada',
      targetId: 1,
      data: { 'name.old': 'Empty', 'shared.old': 'true', 'contentHash.old': /^\w{64}$/ }
    }
  ])
  for (const id of ['0', 'x', '1.0', '9223372036854775808']) {
    t.match(await ada.delete(`/api/trash/${id}`), problem(400, 'validation-failed', [{ parameter: 'id' }]))
    t.match(await ada.post(`/api/trash/${id}/restore`), problem(400, 'validation-failed', [{ parameter: 'id' }]))
  }
})

t.test('graphs in the trash still belong to their owner', async (t) => {
  const { as } = await build(t)
  await as('ada').post('/api/graphs', triangle)
  await as('ada').delete('/api/graphs/1')
  t.match(await as('root').delete('/api/users/ada'), problem(409, 'user-owns-graphs'))
  await as('root').delete('/api/trash/1')
  t.equal((await as('root').delete('/api/users/ada')).status, 204)
})

t.test('without a trash, a deleted graph is removed immediately', async (t) => {
  const { as, store } = await build(t, { trashDays: 0 })
  await as('ada').post('/api/graphs', triangle)
  await as('ada').patch('/api/graphs/1', { name: 'Renamed' })
  t.equal((await as('ada').delete('/api/graphs/1')).status, 200)
  t.same((await as('ada').get('/api/trash')).body, [])
  for (const table of ['graph', 'graphVersion', 'trash', 'content'] as const) {
    t.same(await store.read.selectFrom(table).selectAll().execute(), [], `${table} is empty`)
  }
  t.match(await events(store), [
    { type: 'GRAPH_CREATED' },
    { type: 'GRAPH_UPDATED' },
    { type: 'GRAPH_DELETED', data: { 'name.old': 'Renamed' } }
  ])
})

t.test('the server removes graphs that have expired in the trash', async (t) => {
  const { as, app, store } = await build(t, { trashDays: 7 })
  for (let id = 1; id <= 3; id++) {
    await as('ada').post('/api/graphs', triangle)
    await as('ada').delete(`/api/graphs/${id}`)
  }
  await age(store, 7.01)
  await age(store, 6.99, 2)
  await app.listen({ port: 0 })
  const ids = async () => (await store.read.selectFrom('trash').select('id').execute()).map(({ id }) => id)
  t.ok(await until(async () => (await ids()).length === 1))
  t.same(await ids(), [2])
  t.match(await events(store, 'GRAPH_PURGED'), [
    { principal: 'system', targetId: 1, request: null },
    { principal: 'system', targetId: 3 }
  ])
})

t.test('a long history is removed in batches, and the rest after the next start', async (t) => {
  const { as, app, store } = await build(t)
  await as('ada').post('/api/graphs', triangle)
  await addVersions(store, 1, 500)
  const count = async () => (await store.read.selectFrom('graphVersion').select('version').execute()).length
  t.same(
    await store.write((trx) => removeVersions(trx, 1, 40)),
    { isDone: true, bytes: 0 },
    'a few versions are removed at once'
  )
  t.equal(await count(), 460)
  await as('ada').delete('/api/graphs/1')
  await as('ada').delete('/api/trash/1')
  t.equal(await count(), 411, 'only part of a long history is removed at once')
  t.equal((await events(store, 'GRAPH_PURGED')).length, 1)
  await app.listen({ port: 0 })
  t.ok(await until(async () => (await count()) === 0))
  t.ok(await until(async () => (await store.read.selectFrom('content').select('id').execute()).length === 0))
  t.ok(await until(async () => (await store.read.selectFrom('purgedGraph').select('id').execute()).length === 0))
})

t.test('after --keep-versions is lowered, the next start removes surplus versions', async (t) => {
  const { as, app, store } = await build(t, { keepVersions: 3 })
  for (const id of [1, 2, 3]) {
    await as('ada').post('/api/graphs', triangle)
    await addVersions(store, id, 2 + 3 * id)
  }
  await as('ada').delete('/api/graphs/3')
  await app.listen({ port: 0 })
  const left = async () =>
    (await store.read.selectFrom('graphVersion').select(['graphId', 'version']).execute()).map(
      ({ graphId, version }) => `${graphId}: ${version}`
    )
  t.ok(await until(async () => (await left()).length === 7))
  t.same(await left(), ['1: 4', '1: 5', '2: 7', '2: 8', '3: 10', '3: 11', '3: 12'])
})

t.test('the trash can be sorted by every field, in both directions, and paged by cursor', async (t) => {
  const { as, store } = await build(t)
  const graphs = [
    { name: 'b', type: 'LINE', shared: true },
    { name: 'a', description: 'Two' },
    { ...triangle, name: 'b' },
    { name: 'c', type: 'TREE', description: 'One', shared: true },
    { name: 'a', type: 'LINE' }
  ]
  for (const [index, graph] of graphs.entries()) {
    const owner = index % 2 === 0 ? 'ada' : 'bob'
    await as(owner).post('/api/graphs', graph)
    if (index > 1) await as(owner).patch(`/api/graphs/${index + 1}`, { description: `changed ${index}` })
    await as(index === 3 ? 'root' : owner).delete(`/api/graphs/${index + 1}`)
    await age(store, (index * 2) % 5, index + 1)
  }
  const root = as('root')
  const all: Record<string, any>[] = (await root.get('/api/trash')).body
  t.same(
    all.map(({ id }) => id),
    [1, 2, 3, 4, 5]
  )
  const keyOf = (graph: Record<string, any>, field: string) =>
    typeof graph[field] === 'boolean' ? Number(graph[field]) : (graph[field] ?? '')
  const fields = [...Object.keys(all[0] ?? {}), 'description'].filter(
    (field) => !['access', 'expiresAt'].includes(field)
  )
  t.ok(fields.includes('trashedAt') && fields.includes('trashedBy') && fields.includes('shared'))
  for (const field of fields) {
    for (const [direction, sign] of Object.entries({ asc: 1, desc: -1 })) {
      const sorted = all.toSorted((a, b) => {
        const [x, y] = [keyOf(a, field), keyOf(b, field)]
        return x === y ? a.id - b.id : x < y ? -sign : sign
      })
      const sort = `sort=${field},${direction}`
      t.same((await root.get(`/api/trash?${sort}`)).body, sorted, sort)
      const walked: object[] = []
      let cursor = ''
      do {
        const { body, headers } = await root.get(`/api/trash?${sort}&size=2&cursor=${cursor}`)
        walked.push(...body)
        cursor = headers['x-next-cursor'] ?? ''
      } while (cursor !== '')
      t.same(walked, sorted, `${sort}, by cursor`)
    }
  }
  const counted = async (query: string) => {
    const { body, headers } = await root.get(`/api/trash?${query}`)
    t.equal(headers['x-total-count'], String(body.length), query)
    return body.map(({ id }: { id: number }) => id)
  }
  t.same(await counted('owner=bob'), [2, 4])
  t.same(await counted('type=LINE'), [1, 5])
  t.same(await counted('shared=true'), [1, 4])
  t.same(await counted('shared=false'), [2, 3, 5])
  t.same(await counted('q=CHANGED'), [3, 4, 5])
  t.same(await counted('q=changed&owner=ada&type=LINE&shared=false'), [5])
})

t.test('changes in the trash are recorded accurately', async (t) => {
  const { as, store } = await build(t)
  const ada = as('ada')
  await ada.post('/api/graphs', { name: 'One', type: 'LINE' })
  await ada.delete('/api/graphs/1')
  const [{ trashedAt }] = (await ada.get('/api/trash')).body
  await ada.post('/api/trash/1/restore')
  await ada.delete('/api/graphs/1')
  const [{ trashedAt: again }] = (await ada.get('/api/trash')).body
  await as('root').delete('/api/trash/1')
  const counts = { 'nodeCount.old': '0', 'edgeCount.old': '0' }
  const old = { 'name.old': 'One', 'type.old': 'LINE', 'shared.old': 'false', ...counts }
  const told = (await events(store)).slice(1)
  t.same(
    told.map(({ type, principal, targetType, targetId, targetName, targetVersion, data }) => [
      [type, principal, targetType, targetId, targetName, targetVersion],
      data
    ]),
    [
      [['GRAPH_TRASHED', 'ada', 'GRAPH', 1, 'One', null], { 'trashedAt.new': trashedAt }],
      [['GRAPH_RESTORED', 'ada', 'GRAPH', 1, 'One', null], { 'trashedAt.old': trashedAt }],
      [['GRAPH_TRASHED', 'ada', 'GRAPH', 1, 'One', null], { 'trashedAt.new': again }],
      [['GRAPH_PURGED', 'root', 'GRAPH', 1, 'One', null], old]
    ]
  )
})

t.test('expired graphs are found oldest first, up to a limit', async (t) => {
  const { as, store } = await build(t)
  for (const [index, days] of [3, 9, 7, 8].entries()) {
    await as('ada').post('/api/graphs', { name: 'x' })
    await as('ada').delete(`/api/graphs/${index + 1}`)
    await age(store, days + 0.01, index + 1)
  }
  t.same(await findExpired(store.read, 7, 10), [2, 4, 3])
  t.same(await findExpired(store.read, 7, 2), [2, 4])
  t.same(await findExpired(store.read, 9, 10), [2])
  t.same(await findExpired(store.read, 10, 10), [])
})

t.test('a graph does not expire before its time in the trash is over', async (t) => {
  const { app, as, store } = await build(t, { trashDays: 7 })
  const now = Date.now()
  t.capture(Date, 'now', () => now)
  await as('ada').post('/api/graphs', triangle)
  await as('ada').delete('/api/graphs/1')
  const purge = () => store.write((trx) => app.graphs.purgeExpired(trx, 1))
  t.equal(await purge(), false)
  await age(store, 7 - 1 / DAY)
  t.equal(await purge(), false)
  t.match(await as('ada').get('/api/trash'), { body: [{ id: 1 }] })
  await age(store, 7)
  t.equal(await purge(), true)
  t.equal(await purge(), false, 'an expired graph is removed only once')
  t.same((await as('ada').get('/api/trash')).body, [])
})
