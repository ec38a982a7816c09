import t from 'tap'
import { removeOrphanedGrants } from '../../db/graphs/listed-grants.ts'
import type { Store } from '../../db/store.ts'
import { REMOVED_AT_ONCE } from '../../db/store.ts'
import { requireUser } from '../../db/users/users.ts'
import { events, problem, proven } from '../support/helper.ts'
import { access, grantsOf, prepare } from '../support/sharing.ts'

// Grants end with their graphs, users and groups, and do not pass to later ones with the same name.

t.test(
  'a trashed graph is visible only to its owner; its grants return when it is restored and end when it is deleted',
  async (t) => {
    const { as, store } = await prepare(t)
    const [ada, bob, cy] = [as('ada'), as('bob'), as('cy')]
    await ada.put(`${access}/users/bob`, { access: 'WRITE' })
    await ada.put(`${access}/groups/lab`, { access: 'READ' })
    await ada.delete('/api/graphs/1')
    for (const client of [bob, cy]) {
      t.match(await client.get('/api/graphs/1'), problem(404, 'graph-not-found'))
      for (const list of ['/api/graphs', '/api/mygraphs', '/api/trash', '/api/trash?access=WRITE', '/api/tags']) {
        t.same((await client.get(list)).body, [], list)
      }
      t.match(await client.post('/api/trash/1/restore'), problem(404, 'graph-not-found'))
      t.match(await client.delete('/api/trash/1'), problem(404, 'graph-not-found'))
    }
    t.match(await ada.get(access), problem(404, 'graph-not-found'))
    t.match(await ada.put(`${access}/users/eve`, { access: 'READ' }), problem(404, 'graph-not-found'))
    t.match(await ada.delete(`${access}/users/bob`), problem(404, 'graph-not-found'))
    t.match((await as('root').get('/api/groups/lab')).body, { graphCount: 1 }, 'grants of trashed graphs are counted')
    await ada.post('/api/trash/1/restore')
    t.match((await bob.get('/api/graphs')).body, [{ id: 1, access: 'WRITE' }])
    t.match((await cy.get('/api/graphs')).body, [{ id: 1, access: 'READ' }])
    await ada.delete('/api/graphs/1')
    await ada.delete('/api/trash/1')
    t.same(await grantsOf(store), [], 'a permanently deleted graph has no grants')
    t.match((await as('root').get('/api/groups/lab')).body, { graphCount: 0 })
  }
)

/** Returns request headers for a user who may have been recreated. */
async function headersOf({ app, store }: Awaited<ReturnType<typeof prepare>>, login: string) {
  const user = await requireUser(store.read, login)
  return { authorization: `Bearer ${app.issueToken(user, false).token}` }
}

t.test('a later user with the same login gets none of the grants', async (t) => {
  const server = await prepare(t)
  const { as } = server
  const root = as('root')
  await as('ada').put(`${access}/users/bob`, { access: 'WRITE' })
  await root.put('/api/groups/lab/members/bob')
  t.equal((await root.delete('/api/users/bob')).status, 204)
  t.same((await as('ada').get(access)).body, [])
  const user = { login: 'bob', password: 'a new one for all', role: 'USER', ...proven }
  t.equal((await root.post('/api/users', user)).status, 201)
  const headers = await headersOf(server, 'bob')
  t.match(await as().get('/api/graphs/1', headers), problem(404, 'graph-not-found'))
  t.same((await as().get('/api/account', headers)).body.groups, [])
  const list = await as().get('/api/graphs', headers)
  t.same([list.body, list.headers['x-total-count']], [[], '0'])
  t.same((await root.get('/api/groups/lab')).body.members, ['cy'])
})

t.test('a later group with the same name gets none of the grants, and a renamed group keeps them', async (t) => {
  const { as, store } = await prepare(t)
  const [ada, cy, root] = [as('ada'), as('cy'), as('root')]
  await ada.put(`${access}/groups/lab`, { access: 'WRITE' })
  t.match(await root.patch('/api/groups/lab', { name: 'hall' }), { status: 200, body: { name: 'hall' } })
  t.match((await cy.get('/api/graphs/1')).body, { access: 'WRITE' })
  t.match((await cy.get('/api/account')).body.groups, ['hall'])
  t.match((await ada.get(access)).body, [{ group: 'hall', access: 'WRITE' }])
  t.match(await ada.delete(`${access}/groups/lab`), problem(404, 'group-not-found'))
  await root.post('/api/groups', { name: 'lab' })
  await root.put('/api/groups/lab/members/bob')
  t.match(await as('bob').get('/api/graphs/1'), problem(404, 'graph-not-found'), 'the old name gives no access')
  t.equal((await root.delete('/api/groups/hall')).status, 204)
  t.match(await cy.get('/api/graphs/1'), problem(404, 'graph-not-found'))
  await root.post('/api/groups', { name: 'hall' })
  await root.put('/api/groups/hall/members/cy')
  t.match(await cy.get('/api/graphs/1'), problem(404, 'graph-not-found'))
  t.same((await cy.get('/api/graphs')).headers['x-total-count'], '0')
  t.same((await ada.get(access)).body, [])
  t.match((await root.get('/api/groups/hall')).body, { members: ['cy'], graphCount: 0 })
  t.same(await grantsOf(store), [])
})

/** Grants the grantee access to this many of ada's other private graphs. */
async function grantMany(store: Store, count: number, granteeType: 'USER' | 'GROUP', granteeId: number) {
  await store.write(async (trx) => {
    const { id: _, ...graph } = await trx.selectFrom('graph').selectAll().where('id', '=', 1).executeTakeFirstOrThrow()
    for (let made = 0; made < count; made += 20) {
      const rows = Array.from({ length: Math.min(20, count - made) }, () => ({ ...graph, shared: false }))
      const added = await trx.insertInto('graph').values(rows).returning('id').execute()
      const grant = { granteeType, granteeId, access: 'WRITE', listed: true, createdAt: '', createdBy: 'ada' } as const
      await trx
        .insertInto('graphGrant')
        .values(added.map(({ id }) => ({ graphId: id, ...grant })))
        .execute()
    }
  })
}

t.test('grants left behind by a deletion have no effect, and housekeeping removes them', async (t) => {
  const server = await prepare(t)
  const { as, store } = server
  const root = as('root')
  const bob = await store.read.selectFrom('user').selectAll().where('login', '=', 'bob').executeTakeFirstOrThrow()
  const lab = await store.read.selectFrom('group').selectAll().executeTakeFirstOrThrow()
  const many = REMOVED_AT_ONCE + 20
  await grantMany(store, many, 'USER', bob.id)
  await grantMany(store, many, 'GROUP', lab.id)
  const seen = async (headers: Record<string, string>) => {
    const { body, headers: told } = await as().get('/api/graphs?size=1000', headers)
    return [body.length, told['x-total-count']]
  }
  for (const login of ['bob', 'cy']) t.same(await seen(await headersOf(server, login)), [many, String(many)])

  await root.delete('/api/users/bob')
  await root.delete('/api/groups/lab')
  t.equal((await grantsOf(store)).length, 40, 'some grants are left for housekeeping')
  await root.post('/api/users', { login: 'bob', password: 'a new one for all', role: 'USER', ...proven })
  await root.post('/api/groups', { name: 'lab' })
  for (const login of ['bob', 'cy']) {
    await root.put(`/api/groups/lab/members/${login}`)
    t.same(await seen(await headersOf(server, login)), [0, '0'], `${login} has no grants`)
    for (const { graphId } of await grantsOf(store)) {
      const { status } = await as().get(`/api/graphs/${graphId}`, await headersOf(server, login))
      if (status !== 404) t.fail(`${login} sees ${graphId}`)
    }
  }
  const { graphId } = (await grantsOf(store))[0] ?? { graphId: 0 }
  t.same((await root.get(`/api/graphs/${graphId}/access`)).body, [], 'the remaining grants are not listed')

  // No group has the id of this user, and no user has the id of this group.
  for (let number = 3; number < 10; number++) {
    await root.delete(`/api/groups/g${number - 1}`)
    await root.post('/api/groups', { name: `g${number}` })
  }
  const kept = ['users/eve', 'groups/g9']
  for (const grantee of kept) await as('ada').put(`${access}/${grantee}`, { access: 'READ' })
  const before = (await events(store)).length
  let runs = 0
  while (await store.write(removeOrphanedGrants)) runs++
  t.equal(runs, 2, 'one run each for the user and the group')
  t.match((await as('ada').get(access)).body, [{ group: 'g9' }, { user: 'eve' }])
  t.equal((await grantsOf(store)).length, kept.length)
  t.equal((await events(store)).length, before, 'housekeeping records no event')
})
