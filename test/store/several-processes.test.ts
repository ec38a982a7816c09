import t from 'tap'
import { only } from '../support/engine.ts'
import { PASSWORD, proven } from '../support/helper.ts'
import { call, login } from '../support/program.ts'
import { startTwo } from '../support/two-processes.ts'

const here = only('PostgreSQL', 'processes on several machines share only a PostgreSQL database')

t.test('roles, revocation and failed sign-ins take effect in all processes immediately', here, async (t) => {
  const { one, other } = await startTwo(t)
  const admin = await login(one.url)
  t.equal(
    (await call(`${other.url}/api/account`, 'GET', undefined, admin)).status,
    200,
    'a token is valid in both processes'
  )
  const ada = { login: 'ada', password: 'analytical engine', role: 'USER', ...proven }
  await call(`${one.url}/api/users`, 'POST', ada, admin)
  const token = await login(other.url, 'ada', ada.password)
  t.equal((await call(`${other.url}/management/audits`, 'GET', undefined, token)).status, 403)
  await call(`${one.url}/api/users/ada`, 'PATCH', { role: 'AUDITOR', ...proven }, admin)
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
  t.equal(
    (await session(other.url, 'GET', { cookie })).status,
    204,
    'a session that has ended in one process has ended in the other'
  )
  await call(`${one.url}/api/users/ada`, 'PATCH', { enabled: false }, admin)
  t.equal((await call(`${other.url}/api/account`, 'GET', undefined, token)).status, 401)

  const statuses: number[] = []
  for (let attempt = 0; attempt < 12; attempt++) {
    const { url } = attempt % 2 === 0 ? one : other
    statuses.push((await call(`${url}/api/authenticate`, 'POST', { username: 'nobody', password: PASSWORD })).status)
  }
  t.same(statuses, [...Array(10).fill(401), 429, 429], 'the limit of ten applies across processes')

  const page = await call(`${one.url}/api/users?size=1&cursor=`, 'GET', undefined, admin)
  const next = await call(
    `${other.url}/api/users?size=1&cursor=${page.headers['x-next-cursor']}`,
    'GET',
    undefined,
    admin
  )
  t.match(next, { status: 200, body: [{ login: 'ada' }] }, 'a cursor is valid in both processes')
})

t.test('a revocation applies to the next request to another process', here, async (t) => {
  const { one, other } = await startTwo(t)
  const { ada, bob, admin } = await signIn(one.url, other.url)
  for (const [what, { begin, end }] of Object.entries(revocations)) {
    for (let round = 0; round < 5; round++) {
      for (const [method, path, body, who] of begin)
        await change(`${one.url}${path}`, method, { ada, admin }[who], body)
      const graph = `${other.url}/api/graphs/1`
      const seen = async () => ({
        read: (await call(graph, 'GET', undefined, bob)).status,
        write: (await call(graph, 'PATCH', { name: `Round ${round} of ${Math.random()}` }, bob)).status,
        count: (await call(`${other.url}/api/graphs`, 'GET', undefined, bob)).headers['x-total-count'],
        mine: (await call(`${other.url}/api/mygraphs`, 'GET', undefined, bob)).body.length,
        tags: (await call(`${other.url}/api/tags`, 'GET', undefined, bob)).body.length
      })
      t.same(await seen(), { read: 200, write: 200, count: '1', mine: 1, tags: 1 }, `before ${what}`)
      const [method, path, body, who] = end
      await change(`${one.url}${path}`, method, { ada, admin }[who], body)
      t.same(await seen(), { read: 404, write: 404, count: '0', mine: 0, tags: 0 }, `after ${what}`)
    }
  }
})

t.test('a former writer cannot change a graph once the revocation is acknowledged', here, async (t) => {
  const { one, other } = await startTwo(t)
  const { ada, bob, admin } = await signIn(one.url, other.url)
  const version = async () => (await call(`${one.url}/api/graphs/1`, 'GET', undefined, admin)).body.version as number
  for (const [what, { begin, end }] of Object.entries(revocations)) {
    for (let round = 0; round < 3; round++) {
      for (const [method, path, body, who] of begin)
        await change(`${one.url}${path}`, method, { ada, admin }[who], body)
      const written = Promise.withResolvers<void>()
      let done = 0
      /** Writes until a change is refused. Returns the status of the refusal. */
      const write = async (client: number) => {
        for (;;) {
          const name = `Client ${client}, ${done}`
          const { status } = await call(`${other.url}/api/graphs/1`, 'PATCH', { name }, bob)
          if (status === 503) continue
          if (status !== 200) return status
          if (++done === 20) written.resolve()
        }
      }
      const writers = Promise.all([1, 2, 3, 4, 5, 6].map(write))
      await Promise.race([written.promise, writers])
      const [method, path, body, who] = end
      await change(`${one.url}${path}`, method, { ada, admin }[who], body)
      const acknowledged = await version()
      t.same(await writers, Array(6).fill(404), `${what}: each writer is refused`)
      t.ok(done >= 20, `${done} changes before the revocation`)
      t.equal(await version(), acknowledged, `${what}: no change was made after the revocation`)
    }
  }
})

type Request = [method: string, path: string, body: object | undefined, who: 'ada' | 'admin']

/** The requests that let bob write ada's graph, and the one that revokes it. */
const revocations: Record<string, { begin: Request[]; end: Request }> = {
  'a grant to a person': {
    begin: [['PUT', '/api/graphs/1/access/users/bob', { access: 'WRITE' }, 'ada']],
    end: ['DELETE', '/api/graphs/1/access/users/bob', undefined, 'ada']
  },
  'a grant to a group': {
    begin: [
      ['POST', '/api/groups', { name: 'lab' }, 'admin'],
      ['PUT', '/api/groups/lab/members/bob', undefined, 'admin'],
      ['PUT', '/api/graphs/1/access/groups/lab', { access: 'WRITE' }, 'ada']
    ],
    end: ['DELETE', '/api/graphs/1/access/groups/lab', undefined, 'ada']
  },
  'a membership': {
    begin: [
      ['PUT', '/api/groups/lab/members/bob', undefined, 'admin'],
      ['PUT', '/api/graphs/1/access/groups/lab', { access: 'WRITE' }, 'ada']
    ],
    end: ['DELETE', '/api/groups/lab/members/bob', undefined, 'admin']
  },
  'a group': {
    begin: [
      ['POST', '/api/groups', { name: 'hall' }, 'admin'],
      ['PUT', '/api/groups/hall/members/bob', undefined, 'admin'],
      ['PUT', '/api/graphs/1/access/groups/hall', { access: 'WRITE' }, 'ada']
    ],
    end: ['DELETE', '/api/groups/hall', undefined, 'admin']
  }
}

/** Retries a change until it succeeds or its group already exists. Many concurrent writers may cause a 503. */
async function change(url: string, method: string, token: string, body: object | undefined) {
  for (;;) {
    const { status } = await call(url, method, body, token)
    if ([201, 204, 409].includes(status)) return
    if (status !== 503) throw new Error(`${method} ${url} is ${status}`)
  }
}

/** Creates ada, who has a graph with a tag, and bob. Returns the tokens of both and of the administrator. */
async function signIn(url: string, other: string) {
  const admin = await login(url)
  const password = 'analytical engine'
  for (const name of ['ada', 'bob']) {
    await call(`${url}/api/users`, 'POST', { login: name, password, role: 'USER', ...proven }, admin)
  }
  const [ada, bob] = [await login(url, 'ada', password), await login(other, 'bob', password)]
  await call(`${url}/api/graphs`, 'POST', { name: 'Kept', tags: ['kept'] }, ada)
  return { admin, ada, bob }
}
