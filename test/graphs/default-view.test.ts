import t from 'tap'
import { findDefaultView } from '../../db/graphs/saved-views.ts'
import type { Db } from '../../db/store.ts'
import { contradictions } from '../support/consistency.ts'
import { events, problem, triangle } from '../support/helper.ts'
import { prepare } from '../support/sharing.ts'

const graph = '/api/graphs/1'
const kinds = 'colour=id&filter=metadata.kind&is=left'

/** A triangle with one node of another kind, and two saved views. */
async function prepareViews(t: Parameters<typeof prepare>[0]) {
  const nodes = ['a', 'b', 'c'].map((id) => ({ id, metadata: { kind: id === 'c' ? 'right' : 'left' } }))
  const server = await prepare(t, { content: { ...triangle.content, nodes } })
  const ada = server.as('ada')
  await ada.put(`${graph}/views/left`, { query: kinds })
  await ada.put(`${graph}/views/all`, { query: '' })
  return { ...server, ada }
}

t.test('writers choose the default view, which the record and lists show, and each change is recorded', async (t) => {
  const { as, ada, store } = await prepareViews(t)
  t.notOk('defaultView' in (await ada.get(graph)).body)
  await ada.put('/api/graphs/1/access/users/bob', { access: 'WRITE' })
  await ada.put('/api/graphs/1/access/users/cy', { access: 'READ' })
  t.match(await as('bob').patch(graph, { defaultView: 'left', message: 'ours' }), {
    status: 200,
    body: { defaultView: 'left', version: 2 }
  })
  t.match(await as('cy').patch(graph, { defaultView: 'all' }), problem(403, 'forbidden'))
  t.match((await as('cy').get('/api/graphs')).body, [{ id: 1, defaultView: 'left' }])
  const etag = (await ada.get(graph)).headers.etag as string
  t.equal((await ada.patch(graph, { defaultView: 'left' })).body.version, 2, 'the same view again changes nothing')

  const { body } = await ada.get(graph)
  t.match((await ada.put('/api/graphs', { id: 1, name: 'Renamed' })).body, { defaultView: 'left', name: 'Renamed' })
  t.equal((await ada.get(graph, { 'if-none-match': etag })).status, 200)
  t.match((await ada.post('/api/graphs', { ...body, id: null })).body, { id: 2, defaultView: undefined })
  t.match((await ada.put('/api/graphs', { id: 1, name: 'Triangle', defaultView: 'all' })).body, { defaultView: 'all' })
  t.notOk('defaultView' in (await ada.patch(graph, { defaultView: null })).body)

  t.same(
    (await events(store, 'GRAPH_UPDATED'))
      .filter(({ data }) => 'defaultView.new' in data || 'defaultView.old' in data)
      .map(({ principal, data }) => [principal, data]),
    [
      ['bob', { 'defaultView.new': 'left', 'version.old': '1', 'version.new': '2', message: 'ours' }],
      [
        'ada',
        {
          'name.old': 'Renamed',
          'name.new': 'Triangle',
          'defaultView.old': 'left',
          'defaultView.new': 'all',
          'version.old': '3',
          'version.new': '4'
        }
      ],
      ['ada', { 'defaultView.old': 'all', 'version.old': '4', 'version.new': '5' }]
    ]
  )
})

t.test('a graph without a default view costs no further statement', async (t) => {
  const untouched = new Proxy({}, { get: (_, name) => t.fail(`the store was used: ${String(name)}`) })
  t.equal(await findDefaultView(untouched as Db, { id: 1, defaultView: null }), undefined)
})

t.test('a default view that does not exist is refused', async (t) => {
  const { ada } = await prepareViews(t)
  const fault = { pointer: '#/defaultView', code: 'view-not-found', detail: 'is not a saved view of this graph' }
  const { id } = (await ada.post('/api/graphs', triangle)).body
  for (const [path, defaultView] of [
    [graph, 'Left'],
    [graph, '__proto__'],
    [`/api/graphs/${id}`, 'left']
  ] as const) {
    const { status, body } = await ada.patch(path, { defaultView })
    t.same([status, body.code, body.errors], [400, 'validation-failed', [fault]])
  }
  t.match((await ada.put('/api/graphs', { id: 1, name: 'x', defaultView: 'other' })).body.errors, [fault])
  t.match(await ada.patch(graph, { defaultView: 7 }), problem(400, 'validation-failed'))
  t.equal((await ada.get(graph)).body.version, 1)
})

t.test('removing the default view clears it, and versions do not store it', async (t) => {
  const { ada, store } = await prepareViews(t)
  await ada.patch(graph, { defaultView: 'left' })
  await ada.delete(`${graph}/views/all`)
  t.equal((await ada.get(graph)).body.version, 2)
  await ada.delete('/api/graphs/1')
  t.same(await contradictions(store), [])
  t.match((await ada.post('/api/trash/1/restore')).body, { defaultView: 'left', version: 2 })
  t.match((await ada.get(`${graph}/versions/1`)).body, { defaultView: 'left', version: 1 })
  t.match(
    (await ada.post(`${graph}/restore`, { version: 1 })).body,
    { defaultView: 'left', version: 3 },
    'restoring an earlier version keeps it'
  )
  t.equal((await ada.delete(`${graph}/views/left`)).status, 204)
  const { body } = await ada.get(graph)
  t.same([body.version, 'defaultView' in body], [4, false])
  t.same(
    (await events(store)).slice(-2).map(({ type, data }) => [type, data]),
    [
      ['GRAPH_VIEW_REMOVED', { view: 'left' }],
      ['GRAPH_UPDATED', { 'defaultView.old': 'left', 'version.old': '3', 'version.new': '4' }]
    ]
  )
  t.same(await contradictions(store), [])
})

t.test('pictures show the default view, or the saved view with a given name', async (t) => {
  const { as, ada } = await prepareViews(t)
  const draw = async (query = '') => {
    const { status, text, headers } = await ada.get(`${graph}/picture.svg${query}`)
    t.equal(status, 200)
    return { nodes: text.match(/<circle/g)?.length, text, etag: headers.etag as string }
  }
  const [plain, all, left] = [await draw(), await draw('?view=all'), await draw('?view=left')]
  t.same([plain.nodes, all.nodes, left.nodes], [3, 3, 2])
  t.equal(all.text, plain.text)
  t.equal(new Set([plain.etag, all.etag, left.etag]).size, 3)
  t.match(await ada.get(`${graph}/picture.png?view=other`), problem(404, 'view-not-found'))
  t.match(await as('bob').get(`${graph}/picture.png?view=other`), problem(404, 'graph-not-found'))
  t.equal((await ada.get(`${graph}/picture.svg?view=`)).status, 400)

  await ada.patch(graph, { defaultView: 'left' })
  const shown = await draw()
  t.equal(shown.text, left.text)
  const known = { 'if-none-match': shown.etag }
  t.equal((await ada.get(`${graph}/picture.svg`, known)).status, 304)
  await ada.put(`${graph}/views/left`, { query: 'filter=metadata.kind&is=right' })
  t.equal((await ada.get(`${graph}/picture.svg`, known)).status, 200, 'another state of the view has another ETag')
  t.equal((await draw()).nodes, 1)
})
