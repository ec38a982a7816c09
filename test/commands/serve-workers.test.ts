import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { triangle } from '../support/helper.ts'
import { call, login, processesOf, type ServerProcess, serveProgram } from '../support/program.ts'
import { until } from '../support/until.ts'

const onLinux = { skip: process.platform !== 'linux' && 'it finds the processes in /proc' }

/** Starts a server with two workers. */
async function serveTwo(t: Test, args: string[] = []) {
  const data = t.testdir({})
  const server = await serveProgram(t, data, ['--workers', '2', ...args])
  return { data, server, token: await login(server.url) }
}

/** Sends requests over new connections until both workers have answered one. Returns the number of requests. */
async function askBoth({ url, stdout }: ServerProcess, token: string) {
  const headers = { authorization: `Bearer ${token}`, connection: 'close' }
  const before = stdout().length
  let asked = 0
  const areBothSeen = async () => {
    const lines = stdout().slice(before)
    return /"worker":1,"reqId"/.test(lines) && /"worker":2,"reqId"/.test(lines)
  }
  while (!(await areBothSeen()) && asked < 1000) {
    const statuses = await Promise.all(
      Array.from({ length: 10 }, async () => (await fetch(`${url}/api/graphs`, { headers })).status)
    )
    if (statuses.some((status) => status !== 200)) throw new Error(statuses.join(' '))
    asked += 10
    await sleep(50)
  }
  return asked
}

/** Returns the value of a metric in the text, by name and labels. */
function metric(text: string, name: string) {
  return Number(
    text
      .split('\n')
      .find((line) => line.startsWith(`${name} `))
      ?.slice(name.length)
  )
}

t.test('the metrics are those of all workers, also of one that was killed', onLinux, async (t) => {
  const { server, token } = await serveTwo(t, ['--metrics-port', '0', '--log-level', 'info'])
  const read = async () => {
    const response = await fetch(`${server.url}/metrics`, { headers: { authorization: `Bearer ${token}` } })
    return response.text()
  }
  const graphs = 'http_request_duration_seconds_count{method="GET",route="/api/graphs",status="200"}'
  const asked = await askBoth(server, token)
  const text = await read()
  t.equal(metric(text, graphs), asked)
  t.equal(metric(text, 'graphstead_rows{table="user"}'), 1, 'rows of the shared store are not added up')
  // Workers leave their counts with the primary once a second.
  await sleep(1500)
  const [, , second = 0] = processesOf(server)
  process.kill(second, 'SIGKILL')
  t.ok(await until(async () => /worker 2 was killed by SIGKILL; starting another/.test(server.stderr())))
  t.equal(metric(await read(), graphs), asked)
  t.ok(await until(async () => processesOf(server).length === 3))
  t.equal(await server.stop(), 0)
})

t.test('one start and one stop are recorded, and one worker keeps house', async (t) => {
  const { data, server, token } = await serveTwo(t)
  t.ok(await until(async () => /the checkpoint of the audit log/.test(server.stdout())))
  t.equal(server.stdout().match(/the audit log starts/g)?.length, 1)
  t.equal(server.stdout().match(/the checkpoint of the audit log/g)?.length, 1)
  t.match(await call(`${server.url}/management/audits?size=1`, 'GET', undefined, token), { status: 200 })
  t.equal(await server.stop('SIGINT'), 0)
  const again = await serveProgram(t, data, ['--workers', '2'])
  const { body } = await call(`${again.url}/management/audits?size=100`, 'GET', undefined, await login(again.url))
  const types = body.map(({ type }: { type: string }) => type).filter((type: string) => type.startsWith('SERVER_'))
  t.same(types.sort(), ['SERVER_STARTED', 'SERVER_STARTED', 'SERVER_STOPPED'])
})

t.test('a rate holds for both workers together', async (t) => {
  const { server, token } = await serveTwo(t, ['--rate-user', '60'])
  const headers = { authorization: `Bearer ${token}`, connection: 'close' }
  const counts = new Map<number, number>()
  for (let sent = 0; sent < 1000; sent += 20) {
    const statuses = await Promise.all(
      Array.from({ length: 20 }, async () => (await fetch(`${server.url}/api/graphs`, { headers })).status)
    )
    for (const status of statuses) counts.set(status, (counts.get(status) ?? 0) + 1)
  }
  const served = counts.get(200) ?? 0
  // Ten minutes' worth at once, what was earned meanwhile, and what both serve until they know of each other.
  t.ok(served >= 590 && served < 700, `${served} of 1000`)
  t.equal(counts.get(429), 1000 - served)
})

t.test('SIGHUP replaces the workers, and no client notices', onLinux, async (t) => {
  const { server, token } = await serveTwo(t)
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const [, ...before] = processesOf(server)
  let isRunning = true
  const failures: unknown[] = []
  const names: string[] = []
  const clients = Array.from({ length: 16 }, async (_, client) => {
    for (let turn = 0; isRunning; turn++) {
      const name = `${client} ${turn}`
      const body = JSON.stringify({ ...triangle, name })
      const response = await fetch(`${server.url}/api/graphs`, { method: 'POST', headers, body }).catch(
        (error) => error
      )
      if (response.status === 201) names.push(name)
      else failures.push(response.status ?? response)
      await response.arrayBuffer?.()
    }
  })
  server.child.kill('SIGHUP')
  const isReplaced = async () => {
    const [, ...now] = processesOf(server)
    return now.length === 2 && now.every((pid) => !before.includes(pid))
  }
  t.ok(await until(isReplaced))
  isRunning = false
  await Promise.all(clients)
  t.same(failures, [])
  t.ok(names.length > 16)
  const { headers: found } = await call(`${server.url}/api/graphs?size=1`, 'GET', undefined, token)
  t.equal(found['x-total-count'], String(names.length))
})

t.test('when the primary is killed, its workers end and another can start at once', onLinux, async (t) => {
  const { data, server, token } = await serveTwo(t)
  t.match(await call(`${server.url}/api/graphs`, 'POST', triangle, token), { status: 201 })
  const [, ...workers] = processesOf(server)
  const { port } = new URL(server.url)
  await server.stop('SIGKILL')
  const again = await serveProgram(t, data, ['--workers', '2', '--port', port])
  t.match(await call(`${again.url}/api/graphs/1`, 'GET', undefined, token), { status: 200 })
  const { existsSync } = await import('node:fs')
  t.ok(await until(async () => workers.every((pid) => !existsSync(`/proc/${pid}`))), 'the old workers have ended')
})

t.test('a server whose workers cannot start ends with their exit code', async (t) => {
  const data = t.testdir({})
  await t.rejects(serveProgram(t, data, ['--workers', '2', '--oidc-issuer', 'nonsense']), {
    message: /^the server ended with 2: graphstead serve: .*issuer/
  })
  await t.rejects(serveProgram(t, data, ['--workers', '0']), {
    message: /^the server ended with 2: graphstead serve: --workers must look like auto or 4/
  })
})

t.test('a worker that cannot start replaces none, and the next SIGHUP tries again', onLinux, async (t) => {
  const folder = t.testdir({})
  const key = join(folder, 'key')
  writeFileSync(key, 'k'.repeat(32), { mode: 0o600 })
  const server = await serveProgram(t, join(folder, 'data'), ['--workers', '2', '--jwt-secret-file', key])
  const before = processesOf(server)
  writeFileSync(key, 'short')
  server.child.kill('SIGHUP')
  const isTold = () => /worker 1 exited with code 1 when it started; the remaining workers/.test(server.stderr())
  t.ok(await until(async () => isTold()), server.stderr())
  t.same(processesOf(server), before, 'the old workers stay')
  writeFileSync(key, 'k'.repeat(32))
  server.child.kill('SIGHUP')
  t.ok(await until(async () => processesOf(server).length === 3 && !processesOf(server).includes(before[2] ?? 0)))
  t.equal(await server.stop('SIGINT'), 0)
})

t.test('a server that stops refuses new connections while it completes a request', onLinux, async (t) => {
  const { server, token } = await serveTwo(t)
  const { hostname, port } = new URL(server.url)
  const upload = connect(Number(port), hostname)
  upload.on('error', () => {})
  upload.write(`POST /api/graphs HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: Bearer ${token}\r\n`)
  upload.write('Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{')
  await once(upload, 'connect')
  await sleep(200)
  const stopped = server.stop('SIGINT')
  const isRefused = () =>
    fetch(`${server.url}/healthz`).then(
      () => false,
      ({ cause }) => cause.code === 'ECONNREFUSED'
    )
  t.ok(await until(isRefused))
  t.notOk(upload.destroyed, 'the request is still open')
  upload.write('"name": "Triangle"}'.padStart(99))
  t.match(String((await once(upload, 'data'))[0]), /^HTTP\/1.1 201 /)
  upload.destroy()
  t.equal(await stopped, 0)
})
