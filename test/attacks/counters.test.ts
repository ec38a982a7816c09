import { sql } from 'kysely'
import t from 'tap'
import { tablesWith } from '../../db/tables.ts'
import { only } from '../support/engine.ts'
import { build, triangle } from '../support/helper.ts'

t.test('the server cannot rewrite counters', only('PostgreSQL', 'SQLite has no roles'), async (t) => {
  const { as, store } = await build(t)
  t.equal((await as('ada').post('/api/graphs', triangle)).status, 201)
  for (const table of tablesWith({ rows: 'derived' })) {
    const name = sql.table(table)
    // Grant counts are not sharded.
    const column = sql.ref(table === 'grantCount' ? 'total' : 'shard')
    for (const attack of [sql`DELETE FROM ${name}`, sql`UPDATE ${name} SET ${column} = 99`, sql`TRUNCATE ${name}`]) {
      const outcome = store.write((trx) => attack.execute(trx))
      await t.rejects(outcome, { message: 'counters follow what they count' }, table)
    }
  }
  t.equal((await as('ada').delete('/api/graphs/1')).status, 200, 'the counters still track later changes')
})
