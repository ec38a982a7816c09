import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { only } from '../support/engine.ts'
import { build, PASSWORD, problem, triangle } from '../support/helper.ts'
import { runProgram } from '../support/program.ts'

t.test('when the disk is nearly full, content is refused; deleting, signing in and recording still work', async (t) => {
  // More space than any disk has.
  const { as, tokenOf } = await build(t, { data: '.', minFree: '900000TiB' })
  await tokenOf('ada')
  t.match(await as('ada').post('/api/graphs', triangle), problem(507, 'storage-low'))
  t.match(await as('ada').put('/api/graphs', { ...triangle, id: 1 }), problem(507, 'storage-low'))
  t.match(await as('ada').post('/api/graphs/import?name=x', '{}'), problem(507, 'storage-low'))
  t.equal((await as('ada').delete('/api/graphs/1')).status, 200)
  t.equal((await as('ada').get('/api/graphs')).status, 200)
  const credentials = { username: 'ada', password: PASSWORD }
  t.equal((await as().post('/api/authenticate', credentials)).status, 200, 'a sign-in is still recorded')
  t.same((await as().get('/readyz')).body, { status: 'ok', warnings: ['storage-low'] })
  t.match((await as('root').get('/metrics')).text, /^graphstead_free_bytes \d+$/m)
})

t.test('nothing is refused while there is enough free space', async (t) => {
  const { as } = await build(t, { data: '.', minFree: '1' })
  t.equal((await as('ada').post('/api/graphs', triangle)).status, 201)
  t.same((await as().get('/readyz')).body, { status: 'ok' })
})

t.test('a failed start prints one sentence', only('SQLite', 'it tests files'), async (t) => {
  const folder = t.testdir({})
  const start = (data: string, under?: string) =>
    runProgram(['serve', '--port', '0', '--data', data], { GRAPHSTEAD_ADMIN_PASSWORD: PASSWORD }, '', under)
  // The coverage tool may print extra lines.
  const sentence = /^graphstead serve: [^\n]+\.\n(?!.*src\/)/
  writeFileSync(join(folder, 'file'), '')
  const isFile = await start(join(folder, 'file'))
  t.match(isFile, { code: 2, stderr: /^graphstead serve: --data: \S+ is a file, not a folder; see [^\n]+\n$/ })
  const refused = /^graphstead serve: The data folder \S+ cannot be written to: [^\n]+\n$/
  for (const [name, mode, under, stderr] of [
    ['read-only', 0o500, 'exec setpriv --bounding-set=-all "$@"', refused],
    ['closed', 0o000, 'exec setpriv --bounding-set=-all "$@"', refused],
    ['on a full disk', 0o700, 'ulimit -f 8; exec "$@"', sentence],
    ['not even for the key', 0o700, 'ulimit -f 0; exec "$@"', sentence]
  ] as const) {
    mkdirSync(join(folder, name), { mode })
    t.match(await start(join(folder, name), under), { code: 1, stderr }, name)
  }
})
