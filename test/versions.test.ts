import t from 'tap'
import { startThread } from '../src/assets.ts'
import { build, events, problem, triangle } from './helper.ts'

const square = {
  directed: false,
  nodes: ['a', 'b', 'c', 'd'].map((id) => ({ id })),
  edges: [
    { source: 'a', target: 'b' },
    { source: 'b', target: 'c' },
    { source: 'c', target: 'd' },
    { source: 'd', target: 'a' }
  ]
}
/** Content too large to be stored as text. */
const large = (label: string) => ({
  label,
  nodes: Array.from({ length: 500 }, (_, index) => ({ id: `node ${index}` })),
  edges: []
})

t.test('every change keeps the previous version with author, time, message and event', async (t) => {
  const { as } = await build(t)
  const ada = as('ada')
  await ada.post('/api/graphs', { ...triangle, type: 'LINE', message: 'First draft' })
  await ada.patch('/api/graphs/1', { name: 'Renamed', shared: true, message: 'Ready' })
  await as('root').put('/api/graphs', { id: 1, name: 'Square', content: square, message: '' })
  await ada.put('/api/graphs/1/content?message=From%20a%20file', 'graph [ node [ id 1 ] ]', {
    'content-type': 'text/x-gml'
  })

  const { status, body, headers } = await ada.get('/api/graphs/1/versions')
  t.equal(status, 200)
  t.equal(headers['x-total-count'], '4')
  const expected = [
    { version: 4, principal: 'ada', message: 'From a file', name: 'Square', nodeCount: 1, edgeCount: 0 },
    { version: 3, principal: 'root', name: 'Square', nodeCount: 4, edgeCount: 4 },
    { version: 2, principal: 'ada', message: 'Ready', name: 'Renamed', nodeCount: 3, edgeCount: 3 },
    { version: 1, principal: 'ada', message: 'First draft', name: 'Triangle', nodeCount: 3, edgeCount: 3 }
  ]
  t.same(
    body.map(({ timestamp: _, auditEventId: __, ...rest }: any) => rest),
    expected
  )
  for (const { version, timestamp, auditEventId, message } of body) {
    const { body: event } = await as('root').get(`/management/audits/${auditEventId}`)
    t.match(event, {
      type: version === 1 ? 'GRAPH_CREATED' : 'GRAPH_UPDATED',
      target: { type: 'GRAPH', id: 1, version, href: `/api/graphs/1/versions/${version}` }
    })
    t.equal(event.data.message, message)
    const graph = await ada.get(event.target.href)
    t.match(graph, { status: 200, body: { version, updatedAt: timestamp } }, 'and the event leads to the version')
  }
  t.notOk('message' in (await ada.get('/api/graphs/1')).body, 'a message is not part of the graph')
})

t.test('GET …/versions/{version} returns the graph at that version', async (t) => {
  const { as } = await build(t)
  const ada = as('ada')
  const states = [
    (await ada.post('/api/graphs', { ...triangle, description: 'Three' })).body,
    (await ada.patch('/api/graphs/1', { name: 'Renamed', type: 'LINE' })).body,
    (await ada.put('/api/graphs', { id: 1, name: 'Large', content: large('x') })).body,
    (await ada.put('/api/graphs', { id: 1, name: 'Large', content: null, shared: true })).body
  ]
  for (const state of states) {
    const url = `/api/graphs/1/versions/${state.version}`
    const { status, body, headers } = await as('bob').get(url)
    t.equal(status, 200)
    t.same(body, { ...state, access: 'READ' }, `version ${state.version}`)
    t.equal(headers['cache-control'], 'private, no-cache')
    t.match(await as('bob').get(url, { 'if-none-match': headers.etag as string }), { status: 304, text: '' })
    t.match(await as('bob').head(url), { status: 200, text: '' })
  }
  t.equal(new Set(states.map(({ version }) => version)).size, 4)
})

t.test('the content of a version is available in any format', async (t) => {
  const { as } = await build(t)
  const ada = as('ada')
  await ada.post('/api/graphs', triangle)
  await ada.put('/api/graphs', { id: 1, name: 'Square', content: square })
  const graphml = await ada.get('/api/graphs/1/versions/1/content?format=graphml')
  t.match(graphml, {
    status: 200,
    headers: {
      'content-type': 'application/graphml+xml',
      'content-disposition': 'attachment; filename=Triangle.graphml',
      vary: 'Accept',
      etag: /^"1-1-.*\.graphml"$/
    }
  })
  t.equal(graphml.text.match(/<node /g)?.length, 3)
  const now = await ada.get('/api/graphs/1/versions/2/content', { accept: 'text/vnd.graphviz' })
  t.equal(now.text, (await ada.get('/api/graphs/1/content?format=dot')).text)
  const known = { 'if-none-match': graphml.headers.etag as string }
  t.match(await ada.get('/api/graphs/1/versions/1/content?format=graphml', known), { status: 304 })
  t.match(await ada.get('/api/graphs/1/versions/1/content?format=word'), problem(406, 'format-not-acceptable'))
  t.match(await ada.get('/api/graphs/1/versions/3/content?format=dot'), problem(404, 'version-not-found'))
})

t.test('the list of versions is paged by number and by cursor, and sorted', async (t) => {
  const { as } = await build(t)
  const ada = as('ada')
  await ada.post('/api/graphs', triangle)
  for (let version = 2; version <= 25; version++) {
    await (version % 5 === 0 ? as('root') : ada).patch('/api/graphs/1', { name: `n${version % 3}` })
  }
  const versionsOf = ({ body }: { body: { version: number }[] }) => body.map(({ version }) => version)
  const all = Array.from({ length: 25 }, (_, index) => 25 - index)
  t.same(versionsOf(await ada.get('/api/graphs/1/versions')), all.slice(0, 20))
  t.same(versionsOf(await ada.get('/api/graphs/1/versions?page=1')), all.slice(20))
  t.match((await ada.get('/api/graphs/1/versions?page=1&size=10')).headers, {
    'x-total-count': '25',
    link: '</api/graphs/1/versions?page=0&size=10>; rel="first", </api/graphs/1/versions?page=0&size=10>; rel="prev", </api/graphs/1/versions?page=2&size=10>; rel="next", </api/graphs/1/versions?page=2&size=10>; rel="last"'
  })
  t.same(versionsOf(await ada.get('/api/graphs/1/versions?size=25&sort=version')), all.toReversed())
  const order = (a: string, b: string) => Number(a > b) - Number(a < b)
  const byName = [...(await ada.get('/api/graphs/1/versions?size=25')).body].sort(
    (a, b) => order(a.principal, b.principal) || order(b.name, a.name) || b.version - a.version
  )
  t.same((await ada.get('/api/graphs/1/versions?size=25&sort=principal&sort=name,desc')).body, byName)

  for (const query of ['', '&sort=name', '&sort=timestamp,desc&sort=principal', '&sort=edgeCount&sort=version']) {
    const walked: number[] = []
    let cursor = ''
    do {
      const page = await ada.get(`/api/graphs/1/versions?size=7&cursor=${cursor}${query}`)
      walked.push(...versionsOf(page))
      cursor = page.headers['x-next-cursor'] ?? ''
      if (walked.length === 14) await ada.patch('/api/graphs/1', { name: `zzz${query}` })
    } while (cursor !== '')
    t.same(
      [...new Set(walked)].filter((version) => version <= 25).sort((a, b) => b - a),
      all,
      `a walk sees each once: ${query}`
    )
    t.equal(new Set(walked).size, walked.length)
  }
  for (const query of ['sort=shared', 'sort=id', 'type=LINE', 'size=0', 'size=1001', 'page=-1', 'cursor=x&page=0']) {
    t.equal((await ada.get(`/api/graphs/1/versions?${query}`)).status, 400, query)
  }
  const { headers } = await ada.get('/api/graphs/1/versions?cursor=&size=5')
  await ada.post('/api/graphs', triangle)
  const elsewhere = await ada.get(`/api/graphs/2/versions?cursor=${headers['x-next-cursor']}&size=5`)
  t.match(elsewhere, problem(400, 'cursor-invalid'), 'a cursor belongs to its graph')
})

t.test('history is as visible as its graph', async (t) => {
  const { as } = await build(t)
  await as('ada').post('/api/graphs', triangle)
  await as('ada').patch('/api/graphs/1', { name: 'Renamed' })
  const urls = (id: number) => [
    `/api/graphs/${id}/versions`,
    `/api/graphs/${id}/versions/1`,
    `/api/graphs/${id}/versions/9`,
    `/api/graphs/${id}/versions/1/content`
  ]
  const plain = ({ status, body, headers }: any) => ({
    status,
    body: { ...body, instance: '' },
    count: headers['x-total-count']
  })
  for (const [index, url] of urls(1).entries()) {
    t.match(await as('bob').get(url), problem(404, 'graph-not-found'), url)
    t.same(
      plain(await as('bob').get(url)),
      plain(await as('bob').get(urls(2)[index] ?? '')),
      `${url} is as good as none`
    )
    t.equal((await as().get(url)).status, 401)
  }
  t.match(await as('bob').post('/api/graphs/1/restore', { version: 1 }), problem(404, 'graph-not-found'))
  await as('ada').patch('/api/graphs/1', { shared: true })
  t.match(await as('bob').get('/api/graphs/1/versions'), {
    status: 200,
    body: [{ version: 3 }, { version: 2 }, { version: 1 }]
  })
  t.match(await as('bob').get('/api/graphs/1/versions/1'), { status: 200, body: { shared: false, name: 'Triangle' } })
  t.match(await as('bob').post('/api/graphs/1/restore', { version: 1 }), problem(403, 'forbidden'))
  await as('ada').patch('/api/graphs/1', { shared: false })
  t.match(await as('bob').get('/api/graphs/1/versions/3'), problem(404, 'graph-not-found'), 'though it was shared then')
  t.equal((await as('root').get('/api/graphs/1/versions/3')).status, 200)
})

t.test('a version is named by its number', async (t) => {
  const { as } = await build(t)
  const ada = as('ada')
  await ada.post('/api/graphs', triangle)
  for (const version of ['0', '-1', '01', '1.0', 'x', '9223372036854775808']) {
    const url = `/api/graphs/1/versions/${version}`
    t.match(await ada.get(url), problem(400, 'validation-failed', [{ parameter: 'version' }]), version)
  }
  for (const version of ['2', '9007199254740993', '9223372036854775807']) {
    t.match(await ada.get(`/api/graphs/1/versions/${version}`), problem(404, 'version-not-found'), version)
  }
  t.match(await ada.get('/api/graphs/1/versions/1?x=1'), problem(400, 'validation-failed', [{ parameter: 'x' }]))
})

t.test('a message is short text, and not a change by itself', async (t) => {
  const { as, store } = await build(t)
  const ada = as('ada')
  await ada.post('/api/graphs', { ...triangle, message: null })
  const wrong = (reply: object, code: string) =>
    t.match(reply, problem(400, 'validation-failed', [{ pointer: '#/message', code }]))
  wrong(await ada.post('/api/graphs', { ...triangle, message: 'x'.repeat(501) }), 'too-long')
  wrong(await ada.put('/api/graphs', { id: 1, name: 'x', message: 7 }), 'wrong-type')
  wrong(await ada.patch('/api/graphs/1', { name: 'x', message: 'a\0b' }), 'malformed')
  wrong(await ada.post('/api/graphs/1/restore', { version: 1, message: 'x'.repeat(501) }), 'too-long')
  const file = await ada.post(`/api/graphs/import?message=${'x'.repeat(501)}`, 'graph []')
  t.match(file, problem(400, 'validation-failed', [{ parameter: 'message' }]))
  await ada.patch('/api/graphs/1', { message: 'nothing else' })
  t.match(await ada.get('/api/graphs/1/versions'), { body: [{ version: 1 }], headers: { 'x-total-count': '1' } })
  await ada.patch('/api/graphs/1', { name: '😀'.repeat(255), message: '😀'.repeat(500), shared: true })
  t.equal((await ada.get('/api/graphs/1/versions')).body[0].message, '😀'.repeat(500))
  const both = (await events(store)).filter(({ data }) => data.message)
  t.same(
    both.map(({ type, targetVersion }) => [type, targetVersion]),
    [
      ['GRAPH_UPDATED', 2],
      ['GRAPH_SHARED', 2]
    ]
  )
  t.equal((await ada.get('/api/graphs/1/versions')).body[0].auditEventId, both[0]?.id, 'the first of two events')
})

t.test('POST …/restore makes a new version with the old state', async (t) => {
  const { as, store } = await build(t)
  const ada = as('ada')
  const first = (await ada.post('/api/graphs', { ...triangle, type: 'LINE', shared: true })).body
  await ada.put('/api/graphs', { id: 1, name: 'Large', content: large('x') })
  const last = await ada.patch('/api/graphs/1', { description: 'Later' })

  const restored = await ada.post('/api/graphs/1/restore', { version: 1, message: 'Undo' })
  const { version: _, updatedAt: __, ...state } = first
  t.match(restored, { status: 200, body: { ...state, version: 4 }, headers: { etag: /^"1-4-/ } })
  t.notOk('description' in restored.body)
  t.same((await ada.get('/api/graphs/1')).body, restored.body)
  t.match((await ada.get('/api/graphs/1/versions')).body, [
    { version: 4, restoredFrom: 1, message: 'Undo', principal: 'ada' },
    { version: 3 },
    { version: 2 },
    { version: 1 }
  ])
  t.notOk('restoredFrom' in (await ada.get('/api/graphs/1/versions')).body[1])
  t.same((await ada.get('/api/graphs/1/versions/3')).body, last.body, 'nothing is rewritten')
  const told = (await events(store)).slice(-2)
  t.match(told, [
    {
      type: 'GRAPH_RESTORED',
      targetVersion: 4,
      data: { restoredFrom: '1', message: 'Undo', 'name.old': 'Large', 'name.new': 'Triangle', 'version.new': '4' }
    },
    { type: 'GRAPH_SHARED', targetVersion: 4, data: { 'shared.new': 'true' } }
  ])
  t.equal(told[0]?.data['contentHash.new']?.length, 64)

  const again = await as('root').post('/api/graphs/1/restore', { version: 4 })
  t.match(again, { status: 200, body: { version: 5, owner: 'ada', name: 'Triangle' } }, 'each restore is a version')
  t.match(await ada.post('/api/graphs/1/restore', { version: 6 }), problem(404, 'version-not-found'))
  const stale = await ada.post('/api/graphs/1/restore', { version: 2 }, { 'if-match': last.headers.etag as string })
  t.match(stale, problem(412, 'precondition-failed'))
  const fresh = { 'if-match': again.headers.etag as string }
  t.match(await ada.post('/api/graphs/1/restore', { version: 2 }, fresh), { status: 200, body: { version: 6 } })
  t.equal((await ada.get('/api/graphs/1')).body.content.nodes.length, 500, 'large content, too')
  for (const body of [{}, { version: 0 }, { version: '1' }, { version: 1, name: 'x' }, [], undefined]) {
    t.match(await ada.post('/api/graphs/1/restore', body), problem(400, 'validation-failed'), JSON.stringify(body))
  }
  t.match(await ada.post('/api/graphs/7/restore', { version: 1 }), problem(404, 'graph-not-found'))
})

t.test('versions share unchanged content, and unreferenced content is removed', async (t) => {
  const { as, store } = await build(t, { keepVersions: 3 })
  const ada = as('ada')
  const contents = async () => (await store.read.selectFrom('content').select('id').execute()).length
  const versions = async () =>
    (await ada.get('/api/graphs/1/versions?size=1000')).body.map(({ version }: { version: number }) => version)
  await ada.post('/api/graphs', { name: 'x', content: large('first') })
  for (let version = 2; version <= 6; version++) await ada.patch('/api/graphs/1', { name: `name ${version}` })
  t.same(await versions(), [6, 5, 4], 'so many are kept, with the current one')
  t.equal(await contents(), 1, 'one copy')
  t.match(await ada.get('/api/graphs/1/versions/3'), problem(404, 'version-not-found'))
  t.match(await ada.get('/api/graphs/1/versions/4'), { status: 200, body: { name: 'name 4', nodeCount: 500 } })
  t.match((await ada.get('/api/graphs/1/versions')).headers, { 'x-total-count': '3' })
  await ada.put('/api/graphs', { id: 1, name: 'y', content: large('second') })
  t.equal(await contents(), 2)
  await ada.put('/api/graphs', { id: 1, name: 'y', content: large('first') })
  t.equal(await contents(), 2, 'the same again')
  await ada.put('/api/graphs', { id: 1, name: 'y', content: square })
  await ada.patch('/api/graphs/1', { name: 'z' })
  t.equal(await contents(), 2, 'the second is gone with its last version')
  await ada.patch('/api/graphs/1', { name: 'zz' })
  t.equal(await contents(), 1, 'and so is the first')
  t.same(await versions(), [11, 10, 9])
})

t.test('with --keep-versions 1 there is no history', async (t) => {
  const { as, store } = await build(t, { keepVersions: 1 })
  const ada = as('ada')
  await ada.post('/api/graphs', triangle)
  await ada.put('/api/graphs', { id: 1, name: 'Square', content: square, message: 'Another' })
  t.match((await ada.get('/api/graphs/1/versions')).body, [{ version: 2, message: 'Another' }])
  t.match(await ada.get('/api/graphs/1/versions/1'), problem(404, 'version-not-found'))
  t.equal((await store.read.selectFrom('content').select('id').execute()).length, 1)
})

t.test('a store without history keeps its graphs unchanged', async (t) => {
  const { default: Database } = await import('better-sqlite3')
  const { Kysely } = await import('kysely')
  const { initial } = await import('../db/migrations/sqlite/0001-initial.ts')
  const { openSqlite } = await import('../db/engine/sqlite.ts')
  const { SqliteDriver, sqliteDialect } = await import('../db/engine/sqlite-dialect.ts')
  const { findVersion, countVersions } = await import('../db/version-lists.ts')
  const file = `${t.testdir({})}/old.db`
  const old = new Database(file)
  await initial(new Kysely({ dialect: sqliteDialect(new SqliteDriver(() => old, 1)) }))
  old.pragma('user_version = 1')
  old.pragma(`application_id = ${0x47525354}`)
  const time = '2026-01-01T00:00:00.000Z'
  old.exec(`
    INSERT INTO "user" VALUES (1, 'ada', 'x', 'USER', 1, 1, '${time}', '${time}');
    INSERT INTO "graph" VALUES (1, 'Old', NULL, NULL, 0, 'ada', 2, 0, 0, NULL, 'old', '${time}', '${time}');
    INSERT INTO "graph" VALUES (2, 'New', NULL, NULL, 0, 'ada', 1, 0, 0, NULL, 'new', '${time}', '${time}');
    INSERT INTO "auditEvent" ("timestamp", "principal", "type", "outcome", "targetType", "targetId", "data") VALUES
      ('${time}', 'ada', 'GRAPH_CREATED', 'SUCCESS', 'GRAPH', 1, '{}'),
      ('${time}', 'bob', 'GRAPH_UPDATED', 'SUCCESS', 'GRAPH', 1, '{}'),
      ('${time}', 'eve', 'AUTHORIZATION_FAILURE', 'DENIED', 'GRAPH', 1, '{}'),
      ('${time}', 'ada', 'GRAPH_CREATED', 'SUCCESS', 'GRAPH', 2, '{}');`)
  old.close()
  const store = await openSqlite(file, startThread)
  t.teardown(() => store.close())
  t.match(await findVersion(store.read, 1, 2), { version: 2, principal: 'bob', auditEventId: 2, timestamp: time })
  t.match(await findVersion(store.read, 2, 1), { version: 1, principal: 'ada', auditEventId: 4 })
  t.equal(await findVersion(store.read, 1, 1), undefined)
  t.equal(await countVersions(store.read, { id: 1, version: 2 }), 1)
})
