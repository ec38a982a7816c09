import { sql } from 'kysely'
import t from 'tap'
import { seeded } from '../../bench/graphs.ts'
import { system } from '../../db/actors.ts'
import { GraphChanges } from '../../db/changes/graphs.ts'
import { findTrashed, removePurged } from '../../db/changes/trash.ts'
import { usageOf } from '../../db/graphs/usage.ts'
import { trimHistory } from '../../db/graphs/versions.ts'
import type { Db, Transaction } from '../../db/store.ts'
import { contradictions } from '../support/consistency.ts'
import { engine } from '../support/engine.ts'
import { untilOneWaits } from '../support/held-transactions.ts'
import { build, type Reply, triangle } from '../support/helper.ts'

/** Returns content large enough to be deduplicated, in one of three variants. */
const large = (number: number) => ({
  label: `No. ${number % 3}`,
  nodes: Array.from({ length: 300 }, (_, index) => ({ id: `node ${index}` })),
  edges: []
})

t.test('only transactions can write, and their handle tells whether rows need locks', async (t) => {
  const { store } = await build(t)
  t.equal(await store.write(async (trx) => trx.locksRows), engine === 'PostgreSQL')
  t.equal(store.read.locksRows, undefined)
  t.equal(store.scan.locksRows, undefined)
  const snapshot = store.read.transaction().setIsolationLevel('repeatable read')
  const ofSnapshot = await snapshot.execute(async (db: Db) => db.locksRows)
  t.equal(ofSnapshot, undefined, 'a snapshot has no lock flag, although it is a transaction')
  // @ts-expect-error: `npm run check` rejects the read handle in place of a transaction.
  const mistaken = () => trimHistory(store.read, 1, 3)
  t.type(mistaken, 'function')
})

t.test('transactions that take the same lock run sequentially', async (t) => {
  const { store } = await build(t)
  const order: string[] = []
  const transaction = (kind: string, name: string) =>
    store.write(async (trx) => {
      await trx.lock(kind, name)
      order.push(`${name} begins`)
      // Gives the other transactions time to begin.
      for (let wait = 0; wait < 5; wait++) await sql`SELECT 1`.execute(trx)
      if (trx.locksRows) await sql`SELECT pg_sleep(0.05)`.execute(trx)
      order.push(`${name} ends`)
    })
  await Promise.all([transaction('usage', 'ada'), transaction('usage', 'ada'), transaction('usage', 'ada')])
  t.same(order, ['ada begins', 'ada ends', 'ada begins', 'ada ends', 'ada begins', 'ada ends'])
  if (engine === 'SQLite') return
  const [one, other] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const meeting = (name: string, own: typeof one, others: typeof one) =>
    store.write(async (trx) => {
      await trx.lock('usage', name)
      own.resolve()
      await others.promise
    })
  await Promise.all([meeting('ada', one, other), meeting('bob', other, one)])
})

t.test('concurrent random changes to a few graphs keep the store consistent', async (t) => {
  const { as, store } = await build(t)
  const random = seeded(5)
  const one = (count: number) => Math.floor(random() * count)
  const [ada, root] = [as('ada'), as('root')]
  await root.get('/api/account')
  for (let id = 1; id <= 5; id++) await ada.post('/api/graphs', { name: `g${id}`, shared: true, content: large(id) })

  const deeds: ((client: typeof ada, id: number, turn: number) => Promise<Reply>)[] = [
    (client, id, turn) => client.put('/api/graphs', { id, name: `put ${turn}`, content: large(turn) }),
    (client, id, turn) => client.patch(`/api/graphs/${id}`, { name: `patch ${turn}`, shared: one(2) === 0 }),
    (client, id) => client.post(`/api/graphs/${id}/restore`, { version: 1 + one(4) }),
    (client, id) => client.delete(`/api/graphs/${id}`),
    (client, id) => client.post(`/api/trash/${id}/restore`),
    (client, id) => client.post(`/api/trash/${id}/restore`),
    (client, id) => client.get(`/api/graphs/${id}/versions/${1 + one(5)}`),
    (client, id) => client.get(`/api/graphs/${id}/diff`),
    async (client, _id, turn) => {
      const { body } = await client.post('/api/graphs', { name: `new ${turn}`, content: large(turn) })
      await client.delete(`/api/graphs/${body.id}`)
      return client.delete(`/api/trash/${body.id}`)
    }
  ]
  const statuses = new Map<number, number>()
  await Promise.all(
    Array.from({ length: 20 }, async () => {
      for (let turn = 0; turn < 40; turn++) {
        const deed = deeds[one(deeds.length)] as (typeof deeds)[number]
        const { status } = await deed(one(2) === 0 ? ada : root, 1 + one(5), turn)
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
      }
    })
  )
  t.same([...statuses.keys()].sort(), [200, 404], JSON.stringify([...statuses]))
  t.ok((statuses.get(200) ?? 0) > 250)
  t.same(await contradictions(store), [])
})

t.test('concurrent changes to a graph are serialized, and none is refused', async (t) => {
  const { as, store } = await build(t)
  const ada = as('ada')
  await ada.post('/api/graphs', triangle)
  const replies = await Promise.all(
    Array.from({ length: 100 }, (_, index) => ada.patch('/api/graphs/1', { name: `n${index}` }))
  )
  t.ok(replies.every(({ status }) => status === 200))
  t.match(await ada.get('/api/graphs/1/versions'), { headers: { 'x-total-count': '101' } })
  t.same(new Set(replies.map(({ body }) => body.version)).size, 100, 'each change creates its own version')
  const fresh = await Promise.all(
    Array.from({ length: 20 }, (_, index) => ada.patch('/api/graphs/1', { name: `m${index}`, version: 101 }))
  )
  t.equal(
    fresh.filter(({ status }) => status === 200).length,
    1,
    'only one change that expects the same version succeeds'
  )
  t.equal(fresh.filter(({ status }) => status === 409).length, 19)
  t.same(await contradictions(store), [])
})

t.test('concurrent removals of old versions free their bytes only once', async (t) => {
  const trim: Transaction<unknown> = (trx) => trimHistory(trx, 1, 3)
  const changes = new GraphChanges({ keepVersions: 3, trashDays: 30, maxBytes: 0, maxGraphs: 0 })
  // Another transaction may have restored the graph in the meantime.
  const untrash: Transaction<unknown> = async (trx) =>
    (await findTrashed(trx, system, 1)) && changes.untrash(trx, system, 1)
  const change: Transaction<unknown> = (trx) => changes.restore(trx, system, 1, () => {}, { version: 5, message: null })
  const pairs: { name: string; isTrashed?: true; first: Transaction<unknown>; second: Transaction<unknown> }[] = [
    { name: 'two housekeepers', first: trim, second: trim },
    { name: 'two housekeepers, in the trash', isTrashed: true, first: trim, second: trim },
    { name: 'a housekeeper and a change', first: trim, second: change },
    { name: 'a change and a housekeeper', first: change, second: trim },
    { name: 'a housekeeper and a restore from the trash', isTrashed: true, first: trim, second: untrash },
    { name: 'a restore from the trash and a housekeeper', isTrashed: true, first: untrash, second: trim }
  ]
  for (const { name, isTrashed, first, second } of pairs) {
    await t.test(name, async (t) => {
      const { as, store } = await build(t, { keepVersions: 6 })
      const ada = as('ada')
      const graph = (label: string) => ({ id: 1, name: 'G', content: { nodes: [{ id: 'a', label }], edges: [] } })
      await ada.post('/api/graphs', { ...graph('1'), id: undefined })
      const { bytes: size } = await usageOf(store.read, 'ada')
      for (const label of '23456') await ada.put('/api/graphs', graph(label))
      if (isTrashed) await ada.delete('/api/graphs/1')
      t.strictSame(await usageOf(store.read, 'ada'), { graphs: 1, bytes: 6 * size })

      const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
      const earlier = store.write(async (trx) => {
        await first(trx)
        begin()
        await untilOneWaits(store)
      })
      await begun
      await Promise.all([earlier, store.write(second)])
      const kept = await store.read.selectFrom('graphVersion').select('version').execute()
      const living = await store.read.selectFrom('graph').select('id').execute()
      const bytes = (kept.length + living.length) * size
      t.strictSame(await usageOf(store.read, 'ada'), { graphs: 1, bytes }, 'usage matches the remaining versions')
      t.equal(await store.write((trx) => trimHistory(trx, 1, 1)), true)
      t.strictSame(await usageOf(store.read, 'ada'), { graphs: 1, bytes: size }, 'only the current version remains')
    })
  }
})

t.test('concurrent removals from a deleted graph with a long history remove successive versions', async (t) => {
  const { as, store } = await build(t, { keepVersions: 200 })
  const ada = as('ada')
  await ada.post('/api/graphs', triangle)
  for (let version = 2; version <= 150; version++) await ada.patch('/api/graphs/1', { name: `${version}` })
  await ada.delete('/api/graphs/1')
  await ada.delete('/api/trash/1')
  const left = async (table: 'graphVersion' | 'purgedGraph') =>
    (await store.read.selectFrom(table).selectAll().execute()).length
  t.strictSame([await left('graphVersion'), await left('purgedGraph')], [100, 1])
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
  const earlier = store.write(async (trx) => {
    const areMore = await removePurged(trx)
    begin()
    await untilOneWaits(store)
    return areMore
  })
  await begun
  t.strictSame(await Promise.all([earlier, store.write(removePurged)]), [true, true])
  t.equal(await left('graphVersion'), 0)
  t.equal(await store.write(removePurged), true)
  t.strictSame([await store.write(removePurged), await left('purgedGraph')], [false, 0])
})
