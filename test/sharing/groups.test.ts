import t from 'tap'
import type { Store } from '../../db/store.ts'
import { MAX_MEMBERS } from '../../schemas/group.ts'
import { build, events, nextOf, problem } from '../support/helper.ts'
import { access, prepare } from '../support/sharing.ts'

/** Returns the events about groups, without their times and requests. */
async function told(store: Store) {
  const all = await events(store)
  return all
    .filter(({ type }) => type.startsWith('GROUP_'))
    .map(({ type, principal, outcome, targetType, targetId, targetName, data }) => {
      return { type, by: principal, outcome, target: [targetType, targetId, targetName], data }
    })
}

const done = (type: string, id: number, name: string, data: object) => {
  return { type, by: 'root', outcome: 'SUCCESS', target: ['GROUP', id, name], data }
}

t.test('administrators create, change and delete groups, and each change is one event', async (t) => {
  const { as, store } = await build(t)
  const root = as('root')
  const created = await root.post('/api/groups', { name: 'lab', description: 'Second floor' })
  t.match(created, { status: 201, headers: { location: '/api/groups/lab' } })
  const { createdAt, updatedAt, ...group } = created.body
  t.same(group, { id: 1, name: 'lab', description: 'Second floor' })
  t.match(createdAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  t.equal(updatedAt, createdAt)
  t.same((await root.get('/api/groups/lab')).body, { ...created.body, members: [], graphCount: 0 })
  const bare = await root.post('/api/groups', { name: 'bare', description: null })
  t.same(Object.keys(bare.body).sort(), ['createdAt', 'id', 'name', 'updatedAt'])

  t.match((await root.patch('/api/groups/lab', {})).body, created.body, 'an empty patch changes nothing')
  t.match((await root.patch('/api/groups/lab', { name: 'lab', description: 'Second floor' })).body, created.body)
  t.match(await root.patch('/api/groups/lab', { name: 'hall' }), {
    status: 200,
    body: { id: 1, name: 'hall', description: 'Second floor', createdAt }
  })
  t.notOk('description' in (await root.patch('/api/groups/hall', { description: null })).body)
  t.match(await root.get('/api/groups/lab'), problem(404, 'group-not-found'))
  const sent = (await root.get('/api/groups/hall')).body
  t.match(await root.patch('/api/groups/hall', sent), { status: 200 }, 'a fetched group can be sent back')
  t.match(await root.delete('/api/groups/hall'), { status: 204, text: '' })
  t.match(await root.delete('/api/groups/hall'), problem(404, 'group-not-found'))
  t.match((await root.post('/api/groups', { name: 'hall' })).body, { id: 3 }, 'ids are never reused')
  t.same(await told(store), [
    done('GROUP_CREATED', 1, 'lab', { 'name.new': 'lab', 'description.new': 'Second floor' }),
    done('GROUP_CREATED', 2, 'bare', { 'name.new': 'bare' }),
    done('GROUP_UPDATED', 1, 'hall', { 'name.old': 'lab', 'name.new': 'hall' }),
    done('GROUP_UPDATED', 1, 'hall', { 'description.old': 'Second floor' }),
    done('GROUP_DELETED', 1, 'hall', { 'name.old': 'hall' }),
    done('GROUP_CREATED', 3, 'hall', { 'name.new': 'hall' })
  ])
})

t.test('members are added and removed once each, and grants to the group apply to the next request', async (t) => {
  const { as, store } = await prepare(t)
  const [ada, bob, root] = [as('ada'), as('bob'), as('root')]
  await ada.put(`${access}/groups/lab`, { access: 'WRITE' })
  t.match(await bob.get('/api/graphs/1'), problem(404, 'graph-not-found'))
  for (const _ of [1, 2]) t.match(await root.put('/api/groups/lab/members/bob'), { status: 204, text: '' })
  t.match(await bob.get('/api/graphs/1'), { status: 200, body: { access: 'WRITE' } })
  t.same((await bob.get('/api/account')).body.groups, ['lab'])
  t.match((await bob.get('/api/groups/lab')).body, { name: 'lab', members: ['bob', 'cy'] })
  for (const _ of [1, 2]) t.match(await root.delete('/api/groups/lab/members/bob'), { status: 204, text: '' })
  t.match(await bob.get('/api/graphs/1'), problem(404, 'graph-not-found'))
  t.same((await bob.get('/api/account')).body.groups, [])
  t.same((await root.get('/api/groups/lab')).body.members, ['cy'], 'the other members remain')
  for (const send of [root.put, root.delete]) {
    t.match(await send('/api/groups/lab/members/nobody'), problem(404, 'user-not-found'))
    t.match(await send('/api/groups/none/members/bob'), problem(404, 'group-not-found'))
    t.match(await send('/api/groups/%00/members/bob'), problem(404, 'group-not-found'))
    t.match(await send('/api/groups/lab/members/%00'), problem(404, 'user-not-found'))
    t.match(await send('/api/groups/lab/members/Bob'), problem(404, 'user-not-found'))
  }
  t.same(await told(store), [
    done('GROUP_CREATED', 1, 'lab', { 'name.new': 'lab' }),
    done('GROUP_UPDATED', 1, 'lab', { 'member.new': 'cy' }),
    done('GROUP_UPDATED', 1, 'lab', { 'member.new': 'bob' }),
    done('GROUP_UPDATED', 1, 'lab', { 'member.old': 'bob' })
  ])
})

t.test(
  'every user can read the names of groups; members and administrators can read the list of members',
  async (t) => {
    const { as } = await prepare(t)
    await as('ada').put(`${access}/groups/lab`, { access: 'READ' })
    const group = (await as('root').get('/api/groups/lab')).body
    t.match(group, { members: ['cy'], graphCount: 1 })
    const { graphCount: _, ...ofMembers } = group
    const { members: __, ...ofOthers } = ofMembers
    t.same((await as('cy').get('/api/groups/lab')).body, ofMembers)
    for (const login of ['ada', 'eve', 'audrey']) {
      t.same((await as(login).get('/api/groups/lab')).body, ofOthers, login)
      const list = await as(login).get('/api/groups')
      t.same([list.headers['x-total-count'], list.body], ['1', [ofOthers]], login)
    }
    t.match(await as('eve').get('/api/groups/none'), problem(404, 'group-not-found'))
    for (const login of ['cy', 'ada', 'audrey']) {
      const client = as(login)
      const refused = [
        client.post('/api/groups', { name: 'mine' }),
        client.patch('/api/groups/lab', { name: 'mine' }),
        client.delete('/api/groups/lab'),
        client.delete('/api/groups/none'),
        client.put(`/api/groups/lab/members/${login}`),
        client.delete('/api/groups/lab/members/cy'),
        client.delete('/api/groups/lab/members/nobody')
      ]
      for (const reply of await Promise.all(refused)) t.match(reply, problem(403, 'forbidden'), login)
    }
    t.same((await as('root').get('/api/groups/lab')).body, group, 'the group is unchanged')
  }
)

t.test('group names follow the rules of logins, and are unique', async (t) => {
  const { as, store } = await build(t)
  const root = as('root')
  const malformed = ['', 'Lab', '-lab', 'a/b', 'a,b', 'lab\n', 'x'.repeat(65)].map((name) => [name, 'malformed'])
  for (const [name, code] of [[undefined, 'required'], [null, 'wrong-type'], ...malformed]) {
    const reply = await root.post('/api/groups', { name })
    t.match(reply, problem(400, 'validation-failed', [{ pointer: '#/name', code }]), JSON.stringify(name))
  }
  const long = { name: 'lab', description: 'x'.repeat(501) }
  t.match(await root.post('/api/groups', long), problem(400, 'validation-failed', [{ code: 'too-long' }]))
  t.match(await root.post('/api/groups', { name: 'lab', access: 'READ' }), problem(400, 'validation-failed'))
  t.same(await told(store), [], 'no event was recorded')
  for (const name of ['x'.repeat(64), '0', 'a.b_c@d-e', 'lab'])
    t.match(await root.post('/api/groups', { name }), { status: 201 })
  t.match(await root.post('/api/groups', { name: 'lab' }), problem(409, 'group-name-taken'))
  t.match(await root.patch('/api/groups/lab', { name: '0' }), problem(409, 'group-name-taken'))
  t.match(await root.patch('/api/groups/lab', { name: 'Lab' }), problem(400, 'validation-failed'))
  t.match(await root.patch('/api/groups/lab', { name: null }), problem(400, 'validation-failed'))
  t.match(await root.patch('/api/groups/%00', { name: 'x' }), problem(404, 'group-not-found'))
})

t.test('groups are paged and sorted like every list', async (t) => {
  const { as } = await build(t)
  const root = as('root')
  for (const name of ['b', 'd', 'a', 'c']) await root.post('/api/groups', { name })
  const namesOf = ({ body }: { body: { name: string }[] }) => body.map(({ name }) => name)
  t.same(namesOf(await root.get('/api/groups?sort=name,desc')), ['d', 'c', 'b', 'a'])
  const first = await root.get('/api/groups?cursor=&size=3&sort=name,desc')
  t.same(namesOf(first), ['d', 'c', 'b'])
  t.same(namesOf(await root.get(nextOf(first))), ['a'])
})

t.test('if several groups take the same name concurrently, only one succeeds', async (t) => {
  const { as, store } = await build(t)
  const root = as('root')
  for (let round = 0; round < 3; round++) {
    const names = [1, 2, 3].map((number) => `g${round}-${number}`)
    for (const name of names) await root.post('/api/groups', { name })
    const wanted = { name: `wanted-${round}` }
    const replies = await Promise.all([
      ...names.map((name) => root.patch(`/api/groups/${name}`, wanted)),
      root.post('/api/groups', wanted),
      root.post('/api/groups', wanted)
    ])
    const statuses = replies.map(({ status }) => status).sort()
    t.match(statuses[0], /^20[01]$/)
    t.same(statuses.slice(1), [409, 409, 409, 409], replies.map(({ text }) => text).join())
  }
  t.equal((await told(store)).length, 4 * 3)
})

t.test('a group has a limited number of members', async (t) => {
  const { as, store } = await prepare(t)
  const root = as('root')
  const { id } = await store.read.selectFrom('group').select('id').executeTakeFirstOrThrow()
  const template = await store.read.selectFrom('user').selectAll().where('login', '=', 'bob').executeTakeFirstOrThrow()
  const { id: _, ...row } = template
  const add = (from: number, count: number) =>
    store.write(async (trx) => {
      const rows = Array.from({ length: count }, (_, index) => ({
        ...row,
        login: `member${from + index}`,
        enabled: true,
        mustChangePassword: false
      }))
      const added = await trx.insertInto('user').values(rows).returning('id').execute()
      const members = added.map((user) => ({ groupId: id, userId: user.id }))
      await trx.insertInto('groupMember').values(members).execute()
    })
  // The group already has one member, and one place remains free.
  for (let made = 0; made < MAX_MEMBERS - 2; made += 100) await add(made, Math.min(100, MAX_MEMBERS - 2 - made))
  t.equal((await root.put('/api/groups/lab/members/bob')).status, 204, 'the last member is added')
  t.match(await root.put('/api/groups/lab/members/eve'), {
    ...problem(409, 'too-many-members'),
    body: { detail: 'A group can have at most 10000 members.' }
  })
  t.equal((await root.get('/api/groups/lab')).body.members.length, MAX_MEMBERS)
  t.equal((await root.put('/api/groups/lab/members/bob')).status, 204, 'an existing member can be added again')
  t.same((await as('eve').get('/api/account')).body.groups, [], 'the refused user is not a member')
  await root.delete('/api/groups/lab/members/cy')
  t.equal((await root.put('/api/groups/lab/members/eve')).status, 204, 'there is room again')
})
