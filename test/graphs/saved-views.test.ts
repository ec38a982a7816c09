import t from 'tap'
import { MAX_VIEWS } from '../../schemas/saved-view.ts'
import { events, problem, triangle } from '../support/helper.ts'
import { prepare } from '../support/sharing.ts'

const views = '/api/graphs/1/views'
const query = 'colour=a.group&size=degree&camera=0.5%2C0.5%2C1'

t.test('views are saved, replaced, listed by name and removed, with one event per change and no version', async (t) => {
  const { as, store } = await prepare(t)
  const ada = as('ada')
  const etag = (await ada.get('/api/graphs/1')).headers.etag
  t.same((await ada.get(views)).body, [], 'there are no views at first')
  for (const name of ['b', 'Ä', 'a/b', '__proto__', 'a']) {
    t.match(await ada.put(`${views}/${encodeURIComponent(name)}`, { query }), { status: 204, text: '' }, name)
  }
  const other = 'tab=nodes'
  t.equal((await as('root').put(`${views}/b`, { query: other })).status, 204)
  t.equal((await ada.put(`${views}/b`, { query: other })).status, 204, 'saving the same view again succeeds')
  const { status, body } = await ada.get(views)
  t.equal(status, 200)
  t.same(
    body.map(({ savedAt, ...view }: { savedAt: string }) => {
      t.match(savedAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
      return view
    }),
    [
      ...['__proto__', 'a', 'a/b'].map((name) => ({ name, query, savedBy: 'ada' })),
      { name: 'b', query: other, savedBy: 'root' },
      { name: 'Ä', query, savedBy: 'ada' }
    ]
  )
  const fetched = body.at(-1)
  t.equal(
    (await ada.put(`${views}/${encodeURIComponent(fetched.name)}`, fetched)).status,
    204,
    'a fetched view can be sent back'
  )
  t.same((await ada.get(views)).body.at(-1), fetched)
  t.equal((await ada.delete(`${views}/a`)).status, 204)
  t.equal((await ada.delete(`${views}/a`)).status, 204, 'removing a view again succeeds')
  t.equal((await ada.get(views)).body.length, 4)
  t.equal((await ada.get('/api/graphs/1')).headers.etag, etag)

  const told = [...(await events(store, 'GRAPH_VIEW_SAVED')), ...(await events(store, 'GRAPH_VIEW_REMOVED'))]
  t.same(
    told.map(({ type, principal, outcome, targetType, targetId, targetName, targetVersion, data }) => [
      [type, principal, outcome, targetType, targetId, targetName, targetVersion],
      data
    ]),
    [
      ...['b', 'Ä', 'a/b', '__proto__', 'a'].map((view) => saved('ada', view)),
      saved('root', 'b'),
      [['GRAPH_VIEW_REMOVED', 'ada', 'SUCCESS', 'GRAPH', 1, 'Triangle', null], { view: 'a' }]
    ]
  )
  function saved(principal: string, view: string) {
    return [['GRAPH_VIEW_SAVED', principal, 'SUCCESS', 'GRAPH', 1, 'Triangle', null], { view }]
  }
})

t.test('readers can see views, and writers can change them', async (t) => {
  const { as } = await prepare(t)
  const [ada, bob] = [as('ada'), as('bob')]
  await ada.put(`${views}/all`, { query: '' })
  t.match(await bob.get(views), problem(404, 'graph-not-found'))
  t.match(await bob.put(`${views}/mine`, { query }), problem(404, 'graph-not-found'))
  t.match(await bob.delete(`${views}/all`), problem(404, 'graph-not-found'))
  await ada.put('/api/graphs/1/access/users/bob', { access: 'READ' })
  t.equal((await bob.get(views)).body.length, 1)
  t.match(await bob.put(`${views}/mine`, { query }), problem(403, 'forbidden'))
  t.match(await bob.delete(`${views}/all`), problem(403, 'forbidden'))
  await ada.put('/api/graphs/1/access/users/bob', { access: 'WRITE' })
  t.equal((await bob.put(`${views}/mine`, { query })).status, 204)
  t.equal((await bob.delete(`${views}/all`)).status, 204)
  t.same(
    (await ada.get(views)).body.map(({ name, savedBy }: { name: string; savedBy: string }) => ({ name, savedBy })),
    [{ name: 'mine', savedBy: 'bob' }]
  )
})

t.test('a view without a name, with an invalid query or over the limit is refused', async (t) => {
  const { as } = await prepare(t)
  const ada = as('ada')
  for (const [name, body, code] of [
    ['a', {}, 'required'],
    ['a', { query: 7 }, 'wrong-type'],
    ['a', { query: 'ä' }, 'malformed'],
    ['a', { query: 'a\nb' }, 'malformed'],
    ['a', { query: 'x'.repeat(8001) }, 'too-long'],
    ['a', { query: '', shared: true }, 'unknown-field'],
    ['%20', { query: '' }, undefined],
    ['a%00', { query: '' }, undefined],
    ['a%0A', { query: '' }, undefined],
    ['x'.repeat(101), { query: '' }, undefined]
  ] as const) {
    const { status, body: answer } = await ada.put(`${views}/${name}`, body)
    t.equal(status, 400, name)
    if (code) t.equal(answer.errors?.[0].code, code)
  }
  t.same((await ada.get(views)).body, [])

  for (let number = 0; number < MAX_VIEWS; number++) await ada.put(`${views}/${number}`, { query: '' })
  t.match(await ada.put(`${views}/one more`, { query: '' }), problem(409, 'too-many-views'))
  t.equal((await ada.put(`${views}/7`, { query })).status, 204, 'an existing view can be changed')
  t.equal((await ada.get(views)).body.length, MAX_VIEWS)
})

t.test(
  'a graph keeps its views in the trash until it is permanently deleted, and other graphs have their own',
  async (t) => {
    const { as, store } = await prepare(t)
    const ada = as('ada')
    const { id } = (await ada.post('/api/graphs', triangle)).body
    const names = async () => (await store.read.selectFrom('savedView').select(['graphId', 'name']).execute()).length
    await ada.put(`${views}/a`, { query })
    await ada.put(`/api/graphs/${id}/views/a`, { query })
    await ada.delete('/api/graphs/1')
    t.match(await ada.get(views), problem(404, 'graph-not-found'))
    t.match(await ada.put(`${views}/a`, { query: '' }), problem(404, 'graph-not-found'))
    t.equal(await names(), 2)
    await ada.post('/api/trash/1/restore')
    t.equal((await ada.get(views)).body.length, 1)
    await ada.delete('/api/graphs/1')
    await ada.delete('/api/trash/1')
    t.equal(await names(), 1)
    t.equal((await ada.get(`/api/graphs/${id}/views`)).body[0].query, query)
  }
)

t.test(
  'a view keeps its style exactly, also for values such as __proto__, and loses it if it is saved without one',
  async (t) => {
    const { as, store } = await prepare(t)
    const ada = as('ada')
    const style = JSON.parse(`{
    "nodes": {
      "palette": "tol-muted",
      "scale": "categories",
      "colours": { "a": "#AbCdEf", "__proto__": "#123456", "constructor": "#000000", "": "#ffffff" },
      "paletteColours": { "__proto__": "#654321" },
      "names": { "__proto__": "None \\u0000" },
      "order": ["__proto__", "a"],
      "formats": { "__proto__": "percent", "metadata.year": "plain" },
      "shapes": { "__proto__": "diamond" },
      "sizes": { "least": 4, "greatest": 40 },
      "opacity": 0.75
    },
    "edges": { "lines": { "knows": "dashed" }, "widths": { "least": 0.5, "greatest": 6 }, "curvature": 0.2, "arrows": false },
    "labels": { "rule": "all", "size": 11 },
    "background": "#fdf6e3"
  }`)
    t.equal((await ada.put(`${views}/a`, { query, style })).status, 204)
    const [saved] = (await ada.get(views)).body
    t.equal(JSON.stringify(saved.style), JSON.stringify(style))
    t.equal((await ada.put(`${views}/a`, saved)).status, 204)
    t.equal((await events(store, 'GRAPH_VIEW_SAVED')).length, 1, 'the style has not changed')
    t.equal((await ada.put(`${views}/a`, { query, style: { ...style, background: '#000000' } })).status, 204)
    t.equal((await ada.get(views)).body[0].style.background, '#000000')
    t.equal((await ada.put(`${views}/a`, { query })).status, 204)
    t.notOk('style' in (await ada.get(views)).body[0])
    t.equal((await events(store, 'GRAPH_VIEW_SAVED')).length, 3)
  }
)

t.test('every invalid field of a style is reported, and a style is at most 16 KiB', async (t) => {
  const { as } = await prepare(t)
  const ada = as('ada')
  const many = Object.fromEntries(Array.from({ length: 101 }, (_, index) => [index, '#000000']))
  for (const [style, pointer, code] of [
    ['red', '', 'wrong-type'],
    [{ node: {} }, '/node', 'unknown-field'],
    [{ nodes: { colours: { '__proto__ ': 'red' } } }, '/nodes/colours/__proto__ ', 'malformed'],
    [{ nodes: { colours: { 'a/b': '#12345' } } }, '/nodes/colours/a~1b', 'malformed'],
    [{ nodes: { colours: many } }, '/nodes/colours', 'malformed'],
    [{ nodes: { names: { ['x'.repeat(256)]: '' } } }, '/nodes/names', 'too-long'],
    [{ nodes: { names: { x: 'x'.repeat(101) } } }, '/nodes/names/x', 'too-long'],
    [{ nodes: { palette: 'rainbow' } }, '/nodes/palette', 'not-allowed'],
    [{ edges: { scale: 'square' } }, '/edges/scale', 'not-allowed'],
    [{ nodes: { shapes: { x: 'star' } } }, '/nodes/shapes/x', 'not-allowed'],
    [{ nodes: { formats: { degree: 'decimals-5' } } }, '/nodes/formats/degree', 'not-allowed'],
    [{ nodes: { sizes: { least: 0, greatest: 5 } } }, '/nodes/sizes/least', 'too-small'],
    [{ nodes: { sizes: { least: 1 } } }, '/nodes/sizes/greatest', 'required'],
    [{ nodes: { opacity: 1.1 } }, '/nodes/opacity', 'too-large'],
    [{ edges: { lines: { x: 'wavy' } } }, '/edges/lines/x', 'not-allowed'],
    [{ edges: { arrows: 'yes' } }, '/edges/arrows', 'wrong-type'],
    [{ labels: { rule: 'some' } }, '/labels/rule', 'not-allowed'],
    [{ background: '#fff' }, '/background', 'malformed']
  ] as const) {
    const { status, body } = await ada.put(`${views}/a`, { query, style })
    t.equal(status, 400, pointer)
    t.match(body.errors, [{ pointer: `#/style${pointer.replaceAll(' ', '%20')}`, code }])
  }
  const long = { nodes: { order: Array.from({ length: 100 }, () => 'x'.repeat(255)) } }
  t.equal((await ada.put(`${views}/a`, { query, style: long })).status, 413)
  t.same((await ada.get(views)).body, [])
})
