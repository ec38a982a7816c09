import t from 'tap'
import { etagOf, isExpected, isKnown, knownOf } from '../../plugins/http/etags.ts'
import { build, problem, triangle } from '../support/helper.ts'

const failed = problem(412, 'precondition-failed')

t.test('If-None-Match avoids sending a graph that the client already has', async (t) => {
  const { as } = await build(t)
  const ada = as('ada')
  const etag = (await ada.post('/api/graphs', triangle)).headers.etag ?? ''
  for (const header of [etag, `W/${etag}`, '*', ' * ', `"other", ${etag}`, `"a,b",${etag},"c"`]) {
    const reply = await ada.get('/api/graphs/1', { 'if-none-match': header })
    t.match(reply, { status: 304, text: '', headers: { etag } }, header)
    t.match(await ada.head('/api/graphs/1', { 'if-none-match': header }), { status: 304, headers: { etag } })
  }
  for (const header of ['"other"', etag.slice(1, -1), '', '"', `"x${etag.slice(1)}`]) {
    t.match(await ada.get('/api/graphs/1', { 'if-none-match': header }), { status: 200, body: { id: 1 } }, header)
  }
  t.match(await ada.get('/api/graphs/2', { 'if-none-match': '*' }), problem(404, 'graph-not-found'))
  t.match(
    await as('bob').get('/api/graphs/1', { 'if-none-match': etag }),
    problem(404, 'graph-not-found'),
    'a guessed ETag reveals nothing'
  )
})

t.test('the query can omit the content of a graph', async (t) => {
  const { as } = await build(t)
  const ada = as('ada')
  const { headers, body } = await ada.post('/api/graphs', triangle)
  const { content, ...record } = body
  t.equal(content.nodes.length, 3)
  const without = await ada.get('/api/graphs/1?content=false')
  t.equal(without.status, 200)
  t.same(without.body, record)
  t.same((await ada.get('/api/graphs/1?content=true')).body, body)

  const etag = without.headers.etag ?? ''
  t.equal(etag, headers.etag?.replace(/"$/, '.record"'))
  const again = (query: string, known: string | undefined) =>
    ada.get(`/api/graphs/1${query}`, { 'if-none-match': known ?? '' })
  t.match(await again('?content=false', etag), { status: 304, text: '', headers: { etag } })
  t.equal((await again('?content=false', headers.etag)).status, 200, 'the whole graph is another representation')
  t.equal((await again('', etag)).status, 200)
  t.match(
    await ada.patch('/api/graphs/1', { name: 'y' }, { 'if-match': etag }),
    { status: 200 },
    'the ETag identifies the state'
  )
  t.equal((await again('?content=false', etag)).body.name, 'y')
  t.match(await as('bob').get('/api/graphs/1?content=false'), problem(404, 'graph-not-found'))
  t.match(await ada.get('/api/graphs/1?content=no'), problem(400, 'validation-failed'))
})

t.test('If-Match protects PUT, PATCH and DELETE', async (t) => {
  const { as } = await build(t)
  const ada = as('ada')
  const etag = (await ada.post('/api/graphs', triangle)).headers.etag ?? ''
  for (const header of ['"other"', 'W/"other"', etag.slice(1, -1), '"a", "b"', '']) {
    const headers = { 'if-match': header }
    t.match(await ada.put('/api/graphs', { id: 1, name: 'x' }, headers), failed, `PUT ${header}`)
    t.match(await ada.patch('/api/graphs/1', { name: 'x' }, headers), failed, `PATCH ${header}`)
    t.match(await ada.delete('/api/graphs/1', headers), failed, `DELETE ${header}`)
  }
  t.match(
    await ada.get('/api/graphs/1'),
    { status: 200, headers: { etag }, body: { version: 1 } },
    'the graph is unchanged'
  )

  const put = await ada.put('/api/graphs', { id: 1, name: 'x' }, { 'if-match': `"other", W/${etag}` })
  t.match(put, { status: 200, body: { version: 2 } })
  t.match(await ada.patch('/api/graphs/1', { name: 'y' }, { 'if-match': etag }), failed, 'an outdated ETag is refused')
  t.match(await ada.patch('/api/graphs/1', { name: 'y' }, { 'if-match': '*' }), { status: 200 })
  const now = (await ada.get('/api/graphs/1')).headers.etag ?? ''
  t.match(await ada.delete('/api/graphs/1', { 'if-match': now }), { status: 200 })
})

t.test('If-Match is checked after other refusals, and before the version', async (t) => {
  const { as } = await build(t)
  await as('ada').post('/api/graphs', { ...triangle, shared: true })
  const headers = { 'if-match': '"other"' }
  t.match(await as('bob').put('/api/graphs', { id: 1, name: 'x' }, headers), problem(403, 'forbidden'))
  t.match(await as('bob').delete('/api/graphs/1', headers), problem(403, 'forbidden'))
  t.match(await as('ada').put('/api/graphs', { id: 2, name: 'x' }, headers), problem(404, 'graph-not-found'))
  t.match(await as('ada').put('/api/graphs', { id: 1, name: 'x', version: 9 }, headers), failed)
  t.match(await as('ada').delete('/api/graphs/2', headers), failed, 'a missing graph matches no ETag')
  t.match(await as('ada').delete('/api/graphs/2', { 'if-match': '*' }), failed)
})

t.test("ETags depend on the state, the caller's record and the format", async (t) => {
  const graph = { id: 7, version: 3, updatedAt: '2026-01-01T00:00:00.000Z' }
  const state = '7-3-2026-01-01T00:00:00.000Z'
  const own = { ...graph, access: 'OWNER' } as const
  t.equal(etagOf(own), `"${state}"`)
  t.equal(etagOf({ ...graph, access: 'READ' }), `"${state}-read"`)
  t.equal(etagOf({ ...graph, access: 'WRITE' }), `"${state}-write"`)
  t.equal(etagOf(own, 'gml'), `"${state}.gml"`)
  t.equal(etagOf({ ...graph, access: 'READ' }, 'gml'), `"${state}-read.gml"`)

  const tag = `"${state}"`
  const others = ['', '"', '""', '*x', '"x"', state, `"x${state}"`, `"${state}x"`, `"${state} "`, `"${state}`]
  for (const header of others) {
    t.equal(isKnown(header, tag), false, header)
    t.equal(isExpected(header, graph), false, header)
    t.equal(knownOf(header, own), undefined, header)
  }
  const known = ['*', ' * ', tag, ` ${tag} `, `"x",${tag}`, `${tag} , "x"`, `"a b", ${tag}`, `"!~\xff\x80#",${tag}`]
  for (const header of known) {
    t.equal(isKnown(header, tag), true, header)
    t.equal(isExpected(header, graph), true, header)
    t.equal(knownOf(header, own), tag, header)
  }
  t.equal(isKnown(undefined, tag), false)
  t.equal(knownOf(undefined, own), undefined)
  t.equal(isExpected(undefined, graph), true)
  t.equal(knownOf(`"x", "${state}.zstd"`, own), `"${state}.zstd"`, 'a compressed response has the same record')
  t.equal(knownOf(`"${state}.gml"`, own), undefined, 'a file is another representation')
  t.equal(knownOf(`"${state}.record"`, own), undefined, 'the record without content is another representation')
  t.equal(knownOf(`"${state}.record"`, own, true), `"${state}.record"`)
  t.equal(knownOf(`${tag}, "${state}.zstd"`, own, true), undefined)

  t.equal(isKnown(`W/${tag}`, tag), true, 'a weak ETag matches in a weak comparison')
  t.equal(isKnown(`"7W/${tag.slice(2)}`, tag), false)
  t.equal(isKnown(`W/W/${tag}`, tag), true, 'invalid text before an ETag is ignored')
  for (const suffix of ['-read', '-write', '.gml', '-read.gml', '-write.gexf', '.x-y1', '.zstd']) {
    t.equal(isExpected(`"${state}${suffix}"`, graph), true, `${suffix}: the same state`)
    t.equal(isKnown(`"${state}${suffix}"`, tag), false, `${suffix}: another representation`)
  }
  for (const suffix of ['-other', '-read-write', '-readx', '.', '.GML', '.gml.gml', '.gml-read?', '-read?', '.a?']) {
    t.equal(isExpected(`"${state}${suffix}"`, graph), false, suffix)
  }
  const compressed = ['-gzip', '-br', '-zstd', '-deflate', '--gzip', '--br'].map((suffix) => `"${state}${suffix}"`)
  for (const header of [`W/${tag}`, ...compressed, `W/"${state}-gzip"`, `"x", "${state}-gzip"`]) {
    t.equal(isExpected(header, graph), true, `${header}: a proxy compressed the response`)
    t.equal(knownOf(header, own), tag, header)
  }
  t.equal(isExpected(`"${state}-read.gml--gzip"`, graph), true)
  t.equal(isKnown(`"${state}.gml-gzip"`, tag), false, 'another representation, compressed')
  t.equal(isKnown('"hash-br"', '"hash-br"'), true, 'an ETag of ours that only looks compressed')
  for (const header of [`"${state}---gzip"`, `"${state}-gzip-br"`, `"${state}-xz"`, `"${state}gzip"`]) {
    t.equal(isExpected(header, graph), false, header)
    t.equal(isKnown(header, tag), false, header)
  }
  t.equal(isExpected(`"-read${state}"`, graph), false)
})
