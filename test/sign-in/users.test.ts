import t from 'tap'
import { build, events, nextOf, PASSWORD, problem, proven, triangle } from '../support/helper.ts'

t.test('an administrator creates, lists, fetches, changes and deletes users', async (t) => {
  const { as, store } = await build(t)
  const root = as('root')
  await root.get('/api/account')
  const created = await root.post('/api/users', { login: 'ada', password: PASSWORD, role: 'USER', ...proven })
  t.match(created, {
    status: 201,
    headers: { location: '/api/users/ada' },
    body: { id: 2, login: 'ada', role: 'USER', enabled: true, createdAt: /Z$/, updatedAt: /Z$/ }
  })
  t.same(
    Object.keys(created.body).sort(),
    [
      ...['authorities', 'createdAt', 'enabled', 'hasPassword', 'id', 'kind', 'linked', 'login'],
      ...['mustChangePassword', 'role', 'secondFactor', 'updatedAt']
    ],
    'users are returned without secrets'
  )
  t.match(await as().post('/api/authenticate', { username: 'ada', password: PASSWORD }), { status: 200 })

  const lastSeenAt = new Date().toISOString().slice(0, 10)
  t.same((await root.get('/api/users/ada')).body, { ...created.body, lastSeenAt })
  const list = await root.get('/api/users?sort=login')
  t.match(list, { status: 200, headers: { 'x-total-count': '2' }, body: [{ login: 'ada' }, { login: 'root' }] })

  const changed = await root.patch('/api/users/ada', { ...created.body, role: 'AUDITOR', enabled: false, ...proven })
  t.match(changed, { status: 200, body: { role: 'AUDITOR', enabled: false } }, 'a fetched user can be sent back')
  t.match(await root.delete('/api/users/ada'), { status: 204, text: '' })
  t.match(await root.get('/api/users/ada'), problem(404, 'user-not-found'))

  const made = { 'role.new': 'USER', 'enabled.new': 'true', 'mustChangePassword.new': 'true' }
  const change = { 'role.old': 'USER', 'role.new': 'AUDITOR', 'enabled.old': 'true', 'enabled.new': 'false' }
  t.match(
    (await events(store)).filter(({ type }) => type.startsWith('USER')),
    [
      { type: 'USER_CREATED', principal: 'root', targetName: 'ada', data: made },
      { type: 'USER_UPDATED', data: change },
      { type: 'USER_DELETED', targetType: 'USER', targetId: 2, targetName: 'ada' }
    ]
  )
})

t.test('authorities contain the role as a list', async (t) => {
  const { as } = await build(t)
  for (const [login, authorities] of [
    ['root', ['ROLE_USER', 'ROLE_ADMIN']],
    ['audrey', ['ROLE_USER', 'ROLE_AUDITOR']],
    ['ada', ['ROLE_USER']]
  ] as const) {
    t.same((await as(login).get('/api/account')).body.authorities, authorities)
    t.same((await as('root').get(`/api/users/${login}`)).body.authorities, authorities)
  }
  const sent = await as('root').patch('/api/users/ada', { role: 'AUDITOR', ...proven, authorities: ['ROLE_ADMIN'] })
  t.same([sent.status, sent.body.authorities], [200, ['ROLE_USER', 'ROLE_AUDITOR']])
})

t.test('a PATCH without changes creates no version', async (t) => {
  const { as, store } = await build(t)
  await as('ada').get('/api/account')
  const { body } = await as('root').get('/api/users/ada')
  t.same((await as('root').patch('/api/users/ada', { role: 'USER', enabled: true })).body, body)
  t.same((await as('root').patch('/api/users/ada', {})).body, body)
  t.same(await events(store), [])
  t.match(await as('ada').get('/api/account'), { status: 200 }, 'nobody is signed out')
})

t.test('an assigned password has to be changed, unless the administrator waives it', async (t) => {
  const { as, store } = await build(t)
  const root = as('root')
  await root.get('/api/account')
  const isAsked = async (login: string) => (await root.get(`/api/users/${login}`)).body.mustChangePassword
  const make = (login: string, more = {}) =>
    root.post('/api/users', { login, password: PASSWORD, role: 'USER', ...proven, ...more })
  t.match((await make('ada')).body, { mustChangePassword: true })
  t.match((await make('robot', { mustChangePassword: false })).body, { mustChangePassword: false })
  const wrong = await make('eve', { mustChangePassword: 'no' })
  t.match(wrong, problem(400, 'validation-failed', [{ pointer: '#/mustChangePassword' }]))

  t.match((await root.patch('/api/users/robot', { role: 'AUDITOR', ...proven })).body, { mustChangePassword: false })
  t.match((await root.patch('/api/users/robot', { password: 'difference engine', ...proven })).body, {
    mustChangePassword: true
  })
  t.match(
    (await root.patch('/api/users/robot', { enabled: false })).body,
    { mustChangePassword: true },
    'other changes keep the requirement'
  )
  t.match((await root.patch('/api/users/robot', { mustChangePassword: false, ...proven })).body, {
    mustChangePassword: false
  })
  const kept = { password: 'analytical engine', mustChangePassword: false, ...proven }
  t.match((await root.patch('/api/users/robot', kept)).body, { mustChangePassword: false })
  t.match(await isAsked('root'), false)
  const data = (await events(store, 'USER_UPDATED')).map(({ data }) => data)
  t.same(data, [
    { 'role.old': 'USER', 'role.new': 'AUDITOR' },
    { 'mustChangePassword.old': 'false', 'mustChangePassword.new': 'true' },
    { 'enabled.old': 'true', 'enabled.new': 'false' },
    { 'mustChangePassword.old': 'true', 'mustChangePassword.new': 'false' }
  ])
  const own = await root.patch('/api/users/root', { password: 'my own difference' })
  t.match(own, problem(403, 'forbidden'), "changing one's own needs the current one")
})

t.test('a login is unique', async (t) => {
  const { as, store } = await build(t)
  const ada = { login: 'ada', password: PASSWORD, role: 'USER', ...proven }
  const replies = await Promise.all([1, 2, 3].map(() => as('root').post('/api/users', ada)))
  t.same(replies.map(({ status }) => status).sort(), [201, 409, 409])
  t.match(await as('root').post('/api/users', ada), problem(409, 'login-taken'))
  t.equal((await events(store, 'USER_CREATED')).length, 1)
})

t.test('login, password and role have rules', async (t) => {
  const { as, store } = await build(t)
  const good = { login: 'ada', password: PASSWORD, role: 'USER', ...proven }
  const refused: [object, string][] = [
    [{ password: PASSWORD, role: 'USER', ...proven }, '#/login'],
    [{ ...good, login: '' }, '#/login'],
    [{ ...good, login: 'Ada' }, '#/login'],
    [{ ...good, login: '.ada' }, '#/login'],
    [{ ...good, login: 'ada lovelace' }, '#/login'],
    [{ ...good, login: 'adä' }, '#/login'],
    [{ ...good, login: 'ada\n' }, '#/login'],
    [{ ...good, login: 'x'.repeat(65) }, '#/login'],
    [{ ...good, login: 'system' }, '#/login'],
    [{ ...good, login: 'anonymous' }, '#/login'],
    [{ ...good, role: 'ROOT' }, '#/role'],
    [{ ...good, role: 'admin' }, '#/role'],
    [{ login: 'ada', password: PASSWORD }, '#/role'],
    [{ ...good, enabled: 'true' }, '#/enabled'],
    [{ ...good, passwordHash: 'x' }, '#/passwordHash'],
    [{ ...good, tokenVersion: 1 }, '#/tokenVersion'],
    [{ ...good, password: 'eleven char' }, '#/password'],
    [{ ...good, password: 'x'.repeat(257) }, '#/password']
  ]
  for (const [user, pointer] of refused) {
    const reply = await as('root').post('/api/users', user)
    t.match(reply, problem(400, 'validation-failed', [{ pointer }]), JSON.stringify(user).slice(0, 80))
    t.equal(reply.body.errors.filter((fault: { pointer: string }) => fault.pointer === pointer).length, 1)
  }
  // test/sign-in/passwords.test.ts tests more weak passwords.
  for (const [password, detail] of [
    ['é'.repeat(129), /256 bytes/],
    ['ADA.Lovelace', /login/],
    ['PassWord1234', /common/]
  ] as const) {
    const reply = await as('root').post('/api/users', { login: 'ada.lovelace', password, role: 'USER', ...proven })
    t.match(reply, problem(400, 'password-refused', [{ pointer: '#/password', detail }]), password)
  }
  t.same(await events(store), [])
  for (const login of ['a', '0', 'a.b_c@d-e', 'x'.repeat(64)]) {
    t.match(await as('root').post('/api/users', { ...good, login }), { status: 201 }, login)
  }
  t.match(
    await as('root').patch('/api/users/a', { password: 'password1234', ...proven }),
    problem(400, 'password-refused')
  )
  t.match(await as('root').post('/api/users', { ...good, login: 'emoji', password: '🜁🜂🜃🜄 and more' }), { status: 201 })
})

t.test('the last enabled administrator cannot be removed', async (t) => {
  const { as } = await build(t)
  const root = as('root')
  for (const change of [{ enabled: false }, { role: 'USER' }, { role: 'AUDITOR', enabled: true, ...proven }]) {
    t.match(await root.patch('/api/users/root', change), problem(409, 'last-administrator'), JSON.stringify(change))
  }
  t.match(await root.delete('/api/users/root'), problem(409, 'last-administrator'))
  await root.post('/api/users', { login: 'second', password: PASSWORD, role: 'ADMIN', enabled: false, ...proven })
  t.match(await root.delete('/api/users/root'), problem(409, 'last-administrator'), 'a disabled one does not count')
  await root.patch('/api/users/second', { enabled: true, ...proven })
  t.match(await root.delete('/api/users/second'), { status: 204 })
  await root.post('/api/users', { login: 'third', password: PASSWORD, role: 'ADMIN', ...proven })
  t.match(await root.patch('/api/users/root', { role: 'USER' }), { status: 200 })
  t.match(await root.get('/api/users'), problem(403, 'forbidden'), 'root is no longer one')
})

t.test('if two administrators remove each other concurrently, one remains', async (t) => {
  for (const change of [{ enabled: false }, { role: 'USER' }]) {
    const { as, store } = await build(t)
    await as('root').post('/api/users', { login: 'second', password: PASSWORD, role: 'ADMIN', ...proven })
    const replies = await Promise.all([
      as('root').patch('/api/users/second', change),
      as('root').patch('/api/users/root', change)
    ])
    const [first, last = 0] = replies.map(({ status }) => status).sort()
    t.equal(first, 200)
    // If root's request comes first, the sender of the other one has lost their account or role.
    t.ok([401, 403, 409].includes(last), `the other request gets ${last}`)
    const admins = store.read.selectFrom('user').select('login').where('role', '=', 'ADMIN')
    t.equal((await admins.where('enabled', '=', true).execute()).length, 1)
  }
})

t.test('a user who owns graphs can be disabled, but not deleted', async (t) => {
  const { as } = await build(t)
  await as('ada').post('/api/graphs', { ...triangle, shared: true })
  t.match(await as('root').delete('/api/users/ada'), problem(409, 'user-owns-graphs'))
  t.match(await as('root').patch('/api/users/ada', { enabled: false }), { status: 200 })
  t.match(await as('bob').get('/api/graphs/1'), { status: 200, body: { owner: 'ada' } })
})

t.test('a missing user is 404, whatever the name', async (t) => {
  const { as } = await build(t)
  for (const url of ['/api/users/nobody', '/api/users/NOBODY', '/api/users/%00', `/api/users/${'x'.repeat(99)}`]) {
    t.match(await as('root').get(url), problem(404, 'user-not-found'), url)
  }
  t.match(await as('root').patch('/api/users/nobody', {}), problem(404, 'user-not-found'))
  t.match(await as('root').delete('/api/users/nobody'), problem(404, 'user-not-found'))
})

t.test('users are paged and sorted like every list', async (t) => {
  const { as } = await build(t)
  for (const login of ['d', 'b', 'c', 'a']) await as(login).get('/api/account')
  const logins = async (query: string) =>
    (await as('root').get(`/api/users?${query}`)).body.map(({ login }: { login: string }) => login)
  await as('root').patch('/api/users/c', { enabled: false })
  t.same(await logins('size=2'), ['d', 'b'])
  t.same(await logins('size=2&sort=login,desc'), ['root', 'd'])
  t.same(await logins('sort=enabled&sort=login'), ['c', 'a', 'b', 'd', 'root'])
  const first = await as('root').get('/api/users?cursor=&size=2&sort=enabled&sort=login,desc')
  const second = await as('root').get(nextOf(first))
  t.same(
    [first.body, second.body].map((users) => users.map(({ login }: { login: string }) => login).join()),
    ['c,root', 'd,b']
  )
  t.match(await as('root').get('/api/users?sort=passwordHash'), problem(400, 'validation-failed'))
})
