import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, renameSync, rmdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import t, { type Test } from 'tap'
import { AuditLineFile } from '../../src/audit/line-file.ts'
import { openDataStore } from '../support/engine.ts'
import { events } from '../support/helper.ts'
import { call, login, root, run, type Server, serve, serveProgram } from '../support/program.ts'
import { until } from '../support/until.ts'

/** Returns a data folder, and the path of the lines file beside it. */
function placesOf(t: Test) {
  const folder = t.testdir({})
  return { data: join(folder, 'data'), file: join(folder, 'audit.jsonl') }
}

/** Returns a client for the administrator. */
async function adminOf({ url }: Server) {
  const token = await login(url)
  return { create: async (name: string) => (await call(`${url}/api/graphs`, 'POST', { name }, token)).status }
}

const linesIn = (text: string) => text.split('\n').filter(Boolean)
const textOf = (file: string) => {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

/** Returns the lines of an export of the whole log. */
async function exported(data: string) {
  return linesIn((await run(['audit', 'export', '--data', data])).stdout)
}

/** Checks that the lines match the log: complete, intact, and in order except for repeated ones. */
async function haveAll(t: Test, lines: string[], data: string) {
  const wanted = await exported(data)
  t.same(
    [...new Set(lines)].filter((line) => !wanted.includes(line)),
    [],
    'there are no extra or truncated lines'
  )
  t.same(
    wanted.filter((line) => !lines.includes(line)),
    [],
    'no line is missing'
  )
}

t.test('each event is soon written as the line of an export, even after log rotation', async (t) => {
  const { data, file } = placesOf(t)
  const server = await serveProgram(t, data, ['--audit-lines', file])
  const { create } = await adminOf(server)
  await create('First')
  t.ok(await until(async () => textOf(file).includes('First')))
  t.equal(statSync(file).mode & 0o077, 0, 'only the owner can read the file')
  renameSync(file, `${file}.1`)
  server.child.kill('SIGHUP')
  await create('Second')
  t.ok(await until(async () => textOf(file).includes('Second')))
  t.notMatch(textOf(`${file}.1`), /Second/)
  t.equal(await server.stop(), 0)
  await haveAll(t, linesIn(textOf(`${file}.1`) + textOf(file)), data)
  t.equal(
    linesIn(textOf(`${file}.1`) + textOf(file)).length,
    (await exported(data)).length,
    'each event is written once'
  )
  const again = await serve(t, data, ['--audit-lines', file])
  t.ok(
    await until(async () => textOf(file).includes('SERVER_STOPPED')),
    'the last events are written at the next start'
  )
  await again.stop()
  const lines = linesIn(textOf(`${file}.1`) + textOf(file))
  await haveAll(t, lines, data)
  t.equal(new Set(lines).size, lines.length)
})

t.test('no event is lost when the server is killed', async (t) => {
  const { data, file } = placesOf(t)
  for (let round = 0; round < 2; round++) {
    const server = await serveProgram(t, data, ['--audit-lines', file])
    const { create } = await adminOf(server)
    const length = linesIn(textOf(file)).length
    let isKilled = false
    const writing = (async () => {
      for (let place = 0; !isKilled; place++) await create(`${round} ${place}`).catch(() => {})
    })()
    await until(async () => linesIn(textOf(file)).length > length + 5)
    await sleep(100 * round)
    await server.stop('SIGKILL')
    isKilled = true
    await writing
    // An incomplete line, as left when the process is killed during a write.
    if (round === 1) writeFileSync(file, '{"index":77,"entry":"', { flag: 'a' })
  }
  const last = await serve(t, data, ['--audit-lines', file])
  const { create } = await adminOf(last)
  await create('The last one')
  t.ok(await until(async () => textOf(file).includes('The last one')))
  await last.stop()
  await haveAll(t, linesIn(textOf(file)), data)
})

t.test('an unwritable file does not stop the server, and gets the missing lines later', async (t) => {
  const { data, file } = placesOf(t)
  mkdirSync(file)
  const server = await serve(t, data, ['--audit-lines', file])
  const { create } = await adminOf(server)
  t.equal(await create('While it cannot be written'), 201)
  t.ok(await until(async () => /the audit lines cannot be written/.test(server.stdout())))
  await sleep(1500)
  t.equal(server.stdout().split('the audit lines cannot be written').length, 2, 'the failure is reported once')
  rmdirSync(file)
  t.ok(await until(async () => textOf(file).includes('While it cannot be written')))
  t.ok(await until(async () => /audit lines can be written again/.test(server.stdout())))
  await server.stop()
  await haveAll(t, linesIn(textOf(file)), data)
})

t.test('all lines are written again if the saved position belongs to another log', async (t) => {
  const { data, file } = placesOf(t)
  for (const position of [`2 ${'0'.repeat(64)}\n`, '100000 \n', 'damaged']) {
    writeFileSync(`${file}.position`, position)
    writeFileSync(file, '')
    const server = await serve(t, data, ['--audit-lines', file])
    t.ok(await until(async () => textOf(file).includes('SERVER_STARTED')), position)
    if (position !== 'damaged') t.match(server.stdout(), /rewriting all audit lines/)
    await server.stop()
    await haveAll(t, linesIn(textOf(file)), data)
  }
})

t.test('standard output contains audit lines between log lines', async (t) => {
  const data = join(t.testdir({}), 'data')
  const server = await serveProgram(t, data, ['--audit-lines', '-'])
  const { create } = await adminOf(server)
  for (let place = 0; place < 30; place++) await create(`Graph ${place}`)
  t.ok(await until(async () => server.stdout().includes('Graph 29')))
  await server.stop()
  const lines = linesIn(server.stdout())
  t.ok(lines.every((line) => JSON.parse(line)))
  await haveAll(
    t,
    lines.filter((line) => line.startsWith('{"index":')),
    data
  )
  t.match(readFileSync(join(data, 'audit-lines.position'), 'utf8'), /^\d+ [0-9a-f]{64}\n$/)
})

t.test('a stalled or exited reader of standard output does not stop the server', async (t) => {
  const folder = t.testdir({})
  for (const reader of ['sleep 30', 'true']) {
    const data = join(folder, `data of ${reader}`)
    const arguments_ = ['--audit-lines', '-', '--log-level', 'silent']
    const server = await serveProgram(t, data, arguments_, {}, `exec "$@" > >(exec ${reader} > /dev/null 2>&1)`)
    const { create } = await adminOf(server)
    for (let place = 0; place < 80; place++) t.equal(await create(`${reader} ${place}`), 201)
    await sleep(2500)
    t.equal(await create('Still'), 201, 'requests are still served')
    t.equal(await server.stop(), 0, 'the server still shuts down')
    const store = await openDataStore(t, data)
    t.equal((await events(store, 'GRAPH_CREATED')).length, 81)
    await store.close()
    const position = Number(textOf(join(data, 'audit-lines.position')).split(' ')[0])
    t.ok(position < 81, `the position is ${position}`)
    const next = await serveProgram(t, data, ['--audit-lines', '-'])
    t.ok(
      await until(async () => next.stdout().includes('SERVER_STOPPED')),
      'the next process writes the remaining lines'
    )
    t.match(next.stdout(), /Still/)
    await next.stop()
  }
})

t.test(
  'on a full disk all written lines are complete, and the saved position precedes the missing lines',
  async (t) => {
    const file = join(t.testdir({}), 'lines')
    const module = pathToFileURL(join(root, 'src/audit/line-file.ts'))
    const code = `
    import { AuditLineFile } from '${module}'
    process.on('SIGXFSZ', () => {})
    const sink = new AuditLineFile(process.argv[1])
    const line = (index, length = 0) => Buffer.from('{"index":' + index + 'x'.repeat(length) + '}\\n')
    const append = (bytes, next) => sink.append(bytes, { next, leaf: 'a'.repeat(64) })
    await append(line(0), 1)
    const fault = await append(Buffer.concat([line(1), line(2, 200_000)]), 3).catch(({ code }) => code)
    const position = await sink.position()
    await append(line(1), 2)
    console.log(fault, position.next)
    await sink.close()`
    const args = ['-c', 'ulimit -f 64; exec "$@"', 'bash', process.execPath, '--input-type=module', '-e', code, file]
    t.equal(execFileSync('bash', args, { encoding: 'utf8' }), 'EFBIG 1\n')
    t.equal(textOf(file), '{"index":0}\n{"index":1}\n')
    t.same(await new AuditLineFile(file).position(), { next: 2, leaf: 'a'.repeat(64) })
  }
)
