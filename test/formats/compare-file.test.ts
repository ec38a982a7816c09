import t from 'tap'
import { build, events, problem, triangle } from '../support/helper.ts'

// POST /api/graphs/{id}/diff: the changes that a file would make. test/graphs/diff.test.ts covers computing differences.

const csv = { 'content-type': 'text/csv' }
const jgf = { 'content-type': 'application/octet-stream' }

t.test('the difference matches that between the versions before and after PUT, and nothing is changed', async (t) => {
  const { as, store } = await build(t)
  const ada = as('ada')
  await ada.post('/api/graphs', { ...triangle, name: 'Triangle' })
  const before = await ada.get('/api/graphs/1')
  const file = 'source,target,weight\na,b,2\nb,d,3\n'

  const compared = await ada.post('/api/graphs/1/diff', file, csv)
  t.equal(compared.status, 200)
  t.match(compared.headers, { etag: before.headers.etag, 'graphstead-columns': 'source=%"source", target=%"target"' })
  t.same((await ada.get('/api/graphs/1')).body, before.body)
  t.same(
    (await events(store)).filter(({ type }) => /GRAPH/.test(type)).length,
    1,
    'only the creation of the graph is recorded'
  )

  const put = await ada.put('/api/graphs/1/content', file, { ...csv, 'if-match': String(compared.headers.etag) })
  t.equal(put.status, 200)
  const { fields, nodes, edges, truncated } = (await ada.get('/api/graphs/1/diff')).body
  t.same(compared.body.diff, { fields, nodes, edges, truncated })
  t.ok(compared.body.diff.nodes.added.count > 0)
  const { report } = compared.body
  t.match(report, { format: 'csv', nodeCount: 3, edgeCount: 2, faultCount: 0 })

  const { body: same } = await ada.post('/api/graphs/1/diff', file, csv)
  t.same(
    [same.diff.fields, same.diff.nodes.added.count, same.diff.edges.changed.count],
    [[], 0, 0],
    'there are no more differences'
  )
})

t.test('a file with faults gets a report and no difference', async (t) => {
  const { as } = await build(t)
  const ada = as('ada')
  await ada.post('/api/graphs', triangle)
  const { status, body } = await ada.post('/api/graphs/1/diff', 'source,target\na,b\nc,\n', csv)
  t.equal(status, 200)
  t.same(Object.keys(body), ['report'])
  t.match(body.report, { faultCount: 1, faults: [{ code: 'required', line: 3 }] })
})

t.test('lists are truncated at the limit, and large contents are compared too', async (t) => {
  const { as } = await build(t)
  const ada = as('ada')
  await ada.post('/api/graphs', { name: 'Empty' })
  const rows = Array.from({ length: 20_000 }, (_, index) => `n${index},n${index + 1}`)
  const file = `source,target\n${rows.join('\n')}`
  const { status, body } = await ada.post('/api/graphs/1/diff?limit=2', file, csv)
  t.equal(status, 200)
  const { nodes, edges, truncated } = body.diff
  t.same([nodes.added.count, nodes.added.items], [20_001, [{ id: 'n0' }, { id: 'n1' }]])
  t.same([edges.added.count, edges.added.items.length, truncated], [20_000, 2, true])
  t.equal((await ada.put('/api/graphs/1/content', file, csv)).status, 200)
  const again = await ada.post('/api/graphs/1/diff', ['source,target', ...rows.slice(1)].join('\n'), csv)
  t.same([again.body.diff.nodes.removed.items, again.body.diff.edges.removed.count], [[{ id: 'n0' }], 1])
})

t.test('readers can compare, others get 404, and the body must be a file', async (t) => {
  const { as } = await build(t)
  await as('ada').post('/api/graphs', { ...triangle, shared: true })
  await as('ada').post('/api/graphs', { ...triangle, shared: false })
  const compare = (login: string, id: unknown, body: string, headers = csv, query = '') =>
    as(login).post(`/api/graphs/${id}/diff${query}`, body, headers)
  t.equal((await compare('bob', 1, 'a,b\n')).status, 200)
  t.match(await compare('bob', 2, 'a,b\n'), problem(404, 'graph-not-found'))
  t.match(await compare('bob', 3, 'a,b\n'), problem(404, 'graph-not-found'))
  t.match(await compare('ada', 1, ''), problem(400, 'validation-failed'))
  t.match(await compare('ada', 1, 'what is this', jgf), problem(415, 'format-unknown'))
  t.match(await compare('ada', 1, 'a,b\n', csv, '?format=nonsense'), problem(415, 'format-unknown'))
  t.match(await compare('ada', 1, 'a,b\n', csv, '?dryRun=true'), problem(400, 'validation-failed'))
  t.match(await compare('ada', 1, 'a,b\n', csv, '?limit=x'), problem(400, 'validation-failed'))
})
