import t from 'tap'
import { isMisdirected } from '../../plugins/http/host-header.ts'
import { build, problem } from '../support/helper.ts'

t.test('a server with a public address refuses requests for other hosts', async (t) => {
  const { as } = await build(t, { publicUrl: 'https://graphs.example.org' })
  const visitor = as()
  const get = (path: string, host: string) => visitor.get(path, { host })
  for (const host of [
    'evil.example',
    'evil.example:443',
    'graphs.example.org.evil.example',
    '192.0.2.1',
    '[2001:db8::1]'
  ]) {
    for (const path of ['/', '/api/sign-in', '/api/graphs', '/nothing'])
      t.match(await get(path, host), problem(421, 'misdirected-request'), `${host} ${path}`)
    for (const path of ['/healthz', '/readyz', '/metrics'])
      t.not((await get(path, host)).status, 421, `${host} ${path}`)
  }
  for (const host of [
    'graphs.example.org',
    'GRAPHS.example.org:8443',
    'localhost:8080',
    '127.0.0.1:8080',
    '[::1]:8080'
  ])
    t.equal((await get('/api/sign-in', host)).status, 200, host)
  t.match(await visitor.get('/api/sign-in', { host: 'evil.example', 'x-forwarded-host': 'graphs.example.org' }), {
    status: 421
  })
})

t.test('a trusted proxy may set the host, and a server without a public address accepts any host', async (t) => {
  const forwarded = { host: 'graphs:8080', 'x-forwarded-host': 'graphs.example.org' }
  const { as } = await build(t, { publicUrl: 'https://graphs.example.org', trustProxy: 'loopback' })
  t.equal((await as().get('/api/sign-in', forwarded)).status, 200)
  const { as: asOf } = await build(t)
  t.equal((await asOf().get('/api/sign-in', { host: 'other.example' })).status, 200)
  t.notOk(isMisdirected('', '/', 'https://graphs.example.org'), 'HTTP/1.0 requests may have no host')
})
