import { DefaultQueryCompiler } from 'kysely'
import t from 'tap'
import { UserActor } from '../../db/actors.ts'
import { countTrash, listTrash } from '../../db/changes/trash.ts'
import { countGraphs, listGraphs } from '../../db/lists/graphs.ts'
import { countVersions, listVersions } from '../../db/lists/versions.ts'
import { countUsers, listUsers } from '../../db/users/users.ts'
import type { Slice } from '../../schemas/parameters.ts'
import { build } from '../support/helper.ts'

t.test('a list and its count are each compiled once for all parameters', async (t) => {
  const { store } = await build(t)
  let compiled = 0
  const { compileQuery } = DefaultQueryCompiler.prototype
  t.intercept(DefaultQueryCompiler.prototype, 'compileQuery', {
    value(this: DefaultQueryCompiler, ...of: Parameters<typeof compileQuery>) {
      compiled++
      return compileQuery.apply(this, of)
    }
  })
  const slice: Slice = { sorts: [{ field: 'id', direction: 'asc' }], limit: 20, offset: 0, after: undefined }
  const versions: Slice = { ...slice, sorts: [{ field: 'version', direction: 'desc' }] }
  /** Runs all lists and counts with parameters derived from `n`. Returns the number of compiled queries. */
  async function compiledFor(n: number) {
    compiled = 0
    const actor = new UserActor(`user ${n}`, 'USER', n)
    const filter = { q: `text ${n}`, type: `type ${n}` }
    await listUsers(store, slice)
    await countUsers(store.read)
    await listTrash(store.scan, { actor, filter }, slice, n)
    await countTrash(store.scan, { actor, filter })
    await listGraphs(store, actor, filter, slice)
    await countGraphs(store, actor, filter)
    await listVersions(store, n, versions)
    await countVersions(store.read, { id: n, version: n })
    return compiled
  }
  t.ok((await compiledFor(1)) > 0)
  t.equal(await compiledFor(2), 0)
})
