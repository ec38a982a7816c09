import {
  chownSync,
  copyFileSync,
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import Database from 'better-sqlite3'
import t, { type Test } from 'tap'
import { openSqlite } from '../../db/engine/sqlite/store.ts'
import { checkFile } from '../../db/upkeep/backup.ts'
import { startThread } from '../../src/system/assets.ts'
import { only } from '../support/engine.ts'
import { events, PASSWORD, triangle } from '../support/helper.ts'
import { call, login, run, runProgram, serve, serveProgram } from '../support/program.ts'

const sqlite = only('SQLite', 'PostgreSQL has its own backup tools')

/** Creates a data folder with a user, a group, graphs, grants, large content, history and trash. */
async function populate(t: Test) {
  const folder = t.testdir({})
  const data = join(folder, 'data')
  const server = await serve(t, data, ['--log-level', 'error'])
  const token = await login(server.url)
  const nodes = Array.from({ length: 3000 }, (_, index) => ({ id: `node ${index}` }))
  const graphs = `${server.url}/api/graphs`
  for (const body of [triangle, { name: 'Large', content: { nodes, edges: [] } }, { name: 'Empty' }]) {
    t.equal((await call(graphs, 'POST', body, token)).status, 201)
  }
  await call(`${graphs}/1`, 'PATCH', { name: 'Renamed' }, token)
  t.equal((await call(`${server.url}/api/groups`, 'POST', { name: 'lab' }, token)).status, 201)
  for (const path of ['groups/lab/members/admin', 'graphs/1/access/groups/lab', 'graphs/3/access/groups/lab']) {
    const body = path.startsWith('graphs') ? { access: 'READ' } : undefined
    t.equal((await call(`${server.url}/api/${path}`, 'PUT', body, token)).status, 204, path)
  }
  await call(`${graphs}/3`, 'DELETE', undefined, token)
  return { folder, data, server, token, graphs }
}

let original: Promise<string> | undefined

/** Copies a populated folder, which is created once and whose server has stopped. */
async function populateStopped(test: Test, files: Parameters<Test['testdir']>[0] = {}) {
  original ??= populate(t).then(async ({ data, server }) => {
    await server.stop()
    return data
  })
  const from = await original
  const folder = test.testdir(files)
  const data = join(folder, 'data')
  cpSync(from, data, { recursive: true })
  return { folder, data }
}

const sound = /1 user, 2 graphs and 1 in the trash, 2 earlier versions, \d+ events \(schema \d+\)\n$/

t.test('a backup of a running server is complete, sound, and readable only by its owner', sqlite, async (t) => {
  const { folder, data, server, token, graphs } = await populate(t)
  const file = join(folder, 'backup.db')
  t.match(await run(['backup', file, '--data', data]), { code: 0, stdout: sound, stderr: '' })
  t.equal(statSync(file).mode & 0o777, 0o600)
  t.same(readdirSync(folder).sort(), ['backup.db', 'data'], 'no other file is left')
  t.match(await run(['check', file]), { code: 0, stdout: /is sound: 1 user/ })
  t.match(
    await run(['check', '--data', data]),
    { code: 0, stdout: /is sound: 1 user/ },
    'a database is sound while its server runs'
  )

  await call(graphs, 'POST', { name: 'Later' }, token)
  t.match(await run(['backup', file, '--data', data]), { code: 1, stderr: /already exists; replace it with --force/ })
  t.match(await run(['check', file]), { stdout: sound }, 'the backup is unchanged')
  t.match(await run(['backup', '--force', file, '--data', data]), { code: 0, stdout: /3 graphs/ })
  symlinkSync(join(data, 'graphstead.db'), join(folder, 'link.db'))
  for (const itself of [join(data, 'graphstead.db'), join(folder, 'link.db')]) {
    const outcome = await run(['backup', '--force', itself, '--data', data])
    t.match(outcome, { code: 1, stderr: /is the database itself/ }, 'the database itself is never overwritten')
  }
  await server.stop()
})

t.test('a backup under load is a consistent snapshot', sqlite, async (t) => {
  const { folder, data, server, token, graphs } = await populate(t)
  let running = true
  const writers = Array.from({ length: 8 }, async () => {
    for (; running; await sleep(20)) await call(graphs, 'POST', triangle, token)
  })
  const file = join(folder, 'backup.db')
  t.match(await run(['backup', file, '--data', data]), { code: 0 })
  t.match(
    await run(['check', file]),
    { code: 0, stdout: /is sound/ },
    'graphs, contents and events match in the backup'
  )
  running = false
  await Promise.all(writers)
  await server.stop()
})

t.test('restore replaces the database with a backup, and keeps the old one', sqlite, async (t) => {
  const { folder, data, server, token, graphs } = await populate(t)
  const file = join(folder, 'backup.db')
  const tokens = `${server.url}/api/account/tokens`
  const makeToken = async (name: string) =>
    (await call(tokens, 'POST', { name, scopes: ['read:graphs'], password: PASSWORD }, token)).body.token as string
  const links = `${graphs}/1/links`
  const { body: link } = await call(links, 'POST', {}, token)
  t.match(await call(links, 'POST', {}, token), { body: { id: 2 } })
  const [lasting, revoked] = [await makeToken('lasting'), await makeToken('revoked')]
  const invited = await run(['user', 'add', 'eve', '--role', 'USER', '--invite', '--data', data])
  const [, secret] = /#(.*)\n/.exec(invited.stdout) ?? []
  t.equal((await call(`${server.url}/api/invitation`, 'POST', { secret })).status, 200)
  await run(['backup', file, '--data', data])
  t.match(await call(`${tokens}/2`, 'DELETE', undefined, token), { status: 204 })
  t.match(await call(`${links}/2`, 'DELETE', undefined, token), { status: 204 })
  const later = await makeToken('later')
  t.match((await call(graphs, 'POST', { name: 'Lost' }, token)).body, { id: 4 })

  t.match(await run(['restore', file, '--data', data]), { code: 1, stderr: /already exists; replace it with --force/ })
  t.match(await run(['restore', '--force', file, '--data', data]), { code: 1, stderr: /in use. Stop the server first/ })
  t.match(await call(`${graphs}/4`, 'GET', undefined, token), { status: 200 }, 'the database is unchanged')
  await server.stop()

  const restored = await run(['restore', '--force', file, '--data', data])
  t.match(restored, { code: 0, stdout: /2 graphs and 1 in the trash/ })
  const kept = /The old database is now (.*)\n/.exec(restored.stdout)?.[1] ?? ''
  t.match(await run(['check', kept]), { code: 0, stdout: /3 graphs/ })
  t.match(await run(['check', '--data', data]), { code: 0, stdout: /is sound/ })
  t.notMatch(readdirSync(data).join(), /part/)

  const again = await serve(t, data, ['--log-level', 'error'])
  t.match(await call(`${again.url}/api/account`, 'GET', undefined, token), { status: 401 }, 'sessions have ended')
  t.match(
    await call(`${again.url}/api/invitation`, 'POST', { secret }),
    { status: 404, body: { code: 'invitation-not-found' } },
    'invitations may have been used since the backup'
  )
  for (const [of, status] of [
    [lasting, 200],
    [revoked, 401],
    [later, 401]
  ] as const) {
    const answer = await call(`${again.url}/api/graphs`, 'GET', undefined, of)
    t.equal(answer.status, status, 'a revoked token remains revoked')
  }
  const fresh = await login(again.url)
  t.match(await call(`${again.url}/api/graphs/1`, 'GET', undefined, fresh), { body: { name: 'Renamed', version: 2 } })
  t.match(await call(`${again.url}/api/graphs/4`, 'GET', undefined, fresh), { status: 404 })
  const { body: left } = await call(`${again.url}/api/graphs/1/links`, 'GET', undefined, fresh)
  t.same(left, [link], 'a deleted link remains deleted, and the other link keeps its URL')
  const next = await call(`${again.url}/api/graphs`, 'POST', { name: 'Next' }, fresh)
  t.match(next.body, { id: 5 }, 'ids are never reused')
  await again.stop()
  const store = await openSqlite(join(data, 'graphstead.db'), startThread)
  t.match(await events(store, 'STORE_RESTORED'), [{ principal: 'system', outcome: 'SUCCESS' }])
  await store.close()

  t.match(
    await run(['restore', file, '--data', join(folder, 'new')]),
    { code: 0 },
    'restore also works with an empty folder'
  )
  t.match(await run(['check', '--data', join(folder, 'new')]), { code: 0, stdout: /is sound/ })
})

const asRoot = process.getuid?.() === 0 ? {} : { skip: 'only root can change the owner of files' }

t.test("a database restored by root belongs to the server's user", { ...sqlite, ...asRoot }, async (t) => {
  const folder = t.testdir({ data: {} })
  const data = join(folder, 'data')
  const file = join(folder, 'backup.db')
  await (await openSqlite(file, startThread)).close()
  chownSync(data, 10001, 10002)
  t.match(await run(['restore', file, '--data', data]), { code: 0 })
  t.match(statSync(join(data, 'graphstead.db')), { uid: 10001, gid: 10002 })
})

t.test('an unsound backup is not restored, and nothing changes', sqlite, async (t) => {
  const { folder, data } = await populateStopped(t, { text: 'text '.repeat(1000) })
  const before = readFileSync(join(data, 'graphstead.db'))
  const half = join(folder, 'half.db')
  copyFileSync(join(data, 'graphstead.db'), half)
  truncateSync(half, Math.floor(before.length / 8192) * 4096)
  const newer = join(folder, 'newer.db')
  copyFileSync(join(data, 'graphstead.db'), newer)
  const other = new Database(newer)
  other.pragma('user_version = 99')
  other.close()
  const foreign = new Database(join(folder, 'foreign.db'))
  foreign.exec('CREATE TABLE "cat" ("name")')
  foreign.close()
  const cases: [string, RegExp][] = [
    ['text', /is not a database/],
    ['half.db', /is damaged|not sound/],
    ['newer.db', /newer version of Graphstead/],
    ['foreign.db', /another program/],
    ['missing.db', /missing.db does not exist/]
  ]
  for (const [name, says] of cases) {
    const outcome = await run(['restore', '--force', join(folder, name), '--data', data])
    t.match(outcome, { code: name === 'missing.db' ? 2 : 1, stderr: says }, name)
    t.notMatch(outcome.stderr, /\n\s+at /, 'no stack trace')
  }
  t.same(readdirSync(data).sort(), ['audit.head', 'audit.key', 'graphstead.db', 'token.key'])
  t.ok(readFileSync(join(data, 'graphstead.db')).equals(before))
})

t.test('check reports each kind of fault', sqlite, async (t) => {
  const { folder, data } = await populateStopped(t)
  const intact = join(data, 'graphstead.db')
  // Each list contains faults that can occur in one file without masking each other.
  const spoilt: [string, RegExp][][] = [
    [
      [`UPDATE "content" SET "hash" = 'x' WHERE "id" = 1`, /content 1 does not match its hash/],
      [`UPDATE "content" SET "packed" = x'00' WHERE "packed" IS NOT NULL`, /content 2 cannot be read/],
      [`UPDATE "graphVersion" SET "sortName" = 'x'`, /the sort key of a name is wrong: 3/],
      [`UPDATE "graphCount" SET "count" = 9 WHERE "owner" = 'admin'`, /graph count of an owner is wrong: admin/],
      [`UPDATE "auditDay" SET "count" = 1`, /event count of a day is wrong/],
      [`UPDATE "usage" SET "bytes" = 1`, /the storage usage of an owner is wrong: admin/],
      [`UPDATE "grantCount" SET "total" = 9`, /grant count of a person or group is wrong: 1/],
      [`INSERT INTO "savedView" VALUES (99, 'a', '', NULL, '', 'admin')`, /a saved view belongs to no graph: 99/],
      [`INSERT INTO "layout" VALUES (2, x'00', 1)`, /a layout does not have two coordinates per node: 2/],
      [
        `UPDATE "graph" SET "defaultView" = 'gone' WHERE "id" = 1`,
        /the default view of a graph is not one of its saved views: 1/
      ],
      [`DELETE FROM "graphWordPart" WHERE "rowid" >= 2048`, /words of a graph are missing from the index: 2/],
      [
        `UPDATE sqlite_sequence SET "seq" = 1 WHERE "name" = 'auditEvent'`,
        /id counter of a table is behind its highest id: auditEvent/
      ]
    ],
    [
      [`UPDATE "graph" SET "edgeCount" = 7 WHERE "id" = 1`, /a graph with content 1 has the wrong counts/],
      [`INSERT INTO "graphGrant" VALUES (99, 'GROUP', 1, 'READ', 0, '', 'admin')`, /a grant belongs to no graph: 99/],
      [
        `INSERT INTO "link" ("graphId", "publicId", "salt", "origins", "downloads", "tokenVersion", "createdAt", "createdBy")
          VALUES (99, 'p', 's', '[]', 0, 1, '', 'admin')`,
        /a link belongs to no graph: 1/
      ],
      [`UPDATE "graphGrant" SET "listed" = 1`, /a grant is listed although its graph is .* in the trash, .*: 3/],
      [
        `INSERT INTO "graphWordPart" ("rowid", "words") VALUES (1, 'strange')`,
        /the index contains words of a deleted graph: 0/
      ],
      [
        `INSERT INTO "content" ("hash", "json", "size") VALUES ('x', '{}', 2)`,
        /belongs to neither a graph nor a version: 3/
      ]
    ],
    [
      [`UPDATE "graph" SET "name" = 'x' WHERE "id" = 1`, /the sort key of a name is wrong: 1/],
      [`UPDATE "grantCount" SET "listed" = 2`, /grant count of a person or group is wrong: 1/],
      [`UPDATE "graphGrant" SET "listed" = 0`, /is missing from the list although its graph is private: 1/],
      [`UPDATE "graph" SET "contentId" = 99 WHERE "id" = 2`, /graph 2 refers to a missing row/],
      [`DELETE FROM "graphVersion" WHERE "graphId" = 3`, /last version of a graph in the trash is missing: 3/]
    ],
    [[`INSERT INTO "graphGrant" VALUES (1, 'USER', 1, 'READ', 1, '', 'admin')`, /a graph is granted to its owner: 1/]],
    [[`DROP TRIGGER "auditEventNeverEdited"`, /trigger auditEventNeverEdited differs from Graphstead's/]],
    [[`CREATE TABLE "stranger" ("id")`, /table stranger differs from Graphstead's/]]
  ]
  const file = join(folder, 'spoilt.db')
  for (const damages of spoilt) {
    copyFileSync(intact, file)
    const database = new Database(file)
    database.pragma('foreign_keys = OFF')
    for (const [sql] of damages) database.exec(sql)
    database.close()
    const { faults } = await checkFile(file, startThread)
    for (const [sql, says] of damages) t.match(faults.join('\n'), says, sql)
  }
  const says = /stranger differs from Graphstead's/
  t.match(await run(['check', file]), { code: 1, stdout: '', stderr: says })
  t.match(await run(['restore', file, '--data', join(folder, 'elsewhere')]), { code: 1, stderr: says })
  t.notOk(existsSync(join(folder, 'elsewhere', 'graphstead.db')))
})

t.test('an unreadable database can be replaced, together with its write-ahead log', sqlite, async (t) => {
  const { folder, data } = await populateStopped(t)
  const file = join(folder, 'backup.db')
  await run(['backup', file, '--data', data])
  const again = await serveProgram(t, data, ['--log-level', 'error'])
  await again.stop('SIGKILL')
  t.ok(existsSync(join(data, 'graphstead.db-wal')), 'the write-ahead log is still there')
  writeFileSync(join(data, 'graphstead.db'), 'nothing that could be read '.repeat(500))
  t.match(await run(['check', '--data', data]), { code: 1, stderr: /is not a database|is damaged/ })
  t.match(await run(['restore', '--force', file, '--data', data]), { code: 0, stdout: /The old database is now/ })
  t.match(await run(['check', '--data', data]), { code: 0, stdout: /is sound: 1 user, 2 graphs/ })
})

t.test('serve --every writes backups, keeps the newest, and continues after a failed backup', sqlite, async (t) => {
  const folder = t.testdir({ 'not-a-folder': '' })
  const data = join(folder, 'data')
  const backups = join(folder, 'backups')
  const server = await serve(t, data, ['--every', '1s', '--keep', '1', '--backups', backups])
  const written = () => server.stdout().match(/"msg":"backup: /g)?.length ?? 0
  while (written() < 3) await sleep(50)
  // The server keeps removing the oldest backups while it runs.
  t.equal(await server.stop(), 0)
  const names = readdirSync(backups).filter((name) => name.endsWith('.db'))
  t.ok(names.length >= 1 && names.length <= 2, `${names.length} backups are kept`)
  t.match(await run(['check', join(backups, names[0] ?? '')]), { code: 0, stdout: /is sound/ })

  const failing = await serve(t, data, ['--every', '1s', '--backups', join(folder, 'not-a-folder')])
  while (!failing.stdout().includes('the backup failed')) await sleep(50)
  t.match(await call(`${failing.url}/readyz`), { status: 200 })
  t.equal(await failing.stop(), 0)
})

t.test('after a restart the next backup is made only when it is due', sqlite, async (t) => {
  const folder = t.testdir({ backups: {} })
  const data = join(folder, 'data')
  const args = ['--every', '1h', '--backups', join(folder, 'backups')]
  const first = await serve(t, data, args)
  while (!first.stdout().includes('"msg":"backup: ')) await sleep(50)
  await first.stop()
  const second = await serve(t, data, args)
  await sleep(500)
  await second.stop()
  const [name = '', ...more] = readdirSync(join(folder, 'backups'))
  t.same(more, [])
  renameSync(join(folder, 'backups', name), join(folder, 'backups', 'graphstead-20200101T000000Z.db'))
  const third = await serve(t, data, args)
  while (!third.stdout().includes('"msg":"backup: ')) await sleep(50)
  await third.stop()
})

t.test('a full disk is reported, and the previous backup is kept', sqlite, async (t) => {
  const { folder, data } = await populateStopped(t)
  const file = join(folder, 'backup.db')
  await run(['backup', file, '--data', data])
  const before = readFileSync(file)
  const full = await runProgram(['backup', '--force', file, '--data', data], {}, '', 'ulimit -f 64; exec "$@"')
  t.match(full, { code: 1, stderr: /^graphstead backup: .* cannot be written: .*\n$/ })
  t.ok(readFileSync(file).equals(before))
  t.same(readdirSync(folder).sort(), ['backup.db', 'data'])
})

t.test('invalid arguments are refused', only('SQLite', 'arguments are checked before the store'), async (t) => {
  const data = t.testdir({})
  const postgres = { GRAPHSTEAD_DATABASE_URL: 'postgres://x@localhost/x' }
  const cases: [string[], Record<string, string>, RegExp][] = [
    [['backup'], {}, /name one file/],
    [['backup', 'a', 'b'], {}, /name one file/],
    [['backup', '-', '--data', data], {}, /- is not a file/],
    [['backup', '--force', data, '--data', data], {}, /is not a file/],
    [['restore'], {}, /name one file/],
    [['check', 'a', 'b'], {}, /check takes one file/],
    [['backup', 'a', '--data', join(data, 'none')], {}, /there is no Graphstead database/],
    [['backup', 'a', '--data', data], postgres, /back PostgreSQL up with its own tools/],
    [['serve', '--every', '6 hours', '--data', data], {}, /--every must look like 6h or 1d/],
    [['serve', '--every', '6h', '--data', data], postgres, /--every works with SQLite only/],
    [['serve', '--keep', '0', '--data', data], {}, /--keep/]
  ]
  for (const [args, env, says] of cases) {
    t.match(await run(args, { GRAPHSTEAD_DATABASE_URL: '', ...env }), { code: 2, stderr: says }, args.join(' '))
  }
})
