import t from 'tap'
import { findLongHistories, removeVersions, trimHistory } from '../../db/graphs/versions.ts'
import { build, events, problem, triangle } from '../support/helper.ts'

const square = {
  directed: false,
  nodes: [...'abcd'].map((id) => ({ id })),
  edges: ['ab', 'bc', 'cd', 'da'].map(([source, target]) => ({ source, target }))
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
    t.match(graph, { status: 200, body: { version, updatedAt: timestamp } }, 'the event links to the version')
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
  t.match(graphml, { status: 200, headers: { etag: /^"1-1-.*\.graphml"$/ } })
  t.equal(graphml.text.match(/<node /g)?.length, 3)
  const now = await ada.get('/api/graphs/1/versions/2/content', { accept: 'text/vnd.graphviz' })
  t.equal(now.text, (await ada.get('/api/graphs/1/content?format=dot')).text)
  const known = { 'if-none-match': graphml.headers.etag as string }
  t.match(await ada.get('/api/graphs/1/versions/1/content?format=graphml', known), { status: 304 })
  t.match(await ada.get('/api/graphs/1/versions/1/content?format=word'), problem(406, 'format-not-acceptable'))
  t.match(await ada.get('/api/graphs/1/versions/3/content?format=dot'), problem(404, 'version-not-found'))
})

t.test('the list of versions can be sorted, and paged by number or cursor', async (t) => {
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
  t.equal((await ada.get('/api/graphs/1/versions?page=1&size=10')).headers['x-total-count'], '25')
  t.same(versionsOf(await ada.get('/api/graphs/1/versions?size=25&sort=version')), all.toReversed())
  const order = (a: string, b: string) => Number(a > b) - Number(a < b)
  const byName = [...(await ada.get('/api/graphs/1/versions?size=25')).body].sort(
    (a, b) =>
      order(a.principal, b.principal) || order(b.name.toLowerCase(), a.name.toLowerCase()) || b.version - a.version
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
    const seen = walked.filter((version) => version <= 25).sort((a, b) => b - a)
    t.same(seen, all, `paging returns each version once: ${query}`)
    t.equal(new Set(walked).size, walked.length)
  }
  for (const query of ['sort=shared', 'sort=id', 'type=LINE', 'size=0', 'size=1001', 'page=-1', 'cursor=x&page=0']) {
    t.equal((await ada.get(`/api/graphs/1/versions?${query}`)).status, 400, query)
  }
  const { headers } = await ada.get('/api/graphs/1/versions?cursor=&size=5')
  await ada.post('/api/graphs', triangle)
  const elsewhere = await ada.get(`/api/graphs/2/versions?cursor=${headers['x-next-cursor']}&size=5`)
  t.match(elsewhere, problem(400, 'cursor-invalid'), 'a cursor is valid only for its graph')
})

t.test('history is visible to the same users as its graph', async (t) => {
  const { as } = await build(t)
  await as('ada').post('/api/graphs', triangle)
  await as('ada').patch('/api/graphs/1', { name: 'Renamed' })
  const urls = (id: number) => [
    `/api/graphs/${id}/versions`,
    `/api/graphs/${id}/versions/1`,
    `/api/graphs/${id}/versions/9`,
    `/api/graphs/${id}/versions/1/content`
  ]
  const plain = ({ status, body, headers }: any) => [status, { ...body, instance: '' }, headers['x-total-count']]
  for (const [index, url] of urls(1).entries()) {
    t.match(await as('bob').get(url), problem(404, 'graph-not-found'), url)
    const none = await as('bob').get(urls(2)[index] ?? '')
    t.same(plain(await as('bob').get(url)), plain(none), `${url} is not found`)
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
  t.match(
    await as('bob').get('/api/graphs/1/versions/3'),
    problem(404, 'graph-not-found'),
    'a version that was shared is hidden once the graph is private'
  )
  t.equal((await as('root').get('/api/graphs/1/versions/3')).status, 200)
})

t.test('a version is identified by its number', async (t) => {
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

t.test('a message is short text and not a change in itself', async (t) => {
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
  const told = both.map(({ type, targetVersion }) => `${type} ${targetVersion}`)
  t.same(told, ['GRAPH_UPDATED 2', 'GRAPH_SHARED 2'])
  t.equal(
    (await ada.get('/api/graphs/1/versions')).body[0].auditEventId,
    both[0]?.id,
    'a version refers to the first of its events'
  )
})

t.test('POST …/restore creates a new version with the old state', async (t) => {
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
  const [now, before] = (await ada.get('/api/graphs/1/versions')).body
  t.match(now, { version: 4, restoredFrom: 1, message: 'Undo', principal: 'ada' })
  t.notOk('restoredFrom' in before)
  t.same((await ada.get('/api/graphs/1/versions/3')).body, last.body, 'old versions are unchanged')
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
  t.match(
    again,
    { status: 200, body: { version: 5, owner: 'ada', name: 'Triangle' } },
    'each restore creates a version'
  )
  t.match(await ada.post('/api/graphs/1/restore', { version: 6 }), problem(404, 'version-not-found'))
  const stale = await ada.post('/api/graphs/1/restore', { version: 2 }, { 'if-match': last.headers.etag as string })
  t.match(stale, problem(412, 'precondition-failed'))
  const fresh = { 'if-match': again.headers.etag as string }
  t.match(await ada.post('/api/graphs/1/restore', { version: 2 }, fresh), { status: 200, body: { version: 6 } })
  t.equal((await ada.get('/api/graphs/1')).body.content.nodes.length, 500, 'large content can be restored too')
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
  t.same(await versions(), [6, 5, 4], 'three versions are kept, including the current one')
  t.equal(await contents(), 1, 'the content is stored once')
  t.match(await ada.get('/api/graphs/1/versions/3'), problem(404, 'version-not-found'))
  t.match(await ada.get('/api/graphs/1/versions/4'), { status: 200, body: { name: 'name 4', nodeCount: 500 } })
  t.match((await ada.get('/api/graphs/1/versions')).headers, { 'x-total-count': '3' })
  await ada.put('/api/graphs', { id: 1, name: 'y', content: large('second') })
  t.equal(await contents(), 2)
  await ada.put('/api/graphs', { id: 1, name: 'y', content: large('first') })
  t.equal(await contents(), 2, 'identical content is not stored again')
  await ada.put('/api/graphs', { id: 1, name: 'y', content: square })
  await ada.patch('/api/graphs/1', { name: 'z' })
  t.equal(await contents(), 2, 'the second content is removed with its last version')
  await ada.patch('/api/graphs/1', { name: 'zz' })
  t.equal(await contents(), 1, 'the first content is removed with its last version')
  t.same(await versions(), [11, 10, 9])
})

t.test(
  "a transaction removes at most 50 versions or 16 MiB, and the graph's size shrinks by the content that only they used",
  async (t) => {
    const { as, store } = await build(t)
    const ada = as('ada')
    const content = (label: string) => ({ label, nodes: [], edges: [] })
    const put = (id: number, label: string | null) =>
      ada.put('/api/graphs', { id, name: 'x', content: label === null ? null : content(label) })
    /** Returns the remaining versions of the graph, the sizes of all contents, and the size of the graph in bytes. */
    const left = async (graphId: number) => {
      const versions = store.read.selectFrom('graphVersion').select('version').where('graphId', '=', graphId)
      const sizes = await store.read.selectFrom('content').select('size').orderBy('id').execute()
      const graph = await store.read.selectFrom('graph').select('bytes').where('id', '=', graphId).executeTakeFirst()
      return {
        versions: (await versions.orderBy('version').execute()).map(({ version }) => version),
        sizes: sizes.map(({ size }) => size),
        bytes: graph?.bytes
      }
    }
    const remove = (id: number, upTo: number) => store.write((trx) => removeVersions(trx, id, upTo))

    await ada.post('/api/graphs', { name: 'x', content: content('1') })
    for (const label of ['2', '3', '4', '5']) await put(1, label)
    const limit = 16 * 1024 * 1024
    const sizes = [limit, 1, limit + 1, 5, 7]
    await store.write(async (trx) => {
      const ids = await trx.selectFrom('content').select('id').orderBy('id').execute()
      for (const [index, { id }] of ids.entries()) {
        await trx.updateTable('content').set({ size: sizes[index] }).where('id', '=', id).execute()
      }
      const bytes = sizes.reduce((total, size) => total + size, 0)
      await trx.updateTable('graph').set({ bytes }).execute()
    })
    t.same(await remove(1, 4), { isDone: false, bytes: limit + 1 })
    t.same(await left(1), { versions: [3, 4], sizes: [limit + 1, 5, 7], bytes: limit + 13 })
    t.same(await remove(1, 4), { isDone: false, bytes: limit + 1 })
    t.same(await left(1), { versions: [4], sizes: [5, 7], bytes: 12 })
    t.same(await remove(1, 4), { isDone: true, bytes: 5 })
    t.same(await remove(1, 4), { isDone: true, bytes: 0 })
    t.same(await left(1), { versions: [], sizes: [7], bytes: 7 })

    await ada.post('/api/graphs', { name: 'x' })
    await put(2, 'a')
    await ada.patch('/api/graphs/2', { name: 'y' })
    await put(2, 'b')
    await put(2, null)
    await put(2, 'a')
    const own = async () => {
      const { versions, sizes, bytes } = await left(2)
      return [versions, sizes.slice(1).length, bytes]
    }
    const size = (await left(2)).sizes[1] ?? 0
    t.same(await own(), [[1, 2, 3, 4, 5], 3, 3 * size])
    t.same(await remove(2, 1), { isDone: true, bytes: 0 }, 'the version had no content')
    t.same(await remove(2, 2), { isDone: true, bytes: 0 }, 'the next version has the same content')
    t.same(await own(), [[3, 4, 5], 3, 3 * size])
    t.same(await remove(2, 3), { isDone: true, bytes: size }, 'the next version has other content')
    t.same(await own(), [[4, 5], 2, 2 * size])
    t.same(await remove(2, 5), { isDone: true, bytes: size })
    t.same(await own(), [[], 1, size], 'the graph itself uses the first content')

    await ada.post('/api/graphs', { name: 'x', content: content('shared') })
    for (const name of ['y', 'z', 'w']) await ada.patch('/api/graphs/3', { name })
    await store.write((trx) => trx.updateTable('content').set({ size: limit }).execute())
    t.same(await remove(3, 3), { isDone: true, bytes: 0 }, 'shared content is counted once')
  }
)

t.test('histories over the limit are found in pages and trimmed', async (t) => {
  const { as, store } = await build(t)
  const ada = as('ada')
  for (const [index, changes] of [2, 0, 1, 3, 2].entries()) {
    await ada.post('/api/graphs', { name: 'x' })
    for (let change = 0; change < changes; change++) {
      await ada.patch(`/api/graphs/${index + 1}`, { name: `${change}` })
    }
  }
  const find = (versions: number, after = 0, limit = 10) => findLongHistories(store.read, versions, after, limit)
  t.same(await find(1), [1, 3, 4, 5])
  t.same(await find(2), [1, 4, 5])
  t.same(await find(3), [4])
  t.same(await find(4), [])
  t.same(await find(2, 1), [4, 5])
  t.same(await find(2, 0, 2), [1, 4])

  const trim = (id: number, versions: number) => store.write((trx) => trimHistory(trx, id, versions))
  const versionsOf = async (graphId: number) => {
    const kept = store.read.selectFrom('graphVersion').select('version').where('graphId', '=', graphId)
    return (await kept.orderBy('version').execute()).map(({ version }) => version)
  }
  t.equal(await trim(4, 3), true)
  t.same(await versionsOf(4), [2, 3], 'the current version counts towards the limit')
  await ada.delete('/api/graphs/5')
  t.same(await versionsOf(5), [1, 2, 3], 'the current version of a trashed graph is a stored version too')
  t.equal(await trim(5, 1), true)
  t.same(await versionsOf(5), [3])
  t.equal(await trim(7, 1), true, 'a missing graph has no history')
  t.same(await versionsOf(1), [1, 2], 'other graphs are unchanged')
  await store.write((trx) => trx.updateTable('graph').set({ version: 100 }).where('id', '=', 2).execute())
  await store.write(async (trx) => {
    const row = await trx.selectFrom('graphVersion').selectAll().where('graphId', '=', 1).executeTakeFirstOrThrow()
    for (let version = 1; version < 100; version++) {
      const values = { ...row, graphId: 2, version, shared: false }
      await trx.insertInto('graphVersion').values(values).execute()
    }
  })
  t.equal(await trim(2, 1), false)
  t.equal((await versionsOf(2))[0], 51)
  t.equal(await trim(2, 1), true, 'the rest is removed next')
  t.same(await versionsOf(2), [])
})

t.test('the events of a version give its differences and origin', async (t) => {
  const { as, store } = await build(t)
  const ada = as('ada')
  await ada.post('/api/graphs', { name: 'One', message: 'First' })
  await ada.patch('/api/graphs/1', { description: 'Two', shared: true, message: 'Second' })
  await ada.patch('/api/graphs/1', { shared: false })
  await ada.post('/api/graphs/1/restore', { version: 2, message: 'Again' })
  await ada.post('/api/graphs/1/restore', { version: 4 })
  t.same(
    (await events(store)).map(({ type, targetVersion, data }) => [type, targetVersion, data]),
    [
      ['GRAPH_CREATED', 1, { 'name.new': 'One', 'shared.new': 'false', ...counts('new'), message: 'First' }],
      ['GRAPH_UPDATED', 2, { 'description.new': 'Two', 'version.old': '1', 'version.new': '2', message: 'Second' }],
      ['GRAPH_SHARED', 2, { ...shared(false), 'version.old': '1', 'version.new': '2', message: 'Second' }],
      ['GRAPH_UNSHARED', 3, { ...shared(true), 'version.old': '2', 'version.new': '3' }],
      ['GRAPH_RESTORED', 4, { 'version.old': '3', 'version.new': '4', message: 'Again', restoredFrom: '2' }],
      ['GRAPH_SHARED', 4, { ...shared(false), 'version.old': '3', 'version.new': '4', message: 'Again' }],
      ['GRAPH_RESTORED', 5, { 'version.old': '4', 'version.new': '5', restoredFrom: '4' }]
    ]
  )
  t.same((await ada.get('/api/graphs/1')).body.description, 'Two')
})

const counts = (side: 'old' | 'new') => ({ [`nodeCount.${side}`]: '0', [`edgeCount.${side}`]: '0' })
const shared = (was: boolean) => ({ 'shared.old': String(was), 'shared.new': String(!was) })

t.test('identical content is not stored again and takes no extra bytes', async (t) => {
  const { as, store } = await build(t)
  const ada = as('ada')
  await ada.post('/api/graphs', triangle)
  const taken = async () => {
    const contents = await store.read.selectFrom('content').select('id').execute()
    const { bytes } = await store.read.selectFrom('graph').select('bytes').executeTakeFirstOrThrow()
    return { contents: contents.length, bytes }
  }
  const before = await taken()
  t.equal(before.contents, 1)
  t.match((await ada.put('/api/graphs', { ...triangle, id: 1 })).body, { version: 1 })
  t.same(await taken(), before, 'an unchanged graph takes no extra bytes')
  t.match((await ada.put('/api/graphs', { ...triangle, id: 1, name: 'Renamed' })).body, { version: 2 })
  t.same(await taken(), before, 'a new name takes no extra bytes')
  t.match((await ada.post('/api/graphs/1/restore', { version: 1 })).body, { version: 3, name: 'Triangle' })
  t.same(await taken(), before, 'a restored version takes no extra bytes')
  const [created] = await events(store, 'GRAPH_CREATED')
  t.notOk('message' in (created?.data ?? {}), 'an empty message is treated as missing')
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
