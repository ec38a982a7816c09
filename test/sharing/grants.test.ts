import t from 'tap'
import type { Store } from '../../db/store.ts'
import { MAX_GRANTS } from '../../schemas/grant.ts'
import { events, problem } from '../support/helper.ts'
import { access, grantsOf, prepare } from '../support/sharing.ts'

/** Returns the events about grants, without their times and requests. */
async function told(store: Store) {
  const all = [...(await events(store, 'GRAPH_ACCESS_GRANTED')), ...(await events(store, 'GRAPH_ACCESS_REVOKED'))]
  return all
    .sort((a, b) => a.id - b.id)
    .map(({ id: _, timestamp: __, request, ...event }) => ({ ...event, route: request?.route }))
}

t.test('grants are listed with their creators: first to groups, then to users, each by name', async (t) => {
  const { as, tokenOf } = await prepare(t)
  const [ada, root] = [as('ada'), as('root')]
  t.same((await ada.get(access)).body, [], 'there are no grants at first')
  for (const login of ['b.b', 'b-b', 'b_b', 'b@b', 'bb']) await tokenOf(login)
  await root.post('/api/groups', { name: 'a-hall' })
  for (const path of ['users/b_b', 'users/bb', 'groups/lab', 'users/b-b', 'users/b@b', 'users/b.b']) {
    t.match(await ada.put(`${access}/${path}`, { access: 'READ' }), { status: 204, text: '' })
  }
  t.equal((await root.put(`${access}/groups/a-hall`, { access: 'WRITE' })).status, 204)
  const { status, headers, body } = await ada.get(access)
  t.equal(status, 200)
  t.match(headers, { 'content-type': /^application\/json/, 'cache-control': 'no-store' })
  const by = (createdBy: string, access: string) => ({ access, createdBy })
  t.same(
    body.map(({ createdAt, ...grant }: { createdAt: string }) => {
      t.match(createdAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
      return grant
    }),
    [
      { group: 'a-hall', ...by('root', 'WRITE') },
      { group: 'lab', ...by('ada', 'READ') },
      ...['b-b', 'b.b', 'b@b', 'b_b', 'bb'].map((user) => ({ user, ...by('ada', 'READ') }))
    ]
  )
  t.same((await root.get(access)).body, body, 'administrators get the same list')
})

t.test('granting and revoking are idempotent, and each change is one event', async (t) => {
  const { as, store } = await prepare(t)
  const [ada, root] = [as('ada'), as('root')]
  const both = [
    { path: 'users/bob', named: { user: 'bob' }, route: 'users/{login}' },
    { path: 'groups/lab', named: { group: 'lab' }, route: 'groups/{name}' }
  ]
  const expected: object[] = []
  for (const { path, named, route } of both) {
    const told = (type: string, principal: string, data: object) =>
      expected.push({
        type,
        principal,
        outcome: 'SUCCESS',
        targetType: 'GRAPH',
        targetId: 1,
        targetName: 'Triangle',
        targetVersion: null,
        data: { ...named, ...data },
        route: `/api/graphs/{id}/access/${route}`
      })
    const url = `${access}/${path}`
    t.equal((await ada.delete(url)).status, 204, 'revoking a missing grant succeeds')
    for (const _ of [1, 2]) t.equal((await ada.put(url, { access: 'READ' })).status, 204)
    told('GRAPH_ACCESS_GRANTED', 'ada', { 'access.new': 'READ' })
    const [made] = (await ada.get(access)).body
    for (const _ of [1, 2]) t.equal((await root.put(url, { access: 'WRITE' })).status, 204)
    told('GRAPH_ACCESS_GRANTED', 'root', { 'access.old': 'READ', 'access.new': 'WRITE' })
    const changed = (await ada.get(access)).body
    t.match(changed, [{ ...named, access: 'WRITE', createdBy: 'root' }], 'the new grant replaces the previous one')
    t.ok(changed[0].createdAt >= made.createdAt)
    for (const _ of [1, 2]) t.match(await ada.delete(url), { status: 204, text: '' })
    told('GRAPH_ACCESS_REVOKED', 'ada', { 'access.old': 'WRITE' })
    t.same((await ada.get(access)).body, [])
  }
  t.same(await told(store), expected)
  t.match((await ada.get('/api/graphs/1')).body, { version: 1 }, 'grants create no version')
})

t.test('only the owner and administrators can read and change grants', async (t) => {
  const { as, store } = await prepare(t)
  const ada = as('ada')
  await ada.put(`${access}/users/bob`, { access: 'WRITE' })
  await ada.put(`${access}/groups/lab`, { access: 'READ' })
  const requests = (login: string) => [
    as(login).get(access),
    as(login).put(`${access}/users/eve`, { access: 'READ' }),
    as(login).put(`${access}/users/nobody`, { access: 'READ' }),
    as(login).put(`${access}/users/${login}`, { access: 'WRITE' }),
    as(login).put(`${access}/groups/lab`, { access: 'WRITE' }),
    as(login).delete(`${access}/users/${login}`),
    as(login).delete(`${access}/groups/lab`)
  ]
  const before = (await ada.get(access)).body
  const forbidden = {
    ...problem(403, 'forbidden'),
    body: { detail: 'Only the owner and administrators can share, transfer or delete this graph.' }
  }
  for (const login of ['bob', 'cy']) {
    for (const reply of await Promise.all(requests(login))) t.match(reply, forbidden, login)
  }
  const missing = problem(404, 'graph-not-found')
  for (const login of ['eve', 'audrey']) {
    for (const reply of await Promise.all(requests(login))) t.match(reply, missing, login)
  }
  await ada.patch('/api/graphs/1', { shared: true })
  for (const reply of await Promise.all(requests('eve')))
    t.match(reply, forbidden, 'sharing gives no right to manage grants')
  t.same((await ada.get(access)).body, before, 'the grants are unchanged')
  t.equal((await told(store)).length, 2)
})

t.test('invalid grants are refused: unknown users, groups and graphs, the owner, and malformed bodies', async (t) => {
  const { as, store } = await prepare(t)
  const ada = as('ada')
  const read = { access: 'READ' }
  for (const send of [(url: string) => ada.put(url, read), (url: string) => ada.delete(url)]) {
    for (const name of ['nobody', 'Bob', 'lab', '%20bob', '%00', '%F0%9F%9C%81', 'x'.repeat(99)]) {
      t.match(await send(`${access}/users/${name}`), problem(404, 'user-not-found'), name)
    }
    for (const name of ['nobody', 'Lab', 'bob', '%00']) {
      t.match(await send(`${access}/groups/${name}`), problem(404, 'group-not-found'), name)
    }
    for (const id of ['2', '9007199254740993']) {
      t.match(await send(`/api/graphs/${id}/access/users/bob`), problem(404, 'graph-not-found'), id)
    }
    for (const id of ['one', '0', '-1', '99999999999999999999']) {
      t.match(await send(`/api/graphs/${id}/access/users/bob`), problem(400, 'validation-failed'), id)
    }
    t.match(
      await send(`${access}/users/bob?access=WRITE`),
      problem(400, 'validation-failed'),
      'no parameters are allowed'
    )
  }
  t.match(await ada.put(`${access}/users/ada`, read), problem(400, 'grant-to-owner'))
  t.match(await as('root').put(`${access}/users/ada`, { access: 'WRITE' }), problem(400, 'grant-to-owner'))
  t.equal((await ada.delete(`${access}/users/ada`)).status, 204, 'revoking a grant of the owner succeeds')
  const faults: [unknown, string, string][] = [
    [{}, '#/access', 'required'],
    [{ access: 'OWNER' }, '#/access', 'not-allowed'],
    [{ access: 'read' }, '#/access', 'not-allowed'],
    [{ access: null }, '#/access', 'wrong-type'],
    [{ access: ['READ'] }, '#/access', 'wrong-type'],
    [{ ...read, user: 'bob' }, '#/user', 'unknown-field'],
    ['[]', '#', 'wrong-type'],
    ['"READ"', '#', 'wrong-type']
  ]
  for (const [body, pointer, code] of faults) {
    const reply = await ada.put(`${access}/users/bob`, body)
    t.match(reply, problem(400, 'validation-failed', [{ pointer, code }]), JSON.stringify(body))
  }
  t.match(await ada.put(`${access}/users/bob`), problem(400, 'validation-failed'), 'a missing body is refused')
  t.same([await grantsOf(store), await told(store)], [[], []], 'no grant and no event was created')
  await as('root').post('/api/groups', { name: 'ada' })
  t.match(await ada.put(`${access}/groups/ada`, read), { status: 204 }, 'a group may have the same name as the owner')
})

t.test('WRITE allows changes to fields, tags and content, but not to fields reserved for the owner', async (t) => {
  const { as, store } = await prepare(t, { shared: false })
  await as('ada').put(`${access}/users/bob`, { access: 'WRITE' })
  await as('ada').put(`${access}/groups/lab`, { access: 'WRITE' })
  for (const login of ['bob', 'cy']) {
    const client = as(login)
    t.match((await client.get('/api/graphs/1')).body, { access: 'WRITE', owner: 'ada' })
    t.match(await client.patch('/api/graphs/1', { name: `By ${login}`, tags: ['x'] }), {
      status: 200,
      body: { access: 'WRITE', owner: 'ada', name: `By ${login}`, tags: ['x'], shared: false }
    })
    t.match(await client.put('/api/graphs', { id: 1, name: 'Put', shared: false, content: null }), {
      status: 200,
      body: { access: 'WRITE', owner: 'ada', nodeCount: 0 }
    })
    const before = (await as('ada').get('/api/graphs/1')).body
    const refused = [
      client.patch('/api/graphs/1', { shared: true }),
      client.patch('/api/graphs/1', { name: 'Mine', owner: login }),
      client.patch('/api/graphs/1', { owner: 'nobody' }),
      client.put('/api/graphs', { id: 1, name: 'Mine', shared: true }),
      client.delete('/api/graphs/1')
    ]
    for (const reply of await Promise.all(refused)) t.match(reply, problem(403, 'forbidden'))
    t.same((await as('ada').get('/api/graphs/1')).body, before, 'the graph is unchanged')
    const same = await client.patch('/api/graphs/1', { owner: 'ada', shared: false })
    t.equal(same.status, 200, 'unchanged values are accepted')
    t.match(await client.post('/api/graphs/1/restore', { version: 1 }), { status: 200, body: { access: 'WRITE' } })
    await as('ada').patch('/api/graphs/1', { tags: null, name: 'Triangle' })
  }
  t.same(await events(store, 'GRAPH_SHARED'), [])
})

t.test(
  'a writer who omits `shared` leaves it unchanged, even when restoring a version with another value',
  async (t) => {
    const { as, store } = await prepare(t, { shared: false })
    const [ada, bob] = [as('ada'), as('bob')]
    await ada.put(`${access}/users/bob`, { access: 'WRITE' })
    await ada.patch('/api/graphs/1', { shared: true })
    t.match(await bob.put('/api/graphs', { id: 1, name: 'Put' }), { status: 200, body: { shared: true, version: 3 } })
    t.match(await bob.put('/api/graphs', { id: 1, name: 'Put', shared: false }), problem(403, 'forbidden'))
    t.match(await bob.post('/api/graphs/1/restore', { version: 1 }), {
      status: 200,
      body: { name: 'Triangle', shared: true, access: 'WRITE', version: 4 }
    })
    t.equal((await as('eve').get('/api/graphs/1')).status, 200, 'everyone can still see the graph')
    await ada.patch('/api/graphs/1', { shared: false })
    t.match(await bob.post('/api/graphs/1/restore', { version: 2 }), { status: 200, body: { shared: false } })
    t.match(
      await as('eve').get('/api/graphs/1'),
      problem(404, 'graph-not-found'),
      'restoring a version does not share the graph'
    )
    t.match(
      await ada.post('/api/graphs/1/restore', { version: 2 }),
      { status: 200, body: { shared: true } },
      'owners can change `shared`'
    )
    t.match(await ada.put('/api/graphs', { id: 1, name: 'Put' }), { status: 200, body: { shared: false } })
    const types = ['GRAPH_SHARED', 'GRAPH_UNSHARED'] as const
    const byOthers = (await Promise.all(types.map((type) => events(store, type)))).flat()
    t.same([...new Set(byOthers.map(({ principal }) => principal))], ['ada'])
    t.same((await grantsOf(store)).length, 1, 'restoring a version neither adds nor removes grants')
  }
)

t.test('the highest of several grants applies, also after another grant is revoked', async (t) => {
  const { as } = await prepare(t)
  const [ada, cy, root] = [as('ada'), as('cy'), as('root')]
  await root.post('/api/groups', { name: 'hall' })
  await root.put('/api/groups/hall/members/cy')
  const seen = async () => {
    const one = await cy.get('/api/graphs/1')
    const list = await cy.get('/api/graphs')
    const mine = await cy.get('/api/mygraphs')
    const rights = ['OWNER', 'WRITE', 'READ'].map((right) => cy.get(`/api/graphs?access=${right}`))
    const filtered = (await Promise.all(rights)).flatMap(({ body }) => body)
    const all = [one.body, ...list.body, ...mine.body, ...filtered].map(({ access }) => access)
    t.equal(list.headers['x-total-count'], String(list.body.length))
    return { status: one.status, all: all.filter((access) => access !== undefined) }
  }
  const four = (access: string) => ({ status: 200, all: Array(4).fill(access) })
  await ada.put(`${access}/users/cy`, { access: 'READ' })
  t.same(await seen(), four('READ'))
  await ada.put(`${access}/groups/lab`, { access: 'WRITE' })
  t.same(await seen(), four('WRITE'))
  await ada.put(`${access}/groups/hall`, { access: 'READ' })
  t.same(await seen(), four('WRITE'))
  await ada.patch('/api/graphs/1', { shared: true })
  t.same(await seen(), four('WRITE'), 'sharing does not lower the right')
  await ada.patch('/api/graphs/1', { shared: false })
  await root.delete('/api/groups/lab/members/cy')
  t.same(await seen(), four('READ'))
  await ada.delete(`${access}/users/cy`)
  t.same(await seen(), four('READ'), 'the right comes from the other group')
  await ada.delete(`${access}/groups/hall`)
  t.same(await seen(), { status: 404, all: [] })
})

t.test('a graph has a limited number of grants, and existing ones can still be changed', async (t) => {
  const { as, store } = await prepare(t)
  const ada = as('ada')
  await ada.put(`${access}/users/bob`, { access: 'READ' })
  const values = { access: 'READ', listed: true, createdAt: '', createdBy: 'ada' } as const
  const row = { graphId: 1, granteeType: 'USER', ...values } as const
  const fill = (from: number, count: number) =>
    store.write((trx) =>
      trx
        .insertInto('graphGrant')
        .values(Array.from({ length: count }, (_, index) => ({ ...row, granteeId: from + index })))
        .execute()
    )
  for (let made = 1; made < MAX_GRANTS - 1; made += 100) await fill(10_000 + made, Math.min(100, MAX_GRANTS - 1 - made))
  t.equal((await ada.put(`${access}/groups/lab`, { access: 'READ' })).status, 204, 'the last grant is allowed')
  t.equal((await grantsOf(store)).length, MAX_GRANTS)
  t.match(await ada.put(`${access}/users/eve`, { access: 'READ' }), {
    ...problem(409, 'too-many-grants'),
    body: { detail: 'A graph can be granted to at most 1000 people and groups. Use a group instead.' }
  })
  t.equal((await ada.put(`${access}/users/bob`, { access: 'WRITE' })).status, 204)
  await ada.delete(`${access}/groups/lab`)
  t.equal((await ada.put(`${access}/users/eve`, { access: 'READ' })).status, 204, 'there is room again')
})
