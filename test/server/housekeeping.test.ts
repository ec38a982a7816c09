import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { REMOVED_AT_ONCE, type Store, type Trx } from '../../db/store.ts'
import { removeOldAttempts } from '../../db/users/attempts.ts'
import { removeExpiredSessions, removeIdleSessions } from '../../db/users/sessions.ts'
import { buildApp } from '../../plugins/app.ts'
import { program } from '../../src/system/program.ts'
import { contradictions } from '../support/consistency.ts'
import { addUser, build, events, sessionRow, triangle } from '../support/helper.ts'
import { until } from '../support/until.ts'

// Expired data is removed in batches, so that no transaction takes long.

const DAY = 24 * 60 * 60 * 1000
const idle = { window: DAY, remembered: 2 * DAY }

/** Adds this many expired rows of each kind, and one that is still valid. */
async function addOld(store: Store, count: number) {
  const now = Date.now()
  const keys = Array.from({ length: count }, (_, index) => `old ${index}`)
  await addUser(store, 'ada')
  await store.write(async (trx) => {
    for (const table of ['attempt', 'endedSession', 'session'] as const) await trx.deleteFrom(table).execute()
    await trx
      .insertInto('attempt')
      .values([
        ...keys.map((key) => ({ key, count: 1, expiresAt: now - 1 })),
        { key: 'kept', count: 1, expiresAt: now + DAY }
      ])
      .execute()
    await trx
      .insertInto('endedSession')
      .values([...keys.map((id) => ({ id, expiresAt: now - 1 })), { id: 'kept', expiresAt: now + DAY }])
      .execute()
    await trx
      .insertInto('session')
      .values([
        ...keys.map((id) => sessionRow({ id, remembered: true, lastUsedAt: now - 40 * DAY })),
        sessionRow({ id: 'kept', remembered: true, lastUsedAt: now })
      ])
      .execute()
  })
}

/** Returns the keys of the remaining rows, by table. */
async function left({ read }: Store) {
  const attempts = await read.selectFrom('attempt').select('key as id').execute()
  const ended = await read.selectFrom('endedSession').select('id').execute()
  const sessions = await read.selectFrom('session').select('id').execute()
  return [attempts, ended, sessions].map((rows) => rows.map(({ id }) => id))
}

const transactions = [removeOldAttempts, removeExpiredSessions, (trx: Trx) => removeIdleSessions(trx, idle)]

t.test('a transaction removes at most 500 expired attempts, ended tokens or idle sessions', async (t) => {
  const { store } = await build(t)
  t.equal(REMOVED_AT_ONCE, 500)
  await addOld(store, 2 * REMOVED_AT_ONCE + 1)
  const counts = async () => (await left(store)).map(({ length }) => length)
  for (const [areMore, count] of [
    [true, 502],
    [true, 2],
    [false, 1],
    [false, 1]
  ] as const) {
    for (const transaction of transactions) t.equal(await store.write(transaction), areMore)
    t.strictSame(await counts(), [count, count, count])
  }
  t.strictSame(await left(store), [['kept'], ['kept'], ['kept']])
})

t.test('a server removes all expired data in successive transactions', async (t) => {
  const { app, store } = await build(t)
  await addOld(store, 2 * REMOVED_AT_ONCE + 1)
  await app.listen({ port: 0, host: '127.0.0.1' })
  const remain = async () => (await left(store)).some(({ length }) => length > 1)
  for (let look = 0; look < 600 && (await remain()); look++) await sleep(100)
  t.strictSame(await left(store), [['kept'], ['kept'], ['kept']])
})

t.test('servers that share a store remove and record everything once', async (t) => {
  const { as, app, store, config, tokenKey } = await build(t, { keepVersions: 100 })
  const ada = as('ada')
  const ids = Array.from({ length: 20 }, (_, index) => index + 1)
  for (const id of ids) {
    await ada.post('/api/graphs', triangle)
    // A purge leaves the rest of a long history.
    if (id > 3) continue
    for (let version = 2; version <= 90; version++) await ada.patch(`/api/graphs/${id}`, { name: `${version}` })
  }
  await ada.post('/api/graphs', triangle)
  for (const _ of ids) await ada.post(`/api/graphs/${ids.length + 1}/links`, {})
  for (const id of ids) await ada.delete(`/api/graphs/${id}`)
  await store.write(async (trx) => {
    await trx.updateTable('trash').set({ trashedAt: '2001-01-01T00:00:00.000Z' }).execute()
    await trx.updateTable('link').set({ minuteCount: 12, minuteStart: 1 }).execute()
  })

  const servers = [app]
  while (servers.length < 3) servers.push(await buildApp(config, { program, store, tokenKey }))
  await Promise.all(servers.map((server) => server.listen({ port: 0, host: '127.0.0.1' })))
  const tables = ['trash', 'purgedGraph'] as const
  const isDone = async () => {
    const left = tables.map((table) => store.read.selectFrom(table).select('id').execute())
    const told = await events(store, 'LINK_OPENED')
    return (await Promise.all(left)).flat().length === 0 && told.length >= ids.length
  }
  t.ok(await until(isDone))
  await Promise.all(servers.map((server) => server.close()))
  const targets = async (type: 'GRAPH_PURGED' | 'LINK_OPENED') =>
    (await events(store, type)).map(({ targetId, data }) => Number(data.link ?? targetId)).sort((a, b) => a - b)
  t.strictSame(await targets('GRAPH_PURGED'), ids)
  t.strictSame(await targets('LINK_OPENED'), ids)
  t.same(await contradictions(store), [])
})
