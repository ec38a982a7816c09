import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import t from 'tap'
import { exactly, numbered } from '../bench/client.ts'
import { linesOf, rowOf } from '../bench/cost.ts'
import { load, requestOf, WrongAnswer } from '../bench/load.ts'
import { seed } from '../bench/seed.ts'
import { openSqlite } from '../db/engine/sqlite/store.ts'
import { startThread } from '../src/system/assets.ts'

t.test('a store is seeded with the requested numbers of records and counts them', async (t) => {
  const folder = t.testdir({})
  t.ok((await seed(folder, { graphs: 300, users: 20, events: 1000, shared: 7 })) > 0)
  const store = await openSqlite(join(folder, 'graphstead.db'), startThread)
  t.teardown(() => store.close())
  const count = async (table: 'user' | 'graph' | 'content' | 'auditEvent') =>
    (await store.read.selectFrom(table).select('id').execute()).length
  t.same(await Promise.all((['user', 'graph', 'content', 'auditEvent'] as const).map(count)), [21, 300, 300, 1000])
  const counts = await store.read.selectFrom('graphCount').selectAll().where('owner', '=', '').execute()
  t.same(
    counts.map(({ shared, count }) => [Boolean(shared), count]),
    [
      [false, 293],
      [true, 7]
    ]
  )
  const indexes = await store.read.selectFrom('graph').select('id').where('owner', '=', 'user3').execute()
  t.ok(indexes.length > 10)
})

t.test('the load generator measures correct responses, and throws on incorrect ones', async (t) => {
  const body = 'x'.repeat(100_000)
  const server = createServer((request, response) => {
    const text = request.url === '/other' ? `${body.slice(1)}y` : body
    response.writeHead(200, { 'content-length': text.length }).end(request.method === 'HEAD' ? '' : text)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.close())
  const { port } = server.address() as AddressInfo
  const measured = (path: string, status: number) => {
    const exchange = exactly(requestOf('GET', path), status, Buffer.from(body))
    return load({ port, connections: 3, duration: 200, next: () => exchange })
  }
  const { count, p50, p99, max } = await measured('/', 200)
  t.ok(count > 3 && p50 > 0 && p50 <= p99 && p99 <= max)
  await t.rejects(measured('/other', 200), WrongAnswer)
  await t.rejects(measured('/', 201), { message: /status 200 instead of 201/ })

  const next = numbered((number) => requestOf('POST', '/', { body: `{"name":"${number}"}` }))
  next()
  t.match(String(next()), /content-length: 21\r\n\r\n\{"name":"0000000002"\}$/i)
})

t.test('costs are compared by their medians, and by the median of the ratios per round', async (t) => {
  const post = (costs: number[]) => costs.map((cost) => ({ 'POST /api/graphs, small': cost, 'memory at rest': 100 }))
  const before = post([500, 400, 1000])
  const after = post([1000, 440, 1500])
  t.same(
    linesOf(before, after).filter(({ ratio }) => !Number.isNaN(ratio)),
    [
      {
        path: 'POST /api/graphs, small',
        ours: '1,000 µs ±53 %',
        theirs: '500 µs ±60 %',
        ratio: 1.5,
        aim: { most: 1.02 }
      },
      { path: 'memory at rest', ours: '100 MiB ±0 %', theirs: '100 MiB ±0 %', ratio: 1, aim: { most: 1.02 } }
    ]
  )
  t.equal(
    rowOf(['88e8e00', '44b506c'], before, after),
    '| | 88e8e00 | 44b506c | – → – (–) | – → – (–) | – → – (–) | 500 → 1,000 (1.50) | – → – (–) | – → – (–) | – → – (–) | – → – (–) | 100 → 100 (1.00) | |'
  )
})
