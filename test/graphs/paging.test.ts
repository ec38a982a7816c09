import t from 'tap'
import { system, UserActor } from '../../db/actors.ts'
import { countGraphs, listGraphs } from '../../db/lists/graphs.ts'
import { listVersions } from '../../db/lists/versions.ts'
import { listUsers } from '../../db/users/users.ts'
import type { GraphFilter } from '../../schemas/graph.ts'
import type { Slice } from '../../schemas/parameters.ts'
import { build, type Client, problem, watchReads } from '../support/helper.ts'

/** Returns the links of a response by relation. */
function links(header = '') {
  return Object.fromEntries(
    [...header.matchAll(/<([^>]*)>; rel="(\w+)"/g)].map(([, target, relation]) => [relation, target])
  ) as Record<string, string>
}

const idsOf = (body: { id: number }[]) => body.map(({ id }) => id)

/** Fetches all pages from this one on, following the `next` links. */
async function walk(client: Client, url: string, between: (page: number) => Promise<unknown> = async () => {}) {
  const ids: number[] = []
  for (let next: string | undefined = url, page = 0; next !== undefined; page++) {
    const { status, headers, body } = await client.get(next)
    if (status !== 200) throw new Error(`${next} is ${status}`)
    ids.push(...idsOf(body))
    next = links(headers.link).next
    await between(page)
  }
  return ids
}

async function seed(client: Client, count: number) {
  for (let index = 0; index < count; index++) {
    await client.post('/api/graphs', {
      name: `g${index % 7}`,
      ...(index % 3 === 0 && { type: index % 2 === 0 ? 'B' : 'A' }),
      shared: index % 2 === 0
    })
  }
}

t.test('pages are counted from 0, have 20 records by default, and include the total', async (t) => {
  const { as } = await build(t)
  const ada = as('ada')
  await seed(ada, 45)
  const first = await ada.get('/api/graphs')
  t.same(
    idsOf(first.body),
    Array.from({ length: 20 }, (_, index) => index + 1)
  )
  t.equal(first.headers['x-total-count'], '45')
  t.same(links(first.headers.link), {
    first: '/api/graphs?page=0&size=20',
    next: '/api/graphs?page=1&size=20',
    last: '/api/graphs?page=2&size=20'
  })
  const middle = await ada.get('/api/graphs?page=1&size=10')
  t.same(idsOf(middle.body), [11, 12, 13, 14, 15, 16, 17, 18, 19, 20])
  t.same(links(middle.headers.link), {
    first: '/api/graphs?page=0&size=10',
    prev: '/api/graphs?page=0&size=10',
    next: '/api/graphs?page=2&size=10',
    last: '/api/graphs?page=4&size=10'
  })
  const last = await ada.get('/api/graphs?page=2')
  t.equal(last.body.length, 5)
  t.notOk(links(last.headers.link).next)
  const beyond = await ada.get('/api/graphs?page=99')
  t.same([beyond.status, beyond.body, beyond.headers['x-total-count']], [200, [], '45'])
  t.same(links(beyond.headers.link), {
    first: '/api/graphs?page=0&size=20',
    prev: '/api/graphs?page=2&size=20',
    last: '/api/graphs?page=2&size=20'
  })
  t.same(
    await walk(ada, '/api/graphs?size=7'),
    Array.from({ length: 45 }, (_, index) => index + 1)
  )
})

t.test('an empty list has one page', async (t) => {
  const { as } = await build(t)
  const empty = await as('ada').get('/api/graphs')
  t.same([empty.status, empty.body, empty.headers['x-total-count']], [200, [], '0'])
  t.same(links(empty.headers.link), { first: '/api/graphs?page=0&size=20', last: '/api/graphs?page=0&size=20' })
  await seed(as('ada'), 3)
  const { body } = await as('ada').get(`/api/graphs?cursor=${empty.headers['x-next-cursor']}`)
  t.same(idsOf(body), [1, 2, 3], 'its cursor starts at the beginning')
})

t.test('page and size are decimal integers within their limits', async (t) => {
  const { as } = await build(t)
  const cases = [
    ['size', ['0', '1001', '-1', '+1', '1.0', '1e1', '0x10', '010', ' 1', '', 'ten', '9007199254740993']],
    ['page', ['-1', '1.5', '0x1', '', 'a', '2147483648']]
  ] as const
  for (const [parameter, values] of cases) {
    for (const value of values) {
      t.match(
        await as('ada').get(`/api/graphs?${parameter}=${encodeURIComponent(value)}`),
        problem(400, 'validation-failed', [{ parameter }]),
        `${parameter}=${value}`
      )
    }
  }
  const { status, body } = await as('ada').get('/api/graphs?size=1000&page=2147483647')
  t.same([status, body], [200, []])
})

t.test('lists can be sorted by every scalar field, in both directions, and by several fields', async (t) => {
  const { as } = await build(t)
  const ada = as('ada')
  await seed(ada, 20)
  await seed(as('root'), 5)
  const all = (await ada.get('/api/graphs?size=1000')).body
  const fields = 'id name type description shared owner version nodeCount edgeCount createdAt updatedAt'.split(' ')
  const keyed = (field: string) => (graph: any) =>
    typeof graph[field] === 'boolean' ? Number(graph[field]) : (graph[field] ?? '')
  const sorted = (...sorts: [string, 1 | -1][]) =>
    [...all].sort((a, b) => {
      for (const [field, sign] of [...sorts, ['id', 1] as const]) {
        const [x, y] = [keyed(field)(a), keyed(field)(b)]
        if (x !== y) return x < y ? -sign : sign
      }
      return 0
    })
  for (const field of fields) {
    const up = await ada.get(`/api/graphs?size=1000&sort=${field}`)
    t.same(idsOf(up.body), idsOf(sorted([field, 1])), field)
    const down = await ada.get(`/api/graphs?size=1000&sort=${field},desc`)
    t.same(idsOf(down.body), idsOf(sorted([field, -1])), `${field},desc`)
    t.same(
      await walk(ada, `/api/graphs?size=4&sort=${field},desc&cursor=`),
      idsOf(sorted([field, -1])),
      `${field} by cursor`
    )
  }
  const both = await ada.get('/api/graphs?size=1000&sort=type,desc&sort=name,asc')
  t.same(idsOf(both.body), idsOf(sorted(['type', -1], ['name', 1])))
  t.same(await walk(ada, '/api/graphs?size=3&sort=type,desc&sort=name,asc&cursor='), idsOf(both.body))
  t.match(links((await ada.get('/api/graphs?size=3&sort=type,desc&sort=name')).headers.link), {
    next: '/api/graphs?sort=type%2Cdesc&sort=name&page=1&size=3'
  })
  for (const sort of [
    'content',
    'searchText',
    'name,up',
    'name,',
    ',desc',
    '',
    'name;desc',
    'name desc',
    'contentHash'
  ]) {
    t.match(
      await ada.get(`/api/graphs?sort=${encodeURIComponent(sort)}`),
      problem(400, 'validation-failed', [{ parameter: 'sort' }]),
      sort
    )
  }
})

t.test('names are sorted without regard to case and accents, and numbers by value', async (t) => {
  const { as } = await build(t)
  const [ada, bob] = [as('ada'), as('bob')]
  const names = [
    '\n1',
    '2',
    '10',
    'Cafe',
    'cafe',
    'café',
    'cafe 1',
    'cafe\t2',
    'Öl 9',
    'oł',
    'straße',
    'Strasse b',
    'Σ',
    '😀'
  ]
  for (const [index, name] of names.toReversed().entries())
    await (index % 2 ? ada : bob).post('/api/graphs', { name, shared: index % 3 !== 0 })
  const ofAda = names.filter((_, index) => (names.length - 1 - index) % 2 === 1 || (names.length - 1 - index) % 3 !== 0)
  const all: { id: number; name: string }[] = (await as('root').get('/api/graphs?size=100')).body
  const namesOf = (ids: number[]) => ids.map((id) => all.find((graph) => graph.id === id)?.name)
  for (const [client, expected] of [
    [ada, ofAda],
    [as('root'), names]
  ] as const) {
    for (const sort of ['sort=name', 'sort=name&sort=type', 'sort=name,desc', 'sort=name,desc&sort=id,desc']) {
      const wanted = sort.includes('desc') ? expected.toReversed() : expected
      t.same(namesOf(await walk(client, `/api/graphs?size=2&${sort}`)), wanted, sort)
      t.same(namesOf(await walk(client, `/api/graphs?size=2&${sort}&cursor=`)), wanted, `${sort} by cursor`)
    }
  }
  const graph = all.find(({ name }) => name === 'oł')?.id
  for (const name of ['b 10', 'a', 'B 9']) await as('root').patch(`/api/graphs/${graph}`, { name })
  const versions = await as('root').get(`/api/graphs/${graph}/versions?sort=name,desc`)
  t.same(
    versions.body.map(({ name }: { name: string }) => name),
    ['oł', 'b 10', 'B 9', 'a']
  )
  await as('root').delete(`/api/graphs/${graph}`)
  await as('root').delete(`/api/graphs/${all.find(({ name }) => name === 'cafe')?.id}`)
  t.same(
    (await as('root').get('/api/trash?sort=name')).body.map(({ name }: { name: string }) => name),
    ['B 9', 'cafe']
  )
})

t.test('graphs are filtered by type, owner, sharing, and text in name or description', async (t) => {
  const { as } = await build(t)
  const ada = as('ada')
  await ada.post('/api/graphs', { name: 'Les Misérables', type: 'LINE', description: 'Victor HUGO' })
  await ada.post('/api/graphs', { name: '100% _sure_', type: 'line', shared: true })
  await as('bob').post('/api/graphs', { name: 'Hugo’s', type: 'LINE', shared: true })
  const found = async (query: string) => {
    const { body, headers } = await ada.get(`/api/graphs?${query}`)
    t.equal(headers['x-total-count'], String(body.length), query)
    return idsOf(body)
  }
  t.same(await found('type=LINE'), [1, 3])
  t.same(await found('owner=bob'), [3])
  t.same(await found('owner=nobody'), [])
  t.same(await found('owner=bob&shared=false'), [], "other users' private graphs are not found")
  t.same(await found('shared=true'), [2, 3])
  t.same(await found('shared=false'), [1])
  t.same(await found('q=hugo'), [1, 3])
  t.same(await found(`q=${encodeURIComponent('MISÉRABLES')}`), [1])
  t.same(await found(`q=${encodeURIComponent('mise\u0301rables')}`), [1], 'accents match in any normalization form')
  t.same(await found('q=%25'), [2], 'a percent sign is literal')
  t.same(await found('q=_'), [2])
  t.same(await found('q='), [1, 2, 3])
  t.same(await found('q=hugo&type=LINE&shared=false'), [1])
  const { headers } = await ada.get(`/api/graphs?q=${encodeURIComponent('hugo’ & co?')}&type=LINE&size=1`)
  t.equal(links(headers.link).first, '/api/graphs?q=hugo%E2%80%99+%26+co%3F&type=LINE&page=0&size=1')
  for (const query of ['shared=1', 'shared=yes', 'shared=', `q=${'x'.repeat(256)}`]) {
    t.match(await ada.get(`/api/graphs?${query}`), problem(400, 'validation-failed'), query)
  }
})

t.test('text in a name or description is found regardless of case, accents and compatible forms', async (t) => {
  const { as } = await build(t)
  const ada = as('ada')
  await ada.post('/api/graphs', { name: 'Café Straße A1', description: 'Fin: Οδός' })
  await ada.post('/api/graphs', { name: 'Strase' })
  await ada.patch('/api/graphs/2', { name: 'CAFE\u0301 STRASSE A1', description: 'ﬁn οδοσ' })
  for (const text of ['cafe', 'CAFÉ', 'strasse', 'Straße', 'STRASSE', 'ﬁn', 'fin', 'οδοσ', 'ΌΔΟΣ', 'Ａ１', 'é s']) {
    t.same(idsOf((await ada.get(`/api/graphs?q=${encodeURIComponent(text)}`)).body), [1, 2], text)
  }
  await ada.delete('/api/graphs/1')
  t.same(idsOf((await ada.get('/api/trash?q=strasse')).body), [1])
})

t.test('a long query gets only the link to the next page, so that headers stay small', async (t) => {
  const { as } = await build(t)
  const ada = as('ada')
  const tags = Array.from({ length: 20 }, (_, index) => '😀'.repeat(62) + String(index).padStart(2, '0'))
  for (const name of ['a', 'b', 'c']) t.equal((await ada.post('/api/graphs', { name, tags })).status, 201)
  const query = `size=1&tags=${encodeURIComponent(tags.join(','))}`
  const middle = await ada.get(`/api/graphs?${query}&page=1`)
  t.same(Object.keys(links(middle.headers.link)), ['next'])
  t.equal((await ada.get(`/api/graphs?${query}&page=2`)).headers.link, '')
  t.equal((await walk(ada, `/api/graphs?${query}`)).length, 3)
  t.equal((await walk(ada, `/api/graphs?${query}&cursor=`)).length, 3)
})

t.test('paging by cursor returns every remaining row exactly once, despite concurrent changes', async (t) => {
  const { as } = await build(t)
  const ada = as('ada')
  await seed(ada, 40)
  const gone = new Set<number>()
  for (const sort of ['id', 'name,desc', 'type', 'updatedAt,desc']) {
    const before = idsOf((await ada.get('/api/graphs?size=1000')).body)
    const removed: number[] = []
    const ids = await walk(ada, `/api/graphs?size=5&sort=${sort}&cursor=`, async (page) => {
      const victim = before[page * 3 + 1]
      if (victim !== undefined && page < 4) {
        await ada.delete(`/api/graphs/${victim}`)
        removed.push(victim)
      }
      if (page < 4) await ada.post('/api/graphs', { name: `g${page}` })
    })
    t.equal(new Set(ids).size, ids.length, `${sort}: no row twice`)
    t.same(
      before.filter((id) => !removed.includes(id) && !ids.includes(id)),
      [],
      `${sort}: no row omitted`
    )
    for (const id of removed) gone.add(id)
  }
  t.equal(gone.size, 16)
})

t.test('page mode returns a cursor for the next page', async (t) => {
  const { as } = await build(t)
  const ada = as('ada')
  await seed(ada, 10)
  const { headers } = await ada.get('/api/graphs?size=4&sort=name')
  const rest = await walk(ada, `/api/graphs?size=4&sort=name&cursor=${headers['x-next-cursor']}`)
  const all = idsOf((await ada.get('/api/graphs?size=1000&sort=name')).body)
  t.same(rest, all.slice(4))
  const end = await ada.get('/api/graphs?page=9&size=4&sort=id')
  t.same((await ada.get(`/api/graphs?sort=id&cursor=${end.headers['x-next-cursor']}`)).body, [])
  await seed(ada, 1)
  t.same(
    idsOf((await ada.get(`/api/graphs?sort=id&cursor=${end.headers['x-next-cursor']}`)).body),
    [11],
    'the cursor finds graphs added later'
  )
})

t.test('cursor mode has links to the first and next page, and no total', async (t) => {
  const { as } = await build(t)
  await seed(as('ada'), 3)
  const { headers } = await as('ada').get('/api/graphs?cursor=&size=2')
  t.notOk('x-total-count' in headers)
  const { first: start, next, ...others } = links(headers.link)
  t.equal(start, '/api/graphs?cursor=&size=2')
  t.ok(next)
  t.same(others, {})
})

t.test('a cursor is valid only for its list, filter, sort and caller', async (t) => {
  const { as } = await build(t)
  await seed(as('root'), 10)
  await seed(as('ada'), 10)
  const { headers } = await as('ada').get('/api/graphs?size=2&sort=name&shared=true')
  const cursor = headers['x-next-cursor'] ?? ''
  t.match(
    await as('ada').get(`/api/graphs?size=3&sort=name&shared=true&cursor=${cursor}`),
    { status: 200 },
    'a different page size is allowed'
  )
  const foreign = [
    ['ada', `/api/graphs?sort=name,desc&shared=true&cursor=${cursor}`],
    ['ada', `/api/graphs?sort=name&cursor=${cursor}`],
    ['ada', `/api/graphs?sort=name&shared=false&cursor=${cursor}`],
    ['bob', `/api/graphs?sort=name&shared=true&cursor=${cursor}`],
    ['root', `/api/graphs?sort=name&shared=true&cursor=${cursor}`],
    ['root', `/management/audits?cursor=${cursor}`],
    ['ada', `/api/graphs?sort=name&shared=true&cursor=${cursor}x`],
    ['ada', `/api/graphs?sort=name&shared=true&cursor=x${cursor}`],
    ['ada', `/api/graphs?sort=name&shared=true&cursor=${cursor.split('.')[0]}`],
    ['ada', `/api/graphs?sort=name&shared=true&cursor=${cursor}.`],
    ['ada', '/api/graphs?cursor=abc.def'],
    ['ada', '/api/graphs?cursor=W10.'],
    ['ada', '/api/graphs?cursor=%00'],
    ['ada', '/api/graphs?cursor=%C3%A9.%20']
  ] as const
  for (const [login, url] of foreign) {
    t.match(await as(login).get(url), problem(400, 'cursor-invalid', [{ parameter: 'cursor' }]), `${login} ${url}`)
  }
})

t.test('cacheBuster is ignored, however often it is sent', async (t) => {
  const { as } = await build(t)
  await seed(as('ada'), 4)
  const first = await as('ada').get('/api/graphs?size=1&cacheBuster=1&cacheBuster=2')
  t.same([first.status, idsOf(first.body)], [200, [1]])
  t.notMatch(first.headers.link, 'cacheBuster')
  const second = await as('ada').get(`/api/graphs?size=1&cursor=${first.headers['x-next-cursor']}&cacheBuster=3`)
  t.same([second.status, idsOf(second.body)], [200, [2]])
  for (const url of ['/api/graphs/1', '/api/mygraphs', '/api/account', '/api/graphs/1/content?format=gml']) {
    t.match(await as('ada').get(`${url}${url.includes('?') ? '&' : '?'}cacheBuster=1`), { status: 200 }, url)
  }
  t.match(await as('ada').get('/api/graphs?cachebuster=1'), problem(400, 'validation-failed'))
})

t.test('a cursor does not depend on the order of the parameters', async (t) => {
  const { as } = await build(t)
  await seed(as('ada'), 12)
  const { headers } = await as('ada').get('/api/graphs?shared=true&type=B&size=1&sort=name')
  const { status, body } = await as('ada').get(
    `/api/graphs?cursor=${headers['x-next-cursor']}&sort=name&type=B&size=5&shared=true`
  )
  t.same([status, idsOf(body)], [200, [7]])
})

t.test('a refused page names the invalid parameter and the reason', async (t) => {
  const { as } = await build(t)
  const faultsOf = async (query: string) => (await as('ada').get(`/api/graphs?${query}`)).body.errors
  t.same(await faultsOf('cursor=&page=0'), [
    { parameter: 'page', code: 'not-with-cursor', detail: 'cannot be combined with cursor' }
  ])
  t.same(await faultsOf('sort=name&sort=name,desc'), [
    { parameter: 'sort', code: 'repeated', detail: 'lists a field twice' }
  ])
  t.same(await faultsOf('cursor=abc.def'), [
    { parameter: 'cursor', code: 'cursor-invalid', detail: 'does not belong to this list' }
  ])
})

t.test('lists with an index are read directly, and all others as scans', async (t) => {
  const { as, store } = await build(t)
  await seed(as('ada'), 4)
  const { reader, scanned } = watchReads(store)
  const near: Slice = { sorts: [{ field: 'id', direction: 'asc' }], limit: 20, offset: 0, after: undefined }
  const [ada, bob] = [new UserActor('ada', 'USER', 1), new UserActor('bob', 'USER', 2)]
  /** Returns whether the list and its count used scans, and the number of graphs. */
  const read = async (viewer: typeof ada | typeof system, filter: GraphFilter, slice: Partial<Slice> = {}) => {
    const { length } = await listGraphs(reader, viewer, filter, { ...near, ...slice })
    const list = scanned()
    return { list, count: [await countGraphs(reader, viewer, filter), scanned()], length }
  }
  t.same(await read(ada, {}), { list: false, count: [4, false], length: 4 })
  t.same(await read(bob, { owner: 'ada' }), { list: false, count: [2, false], length: 2 })
  t.same(await read(system, {}), { list: false, count: [4, false], length: 4 })
  t.same(await read(system, { owner: 'ada', shared: false }), { list: false, count: [2, false], length: 2 })
  t.same(
    await read(system, { shared: false }),
    { list: true, count: [2, false], length: 2 },
    'there is no index for this list'
  )
  t.same(await read(ada, { type: 'B' }), { list: true, count: [1, true], length: 1 })
  t.same(await read(ada, { q: 'G1' }), { list: true, count: [1, true], length: 1 })
  t.same(await read(ada, { type: 'B', q: 'g1' }), { list: true, count: [0, true], length: 0 })
  t.same(await read(ada, {}, { offset: 1000 }), { list: false, count: [4, false], length: 0 })
  t.same(
    await read(ada, {}, { offset: 1001 }),
    { list: true, count: [4, false], length: 0 },
    'pages far into the list are read as scans'
  )
  const byName: Slice['sorts'] = [{ field: 'name', direction: 'asc' }, ...near.sorts]
  t.same(await read(ada, {}, { sorts: byName }), { list: false, count: [4, false], length: 4 })
  t.same(await read(system, { owner: 'ada' }, { sorts: byName }), { list: false, count: [4, false], length: 4 })
  t.same(
    await read(system, {}, { sorts: byName }),
    { list: true, count: [4, false], length: 4 },
    'no index has them all'
  )
  const mixed: Slice['sorts'] = [{ field: 'name', direction: 'desc' }, ...near.sorts]
  t.equal((await read(ada, {}, { sorts: mixed })).list, true, 'graphs with equal names are sorted')

  const versions = async (slice: Partial<Slice>) => {
    await listVersions(reader, 1, { ...near, sorts: [{ field: 'version', direction: 'desc' }], ...slice })
    return scanned()
  }
  t.same([await versions({}), await versions({ offset: 1000 })], [false, false])
  t.same(
    [await versions({ offset: 1001 }), await versions({ sorts: [{ field: 'name', direction: 'asc' }] })],
    [true, true]
  )

  const users = async (slice: Partial<Slice>) => {
    await listUsers(reader, { ...near, ...slice })
    return scanned()
  }
  t.same([await users({}), await users({ offset: 1000 })], [false, false])
  t.same([await users({ offset: 1001 }), await users({ sorts: [{ field: 'login', direction: 'asc' }] })], [true, true])
})
