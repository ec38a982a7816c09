import { zstdDecompressSync } from 'node:zlib'
import t, { type Test } from 'tap'
import { findContent } from '../../db/graphs/contents.ts'
import { type Db, type Store, StoreUnavailable, type Trx } from '../../db/store.ts'
import { ContentCache } from '../../plugins/graphs/content-cache.ts'
import { only } from '../support/engine.ts'
import { build, problem } from '../support/helper.ts'

// Large content is loaded after the graph record. These tests change the graph in between.

/** Creates a graph with large content. The label is its name and part of its content. */
const labelled = (label: string) => ({
  name: label,
  content: { directed: true, label, nodes: Array.from({ length: 1000 }, (_, i) => ({ id: `${label}${i}` })), edges: [] }
})

/** Makes the store call `onLoad` before each load of large content. */
function interceptLoads(store: Store, onLoad: () => Promise<unknown>) {
  const { read } = store
  const executeQuery: Db['executeQuery'] = async (query, ...rest) => {
    if ('sql' in query && query.sql.startsWith('select "packed"')) {
      const rows = await onLoad()
      if (rows !== undefined) return { rows: rows as never[] }
    }
    return read.executeQuery(query, ...rest)
  }
  const replaced: object = { executeQuery }
  const get = (db: Db, name: string) => {
    const value = Reflect.get(name in replaced ? replaced : db, name)
    return typeof value === 'function' ? value.bind(db) : value
  }
  Object.defineProperty(store, 'read', { value: new Proxy(read, { get } as ProxyHandler<Db>) })
}

/** Runs `next` once, after the next transaction has committed and before its request continues. */
function interceptCommits(store: Store) {
  const write = store.write.bind(store)
  const race: { next: (() => Promise<unknown>) | undefined } = { next: undefined }
  store.write = async (transaction) => {
    const result = await write(transaction)
    const { next } = race
    race.next = undefined
    await next?.()
    return result
  }
  return race
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH'

/** Starts a server that keeps no old versions and contains ada's graph 1. `next` runs before the next load of large content. */
async function prepare(t: Test, keepVersions = 1) {
  const built = await build(t, { keepVersions })
  const { app, as, tokenOf } = built
  const ada = as('ada')
  // Compressed responses do not fill the cache.
  const headers = { authorization: `Bearer ${await tokenOf('ada')}`, 'accept-encoding': 'zstd' }
  const send = (method: Method, payload?: object, url?: string) =>
    app.inject({
      method,
      url: url ?? (method === 'GET' || method === 'PATCH' ? '/api/graphs/1' : '/api/graphs'),
      headers,
      ...(payload && { payload })
    })
  await send('POST', labelled('one'))
  const race: { next: (() => Promise<unknown>) | undefined; loads: number } = { next: undefined, loads: 0 }
  interceptLoads(built.store, async () => {
    race.loads++
    const { next } = race
    race.next = undefined
    return next?.()
  })
  /** Sends a request that accepts either uncompressed or compressed responses. Returns the ETag and the record. */
  const ask = async (encoding: 'identity' | 'zstd', method: Method, payload?: object) => {
    headers['accept-encoding'] = encoding
    const { headers: told, rawPayload } = await send(method, payload)
    const body = JSON.parse(String(told['content-encoding'] === 'zstd' ? zstdDecompressSync(rawPayload) : rawPayload))
    return { body, tag: String(told.etag) }
  }
  const replaceBy = async (label: string) => {
    t.equal((await send('PUT', { id: 1, ...labelled(label) })).statusCode, 200)
  }
  return { ...built, ada, race, ask, send, replaceBy, replace: () => replaceBy('two') }
}

t.test('a graph that changes while its content is loaded is returned in its new state', async (t) => {
  for (const encoding of ['identity', 'zstd'] as const) {
    const { ada, ask, race, replace } = await prepare(t)
    race.next = replace
    const { body, tag } = await ask(encoding, 'GET')
    t.same([body.name, body.version, body.content], ['two', 2, labelled('two').content], encoding)
    t.equal((await ada.get('/api/graphs/1', { 'if-none-match': tag })).status, 304, 'the ETag matches the response')
  }
})

t.test('files and differences of a graph that changes in the meantime reflect its new content', async (t) => {
  const { ada, race, replaceBy } = await prepare(t, 2)
  race.next = () => replaceBy('two').then(() => replaceBy('three'))
  const file = await ada.get('/api/graphs/1/content?format=node-link')
  t.equal(file.status, 200)
  t.equal(file.body.nodes[0].id, 'three0')

  race.next = () => replaceBy('four')
  const { status, body } = await ada.get('/api/graphs/1/diff')
  t.equal(status, 200)
  t.same([body.from.version, body.to.version], [3, 4])
  t.same([body.nodes.removed.items[0].id, body.nodes.added.items[0].id], ['three0', 'four0'])
})

t.test('a version that is removed while its content is loaded is not found', async (t) => {
  for (const path of ['', '/content']) {
    const { ada, race, replace } = await prepare(t)
    race.next = replace
    t.match(await ada.get(`/api/graphs/1/versions/1${path}`), problem(404, 'version-not-found'), path)
  }
})

t.test('a kept version is returned with its own content, even if the graph changes or is deleted', async (t) => {
  const { ada, race, replace } = await prepare(t, 2)
  race.next = replace
  const { status, body } = await ada.get('/api/graphs/1/versions/1')
  t.same([status, body.name, body.content], [200, 'one', labelled('one').content])
})

t.test('a graph that is deleted while its content is loaded is not found, and its ETag is not revealed', async (t) => {
  for (const path of ['', '/content?format=dot']) {
    const { ada, race } = await prepare(t)
    race.next = async () => {
      await ada.delete('/api/graphs/1')
      await ada.delete('/api/trash/1')
    }
    const refused = await ada.get(`/api/graphs/1${path}`)
    t.match(refused, problem(404, 'graph-not-found'), path)
    t.equal(refused.headers.etag, undefined, path)
  }
})

t.test(
  'the response to a change has its own version and ETag, even if the graph changes again or is deleted',
  async (t) => {
    for (const encoding of ['identity', 'zstd'] as const) {
      for (const [method, change] of [
        ['PATCH', { name: 'mine' }],
        ['PUT', { id: 1, ...labelled('mine') }]
      ] as const) {
        const { ada, ask, store, replace } = await prepare(t)
        const commit = interceptCommits(store)
        commit.next = replace
        const { body, tag } = await ask(encoding, method, change)
        const { content } = labelled(method === 'PUT' ? 'mine' : 'one')
        t.same([body.name, body.version, body.content], ['mine', 2, content], `${method} ${encoding}`)
        const headers = { 'if-match': tag }
        t.match(await ada.patch('/api/graphs/1', { name: 'over' }, headers), problem(412, 'precondition-failed'))
      }
    }
  }
)

t.test('a change does not read from the store after its commit', async (t) => {
  const { ada, race, send, replaceBy } = await prepare(t, 3)
  const fail = async () => {
    race.next = fail
    throw new StoreUnavailable('the store fails')
  }
  race.next = fail
  const created = await ada.post('/api/graphs', labelled('new'))
  t.same([created.status, created.body.content], [201, labelled('new').content])
  await replaceBy('two')
  t.equal((await send('PATCH', { name: 'Renamed' })).statusCode, 200)
  t.equal((await send('POST', { version: 1 }, '/api/graphs/1/restore')).statusCode, 200)
  t.equal((await ada.delete('/api/graphs/1')).status, 200)
  const untrashed = await ada.post('/api/trash/1/restore', {})
  t.same([untrashed.status, untrashed.body.content], [200, labelled('one').content])
  t.equal(race.loads, 0)
})

t.test(
  'a group that loads more than 32 MiB is refused before it commits',
  only('SQLite', 'transactions of one event loop turn form a group'),
  async (t) => {
    const { store } = await prepare(t)
    // The bytes are not valid content; only the size matters.
    const packed = Buffer.alloc(20 * 1024 * 1024)
    await store.write((trx) => trx.updateTable('content').set({ packed }).execute())
    const load = (trx: Trx) => findContent(trx, { contentId: 1, nodeCount: 1, edgeCount: 0 })
    const lengths: unknown[] = []
    // A single transaction is used, since groups of several transactions also have a time limit.
    const loadThrice = async (trx: Trx) => {
      for (let count = 0; count < 3; count++) lengths.push((await load(trx))?.packed?.length)
    }
    await t.rejects(store.write(loadThrice), { name: 'StoreBusy' })
    t.same(lengths, [packed.length, packed.length])
    t.equal((await store.write(load))?.packed?.length, packed.length, 'the next group can load again')
  }
)

t.test('a graph is found even if its content leaves the cache and the store simultaneously', async (t) => {
  const { ada, race, replace } = await prepare(t)
  const { has } = ContentCache.prototype
  const answers = [true, false]
  ContentCache.prototype.has = () => answers.shift() ?? false
  t.teardown(() => {
    ContentCache.prototype.has = has
  })
  race.next = replace
  const { status, body } = await ada.get('/api/graphs/1')
  t.same([status, body.name, body.content], [200, 'two', labelled('two').content])
})

t.test('reading a graph that keeps changing fails after five attempts', async (t) => {
  const { ada, race, store } = await prepare(t)
  const drop = async (): Promise<undefined> => {
    race.next = drop
    const [{ id }] = (await store.write((trx) =>
      trx
        .insertInto('content')
        .columns(['hash', 'json', 'packed', 'size'])
        .expression((eb) =>
          eb
            .selectFrom('content')
            .select([eb.val('0'.repeat(63) + race.loads).as('hash'), 'json', 'packed', 'size'])
            .orderBy('id', 'desc')
            .limit(1)
        )
        .returning('id')
        .execute()
    )) as [{ id: number }]
    await store.write((trx) => trx.updateTable('graph').set({ contentId: id }).where('id', '=', 1).execute())
    await store.write((trx) => trx.deleteFrom('content').where('id', '<', id).execute())
  }
  race.next = drop
  const refused = await ada.get('/api/graphs/1')
  t.match(refused, problem(503, 'server-busy'))
  t.same([refused.headers['retry-after'], refused.headers.etag], ['1', undefined])
  t.equal(race.loads, 5)
})

t.test('content missing from the store is reported as damage', async (t) => {
  const { ada, race } = await prepare(t)
  const lose = async () => {
    race.next = lose
    return []
  }
  race.next = lose
  t.match(await ada.get('/api/graphs/1'), problem(503, 'store-unavailable'))
  t.equal(race.loads, 2)
})
