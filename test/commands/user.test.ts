import { join } from 'node:path'
import Database from 'better-sqlite3'
import t from 'tap'
import { engine, only } from '../support/engine.ts'
import { PASSWORD } from '../support/helper.ts'
import { call, login, run, serve } from '../support/program.ts'

t.test('users are added, listed and changed without a server', async (t) => {
  const data = ['--data', t.testdir({})]
  const nowhere = await run(['user', 'list', ...data], { GRAPHSTEAD_DATABASE_URL: '' })
  t.match(nowhere, { code: 2, stderr: /there is no Graphstead database/ })
  const added = await run(['user', 'add', 'ada', '--role', 'ADMIN', '--password-stdin', ...data], {}, `${PASSWORD}\n`)
  const created = engine === 'SQLite' ? `There is no database in ${data[1]} yet. Creating one.\n` : ''
  t.match(added, { code: 0, stdout: 'ada can sign in.\n', stderr: created })
  const next = await run(['user', 'add', 'bob', '--role=USER', '--password-stdin', ...data], {}, PASSWORD)
  t.match(next, { code: 0, stderr: '' })
  const changed = await run(['user', 'set', 'bob', '--role', 'AUDITOR', '--disable', ...data])
  t.match(changed, { code: 0, stdout: /bob was changed/ })
  const service = await run(['user', 'add', 'robot', '--role', 'USER', '--service', ...data])
  t.match(service, { code: 0, stdout: 'robot can use tokens.\n', stderr: '' })
  const invited = await run(['user', 'add', 'eve', '--role', 'USER', '--invite', ...data])
  t.match(invited, {
    code: 0,
    stdout:
      /^Send eve the address of the server followed by this path\. It works once, until \d{4}-.*Z\.\n\/invite#[\w-]{43}\n$/,
    stderr: ''
  })
  const refused = await run(['user', 'password', 'robot', '--password-stdin', ...data], {}, PASSWORD)
  t.match(refused, { code: 1, stderr: /robot is a user for programs and has no password/ })
  t.match(
    (await run(['user', 'list', ...data])).stdout,
    /^ada +ADMIN +enabled +since \d{4}-\d\d-\d\d\nbob +AUDITOR +disabled since \d{4}-\d\d-\d\d\neve +USER +enabled +since \d{4}-\d\d-\d\d\nrobot +USER +enabled +since \d{4}-\d\d-\d\d\n$/
  )
})

t.test('invalid arguments are reported and change nothing', async (t) => {
  const data = ['--data', t.testdir({})]
  await run(['user', 'add', 'ada', '--role', 'ADMIN', '--password-stdin', ...data], {}, PASSWORD)
  const cases: [string[], number, RegExp, string?][] = [
    [['user'], 2, /specify an action/],
    [['user', 'dance'], 2, /unknown action dance/],
    [['user', 'add'], 2, /LOGIN is missing/],
    [['user', 'add', 'bob', '--password-stdin'], 2, /--role is required/],
    [['user', 'add', 'bob', '--role', 'KING', '--password-stdin'], 2, /--role/],
    [['user', 'add', 'Bob', '--role', 'USER', '--password-stdin'], 2, /LOGIN Bob/],
    [['user', 'add', 'system', '--role', 'USER', '--password-stdin'], 2, /reserved/],
    [['user', 'add', 'bob', 'eve', '--role', 'USER'], 2, /too many arguments: eve/],
    [['user', 'add', 'bob', '--role', 'USER'], 2, /no terminal/],
    [['user', 'add', 'bob', '--role', 'USER', '--password-stdin'], 2, /at least 12/, 'short'],
    [['user', 'add', 'bob', '--role', 'USER', '--password-stdin'], 2, /common/, 'password1234'],
    [['user', 'add', 'ada', '--role', 'USER', '--password-stdin'], 1, /a user named ada already exists/, PASSWORD],
    [['user', 'add', 'bob', '--role', 'USER', '--service', '--keep-password'], 2, /--service cannot be combined with/],
    [['user', 'add', 'bob', '--role', 'USER', '--invite', '--keep-password'], 2, /--invite cannot be combined with/],
    [['user', 'add', 'bob', '--role', 'USER', '--invite', '--service'], 2, /--service and --invite cannot be combined/],
    [['user', 'set', 'ada'], 2, /nothing to change/],
    [['user', 'set', 'ada', '--enable', '--disable'], 2, /--enable and --disable cannot be combined/],
    [['user', 'set', 'eve', '--enable'], 1, /user eve not found/],
    [['user', 'set', 'ada', '--role', 'USER'], 1, /last enabled administrator/],
    [['user', 'set', 'ada', '--disable'], 1, /last enabled administrator/],
    [['user', 'password', 'eve', '--password-stdin'], 1, /user eve not found/, PASSWORD]
  ]
  for (const [args, code, stderr, stdin] of cases) {
    const outcome = await run([...args, ...data], {}, stdin)
    t.match(outcome, { code, stderr, stdout: '' }, args.join(' '))
    t.notMatch(outcome.stderr, /\n\s+at /, 'no stack trace')
  }
  t.match((await run(['user', 'list', ...data])).stdout, /^ada +ADMIN +enabled[^\n]*\n$/)
})

t.test('an uncommitted change is not reported as done', only('SQLite', 'it writes to the file'), async (t) => {
  const folder = t.testdir({})
  const data = ['--data', folder]
  await run(['user', 'add', 'ada', '--role', 'USER', '--password-stdin', ...data], {}, PASSWORD)
  const database = new Database(join(folder, 'graphstead.db'))
  database.exec(`UPDATE "user" SET "secondFactorSince" = '2026-01-01T00:00:00.000Z' WHERE "login" = 'ada'`)
  // The deferred foreign key fails at the commit.
  database.exec(`CREATE TABLE "late" ("id" REFERENCES "user" ("id") DEFERRABLE INITIALLY DEFERRED);
    CREATE TRIGGER "fail" AFTER UPDATE ON "user" BEGIN INSERT INTO "late" VALUES (99); END`)
  database.close()
  for (const args of [
    ['set', 'ada', '--disable'],
    ['logout', 'ada'],
    ['one-factor', 'ada']
  ]) {
    const { code, stdout } = await run(['user', ...args, ...data])
    t.same({ code, stdout }, { code: 1, stdout: '' }, args.join(' '))
  }
})

t.test('a running server applies the change to the next request, and the audit trail records it', async (t) => {
  const folder = t.testdir({})
  const data = ['--data', folder]
  const server = await serve(t, folder)
  const admin = await login(server.url)
  await run(['user', 'add', 'ada', '--role', 'USER', '--password-stdin', ...data], {}, PASSWORD)
  const ada = await login(server.url, 'ada')
  const status = async (path: string, token: string) =>
    (await call(`${server.url}${path}`, 'GET', undefined, token)).status
  t.equal(await status('/management/audits', ada), 403)
  await run(['user', 'set', 'ada', '--role', 'AUDITOR', ...data])
  t.equal(await status('/management/audits', ada), 200)
  await run(['user', 'password', 'ada', '--password-stdin', ...data], {}, 'a second password')
  t.equal(await status('/api/account', ada), 401)
  await t.rejects(login(server.url, 'ada'))
  const again = await login(server.url, 'ada', 'a second password')
  await run(['user', 'set', 'ada', '--disable'], { GRAPHSTEAD_DATA: folder })
  t.equal(await status('/api/account', again), 401)
  const { body } = await call(`${server.url}/management/audits?principal=system&sort=id`, 'GET', undefined, admin)
  const told = body.map(({ type, target }: { type: string; target?: { name: string } }) => [type, target?.name])
  t.match(told, [
    ['USER_CREATED', 'admin'],
    ['SERVER_STARTED', undefined],
    ['USER_CREATED', 'ada'],
    ['USER_UPDATED', 'ada'],
    ['PASSWORD_CHANGED', 'ada'],
    ['USER_UPDATED', 'ada']
  ])
  t.notOk(body.some((event: object) => 'request' in event))
})

t.test('an initial password must be changed, unless --keep-password is given', async (t) => {
  const folder = t.testdir({})
  const data = ['--password-stdin', '--data', folder]
  const server = await serve(t, folder)
  const admin = await login(server.url)
  const isAsked = async (name: string) =>
    (await call(`${server.url}/api/users/${name}`, 'GET', undefined, admin)).body.mustChangePassword
  t.equal(await isAsked('admin'), false, 'the operator has chosen the first password')
  t.match(await run(['user', 'add', 'ada', '--role', 'USER', ...data], {}, PASSWORD), { code: 0 })
  t.match(await run(['user', 'add', 'robot', '--role', 'USER', '--keep-password', ...data], {}, PASSWORD), { code: 0 })
  t.same([await isAsked('ada'), await isAsked('robot')], [true, false])
  t.match(await run(['user', 'password', 'robot', ...data], {}, 'a second password'), { code: 0 })
  t.match(await run(['user', 'password', 'ada', '--keep-password', ...data], {}, 'a second password'), { code: 0 })
  t.same([await isAsked('ada'), await isAsked('robot')], [false, true])
  const { body } = await call(`${server.url}/management/audits?type=USER_UPDATED&sort=id`, 'GET', undefined, admin)
  const told = body.map((event: { target: { name: string }; data: object }) => [event.target.name, event.data])
  t.same(told, [
    ['robot', { 'mustChangePassword.old': 'false', 'mustChangePassword.new': 'true' }],
    ['ada', { 'mustChangePassword.old': 'true', 'mustChangePassword.new': 'false' }]
  ])
})
