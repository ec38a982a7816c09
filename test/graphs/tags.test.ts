import t from 'tap'
import { build, events, problem, triangle } from '../support/helper.ts'

t.test('tags are set, kept, replaced and removed like other fields', async (t) => {
  const { as } = await build(t)
  const ada = as('ada')
  const tagsOf = async () => (await ada.get('/api/graphs/1')).body.tags
  const created = await ada.post('/api/graphs', { ...triangle, tags: ['b', 'a'] })
  t.match(created, { status: 201, body: { tags: ['b', 'a'] } })
  t.same(await tagsOf(), ['b', 'a'], 'tags keep the order in which they were set')
  t.same((await ada.get('/api/graphs')).body[0].tags, ['b', 'a'])
  t.same((await ada.patch('/api/graphs/1', { name: 'Other' })).body.tags, ['b', 'a'], 'an absent field is kept')
  t.same((await ada.patch('/api/graphs/1', { tags: ['c'] })).body.tags, ['c'])
  for (const body of [{ tags: null }, { tags: [] }]) {
    await ada.patch('/api/graphs/1', { tags: ['c'] })
    const reply = await ada.patch('/api/graphs/1', body)
    t.equal(reply.status, 200)
    t.notOk('tags' in reply.body, 'the tags are removed')
  }
  t.same((await ada.put('/api/graphs', { id: 1, name: 'Put', tags: ['d'] })).body.tags, ['d'])
  t.notOk('tags' in (await ada.put('/api/graphs', { id: 1, name: 'Put' })).body, 'PUT resets absent fields')
  t.notOk('tags' in (await ada.post('/api/graphs', { name: 'x', tags: null })).body)
})

t.test('a tag has no commas, outer spaces or U+0000, and a graph has at most 20 tags', async (t) => {
  const { as, store } = await build(t)
  const ada = as('ada')
  const refused: [string, unknown, string, string][] = [
    ['not a list', 'a', '#/tags', 'wrong-type'],
    ['an object', { a: 1 }, '#/tags', 'wrong-type'],
    ['a number', [1], '#/tags/0', 'wrong-type'],
    ['null', ['a', null], '#/tags/1', 'wrong-type'],
    ['an empty tag', [''], '#/tags/0', 'too-short'],
    ['a long tag', ['x'.repeat(65)], '#/tags/0', 'too-long'],
    ['a comma', ['a,b'], '#/tags/0', 'malformed'],
    ['a leading space', [' a'], '#/tags/0', 'malformed'],
    ['a trailing space', ['a\u2003'], '#/tags/0', 'malformed'],
    ['spaces', ['  '], '#/tags/0', 'malformed'],
    ['U+0000', ['a\0b'], '#/tags/0', 'malformed'],
    ['a lone surrogate', ['\ud800'], '#/tags/0', 'malformed-unicode'],
    ['a duplicate tag', ['a', 'b', 'a'], '#/tags', 'malformed'],
    ['too many tags', Array.from({ length: 21 }, (_, index) => `t${index}`), '#/tags', 'malformed']
  ]
  for (const [what, tags, pointer, code] of refused) {
    const problemOfIt = problem(400, 'validation-failed', [{ pointer, code }])
    t.match(await ada.post('/api/graphs', { name: 'x', tags }), problemOfIt, what)
  }
  t.same(await events(store), [], 'no event was recorded')
  const odd = ['a b', '"', '\\', '[]', '🜁'.repeat(64), "'; --", '__proto__', 'A', 'ａ', 'e\u0301', '\u0001', '%', '{}']
  const tags = [...odd, ...Array.from({ length: 20 - odd.length }, (_, index) => `t${index}`)]
  t.same((await ada.post('/api/graphs', { name: 'x', tags })).body.tags, tags)
  t.same((await ada.get('/api/graphs/1')).body.tags, tags)
  const sorted = tags.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
  t.same(
    (await ada.get('/api/tags?size=100')).body,
    sorted.map((tag) => ({ tag, count: 1 }))
  )
  for (const tag of odd) {
    const found = await ada.get(`/api/graphs?tags=${encodeURIComponent(tag)}`)
    t.same([found.body.length, found.headers['x-total-count']], [1, '1'], tag)
  }
})

t.test('tags belong to versions, and appear in history, differences, events and restored versions', async (t) => {
  const { as, store } = await build(t)
  const ada = as('ada')
  await ada.post('/api/graphs', { ...triangle, tags: ['a', 'b'] })
  await ada.patch('/api/graphs/1', { tags: ['c'] })
  await ada.patch('/api/graphs/1', { tags: ['c'] })
  await ada.patch('/api/graphs/1', { tags: null })
  t.same((await ada.get('/api/graphs/1/versions/1')).body.tags, ['a', 'b'])
  t.same((await ada.get('/api/graphs/1/versions/2')).body.tags, ['c'])
  t.notOk('tags' in (await ada.get('/api/graphs/1/versions/3')).body)
  const fields = async (from: number, to: number) =>
    (await ada.get(`/api/graphs/1/diff?from=${from}&to=${to}`)).body.fields
  t.same(await fields(1, 2), [{ pointer: '#/tags', from: ['a', 'b'], to: ['c'] }])
  t.same(await fields(2, 3), [{ pointer: '#/tags', from: ['c'] }])
  t.match((await ada.post('/api/graphs/1/restore', { version: 1 })).body, { tags: ['a', 'b'], version: 4 })
  t.same(await fields(3, 4), [{ pointer: '#/tags', to: ['a', 'b'] }])
  t.same(await fields(1, 4), [], 'equal tags are not a difference')
  const told = (await events(store)).map(({ type, data }) => [type, data['tags.old'], data['tags.new']])
  t.same(told, [
    ['GRAPH_CREATED', undefined, 'a, b'],
    ['GRAPH_UPDATED', 'a, b', 'c'],
    ['GRAPH_UPDATED', 'c', undefined],
    ['GRAPH_RESTORED', undefined, 'a, b']
  ])
})

t.test('the `tags` filter requires all of the given tags exactly', async (t) => {
  const { as } = await build(t)
  const ada = as('ada')
  const graphs: Record<string, string[]> = {
    plain: ['a', 'b'],
    long: ['ab'],
    spaced: ['a b'],
    upper: ['A'],
    quoted: ['x"a'],
    behind: ['a"x'],
    both: ['"a"'],
    backslash: ['a\\'],
    bracket: ['[', 'x[', ']'],
    none: []
  }
  for (const [name, tags] of Object.entries(graphs)) await ada.post('/api/graphs', { name, tags })
  const found = async (tags: string, path = '/api/graphs') => {
    const { body, headers } = await ada.get(`${path}?tags=${encodeURIComponent(tags)}&sort=id`)
    t.equal(headers['x-total-count'], String(body.length))
    return body.map(({ name }: { name: string }) => name)
  }
  t.same(await found('a'), ['plain'])
  t.same(await found('b,a'), ['plain'], 'tags match in any order')
  t.same(await found('a,ab'), [], 'no graph has both')
  const exact = { 'a b': 'spaced', A: 'upper', 'x"a': 'quoted', '"a"': 'both', 'a\\': 'backslash', ']': 'bracket' }
  for (const [tag, name] of Object.entries(exact)) t.same(await found(tag), [name], tag)
  for (const tag of ['"', ' a', '%', 'a\0']) t.same(await found(tag), [], 'part of a tag does not match')
  t.same(await found(''), Object.keys(graphs), 'an empty filter matches all graphs')
  t.same(await found(',a,,'), ['plain'])
  for (const id of [1, 2]) await ada.delete(`/api/graphs/${id}`)
  t.same(await found('a'), [])
  t.same(await found('a', '/api/trash'), ['plain'])
  t.match(await ada.get(`/api/graphs?tags=${'x'.repeat(1300)}`), problem(400, 'validation-failed'))
})

t.test('GET /api/tags counts the graphs that the caller may read', async (t) => {
  const { as, tokenOf } = await build(t)
  const [ada, bob, root] = [as('ada'), as('bob'), as('root')]
  for (const login of ['bob', 'cy']) await tokenOf(login)
  await ada.post('/api/graphs', { name: 'Private', tags: ['a', 'b', 'private'] })
  await ada.post('/api/graphs', { name: 'Shared', tags: ['a'], shared: true })
  await bob.post('/api/graphs', { name: 'Granted', tags: ['a', 'granted'] })
  await root.post('/api/groups', { name: 'lab' })
  await root.put('/api/groups/lab/members/cy')
  await bob.put('/api/graphs/3/access/groups/lab', { access: 'READ' })
  await bob.put('/api/graphs/3/access/users/cy', { access: 'WRITE' })
  const counted = async (login: string, query = '') => {
    const { body, headers } = await as(login).get(`/api/tags${query}`)
    return [
      headers['x-total-count'],
      ...body.map(({ tag, count }: { tag: string; count: number }) => `${tag} ${count}`)
    ]
  }
  t.same(await counted('ada'), ['3', 'a 2', 'b 1', 'private 1'])
  t.same(await counted('bob'), ['2', 'a 2', 'granted 1'])
  t.same(await counted('cy'), ['2', 'a 2', 'granted 1'], 'a graph granted twice is counted once')
  t.same(await counted('eve'), ['1', 'a 1'])
  t.same(await counted('audrey'), ['1', 'a 1'])
  t.same(await counted('root'), ['4', 'a 3', 'b 1', 'granted 1', 'private 1'])
  t.same(await counted('root', '?sort=count,desc&sort=tag,desc'), ['4', 'a 3', 'private 1', 'granted 1', 'b 1'])
  t.same(await counted('root', '?size=2&page=1'), ['4', 'granted 1', 'private 1'])
  const first = await root.get('/api/tags?size=3&cursor=')
  const rest = await root.get(`/api/tags?size=3&cursor=${first.headers['x-next-cursor']}`)
  t.same([...first.body, ...rest.body], (await root.get('/api/tags')).body)
  t.match(await root.get('/api/tags?sort=name'), problem(400, 'validation-failed'))
  await ada.patch('/api/graphs/1', { tags: ['a'] })
  await bob.delete('/api/graphs/3/access/groups/lab')
  await bob.delete('/api/graphs/3/access/users/cy')
  await ada.delete('/api/graphs/2')
  t.same(await counted('ada'), ['1', 'a 1'], 'earlier versions and the trash are not counted')
  t.same(await counted('cy'), ['0'], 'graphs with revoked grants are not counted')
  t.match(await as().get('/api/tags'), problem(401, 'token-missing'))
})
