import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { PASSWORD } from '../support/helper.ts'
import { root, run, runProgram } from '../support/program.ts'

const sample = join(root, 'test/samples/les-miserables.gexf')

t.test('the extension of the file decides the export format', async (t) => {
  const folder = t.testdir({})
  const data = join(folder, 'data')
  await run(['user', 'add', 'ada', '--role', 'USER', '--password-stdin', '--data', data], {}, PASSWORD)
  await run(['import', sample, '--owner', 'ada', '--data', data])
  const give = (...args: string[]) => run(['export', ...args, '--data', data])
  const file = (name: string) => join(folder, name)

  t.match(await give('1', file('a.graphml')), {
    code: 0,
    stdout: '',
    stderr: /a\.graphml: graph 1, Les Miserables\.gexf, 77 nodes, 254 edges\n$/
  })
  t.match(readFileSync(file('a.graphml'), 'utf8'), /<graphml/)
  const back = await run(['import', file('a.graphml'), '--owner', 'ada', '--data', data])
  t.match(back, { code: 0, stdout: /graph 2, Les Miserables\.gexf, 77 nodes, 254 edges/ })
  const losses = /label-dropped: 77 \(labels that the format cannot store\)/
  t.match(await give('1', file('a.csv')), { code: 0, stderr: losses })
  t.match(await give('1', file('b.txt'), '--format', 'dot'), { code: 0 })
  t.match(readFileSync(file('b.txt'), 'utf8'), /^graph "Les Miserables\.gexf" \{/)
  t.match(await give('1', '-', '--format', 'gml'), { code: 0, stdout: /^Creator "Graphstead"[\s\S]*\]\n$/ })

  writeFileSync(file('mine.gml'), 'precious')
  t.match(await give('1', file('mine.gml')), { code: 1, stderr: /mine\.gml already exists; replace it with --force/ })
  t.equal(readFileSync(file('mine.gml'), 'utf8'), 'precious')
  t.match(await give('1', file('mine.gml'), '--force'), { code: 0 })
  t.match(readFileSync(file('mine.gml'), 'utf8'), /^Creator/)

  t.match(await give('9', file('c.gml')), { code: 1, stderr: /graph 9 not found/ })
  t.match(await give('1', file('none/c.gml')), { code: 1, stderr: /cannot be written: ENOENT/ })
  t.match(await give('1', file('c.xyz')), { code: 2, stderr: /--format must be one of/ })
  t.match(await give('1', file('c.gml'), '--format', 'visio'), { code: 2, stderr: /--format/ })
  t.match(await give('x', file('c.gml')), { code: 2, stderr: /specify the id of a graph/ })
  t.match(await give('1'), { code: 2, stderr: /name one file/ })
  t.match(await run(['export', '--help']), { code: 0, stdout: /export ID FILE/ })
  t.notOk(existsSync(file('c.gml')))
  t.notMatch(readdirSync(folder).join(), /\.part/, 'no partial file is left behind')
})

t.test('a reader that exits early, such as head, ends the export without an error', async (t) => {
  const folder = t.testdir({
    'long.csv': `source,target\n${Array.from({ length: 20_000 }, (_, i) => `a${i},b${i}`).join('\n')}`
  })
  const data = join(folder, 'data')
  await run(['user', 'add', 'ada', '--role', 'USER', '--password-stdin', '--data', data], {}, PASSWORD)
  await run(['import', join(folder, 'long.csv'), '--owner', 'ada', '--data', data])
  const args = ['export', '1', '-', '--format', 'gml', '--data', data]
  const outcome = await runProgram(args, {}, '', 'set -o pipefail; "$@" | head -n 1')
  t.same(outcome, { code: 0, stdout: 'Creator "Graphstead"\n', stderr: '' })
})
