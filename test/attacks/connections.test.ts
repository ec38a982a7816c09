import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { createConnection, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect as connectTls } from 'node:tls'
import t, { type Test } from 'tap'
import { connectionsFor } from '../../plugins/http/connections/limits.ts'
import { PATIENCE, type Patience } from '../../plugins/http/connections/progress.ts'
import { createHttpServer } from '../../plugins/http/connections/server.ts'
import { readConfig } from '../../src/settings/config.ts'
import { listenFor, received, within } from '../support/connections.ts'
import { root } from '../support/program.ts'

// A client can neither hold an idle connection for long nor use up all connections.

/** The server's time limits, in tenths of a second instead of minutes. */
const SHORT: Patience = { headers: 300, handshake: 300, body: 400, reader: 400, parting: 100, interval: 50 }

async function listen(t: Test, args: string[] = [], tls = false, patience = SHORT) {
  const file = (type: string) => readFileSync(join(root, 'test/tls', `first.${type}`))
  const server = await listenFor(t, args, patience, tls ? { tls: { cert: file('crt'), key: file('key') } } : {})
  return { ...server, token: await server.tokenOf('ada') }
}

/** Returns whether a request on the connection is answered. */
function isServed(socket: Socket) {
  const answer = received(socket)
  socket.write(get('/healthz'))
  return within(3000, () => answer.text.startsWith('HTTP/1.1 200 '))
}

const get = (path: string, token?: string) =>
  `GET ${path} HTTP/1.1\r\nHost: x\r\n${token ? `Authorization: Bearer ${token}\r\n` : ''}\r\n`

/** Returns the headers of a sign-in with a body of this many bytes. */
const signIn = (length: number) =>
  `POST /api/authenticate HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`

const holds: [what: string, hold: (socket: Socket) => void][] = [
  ['a connection that sends nothing', () => {}],
  ['headers that arrive byte by byte', (socket) => trickle(socket, 'GET / HTTP/1.1\r\nHost: x\r\nX: ', 'x')],
  ['bytes that are not HTTP', (socket) => trickle(socket, '\x16\x03\x01 \r\n\r\n', 'x')],
  ['partial headers after a response', (socket) => trickle(socket, `${get('/healthz')}GET / HTT`, 'x')],
  ['an incomplete body without a token', (socket) => socket.write(`${signIn(900)}{`)],
  ['a body that arrives byte by byte', (socket) => trickle(socket, signIn(900), ' ')],
  [
    'a body that continues after the refusal',
    (socket) =>
      trickle(socket, 'POST /api/graphs HTTP/1.1\r\nHost: x\r\nContent-Length: 9000000\r\n\r\n', 'x'.repeat(1000))
  ]
]

function trickle(socket: Socket, head: string, piece: string) {
  socket.write(head)
  const timer = setInterval(() => socket.write(piece), 20)
  socket.once('close', () => clearInterval(timer))
}

t.test('connections that clients hold open are closed', async (t) => {
  const { connections, open } = await listen(t)
  for (const [what, hold] of holds) {
    const sockets = Array.from({ length: 5 }, () => open())
    for (const socket of sockets) {
      socket.resume()
      hold(socket)
    }
    await within(1000, () => connections.open === 5)
    t.equal(await within(3000, () => connections.open === 0), true, what)
    for (const socket of sockets) socket.destroy()
  }
})

t.test('a client below the minimum rate gets an error', async (t) => {
  const { open } = await listen(t)
  const wants: [string, RegExp][] = [
    ['GET / HTTP/1.1\r\nHost: x\r\nX: ', /^HTTP\/1\.1 408 .*"code":"request-timeout"/s],
    [`${signIn(900)}{`, /^HTTP\/1\.1 408 .*"code":"request-timeout"/s],
    ['\x16\x03\x01 \r\n\r\n', /^HTTP\/1\.1 400 .*"code":"malformed-request"/s]
  ]
  for (const [bytes, want] of wants) {
    const socket = open()
    const answer = received(socket)
    socket.write(bytes)
    await once(socket, 'end')
    t.match(answer.text, want)
  }
})

t.test('a slow body above the minimum rate is accepted', async (t) => {
  const { open } = await listen(t, ['--min-rate', '1000'])
  const socket = open()
  const answer = received(socket)
  socket.write(signIn(3000))
  for (let sent = 0; sent < 3000; sent += 100) {
    socket.write(' '.repeat(100))
    await sleep(50)
  }
  t.equal(await within(3000, () => answer.text.includes('\r\n\r\n')), true)
  t.match(answer.text, /^HTTP\/1\.1 400 .*"code":"malformed-json"/s, 'the upload took longer than the idle timeout')
})

t.test('TLS handshakes have a time limit', async (t) => {
  const { connections, open, port } = await listen(t, [], true)
  const silent = Array.from({ length: 5 }, () => open())
  const trickling = Array.from({ length: 5 }, () => open())
  // The first bytes of a 16 KiB handshake.
  for (const socket of trickling) trickle(socket, '\x16\x03\x01\x3f\xff\x01\x00\x3f\xfb\x03\x03', 'x')
  await within(1000, () => connections.open === 10)
  t.equal(await within(3000, () => connections.open === 0), true)
  t.equal(connections.cuts.handshake, 10)

  const socket = connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false })
  socket.on('error', () => {})
  const answer = received(socket)
  socket.write('GET / HTTP/1.1\r\nHost: x\r\nX: ')
  t.equal(
    await within(3000, () => connections.open === 0 && answer.text !== ''),
    true,
    'incomplete headers time out too'
  )
  t.match(answer.text, /^HTTP\/1\.1 408 .*\r\nstrict-transport-security: max-age=31536000\r\n/s)
  for (const each of silent) each.destroy()
})

t.test('a new connection replaces the oldest idle one when all are taken', async (t) => {
  const args = ['--max-connections', '20', '--trust-proxy', 'loopback']
  const { connections, open } = await listen(t, args, false, PATIENCE)
  const busy = open()
  busy.write(`${signIn(900)}{`)
  await sleep(50)
  const held = Array.from({ length: 60 }, () => open())
  await Promise.all(held.map((socket) => (socket.connecting ? once(socket, 'connect') : undefined)))
  t.equal(await isServed(open()), true)
  t.equal(busy.readableEnded || busy.destroyed, false, 'the connection being served stays open')
  t.ok(connections.open <= 20)
  t.ok(connections.cuts.full >= 41, `${connections.cuts.full}`)
})

t.test('one address cannot take all connections, but a proxy can', async (t) => {
  for (const [args, most] of [
    [['--max-connections', '20'], 10],
    [['--max-connections', '20', '--trust-proxy', 'loopback'], 20],
    [['--max-connections', '20', '--trust-proxy', '10.0.0.0/8'], 10]
  ] as const) {
    const { connections, open } = await listen(t, [...args], false, PATIENCE)
    const sockets = Array.from({ length: 30 }, () => open())
    await within(3000, () => connections.cuts.address + connections.cuts.full + connections.open === 30)
    t.equal(connections.open, most, args.join(' '))
    for (const socket of sockets) socket.destroy()
    t.equal(await within(1000, () => connections.open === 0), true)
    t.equal(await isServed(open()), true, 'a closed connection makes room for another')
  }
})

t.test('two addresses that hold all connections lose some to a third', async (t) => {
  const { connections, open } = await listen(t, ['--max-connections', '20'], false, PATIENCE)
  const honest = open('127.0.0.4')
  t.equal(await isServed(honest), true)
  const hold = (address: string) => {
    const socket = open(address)
    socket.write(`${signIn(900)}{`)
    return socket
  }
  const held = ['127.0.0.2', '127.0.0.3'].flatMap((address) => Array.from({ length: 15 }, () => hold(address)))
  await within(3000, () => connections.cuts.address + connections.cuts.full >= 11)
  t.equal(connections.open, 20)
  t.equal(await isServed(honest), true, 'idle connections of other addresses stay')
  t.equal(await isServed(open('127.0.0.4')), true)
  for (const socket of held) socket.destroy()
})

t.test('a client that sends one-byte chunks without reading is disconnected', async (t) => {
  const { connections, open } = await listen(t, [], false, PATIENCE)
  const socket = open()
  const answer = received(socket)
  socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n')
  const timer = setInterval(() => socket.write('1\r\n \r\n'.repeat(100)), 10)
  t.equal(await within(3000, () => connections.open === 1), true)
  t.equal(await within(3000, () => connections.open === 0), true)
  clearInterval(timer)
  t.match(answer.text, /^HTTP\/1\.1 200 /)
})

t.test('a body in one-byte chunks is read completely, many chunks at a time', async (t) => {
  const { open, token, server } = await listen(t, [], false, PATIENCE)
  const pushed: number[] = []
  server.prependListener('request', (request) => {
    const push = request.push.bind(request)
    request.push = (chunk: Buffer | null) => {
      pushed.push(chunk?.length ?? 0)
      return push(chunk)
    }
  })
  const head = `POST /api/graphs HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\n`
  const socket = open()
  const answer = received(socket)
  const chunks = [...'{"name":"Chunks"}', ...' '.repeat(100_000)].map((byte) => `1\r\n${byte}\r\n`)
  socket.write(`${head}Transfer-Encoding: chunked\r\n\r\n${chunks.join('')}0\r\n\r\n`)
  t.equal(await within(20_000, () => answer.text.startsWith('HTTP/1.1 201 ')), true, answer.text)
  t.ok(pushed.length < chunks.length / 100, `${pushed.length} pushes`)
  const largest = Math.max(...pushed)
  t.ok(largest <= Math.ceil((64 * 1024) / 6), `the server reads 64 KiB at a time, with ${largest} chunks`)
  t.equal(await isServed(socket), true, 'the connection can be used again')
})

t.test('a connection with thousands of pipelined requests is closed', async (t) => {
  const { connections, open, token, server } = await listen(t, [], false, PATIENCE)
  let requests = 0
  server.on('request', () => requests++)
  const socket = open()
  socket.pause()
  socket.write(get('/api/graphs', token).repeat(5000))
  t.equal(await within(5000, () => connections.cuts.pipelined === 1 && connections.open === 0), true)
  t.ok(requests <= 110, `${requests} requests`)

  const honest = open()
  const answer = received(honest)
  honest.write(get('/healthz').repeat(50))
  t.equal(await within(5000, () => answer.text.split('HTTP/1.1 200').length === 51), true, 'a few requests are served')
})

t.test('requests pipelined behind a response that closes the connection are not processed', async (t) => {
  const { open, token, store } = await listen(t, [], false, PATIENCE)
  const authorization = `Authorization: Bearer ${token}\r\n`
  const create = `POST /api/graphs HTTP/1.1\r\nHost: x\r\n${authorization}Content-Type: application/json\r\nContent-Length: 12\r\n\r\n{"name":"x"}`
  // An incomplete body for a route that refuses it without reading it. The body ends when the connection closes.
  const upload = `PUT /api/graphs/1/content HTTP/1.1\r\nHost: x\r\n${authorization}Content-Encoding: br\r\n`
  const bodies = ['Content-Length: 100000\r\n\r\nabc', 'Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n']
  for (const behind of [create, ...bodies.map((body) => upload + body)]) {
    const socket = open()
    const answer = received(socket)
    // Fastify answers the first request with 400 and `Connection: close`.
    socket.write(`${signIn(1)}{${behind}`)
    await once(socket, 'end')
    t.match(answer.text, /^HTTP\/1\.1 400 /)
    t.equal(answer.text.split('HTTP/1.1').length, 2, 'there is exactly one response')
    socket.destroy()
  }
  await sleep(200)
  t.same(await store.read.selectFrom('graph').select('id').execute(), [])
})

t.test('a body that is refused unread and then aborted does no harm', async (t) => {
  const { open, connections, token } = await listen(t, [], false, PATIENCE)
  for (const length of ['Content-Length: 100000', 'Transfer-Encoding: chunked']) {
    for (const wait of [0, 1, 5]) {
      const socket = open()
      socket.write(
        `PUT /api/graphs/1/content HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Encoding: br\r\n${length}\r\n\r\n3\r\nabc\r\n`
      )
      await sleep(wait)
      socket.resetAndDestroy()
    }
  }
  t.equal(await within(3000, () => connections.open === 0), true)
})

t.test('requests with an unsupported Expect header count as requests', async (t) => {
  const { connections, open } = await listen(t, [], false, PATIENCE)
  const socket = open()
  socket.pause()
  socket.write(get('/healthz') + 'GET / HTTP/1.1\r\nHost: x\r\nExpect: x\r\n\r\n'.repeat(1200))
  t.equal(await within(5000, () => connections.cuts.pipelined === 1 && connections.open === 0), true)
})

t.test('pipelined requests start in order, each in its own turn of the event loop', async (t) => {
  const connections = connectionsFor(readConfig([], {}))
  const begun: { path: string | undefined; turn: number }[] = []
  let turn = 0
  const count = () => {
    turn++
    timer = setImmediate(count)
  }
  let timer = setImmediate(count)
  const server = createHttpServer(
    async ({ url: path }, response) => {
      begun.push({ path, turn })
      await null
      response.end(path)
    },
    { connections }
  )
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const socket = createConnection({ port, host: '127.0.0.1' })
  const answer = received(socket)
  const paths = Array.from({ length: 90 }, (_, index) => `/${index}`)
  socket.write(paths.map((path) => get(path)).join(''))
  t.equal(await within(3000, () => answer.text.split('HTTP/1.1 200').length === 91), true)
  clearImmediate(timer)
  socket.destroy()
  server.close()
  t.same(
    begun.map(({ path }) => path),
    paths
  )
  t.equal(new Set(begun.map(({ turn }) => turn)).size, 90)
})

t.test('the error for garbage after a request does not interrupt the response', async (t) => {
  const { open, port, token } = await listen(t, [], false, PATIENCE)
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const nodes = Array.from({ length: 60_000 }, (_, index) => ({ id: `node ${index}`, label: 'x'.repeat(300) }))
  const body = JSON.stringify({ name: 'Large', content: { nodes, edges: [] } })
  await (await fetch(`http://127.0.0.1:${port}/api/graphs`, { method: 'POST', headers, body })).arrayBuffer()
  const socket = open()
  const answer = received(socket)
  // About 20 MB exceeds the socket buffers, so most of the response has not been sent yet.
  socket.once('data', () => socket.pause())
  socket.write(get('/api/graphs/1', token))
  t.equal(await within(10_000, () => answer.text.includes('\r\n\r\n')), true)
  socket.write('\0\0garbage')
  await sleep(300)
  socket.resume()
  await within(2000, () => socket.readableEnded || socket.destroyed)
  t.match(answer.text, /^HTTP\/1\.1 200 /)
  t.equal(answer.text.split('HTTP/1.1').length, 2)
})
