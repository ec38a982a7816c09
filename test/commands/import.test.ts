import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
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
  const graphs = async () => {
    const store = await openDataStore(t, data)
    const rows = await store.read.selectFrom('graph').selectAll().orderBy('id').execute()
    const events = await store.read.selectFrom('auditEvent').selectAll().where('type', '=', 'GRAPH_CREATED').execute()
    await store.close()
    return { rows, events }
  }
  return { folder, data, graphs, files: Object.keys(files).map((name) => join(folder, name)) }
}

t.test('a file is imported for its owner', async (t) => {
  const { data, graphs } = await folderWithUser(t)
  const outcome = await run(['import', lesMiserables, '--owner', 'ada', '--data', data])
  t.match(outcome, {
    code: 0,
    stdout: /les-miserables\.jgf\.json: graph 1, les_miserables, 77 nodes, 254 edges\n$/,
    stderr: ''
  })
  const { rows, events } = await graphs()
  t.match(rows, [{ id: 1, name: 'les_miserables', owner: 'ada', shared: 0, nodeCount: 77, edgeCount: 254, version: 1 }])
  t.match(events, [{ principal: 'system', targetId: 1, request: null }])
})

t.test('an owner who is deleted while the files are read gets no graph', async (t) => {
  const { data, folder, graphs } = await folderWithUser(t)
  // The command starts reading when the test opens the pipe, and waits for its end.
  const pipe = join(folder, 'slow.json')
  execFileSync('mkfifo', [pipe])
  const outcome = run(['import', pipe, '--owner', 'ada', '--data', data])
  const writer = await open(pipe, 'w')
  const store = await openDataStore(t, data)
  await store.write((trx) => trx.deleteFrom('user').execute())
  await store.close()
  await writer.write('{"graph": {"nodes": {"a": {}}}}')
  await writer.close()
  const { code, stdout, stderr } = await outcome
  t.equal(code, 1)
  t.equal(stdout, '')
  t.equal(stderr, `${pipe}: not imported: there is no user ada any more\n`)
  t.same(await graphs(), { rows: [], events: [] })
})

t.test('faults are reported with line and column, and files without faults are imported', async (t) => {
  const { data, folder, graphs } = await folderWithUser(t, {
    'broken.json': '{"graph": {\n  "nodes": [,]\n}}',
    'wrong.jgf':
      '{"graph": {\n  "nodes": {"a": {}, "b": {"label": 5}},\n  "edges": [\n    {"source": "a", "target": "b"},\n    {"source": "a",\n     "target": "c"}\n  ]\n}}',
    'other.json': '{"vertices": []}',
    'several.json': '{"graphs": [{}, {}]}',
    'good.json': '{"graph": {"label": "Good", "type": "T", "nodes": {"a": {}}}}',
    'no-name.jgf.json': '\uFEFF{"graph": {"nodes": [{"id": "a"}]}}',
    'types.json': JSON.stringify({ graph: { type: 'x'.repeat(65) } }),
    'no-type.json': JSON.stringify({ graph: { type: '', label: 'x'.repeat(300) } }),
    'picture.png': 'x'
  })
  const names = [
    'broken.json',
    'wrong.jgf',
    'missing.json',
    'good.json',
    'other.json',
    'several.json',
    'picture.png',
    'no-name.jgf.json',
    'types.json',
    'no-type.json'
  ]
  const outcome = await run([
    'import',
    ...names.map((name) => join(folder, name)),
    '--owner',
    'ada',
    '--shared',
    '--data',
    data
  ])
  t.equal(outcome.code, 1)
  const said = outcome.stderr.replaceAll(`${folder}/`, '').split('\n')
  const expected = [
    /^broken\.json: not imported: 1 fault$/,
    /^ {2}line 2, column 13: is not JSON from here on$/,
    /^wrong\.jgf: not imported: 2 faults/,
    /^ {2}line 2, column 37: node "b": label must be string$/,
    /^ {2}line 6, column 16: edge 2, "a" to "c": target is not the id of a node$/,
    /^missing\.json: not imported: .*ENOENT/,
    /^other\.json: not imported: This is a JSON object, but no graph of a known kind: it has neither nodes nor edges\.?$/,
    /^several\.json: not imported: 1 fault$/,
    /^ {2}line 1, column 12: holds 2 graphs/,
    /^picture\.png: not imported: It begins with .* and looks like none of/,
    /^$/
  ]
  t.match(said, expected)
  t.equal(said.length, expected.length)
  t.match(outcome.stdout.split('\n'), [
    /good\.json: graph 1, Good, 1 nodes, 0 edges/,
    /no-name\.jgf\.json: graph 2, no-name, 1 nodes/,
    /types\.json: graph 3, types, 0 nodes/,
    /no-type\.json: graph 4, no-type, 0 nodes/,
    '4 of 10 files are imported; 6 are not',
    ''
  ])
  t.match((await graphs()).rows, [
    { name: 'Good', type: 'T', shared: 1 },
    { name: 'no-name', shared: 1 },
    { name: 'types', type: null },
    { name: 'no-type', type: null }
  ])
})

t.test('folders are imported, and other files in them are skipped', async (t) => {
  const { folder, data, graphs } = await folderWithUser(t, {
    'one.gml': 'graph [ node [ id 1 ] ]',
    'two.net': '*Vertices 2\n*Edges\n1 2',
    'bad.csv': 'Source,Target\na,',
    'notes.txt': 'not a graph',
    'latin.csv': 'Source,Target\na,b'
  })
  const outcome = await run(['import', folder, '--owner', 'ada', '--data', data])
  t.equal(outcome.code, 1)
  t.match(outcome.stderr, /bad\.csv: not imported: 1 fault\n {2}line 2, column 1: an edge has no target\n/)
  t.match(outcome.stderr, /\d+ other files? of no known format skipped\n$/)
  t.match(outcome.stdout, /\n3 of 4 files are imported; 1 is not\n$/)
  t.match((await graphs()).rows, [
    { name: 'latin', edgeCount: 1 },
    { name: 'one', nodeCount: 1 },
    { name: 'two', nodeCount: 2 }
  ])
})

t.test('a folder without graphs is reported', async (t) => {
  const { folder, data } = await folderWithUser(t, { 'notes.txt': 'not a graph' })
  const empty = join(folder, 'empty')
  mkdirSync(empty)
  t.same(await run(['import', empty, '--owner', 'ada', '--data', data]), {
    code: 1,
    stdout: '',
    stderr: `no files of a known format in ${empty}\n`
  })
})

t.test('standard input is imported, under a name that can be given', async (t) => {
  const { folder, data, graphs } = await folderWithUser(t, { 'a.csv': 'source,target\na,b', 'b.gml': 'graph []' })
  const give = (text: string, ...args: string[]) => run(['import', ...args, '--owner', 'ada', '--data', data], {}, text)
  t.same(await give('source,target\na,b\nb,c', '-'), {
    code: 0,
    stdout: '-: graph 1, standard input, 3 nodes, 2 edges\n',
    stderr: ''
  })
  t.match(await give('*Vertices 2\n*Edges\n1 2', '-', '--format', 'pajek', '--name', 'two'), { code: 0 })
  t.match(await give('', join(folder, 'a.csv'), '--name', 'a better one', '--description', 'About it.'), {
    code: 0
  })
  t.same(await give('', '-'), { code: 1, stdout: '', stderr: '-: not imported: It is empty.\n' })
  t.match(await give('x'.repeat(2000), '-', '--body-limit', '1024'), {
    code: 1,
    stderr: /^-: not imported: it has more than the 1024 bytes that are allowed\n$/
  })
  t.match(await give('', join(folder, 'a.csv'), join(folder, 'b.gml'), '--name', 'x'), {
    code: 2,
    stderr: /--name is for one file/
  })
  t.match(await give('', join(folder, 'a.csv'), join(folder, 'b.gml'), '--description', 'x'), {
    code: 2,
    stderr: /--description is for one file/
  })
  t.same(
    (await graphs()).rows.map(({ name, nodeCount }) => [name, nodeCount]),
    [
      ['standard input', 3],
      ['two', 2],
      ['a better one', 2]
    ]
  )
})

t.test('packed files are imported, alone and in folders', async (t) => {
  const { folder, data, graphs } = await folderWithUser(t)
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
  const outcome = await run(['import', inside, '--owner', 'ada', '--data', data])
  t.equal(outcome.code, 1)
  t.match(outcome.stderr, 'workbook.csv: not imported: This is an Excel workbook; save the sheet as CSV.\n')
  t.match(outcome.stderr, 'zero.zip: not imported: This zip archive has 2 graphs: "a.csv", "')
  t.notMatch(outcome.stderr, '\u009b')
  t.match((await graphs()).rows, [
    { name: 'one', edgeCount: 1 },
    { name: 'net', nodeCount: 1 },
    { name: 'two', edgeCount: 1 }
  ])
})

t.test('a dry run stores nothing, and formats and encodings can be given', async (t) => {
  const { folder, data, graphs } = await folderWithUser(t, {
    'odd.txt': 'graph { a -- b }',
    'polish.csv': Buffer.from([
      0x53, 0x6f, 0x75, 0x72, 0x63, 0x65, 0x2c, 0x54, 0x61, 0x72, 0x67, 0x65, 0x74, 0x0a, 0xb3, 0x2c, 0x62
    ])
  } as unknown as Record<string, string>)
  const odd = join(folder, 'odd.txt')
  t.match(await run(['import', odd, '--owner', 'ada', '--data', data, '--dry-run']), {
    code: 0,
    stdout: /odd\.txt: DOT, 2 nodes, 1 edges\n$/
  })
  t.same((await graphs()).rows, [])
  t.match(await run(['import', odd, '--owner', 'ada', '--data', data, '--format', 'gml']), {
    code: 1,
    stderr: /line 1, column 7: is not GML from here on/
  })
  const polish = join(folder, 'polish.csv')
  t.match(await run(['import', polish, '--owner', 'ada', '--data', data, '--charset', 'iso-8859-2']), { code: 0 })
  t.match(await run(['import', polish, '--owner', 'ada', '--data', data]), { code: 0, stdout: /encoding-guessed: 1/ })
  t.match(await run(['import', polish, '--owner', 'ada', '--data', data, '--body-limit', '1024']), { code: 0 })
})

t.test('the version and the name of a file cannot drive the terminal', async (t) => {
  const { folder, data } = await folderWithUser(t, {
    'a\u001b]0;x\u0007.gml': `Version "&#27;]0;x&#7;${'9'.repeat(100)}"\ngraph [ node [ id 1 ] ]`,
    'b\u001b[2J.csv': 'Source,Target\na,'
  })
  const { code, stdout, stderr } = await run(['import', folder, '--owner', 'ada', '--data', data, '--dry-run'])
  t.equal(code, 1)
  t.match(stdout, /a\\u\{1b\}\]0;x\\u\{7\}\.gml: GML \S{1,80}, 1 nodes, 0 edges\n/)
  t.match(stderr, 'b\\u{1b}[2J.csv: not imported')
  t.notMatch(stdout + stderr, /[\u0007\u001b]/)
})

t.test('the columns with the ends of edges are told, and can be chosen', async (t) => {
  const { data, files } = await folderWithUser(t, { 'people.csv': 'name,age,city\nann,34,rome' })
  const [file = ''] = files
  const dryRun = ['import', file, '--owner', 'ada', '--data', data, '--dry-run']
  t.match(await run(dryRun), {
    code: 1,
    stderr: /line 1, column 1: has the columns "name", "age", "city", and neither/
  })
  t.match(await run([...dryRun, '--source-column', 'name', '--target-column', '3']), {
    code: 0,
    stdout: /people\.csv: CSV, 2 nodes, 1 edges, edges from "name" to "city"\n$/
  })
  t.match(await run([...dryRun, '--id-column', 'name']), { code: 0, stdout: /people\.csv: CSV, 1 nodes, 0 edges\n$/ })
  t.match(await run([...dryRun, '--source-column', 'name']), { code: 2, stderr: /belong together/ })
})

t.test('missing arguments are reported', async (t) => {
  const { data } = await folderWithUser(t)
  const cases: [string[], RegExp][] = [
    [['import', '--owner', 'ada', '--data', data], /name a file/],
    [['import', lesMiserables, '--data', data], /--owner is missing/],
    [['import', lesMiserables, '--owner', 'eve', '--data', data], /there is no user eve/],
    [['import', lesMiserables, '--owner', 'ada', '--format', 'x', '--data', data], /--format/]
  ]
  for (const [args, stderr] of cases) t.match(await run(args), { code: 2, stderr, stdout: '' })
  const elsewhere = ['import', lesMiserables, '--owner', 'ada', '--data', `${data}x`]
  t.match(await run(elsewhere, { GRAPHSTEAD_DATABASE_URL: '' }), { code: 2, stderr: /there is no Graphstead database/ })
})

t.test('limits hold for files too', async (t) => {
  const { data, graphs } = await folderWithUser(t)
  const outcome = await run(['import', lesMiserables, '--owner', 'ada', '--data', data, '--max-nodes', '76'])
  t.match(outcome, { code: 1, stderr: /line \d+, column \d+: has more than 76 nodes/ })
  t.same((await graphs()).rows, [])
})

t.test('a terminal shows a progress line', async (t) => {
  const { data } = await folderWithUser(t)
  // script(1) provides a terminal.
  const command = `${programLine.join(' ')} import ${lesMiserables} ${lesMiserables} --owner ada --data ${data}`
  const env = { ...process.env, ...(await environmentOf(t, data)) }
  const child = spawn('script', ['-qec', command, '/dev/null'], { stdio: ['ignore', 'pipe', 'pipe'], env })
  let shown = ''
  child.stdout.on('data', (chunk) => {
    shown += chunk
  })
  const code = await new Promise((resolve) => child.on('close', resolve))
  t.equal(code, 0)
  t.match(shown, /importing \[#{12}\.{12}\] 1\/2 /)
  t.match(shown, /graph 2, les_miserables, 77 nodes, 254 edges/)
})
