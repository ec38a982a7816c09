import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { only } from '../support/engine.ts'
import { PASSWORD } from '../support/helper.ts'
import { call, login, root, run, runProgram, serve, serveProgram } from '../support/program.ts'

const sqlite = only('SQLite', 'it tests the command line')

t.test('the first start creates an administrator, and prints a random password only once', async (t) => {
  const data = join(t.testdir({}), 'deep', 'data')
  const first = await serveProgram(t, data, [], { GRAPHSTEAD_ADMIN_PASSWORD: '' })
  const password = /The first administrator is admin, with the password {2}(\S{24})\n/.exec(first.stderr())?.[1] ?? ''
  t.ok(password)
  t.notOk(first.stdout().includes(password), 'the password does not appear in the log')
  const token = await login(first.url, 'admin', password)
  t.match(await call(`${first.url}/api/account`, 'GET', undefined, token), { body: { login: 'admin', role: 'ADMIN' } })
  t.equal(statSync(data).mode & 0o777, 0o700)
  for (const file of readdirSync(data)) {
    // A lock file may have disappeared in the meantime.
    const { mode = 0 } = statSync(join(data, file), { throwIfNoEntry: false }) ?? {}
    t.equal(mode & 0o077, 0, `only the owner can read ${file}`)
  }
  t.equal(await first.stop(), 0)

  const second = await serve(t, data, [], { GRAPHSTEAD_ADMIN_PASSWORD: '' })
  t.notMatch(second.stderr(), /password/, 'no password is printed again')
  t.match(await call(`${second.url}/api/account`, 'GET', undefined, token), { status: 200 }, 'tokens survive a restart')
})

t.test('the password of the first administrator may be set directly or in a file', async (t) => {
  const folder = t.testdir({ secret: `${PASSWORD} filed\n` })
  const direct = await serve(t, join(folder, 'a'))
  t.notMatch(direct.stderr(), /password/)
  t.ok(await login(direct.url))
  const file = { GRAPHSTEAD_ADMIN_PASSWORD: '', GRAPHSTEAD_ADMIN_PASSWORD_FILE: join(folder, 'secret') }
  const filed = await serve(t, join(folder, 'b'), [], file)
  t.ok(await login(filed.url, 'admin', `${PASSWORD} filed`))
})

t.test('a failed start prints one sentence, and exits with code 2 for settings and 1 for files', async (t) => {
  const folder = t.testdir({ 'not-a-folder': '', foreign: { 'graphstead.db': 'text '.repeat(1000) }, open: {} })
  writeFileSync(join(folder, 'open', 'token.key'), Buffer.alloc(32), { mode: 0o644 })
  chmodSync(join(folder, 'open', 'token.key'), 0o644)
  const busy = createServer().listen(0, '127.0.0.1')
  t.teardown(() => busy.close())
  await new Promise((resolve) => busy.once('listening', resolve))
  const { port } = busy.address() as { port: number }
  const [data, missing] = [join(folder, 'data'), join(folder, 'missing')]
  const cases: [string[], Record<string, string>, number, RegExp][] = [
    [['--port', 'x'], {}, 2, /--port/],
    [['--data', data], { GRAPHSTEAD_PORT: '99999' }, 2, /GRAPHSTEAD_PORT/],
    [['--colour', 'red'], {}, 2, /--colour/],
    [['--data', data, '--trust-proxy', 'x'], {}, 2, /trust-proxy/],
    [['--data', join(folder, 'not-a-folder')], {}, 2, /--data/],
    [['--data', data], { GRAPHSTEAD_ADMIN_PASSWORD: 'short' }, 2, /GRAPHSTEAD_ADMIN_PASSWORD must have at least 12/],
    [['--data', data], { GRAPHSTEAD_ADMIN_PASSWORD_FILE: missing }, 2, /GRAPHSTEAD_ADMIN_PASSWORD_FILE/],
    [['--data', data, '--port', String(port)], {}, 2, /--port.*EADDRINUSE/],
    [['--data', data, '--port', '0', '--metrics-port', String(port)], {}, 2, /--metrics-port: cannot listen/],
    [['--data', join(folder, 'foreign')], { GRAPHSTEAD_DATABASE_URL: '' }, 1, /graphstead\.db is not a database/],
    [['--data', join(folder, 'open')], {}, 1, /token\.key can be read by others/],
    [['--data', data, '--jwt-secret-file', missing], {}, 1, /token key cannot be read/]
  ]
  for (const [args, env, code, message] of cases) {
    const outcome = await run(['serve', ...args], env)
    t.equal(outcome.code, code, `${args.join(' ')} ${outcome.stderr}`)
    const complaint = outcome.stderr.split('\n').filter((line) => line.startsWith('graphstead serve:'))
    t.equal(complaint.length, 1)
    t.match(complaint[0], message)
    t.notMatch(outcome.stderr, /\n\s+at /, 'no stack trace')
  }
})

t.test('an older Node.js prints one sentence and exits with code 1', sqlite, async (t) => {
  const guard = (version: string) => {
    const script = `Object.defineProperty(process.versions, 'node', { value: '${version}' });
      Object.defineProperty(process, 'version', { value: 'v${version}' });
      process.argv = ['node', 'graphstead', '--version'];
      await import(${JSON.stringify(join(root, 'src/graphstead.js'))})`
    return spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' })
  }
  for (const version of ['20.19.5', '24.6.9']) {
    const { status, stderr } = guard(version)
    t.same([status, stderr], [1, `graphstead requires Node.js 24.7 or newer, but this is v${version}.\n`])
  }
  t.equal(guard('24.7.0').status, 0)
})

t.test('the program recognises every command and refuses unknown ones', sqlite, async (t) => {
  const help = await runProgram(['--help'])
  t.match(help, { code: 0, stdout: /\nUsage: graphstead <command> \[options\]\n/, stderr: '' })
  const names = [...help.stdout.matchAll(/^ {2}(\w+) {2,}/gm)].map(([, name = '']) => name)
  const files = readdirSync(join(root, 'src/commands')).filter((file) => file.endsWith('.ts'))
  t.same(names.map((name) => `${name}.ts`).sort(), files.sort())
  for (const name of names) {
    const { code, stdout, stderr } = await runProgram([name, '--help'])
    t.same([code, stderr], [0, ''], name)
    t.match(stdout, new RegExp(`^Usage: graphstead ${name}\\b`))
  }
  t.match((await runProgram(['--version'])).stdout, /^\d+\.\d+\.\d+\n$/)
  t.match(await runProgram(['dance']), { code: 2, stderr: /unknown command dance/ })
  t.match(await runProgram(['__proto__']), { code: 2, stderr: /unknown command __proto__/ })
  t.match(await runProgram([]), { code: 2, stderr: /Usage/ })
  t.match(await run(['openapi', 'extra']), { code: 2, stderr: /extra/ })
})

t.test('on SIGTERM readyz fails, accepted requests finish, writes are kept, and the exit code is 0', async (t) => {
  const data = t.testdir({})
  const server = await serveProgram(t, data)
  const token = await login(server.url)
  const body = JSON.stringify({ name: 'Late but welcome' })
  const accepted = Promise.withResolvers<void>()
  const late = new Promise<number | undefined>((resolve, reject) => {
    const headers = {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      expect: '100-continue'
    }
    const sent = request(`${server.url}/api/graphs`, { method: 'POST', headers }, (response) => {
      response.resume()
      response.on('end', () => resolve(response.statusCode))
    })
    sent.on('error', reject)
    sent.on('continue', accepted.resolve)
    sent.write(body.slice(0, 5))
    // Sends the rest of the body while the server is already stopping.
    const poll = async () => {
      while ((await call(`${server.url}/readyz`)).status === 200) await sleep(5)
      sent.end(body.slice(5))
    }
    poll().catch(reject)
  })
  await accepted.promise
  const began = Date.now()
  const stopped = server.stop()
  t.equal(await late, 201)
  t.equal(await stopped, 0)
  t.ok(Date.now() - began < 10_000)

  const again = await serve(t, data)
  const fresh = await login(again.url)
  const kept = await call(`${again.url}/api/graphs/1`, 'GET', undefined, fresh)
  t.match(kept, { status: 200, body: { name: 'Late but welcome' } })
  const { body: trail } = await call(`${again.url}/management/audits?sort=id`, 'GET', undefined, fresh)
  const told = trail.map(({ type, principal }: { type: string; principal: string }) => `${principal} ${type}`)
  t.same(told, [
    'system USER_CREATED',
    'system SERVER_STARTED',
    'admin AUTHENTICATION_SUCCESS',
    'admin GRAPH_CREATED',
    'system SERVER_STOPPED',
    'system SERVER_STARTED',
    'admin AUTHENTICATION_SUCCESS'
  ])
})

/** Starts a request whose body never ends. */
async function holdRequest(url: string) {
  const headers = { 'content-length': 100, expect: '100-continue' }
  const held = request(`${url}/api/authenticate`, { method: 'POST', headers })
  held.on('error', () => {})
  held.write('{')
  await once(held, 'continue')
  return held
}

t.test('a signal sent twice, as by Ctrl-C under npm start, stops the server once and cleanly', async (t) => {
  const server = await serveProgram(t, t.testdir({}))
  const socket = await holdRequest(server.url)
  const ended = server.stop('SIGINT')
  await sleep(100)
  server.stop('SIGINT')
  setTimeout(() => socket.destroy(), 200)
  t.equal(await ended, 0)
})

t.test('an endless request does not keep the server from stopping', async (t) => {
  const server = await serve(t, t.testdir({}))
  await holdRequest(server.url)
  const began = Date.now()
  t.equal(await server.stop('SIGINT'), 0)
  t.ok(Date.now() - began < 10_000)
})

t.test('logs are JSON lines, one per request, without secrets', async (t) => {
  const server = await serve(t, t.testdir({}))
  const token = await login(server.url)
  await call(`${server.url}/api/graphs?q=private-search`, 'GET', undefined, token)
  await call(`${server.url}/api/authenticate`, 'POST', { username: 'admin', password: 'a wrong password' })
  await call(`${server.url}/api/account%0a{"level":60}`)
  await server.stop()
  const lines = server.stdout().trim().split('\n')
  const requests = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'request')
  t.match(requests, [
    { method: 'POST', path: '/api/authenticate', status: 200, user: undefined },
    { method: 'GET', path: '/api/graphs', status: 200, user: 'admin' },
    { method: 'POST', path: '/api/authenticate', status: 401, user: undefined },
    { method: 'GET', path: String, status: 404, user: undefined }
  ])
  t.notMatch(server.stdout(), new RegExp(`${PASSWORD}|a wrong password|private-search|${token.slice(-20)}|Bearer`))
})

t.test('two servers with one data folder share users, tokens and graphs', async (t) => {
  const data = t.testdir({})
  const [one, two] = await Promise.all([serveProgram(t, data), serveProgram(t, data)])
  const token = await login(one.url)
  const writes = Array.from({ length: 40 }, (_, index) =>
    call(`${[one, two][index % 2]?.url}/api/graphs`, 'POST', { name: `g${index}` }, token)
  )
  t.ok((await Promise.all(writes)).every(({ status }) => status === 201))
  const { body } = await call(`${two.url}/api/mygraphs`, 'GET', undefined, token)
  t.equal(body.length, 40)
  const change = { currentPassword: PASSWORD, newPassword: 'quite another one' }
  await call(`${two.url}/api/account/password`, 'POST', change, token)
  t.match(
    await call(`${one.url}/api/account`, 'GET', undefined, token),
    { status: 401 },
    'a change revokes the token on both servers at once'
  )
})
