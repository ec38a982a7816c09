import { X509Certificate } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync
} from 'node:fs'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, createServer as createPlainServer } from 'node:net'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { sql } from 'kysely'
import t, { type Test } from 'tap'
import { backupName } from '../../db/upkeep/backup-names.ts'
import { examineBackups } from '../../src/doctor/backups.ts'
import { judgeCertificate } from '../../src/doctor/certificate.ts'
import { type Finding, sizeText, spanText } from '../../src/doctor/finding.ts'
import { judgeClock, judgeFiles, judgeMemory, judgeSpace } from '../../src/doctor/machine.ts'
import { examinePermissions } from '../../src/doctor/permissions.ts'
import { addressOf, judgeSchema } from '../../src/doctor/store.ts'
import { readConfig } from '../../src/settings/config.ts'
import { engine, environmentOf, only, openDataStore } from '../support/engine.ts'
import { executable, root, run, runProgram, serve, serveProgram } from '../support/program.ts'
import { until } from '../support/until.ts'

const isSqlite = engine === 'SQLite'

/** Runs the doctor for a data folder. Returns its exit code and its findings. */
async function examine(data: string, args: string[] = [], under?: string) {
  const command = ['doctor', '--json', '--data', data, '--port', '0', ...args]
  const { code, stdout } = await (under === undefined ? run(command) : runProgram(command, {}, '', under))
  const said = stdout === '' ? { findings: [] } : JSON.parse(stdout)
  const about = (topic: string) =>
    (said.findings as Finding[])
      .filter((finding) => finding.topic === topic)
      .map(({ state, says }) => `${state}: ${says}`)
  return { code, stdout, said, about }
}

/** Runs the doctor for a data folder. Returns its findings on the topic, preceded by its exit code unless that is 0. */
async function find(topic: string, ...args: Parameters<typeof examine>) {
  const { code, about } = await examine(...args)
  return [...(code === 0 ? [] : [code]), ...about(topic)]
}

/** Creates a data folder whose server has stopped normally. */
async function usedFolder(t: Test) {
  const data = join(t.testdir({}), 'data')
  const server = await serve(t, data, ['--log-level', 'silent'])
  t.equal(await server.stop(), 0)
  return data
}

t.test('for a sound server every finding is good or unknown', async (t) => {
  const data = join(t.testdir({}), 'data')
  const server = await serve(t, data, ['--log-level', 'silent'])
  t.ok(await until(async () => existsSync(join(data, 'audit.head'))))
  const args = ['--data', data, '--port', new URL(server.url).port]
  const { code, stdout, stderr } = await run(['doctor', ...args])
  t.same([code, stderr], [0, ''], stdout)
  const findings = [...stdout.matchAll(/^(\w+) +(\w+)/gm)].map(([, state, topic]) => `${state} ${topic}`)
  const good = ['program', 'data', 'audit', 'space', 'files', 'memory', 'clock', 'permissions', 'port', 'tls']
  t.same(findings, [...good.map((topic) => `good ${topic}`), 'unknown backup'])
  const { said } = await examine(data, ['--port', new URL(server.url).port])
  t.same([said.good, said.version, said.node], [true, '0.1.0', process.versions.node])
  const withoutTime = (text: string) => text.replace(/the clock shows \S+/, '').replace(/\d[\d.]* [KMGT]iB/g, '')
  const lines = (said.findings as Finding[]).map(
    ({ topic, state, says }) => `${state.padEnd(8)} ${topic.padEnd(12)} ${says}\n`
  )
  t.equal(withoutTime(lines.join('')), withoutTime(stdout))

  const { GRAPHSTEAD_DATABASE_URL: url } = await environmentOf(t, data)
  if (url !== undefined) t.notMatch(stdout, new RegExp(`:${new URL(url).password}@`))
  for (const name of ['token.key', 'audit.key'])
    for (const encoding of ['base64', 'utf8', 'hex'] as const)
      t.notOk(stdout.includes(readFileSync(join(data, name)).toString(encoding).trim()), `${name} is not shown`)
  t.equal(await server.stop(), 0)
})

t.test('--version --json and the doctor report the program and its platform', async (t) => {
  const { stdout } = await runProgram(['--version', '--json'])
  const { version, build, node, platform, arch, schema } = JSON.parse(stdout)
  t.match(version, /^\d+\.\d+\.\d+$/)
  t.ok(['executable', 'package', 'source'].includes(build))
  t.same([platform, arch], [process.platform, process.arch])
  t.match(node, /^\d+\.\d+\.\d+$/)
  t.same(schema, { sqlite: 1, postgres: 1 })
  // The command runs from source here, but the build that it reports may be an executable.
  const here = executable ? build : 'source'
  t.same(await find('program', join(t.testdir({}), 'none')), [
    `good: Graphstead ${version} (${here}) on Node.js ${node}, ${platform} ${arch}`
  ])
})

t.test('invalid settings and arguments are usage errors', only('SQLite', 'it tests arguments'), async (t) => {
  for (const args of [['--port', 'x'], ['--nonsense'], ['file'], ['--public-url', 'ftp://x']]) {
    const { code, stdout, stderr } = await run(['doctor', ...args])
    t.same([code, stdout], [2, ''], args.join(' '))
    t.match(stderr, /^graphstead doctor: .*see graphstead doctor --help\n$/)
  }
  t.match(await run(['doctor', '--help']), { code: 0, stdout: /Usage: graphstead doctor/ })
})

t.test(
  'the doctor changes no file, whether a server is running, has stopped or has been killed',
  only('SQLite', 'it tests files'),
  async (t) => {
    const data = join(t.testdir({}), 'data')
    const state = () =>
      readdirSync(data).map((name) => {
        const path = join(data, name)
        // The index of the write-ahead log is shared memory.
        return name.endsWith('-shm') ? name : [name, readFileSync(path, 'hex'), statSync(path).mtimeMs]
      })
    const expectUnchanged = async (when: string) => {
      const before = [state(), statSync(data).mtimeMs]
      t.equal((await examine(data)).code, 0, when)
      t.same([state(), statSync(data).mtimeMs], before, when)
    }
    const first = await serve(t, data, ['--log-level', 'silent', '--min-free', '0'])
    t.equal(await first.stop(), 0)
    t.notOk(readdirSync(data).includes('graphstead.db-wal'))
    await expectUnchanged('stopped')
    const second = await serveProgram(t, data, ['--log-level', 'silent'])
    await second.stop('SIGKILL')
    t.ok(readdirSync(data).includes('graphstead.db-wal'))
    await expectUnchanged('killed')
  }
)

t.test('a store that cannot be served is bad, and one that needs a migration is a warning', async (t) => {
  const data = await usedFolder(t)
  const setSchema = async (schema: number) => {
    if (isSqlite) {
      const db = new Database(join(data, 'graphstead.db'))
      db.pragma(`user_version = ${schema}`)
      db.close()
      return
    }
    const store = await openDataStore(t, data).catch(() => undefined)
    await store?.write((trx) => sql`UPDATE "graphstead" SET "schema" = ${schema}`.execute(trx))
    await store?.close()
  }
  const good = isSqlite ? /^good: .*graphstead\.db \(SQLite, schema \d+, / : /^good: postgres:\/\/[^@]+ \(PostgreSQL \d/
  t.match(await find('data', data), [good])
  await setSchema(999)
  t.match(await find('data', data), [
    1,
    /^bad: .*schema 999.*; run that version, because this one supports schema \d+$/
  ])

  const state = { engine: 'X', schema: 5, ownSchema: 5, size: 2048, newestEvent: undefined }
  t.same(judgeSchema('here', state), { topic: 'data', state: 'good', says: 'here (X, schema 5, 2.0 KiB)' })
  const older = judgeSchema('here', { ...state, schema: 4 })
  t.match(older, { state: 'warning', says: /older schema; make a backup, because the next start migrates it to 5$/ })
  t.match(judgeSchema('here', { ...state, schema: 0 }), { state: 'warning', says: /is empty; the first start/ })
  const secret = 'postgres://ada:s3cret@db.example:5433/graphs?password=s3cret'
  t.equal(addressOf(secret), 'postgres://db.example:5433/graphs')
})

t.test('a file that is not a Graphstead database is bad', only('SQLite', 'it tests files'), async (t) => {
  const data = t.testdir({ 'graphstead.db': 'not a database, but long enough to have a header'.repeat(100) })
  chmodSync(join(data, 'graphstead.db'), 0o600)
  t.match(await find('data', data), [1, /^bad: .*graphstead\.db cannot be read: file is not a database; see docs/])
  writeFileSync(join(data, 'graphstead.db'), '')
  t.match(await find('data', data), [/^warning: .* is empty; the first start sets it up$/])
  const other = new Database(join(data, 'graphstead.db'))
  other.exec('CREATE TABLE a (b)')
  other.close()
  t.match(await find('data', data), [1, /^bad: .* belongs to another program; see docs/])
  const missing = await find('data', join(data, 'none'))
  t.match(missing, [/^warning: .*graphstead\.db does not exist; the first start/])
})

t.test(
  'a PostgreSQL server that does not respond is bad, and its password is not shown',
  only('PostgreSQL', 'it tests the PostgreSQL server'),
  async (t) => {
    const env = { GRAPHSTEAD_DATABASE_URL: 'postgres://ada:s3cret-word@127.0.0.1:9/graphs' }
    const data = t.testdir({})
    const { code, stdout, stderr } = await run(['doctor', '--data', data, '--port', '0'], env)
    t.equal(code, 1)
    t.match(stdout, /^bad {6}data {9}postgres:\/\/127\.0\.0\.1:9\/graphs: The database cannot be used: .*ECONNREFUSED/m)
    t.notMatch(stdout + stderr, /s3cret/)
  }
)

t.test('a clock behind the newest event, or earlier than the release, is bad', async (t) => {
  const now = Date.parse('2027-01-01T12:00:00Z')
  t.match(judgeClock(now, undefined), { state: 'good', says: 'the clock shows 2027-01-01T12:00:00.000Z' })
  t.match(judgeClock(now, '2027-01-01T12:05:00.000Z'), { state: 'good' })
  const late = judgeClock(now, '2027-01-01T13:00:00.000Z')
  t.match(late, { state: 'bad', says: /60 minutes behind the newest event, 2027-01-01T13/ })
  t.match(judgeClock(0, undefined), { state: 'bad', says: /1970.*before this program was released; set it/ })

  const data = await usedFolder(t)
  const store = await openDataStore(t, data)
  const timestamp = new Date(Date.now() + 3_600_000).toISOString()
  const event = { timestamp, principal: 'system', type: 'SERVER_STARTED', outcome: 'SUCCESS', data: '{}' }
  await store.write((trx) =>
    trx
      .insertInto('auditEvent')
      .values(event as never)
      .execute()
  )
  await store.close()
  t.match(await find('clock', data), [1, new RegExp(`^bad: .* behind the newest event, ${timestamp}`)])
})

t.test('insufficient disk space, open files or memory are bad', async (t) => {
  const data = t.testdir({})
  t.match(await find('space', data), [/^good: .* free in /])
  const full = await find('space', data, ['--min-free', '999999TiB'])
  t.match(full, [1, /^bad: .* less than --min-free .* TiB, so the server refuses new content; free some/])
  const disk = { folder: 'here', minFree: 100, size: 1000 }
  const spaces = [99, 100, 999, 1000].map((free) => judgeSpace(free, disk).state)
  t.same(spaces, ['bad', 'warning', 'warning', 'good'])

  const few = await find('files', data, [], 'ulimit -n 100; exec "$@"')
  t.match(few, [1, /^bad: the limit is 100 open files; raise it to 10064 with ulimit -n, or LimitNOFILE/])
  t.match(judgeFiles(1000, 10_000), {
    state: 'warning',
    says: /^the limit is 1000 open files; --max-connections needs 10064/
  })
  const enough = await find('files', data, ['--max-connections', '900'], 'ulimit -n 1000; exec "$@"')
  t.match(enough, [/^good: the limit is 1000/])
  t.match(judgeFiles(undefined, 10), { state: 'unknown', says: /does not report its limit/ })

  const memories = [255, 256, 1791, 1792].map((mib) => judgeMemory(mib * 2 ** 20, 768).state)
  t.same(memories, ['bad', 'warning', 'warning', 'good'])
})

t.test('files that other users own or can read are bad', async (t) => {
  const data = await usedFolder(t)
  const file = (name: string) => join(data, name)
  const permissions = () => find('permissions', data)
  t.match(await permissions(), [/^good: only their owner, uid \d+, can access .* and its files$/])

  chmodSync(data, 0o755)
  t.match(await permissions(), [/^warning: others can enter .*data \(mode 755\); chmod 700 /])
  if (isSqlite) {
    chmodSync(file('graphstead.db'), 0o644)
    const readable = /^bad: .*graphstead\.db can be read by others \(mode 644\); chmod 600 /
    t.match(await permissions(), [1, /^warning: /, readable])
    chmodSync(data, 0o700)
    t.match(await permissions(), [/^good/], 'other users cannot reach the file')
  }
  chmodSync(data, 0o700)
  chmodSync(file('token.key'), 0o640)
  t.match(await permissions(), [1, /^bad: .*token\.key can be read by others \(mode 640\); chmod 600 /])
  chmodSync(file('token.key'), 0o600)
  writeFileSync(file('token.key'), 'short')
  t.match(await permissions(), [1, /^bad: .*token\.key is too short; a key needs at least 32 bytes$/])
  writeFileSync(file('token.key'), 'x'.repeat(32))

  chmodSync(file('audit.key'), 0o604)
  t.match(await find('audit', data), [1, /^bad: .*audit\.key can be read by others/])
  chmodSync(file('audit.key'), 0o600)

  const { uid } = statSync(data)
  if (process.getuid?.() === 0) {
    chownSync(file('token.key'), uid + 1, uid)
    const belongs = `^bad: .*token\\.key belongs to uid ${uid + 1}, but the folder belongs to uid ${uid}; chown ${uid} `
    t.match(await permissions(), [1, new RegExp(belongs)])
    chownSync(file('token.key'), uid, uid)
  }
  t.match(await permissions(), [/^good/])
  const config = readConfig(['--data', data], {})
  t.match(examinePermissions(config, 'win32'), [{ state: 'unknown', says: /no file modes; icacls ".*data" shows/ }])
})

t.test('a token key file set by the operator must only be readable and private', async (t) => {
  const data = await usedFolder(t)
  const key = join(data, '..', 'key')
  writeFileSync(key, 'k'.repeat(64))
  const judged = (mode: number) => {
    chmodSync(key, mode)
    const config = readConfig(['--data', data], { GRAPHSTEAD_JWT_SECRET_FILE: key })
    return examinePermissions(config).map(({ state }) => state)
  }
  t.same([judged(0o400), judged(0o440)], [['good'], ['bad']])
})

t.test('a missing or damaged checkpoint of the audit log is reported', async (t) => {
  const data = await usedFolder(t)
  const audit = () => find('audit', data)
  t.same(await audit(), [`good: audit.key and audit.head are in ${data}`])
  renameSync(join(data, 'audit.head'), join(data, 'kept'))
  t.match(await audit(), [
    /^warning: audit\.head is missing from .*; restore it, or the log continues under a new origin$/
  ])
  writeFileSync(join(data, 'audit.head'), 'nonsense')
  t.match(await audit(), [1, /^bad: .*audit\.head is damaged/])
  t.match(await find('audit', t.testdir({})), [/^good: there is no key in .* yet; the server creates it$/])
})

/** Starts the given server on a free port. Returns the port. */
async function listen(t: Test, server: Server | ReturnType<typeof createPlainServer>) {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => server.close())
  return String((server.address() as AddressInfo).port)
}

t.test('a port is reported as free, in use by Graphstead, or in use by another program', async (t) => {
  const data = join(t.testdir({}), 'data')
  const portOf = async (port: string, args: string[] = []) => {
    const { code, about } = await examine(data, ['--port', port, ...args])
    return [...(code === 0 ? [] : [code]), ...about('port'), ...about('metrics')]
  }
  const server = await serve(t, data, ['--log-level', 'silent', '--metrics-port', '0'])
  const { port } = new URL(server.url)
  t.same(await portOf(port), [`good: Graphstead 0.1.0 is running on port ${port} of 127.0.0.1`])
  const taken = /^bad: port \d+ of 127\.0\.0\.1 is in use by another program/
  t.match(await portOf(port, ['--metrics-port', port]), [1, /^good/, taken])
  if (isSqlite) {
    renameSync(join(data, 'graphstead.db'), join(data, 'moved.db'))
    t.match(await portOf(port), [
      1,
      /^bad: Graphstead 0\.1\.0 is running .*, but is not ready: .*was removed.*; check its log$/
    ])
    renameSync(join(data, 'moved.db'), join(data, 'graphstead.db'))
  }
  await server.stop()
  const free = `good: port ${port} of 127.0.0.1 is free`
  t.same(await portOf(port, ['--metrics-port', '0']), [free, 'good: any free port'])

  const sockets = new Set<{ destroy(): void }>()
  const mute = createPlainServer((socket) => sockets.add(socket.on('error', () => {})))
  const silent = await listen(t, mute)
  const says = 'is in use by a program that does not respond; if it is Graphstead, check its log'
  t.same(await portOf(silent), [1, `bad: port ${silent} of 127.0.0.1 ${says}`])
  for (const socket of sockets) socket.destroy()
  const older = createServer((request, response) => {
    const answers: Record<string, object> = {
      '/openapi.json': { info: { title: 'Graphstead', version: '0.0.1' } },
      '/readyz': { status: 'ok' }
    }
    response.end(request.url === '/metrics' ? 'graphstead_info 1\n' : JSON.stringify(answers[request.url ?? '']))
  })
  const old = await listen(t, older)
  const outdated = /^warning: Graphstead 0\.0\.1 is running .* this is 0\.1\.0; restart the server$/
  t.match(await portOf(old, ['--metrics-port', old]), [outdated, /^good: .*metrics/])
  const odd = createServer((_request, response) => response.end('[null, 1'))
  t.match(await portOf(await listen(t, odd)), [1, /^bad: .* in use by another program/])
  const elsewhere = await portOf(port, ['--host', '192.0.2.1'])
  t.match(elsewhere, [1, /^bad: .* cannot be opened \(EADDRNOTAVAIL\); --host must be/])
})

t.test('a certificate must be readable, valid, and match its key', async (t) => {
  const folder = t.testdir({})
  const at = (name: string) => join(folder, name)
  for (const name of ['first.crt', 'first.key', 'second.key']) {
    copyFileSync(join(root, 'test/tls', name), at(name))
    chmodSync(at(name), 0o640)
  }
  const tls = (cert: string, key: string, ...args: string[]) =>
    find('tls', join(folder, 'data'), ['--tls-cert', at(cert), '--tls-key', at(key), ...args])
  const fits = /^good: the certificate is valid until 2\d\d\d-.*, and matches its key$/
  t.match(await tls('first.crt', 'first.key'), [fits])
  for (const [host, finding] of [
    ['localhost', fits],
    ['127.0.0.1:8443', fits],
    ['[::1]', /^warning: .* does not cover ::1/],
    ['graphs.example', /^warning: .* does not cover graphs\.example/]
  ] as const) {
    t.match(await tls('first.crt', 'first.key', '--public-url', `https://${host}`), [finding], host)
  }
  t.match(await tls('first.crt', 'second.key'), [1, /^bad: .*cannot be used.*; the server will not start$/])
  t.match(await tls('missing.crt', 'first.key'), [1, /^bad: .*cannot be read.*ENOENT/])
  chmodSync(at('first.key'), 0o644)
  const open = /^warning: .*first\.key can be read by everyone; chmod 640 it$/
  t.match(await tls('first.crt', 'first.key'), [fits, open])

  const certificate = new X509Certificate(readFileSync(at('first.crt')))
  const [from, to] = [certificate.validFromDate.getTime(), certificate.validToDate.getTime()]
  const day = 24 * 60 * 60 * 1000
  const judge = (now: number) => judgeCertificate(certificate, undefined, now)
  t.match(judge(from - 1), { state: 'bad', says: /is not valid before .*; check the clock$/ })
  t.match(judge(to - 22 * day), { state: 'good' })
  t.match(judge(to - 3 * day), { state: 'warning', says: /, for 3 days; renew it, then reload the service$/ })
  t.match(judge(to), { state: 'bad', says: /expired on .*; renew it/ })

  const without = (...args: string[]) => find('tls', join(folder, 'data'), args)
  t.match(await without(), [/^good: off, and only this machine/])
  t.match(await without('--host', '0.0.0.0'), [
    /^warning: off on 0\.0\.0\.0, so passwords cross the network unencrypted/
  ])
  t.match(await without('--host', '0.0.0.0', '--trust-proxy', 'loopback'), [/^good: off; the proxy/])
  t.match(await without('--host', '0.0.0.0', '--trust-proxy', 'false'), [/^warning: off on 0\.0\.0\.0/])
})

t.test('sign-in through a provider needs its settings', async (t) => {
  const folder = t.testdir({ secret: 's3cret', data: {} })
  const provider = ['--oidc-issuer', 'https://id.example', '--oidc-client-id', 'graphs']
  const args = ['--public-url', 'https://graphs.example', ...provider]
  const signIn = async (secret: string) => {
    const { code, about, stdout } = await examine(join(folder, 'data'), [...args, '--oidc-client-secret-file', secret])
    t.notMatch(stdout, /s3cret/)
    return [code, ...about('sign-in')]
  }
  t.match(await signIn(join(folder, 'secret')), [0, /^good: uses https:\/\/id\.example, which was not contacted$/])
  t.match(await signIn(join(folder, 'none')), [1, /^bad: --oidc-client-secret-file: .* cannot be read/])
})

t.test('the newest backup of the server must be recent', async (t) => {
  const data = t.testdir({ backups: {} })
  const now = Date.parse('2027-02-01T12:00:00Z')
  const hour = 3_600_000
  const judge = async (...args: string[]) => {
    const { state, says } = await examineBackups(readConfig(['--data', data, ...args], {}), now)
    return `${state}: ${says}`
  }
  const none =
    /^unknown: .*backups has no backups, and this program cannot see other backups; use --every 6h to schedule backups$/
  t.match(await judge(), none)
  t.match(await judge('--every', '6h'), /^bad: .* has no backups, despite --every 6h/)
  t.match(await judge('--database', 'postgres://x/y'), /^unknown: PostgreSQL has its own backup tools/)
  const write = (folder: string, age: number) => writeFileSync(join(folder, backupName(new Date(now - age))), '')
  write(join(data, 'backups'), 8 * 24 * hour)
  t.match(await judge(), /^warning: the newest backup in .* is 8 days old; make one/)
  write(join(data, 'backups'), 11 * hour)
  t.match(await judge(), /^good: the newest backup in .*backups is 11 hours old$/)
  t.match(await judge('--every', '6h'), /^good: /)
  t.match(
    await judge('--every', '5h'),
    /^bad: .* is 11 hours old, despite --every 5h; check that the server is running/
  )
  mkdirSync(join(data, 'elsewhere'))
  t.match(await judge('--backups', join(data, 'elsewhere')), /^unknown: .*elsewhere has no backups/)
  if (isSqlite) {
    const args = ['--every', '1h', '--backups', join(data, 'elsewhere')]
    t.match(await find('backup', data, args), [1, /^bad: .* has no backups/])
  }
})

t.test('sizes and durations have readable units', only('SQLite', 'it formats numbers'), async (t) => {
  const sizes = [0, 1023, 1024, 1536, 200 * 2 ** 20, 5 * 2 ** 40]
  t.same(sizes.map(sizeText), ['0 B', '1023 B', '1.0 KiB', '1.5 KiB', '200 MiB', '5.0 TiB'])
  const spans = [0, 1000, 119_000, 120_000, 7_200_000, 172_800_000]
  t.same(spans.map(spanText), ['0 seconds', '1 second', '119 seconds', '2 minutes', '2 hours', '2 days'])
})
