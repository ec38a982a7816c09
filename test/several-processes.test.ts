import t from 'tap'
import { only } from './engine.ts'
import { PASSWORD } from './helper.ts'
import { call, login } from './program.ts'
import { startTwo } from './two-processes.ts'

const here = only('PostgreSQL', 'processes on several machines share nothing else')

t.test('roles, revocation and failed logins count in all processes at once', here, async (t) => {
  const { one, other } = await startTwo(t)
  const admin = await login(one.url)
  t.equal((await call(`${other.url}/api/account`, 'GET', undefined, admin)).status, 200, 'a token is good in both')
  const ada = { login: 'ada', password: 'analytical engine', role: 'USER' }
  await call(`${one.url}/api/users`, 'POST', ada, admin)
  const token = await login(other.url, 'ada', ada.password)
  t.equal((await call(`${other.url}/management/audits`, 'GET', undefined, token)).status, 403)
  await call(`${one.url}/api/users/ada`, 'PATCH', { role: 'AUDITOR' }, admin)
  t.equal((await call(`${other.url}/management/audits`, 'GET', undefined, token)).status, 200)
  const session = (url: string, method: string, headers: Record<string, string>, body?: object) =>
    fetch(`${url}/api/session`, {
      method,
      headers: { ...headers, origin: url, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) })
    })
  const started = await session(one.url, 'POST', {}, { username: ada.login, password: ada.password })
  const cookie = started.headers.get('set-cookie')?.split(';')[0] ?? ''
  t.equal((await session(other.url, 'GET', { cookie })).status, 200)
  t.equal((await session(one.url, 'DELETE', { cookie })).status, 204)
  t.equal((await session(other.url, 'GET', { cookie })).status, 204, 'a session that has ended here has ended there')
  await call(`${one.url}/api/users/ada`, 'PATCH', { enabled: false }, admin)
  t.equal((await call(`${other.url}/api/account`, 'GET', undefined, token)).status, 401)

  const statuses: number[] = []
  for (let attempt = 0; attempt < 12; attempt++) {
    const { url } = attempt % 2 === 0 ? one : other
    statuses.push((await call(`${url}/api/authenticate`, 'POST', { username: 'nobody', password: PASSWORD })).status)
  }
  t.same(statuses, [...Array(10).fill(401), 429, 429], 'ten in all, and not ten each')

  const page = await call(`${one.url}/api/users?size=1&cursor=`, 'GET', undefined, admin)
  const next = await call(
    `${other.url}/api/users?size=1&cursor=${page.headers['x-next-cursor']}`,
    'GET',
    undefined,
    admin
  )
  t.match(next, { status: 200, body: [{ login: 'ada' }] }, 'and so is a cursor')
})
