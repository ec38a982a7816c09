import { EventEmitter, once } from 'node:events'
import { type ClientRequest, createServer, type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { zstdCompressSync } from 'node:zlib'
import fastify, { type FastifyRequest } from 'fastify'
import t, { type Test } from 'tap'
import { ContentCache } from '../../plugins/graphs/content-cache.ts'
import { whenClosed } from '../../plugins/http/bodies/when-closed.ts'
import { readWholeBody } from '../../plugins/http/bodies/whole-body.ts'
import bodyBudget from '../../plugins/server/body-budget.ts'
import { type ProblemError, statusAndTitleOf } from '../../schemas/problem-catalogue.ts'
import { build, events, problem } from '../support/helper.ts'
import { guestOf, runAs } from '../support/holders.ts'

t.test('writes beyond the queue limit are refused with 503, and accepted ones are stored', async (t) => {
  const { as, store } = await build(t, {}, { queueLimit: 10 })
  const ada = as('ada')
  await ada.post('/api/graphs', { name: 'first' })
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, index) => ada.post('/api/graphs', { name: `${index}` }))
  )
  const refused = answers.filter(({ status }) => status === 503)
  const created = answers.filter(({ status }) => status === 201)
  t.ok(refused.length > 0 && created.length >= 5, `${refused.length} refused`)
  t.equal(refused.length + created.length, 40)
  t.match(refused[0], problem(503, 'server-busy'))
  t.match(refused[0]?.headers, { 'retry-after': '1' })
  t.equal((await ada.get('/api/mygraphs')).body.length, created.length + 1)
  t.equal((await events(store, 'GRAPH_CREATED')).length, created.length + 1, 'refused writes were not recorded')
  t.equal((await ada.post('/api/graphs', { name: 'later' })).status, 201, 'there is room again')
})

/** Starts a server with a budget of 200,000 bytes for all large bodies. */
async function budgeted(t: Test) {
  const app = fastify({ bodyLimit: 1024 * 1024 })
  await app.register(bodyBudget, { budget: 200_000 })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, async (_request: unknown, body: Buffer) => body)
  app.setErrorHandler((error: ProblemError, _request, reply) =>
    reply.code(statusAndTitleOf(error.code).status).send(error.code)
  )
  app.post('/', async ({ body }) => String((body as Buffer).length))
  app.get('/', async () => 'at once')
  await app.listen({ port: 0, host: '127.0.0.1' })
  t.teardown(() => app.close())
  const { port } = app.server.address() as AddressInfo
  /** Starts a request. The response arrives once the request body has ended. */
  const begin = (
    headers: Record<string, string | number>,
    method = 'POST'
  ): { sent: ClientRequest; answer: Promise<[number, string]> } => {
    const sent = request({ port, host: '127.0.0.1', method, headers: { 'content-type': 'x/y', ...headers } })
    sent.on('error', () => {})
    const answer = once(sent, 'response').then(async (values): Promise<[number, string]> => {
      const message = values[0] as IncomingMessage
      return [message.statusCode ?? 0, await text(message)]
    })
    return { sent, answer }
  }
  /** Sends this many bytes. Returns the status and body of the response. */
  const send = (length: number) => {
    const { sent, answer } = begin({ 'content-length': length })
    sent.end(Buffer.alloc(length))
    return answer
  }
  return { begin, send }
}

t.test('large bodies are charged to a memory budget until the response is sent', async (t) => {
  const { begin, send } = await budgeted(t)
  const slow = begin({ 'content-length': 150_000 })
  slow.sent.write(Buffer.alloc(1000))
  await sleep(50)

  t.equal((await send(150_000))[0], 503, 'the first body holds most of the budget')
  t.same(await send(60_000), [200, '60000'], 'small bodies are not charged')

  slow.sent.end(Buffer.alloc(149_000))
  t.same(await slow.answer, [200, '150000'])
  t.same(await send(150_000), [200, '150000'])
})

t.test('a cancelled upload returns its share too', async (t) => {
  const { begin, send } = await budgeted(t)
  const left = begin({ 'content-length': 190_000 })
  left.answer.catch(() => {})
  left.sent.write(Buffer.alloc(1000))
  await sleep(50)
  left.sent.destroy()
  await sleep(50)
  t.same(await send(190_000), [200, '190000'])
})

t.test('bytes of a body that arrive after the response take nothing from the budget', async (t) => {
  const { begin, send } = await budgeted(t)
  for (let index = 0; index < 5; index++) {
    const { sent, answer } = begin({ 'transfer-encoding': 'chunked' }, 'GET')
    sent.flushHeaders()
    t.same(await answer, [200, 'at once'])
    sent.end(Buffer.alloc(60_000))
    await once(sent, 'close')
  }
  t.same(await send(190_000), [200, '190000'])
})

t.test('bodies of unknown length are charged as they arrive', async (t) => {
  const { begin, send } = await budgeted(t)
  const chunked = begin({ 'transfer-encoding': 'chunked' })
  for (let index = 0; index < 10; index++) chunked.sent.write(Buffer.alloc(15_000))
  chunked.sent.end()
  t.same(await chunked.answer, [200, '150000'])
  const tooMuch = begin({ 'transfer-encoding': 'chunked' })
  for (let index = 0; index < 20; index++) tooMuch.sent.write(Buffer.alloc(15_000))
  tooMuch.sent.end()
  t.equal((await tooMuch.answer)[0], 503)
  t.same(await send(199_000), [200, '199000'], 'the whole budget is available again')
})

t.test(
  'content is decompressed once for concurrent requests, and the least recently used is evicted first',
  async (t) => {
    const contents = new ContentCache(2500, 3500)
    const packed = (letter: string) => async () => zstdCompressSync(Buffer.alloc(1000, letter))
    const [one, again] = await Promise.all([contents.take(1, 1000, packed('a')), contents.take(1, 1000, packed('a'))])
    t.equal(one.json, again.json, 'both requests get the same bytes')
    t.equal(one.json.toString(), 'a'.repeat(1000))
    one.release()
    one.release()
    again.release()
    for (const id of [2, 3]) (await contents.take(id, 1000, packed('b'))).release()
    const kept = [1, 2, 3].map((id) => contents.has(id))
    t.same(kept, [false, true, true])

    const leases = await Promise.all([4, 5, 6].map((id) => contents.take(id, 1000, packed('c'))))
    await t.rejects(contents.take(7, 1000, packed('d')), { code: 'server-busy' }, 'content in use is limited')
    const stored = await contents.take(9, 1000, packed('e'), { mustCome: true })
    t.equal(stored.json.toString(), 'e'.repeat(1000), 'the limit does not apply to content just stored')
    stored.release()
    const here = await contents.take(4, 1000, packed('x'))
    t.equal(here.json.toString(), 'c'.repeat(1000), 'the limit does not apply to cached content')
    for (const { release } of leases) release()
    t.ok((await contents.take(7, 1000, packed('d'))).json)
    await t.rejects(contents.take(8, 1000, async () => Buffer.from('not packed')))
    t.notOk(contents.has(8), 'content that cannot be decompressed is not cached')
  }
)

t.test('the user with the most content in memory loses some to users with less', async (t) => {
  const contents = new ContentCache(0, 3500)
  const packed = async () => zstdCompressSync(Buffer.alloc(1000, 'x'))
  const cut: string[] = []
  const take = (owner: string, id: number) =>
    runAs(owner, () => contents.take(id, 1000, packed, { cut: () => cut.push(`${owner} ${id}`) }))
  for (const id of [1, 2, 3]) await take('ada', id)
  const shared = await take('cid', 3)
  t.ok((await take('bob', 4)).json)
  t.same(cut, ['ada 1'])
  await t.rejects(take('bob', 5), { code: 'server-busy' }, 'no user displaces others to end up with more')
  t.ok((await take('cid', 6)).json)
  t.same(cut, ['ada 1', 'ada 2'])
  t.equal(shared.json.length, 1000, 'a user who shares the content keeps it')
})

t.test(
  "content released by a user is charged to the guest who still uses it, even beyond the guests' share",
  async (t) => {
    const contents = new ContentCache(0, 4000)
    const packed = async () => zstdCompressSync(Buffer.alloc(1000, 'x'))
    const ids = [1, 2, 3, 4, 5]
    const take = (id: number, mustCome = false) => contents.take(id, 1000, packed, { mustCome })
    const own = await Promise.all(ids.map((id) => runAs('ada', () => take(id, true))))
    const visitor = { holder: guestOf('visitors') }
    const shared = await Promise.all(ids.map((id) => runAs(visitor, () => take(id))))
    for (const { release } of own) release()
    await t.rejects(
      runAs('bob', () => take(6)),
      { code: 'server-busy' },
      'all shared content is charged to the guest'
    )
    for (const { release } of shared) release()
    await runAs('bob', () => take(6))
  }
)

t.test('content is not decompressed without memory, and damaged content returns its memory', async (t) => {
  const contents = new ContentCache(0, 1000)
  const packed = async () => zstdCompressSync(Buffer.alloc(1000, 'x'))
  const lease = await contents.take(1, 1000, packed)
  const unhandled: unknown[] = []
  const listen = (reason: unknown) => unhandled.push(reason)
  process.on('unhandledRejection', listen)
  t.teardown(() => process.off('unhandledRejection', listen))
  const damaged = async () => Buffer.from('not packed')
  await t.rejects(contents.take(2, 1000, damaged), { code: 'server-busy' })
  await sleep(50)
  t.strictSame(unhandled, [])
  t.equal(contents.has(2), false)
  lease.release()
  await t.rejects(contents.take(2, 1000, damaged))
  t.ok((await contents.take(3, 1000, packed)).json, 'damaged content takes no memory')
})

t.test('a response returns its memory when it ends, even if the client has disconnected', async (t) => {
  const calls: string[] = []
  const response = Object.assign(new EventEmitter(), { destroyed: false })
  whenClosed(response, () => calls.push('ended'))
  t.same(calls, [])
  response.emit('close')
  response.emit('close')
  whenClosed(Object.assign(new EventEmitter(), { destroyed: true }), () => calls.push('had gone'))
  t.same(calls, ['ended', 'had gone'])

  const aborted = createServer(async (_request, answer) => {
    await once(answer, 'close')
    whenClosed(answer, () => calls.push('late'))
    aborted.close()
  }).listen(0, '127.0.0.1')
  await once(aborted, 'listening')
  const sent = request({ port: (aborted.address() as AddressInfo).port, host: '127.0.0.1' })
  sent.on('error', () => {})
  sent.end()
  setTimeout(() => sent.destroy(), 50)
  await once(aborted, 'close')
  t.same(calls, ['ended', 'had gone', 'late'], 'responses to disconnected clients are reported too')
})

t.test('a body in small and large chunks is read completely and in order', async (t) => {
  const pieces = Array.from({ length: 2000 }, (_, index) =>
    Buffer.alloc(index % 7 === 0 ? 5000 : (index * 37) % 900, index)
  )
  const request = { headers: {}, routeOptions: { bodyLimit: 10_000_000 } } as FastifyRequest
  const whole = await readWholeBody(request, Readable.from(pieces))
  t.ok(whole.equals(Buffer.concat(pieces)))
})
