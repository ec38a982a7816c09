import { sql } from 'kysely'
import t from 'tap'
import { openPostgres } from '../../db/engine/postgres/store.ts'
import { tablesWith } from '../../db/tables.ts'
import { amendmentsOf } from '../../db/upkeep/amendments.ts'
import { samePage } from '../support/browsers.ts'
import { rowsOf } from '../support/consistency.ts'
import { asServerRole, clientOf, newDatabase, only } from '../support/engine.ts'
import { build, PASSWORD, proven, triangle } from '../support/helper.ts'
import { run } from '../support/program.ts'

// An attacker who takes over the server has its PostgreSQL role. The role in docs/deploy.md can serve the API, but do nothing
// else.

const here = only('PostgreSQL', 'SQLite has no roles')

t.test("the server's role can serve the whole API", here, async (t) => {
  const { as, app } = await build(t, {}, { isRestricted: true })
  const [root, ada] = [as('root'), as('ada')]
  const other = { nodes: [{ id: 'x' }], edges: [] }
  const walk: [string, () => Promise<{ status: number }>, number][] = [
    ['ready', () => as().get('/readyz'), 200],
    ['account', () => ada.get('/api/account'), 200],
    ['create', () => ada.post('/api/graphs', { ...triangle, shared: true }), 201],
    ['replace', () => ada.put('/api/graphs', { id: 1, name: 'Other', content: other }), 200],
    ['change', () => ada.patch('/api/graphs/1', { name: 'Another', shared: true }), 200],
    ['put content', () => ada.put('/api/graphs/1/content', triangle.content), 200],
    ['get', () => ada.get('/api/graphs/1'), 200],
    ['get content', () => ada.get('/api/graphs/1/content'), 200],
    ['list', () => ada.get('/api/graphs?q=other&sort=name'), 200],
    ['mine', () => ada.get('/api/mygraphs'), 200],
    ['versions', () => ada.get('/api/graphs/1/versions'), 200],
    ['version', () => ada.get('/api/graphs/1/versions/1'), 200],
    ['content of a version', () => ada.get('/api/graphs/1/versions/1/content'), 200],
    ['difference', () => ada.get('/api/graphs/1/diff?from=1&to=2'), 200],
    ['restore a version', () => ada.post('/api/graphs/1/restore', { version: 1 }), 200],
    ['import', () => ada.post('/api/graphs/import', 'source,target\na,b\n', { 'content-type': 'text/csv' }), 201],
    ['delete', () => ada.delete('/api/graphs/1'), 200],
    ['trash', () => ada.get('/api/trash'), 200],
    ['restore', () => ada.post('/api/trash/1/restore'), 200],
    ['delete again', () => ada.delete('/api/graphs/1'), 200],
    ['purge', () => ada.delete('/api/trash/1'), 200],
    ['denied', () => ada.get('/api/users'), 403],
    [
      'create a user',
      () => root.post('/api/users', { login: 'eve', password: PASSWORD, role: 'USER', ...proven }),
      201
    ],
    ['users', () => root.get('/api/users'), 200],
    ['user', () => root.get('/api/users/eve'), 200],
    ['change a user', () => root.patch('/api/users/eve', { role: 'AUDITOR', ...proven }), 200],
    ['delete a user', () => root.delete('/api/users/eve'), 204],
    ['events', () => root.get('/management/audits'), 200],
    ['event', () => root.get('/management/audits/1'), 200],
    ['event log', () => app.auditLog.takeInAll().then(() => ({ status: 200 })), 200],
    ['proof', () => root.get('/management/audits/1/proof'), 200],
    ['activity', () => root.get('/management/activity?fromDate=2026-01-01&toDate=2026-01-31'), 200],
    ['wrong password', () => as().post('/api/authenticate', { username: 'ada', password: 'no' }), 401],
    ['log in', () => as().post('/api/authenticate', { username: 'ada', password: PASSWORD }), 200],
    ['session', () => as().post('/api/session', { username: 'ada', password: PASSWORD }, samePage), 200],
    ['end a session', () => ada.delete('/api/session', samePage), 204],
    ['log out', () => ada.post('/api/account/logout'), 204],
    ['still ready', () => as().get('/readyz'), 200]
  ]
  for (const [what, ask, status] of walk) {
    const answer = await ask()
    t.equal(answer.status, status, `${what}${answer.status === status ? '' : `: ${JSON.stringify(answer)}`}`)
  }
})

t.test("the server's role can neither change events nor rewrite counters", here, async (t) => {
  const { as, app, url = '' } = await build(t)
  t.equal((await as('ada').post('/api/graphs', triangle)).status, 201)
  await app.auditLog.takeInAll()
  const owner = await clientOf(t, url)
  const server = await clientOf(t, await asServerRole(t, url))
  const counters = tablesWith({ rows: 'derived' })
  const proofs = ['auditLog', 'auditTile', 'auditSalt', 'auditRun', 'auditErased']
  const state = async () => {
    const tables = ['auditEvent', ...proofs, ...counters].map((table) =>
      owner.query(`SELECT * FROM "${table}" AS "row" ORDER BY "row"::text`)
    )
    const rights = owner.query(
      'SELECT relname, relacl::text FROM pg_class WHERE relnamespace = current_schema()::regnamespace ORDER BY 1'
    )
    return (await Promise.all([...tables, rights])).map(({ rows }) => rows)
  }
  const before = await state()
  const attacks = [
    `UPDATE "auditEvent" SET "principal" = 'eve'`,
    'DELETE FROM "auditEvent"',
    `INSERT INTO "auditEvent" SELECT * FROM "auditEvent" ON CONFLICT ("id") DO UPDATE SET "principal" = 'eve'`,
    'UPDATE "graphstead" SET "schema" = 0',
    ...proofs.map((table) => `DELETE FROM "${table}"`),
    `INSERT INTO "auditLog" SELECT * FROM "auditLog"`,
    `INSERT INTO "auditErased" VALUES (0, 'request', '')`,
    `UPDATE "auditErased" SET "digest" = ''`,
    ...['auditEvent', 'graph', ...proofs, ...counters].flatMap((table) => [
      `TRUNCATE "${table}" CASCADE`,
      `DROP TABLE "${table}" CASCADE`,
      `ALTER TABLE "${table}" DISABLE TRIGGER ALL`,
      `CREATE RULE "none" AS ON INSERT TO "${table}" DO INSTEAD NOTHING`
    ]),
    ...counters.flatMap((table) => [
      `DELETE FROM "${table}"`,
      // Grant counts are not sharded.
      `UPDATE "${table}" SET "${table === 'grantCount' ? 'total' : 'shard'}" = 99`,
      `INSERT INTO "${table}" SELECT * FROM "${table}"`,
      `DO $$ BEGIN DELETE FROM "${table}"; END $$`
    ]),
    `SELECT "countGraph"('ada', false, 5)`,
    `SELECT "countGrant"('USER', 1, 5, 5)`,
    `SELECT "use"('ada', -1, -1)`,
    'DROP TRIGGER "auditEventNeverChanged" ON "auditEvent"',
    'DROP TRIGGER "auditDayFollows" ON "auditDay"',
    'DROP FUNCTION "auditEventsStay"() CASCADE',
    'CREATE OR REPLACE FUNCTION "auditEventsStay"() RETURNS TRIGGER LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$',
    'ALTER FUNCTION "countersFollow"() RENAME TO "gone"',
    `SET session_replication_role = 'replica'`,
    `SELECT setval('"auditEvent_id_seq"', 9007199254740991)`,
    `SELECT nextval('"graph_id_seq"')`,
    'ALTER SEQUENCE "graph_id_seq" RESTART',
    'CREATE TABLE "mine" ("id" INT)',
    'CREATE TEMPORARY TABLE "auditDay" ("id" INT)',
    'CREATE FUNCTION pg_temp.f() RETURNS INT LANGUAGE sql RETURN 1',
    'CREATE FUNCTION public.f() RETURNS INT LANGUAGE sql RETURN 1',
    'CREATE SCHEMA "mine"',
    `SET ROLE ${owner.user}`
  ]
  for (const attack of attacks) {
    const outcome = await server.query(attack).then(
      () => 'succeeded',
      ({ message }: Error) => message
    )
    t.match(outcome, /permission denied|must be owner|append-only|counters follow/, `${attack}: ${outcome}`)
  }
  // PostgreSQL only warns about this.
  await server.query('GRANT UPDATE, DELETE ON "auditEvent" TO PUBLIC')
  t.strictSame(await state(), before, 'nothing has changed')
})

t.test("the server's role can neither erase people from events nor remove old events", here, async (t) => {
  const { as, app, store, url = '' } = await build(t)
  t.equal((await as('ada').post('/api/graphs', triangle)).status, 201)
  await app.auditLog.takeInAll()
  const own = await asServerRole(t, url)
  const role = new URL(own).username
  const before = await rowsOf(store, ['auditEvent', 'auditSalt', 'auditLog', 'graphVersion', 'graph'])
  for (const [name, ...args] of [
    ['erase', '--principal', 'somebody', '--reason', 'asked'],
    ['prune', '--audit-days', '30']
  ] as const) {
    t.same(await run(['audit', name, ...args, '--database', own]), {
      code: 1,
      stdout: '',
      stderr: `graphstead audit ${name}: The role ${role} does not own the tables and cannot change events. Use the URL of the database owner.\n`
    })
  }
  const restricted = await openPostgres(own, { poolSize: 2 })
  await t.rejects(amendmentsOf(restricted), { name: 'StoreRefused' })
  // Does what the owner's command does, without its prompt.
  const amend = await amendmentsOf(store)
  await amend(['auditEvent'], async () => {})
  for (const statement of [
    'ALTER TABLE "auditEvent" DISABLE TRIGGER "auditEventNeverChanged"',
    'VACUUM (FULL) "auditEvent"'
  ]) {
    const direct = await clientOf(t, own)
    let warning = ''
    direct.on('notice', ({ message = '' }) => {
      warning = message
    })
    const outcome = await direct.query(statement).then(
      () => warning,
      ({ message }: Error) => message
    )
    t.match(outcome, /must be owner|permission denied/, statement)
  }
  await restricted.close()
  t.same(await rowsOf(store, ['auditEvent', 'auditSalt', 'auditLog', 'graphVersion', 'graph']), before)
})

t.test(
  'a role that can create temporary tables can rewrite counters; the documented statements revoke that privilege',
  here,
  async (t) => {
    const url = await newDatabase(t)
    const attack = `
    CREATE TEMPORARY TABLE "lever" ("id" INT);
    CREATE FUNCTION pg_temp.pull() RETURNS TRIGGER LANGUAGE plpgsql AS $$ BEGIN
      INSERT INTO "graphCount" VALUES ('', true, 0, 99); RETURN NULL; END $$;
    CREATE TRIGGER "pull" AFTER INSERT ON "lever" FOR EACH ROW EXECUTE FUNCTION pg_temp.pull();
    INSERT INTO "lever" VALUES (1)`
    await t.resolves((await clientOf(t, await asServerRole(t, url, /REVOKE TEMPORARY/))).query(attack))
    const refused = (await clientOf(t, await asServerRole(t, url))).query(attack)
    await t.rejects(refused, /permission denied to create temporary/)
  }
)

t.test('a role that cannot migrate starts on a current schema, or names the role that can', here, async (t) => {
  const url = await newDatabase(t)
  const own = await asServerRole(t, url)
  const store = await openPostgres(own, { poolSize: 2 })
  await store.write((trx) => sql`SELECT 1`.execute(trx))
  await store.close()
  const owner = await clientOf(t, url)
  await owner.query('UPDATE "graphstead" SET "schema" = "schema" - 1')
  await t.rejects(openPostgres(own), {
    name: 'StoreRefused',
    message:
      /^The database has schema \d+, but this version needs \d+, and role_\w+ cannot migrate it\. Run a command .* owner/
  })
  const empty = await newDatabase(t, { empty: true })
  await (await clientOf(t, empty)).query('REVOKE CREATE ON SCHEMA public FROM PUBLIC')
  const nobody = new URL(empty)
  const { username, password } = new URL(own)
  Object.assign(nobody, { username, password })
  const message = /^The database has schema 0, .* cannot migrate it/
  await t.rejects(openPostgres(String(nobody)), { name: 'StoreRefused', message })
})
