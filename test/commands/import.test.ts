import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import t, { type Test } from 'tap'
import { environmentOf, openDataStore } from '../support/engine.ts'
import { PASSWORD } from '../support/helper.ts'
import { programLine, root, run } from '../support/program.ts'
import { zip } from '../support/zip.ts'

const lesMiserables = join(root, 'docs/examples/les-miserables.jgf.json')

async function folderWithUser(t: Test, files: Record<string, string> = {}) {
  const folder = t.testdir(files)
  const data = join(folder, 'data')
  await run(['user', 'add', 'ada', '--role', 'ADMIN', '--password-stdin', '--data', data], {}, PASSWORD)
  const importing = (...args: string[]) => run(['import', ...args, '--owner', 'ada', '--data', data])
  const graphs = async () => {
    const store = await openDataStore(t, data)
    const rows = await store.read.selectFrom('graph').selectAll().orderBy('id').execute()
    const events = await store.read.selectFrom('auditEvent').selectAll().where('type', '=', 'GRAPH_CREATED').execute()
    await store.close()
    return { rows, events }
  }
  return { folder, data, importing, graphs, files: Object.keys(files).map((name) => join(folder, name)) }
}

t.test('a file is imported for its owner', async (t) => {
  const { importing, graphs } = await folderWithUser(t)
  const stdout = /les-miserables\.jgf\.json: graph 1, les_miserables, 77 nodes, 254 edges\n$/
  t.match(await importing(lesMiserables), { code: 0, stdout, stderr: '' })
  const { rows, events } = await graphs()
  t.match(rows, [{ id: 1, name: 'les_miserables', owner: 'ada', shared: 0, nodeCount: 77, edgeCount: 254, version: 1 }])
  t.match(events, [{ principal: 'system', targetId: 1, request: null }])
})

t.test('an owner who is deleted while the files are read gets no graph', async (t) => {
  const { data, folder, importing, graphs } = await folderWithUser(t)
  // The command reads from the pipe, and waits until the test closes it.
  const pipe = join(folder, 'slow.json')
  execFileSync('mkfifo', [pipe])
  const outcome = importing(pipe)
  const writer = await open(pipe, 'w')
  const store = await openDataStore(t, data)
  await store.write((trx) => trx.deleteFrom('user').execute())
  await store.close()
  await writer.write('{"graph": {"nodes": {"a": {}}}}')
  await writer.close()
  const stderr = `${pipe}: not imported: the user ada no longer exists\n`
  t.same(await outcome, { code: 1, stdout: '', stderr })
  t.same(await graphs(), { rows: [], events: [] })
})

t.test('faults are reported with line and column, and the other files are imported', async (t) => {
  const { folder, files, importing, graphs } = await folderWithUser(t, {
    'broken.json': '{"graph": {\n  "nodes": [,]\n}}',
    'wrong.jgf':
      '{"graph": {\n  "nodes": {"a": {}, "b": {"label": 5}},\n  "edges": [\n    {"source": "a", "target": "b"},\n    {"source": "a",\n     "target": "c"}\n  ]\n}}',
    'good.json': '{"graph": {"label": "Good", "type": "T", "nodes": {"a": {}}}}',
    'other.json': '{"vertices": []}',
    'several.json': '{"graphs": [{}, {}]}',
    'picture.png': 'x',
    'no-name.jgf.json': '\uFEFF{"graph": {"nodes": [{"id": "a"}]}}',
    'types.json': JSON.stringify({ graph: { type: 'x'.repeat(65) } }),
    'no-type.json': JSON.stringify({ graph: { type: '', label: 'x'.repeat(300) } })
  })
  const outcome = await importing(...files.toSpliced(2, 0, join(folder, 'missing.json')), '--shared')
  t.equal(outcome.code, 1)
  const said = outcome.stderr.replaceAll(`${folder}/`, '').split('\n')
  const expected = [
    /^broken\.json: not imported: 1 fault$/,
    /^ {2}line 2, column 13: is not valid JSON$/,
    /^wrong\.jgf: not imported: 2 faults/,
    /^ {2}line 2, column 37: node "b": label must be a string$/,
    /^ {2}line 6, column 16: edge 2, "a" to "c": target is not the id of a node$/,
    /^missing\.json: not imported: .*ENOENT/,
    /^other\.json: not imported: This is a JSON object, but not a supported graph format: it has neither nodes nor edges\.?$/,
    /^several\.json: not imported: 1 fault$/,
    /^ {2}line 1, column 12: contains 2 graphs/,
    /^picture\.png: not imported: The file begins with .* and matches none of these formats: /,
    /^$/
  ]
  t.match(said, expected)
  t.match(outcome.stdout.split('\n'), [
    /good\.json: graph 1, Good, 1 node, 0 edges/,
    /no-name\.jgf\.json: graph 2, no-name, 1 node/,
    /types\.json: graph 3, types, 0 nodes/,
    /no-type\.json: graph 4, no-type, 0 nodes/,
    'Imported 4 of 10 files; 6 failed',
    ''
  ])
  t.match((await graphs()).rows, [
    { name: 'Good', type: 'T', shared: 1 },
    { name: 'no-name', shared: 1 },
    { name: 'types', type: null },
    { name: 'no-type', type: null }
  ])
})

t.test('folders are imported, and other kinds of files in them are skipped', async (t) => {
  const { folder, importing, graphs } = await folderWithUser(t, {
    'one.gml': 'graph [ node [ id 1 ] ]',
    'two.net': '*Vertices 2\n*Edges\n1 2',
    'bad.csv': 'Source,Target\na,',
    'notes.txt': 'not a graph',
    'latin.csv': 'Source,Target\na,b'
  })
  const outcome = await importing(folder)
  t.equal(outcome.code, 1)
  t.match(outcome.stderr, /bad\.csv: not imported: 1 fault\n {2}line 2, column 1: an edge has no target\n/)
  t.match(outcome.stderr, /\d+ other files? of unknown format skipped\n$/)
  t.match(outcome.stdout, /\nImported 3 of 4 files; 1 failed\n$/)
  t.match((await graphs()).rows, [
    { name: 'latin', edgeCount: 1 },
    { name: 'one', nodeCount: 1 },
    { name: 'two', nodeCount: 2 }
  ])
})

t.test('symbolic links in a folder are reported and not followed', async (t) => {
  const { folder, importing, graphs } = await folderWithUser(t, { 'out.gml': 'graph [ node [ id 1 ] ]' })
  const inside = join(folder, 'inside')
  mkdirSync(inside)
  writeFileSync(join(inside, 'two.net'), '*Vertices 2\n*Edges\n1 2')
  for (const [target, name] of [
    ['..', 'up'],
    ['.', 'circle'],
    ['../out.gml', 'out.gml'],
    ['two.net', 'same.net']
  ] as const)
    symlinkSync(target, join(inside, name))
  const stdout = /two\.net: graph 1, [^\n]+\n$/
  t.match(await importing(inside), { code: 0, stdout, stderr: '4 symbolic links skipped\n' })
  t.equal((await graphs()).rows.length, 1)
  symlinkSync('inside', join(folder, 'named'))
  t.match(await importing(join(folder, 'named')), { code: 0 }, 'a symbolic link given as an argument is followed')
})

t.test('a folder without graphs is reported', async (t) => {
  const { folder, importing } = await folderWithUser(t, { 'notes.txt': 'not a graph' })
  const empty = join(folder, 'empty')
  mkdirSync(empty)
  t.same(await importing(empty), { code: 1, stdout: '', stderr: `found no files in a known format in ${empty}\n` })
})

t.test('standard input is imported, and can be given a name', async (t) => {
  const { data, files, graphs } = await folderWithUser(t, { 'a.csv': 'source,target\na,b', 'b.gml': 'graph []' })
  const [csv = ''] = files
  const give = (text: string, ...args: string[]) => run(['import', ...args, '--owner', 'ada', '--data', data], {}, text)
  const stdout = '-: graph 1, standard input, 3 nodes, 2 edges\n'
  t.same(await give('source,target\na,b\nb,c', '-'), { code: 0, stdout, stderr: '' })
  t.match(await give('*Vertices 2\n*Edges\n1 2', '-', '--format', 'pajek', '--name', 'two'), { code: 0 })
  t.match(await give('', csv, '--name', 'a better one', '--description', 'About it.'), { code: 0 })
  t.same(await give('', '-'), { code: 1, stdout: '', stderr: '-: not imported: The file is empty.\n' })
  const tooLarge = /^-: not imported: it exceeds the limit of 1024 bytes\n$/
  t.match(await give('x'.repeat(2000), '-', '--body-limit', '1024'), { code: 1, stderr: tooLarge })
  for (const flag of ['--name', '--description']) {
    t.match(await give('', ...files, flag, 'x'), { code: 2, stderr: `${flag} requires a single file` })
  }
  const imported = (await graphs()).rows.map(({ name, nodeCount }) => [name, nodeCount])
  t.same(imported, [
    ['standard input', 3],
    ['two', 2],
    ['a better one', 2]
  ])
})

t.test('compressed files are imported, individually and in folders', async (t) => {
  const { folder, importing, graphs } = await folderWithUser(t)
  const inside = join(folder, 'files')
  mkdirSync(inside)
  const csv = 'Source,Target\na,b\n'
  writeFileSync(join(inside, 'one.csv.gz'), gzipSync(csv))
  writeFileSync(join(inside, 'three.zip'), zip([{ name: 'net.gml', content: 'graph [ node [ id 1 ] ]' }]))
  writeFileSync(join(inside, 'two.tsv.zst'), zstdCompressSync('Source\tTarget\na\tb\n'))
  const book = zip([
    { name: '[Content_Types].xml', content: '' },
    { name: 'xl/\u001b]0;x', content: '' }
  ])
  writeFileSync(join(inside, 'workbook.csv'), book)
  writeFileSync(join(inside, 'zero.zip'), zip(['a.csv', '\u009bb.csv'].map((name) => ({ name, content: csv }))))
  const outcome = await importing(inside)
  t.equal(outcome.code, 1)
  t.match(outcome.stderr, 'workbook.csv: not imported: This is a binary Excel workbook (.xlsb). Save it as .xlsx.\n')
  t.match(outcome.stderr, 'zero.zip: not imported: This zip archive has 2 graphs: "a.csv", "')
  t.notMatch(outcome.stderr, '\u009b')
  t.match((await graphs()).rows, [
    { name: 'one', edgeCount: 1 },
    { name: 'net', nodeCount: 1 },
    { name: 'two', edgeCount: 1 }
  ])
})

t.test('--lenient leaves out elements with faults and names them', async (t) => {
  const { files, importing, graphs } = await folderWithUser(t, { 'some.csv': 'Source,Target\na,b\na,\n' })
  const { code, stdout } = await importing(...files, '--lenient')
  t.equal(code, 0)
  const leftOut = 'skipped because of 1 fault\n  line 3, column 1: an edge has no target'
  t.equal(stdout.slice(stdout.indexOf(': ')), `: graph 1, some, 2 nodes, 1 edge, faulty-dropped: 1; ${leftOut}\n`)
  t.equal((await graphs()).rows.length, 1)
})

t.test('a dry run stores nothing, and format and encoding can be given', async (t) => {
  const { folder, files, importing, graphs } = await folderWithUser(t, { 'odd.txt': 'graph { a -- b }' })
  const [odd = ''] = files
  t.match(await importing(odd, '--dry-run'), { code: 0, stdout: /odd\.txt: DOT, 2 nodes, 1 edge\n$/ })
  t.same((await graphs()).rows, [])
  const changed = /odd\.txt: DOT, 2 nodes, 1 edge, direction-changed: 1\n$/
  t.match(await importing(odd, '--dry-run', '--directed', 'true'), { code: 0, stdout: changed })
  const notGml = /line 1, column 7: is not valid GML/
  t.match(await importing(odd, '--format', 'gml'), { code: 1, stderr: notGml })
  const polish = join(folder, 'polish.csv')
  writeFileSync(polish, Buffer.from('Source,Target\n\xb3,b', 'latin1'))
  t.match(await importing(polish, '--charset', 'iso-8859-2'), { code: 0 })
  t.match(await importing(polish), { code: 0, stdout: /encoding-guessed: 1/ })
  t.match(await importing(polish, '--body-limit', '1024'), { code: 0 })
})

t.test('the version and name in a file cannot control the terminal', async (t) => {
  const { folder, importing } = await folderWithUser(t, {
    'a\u001b]0;x\u0007.gml': `Version "&#27;]0;x&#7;${'9'.repeat(100)}"\ngraph [ node [ id 1 ] ]`,
    'b\u001b[2J.csv': 'Source,Target\na,'
  })
  const { code, stdout, stderr } = await importing(folder, '--dry-run')
  t.equal(code, 1)
  t.match(stdout, /a\\u\{1b\}\]0;x\\u\{7\}\.gml: GML \S{1,80}, 1 node, 0 edges\n/)
  t.match(stderr, 'b\\u{1b}[2J.csv: not imported')
  t.notMatch(stdout + stderr, /[\u0007\u001b]/)
})

t.test('the columns with the ends of edges are reported and can be chosen', async (t) => {
  const { files, importing } = await folderWithUser(t, { 'people.csv': 'name,age,city\nann,34,rome' })
  const dryRun = (...args: string[]) => importing(...files, '--dry-run', ...args)
  const neither = /line 1, column 1: starts a table with the columns "name", "age", "city"\. It is unclear/
  t.match(await dryRun(), { code: 1, stderr: neither })
  const chosen = /people\.csv: CSV, 2 nodes, 1 edge, edges from "name" to "city"\n$/
  t.match(await dryRun('--source-column', 'name', '--target-column', '3'), { code: 0, stdout: chosen })
  t.match(await dryRun('--id-column', 'name'), { code: 0, stdout: /people\.csv: CSV, 1 node, 0 edges\n$/ })
  t.match(await dryRun('--source-column', 'name'), { code: 2, stderr: /must be used together/ })
})

t.test('missing arguments are reported', async (t) => {
  const { data } = await folderWithUser(t)
  const cases: [string[], RegExp][] = [
    [['import', '--owner', 'ada', '--data', data], /specify at least one file/],
    [['import', lesMiserables, '--data', data], /--owner is missing/],
    [['import', lesMiserables, '--owner', 'eve', '--data', data], /user eve not found/],
    [['import', lesMiserables, '--owner', 'ada', '--format', 'x', '--data', data], /--format/]
  ]
  for (const [args, stderr] of cases) t.match(await run(args), { code: 2, stderr, stdout: '' })
  const elsewhere = ['import', lesMiserables, '--owner', 'ada', '--data', `${data}x`]
  t.match(await run(elsewhere, { GRAPHSTEAD_DATABASE_URL: '' }), { code: 2, stderr: /there is no Graphstead database/ })
})

t.test('limits apply to files too', async (t) => {
  const { importing, graphs } = await folderWithUser(t)
  t.match(await importing(lesMiserables, '--max-nodes', '76'), {
    code: 1,
    stderr: /line \d+, column \d+: has more than 76 nodes/
  })
  t.same((await graphs()).rows, [])
})

t.test('a terminal shows a progress line', async (t) => {
  const { data } = await folderWithUser(t)
  // script(1) provides a terminal.
  const command = `${programLine.join(' ')} import ${lesMiserables} ${lesMiserables} --owner ada --data ${data}`
  const env = { ...process.env, ...(await environmentOf(t, data)) }
  const child = spawn('script', ['-qec', command, '/dev/null'], { stdio: ['ignore', 'pipe', 'pipe'], env })
  const [shown, code] = await Promise.all([text(child.stdout), new Promise((resolve) => child.on('close', resolve))])
  t.equal(code, 0)
  t.match(shown, /importing \[#{12}\.{12}\] 1\/2 /)
  t.match(shown, /graph 2, les_miserables, 77 nodes, 254 edges/)
})
