import t from 'tap'
import { engine } from '../support/engine.ts'
import { build, events, problem, triangle } from '../support/helper.ts'

t.test('POST /api/graphs creates a graph owned by the caller', async (t) => {
  const { as } = await build(t)
  const response = await as('ada').post('/api/graphs', {
    ...triangle,
    type: 'LINE',
    description: 'Three',
    shared: true
  })
  t.match(response, {
    status: 201,
    headers: { location: '/api/graphs/1', etag: /^"[^"]+"$/, 'content-type': /^application\/json/ },
    body: {
      id: 1,
      name: 'Triangle',
      type: 'LINE',
      description: 'Three',
      shared: true,
      owner: 'ada',
      version: 1,
      nodeCount: 3,
      edgeCount: 3,
      createdAt: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
      content: triangle.content
    }
  })
  t.equal(response.body.createdAt, response.body.updatedAt)
  const fetched = await as('ada').get('/api/graphs/1')
  t.same(fetched.body, response.body, 'GET returns the same record')
  t.equal(fetched.headers.etag, response.headers.etag)
})

t.test('POST /api/graphs fills in default values', async (t) => {
  const { as } = await build(t)
  const { status, body } = await as('ada').post('/api/graphs', { name: 'Bare', type: null, description: null })
  t.equal(status, 201)
  const always = 'access createdAt edgeCount id name nodeCount owner shared updatedAt version'
  t.equal(Object.keys(body).sort().join(' '), always)
  t.match(body, { shared: false, nodeCount: 0, edgeCount: 0 })
  const empty = await as('ada').post('/api/graphs', { name: 'Empty', content: { nodes: [], edges: [] } })
  t.same(empty.body.content, { directed: true, nodes: [], edges: [] }, 'content is directed by default')
})

t.test('POST /api/graphs refuses a graph that has an id', async (t) => {
  const { as, store } = await build(t)
  for (const id of [7, '7', 0, false, { a: 1 }]) {
    const response = await as('ada').post('/api/graphs', { id, ...triangle })
    t.match(response, problem(400, 'graph-id-exists', [{ pointer: '#/id' }]))
  }
  t.same(await events(store, 'GRAPH_CREATED'), [], 'no event was recorded')
  t.match(await as('ada').post('/api/graphs', { id: null, ...triangle }), { status: 201 }, 'null counts as no id')
})

t.test('read-only fields are accepted and ignored', async (t) => {
  const { as } = await build(t)
  const claimed = {
    owner: 'bob',
    version: 99,
    nodeCount: 99,
    edgeCount: 'many',
    createdAt: '2001-01-01T00:00:00.000Z',
    updatedAt: 5
  }
  const { status, body } = await as('ada').post('/api/graphs', { ...triangle, ...claimed })
  t.equal(status, 201)
  t.match(body, { owner: 'ada', version: 1, nodeCount: 3, edgeCount: 3 })
  t.not(body.createdAt, claimed.createdAt)

  const again = await as('ada').put('/api/graphs', body)
  t.match(again, { status: 200, body }, 'a fetched graph can be sent back')
})

t.test('fields of a graph have types and length limits', async (t) => {
  const { as, store } = await build(t)
  const refused: [string, object, string, string][] = [
    ['no name', {}, '#/name', 'required'],
    ['an empty name', { name: '' }, '#/name', 'too-short'],
    ['a blank name', { name: ' \t\n ' }, '#/name', 'malformed'],
    ['a long name', { name: 'x'.repeat(256) }, '#/name', 'too-long'],
    ['a name that is a number', { name: 5 }, '#/name', 'wrong-type'],
    ['a name that is null', { name: null }, '#/name', 'wrong-type'],
    ['a name with U+0000', { name: 'a\0b' }, '#/name', 'malformed'],
    ['an empty type', { name: 'x', type: '' }, '#/type', 'too-short'],
    ['a long type', { name: 'x', type: 'x'.repeat(65) }, '#/type', 'too-long'],
    ['a long description', { name: 'x', description: 'x'.repeat(2001) }, '#/description', 'too-long'],
    ['shared as a string', { name: 'x', shared: 'true' }, '#/shared', 'wrong-type'],
    ['shared as a number', { name: 'x', shared: 1 }, '#/shared', 'wrong-type'],
    ['content as a string', { name: 'x', content: '{}' }, '#/content', 'wrong-type'],
    ['an unknown field', { name: 'x', color: 'red' }, '#/color', 'unknown-field'],
    ['__proto__ as a field', JSON.parse('{"name":"x","__proto__":{"shared":true}}'), '#/__proto__', 'unknown-field']
  ]
  for (const [what, graph, pointer, code] of refused) {
    const response = await as('ada').post('/api/graphs', graph)
    t.match(response, problem(400, 'validation-failed', [{ pointer, code }]), what)
    t.equal(response.body.errors.length, 1, `${what}: the fault is listed once`)
  }
  t.same(await events(store), [], 'no event was recorded')
  for (const name of ['x'.repeat(255), '🜁'.repeat(255), 'é', '__proto__', 'a/b#?%&"\'<>']) {
    t.match(await as('ada').post('/api/graphs', { name }), { status: 201, body: { name } })
  }
})

t.test('a body that is not an object is refused', async (t) => {
  const { as } = await build(t)
  for (const body of ['[]', '"x"', '5', 'null', 'true']) {
    t.match(await as('ada').post('/api/graphs', body), problem(400, 'validation-failed', [{ pointer: '#' }]), body)
  }
  t.match(await as('ada').post('/api/graphs'), problem(400, 'validation-failed'), 'a missing body is refused')
})

t.test('PUT /api/graphs replaces the record, and keeps the content if the body omits it', async (t) => {
  const { as, store } = await build(t)
  const ada = as('ada')
  const created = await ada.post('/api/graphs', { ...triangle, type: 'LINE', description: 'Three', shared: true })
  const renamed = await ada.put('/api/graphs', { id: 1, name: 'Renamed' })
  t.match(renamed, { status: 200, body: { id: 1, name: 'Renamed', shared: false, version: 2, nodeCount: 3 } })
  t.notOk('type' in renamed.body || 'description' in renamed.body, 'absent fields are reset')
  t.same(renamed.body.content, triangle.content)
  t.not(renamed.headers.etag, created.headers.etag)
  t.equal(renamed.body.createdAt, created.body.createdAt)

  const emptied = await ada.put('/api/graphs', { id: 1, name: 'Renamed', content: null })
  t.match(emptied, { status: 200, body: { version: 3, nodeCount: 0, edgeCount: 0 } })
  t.notOk('content' in emptied.body)
  t.notOk('content' in (await ada.get('/api/graphs/1')).body)

  const filled = await ada.put('/api/graphs', { id: 1, name: 'Renamed', content: { nodes: [{ id: 'n' }], edges: [] } })
  t.match(filled, { status: 200, body: { version: 4, nodeCount: 1, edgeCount: 0, content: { nodes: [{ id: 'n' }] } } })
  t.equal((await events(store, 'GRAPH_UPDATED')).length, 3)
})

t.test('a PUT without changes creates no version', async (t) => {
  const { as, store } = await build(t)
  const { body, headers } = await as('ada').post('/api/graphs', triangle)
  const again = await as('ada').put('/api/graphs', body)
  t.match(again, { status: 200, headers: { etag: headers.etag }, body: { version: 1, updatedAt: body.updatedAt } })
  t.same(await events(store, 'GRAPH_UPDATED'), [])
})

t.test('PUT /api/graphs needs the id of an existing graph', async (t) => {
  const { as } = await build(t)
  t.match(
    await as('ada').put('/api/graphs', triangle),
    problem(400, 'validation-failed', [{ pointer: '#/id', code: 'required' }])
  )
  for (const id of [null, '1', 0, -1, 1.5, true]) {
    t.match(await as('ada').put('/api/graphs', { ...triangle, id }), problem(400, 'validation-failed'), `${id}`)
  }
  t.match(
    await as('ada').put('/api/graphs', '{"id":9007199254740993,"name":"x"}'),
    problem(400, 'validation-failed', [{ pointer: '#/id', code: 'number-too-large' }])
  )
  t.match(await as('ada').put('/api/graphs', { ...triangle, id: 1 }), problem(404, 'graph-not-found'))
  t.match(await as('ada').put('/api/graphs', { ...triangle, id: 9007199254740991 }), problem(404, 'graph-not-found'))
})

t.test('a PUT for a version other than the current one is a conflict', async (t) => {
  const { as } = await build(t)
  const { body } = await as('ada').post('/api/graphs', triangle)
  await as('ada').put('/api/graphs', { ...body, name: 'Second' })
  const late = await as('ada').put('/api/graphs', { ...body, name: 'Late' })
  t.match(late, problem(409, 'version-conflict'))
  t.equal(late.body.detail, 'The graph is at version 2, not 1.')
  t.same(late.body.errors, [{ pointer: '#/version', code: 'version-conflict', detail: 'is not 2' }])
  t.equal(
    (await as('ada').put('/api/graphs', { ...body, version: 3 })).status,
    409,
    'a later version is a conflict too'
  )
  t.match(await as('ada').get('/api/graphs/1'), { body: { name: 'Second', version: 2 } }, 'the graph is unchanged')
  for (const version of ['2', 0, 1.5, null]) {
    t.match(await as('ada').put('/api/graphs', { ...body, version }), problem(400, 'validation-failed'), `${version}`)
  }
})

t.test('only one of several concurrent changes to a version succeeds', async (t) => {
  const { as, store } = await build(t)
  const { body, headers } = await as('ada').post('/api/graphs', triangle)
  const puts = ['a', 'b', 'c'].map((name) => as('ada').put('/api/graphs', { ...body, name }))
  t.same((await Promise.all(puts)).map(({ status }) => status).sort(), [200, 409, 409])
  const ifMatch = { 'if-match': headers.etag ?? '' }
  const patches = ['d', 'e'].map((name) => as('ada').patch('/api/graphs/1', { name }, ifMatch))
  for (const { status } of await Promise.all(patches)) t.equal(status, 412, 'the first state has been replaced')
  t.equal((await events(store, 'GRAPH_UPDATED')).length, 1)
})

t.test('PATCH /api/graphs/{id} changes only the given fields', async (t) => {
  const { as } = await build(t)
  const ada = as('ada')
  await ada.post('/api/graphs', { ...triangle, type: 'LINE', description: 'Three', shared: true })
  const renamed = await ada.patch('/api/graphs/1', { name: 'Renamed' })
  t.match(renamed, {
    status: 200,
    headers: { etag: /"/ },
    body: { name: 'Renamed', type: 'LINE', description: 'Three', shared: true, version: 2, content: triangle.content }
  })
  const stripped = await ada.patch('/api/graphs/1', { type: null, description: null })
  t.notOk('type' in stripped.body || 'description' in stripped.body, 'null removes a field')
  t.match(await ada.patch('/api/graphs/1', { shared: false }), { body: { shared: false, version: 4 } })
  t.match(await ada.patch('/api/graphs/1', {}), { status: 200, body: { version: 4 } }, 'an empty patch changes nothing')
  const typed = await ada.patch('/api/graphs/1', '{"type":"T"}', { 'content-type': 'application/merge-patch+json' })
  t.match(typed, { status: 200, body: { type: 'T', name: 'Renamed' } })
})

t.test('PATCH /api/graphs/{id} refuses content, invalid nulls, other versions and missing graphs', async (t) => {
  const { as } = await build(t)
  const ada = as('ada')
  await ada.post('/api/graphs', triangle)
  t.match(
    await ada.patch('/api/graphs/1', { content: null }),
    problem(400, 'validation-failed', [{ pointer: '#/content' }])
  )
  t.match(await ada.patch('/api/graphs/1', { name: null }), problem(400, 'validation-failed', [{ pointer: '#/name' }]))
  t.match(await ada.patch('/api/graphs/1', { shared: null }), problem(400, 'validation-failed'))
  t.match(await ada.patch('/api/graphs/1', { version: 2, name: 'x' }), problem(409, 'version-conflict'))
  t.match(await ada.patch('/api/graphs/2', { name: 'x' }), problem(404, 'graph-not-found'))
  t.match(await ada.patch('/api/graphs/x', { name: 'x' }), problem(400, 'validation-failed', [{ parameter: 'id' }]))
  t.match(
    await ada.patch('/api/graphs/1', { access: 'READ', id: 9, name: 'Mine' }),
    { status: 200, body: { id: 1, owner: 'ada', name: 'Mine' } },
    'read-only fields are ignored'
  )
})

t.test('GET /api/graphs/{id} accepts only decimal ids in range', async (t) => {
  const { as, store } = await build(t)
  await as('ada').post('/api/graphs', triangle)
  for (const id of ['0', '-1', '+1', '01', '1.0', '1e0', '0x1', '1%20', 'abc', '9223372036854775808', '1'.repeat(30)]) {
    t.match(await as('ada').get(`/api/graphs/${id}`), problem(400, 'validation-failed', [{ parameter: 'id' }]), id)
  }
  for (const id of ['2', '9007199254740991', '9007199254740993', '9223372036854775807']) {
    t.match(await as('ada').get(`/api/graphs/${id}`), problem(404, 'graph-not-found'), id)
  }
  await store.write((trx) => trx.updateTable('graph').set({ id: 9007199254740992 }).execute())
  t.match(await as('ada').get('/api/graphs/9007199254740993'), problem(404, 'graph-not-found'), 'ids are not rounded')
})

t.test('DELETE /api/graphs/{id} succeeds for visible, hidden and missing graphs alike', async (t) => {
  const { as, store } = await build(t)
  await as('ada').post('/api/graphs', triangle)
  for (const [id, login] of [
    ['1', 'bob'],
    ['2', 'ada'],
    ['9223372036854775807', 'ada'],
    ['1', 'ada'],
    ['1', 'ada']
  ] as const) {
    const response = await as(login).delete(`/api/graphs/${id}`)
    t.match(response, { status: 200, text: '' }, `${login} deletes ${id}`)
  }
  t.match(await as('ada').get('/api/graphs/1'), problem(404, 'graph-not-found'))
  t.match(
    await events(store, 'GRAPH_TRASHED'),
    [{ principal: 'ada', targetId: 1 }],
    'only the deletion of an existing graph is recorded'
  )
  t.match(await as('ada').delete('/api/graphs/x'), problem(400, 'validation-failed'))
  t.match(await as('ada').post('/api/graphs', triangle), { body: { id: 2 } }, 'ids are never reused')
})

t.test('a private graph of another user looks like a missing one', async (t) => {
  const { as, store } = await build(t)
  await as('ada').post('/api/graphs', triangle)
  const bob = as('bob')
  const same = (hidden: object, absent: object, what: string) => {
    const plain = (reply: any) =>
      JSON.stringify(reply).replaceAll(/[0-9a-f-]{36}|"content-length":"\d+"|"date":"[^"]+"/g, '')
    t.equal(plain(hidden), plain(absent), what)
  }
  same(await bob.get('/api/graphs/1'), await bob.get('/api/graphs/2'), 'GET')
  same(await bob.put('/api/graphs', { id: 1, name: 'x' }), await bob.put('/api/graphs', { id: 2, name: 'x' }), 'PUT')
  same(await bob.patch('/api/graphs/1', { name: 'x' }), await bob.patch('/api/graphs/2', { name: 'x' }), 'PATCH')
  same(await bob.delete('/api/graphs/1'), await bob.delete('/api/graphs/2'), 'DELETE')
  const ifMatch = { 'if-match': '*' }
  same(await bob.delete('/api/graphs/1', ifMatch), await bob.delete('/api/graphs/2', ifMatch), 'DELETE with If-Match')
  const { status, body, headers } = await bob.get('/api/graphs')
  t.same([status, body, headers['x-total-count']], [200, [], '0'])
  t.same((await bob.get('/api/graphs?owner=ada')).body, [])
  t.same((await bob.get('/api/graphs?q=triangle')).body, [])
  t.same((await bob.get('/api/mygraphs')).body, [])
  t.match(await as('ada').get('/api/graphs/1'), { status: 200, body: { version: 1 } }, 'the graph is unchanged')
  t.same(await events(store, 'AUTHORIZATION_FAILURE'), [], 'a hidden graph causes no denial')
})

t.test('every user can read a shared graph, and only its owner and administrators can change it', async (t) => {
  const { as, store } = await build(t)
  await as('ada').post('/api/graphs', { ...triangle, shared: true })
  const seen = { status: 200, body: { owner: 'ada', content: triangle.content } }
  for (const login of ['bob', 'audrey', 'root']) {
    t.match(await as(login).get('/api/graphs/1'), seen, login)
  }
  for (const login of ['bob', 'audrey']) {
    t.match(await as(login).put('/api/graphs', { id: 1, name: 'x' }), problem(403, 'forbidden'), `${login} PUT`)
    t.match(await as(login).patch('/api/graphs/1', { name: 'x' }), problem(403, 'forbidden'), `${login} PATCH`)
    t.match(await as(login).delete('/api/graphs/1'), problem(403, 'forbidden'), `${login} DELETE`)
  }
  t.match(await as('ada').get('/api/graphs/1'), { body: { version: 1 } }, 'the graph is unchanged')
  t.match(
    await events(store, 'AUTHORIZATION_FAILURE'),
    Array.from({ length: 6 }, () => ({ outcome: 'DENIED', targetType: 'GRAPH', targetId: 1, targetName: 'Triangle' })),
    'each denial is recorded'
  )
  t.match(await as('root').patch('/api/graphs/1', { name: 'By root' }), { status: 200, body: { owner: 'ada' } })
  t.match(await as('root').delete('/api/graphs/1'), { status: 200 })
})

t.test('lists never contain content', async (t) => {
  const { as } = await build(t)
  await as('ada').post('/api/graphs', triangle)
  for (const list of ['graphs', 'mygraphs']) t.notOk('content' in (await as('ada').get(`/api/${list}`)).body[0], list)
  t.match(await as('ada').get('/api/mygraphs?page=0'), problem(400, 'validation-failed', [{ parameter: 'page' }]))
})

t.test('identical large contents are stored once, and removed with their last graph', async (t) => {
  const { as, store } = await build(t, { keepVersions: 1, trashDays: 0 })
  const large = { nodes: Array.from({ length: 500 }, (_, index) => ({ id: `node ${index}` })), edges: [] }
  const triangle = { name: 'Large', content: large }
  const stored = async () => (await store.read.selectFrom('content').select('hash').execute()).length
  await as('ada').post('/api/graphs', triangle)
  await as('bob').post('/api/graphs', triangle)
  t.equal(await stored(), 1)
  await as('ada').delete('/api/graphs/1')
  t.equal(await stored(), 1)
  await as('bob').put('/api/graphs', { id: 2, name: 'Other', content: { nodes: [], edges: [] } })
  t.equal(await stored(), 1, 'the old content is removed, and the new content is stored')
  await as('bob').delete('/api/graphs/2')
  t.equal(await stored(), 0)
})

t.test('each change to a graph records an event with old and new values', async (t) => {
  const { as, store } = await build(t)
  const ada = as('ada')
  await ada.post('/api/graphs', { ...triangle, type: 'LINE' }, { 'user-agent': 'pen and paper' })
  await ada.patch('/api/graphs/1', { name: 'Renamed', type: null, shared: true })
  await ada.put('/api/graphs', { id: 1, name: 'Renamed', shared: true, content: null })
  await ada.patch('/api/graphs/1', { shared: false })
  await ada.delete('/api/graphs/1')
  const all = await events(store)
  const hash = all[0]?.data['contentHash.new']
  t.match(hash, /^[0-9a-f]{64}$/)
  const [{ trashedAt }] = (await ada.get('/api/trash')).body
  const counts = (side: 'old' | 'new', count: string) => ({
    [`nodeCount.${side}`]: count,
    [`edgeCount.${side}`]: count
  })
  const versions = (old: number) => ({ 'version.old': String(old), 'version.new': String(old + 1) })
  const created = { 'name.new': 'Triangle', 'type.new': 'LINE', 'shared.new': 'false', 'contentHash.new': hash }
  t.same(
    all.map(({ type, data }) => [type, data]),
    [
      ['GRAPH_CREATED', { ...created, ...counts('new', '3') }],
      ['GRAPH_UPDATED', { 'name.old': 'Triangle', 'name.new': 'Renamed', 'type.old': 'LINE', ...versions(1) }],
      ['GRAPH_SHARED', { 'shared.old': 'false', 'shared.new': 'true', ...versions(1) }],
      ['GRAPH_UPDATED', { 'contentHash.old': hash, ...counts('old', '3'), ...counts('new', '0'), ...versions(2) }],
      ['GRAPH_UNSHARED', { 'shared.old': 'true', 'shared.new': 'false', ...versions(3) }],
      ['GRAPH_TRASHED', { 'trashedAt.new': trashedAt }]
    ]
  )
  t.match(all[0], {
    principal: 'ada',
    outcome: 'SUCCESS',
    targetType: 'GRAPH',
    targetId: 1,
    targetName: 'Triangle',
    request: { ip: '127.0.0.1', userAgent: 'pen and paper', method: 'POST', route: '/api/graphs' }
  })
  t.match(all[1], { targetName: 'Renamed', request: { method: 'PATCH', route: '/api/graphs/{id}' } })
})

t.test('a change fails if its event cannot be recorded', async (t) => {
  const { as, store } = await build(t)
  await as('ada').post('/api/graphs', { ...triangle, shared: true })
  await as('bob').get('/api/account')
  await store.write(async (trx) => {
    const { sql } = await import('kysely')
    if (engine === 'SQLite') {
      await sql`CREATE TRIGGER "full" BEFORE INSERT ON "auditEvent" BEGIN SELECT RAISE(ABORT, 'no'); END`.execute(trx)
    } else {
      await sql`CREATE TRIGGER "full" BEFORE INSERT ON "auditEvent" EXECUTE FUNCTION "auditEventsStay"()`.execute(trx)
    }
  })
  t.match(await as('ada').post('/api/graphs', triangle), problem(500, 'internal-error'))
  t.match(await as('ada').put('/api/graphs', { id: 1, name: 'x' }), problem(500, 'internal-error'))
  t.match(await as('ada').patch('/api/graphs/1', { name: 'x' }), problem(500, 'internal-error'))
  t.match(await as('ada').delete('/api/graphs/1'), problem(500, 'internal-error'))
  t.match(await as('bob').delete('/api/graphs/1'), problem(500, 'internal-error'), 'a denial fails too')
  t.match(await as('ada').get('/api/mygraphs'), { body: [{ id: 1, name: 'Triangle', version: 1 }] })
  const { text } = await as('ada').post('/api/graphs', triangle)
  t.notMatch(text, /SQL|trigger|auditEvent|at .*\.ts/, 'the response reveals nothing internal')
})
