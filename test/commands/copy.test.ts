import { join } from 'node:path'
import Database from 'better-sqlite3'
import { sql } from 'kysely'
import t, { type Test } from 'tap'
import { openStore } from '../../db/engine/open.ts'
import { openSqlite } from '../../db/engine/sqlite/store.ts'
import type { Store } from '../../db/store.ts'
import { TABLES, tablesWith } from '../../db/tables.ts'
import { startThread } from '../../src/system/assets.ts'
import { contradictions, rowsOf } from '../support/consistency.ts'
import { engine, newDatabase, only } from '../support/engine.ts'
import { addUser, build, PASSWORD, proven, triangle } from '../support/helper.ts'
import { run } from '../support/program.ts'

/** Creates a source store on this run's engine. The test chooses the target. */
async function sourceOf(t: Test) {
  const { as, store, folder, url } = await build(t)
  const ada = as('ada')
  const large = (label: string) => ({
    label,
    nodes: Array.from({ length: 500 }, (_, index) => ({ id: `node ${index}` })),
    edges: []
  })
  for (let id = 1; id <= 30; id++)
    await ada.post('/api/graphs', { ...triangle, shared: id % 2 === 0, message: `No. ${id}` })
  for (let round = 1; round <= 25; round++) await ada.patch('/api/graphs/1', { name: `Round ${round} é😀` })
  await ada.put('/api/graphs', { id: 2, name: 'Large', content: large('x') })
  await ada.put('/api/graphs', { id: 3, name: 'Large as well', content: large('x') })
  await as('bob').post('/api/graphs', { name: 'Large, too', content: large('y') })
  await ada.post('/api/graphs/2/restore', { version: 1 })
  await as('root').post('/api/groups', { name: 'lab', description: 'All of us' })
  await as('root').put('/api/groups/lab/members/bob')
  // Grants access to a private graph, a shared graph, and one that is trashed later.
  for (const id of [1, 2, 4]) await ada.put(`/api/graphs/${id}/access/groups/lab`, { access: 'WRITE' })
  await ada.put('/api/graphs/3/access/users/bob', { access: 'READ' })
  await ada.patch('/api/graphs/5', { tags: ['east', 'two words', '😀'] })
  await ada.delete('/api/graphs/4')
  await ada.delete('/api/graphs/30')
  await ada.delete('/api/trash/30')
  await as('bob').post('/api/graphs', { name: 'The last' })
  await as('bob').delete('/api/graphs/32')
  await as('root').delete('/api/trash/32')
  await as('root').patch('/api/users/bob', { password: 'a given password', ...proven })
  await as('root').put('/api/graphs/2/views/wide', { query: 'size=degree' })
  await as('root').put('/api/users/bob/identity', {
    issuer: 'https://login.example.org',
    subject: '0',
    ...proven.proof
  })
  await ada.get('/api/graphs/3/layout')
  await ada.post('/api/graphs/1/links', { name: 'é', password: 'a password', origins: ['https://a.example'] })
  await ada.post('/api/graphs/3/links', { version: 1, downloads: true, preview: true })
  await ada.post('/api/account/tokens', { name: 'a script', scopes: ['read:graphs'], password: PASSWORD })
  const sessions = ['f1c0', '0a-9', '0a9'].map((id) => ({ id, expiresAt: 2 ** 41 }))
  await store.write((trx) => trx.insertInto('endedSession').values(sessions).execute())
  const kept = [false, true].map((remembered, index) => ({
    id: `5e-${index}`,
    remembered,
    lastUsedAt: 2 ** 40 + index,
    browser: remembered,
    ...{ userId: 1, handle: `h${index}`, method: 'oidc' as const, tokenVersion: 2 ** 46 },
    ...{ startedAt: 2 ** 40, expiresAt: 2 ** 41, address: '::1', familiar: !remembered },
    ...(!remembered && { sid: 'there', userAgent: 'curl/8.5.0 é' })
  }))
  await store.write((trx) => trx.insertInto('session').values(kept).execute())
  await store.write(async (trx) => {
    await trx
      .insertInto('secondFactor')
      .values({ userId: 1, secret: 'sealed', lastStep: 2 ** 32, begunAt: 2 ** 41, begunBy: 'x' })
      .execute()
    const codes = ['b', 'a'].map((hash) => ({ userId: 1, hash }))
    await trx.insertInto('recoveryCode').values(codes).execute()
    await trx
      .insertInto('invitation')
      .values({ userId: 1, hash: 'c', expiresAt: 2 ** 41 })
      .execute()
    await trx.updateTable('user').set({ secondFactorSince: '2026-11-25T00:00:00.000Z' }).where('id', '=', 1).execute()
  })
  await store.write((trx) => trx.insertInto('purgedGraph').values({ id: 32 }).execute())
  return { store, folder, source: url ?? `sqlite:${folder}` }
}

const records = tablesWith({ rows: 'records' })
const everything = (store: Store) => rowsOf(store, records)

/** Copies to the target, and compares the two stores. */
async function arrives(t: Test, { store, source }: Awaited<ReturnType<typeof sourceOf>>, target: string) {
  const outcome = await run(['copy', '--from', source, '--to', target])
  t.match(outcome, { code: 0, stderr: '' })
  t.match(
    outcome.stdout,
    /^Copied and compared: [23] users, 29 graphs and 1 in the trash, \d+ earlier versions, \d+ events\.\n$/
  )
  const file = () => join(target.slice('sqlite:'.length), 'graphstead.db')
  const copy = await openStore(target.startsWith('postgres') ? { database: target } : {}, file, startThread)
  t.teardown(() => copy.close())
  const all = await everything(store)
  const empty = records.filter((table) => all[table].length === 0)
  t.same(empty, ['auditTile', 'auditSalt', 'auditRun', 'auditErased'], 'all other tables have rows')
  t.same(await everything(copy), all, 'all rows are the same')
  t.same(await contradictions(copy), [], 'the copy is consistent')
  t.same(await copy.lastIds(copy.read), await store.lastIds(store.read), 'new ids continue after the last ones')
  const again = await run(['copy', '--from', source, '--to', target])
  t.match(again, {
    code: 1,
    stderr: /^graphstead copy: The target is not empty: its table user has \d rows\.\n$/
  })
  return copy
}

t.test('a store can be copied to a SQLite file', async (t) => {
  const made = await sourceOf(t)
  await arrives(t, made, `sqlite:${join(made.folder, 'copy')}`)
})

t.test('a store can be copied to PostgreSQL and back', only('PostgreSQL', 'it copies to PostgreSQL'), async (t) => {
  const made = await sourceOf(t)
  const there = await newDatabase(t, { empty: true })
  const copy = await arrives(t, made, there)
  const back = `sqlite:${join(made.folder, 'back')}`
  t.match(await run(['copy', '--from', there, '--to', back]), { code: 0 })
  const returned = await openStore({}, () => join(back.slice('sqlite:'.length), 'graphstead.db'), startThread)
  t.teardown(() => returned.close())
  t.same(await everything(returned), await everything(copy))
})

t.test(
  'damaged content is not copied, and the target remains empty',
  only('SQLite', 'the test damages the file'),
  async (t) => {
    const { as, folder } = await build(t)
    t.equal((await as('ada').post('/api/graphs', triangle)).status, 201)
    const other = new Database(join(folder, 'graphstead.db'))
    other.exec(`UPDATE "content" SET "json" = '{"nodes":[],"edges":[]}'`)
    other.close()
    const target = join(folder, 'copy')
    const outcome = await run(['copy', '--from', `sqlite:${folder}`, '--to', `sqlite:${target}`])
    const stderr = 'graphstead copy: Content 1 is damaged: it does not match its hash.\n'
    t.same(outcome, { code: 1, stdout: '', stderr })
    const copy = await openStore({}, () => join(target, 'graphstead.db'), startThread)
    t.teardown(() => copy.close())
    t.same(await copy.read.selectFrom('user').select('id').execute(), [])
  }
)

t.test('the list has exactly the tables of the database', async (t) => {
  const { store } = await build(t)
  t.same((await store.listTables(store.read)).sort(), Object.keys(TABLES).sort())
  t.same(
    tablesWith({ rows: 'local' }),
    ['attempt', 'auditLog', 'clock', 'indexing'],
    'only these tables are not copied'
  )
})

t.test('a source with an unlisted table is not copied, so that nothing is lost', async (t) => {
  const targets: ((folder: string) => string | Promise<string>)[] = [(folder) => `sqlite:${join(folder, 'copy')}`]
  if (engine === 'PostgreSQL') targets.push(() => newDatabase(t))
  for (const targetOf of targets) {
    const { as, store, folder, url } = await build(t)
    t.equal((await as('ada').post('/api/graphs', triangle)).status, 201)
    await refuses(t, store, url ?? `sqlite:${folder}`, await targetOf(folder))
  }
})

t.test(
  'a SQLite source with an unlisted table is not copied to PostgreSQL',
  only('PostgreSQL', 'it copies to PostgreSQL'),
  async (t) => {
    const folder = t.testdir({})
    const store = await openSqlite(join(folder, 'graphstead.db'), startThread)
    t.teardown(() => store.close())
    await addUser(store, 'ada')
    await refuses(t, store, `sqlite:${folder}`, await newDatabase(t))
  }
)

/** Copies a store with an unlisted table. The copy is refused if the table has rows, unless it is Litestream's. */
async function refuses(t: Test, store: Store, source: string, target: string) {
  const change = (statement: string) => store.write((trx) => sql.raw(statement).execute(trx))
  await change('CREATE TABLE "folder" ("id" INTEGER PRIMARY KEY, "name" TEXT)')
  await change(`INSERT INTO "folder" VALUES (1, 'mine'), (2, 'yours')`)
  const outcome = await run(['copy', '--from', source, '--to', target])
  const stderr = 'graphstead copy: The source has an unknown table: folder, with 2 rows.\n'
  t.same(outcome, { code: 1, stdout: '', stderr })
  await change('DELETE FROM "folder"')
  if (source.startsWith('sqlite:')) {
    await change('CREATE TABLE _litestream_seq (id INTEGER PRIMARY KEY, seq INTEGER)')
    await change('INSERT INTO _litestream_seq VALUES (1, 1)')
  }
  t.equal(
    (await run(['copy', '--from', source, '--to', target])).code,
    0,
    'empty unlisted tables and those of Litestream are accepted, and the target was left empty'
  )
}

t.test(
  'missing and wrong arguments are reported',
  only('SQLite', 'arguments are checked before the store'),
  async (t) => {
    const folder = t.testdir({})
    const cases: [string[], RegExp][] = [
      [[], /--from and --to are required/],
      [['--from', 'sqlite:x'], /--from and --to are required/],
      [['--from', 'sqlite:x', '--to', 'sqlite:x'], /are the same/],
      [['--from', `sqlite:${folder}`, '--to', 'sqlite:x'], /--from: there is no Graphstead database/],
      [['--from', 'mysql://x', '--to', 'sqlite:x'], /--from must be sqlite:FOLDER/],
      [['--from', 'sqlite:x', '--to', 'postgres://x', 'y'], /takes no arguments/]
    ]
    for (const [args, stderr] of cases) t.match(await run(['copy', ...args]), { code: 2, stderr, stdout: '' })
    const nowhere = await run(['copy', '--from', 'postgres://127.0.0.1:1/x', '--to', `sqlite:${folder}`])
    t.match(nowhere, { code: 1, stderr: /^graphstead copy: The database cannot be used: .*ECONNREFUSED/ })
    t.match(await run(['copy', '--help']), { code: 0, stdout: /--from FROM/ })
  }
)

t.test(
  'an audit log with faults is copied, and the faults are reported',
  only('SQLite', 'the test damages the file'),
  async (t) => {
    const { as, app, folder } = await build(t)
    t.equal((await as('ada').post('/api/graphs', triangle)).status, 201)
    await app.auditLog.takeInAll()
    const other = new Database(join(folder, 'graphstead.db'))
    other.exec(`DELETE FROM "auditSalt"`)
    other.close()
    const outcome = await run(['copy', '--from', `sqlite:${folder}`, '--to', `sqlite:${join(folder, 'copy')}`])
    const fault =
      /graphstead copy: the source has a fault, and so does the copy: audit log: the event for leaf 0 is missing\n/
    t.match(outcome, { code: 1, stdout: /^Copied and compared: /, stderr: fault })
  }
)
