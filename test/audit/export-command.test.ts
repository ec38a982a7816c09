import { randomBytes } from 'node:crypto'
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync
} from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { headText, readHead } from '../../audit/checkpoint.ts'
import { createSigner, openNote, readVerifier, signNote } from '../../audit/note.ts'
import { build, events, triangle } from '../support/helper.ts'
import { login, run, serve } from '../support/program.ts'
import type { Server } from './commands.ts'
import { readPublished } from './published.ts'
import { record } from './recording.ts'

/** Records this many events, and adds them to the log. */
async function recordAll({ app, store }: Server, count: number) {
  await record(store, count)
  await app.auditLog.takeInAll()
}

/** Returns a checkpoint of a different log. */
function alien(size: number) {
  const origin = 'graphstead.audit/0123456789abcdef/1'
  return signNote(headText({ origin, size, root: randomBytes(32) }), [createSigner(origin)])
}

/** Runs `graphstead audit` on the server's store. */
function audit({ folder, url }: Server, ...args: string[]) {
  const env = url === undefined ? {} : { GRAPHSTEAD_DATABASE_URL: url }
  return run(['audit', ...args, '--data', folder], env as Record<string, string>)
}

/** Reads a folder as another program would, and compares its lines with its entries. */
async function readFolder(t: Test, folder: string) {
  const published = await readPublished(t, (path) => readFileSync(join(folder, path)))
  const lines = readFileSync(join(folder, 'events.jsonl'), 'utf8').split('\n')
  t.equal(lines.pop(), '', 'the last line is complete')
  t.same(
    lines.map((line) => JSON.parse(line).entry),
    published.entries.map(String),
    'lines and bundles have the same entries'
  )
  return published
}

t.test('the command writes the same bytes as the server, and its export is recorded', async (t) => {
  const server = await build(t)
  const { as, store, folder } = server
  await as('ada').post('/api/graphs', triangle)
  await as('bob').get('/api/users')
  await recordAll(server, 300)
  const file = (name: string) => join(folder, name)
  for (const [args, query] of [
    [[], ''],
    [['--format', 'csv'], 'format=csv'],
    [['--type', 'SERVER_STARTED', '--after', '299'], 'type=SERVER_STARTED&after=299'],
    [['--principal', 'ada', '--from-date', '2026-01-01', '--to-date', '2999-01-01', '--zone', 'UTC'], 'principal=ada'],
    [['--target-type', 'GRAPH', '--target-id', '1', '--outcome', 'SUCCESS'], 'targetId=1']
  ] as const) {
    const { code, stdout, stderr } = await audit(server, 'export', ...args)
    const { text } = await as('audrey').get(`/management/audits/export?${query}`)
    t.equal(code, 0, stderr)
    t.equal(stdout, text, args.join(' '))
    t.match(stderr, /^-: \d+ events, up to the checkpoint\n\ngraphstead\.audit/)
  }
  const recorded = (await events(store, 'AUDIT_EXPORTED')).filter(({ principal }) => principal === 'system')
  const size = String((await server.app.auditLog.published()).size)
  t.strictSame(
    recorded.map(({ data, request }) => ({ ...data, request })),
    [
      { format: 'jsonl' },
      { format: 'csv' },
      { format: 'jsonl', type: 'SERVER_STARTED', after: '299' },
      { format: 'jsonl', fromDate: '2026-01-01', toDate: '2999-01-01', zone: 'UTC', principal: 'ada' },
      { format: 'jsonl', outcome: 'SUCCESS', targetType: 'GRAPH', targetId: '1' }
    ].map((data) => ({ ...data, size, request: null }))
  )

  t.match(await audit(server, 'export', file('a.jsonl')), { code: 0, stdout: '', stderr: /a\.jsonl: 302 events/ })
  t.equal(statSync(file('a.jsonl')).mode & 0o077, 0, 'only the owner can read the file')
  t.match(await audit(server, 'export', file('a.jsonl')), {
    code: 1,
    stderr: /already exists; replace it with --force/
  })
  t.match(await audit(server, 'export', file('a.jsonl'), '--force', '--type', 'GROUP_CREATED'), { code: 0 })
  t.equal(readFileSync(file('a.jsonl'), 'utf8'), '')
  t.match(await audit(server, 'export', file('none/a.jsonl')), { code: 1, stderr: /cannot be written: ENOENT/ })
  for (const args of [
    ['a', 'b'],
    ['--format', 'xml'],
    ['--after', '-1'],
    ['--from-date', '2026-01-01'],
    ['--zone', 'UTC'],
    ['--type', 'NOTHING'],
    ['--tiles', file('t'), '--type', 'GRAPH_CREATED'],
    ['--tiles', file('t'), file('x')],
    ['--tiles', file('t'), '--format', 'csv']
  ]) {
    const usage = { code: 2, stderr: /see graphstead audit export --help/ }
    t.match(await audit(server, 'export', ...args), usage, args.join(' '))
  }
  t.match(await run(['audit', 'export', '--help']), { code: 0, stdout: /audit export \[FILE\]/ })
})

t.test('--tiles writes a verifiable folder, and extends it later', async (t) => {
  const server = await build(t)
  const { store, folder } = server
  const tiles = join(folder, 'log')
  for (const count of [1, 254, 1, 1, 343, 0]) {
    await recordAll(server, count)
    const { code, stderr } = await audit(server, 'export', '--tiles', tiles)
    t.match({ code, stderr }, { code: 0, stderr: / events added, up to the checkpoint/ })
    const { head, checkpoint } = await readFolder(t, tiles)
    t.ok(stderr.endsWith(checkpoint))
    t.equal(head.size, (await server.app.auditLog.published()).size)
  }
  t.same((await events(store, 'AUDIT_EXPORTED')).at(-1)?.data.format, 'tiles')
  t.same(readdirSync(tiles).sort(), ['checkpoint', 'events.jsonl', 'key', 'tile'])
})

t.test('an interrupted export to a folder can be resumed', async (t) => {
  const server = await build(t)
  const tiles = join(server.folder, 'log')
  const lines = join(tiles, 'events.jsonl')
  await recordAll(server, 300)
  mkdirSync(tiles)
  writeFileSync(lines, 'the rest of a first export')
  await audit(server, 'export', '--tiles', tiles)
  await readFolder(t, tiles)
  await recordAll(server, 300)
  const [whole, checkpoint] = [readFileSync(lines, 'utf8'), readFileSync(join(tiles, 'checkpoint'), 'utf8')]
  const next = whole.split('\n').slice(-2).join('\n').replace('"index":299', '"index":300')
  for (const [name, damage] of Object.entries({
    'half a line': () => appendFileSync(lines, '{"index":300,"ent'),
    'lines past the checkpoint': () => appendFileSync(lines, next),
    'malformed lines': () => appendFileSync(lines, 'x\ny\n'),
    'fewer lines': () => truncateSync(lines, whole.split('\n').slice(0, 10).join('\n').length - 3),
    'no lines': () => truncateSync(lines, 0)
  })) {
    writeFileSync(lines, whole)
    writeFileSync(join(tiles, 'checkpoint'), checkpoint)
    damage()
    t.match(await audit(server, 'export', '--tiles', tiles), { code: 0 }, name)
    await readFolder(t, tiles)
  }
})

t.test('a folder of another log is refused and left unchanged', async (t) => {
  const server = await build(t)
  await recordAll(server, 10)
  const tiles = join(server.folder, 'log')
  await audit(server, 'export', '--tiles', tiles)
  const before = readFileSync(join(tiles, 'checkpoint'), 'utf8')
  await recordAll(server, 50)
  for (const [checkpoint, reason] of [
    [alien(10), /belongs to another log/],
    [alien(1000), /has 1000 events, but the log has only 61/],
    ['a note', /The file checkpoint in .* is not a checkpoint/]
  ] as const) {
    writeFileSync(join(tiles, 'checkpoint'), checkpoint)
    t.match(await audit(server, 'export', '--tiles', tiles), { code: 1, stderr: reason })
    t.equal(readFileSync(join(tiles, 'checkpoint'), 'utf8'), checkpoint)
    t.equal(readFileSync(join(tiles, 'events.jsonl'), 'utf8').split('\n').length - 1, 10)
  }
  writeFileSync(join(tiles, 'checkpoint'), before)
  t.match(await audit(server, 'export', '--tiles', tiles), { code: 0 })
  await readFolder(t, tiles)
})

t.test('only a saved checkpoint is printed', async (t) => {
  const server = await build(t)
  const { app, folder } = server
  t.match(await audit(server, 'export'), { code: 1, stdout: '', stderr: /has no checkpoint yet/ })
  t.match(await audit(server, 'checkpoint'), { code: 1, stdout: '', stderr: /has no checkpoint yet/ })
  await recordAll(server, 5)
  const { checkpoint, key } = await app.auditLog.published()
  t.match(await audit(server, 'checkpoint'), { code: 0, stdout: checkpoint, stderr: '' })
  t.match(await audit(server, 'key'), { code: 0, stdout: `${key}\n`, stderr: '' })

  const head = join(folder, 'audit.head')
  writeFileSync(head, checkpoint)
  await recordAll(server, 5)
  t.equal((await audit(server, 'checkpoint')).stdout, checkpoint, 'the older, saved checkpoint is printed')
  t.equal((await audit(server, 'export')).stdout.split('\n').length - 1, 5)
  await audit(server, 'export', '--tiles', join(folder, 'log'))
  t.equal((await readFolder(t, join(folder, 'log'))).head.size, 5)

  writeFileSync(head, 'damaged')
  t.match(await audit(server, 'export'), { code: 1, stderr: /audit\.head is damaged/ })
  writeFileSync(head, alien(3))
  for (const command of ['export', 'checkpoint', 'key']) {
    const refusal = { code: 1, stdout: '', stderr: /does not continue the last checkpoint/ }
    t.match(await audit(server, command), refusal, command)
  }
})

t.test('key, checkpoint and export work while a server runs, through its data folder or its URL', async (t) => {
  const folder = t.testdir({})
  const data = join(folder, 'data')
  const server = await serve(t, data)
  const asked = { GRAPHSTEAD_URL: server.url, GRAPHSTEAD_TOKEN: 'x' }
  t.match(await run(['audit', 'checkpoint'], asked), { code: 1, stderr: /token/ })
  const away = await run(['audit', 'key', 'http://127.0.0.1:1', '--timeout', '1s'], { GRAPHSTEAD_TOKEN: 'x' })
  t.match(away, { code: 3, stdout: '' })
  const token = await login(server.url)
  const env = { GRAPHSTEAD_URL: server.url, GRAPHSTEAD_TOKEN: token }
  const key = await run(['audit', 'key'], env)
  t.match(key, { code: 0, stdout: /^graphstead\.audit\/[0-9a-f]{16}\/1\+/ })
  const { code, stdout } = await run(['audit', 'checkpoint', server.url], { GRAPHSTEAD_TOKEN: token })
  t.equal(code, 0)
  const { size } = readHead(openNote(stdout, [readVerifier(key.stdout.trim())]).text)
  t.ok(size >= 1)
  t.equal((await run(['audit', 'key', '--data', data])).stdout, key.stdout)
  t.match(await run(['audit', 'key', server.url, '--data', data], env), { code: 2 })
  const tiles = join(folder, 'log')
  t.match(await run(['audit', 'export', '--tiles', tiles, '--data', data]), { code: 0 })
  t.ok((await readFolder(t, tiles)).head.size >= size)
  t.ok(existsSync(join(data, 'audit.head')))
  await server.stop()
  t.match(await run(['audit', 'checkpoint'], { ...env }), { code: 3 })
})
