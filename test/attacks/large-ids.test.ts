import { join } from 'node:path'
import { sql } from 'kysely'
import t from 'tap'
import { copyStore } from '../../db/engine/copy.ts'
import { openSqlite } from '../../db/engine/sqlite.ts'
import { MAX_ID } from '../../db/store.ts'
import { findExpired, removePurged } from '../../db/trash.ts'
import { findLongHistories, removeVersions } from '../../db/versions.ts'
import { startThread } from '../../src/assets.ts'
import { build, type Client, triangle } from '../helper.ts'

// An attacker who can write to the database gives rows ids that cannot be read exactly. Walks by id would repeat for
// ever.

/** Manually written ids: beyond those of Graphstead, the last possible ones, and many that round to the same number. */
const IDS = `SELECT 9007199254740992 AS "id" UNION ALL SELECT 9223372036854775806 UNION ALL SELECT 9223372036854775807
  UNION ALL SELECT 4611686018427387905 + "n" FROM "n"`
const numbered = (count: number) =>
  `WITH RECURSIVE "n" AS (SELECT 0 AS "n" UNION ALL SELECT "n" + 1 FROM "n" WHERE "n" < ${count - 1}), "ids" AS (${IDS})`

/** Copies of the row of a table, with other values for some columns. */
const copies = (table: string, columns: string[], changed: Record<string, string>, count = 20) =>
  sql.raw(`${numbered(count)} INSERT INTO "${table}" (${columns.map((name) => `"${name}"`).join(', ')})
    SELECT ${columns.map((name) => changed[name] ?? `r."${name}"`).join(', ')}
    FROM (SELECT * FROM "${table}" LIMIT 1) AS r CROSS JOIN "ids" ORDER BY "ids"."id"`)

/** Counts the pages of two rows by cursor, and collects their ids. */
async function walk(client: Client, path: string, key = 'id') {
  const keys: number[] = []
  let next: string | undefined = `${path}${path.includes('?') ? '&' : '?'}size=2&cursor=`
  for (let pages = 0; next !== undefined; pages++) {
    if (pages > 20) return 'goes on and on'
    const { status, headers, body } = await client.get(next)
    if (status !== 200) return `${next} is ${status}`
    keys.push(...body.map((row: Record<string, number>) => row[key]))
    next = /<([^>]+)>; rel="next"/.exec(headers.link ?? '')?.[1]
  }
  return keys
}

/** Three graphs, of which one has three versions and one is in the trash, and rows with large ids in each table. */
async function hostile(t: Parameters<typeof build>[0]) {
  const built = await build(t)
  const { as, store } = built
  for (let id = 1; id <= 3; id++) t.equal((await as('root').post('/api/graphs', triangle)).status, 201)
  for (const name of ['Second', 'Third']) t.equal((await as('root').patch('/api/graphs/1', { name })).status, 200)
  t.equal((await as('root').delete('/api/graphs/3')).status, 200)
  await store.write(async (trx) => {
    const columnsOf = async (table: string) =>
      Object.keys((await sql<object>`SELECT * FROM ${sql.table(table)} LIMIT 1`.execute(trx)).rows[0] ?? {})
    const insert = async (table: string, changed: Record<string, string>, count?: number) =>
      copies(table, await columnsOf(table), changed, count).execute(trx)
    const id = { id: '"ids"."id"' }
    await insert('user', { ...id, login: `'u' || "ids"."id"` })
    // More than a batch of /api/mygraphs.
    await insert('graph', id, 600)
    await insert('auditEvent', id)
    // Versions of the first graph, of unknown graphs, and of graphs in the trash.
    await insert('graphVersion', { graphId: '1', version: '"ids"."id"' })
    await insert('graphVersion', { graphId: '"ids"."id"' })
    await insert('trash', { ...id, version: 'r."version"' })
    await sql.raw(`${numbered(20)} INSERT INTO "purgedGraph" ("id") SELECT "id" FROM "ids"`).execute(trx)
  })
  return built
}

t.test('every list reaches its end, by cursor and by number', async (t) => {
  const { as } = await hostile(t)
  const root = as('root')
  const lists: [path: string, expected: number[], key?: string][] = [
    ['/api/graphs', [1, 2]],
    ['/api/graphs?sort=id,desc', [2, 1]],
    ['/api/graphs?sort=type', [1, 2]],
    ['/api/graphs?owner=root', [1, 2]],
    ['/api/graphs?q=r', [1, 2]],
    ['/api/trash', [3]],
    ['/api/trash?sort=type', [3]],
    ['/api/users', [1]],
    ['/api/users?sort=role', [1]],
    ['/api/graphs/1/versions', [3, 2, 1], 'version'],
    ['/api/graphs/1/versions?sort=principal', [3, 2, 1], 'version']
  ]
  for (const [path, expected, key] of lists) {
    t.strictSame(await walk(root, path, key), expected, path)
    const paged = await root.get(`${path}${path.includes('?') ? '&' : '?'}size=2&page=0`)
    t.equal(paged.status, 200, `${path} by number`)
  }
  for (const path of ['/management/audits', '/management/audits?sort=type', '/management/audits?outcome=SUCCESS']) {
    const ids = await walk(root, path)
    t.same(typeof ids === 'string' ? ids : [...ids].sort(), [1, 2, 3, 4, 5, 6], path)
  }
  const mine = await root.get('/api/mygraphs')
  t.same(
    mine.body.map(({ id }: { id: number }) => id),
    [1, 2]
  )
})

t.test('background work terminates with such ids', async (t) => {
  const { store } = await hostile(t)
  let rounds = 0
  while (rounds < 10 && (await store.write(removePurged))) rounds++
  t.equal(rounds, 0, 'nothing is left of histories that can be removed')
  t.same(await findExpired(store.read, -1, 10), [3])
  t.same(await findLongHistories(store.read, 1, 0, 10), [1, 3])
  let steps = 0
  while (steps < 10 && !(await store.write((trx) => removeVersions(trx, 1, 2 ** 63))).isDone) steps++
  t.ok(steps < 10, 'versions are removed')
})

t.test('a copy of such a store is refused', async (t) => {
  const { store, folder } = await hostile(t)
  const target = await openSqlite(join(folder, 'copy.db'), startThread)
  t.teardown(() => target.close())
  const outcome = () =>
    copyStore(store, target, () => {}).then(
      () => 'copied',
      ({ message }: Error) => message
    )
  const says = 'has an id that Graphstead does not give out: 9007199254740992.'
  t.equal(await outcome(), `user ${says}`)
  for (const table of ['user', 'graph', 'trash'] as const) {
    await store.write((trx) =>
      trx
        .deleteFrom(table as 'graph')
        .where('id', '>', MAX_ID)
        .execute()
    )
  }
  t.equal(await outcome(), `graphVersion ${says}`)
})
