import t from 'tap'
import { build, events, PASSWORD, problem } from '../support/helper.ts'

const next = 'another horse battery'

t.test("GET /api/account returns the caller's account", async (t) => {
  const { as } = await build(t)
  const { status, body } = await as('audrey').get('/api/account')
  t.equal(status, 200)
  t.match(body, { id: 1, login: 'audrey', role: 'AUDITOR', enabled: true })
  t.same(body.groups, [])
  const { body: user } = await as('root').get('/api/users/audrey')
  t.same(
    Object.keys(body).sort(),
    [...Object.keys(user), 'groups'].sort(),
    'the same fields as for any user, without secrets'
  )
})

t.test('POST /api/account/password sets a new password and ends every session', async (t) => {
  const { as, store, tokenOf } = await build(t)
  await tokenOf('bob')
  const reply = await as('ada').post('/api/account/password', { currentPassword: PASSWORD, newPassword: next })
  t.match(reply, { status: 204, text: '' })
  t.match(await as('ada').get('/api/account'), problem(401, 'token-invalid'))
  t.match(await as().post('/api/authenticate', { username: 'ada', password: PASSWORD }), { status: 401 })
  t.match(await as().post('/api/authenticate', { username: 'ada', password: next }), { status: 200 })
  t.match(await as('bob').get('/api/account'), { status: 200 }, 'other users are not affected')
  const [event, ...others] = await events(store, 'PASSWORD_CHANGED')
  t.match(event, { principal: 'ada', targetName: 'ada' })
  t.same([event?.data, others], [{}, []])
  t.notMatch(JSON.stringify(await events(store)), /horse|argon2/)
})

t.test('a new password needs the current one, and must not be weak', async (t) => {
  const { as, store } = await build(t)
  const change = (currentPassword: unknown, newPassword: unknown) =>
    as('ada').post('/api/account/password', { currentPassword, newPassword })
  const [ofCurrent, ofNew] = [{ pointer: '#/currentPassword' }, { pointer: '#/newPassword' }]
  t.match(await change('wrong wrong wrong', next), problem(400, 'password-incorrect', [ofCurrent]))
  t.match(await change(PASSWORD, 'short'), problem(400, 'validation-failed', [ofNew]))
  t.match(await change(PASSWORD, 'password1234'), problem(400, 'password-refused', [ofNew]))
  const equal = { ...ofNew, detail: 'must differ from the current password' }
  t.match(await change(PASSWORD, PASSWORD), problem(400, 'password-refused', [equal]))
  t.match(await change(PASSWORD, 5), problem(400, 'validation-failed'))
  t.match(await change(undefined, next), problem(400, 'validation-failed', [ofCurrent]))
  t.match(await as('ada').get('/api/account'), { status: 200 }, 'the account is unchanged')
  t.same(await events(store, 'PASSWORD_CHANGED'), [])
  t.match(await events(store, 'AUTHENTICATION_FAILURE'), [{ principal: 'ada' }])
  t.match(await as().post('/api/account/password', {}), problem(401, 'token-missing'))
})

t.test('a stolen token does not help to guess the password', async (t) => {
  const { as } = await build(t)
  for (let attempt = 0; attempt < 10; attempt++) {
    await as('ada').post('/api/account/password', { currentPassword: 'wrong', newPassword: next })
  }
  const refused = await as('ada').post('/api/account/password', { currentPassword: PASSWORD, newPassword: next })
  t.match(refused, { ...problem(429, 'too-many-attempts'), headers: { 'retry-after': /^\d+$/ } })
})

t.test('only one of two concurrent password changes succeeds', async (t) => {
  const { as } = await build(t)
  const change = (newPassword: string) =>
    as('ada').post('/api/account/password', { currentPassword: PASSWORD, newPassword })
  await as('ada').get('/api/account')
  const replies = await Promise.all([change('first of two changes'), change('second of two changes')])
  t.same(replies.map(({ status }) => status).sort(), [204, 401])
})
