import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import t, { type Test } from 'tap'
import type { Store } from '../../db/store.ts'
import { Budget } from '../../graph/jobs/budget.ts'
import { joinRows, readInTurns, streamBatches } from '../../plugins/http/batches.ts'
import { PATIENCE } from '../../plugins/http/connections/progress.ts'
import type { Slice } from '../../schemas/parameters.ts'
import { listenFor, received, within } from '../support/connections.ts'
import { build } from '../support/helper.ts'
import { runAs } from '../support/holders.ts'

// A user with many graphs with long descriptions lists them on many connections.

t.setTimeout(120_000)

const turn = () => new Promise((resolve) => setImmediate(resolve))

/** Creates a list of `count` rows of `bytes` bytes each that records its reads. */
function listOf(count: number, bytes: number) {
  const reads: [offset: number, limit: number][] = []
  const rows = async ({ sorts, limit, offset, after }: Slice) => {
    const start = after ? Number(after[0]) + 1 : offset
    reads.push([start, limit])
    t.equal(sorts.length, 1)
    return Array.from({ length: Math.min(limit, count - start) }, (_, index) => ({ id: start + index }))
  }
  const serialize = ({ id }: { id: number }) => JSON.stringify(String(id).padEnd(bytes - 2))
  const read = (limit = Number.POSITIVE_INFINITY, field = 'id') => {
    const slice: Slice = { sorts: [{ field, direction: 'asc' }], limit, offset: 0, after: undefined }
    return readInTurns({ rows, sortKey: ({ id }) => id }, serialize, slice)
  }
  return { reads, read }
}

async function sizesOf(batches: ReturnType<ReturnType<typeof listOf>['read']>) {
  const sizes: number[] = []
  for await (const { rows } of batches) sizes.push(rows.length)
  return sizes
}

/** Adds graphs with the longest allowed descriptions and tags, about 13 KB each. */
function addLongGraphs(store: Store, owner: string, count: number) {
  const now = new Date().toISOString()
  const tags = JSON.stringify(Array.from({ length: 20 }, (_, index) => `${index}`.padEnd(64, 'ö')))
  const graph = {
    ...{
      name: 'Long',
      sortName: '',
      type: null,
      description: '😀'.repeat(2000),
      tags,
      owner,
      principal: owner,
      searchText: ''
    },
    ...{ nodeCount: 0, edgeCount: 0, contentId: null, version: 1, bytes: 0, shared: false },
    ...{ createdAt: now, updatedAt: now }
  }
  return store.write(async (trx) => {
    for (let index = 0; index < count; index++) await trx.insertInto('graph').values(graph).execute()
  })
}

t.test('a batch holds about 64 KB', async (t) => {
  const long = listOf(60, 10_000)
  t.same(await sizesOf(long.read()), [8, 8, 8, 8, 8, 8, 8, 4])
  t.same(long.reads.slice(0, 2), [
    [0, 8],
    [8, 8]
  ])
  t.same(await sizesOf(listOf(500, 500).read()), [8, 128, 128, 128, 108])
  t.same(await sizesOf(listOf(500, 500).read(100)), [8, 92])
  const sorted = listOf(60, 10_000)
  t.same(await sizesOf(sorted.read(50, 'name')), [8, 8, 8, 8, 8, 8, 2])
  t.same(sorted.reads, [[0, 50]], 'a list that needs sorting is read once')
})

t.test('an unread list holds one batch, which is charged to its user', async (t) => {
  const budget = new Budget(1_000_000, 'Too much.')
  const { reads, read } = listOf(50, 10_000)
  const share = runAs('eve', () => budget.share())
  const answer = runAs('eve', () => streamBatches(read(), share))
  answer.read(0)
  for (let turns = 0; turns < 50; turns++) await turn()
  t.equal(reads.length, 1)
  t.equal(share.bytes, 80_000)
  const all = JSON.parse(await text(answer))
  t.equal(all.length, 50)
  t.equal(share.bytes, 0)

  const left = streamBatches(listOf(50, 10_000).read(), share)
  left.read(0)
  await once(left, 'readable')
  t.equal(share.bytes, 80_000)
  left.destroy()
  await once(left, 'close')
  t.equal(share.bytes, 0)
  t.equal(String(joinRows([], '[', ']')), '[]')
})

t.test(
  'unread lists beyond the response memory are refused for their user, while other users get theirs',
  async (t) => {
    const budgets = { bodies: 8_000_000, answers: 2_000_000 }
    const { store, tokenOf, open } = await listenFor(t, [], PATIENCE, { budgets })
    const tokens = { eve: await tokenOf('eve'), ada: await tokenOf('ada') }
    await addLongGraphs(store, 'eve', 1500)
    await addLongGraphs(store, 'ada', 60)
    const ask = (token: string, path: string) => {
      const socket = open()
      socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ${token}\r\n\r\n`)
      return socket
    }
    const eve = Array.from({ length: 40 }, () => ask(tokens.eve, '/api/mygraphs').pause())
    const heads = eve.map((socket) => once(socket, 'readable').then(() => String(socket.read(12))))
    const statuses = (await Promise.all(heads)).map((head) => head.slice(9))
    const refused = statuses.filter((status) => status === '503').length
    t.ok(refused >= 5 && refused < 40, `${refused} of 40 were refused`)
    for (const path of ['/api/mygraphs', '/api/graphs?size=60']) {
      const answer = received(ask(tokens.ada, path))
      t.equal(await within(20_000, () => /\](\r\n0\r\n\r\n)?$/.test(answer.text)), true, path)
      t.match(answer.text, /^HTTP\/1\.1 200 /)
    }
  }
)

for (const path of ['/api/mygraphs', '/api/graphs?size=1000']) {
  t.test(`other requests are served between the batches of ${path}`, async (t: Test) => {
    const { app, as, store, tokenOf } = await build(t)
    const url = await app.listen({ host: '127.0.0.1', port: 0 })
    await as('eve').get('/api/account')
    await addLongGraphs(store, 'eve', 600)
    const [eve, ada] = [await tokenOf('eve'), await tokenOf('ada')]
    const send = async (token: string, path: string) => {
      const answer = await fetch(url + path, { headers: { authorization: `Bearer ${token}` } })
      await answer.text()
    }
    await Promise.all([...Array.from({ length: 20 }, () => send(eve, '/api/graphs')), send(ada, '/api/graphs')])
    const lists: ServerResponse[] = []
    let begun: number | undefined
    app.server.on('request', (request, answer) => {
      if (request.url === path) lists.push(answer)
      else answer.once('finish', () => (begun = lists.filter(({ headersSent }) => headersSent).length))
    })
    await Promise.all([...Array.from({ length: 20 }, () => send(eve, path)), send(ada, '/api/graphs')])
    t.equal(lists.length, 20)
    t.ok(begun !== undefined && begun < 5, `${begun} lists began before a small one of another user was sent`)
  })
}
