import type { CompiledQuery } from 'kysely'
import t from 'tap'
import { UserActor } from '../../db/actors.ts'
import { countGraphs, listGraphs } from '../../db/lists/graphs.ts'
import type { Db } from '../../db/store.ts'
import type { GraphFilter } from '../../schemas/graph.ts'
import type { Slice } from '../../schemas/parameters.ts'
import { watchReads } from '../support/helper.ts'
import { access, prepare } from '../support/sharing.ts'

const near: Slice = { sorts: [{ field: 'id', direction: 'asc' }], limit: 20, offset: 0, after: undefined }

/**
 * Starts a server with a granted graph. Returns functions that list and count graphs as cy and report whether a scan was used.
 */
async function watch(t: Parameters<typeof prepare>[0]) {
  const server = await prepare(t)
  const { as, store } = server
  await as('ada').put(`${access}/groups/lab`, { access: 'READ' })
  const { id } = await store.read.selectFrom('user').select('id').where('login', '=', 'cy').executeTakeFirstOrThrow()
  const cy = new UserActor('cy', 'USER', id)
  const { reader, scanned } = watchReads(store)
  const count = async (filter: GraphFilter = {}) => [await countGraphs(reader, cy, filter), scanned()]
  const list = async (slice: Partial<Slice> = {}, filter: GraphFilter = {}) => {
    const rows = await listGraphs(reader, cy, filter, { ...near, ...slice })
    return [rows.map(({ id }) => id), scanned()]
  }
  return { ...server, reader, cy, count, list }
}

/** Wraps the handle so that it calls `before` with the SQL of each query. */
const onEachQuery = (db: Db, before: (sql: string) => unknown) =>
  new Proxy(db, {
    get(target, name) {
      const member = Reflect.get(target, name)
      if (name !== 'executeQuery') return typeof member === 'function' ? member.bind(target) : member
      return async (query: CompiledQuery) => {
        await before(query.sql)
        return target.executeQuery(query)
      }
    }
  })

t.test('granted graphs are recounted only after a grant has changed', async (t) => {
  const { as, count } = await watch(t)
  t.same(await count(), [1, true])
  t.same(await count(), [1, false], 'the count is cached')
  await as('ada').patch('/api/graphs/1', { name: 'Renamed' })
  await as('ada').post('/api/graphs', { name: 'Private' })
  t.same(await count(), [1, false], 'other changes keep the cached count')
  for (const shared of [true, false]) {
    await as('ada').patch('/api/graphs/1', { shared })
    t.equal((await count())[0], 1, `shared: ${shared}`)
  }
  await as('ada').put('/api/graphs/2/access/users/cy', { access: 'WRITE' })
  t.same(await count(), [2, true])
  t.same(await count({ access: 'WRITE' }), [1, true], 'filtered counts are not cached')
  await as('ada').delete('/api/graphs/2')
  t.same(await count(), [1, true])
  await as('root').delete('/api/groups/lab')
  t.same(await count(), [0, false], 'no scan is needed')
})

t.test('a granted graph is not listed while in the trash, and is listed once after it is restored', async (t) => {
  const { as, count, list } = await watch(t)
  for (const shared of [false, true]) {
    await as('ada').patch('/api/graphs/1', { shared })
    await as('ada').delete('/api/graphs/1')
    t.same([(await count())[0], (await list())[0]], [0, []], `shared: ${shared}, in the trash`)
    await as('ada').post('/api/trash/1/restore')
    t.same([(await count())[0], (await list())[0]], [1, [1]], `shared: ${shared}, restored`)
  }
})

t.test('concurrent requests share one count, and a failed count is not cached', async (t) => {
  const { store, cy, count } = await watch(t)
  let scans = 0
  let isBroken = true
  const scan = onEachQuery(store.scan, () => {
    scans++
    if (isBroken) throw new Error('broken')
  })
  const counts = () =>
    Promise.allSettled([1, 2, 3].map(() => countGraphs({ ...store, read: store.read, scan }, cy, {})))
  t.same(
    (await counts()).map(({ status }) => status),
    ['rejected', 'rejected', 'rejected']
  )
  const failed = scans
  t.ok(failed > 0)
  isBroken = false
  t.same(
    (await counts()).map((outcome) => outcome.status === 'fulfilled' && outcome.value),
    [1, 1, 1]
  )
  t.equal(scans - failed, 1)
  t.same(await count(), [1, false])
})

t.test('a page near the start needs no scan, whatever the grants', async (t) => {
  const { as, list } = await watch(t)
  t.same(await list(), [[1], false])
  await as('cy').post('/api/graphs', { name: 'Own' })
  await as('eve').post('/api/graphs', { name: 'Shared', shared: true })
  await as('eve').put('/api/graphs/3/access/users/cy', { access: 'WRITE' })
  t.same(await list(), [[1, 2, 3], false])
  t.same(await list({ sorts: [{ field: 'id', direction: 'desc' }] }), [[3, 2, 1], false])
  t.same(await list({ limit: 1, offset: 1 }), [[2], false])
  t.same(await list({ after: [2] }), [[3], false])
  t.same(await list({ sorts: [{ field: 'name', direction: 'asc' }, ...near.sorts] }), [[2, 3, 1], true])
  t.same(await list({ offset: 1001 }), [[], true])
})

t.test('list filters and limits also apply to granted graphs', async (t) => {
  const { as, count, list } = await watch(t)
  for (const name of ['Second', 'Third']) await as('eve').post('/api/graphs', { name })
  await as('eve').put('/api/graphs/2/access/users/cy', { access: 'WRITE' })
  await as('eve').put('/api/graphs/3/access/users/cy', { access: 'READ' })
  const filters: [GraphFilter, ...ids: number[]][] = [
    [{ access: 'WRITE' }, 2],
    [{ owner: 'ada' }, 1],
    [{ owner: 'eve' }, 2, 3],
    [{ q: 'third' }, 3],
    [{ shared: true }]
  ]
  for (const [filter, ...ids] of filters) {
    t.same([(await list({}, filter))[0], (await count(filter))[0]], [ids, ids.length], JSON.stringify(filter))
  }
  const backwards: Slice['sorts'] = [{ field: 'id', direction: 'desc' }]
  t.same(await list({ sorts: backwards, limit: 1, offset: 2 }), [[1], false])
  t.same(await list({ sorts: backwards, limit: 1, after: [3] }), [[2], false])
})

t.test('a user who leaves a group during a request gets a full page of the remaining graphs', async (t) => {
  const { as, store, reader, cy } = await watch(t)
  await as('cy').post('/api/graphs', { name: 'Own' })
  let hasLeft = false
  const read = onEachQuery(store.read, async (sql) => {
    if (hasLeft || !sql.includes('"graphGrant"')) return
    hasLeft = true
    await as('root').delete('/api/groups/lab/members/cy')
  })
  const rows = await listGraphs({ ...reader, read }, cy, {}, { ...near, limit: 1 })
  t.same([hasLeft, rows.map(({ id }) => id)], [true, [2]])
})

t.test('grants to many groups are merged up to a limit, and scanned beyond it', async (t) => {
  const { store, cy, list } = await watch(t)
  let last = 1
  /** Adds groups that include cy and each have a grant, until there are this many groups. */
  const addGroups = (count: number) =>
    store.write(async (trx) => {
      const now = new Date().toISOString()
      while (last < count) {
        last++
        await trx
          .insertInto('group')
          .values({ id: last, name: `g${last}`, createdAt: now, updatedAt: now })
          .execute()
        await trx.insertInto('groupMember').values({ groupId: last, userId: cy.userId }).execute()
        const grant = { graphId: 1, granteeType: 'GROUP' as const, granteeId: last, access: 'READ' as const }
        await trx
          .insertInto('graphGrant')
          .values({ ...grant, listed: true, createdAt: now, createdBy: 'ada' })
          .execute()
      }
    })
  const far = { limit: 1000, offset: 1000 }
  await addGroups(10)
  t.same(await list(far), [[], false])
  await addGroups(11)
  t.same(await list(far), [[], true])
  await addGroups(400)
  t.same(await list(), [[1], false])
  await addGroups(401)
  t.same(await list(), [[1], true])
})
