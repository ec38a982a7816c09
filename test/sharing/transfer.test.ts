import t from 'tap'
import { events, problem, triangle } from '../support/helper.ts'
import { access, grantsOf, prepare } from '../support/sharing.ts'

// Transferring a graph to another owner with PATCH.

const graph = '/api/graphs/1'

t.test('a transferred graph belongs to the new owner, and the former owner keeps no rights', async (t) => {
  const { as, store } = await prepare(t)
  const [ada, bob] = [as('ada'), as('bob')]
  const before = (await ada.get(graph)).body
  const handed = await ada.patch(graph, { owner: 'bob' })
  t.match(
    handed,
    { status: 200, body: { owner: 'bob', version: 2, access: 'READ' } },
    'the response still shows the graph'
  )
  const { body } = await bob.get(graph)
  const { updatedAt, ...rest } = before
  t.match(body.updatedAt, /Z$/)
  t.same({ ...body, updatedAt }, { ...rest, updatedAt, owner: 'bob', version: 2 }, 'everything else is unchanged')
  const missing = problem(404, 'graph-not-found')
  t.match(await ada.get(graph, { 'if-none-match': handed.headers.etag ?? '' }), missing)
  // test/attacks/former-reader.test.ts compares every other response.
  t.match(await ada.patch(graph, { owner: 'ada' }), missing, 'the former owner cannot take the graph back')
  t.match((await bob.get('/api/graphs?access=OWNER')).body, [{ id: 1 }])
  const usageOf = async (login: string) => (await as(login).get('/api/account')).headers['graphstead-usage']
  t.same([await usageOf('ada'), await usageOf('bob')], ['graphs=0, bytes=0', 'graphs=1, bytes=224'])
  const [transferred, ...others] = await events(store, 'GRAPH_TRANSFERRED')
  const { principal, targetId, targetVersion, data } = transferred ?? {}
  t.same([principal, targetId, targetVersion, others], ['ada', 1, 2, []])
  t.same(data, { 'owner.old': 'ada', 'owner.new': 'bob', 'version.old': '1', 'version.new': '2' })
  t.equal((await events(store, 'GRAPH_UPDATED')).length, 0)
})

t.test('the former owner keeps rights from sharing and grants', async (t) => {
  const { as } = await prepare(t)
  const [ada, cy, root] = [as('ada'), as('cy'), as('root')]
  await ada.put(`${access}/groups/lab`, { access: 'WRITE' })
  await root.put('/api/groups/lab/members/ada')
  t.match((await ada.get(graph)).body, { access: 'OWNER' })
  const handed = await ada.patch(graph, { owner: 'bob' })
  t.match(handed, { status: 200, body: { access: 'WRITE' } })
  t.same((await ada.get(graph)).body, handed.body)
  t.equal((await ada.get(graph)).headers.etag, handed.headers.etag)
  t.match((await cy.get(graph)).body, { access: 'WRITE', owner: 'bob' }, 'other grants are kept')
  t.match(await ada.patch(graph, { owner: 'ada' }), problem(403, 'forbidden'))
  t.match(await ada.get(access), problem(403, 'forbidden'))
  await as('bob').patch(graph, { shared: true })
  await root.delete('/api/groups/lab/members/ada')
  t.match((await ada.get(graph)).body, { access: 'READ', shared: true })
  t.match((await ada.get('/api/mygraphs')).body, [{ id: 1, access: 'READ' }])
})

t.test("the new owner's grant ends with the transfer, and does not return with another transfer", async (t) => {
  const { as, store } = await prepare(t)
  const [ada, bob, cy, root] = [as('ada'), as('bob'), as('cy'), as('root')]
  await ada.put(`${access}/users/bob`, { access: 'WRITE' })
  await ada.put(`${access}/users/cy`, { access: 'READ' })
  const counts = async () =>
    (await Promise.all([bob, cy].map(({ get }) => get('/api/graphs')))).map(({ headers }) => headers['x-total-count'])
  t.same(await counts(), ['1', '1'])
  t.equal((await ada.patch(graph, { owner: 'bob' })).status, 200)
  t.same(await counts(), ['1', '1'], 'the graph is counted once')
  t.match((await bob.get(access)).body, [{ user: 'cy', access: 'READ', createdBy: 'ada' }])
  t.same(await grantsOf(store), [{ graphId: 1, granteeType: 'USER', access: 'READ' }])
  t.match(await bob.put(`${access}/users/bob`, { access: 'READ' }), problem(400, 'grant-to-owner'))
  t.equal((await root.patch(graph, { owner: 'cy' })).status, 200)
  t.same(await counts(), ['0', '1'])
  t.match(await bob.get(graph), problem(404, 'graph-not-found'))
  t.same(await grantsOf(store), [])
})

t.test('only the owner and administrators can transfer a graph, and only to a user', async (t) => {
  const { as, store } = await prepare(t)
  const [ada, root] = [as('ada'), as('root')]
  await ada.put(`${access}/users/bob`, { access: 'WRITE' })
  await ada.put(`${access}/groups/lab`, { access: 'READ' })
  for (const owner of ['bob', 'cy', 'nobody', 'lab']) {
    t.match(await as('bob').patch(graph, { owner }), problem(403, 'forbidden'), `a writer, to ${owner}`)
    t.match(await as('cy').patch(graph, { owner }), problem(403, 'forbidden'), `a reader, to ${owner}`)
    t.match(await as('eve').patch(graph, { owner }), problem(404, 'graph-not-found'), `a stranger, to ${owner}`)
  }
  const fault = { pointer: '#/owner', code: 'user-not-found', detail: 'is not the login of a user' }
  const unknown = problem(404, 'user-not-found', [fault])
  for (const owner of ['nobody', 'lab']) {
    t.match(await ada.patch(graph, { owner, name: 'Other' }), unknown, owner)
  }
  for (const owner of ['', 'Bob', 'a b', null, 5, 'x'.repeat(65)]) {
    t.match(await ada.patch(graph, { owner }), problem(400, 'validation-failed', [{ pointer: '#/owner' }]), `${owner}`)
  }
  t.match(
    await ada.patch(graph, { owner: 'ada' }),
    { status: 200, body: { version: 1 } },
    'transferring to the current owner is not a change'
  )
  const stale = { 'if-match': '"other"' }
  t.match(await ada.patch(graph, { owner: 'bob' }, stale), problem(412, 'precondition-failed'))
  t.match(await ada.patch(graph, { owner: 'bob', version: 7 }), problem(409, 'version-conflict'))
  t.match((await ada.get(graph)).body, { owner: 'ada', name: 'Triangle', version: 1 })
  t.match(await ada.put('/api/graphs', { id: 1, name: 'Put', owner: 'bob' }), { status: 200, body: { owner: 'ada' } })
  t.same(await events(store, 'GRAPH_TRANSFERRED'), [])
  t.match(await root.patch(graph, { owner: 'eve', name: 'Now', shared: true, message: 'For eve' }), {
    status: 200,
    body: { owner: 'eve', name: 'Now', shared: true, access: 'OWNER', version: 3 }
  })
  const version = { 'version.old': '2', 'version.new': '3', message: 'For eve' }
  const all = (await events(store)).filter(({ targetVersion }) => targetVersion === 3)
  t.same(
    all.map(({ type, principal, data }) => [type, principal, data]),
    [
      ['GRAPH_UPDATED', 'root', { 'name.old': 'Put', 'name.new': 'Now', ...version }],
      ['GRAPH_SHARED', 'root', { 'shared.old': 'false', 'shared.new': 'true', ...version }],
      ['GRAPH_TRANSFERRED', 'root', { 'owner.old': 'ada', 'owner.new': 'eve', ...version }]
    ]
  )
})

t.test('the new owner needs enough quota', async (t) => {
  const { as, store } = await prepare(t, {}, { userGraphs: 2 })
  for (const _ of [1, 2]) await as('bob').post('/api/graphs', triangle)
  for (const login of ['ada', 'root']) {
    t.match(await as(login).patch(graph, { owner: 'bob' }), problem(507, 'quota-exceeded'), login)
  }
  t.match((await as('ada').get(graph)).body, { owner: 'ada', version: 1 })
  t.same(await events(store, 'GRAPH_TRANSFERRED'), [])
  await as('bob').delete('/api/graphs/2')
  t.match(
    await as('ada').patch(graph, { owner: 'bob' }),
    problem(507, 'quota-exceeded'),
    'the trash counts towards the quota'
  )
  await as('bob').delete('/api/trash/2')
  t.equal((await as('ada').patch(graph, { owner: 'bob' })).status, 200)

  const sized = (letter: string, size: number) => ({
    name: 'Sized',
    content: { nodes: [{ id: 'n', metadata: { text: letter.repeat(size) } }], edges: [] }
  })
  const small = await prepare(t, sized('x', 500), { userQuota: '1000' })
  await small.as('bob').post('/api/graphs', sized('y', 700))
  t.match(await small.as('ada').patch(graph, { owner: 'bob' }), problem(507, 'quota-exceeded'))
  t.equal((await small.as('ada').patch(graph, { owner: 'eve' })).status, 200)
  t.match(
    await small.as('eve').post('/api/graphs', sized('z', 700)),
    problem(507, 'quota-exceeded'),
    'the transferred bytes count for the new owner'
  )
  const another = await small.as('ada').post('/api/graphs', sized('z', 700))
  t.equal(another.status, 201, 'the transferred bytes no longer count for the former owner')
})

t.test('a user who has transferred all graphs can be deleted, and the graphs and their grants remain', async (t) => {
  const { as } = await prepare(t)
  const [ada, bob, cy, root] = [as('ada'), as('bob'), as('cy'), as('root')]
  await ada.put(`${access}/groups/lab`, { access: 'READ' })
  await ada.patch(graph, { name: 'Second' })
  t.match(await root.delete('/api/users/ada'), { status: 409 }, 'a user who owns graphs cannot be deleted')
  t.equal((await root.patch(graph, { owner: 'bob' })).status, 200)
  t.equal((await root.delete('/api/users/ada')).status, 204)
  t.match((await bob.get(graph)).body, { owner: 'bob', access: 'OWNER' })
  t.match((await bob.get(`${graph}/versions/1`)).body, { name: 'Triangle', owner: 'bob' })
  t.same(
    (await bob.get(`${graph}/versions`)).body.map(({ principal }: { principal: string }) => principal),
    ['root', 'ada', 'ada'],
    'versions keep their authors'
  )
  t.match((await bob.get(access)).body, [{ group: 'lab', createdBy: 'ada' }])
  t.match((await cy.get(graph)).body, { access: 'READ' })
  t.equal((await bob.post(`${graph}/restore`, { version: 1 })).status, 200)
})
