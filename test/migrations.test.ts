import { copyFileSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import t, { type Test } from 'tap'
import { checkFile } from '../db/engine/sqlite-backup.ts'
import { migrations as postgresMigrations } from '../db/migrations/postgres/index.ts'
import { migrations as sqliteMigrations } from '../db/migrations/sqlite/index.ts'
import { startThread } from '../src/assets.ts'
import { engine, newDatabase, only } from './engine.ts'
import { PASSWORD } from './helper.ts'
import { call, login, root, run, serve } from './program.ts'
import { until } from './until.ts'

const folder = join(root, 'test/schemas')
const stored = readdirSync(folder)
  .filter((name) => name.startsWith(engine === 'SQLite' ? 'sqlite-' : 'postgres-'))
  .sort()
const migrations = engine === 'SQLite' ? sqliteMigrations : postgresMigrations

t.test('test/schemas has a database of every version', async (t) => {
  const [prefix, suffix] = engine === 'SQLite' ? ['sqlite', 'db'] : ['postgres', 'sql']
  t.same(stored, migrations.map((_, index) => `${prefix}-${index + 1}.${suffix}`).sort())
})

/** A file with the stored database. */
async function restoreFile(name: string, version: number, data: string) {
  const file = join(data, 'graphstead.db')
  copyFileSync(join(folder, name), file)
  const checked = await checkFile(file, startThread)
  t.same([checked.version, checked.faults], [version, []], 'sound before')
  return {}
}

/** A database of PostgreSQL with the schema of that time, and the stored rows. */
async function restoreRows(t: Test, name: string, version: number) {
  const url = await newDatabase(t, { empty: true })
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool: new pg.Pool({ connectionString: url }) }) })
  for (const migration of migrations.slice(0, version)) await migration(db)
  for (const statement of [
    'CREATE TABLE "graphstead" ("schema" INTEGER NOT NULL)',
    `INSERT INTO "graphstead" VALUES (${version})`,
    readFileSync(join(folder, name), 'utf8')
  ]) {
    await sql.raw(statement).execute(db)
  }
  await db.destroy()
  return { GRAPHSTEAD_DATABASE_URL: url }
}

for (const name of stored) {
  const version = Number(/\d+/.exec(name))
  const hasHistory = name !== 'sqlite-1.db'

  t.test(`a database of schema ${version} is migrated without loss`, async (t) => {
    const data = t.testdir({})
    const settings = await (engine === 'SQLite' ? restoreFile(name, version, data) : restoreRows(t, name, version))
    const server = await serve(t, data, ['--log-level', 'error'], settings)
    const token = await login(server.url, 'ada', PASSWORD)
    const admin = await login(server.url, 'admin', PASSWORD)
    const get = async (path: string, who = token) => (await call(`${server.url}${path}`, 'GET', undefined, who)).body

    t.match(await get('/api/graphs/1'), {
      name: 'Small triangle',
      type: 'shape',
      description: 'With three corners',
      shared: true,
      owner: 'ada',
      version: 3,
      nodeCount: 3,
      edgeCount: 3,
      content: { directed: false, nodes: [{ id: 'a', label: 'A' }, { id: 'b' }, { id: 'c', x: 1.5, y: -2 }] }
    })
    const ring = await get('/api/graphs/2')
    t.match(ring, { name: 'Ring of 300', shared: true, nodeCount: 300 })
    t.equal(ring.content.edges.length, 300)
    t.match(await get('/api/graphs/3', admin), { name: 'Ülzgür 網', owner: 'admin', content: null })
    t.match(await call(`${server.url}/api/graphs/4`, 'GET', undefined, token), { status: 404 })
    const versions = await get('/api/graphs/1/versions')
    t.equal(versions[0].principal, 'ada')
    t.equal(versions.length, hasHistory ? 3 : 1, 'those that were kept')
    t.equal((await get('/api/trash')).length, hasHistory ? 1 : 0)
    const trail = await get('/management/audits?targetType=GRAPH&targetId=1&sort=id', admin)
    // Later schemas have groups.
    const hasGroups = (await get('/api/groups')).length > 0
    t.equal(hasGroups, version >= (engine === 'SQLite' ? 9 : 8))
    if (hasGroups) {
      t.match(await get('/api/graphs/3'), { access: 'WRITE', tags: ['east', 'two words'] }, 'granted to a group of ada')
      t.same((await get('/api/groups/lab')).members, ['ada'])
      t.same(
        (await get('/api/graphs/3/access', admin)).map(({ createdAt: _, ...grant }: { createdAt: string }) => grant),
        [
          { group: 'lab', access: 'WRITE', createdBy: 'admin' },
          { user: 'audrey', access: 'READ', createdBy: 'admin' }
        ]
      )
    }
    const hasPrograms = (await call(`${server.url}/api/users/robot`, 'GET', undefined, admin)).status === 200
    t.equal(hasPrograms, version >= (engine === 'SQLite' ? 10 : 9))
    if (hasPrograms) {
      t.match(await get('/api/account/graphs/ring%2F300'), { id: 2, key: 'ring/300' })
      t.match(await get('/api/users/robot', admin), { kind: 'SERVICE' })
      t.match(await get('/api/account/tokens'), [{ id: 1, name: 'nightly', scopes: ['write:graphs'] }])
    }
    const search = (q: string) => call(`${server.url}/api/search?q=${q}`, 'GET', undefined, token)
    t.ok(await until(async () => !(await search('ring')).headers['graphstead-indexing']), 'all graphs are in the index')
    const found = async (q: string) => (await search(q)).body.map(({ graph }: { graph: { id: number } }) => graph.id)
    t.same([await found('triangle'), await found('300')], [[1], [2]], 'graphs are found by their words')
    if (hasHistory) {
      const [{ id, name }] = await get('/api/trash')
      t.same(await found(encodeURIComponent(name)), [], 'those in the trash are not')
      t.equal((await call(`${server.url}/api/trash/${id}/restore`, 'POST', undefined, token)).status, 200)
      t.same(await found(encodeURIComponent(name)), [id], 'until they are taken out of it')
    }
    const hasViews = version >= (engine === 'SQLite' ? 14 : 12)
    if (hasViews) {
      t.match(await get('/api/graphs/1/views'), [
        { name: 'The corners', query: 'size=degree&label=id', savedBy: 'ada' }
      ])
    }
    const hasPreviews = version >= (engine === 'SQLite' ? 18 : 16)
    if (version >= (engine === 'SQLite' ? 17 : 15)) {
      const link = { name: 'For the paper', version: 2, downloads: true, preview: hasPreviews }
      t.match(await get('/api/graphs/1/links'), [link])
    }
    const hasIdentities = version >= (engine === 'SQLite' ? 16 : 14)
    t.match(await get('/api/users/ada', admin), { kind: 'PERSON', linked: hasIdentities, hasPassword: true })
    if (hasIdentities) {
      const identity = { issuer: 'https://login.example.org', subject: 'ada-at-login', linkedBy: 'admin' }
      t.match(await get('/api/users/ada/identity', admin), identity)
    }
    const sessions = await get('/api/account/sessions')
    const isCurrent = ({ current }: { current: boolean }) => current
    t.match(sessions.find(isCurrent), { kind: 'TOKEN', method: 'password' })
    const knowsSessions = version >= (engine === 'SQLite' ? 17 : 15)
    if (!knowsSessions) t.equal(sessions.length, 1, 'old sessions are not listed')
    const audrey = { username: 'audrey', password: PASSWORD, code: 'ep27-77hm-lm2p-nzei' }
    if (knowsSessions) {
      t.match((await get('/api/users/audrey', admin)).secondFactor, true)
      const statuses: number[] = []
      for (let round = 0; round < 2; round++) {
        statuses.push((await call(`${server.url}/api/authenticate`, 'POST', audrey)).status)
      }
      t.same(statuses, [200, 401], 'a recovery code works, once')
    }
    t.same(
      trail.map(({ type }: { type: string }) => type),
      [
        ...['GRAPH_CREATED', 'GRAPH_UPDATED', 'GRAPH_SHARED'],
        ...(hasViews ? ['GRAPH_VIEW_SAVED'] : []),
        ...(hasPreviews ? ['LINK_CREATED'] : [])
      ]
    )
    const created = await call(`${server.url}/api/graphs`, 'POST', { name: 'New' }, token)
    t.match(created, { status: 201, body: { id: 5 } }, 'ids go on')
    t.equal(await server.stop(), 0)
    if (engine === 'SQLite') {
      const checked = await checkFile(join(data, 'graphstead.db'), startThread)
      t.same([checked.version, checked.faults], [migrations.length, []], 'and sound after')
    }
  })
}

t.test(
  'a newer database is refused with a sentence, and left unchanged',
  only('SQLite', 'of PostgreSQL test/postgres.test.ts tells'),
  async (t) => {
    const data = t.testdir({})
    const file = join(data, 'graphstead.db')
    copyFileSync(join(folder, stored.at(-1) ?? ''), file)
    const database = new Database(file)
    database.pragma(`user_version = ${migrations.length + 1}`)
    database.close()
    const before = readFileSync(file)
    for (const args of [['serve', '--port', '0'], ['user', 'list'], ['check'], ['backup', join(data, 'copy.db')]]) {
      const { code, stderr } = await run([...args, '--data', data])
      t.equal(code, 1)
      t.match(
        stderr,
        /^graphstead \w+: .* was written by a newer Graphstead \(schema \d+, this one knows \d+\); start that one instead\.\n$/
      )
    }
    t.ok(readFileSync(file).equals(before))
  }
)
