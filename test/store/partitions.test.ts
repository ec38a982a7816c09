import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import t from 'tap'
import { translate } from '../../db/engine/postgres/errors.ts'
import { asServerRole, clientOf, only } from '../support/engine.ts'
import { build, triangle } from '../support/helper.ts'
import { root, run } from '../support/program.ts'

const here = only('PostgreSQL', 'it tests partitions')

/** Returns the statements in docs/scale.md that partition the contents. */
function statements() {
  const [, script = ''] = /```sql\n(BEGIN[\s\S]*?)```/.exec(readFileSync(join(root, 'docs/scale.md'), 'utf8')) ?? []
  return script
}

t.test('contents in partitions are stored, changed, copied and removed', here, async (t) => {
  const { as, store, url = '' } = await build(t, { trashDays: 0 })
  const owner = await clientOf(t, url)
  const ada = as('ada')
  const large = { nodes: Array.from({ length: 500 }, (_, index) => ({ id: `node ${index}` })), edges: [] }
  const create = async (name: string, content: object) => {
    const { status, body } = await ada.post('/api/graphs', { name, content })
    t.equal(status, 201)
    return body
  }
  const first = await create('First', triangle.content)
  await owner.query(statements())
  const created = []
  for (let index = 0; index < 20; index++) {
    created.push(await create('Large', { ...large, nodes: [...large.nodes, { id: `own ${index}` }] }))
  }
  const graphs = [first, await create('Again', created[0].content), ...created]
  for (const { id, content } of graphs) t.same((await ada.get(`/api/graphs/${id}`)).body.content, content)
  const { rows } = await owner.query(`SELECT count(DISTINCT tableoid)::int AS "partitions", min("id")::int AS "least",
    count(*)::int AS "contents", count(DISTINCT "hash")::int AS "hashes" FROM "content"`)
  t.ok(rows[0].partitions > 1, 'the contents are in several partitions')
  t.equal(rows[0].least, 1, 'existing contents were moved')
  t.same([rows[0].contents, rows[0].hashes], [21, 21], 'the same content is stored once')

  const server = await clientOf(t, await asServerRole(t, url))
  const insert = `INSERT INTO "content" ("hash", "json", "size") SELECT "hash", "json", "size" FROM "content" WHERE "id" = 1 RETURNING "id"`
  const { rows: inserted } = await server.query(insert)
  t.equal((await server.query(`DELETE FROM "content" WHERE "id" = ${inserted[0].id}`)).rowCount, 1)

  const removed = await owner.query('DELETE FROM "content"').catch((error: unknown) => translate(error))
  t.match(removed, { name: 'KeyConflict' }, 'a transaction that reuses a content while it is removed is rerun')

  const target = join(t.testdir({}), 'copy')
  const { code, stderr } = await run(['copy', '--from', url, '--to', `sqlite:${target}`])
  t.same([code, stderr], [0, ''])

  for (const { id } of graphs) await ada.delete(`/api/graphs/${id}`)
  t.same((await sql`SELECT * FROM "content"`.execute(store.read)).rows, [])
  const { content: last } = await store.lastIds(store.read)
  t.equal(last, 22, 'ids continue')
})
