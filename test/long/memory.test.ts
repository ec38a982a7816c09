import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { PATIENCE } from '../../plugins/http/connections/progress.ts'
import { listenFor, received, within } from '../support/connections.ts'

// Clients that send slowly or stop reading use little memory, and do not take memory from other clients.

const MIB = 1024 * 1024

async function listen(
  t: Test,
  budgets: { bodies: number; answers: number } | undefined,
  args: string[] = [],
  reader = 60_000
) {
  const patience = { ...PATIENCE, reader, interval: 50 }
  const { connections, port, tokenOf, open } = await listenFor(t, args, patience, budgets ? { budgets } : {})
  const tokens = new Map<string, string>()
  for (const login of ['ada', 'bob']) tokens.set(login, await tokenOf(login))
  const headersOf = (login: string) => ({
    authorization: `Bearer ${tokens.get(login)}`,
    'content-type': 'application/json'
  })
  const post = (login: string, body: string) =>
    fetch(`http://127.0.0.1:${port}/api/graphs`, { method: 'POST', headers: headersOf(login), body })
  const get = (login: string, path: string) => fetch(`http://127.0.0.1:${port}${path}`, { headers: headersOf(login) })
  /** Sends the start of a body with this declared length. */
  const begin = (login: string, length: number, bytes: string) => {
    const socket = open()
    const answer = received(socket)
    const head = Object.entries(headersOf(login)).map(([name, value]) => `${name}: ${value}\r\n`)
    socket.write(`POST /api/graphs HTTP/1.1\r\nHost: x\r\n${head.join('')}Content-Length: ${length}\r\n\r\n${bytes}`)
    return { socket, answer }
  }
  const ask = (login: string, path: string) =>
    `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${tokens.get(login)}\r\n\r\n`
  return { connections, open, post, get, begin, ask }
}

const graphOf = (bytes: number) => JSON.stringify({ name: 'Long', description: 'x'.repeat(1000) }).padEnd(bytes)

const LARGE = JSON.stringify({
  name: 'Large',
  content: {
    nodes: Array.from({ length: 20_000 }, (_, id) => ({ id: `node ${id}`, label: 'x'.repeat(80) })),
    edges: []
  }
})

t.test('stalled uploads do not block other uploads', async (t) => {
  const { post, begin } = await listen(t, undefined)
  for (let count = 0; count < 12; count++) begin('ada', 32 * MIB - 1, '{"name":')
  await sleep(300)
  t.equal((await post('bob', graphOf(20 * MIB))).status, 201)
  t.equal((await post('ada', graphOf(20 * MIB))).status, 201, 'uploads of the same user are not blocked either')
})

t.test('the user whose bodies take the most memory loses some to users with less', async (t) => {
  const { post, begin } = await listen(t, { bodies: 8 * MIB, answers: 8 * MIB }, ['--body-limit', String(2 * MIB)])
  const stalled = Array.from({ length: 8 }, () => begin('ada', 2 * MIB, '{"name":'.padEnd(MIB - 100)))
  await sleep(500)
  t.equal((await post('bob', graphOf(2 * MIB - 1))).status, 201)
  const refused = () => stalled.filter(({ answer }) => answer.text !== '')
  t.equal(await within(2000, () => refused().length >= 2), true)
  for (const { answer } of refused())
    t.match(answer.text, /^HTTP\/1\.1 503 .*\r\nretry-after: 5\r\n.*"code":"server-busy"/s)
  t.ok(refused().length <= 4, 'no more bodies than necessary are dropped')
})

t.test('unread responses have a total limit, which users share', async (t) => {
  const { open, post, get, ask } = await listen(t, { bodies: 8 * MIB, answers: 12 * MIB })
  // Four lists of about 3 MB each: more than the system buffers for unread responses.
  const graph = JSON.stringify({ name: 'Long', description: '😀'.repeat(1900) })
  for (let round = 0; round < 20; round++) {
    const posts = await Promise.all(Array.from({ length: 20 }, () => post('ada', graph)))
    t.strictSame([...new Set(posts.map(({ status }) => status))], [201])
  }
  const list = '/api/graphs?size=400'
  const size = (await (await get('ada', list)).arrayBuffer()).byteLength
  t.ok(size > 3_000_000)

  const sockets = Array.from({ length: 24 }, () => open())
  const answers = sockets.map(received)
  for (const socket of sockets) {
    socket.pause()
    socket.write(ask('ada', list).repeat(4))
  }
  await sleep(1000)
  for (const socket of sockets) socket.resume()
  const statuses = () => answers.flatMap(({ text }) => text.match(/HTTP\/1\.1 \d+/g) ?? [])
  t.equal(await within(60_000, () => statuses().length === 96), true)
  const refused = statuses().filter((status) => status.endsWith('503')).length
  t.ok(refused >= 12 && refused < 96, `${refused} of 96 were refused`)
  t.match(
    answers.map(({ text }) => text).join(''),
    /HTTP\/1\.1 503 [^{]*retry-after: 5\r\n[^{]*\{[^}]*"code":"server-busy"/
  )
  t.equal((await get('ada', list)).status, 200, 'there is room again once the responses have been read')
})

t.test('a client that stops reading is disconnected', async (t) => {
  const { connections, open, post, ask } = await listen(t, undefined, [], 500)
  await post('ada', LARGE)
  const sockets = Array.from({ length: 4 }, () => open())
  for (const socket of sockets) {
    socket.pause()
    await once(socket, 'connect')
    socket.write(ask('ada', `/api/graphs/1`).repeat(30))
  }
  await within(3000, () => connections.open >= 4)
  t.equal(await within(8000, () => connections.cuts.reader === 4), true, `${connections.cuts.reader} of 4`)
})

t.test('a slow reader above the minimum rate gets the whole response', async (t) => {
  const { open, post, ask } = await listen(t, undefined, ['--min-rate', '10000'], 500)
  await post('ada', LARGE)
  const socket = open()
  let received = 0
  let tail = ''
  socket.on('data', (chunk) => {
    received += chunk.length
    tail = (tail + chunk.toString('latin1')).slice(-10)
    socket.pause()
    setTimeout(() => socket.resume(), 20)
  })
  socket.write(ask('ada', `/api/graphs/1`))
  t.equal(await within(15_000, () => tail.endsWith(']}}') || tail.endsWith('}')), true, `${received} bytes`)
  t.ok(received > 2_000_000)
})
