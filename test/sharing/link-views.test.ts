import { hash } from 'node:crypto'
import t, { type Test } from 'tap'
import type { Link } from '../../schemas/link.ts'
import { build, events, problem } from '../support/helper.ts'

// The view in which a link shows its graph.

const graph = '/api/graphs/1'
const links = `${graph}/links`
const [left, right] = ['left', 'right'].map((kind) => ({ query: `colour=none&filter=metadata.kind&is=${kind}` }))

/** Starts a server with a graph owned by ada that has two nodes on the left, one on the right, and two saved views. */
async function prepare(t: Test) {
  const server = await build(t)
  const [ada, visitor] = [server.as('ada'), server.as()]
  const nodes = ['a', 'b', 'c'].map((id) => ({ id, metadata: { kind: id === 'c' ? 'right' : 'left' } }))
  await ada.post('/api/graphs', { name: 'Sides', content: { nodes, edges: [] } })
  await ada.put(`${graph}/views/left`, left)
  await ada.put(`${graph}/views/secret plans`, right)
  const newLink = async (body: object) => {
    const made = await ada.post(links, body)
    t.equal(made.status, 201, made.text)
    const link: Link = made.body
    const secret = link.url.split('#')[1] ?? ''
    const opened = await visitor.post(`/api/links/${link.publicId}/open`, { secret })
    const token = { authorization: `Bearer ${opened.body.token}` }
    const fetch = (path: string, headers = {}) =>
      visitor.get(`/api/links/${link.publicId}/${path}`, { ...token, ...headers })
    const drawn = async () => (await fetch('picture.svg')).text.match(/<circle/g)?.length
    return { link, fetch, drawn }
  }
  return { ...server, ada, visitor, newLink }
}

t.test('a link shows its own view, a saved view, or else the default view of the graph', async (t) => {
  const { ada, newLink } = await prepare(t)
  const [plain, own, named] = [
    await newLink({}),
    await newLink({ view: right }),
    await newLink({ view: 'secret plans' })
  ]
  const shown = async () => [
    (await plain.fetch('graph')).body.view,
    (await own.fetch('graph')).body.view,
    (await named.fetch('graph')).body.view,
    [await plain.drawn(), await own.drawn(), await named.drawn()]
  ]
  t.same(await shown(), [undefined, right, right, [3, 1, 1]])
  t.notMatch((await named.fetch('graph')).text, /secret plans/, 'visitors do not see the name')
  t.same(
    (await ada.get(links)).body.map(({ view }: Link) => view),
    [undefined, right, 'secret plans']
  )

  const etag = (await plain.fetch('graph')).headers.etag
  await ada.patch(graph, { defaultView: 'left' })
  t.same(await shown(), [left, right, right, [2, 1, 1]])
  t.not((await plain.fetch('graph')).headers.etag, etag)
  await ada.put(`${graph}/views/secret plans`, { query: '' })
  t.same(await shown(), [left, right, { query: '' }, [2, 1, 3]], 'a link follows its saved view')
  await ada.delete(`${graph}/views/secret plans`)
  t.same(await shown(), [left, right, left, [2, 1, 2]], 'instead of a deleted view, the default view is shown')
  await ada.delete(`${graph}/views/left`)
  t.same(await shown(), [undefined, right, undefined, [3, 1, 3]])
  t.match((await own.fetch('content')).body.nodes, { length: 3 }, 'filters do not protect content')
})

t.test('the preview of a link shows its view, also at an earlier version', async (t) => {
  const { app, ada, newLink } = await prepare(t)
  const { link } = await newLink({ version: 1, view: right, preview: true })
  const preview = async () => (await app.inject({ url: `/s/${link.publicId}/preview.png` })).headers.etag
  await ada.patch(graph, { name: 'Renamed' })
  const etag = await preview()
  await ada.patch(`${links}/1`, { view: left })
  t.not(await preview(), etag)
  await ada.patch(`${links}/1`, { view: right })
  t.equal(await preview(), etag)
})

t.test("each change of a link's view is recorded, with a hash of views of its own", async (t) => {
  const { ada, newLink, store } = await prepare(t)
  await newLink({ view: 'left' })
  t.match((await ada.patch(`${links}/1`, { view: right })).body, { view: right })
  t.match((await ada.patch(`${links}/1`, { view: right, name: null })).body, { view: right })
  const cleared = await ada.patch(`${links}/1`, { view: null })
  t.notOk('view' in cleared.body)
  const hashed = `sha256:${hash('sha256', JSON.stringify(right))}`
  t.same(
    (await events(store))
      .filter(({ type }) => /^LINK_(CREATED|UPDATED)/.test(type))
      .map(({ data }) => [data['view.old'], data['view.new']]),
    [
      [undefined, 'left'],
      ['left', hashed],
      [hashed, undefined]
    ]
  )
})

t.test('a view that does not exist or is malformed is refused', async (t) => {
  const { ada, newLink } = await prepare(t)
  await newLink({})
  const fault = { pointer: '#/view', code: 'view-not-found', detail: 'is not a saved view of this graph' }
  for (const send of [
    (view: unknown) => ada.post(links, { view }),
    (view: unknown) => ada.patch(`${links}/1`, { view })
  ]) {
    const { status, body } = await send('Left')
    t.same([status, body.code, body.errors], [400, 'validation-failed', [fault]])
    for (const view of ['', 7, {}, { query: 'ä' }, { query: '', camera: 1 }, [left], { query: 'x'.repeat(8001) }])
      t.match(await send(view), problem(400, 'validation-failed'), JSON.stringify(view))
  }
  t.match((await ada.get(links)).body, { length: 1 })
})
