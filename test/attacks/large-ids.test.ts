import { sql } from 'kysely'
import t from 'tap'
import { build, problem, triangle } from '../support/helper.ts'

// Paths, filters and bodies may contain ids too large for a JavaScript number. None is rounded to the id of a row.

/** As a JavaScript number, `NEXT` rounds to `ROW`. */
const [ROW, NEXT, LAST] = ['9007199254740992', '9007199254740993', '9223372036854775807']

t.test('an id above 2^53 is never rounded to the id of a row', async (t) => {
  const { as, store } = await build(t)
  const root = as('root')
  for (let graph = 0; graph < 2; graph++) t.equal((await root.post('/api/graphs', triangle)).status, 201)
  t.equal((await root.delete('/api/graphs/2')).status, 200)
  const rows = () =>
    store.read
      .selectFrom('graph')
      .select(['id', 'version'])
      .unionAll(store.read.selectFrom('trash').select(['id', 'version']))
      .execute()
  await store.write(async (trx) => {
    for (const table of ['graph', 'trash'])
      await sql`UPDATE ${sql.table(table)} SET "id" = ${sql.lit(ROW)}`.execute(trx)
    await sql`UPDATE "graphVersion" SET "graphId" = ${sql.lit(ROW)}`.execute(trx)
    await trx
      .insertInto('auditEvent')
      .values({
        ...{ timestamp: new Date().toISOString(), principal: 'root', type: 'GRAPH_CREATED', outcome: 'SUCCESS' },
        ...{ targetType: 'GRAPH', targetId: Number(ROW), targetName: null, targetVersion: 1, request: null, data: '{}' }
      })
      .execute()
  })
  const before = await rows()
  for (const id of [NEXT, LAST]) {
    for (const path of ['', '/content', '/versions', '/access', '/links', '/views']) {
      t.match(await root.get(`/api/graphs/${id}${path}`), problem(404, 'graph-not-found'), path)
    }
    t.match(await root.patch(`/api/graphs/${id}`, { name: 'Other' }), problem(404, 'graph-not-found'))
    t.equal((await root.delete(`/api/graphs/${id}`)).status, 200)
    t.match(await root.post(`/api/trash/${id}/restore`), problem(404, 'graph-not-found'))
    t.match(await root.delete(`/api/trash/${id}`), problem(404, 'graph-not-found'))
    t.match(await root.get(`/management/audits/${id}`), { status: 404 })
    t.strictSame((await root.get(`/management/audits?targetType=GRAPH&targetId=${id}`)).body, [])
  }
  t.equal((await root.get(`/management/audits?targetType=GRAPH&targetId=${ROW}`)).body.length, 1)
  t.same(await rows(), before)
})
