import t, { type Test } from 'tap'
import { build, events, PASSWORD, problem, proven } from '../support/helper.ts'
import { buildWithProvider } from './signing-in.ts'

// Invitations, with which users without a password choose their first one.

const own = 'nobody else knows it'
const DAY = 24 * 60 * 60 * 1000

/** Starts a server with eve, who has no password. */
async function prepare(t: Test, start: () => ReturnType<typeof build> = () => build(t)) {
  const server = await start()
  const { as } = server
  await as('root').post('/api/users', { login: 'eve', role: 'USER' })
  const invite = (login = 'eve') => as('root').post(`/api/users/${login}/invitation`, proven.proof)
  const secretOf = async () => ((await invite()).body.url as string).split('#')[1] as string
  const open = (secret: string) => as().post('/api/invitation', { secret })
  const accept = (secret: string, password = own) => as().post('/api/invitation/acceptance', { secret, password })
  const signIn = (password: string) => as().post('/api/authenticate', { username: 'eve', password })
  return { ...server, invite, secretOf, open, accept, signIn }
}

t.test('an invited user chooses the first password, and signs in with it', async (t) => {
  const { as, store, invite, open, accept, signIn } = await prepare(t)
  const earliest = Date.now() + 7 * DAY
  const { status, body } = await invite()
  t.equal(status, 201)
  t.match(body.url, /^\/invite#[\w-]{43}$/)
  const expiry = Date.parse(body.expiresAt)
  t.ok(earliest <= expiry && expiry <= Date.now() + 7 * DAY, 'it is valid for seven days')
  const [, secret = ''] = body.url.split('#')
  t.strictSame((await open(secret)).body, { login: 'eve', expiresAt: body.expiresAt })
  for (const [weak, pointer] of [
    ['eleven char', '#/password'],
    ['password1234', '#/password']
  ] as const) {
    t.match(await accept(secret, weak), { status: 400, body: { errors: [{ pointer }] } })
  }
  t.match(await accept(secret), { status: 204, text: '' })
  t.equal((await signIn(own)).status, 200)
  t.match((await as('root').get('/api/users/eve')).body, { hasPassword: true, mustChangePassword: false })
  const recorded = (await events(store)).filter(({ targetName, type }) => targetName === 'eve' && !/^AUTH/.test(type))
  t.strictSame(
    recorded.map(({ type, principal, data }) => [type, principal, data]),
    [
      [
        'USER_CREATED',
        'root',
        { 'kind.new': 'PERSON', 'role.new': 'USER', 'enabled.new': 'true', 'mustChangePassword.new': 'false' }
      ],
      ['USER_INVITED', 'root', { expiresAt: body.expiresAt }],
      ['INVITATION_ACCEPTED', 'eve', {}],
      ['PASSWORD_CHANGED', 'eve', {}]
    ]
  )
})

t.test('the address is absolute if the public address is known', async (t) => {
  const { invite } = await prepare(t, () => build(t, { publicUrl: 'http://localhost' }))
  t.match((await invite()).body.url, /^http:\/\/localhost\/invite#/)
})

t.test('only enabled people without a password are invited', async (t) => {
  const { as, store, invite, tokenOf } = await prepare(t)
  await tokenOf('ada')
  await as('root').post('/api/users', { login: 'robot', role: 'USER', kind: 'SERVICE' })
  await as('root').post('/api/users', { login: 'gone', role: 'USER', enabled: false })
  t.match(await invite('ada'), problem(409, 'password-exists'))
  t.match(await invite('robot'), problem(403, 'forbidden'))
  t.match(await invite('gone'), problem(403, 'user-disabled'))
  t.match(await invite('nobody'), problem(404, 'user-not-found'))
  t.match(await invite('root'), problem(403, 'forbidden'))
  t.strictSame(await events(store, 'USER_INVITED'), [])
})

t.test('without password sign-in, only administrators are invited and can accept', async (t) => {
  const { as, store, invite, accept } = await prepare(t, () => buildWithProvider(t, { passwordLogin: 'off' }))
  t.match(await invite(), problem(403, 'password-login-off'))
  const setRole = (role: 'ADMIN' | 'USER') =>
    store.write((trx) => trx.updateTable('user').set({ role }).where('login', '=', 'eve').execute())
  await setRole('ADMIN')
  const [, secret = ''] = (await invite()).body.url.split('#')
  await setRole('USER')
  t.match(await accept(secret), problem(403, 'password-login-off'))
  t.match(await as().post('/api/invitation', { secret }), problem(403, 'password-login-off'))
  await setRole('ADMIN')
  t.equal((await accept(secret)).status, 204)
})

t.test(
  'an invitation ends when it is used, replaced or expired, and when the user is disabled or gets a password',
  async (t) => {
    const { as, store, secretOf, open, accept, signIn } = await prepare(t)
    const patch = (body: object) => as('root').patch('/api/users/eve', body)
    const missing = problem(404, 'invitation-not-found')
    const expire = (expiresAt: number) =>
      store.write((trx) => trx.updateTable('invitation').set({ expiresAt }).execute())
    const secrets: string[] = []
    for (const end of [
      secretOf,
      () => patch({ enabled: false }).then(() => patch({ enabled: true })),
      () => expire(Date.now()),
      // The clock was set back.
      () => expire(Date.now() + 8 * DAY),
      () => patch({ password: PASSWORD, ...proven })
    ]) {
      const secret = await secretOf()
      t.equal((await open(secret)).status, 200)
      await end()
      t.match(await open(secret), missing)
      t.match(await accept(secret), missing)
      secrets.push(secret)
    }
    t.equal(new Set(secrets).size, 5)
    t.match(await signIn(own), problem(401, 'credentials-incorrect'), 'no password was set by any of them')
    t.strictSame(await store.read.selectFrom('invitation').selectAll().execute(), [])
    t.strictSame(await events(store, 'INVITATION_ACCEPTED'), [])
  }
)

t.test('an invitation is deleted with its user', async (t) => {
  const { as, store, secretOf, open } = await prepare(t)
  const secret = await secretOf()
  t.equal((await as('root').delete('/api/users/eve')).status, 204)
  t.match(await open(secret), problem(404, 'invitation-not-found'))
  t.strictSame(await store.read.selectFrom('invitation').selectAll().execute(), [])
})
