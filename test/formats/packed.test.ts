import { gzipSync, zstdCompressSync } from 'node:zlib'
import t from 'tap'
import { read } from '../support/formats.ts'
import { build, events, problem } from '../support/helper.ts'
import { zip } from '../support/zip.ts'

const csv = 'Source,Target,Weight\na,b,1\nb,c,2\n'
const gml = 'graph [ node [ id 1 ] node [ id 2 ] edge [ source 1 target 2 ] ]'
const counts = { nodeCount: 3, edgeCount: 2, valid: true }

/** Compresses text as gzip with a file name, as the gzip program does. */
function gzipNamed(name: string, text: string) {
  const bytes = gzipSync(text)
  bytes[3] = 8
  return Buffer.concat([bytes.subarray(0, 10), Buffer.from(`${name}\0`, 'latin1'), bytes.subarray(10)])
}

/** Reads a file that is refused. Returns the error. */
async function refusal(bytes: Buffer, format?: string) {
  return read(format, bytes).then(
    () => ({ code: 'none', message: undefined }),
    ({ code, message, circumstances }) => ({ code, message: circumstances.errors?.[0].detail ?? message })
  )
}

t.test('a gzip or zstd file is recognised by its first bytes', async (t) => {
  for (const bytes of [gzipSync(csv), zstdCompressSync(csv)]) {
    for (const format of [undefined, 'csv']) t.match(await read(format, bytes), { format: 'csv', ...counts })
  }
  // Both formats allow concatenated parts.
  const [first, second] = [csv.slice(0, 30), csv.slice(30)]
  t.match(await read(undefined, Buffer.concat([gzipSync(first), gzipSync(second)])), counts)
  t.match(await read(undefined, Buffer.concat([zstdCompressSync(first), zstdCompressSync(second)])), counts)
  const skipped = Buffer.from('502a4d180400000001020304', 'hex')
  t.match(await read(undefined, Buffer.concat([skipped, zstdCompressSync(csv)])), counts)
  t.match(await read(undefined, gzipSync('')).catch(({ code }) => ({ code })), { code: 'format-unknown' })
})

t.test('the name of a packed file determines the format and the name of the graph', async (t) => {
  t.match(await read(undefined, gzipNamed('my net.csv', csv)), { format: 'csv', name: 'my net' })
  t.match(await read(undefined, gzipNamed('dir/x.tsv', 'a\tb\n')), { format: 'tsv', name: 'x' })
  t.match(await read(undefined, zip([{ name: 'data/köln.csv', content: csv }])), { format: 'csv', name: 'köln' })
  t.equal((await read('csv', gzipNamed('x.gml', csv))).format, 'csv', 'a requested format takes precedence')
  const named = zip([{ name: 'x.jgf.json', content: '{"graph": {"id": "Net", "nodes": {}}}' }])
  t.equal((await read(undefined, named)).name, 'Net', 'a name in the file takes precedence')
})

t.test('a zip archive with one graph is read', async (t) => {
  const graph = { name: 'net/karate.gml', content: gml }
  const system = [
    { name: 'net/', content: '', method: 0 },
    { name: '__MACOSX/net/._karate.gml', content: 'x' },
    { name: 'net/.DS_Store', content: 'x' }
  ]
  for (const archive of [
    zip([graph]),
    zip([{ ...graph, method: 0 }]),
    zip([{ ...graph, method: 93, packed: zstdCompressSync(gml) }]),
    zip([{ ...graph, isLarge: true }]),
    zip([graph], { comment: 'made by hand' }),
    zip([...system, graph])
  ]) {
    const file = await read(undefined, archive)
    t.match(file, { format: 'gml', name: 'karate', nodeCount: 2, edgeCount: 1, valid: true })
    t.same(file.losses, {})
  }
  const described = await read(undefined, zip([{ name: 'readme.txt', content: 'a, b' }, graph]))
  t.match(described, { format: 'gml', nodeCount: 2 })
  t.same(described.losses, { 'files-skipped': 1 })
  t.match(await read(undefined, zip([{ name: 'data.txt', content: csv }])), { format: 'csv', ...counts })
})

t.test('an archive without exactly one graph is refused, with a list of its files', async (t) => {
  const [a, b] = [
    { name: 'nodes.csv', content: csv },
    { name: 'edges.csv', content: csv }
  ]
  t.same(await refusal(zip([a, b])), {
    code: 'format-unknown',
    message:
      'This zip archive has 2 graphs: "nodes.csv", "edges.csv". Pack a single graph, or tables of nodes and tables of edges.'
  })
  const texts = Array.from({ length: 12 }, (_, index) => ({ name: `${index}.txt`, content: 'x' }))
  t.match(await refusal(zip(texts)), {
    code: 'format-unknown',
    message:
      /^This zip archive has 12 files, but none with the extension of a supported format: "0.txt", .*"9.txt", and 2 more\./
  })
  t.same(await refusal(zip([])), { code: 'format-unknown', message: 'This zip archive is empty.' })
  t.same(await refusal(zip([{ ...a, flags: 1 }])), {
    code: 'format-unknown',
    message: '"nodes.csv" in the zip archive is encrypted. Send it unencrypted.'
  })
  t.match(await refusal(zip([{ ...a, method: 14 }])), {
    code: 'format-unknown',
    message: /uses compression method 14\./
  })
})

const nodes = 'id,name,height\n1,Ann,1.7\n2,Bob,1.8\n3,Cyd,\n'
const edges = 'from,to,kind,id\n1,2,knows,x\n2,4,likes,y\n'
const pair = [
  { name: 'team/nodes.csv', content: nodes },
  { name: 'team/edges.csv', content: edges }
]

t.test('a node table and an edge table in an archive are read as one graph, in any order', async (t) => {
  for (const entries of [pair, pair.toReversed(), [...pair, { name: 'readme.txt', content: 'x' }]]) {
    const { content, losses, table, format } = await read(undefined, zip(entries))
    t.equal(format, 'csv')
    t.same(content, {
      directed: true,
      nodes: [
        { id: '1', label: 'Ann', metadata: { height: 1.7 } },
        { id: '2', label: 'Bob', metadata: { height: 1.8 } },
        { id: '3', label: 'Cyd' },
        { id: '4' }
      ],
      edges: [
        { id: 'x', source: '1', target: '2', metadata: { kind: 'knows' } },
        { id: 'y', source: '2', target: '4', metadata: { kind: 'likes' } }
      ]
    })
    t.same(losses, { 'node-not-in-table': 1, ...(entries.length > 2 && { 'files-skipped': 1 }) })
    t.same(table, {
      kind: 'edges',
      columns: ['from', 'to', 'kind', 'id'],
      sourceColumn: 'from',
      targetColumn: 'to',
      idColumn: 'id',
      basis: 'names'
    })
  }
  const tabbed = zip([
    { name: 'n.tsv', content: 'Id\tLabel\na\tA\n' },
    { name: 'e.csv', content: 'Source;Target\na;a\n' }
  ])
  const { losses, ...other } = await read(undefined, tabbed)
  t.same(losses, {})
  t.match(other, { nodeCount: 1, edgeCount: 1, valid: true })
  t.match(await read('csv', zip(pair)), { nodeCount: 4, edgeCount: 2, valid: true })
})

t.test('tables for Neo4j in an archive become one graph, and equal ids in two spaces stay distinct', async (t) => {
  const tables = [
    ['persons.csv', 'personId:ID(P),name,:LABEL\n1,A,Person\n2,B,Person\n'],
    ['movies.csv', 'movieId:ID(M),title,:LABEL\n1,T,Movie\n'],
    ['acted.csv', ':START_ID(P),:END_ID(M),:TYPE\n1,1,ACTED_IN\n'],
    ['knows.csv', ':START_ID(P),:END_ID(P),:TYPE\n1,2,KNOWS\n']
  ] as const
  const archive = (some: readonly (readonly [string, string])[]) =>
    zip(some.map(([name, content]) => ({ name, content })))
  const { content, losses } = await read(undefined, archive(tables))
  t.same(content?.nodes, [
    { id: 'P:1', label: 'A', metadata: { labels: 'Person' } },
    { id: 'P:2', label: 'B', metadata: { labels: 'Person' } },
    { id: 'M:1', metadata: { title: 'T', labels: 'Movie' } }
  ])
  t.same(content?.edges, [
    { source: 'P:1', target: 'M:1', relation: 'ACTED_IN' },
    { source: 'P:1', target: 'P:2', relation: 'KNOWS' }
  ])
  t.same(losses, { 'id-replaced': 7 })
  const [persons, , , knows] = tables
  const { content: plain } = await read(undefined, archive([persons, knows, ['more.csv', 'x:ID(Q)\n9\n']]))
  t.same(
    plain?.nodes.map(({ id }) => id),
    ['1', '2', '9']
  )
  t.equal((await refusal(archive([...tables, ['other.csv', 'name,age\nann,3\n']]))).code, 'format-unknown')
})

t.test('several tables of nodes and of edges in an archive become one graph', async (t) => {
  const entries = [
    { name: 'works.csv', content: 'Source,Target,since\nann,acme,2001\n' },
    { name: 'people.csv', content: 'id,label,age\nann,Ann,34\nbob,Bob,27\n' },
    { name: 'firms.csv', content: 'firm,id\nACME,acme\n' },
    { name: 'knows.csv', content: 'from,to\nann,bob\n' }
  ]
  const { content, losses } = await read(undefined, zip(entries))
  t.same(content, {
    directed: true,
    nodes: [
      { id: 'ann', label: 'Ann', metadata: { age: 34 } },
      { id: 'bob', label: 'Bob', metadata: { age: 27 } },
      { id: 'acme', metadata: { firm: 'ACME' } }
    ],
    edges: [
      { source: 'ann', target: 'acme', metadata: { since: 2001 } },
      { source: 'ann', target: 'bob' }
    ]
  })
  t.same(losses, {})
  const again = zip([...entries, { name: 'more.csv', content: 'id\nann\n' }])
  const { faults } = await read(undefined, again)
  t.match(faults, [{ code: 'duplicate', file: 'more.csv', line: 2 }], 'a node is listed only once')
})

t.test('in an archive, two columns that contain only ids of the nodes are the endpoints of edges', async (t) => {
  const people = { name: 'people.csv', content: 'id,born\nann,1950\nbob,1960\ncyd,1970\n' }
  const cites = { name: 'cites.csv', content: 'from,to\nann,bob\n' }
  const advises = (content: string) => ({ name: 'advises.csv', content })
  const edgesOf = async (...tables: { name: string; content: string }[]) => {
    const { content, losses } = await read(undefined, zip(tables))
    return [content?.edges.map(({ source, target, metadata }) => [source, target, metadata]), losses]
  }
  const cyd = ['ann', 'cyd', { weight: 2 }]
  const guessed = { 'header-guessed': 1 }
  t.same(await edgesOf(advises('advisor,student,weight\nann,cyd,2\n'), people), [[cyd], guessed])
  t.same(await edgesOf(people, cites, advises('weight,advisor,student\n2,ann,cyd\n')), [
    [['ann', 'bob', undefined], cyd],
    guessed
  ])
  t.same(await edgesOf(people, advises('ann,cyd,2\nann,bob,3\n')), [[cyd, ['ann', 'bob', { weight: 3 }]], guessed])
  for (const content of [
    'advisor,student\nann,dan\n',
    'since,advisor,student,by\n1,ann,cyd,bob\n',
    'advisor,student\n'
  ]) {
    t.match(await refusal(zip([people, advises(content)])), { code: 'format-unknown' }, content)
  }
})

t.test('in an archive, a table with ids is one of edges if it joins ids of other tables', async (t) => {
  const tables = {
    people: 'id,born\nann,1950\nbob,1960\n',
    firms: 'id,city\nacme,Rome\nuno,Oslo\n',
    jobs: 'id,person,company\nj1,ann,acme\nj2,bob,uno\n',
    knows: 'from,to\nann,bob\n'
  }
  const readAll = async (changed: Partial<typeof tables>) => {
    const entries = Object.entries({ ...tables, ...changed }).map(([name, content]) => ({
      name: `${name}.csv`,
      content
    }))
    const { content, losses } = await read(undefined, zip(entries))
    const ids = content?.nodes.map(({ id }) => id)
    return { ids, edges: content?.edges.map(({ id, source, target }) => [id, source, target]), losses }
  }
  const known = [undefined, 'ann', 'bob']
  t.same(await readAll({}), {
    ids: ['ann', 'bob', 'acme', 'uno'],
    edges: [['j1', 'ann', 'acme'], ['j2', 'bob', 'uno'], known],
    losses: { 'header-guessed': 1 }
  })
  const asNodes = { ids: ['ann', 'bob', 'acme', 'uno', 'j1', 'j2'], losses: {} }
  t.same(await readAll({ knows: 'from,to\nj1,j2\n' }), { ...asNodes, edges: [[undefined, 'j1', 'j2']] })
  t.same(
    await readAll({ jobs: 'id,name,person,company\nj1,Smith,ann,acme\nj2,Cook,bob,uno\n' }),
    { ...asNodes, edges: [known], losses: { 'header-guessed': 1 } },
    'a table with names lists nodes'
  )
  const self = 'id,before,after\nj1,j1,j2\nj2,j1,j2\n'
  t.same(await readAll({ jobs: self }), { ...asNodes, edges: [known] }, 'the ids are those of the same table')
  const numbered = {
    people: 'id\n1\n2\n',
    firms: 'id\n3\n4\n',
    jobs: 'id,min,max\n5,1,3\n6,2,4\n',
    knows: 'from,to\n1,2\n'
  }
  t.same(await readAll(numbered), {
    ids: ['1', '2', '3', '4', '5', '6'],
    edges: [[undefined, '1', '2']],
    losses: {}
  })
})

t.test('the columns of two tables in an archive can be chosen', async (t) => {
  const entries = [
    { name: 'a.csv', content: 'who,age\nann,3\nbob,4\n' },
    { name: 'b.csv', content: 'id,x,y\n7,ann,bob\n' }
  ]
  t.match(await refusal(zip(entries)), { code: 'format-unknown' })
  const chosen = { idColumn: 'WHO', sourceColumn: 'y', targetColumn: 'x' }
  const { content, table } = await read(undefined, zip(entries), chosen)
  t.same(content, {
    directed: true,
    nodes: [
      { id: 'ann', metadata: { age: 3 } },
      { id: 'bob', metadata: { age: 4 } }
    ],
    edges: [{ id: '7', source: 'bob', target: 'ann' }]
  })
  t.match(table, { sourceColumn: 'y', targetColumn: 'x', idColumn: 'who', basis: 'choice' })
})

t.test('two tables that are not a pair of nodes and edges are refused with their names', async (t) => {
  const table = (name: string, content: string) => ({ name, content })
  for (const entries of [
    [table('a.csv', nodes), table('b.csv', nodes)],
    [table('a.csv', edges), table('b.csv', edges)],
    [table('a.csv', edges), table('b.csv', 'name,age\nann,3\n')],
    [table('a.csv', nodes), table('b.csv', 'x,y\n1,2\n')],
    [...pair, table('c.csv', 'name,age\nann,3\n')],
    [table('a.csv', edges), table('b.csv', edges), table('c.csv', edges)],
    [table('a.csv', nodes), table('b.gml', gml)],
    // An archive may contain the same name twice.
    [table('a.csv', nodes), table('a.csv', edges)]
  ]) {
    const names = entries.map(({ name }) => `"${name}"`).join(', ')
    t.same(await refusal(zip(entries)), {
      code: 'format-unknown',
      message: `This zip archive has ${entries.length} graphs: ${names}. Pack a single graph, or tables of nodes and tables of edges.`
    })
  }
  t.match(await refusal(zip(pair), 'tsv'), { code: 'format-unknown', message: /^This zip archive has 2 graphs/ })
  const picture = [table('a.csv', nodes), { name: 'b.csv', content: Buffer.from('\x89PNG\r\n\x1a\n\0\0', 'latin1') }]
  t.same(await refusal(zip(picture)), { code: 'format-unknown', message: 'This is an image.' })
})

t.test('faults in one of two tables have the name and lines of that table', async (t) => {
  const entries = [
    { name: 'nodes.csv', content: 'id,name\na,A\nb,B\na,C\n' },
    { name: 'edges.csv', content: '# all\nfrom,to\na,b\n,b\na,\n' }
  ]
  const { faults, faultCount, valid } = await read(undefined, zip(entries))
  t.equal(valid, false)
  t.equal(faultCount, 3)
  const places = faults.map(({ file, line, column, code }) => ({ file, line, column, code }))
  t.same(places, [
    { file: 'edges.csv', line: 4, column: 1, code: 'required' },
    { file: 'edges.csv', line: 5, column: 1, code: 'required' },
    { file: 'nodes.csv', line: 4, column: 1, code: 'duplicate-id' }
  ])
  const unclosed = [entries[0] as { name: string; content: string }, { name: 'edges.csv', content: 'from,to\n"a,b\n' }]
  t.match((await read(undefined, zip(unclosed))).faults, [{ file: 'edges.csv', line: 2, code: 'malformed-csv' }])
})

t.test('other kinds of JSON and text are refused with their name', async (t) => {
  const cases: [string, string][] = [
    ['{"name":"x","version":"1.0.0","dependencies":{}}', 'This is an npm package.json.'],
    ['{"type":"FeatureCollection","features":[]}', 'This is a GeoJSON map.'],
    ['{"name":"flare","children":[]}', 'This is a hierarchy'],
    ['{"openapi":"3.1.0","info":{},"paths":{}}', 'This is an OpenAPI document.'],
    ['{"cells":[],"metadata":{},"nbformat":4}', 'This is a Jupyter notebook.'],
    ['[1,2]', 'This is JSON, but not a supported graph format.'],
    ['{}', 'This is a JSON object, but not a supported graph format'],
    ['(tlp "2.3"\n(nodes 0 1)\n(edge 0 0 1))\n', 'This is a Tulip TLP file.'],
    [';(nodes <node_id> ...)\n(nodes 0 1)\n(edge 0 0 1)\n', 'This is a Tulip TLP file.'],
    ['[core]\nname = a, b\n', 'This is a settings file'],
    ['# edges\ntitle = "x"\n\n[[edge]]\nfrom = "a"\n', 'This is TOML.'],
    ['--\n-- PostgreSQL database dump\n--\n\nSET statement_timeout = 0;\n', 'This is SQL.'],
    ['/*!40101 SET NAMES utf8 */;\nDROP TABLE IF EXISTS `edges`;\n', 'This is SQL.'],
    ['INSERT INTO a VALUES (1, 2);\nINSERT INTO a VALUES (2, 3);\n', 'This is SQL.'],
    ['PRAGMA foreign_keys=OFF;\nBEGIN TRANSACTION;\n', 'This is SQL.'],
    [':begin\nCREATE CONSTRAINT x FOR (n:A) REQUIRE (n.id) IS UNIQUE;\n', 'This is Cypher.'],
    ['// all\nMATCH (n)-[r]->(m) RETURN *\n', 'This is Cypher.'],
    ["[&R] (('Homo sapiens':1,Pan:2):3,(Mus,Rattus)):0;\n(a,b);\n", 'This is a tree in Newick format.'],
    ['##fileformat=VCFv4.2\n#CHROM\tPOS\tID\n1\t2\tx\n', 'This is VCF'],
    ['{"columns":["source"],"index":[0],"data":[["a"]]}', 'This table was written by pandas with orient="split".'],
    ['app v0.1.0 (/src)\n├── serde v1.0.1\n', 'This is the output of cargo tree.'],
    ['app@1.0.0 /src\n└─┬ @a/b@2.0.0\n  └── c@3.0.0\n', 'This is the output of npm ls.'],
    ['> Task :dependencies\n\nx - y.\n+--- org.a:b:1.0\n', 'This is a Gradle dependency tree.'],
    ['# a\nb 0.5\nc 0.1\n# b\nc 0.9\n', 'This is LGL.'],
    ['# 1\n2\n3\n# 2\n3\n', 'This is LGL.'],
    [
      's\0o\0u\0r\0c\0e\0,\0t\0a\0\n\0',
      'This text is in UTF-16 without a byte order mark. Choose the encoding utf-16le'
    ],
    ['\xff\xfe\0\0s\0\0\0', 'This text is in UTF-32'],
    ['\0\0\xfe\xff\0\0\0s', 'This text is in UTF-32']
  ]
  for (const [text, sentence] of cases) {
    const { code, message } = await refusal(Buffer.from(text, /[\0\xff]/.test(text) ? 'latin1' : 'utf8'))
    t.same([code, message?.slice(0, sentence.length)], ['format-unknown', sentence], text)
  }
  const { as } = await build(t)
  const ada = as('ada')
  for (const [type, detail] of [
    ['application/geo+json', 'This is a GeoJSON map.'],
    ['application/pdf', 'This is a PDF.'],
    ['image/png', 'This is an image.']
  ] as const) {
    const { status, body } = await ada.post('/api/graphs/import', 'x', { 'content-type': type })
    t.same([status, body.code, body.detail], [415, 'format-unknown', detail])
  }
  // The format is checked before the graph is looked up.
  t.match(
    await ada.put('/api/graphs/99/content?format=nonsense', 'x', { 'content-type': 'text/csv' }),
    problem(415, 'format-unknown')
  )
})

t.test('a file that is compressed twice is refused', async (t) => {
  const packings = {
    gzip: gzipSync,
    zstd: zstdCompressSync,
    zip: (content: Buffer) => zip([{ name: 'a.csv', content }])
  }
  for (const [outer, pack] of Object.entries(packings)) {
    for (const [inner, packFirst] of Object.entries(packings)) {
      t.match(await refusal(pack(packFirst(Buffer.from(csv)))), {
        code: 'format-unknown',
        message: `This is ${inner} inside ${outer}. Unpack it and send the inner file.`
      })
    }
  }
})

t.test('a damaged packed file is refused', async (t) => {
  const gzip = gzipSync(csv)
  const zstd = zstdCompressSync(csv)
  const zipped = (entry: Partial<Parameters<typeof zip>[0][number]> = {}, end = {}) =>
    zip([{ name: 'a.csv', content: csv, ...entry }], end)
  const archive = zipped()
  const cases: [Buffer, string][] = [
    [gzip.subarray(0, -9), 'is not a complete gzip file: unexpected end of file'],
    [gzip.subarray(0, 12), 'is not a complete gzip file: unexpected end of file'],
    [Buffer.concat([gzip, Buffer.from('more')]), 'is not a complete gzip file: incorrect header check'],
    [zstd.subarray(0, -3), 'is not a complete zstd file: unexpected end of file'],
    [Buffer.concat([zstd, Buffer.from('more')]), 'is not a complete zstd file: it has trailing data'],
    [archive.subarray(0, -1), 'is not a complete zip file: its end record is missing'],
    [zipped({ crc: 1 }), 'is not a complete zip file: the checksum of "a.csv" does not match'],
    [zipped({ size: 5 }), 'is not a complete zip file: the checksum of "a.csv" does not match'],
    [zipped({ offset: 7 }), 'is not a complete zip file: an entry is not where its directory says'],
    [zipped({ offset: 4e9 }), 'is not a complete zip file: its directory is truncated'],
    [zipped({}, { count: 2 }), 'is not a complete zip file: its directory is damaged'],
    [zipped({ packed: Buffer.from('\x07') }), 'is not a complete zip file: invalid block type']
  ]
  for (const [bytes, message] of cases) t.same(await refusal(bytes), { code: 'validation-failed', message })
  for (let end = 1; end < archive.length; end++) {
    const { code } = await refusal(archive.subarray(0, end), 'gml')
    t.ok(['validation-failed', 'none', 'format-unknown'].includes(code), `${end} bytes: ${code}`)
  }
})

t.test('a file of another type is refused with the name of that type, whatever format the client claims', async (t) => {
  const bytes = (text: string) => Buffer.from(text, 'latin1')
  const document = (...names: string[]) => zip(names.map((name) => ({ name, content: 'x' })))
  const odf = (type: string) =>
    zip([{ name: 'mimetype', content: `application/vnd.oasis.opendocument.${type}`, method: 0 }])
  const page = 'an HTML page. It may be the page that describes the file instead of the file itself.'
  const cases: [Buffer, string][] = [
    [
      document('[Content_Types].xml', '_rels/.rels', 'xl/workbook.bin'),
      'a binary Excel workbook (.xlsb). Save it as .xlsx.'
    ],
    [document('[Content_Types].xml', 'word/document.xml'), 'a Word document. Save its table as CSV.'],
    [odf('spreadsheet'), 'a LibreOffice spreadsheet (.ods). Save it as .xlsx.'],
    [odf('text'), 'a LibreOffice document. Save its table as CSV.'],
    [
      document('CytoscapeSession-2024_01_01-10_00/3.10.0.version', 'CytoscapeSession-2024_01_01-10_00/cysession.xml'),
      'a Cytoscape session. Export the network from Cytoscape as CX2, XGMML or GraphML.'
    ],
    [document('arr_0.npy', 'arr_1.npy'), 'a NumPy file. Save the edges as CSV.'],
    [document('META-INF/MANIFEST.MF', 'A.class'), 'a program.'],
    [
      bytes('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\0\0'),
      'an Office file from before 2007, such as .xls, or one with a password. Save it as .xlsx without a password.'
    ],
    [bytes('%PDF-1.7\n%\xe2\xe3'), 'a PDF.'],
    [bytes('\x89PNG\r\n\x1a\n\0\0\0\rIHDR'), 'an image.'],
    [bytes('\xff\xd8\xff\xe0\0\x10JFIF\0'), 'an image.'],
    [bytes('SQLite format 3\0\x10\0'), 'an SQLite database. Export its table of edges as CSV.'],
    [
      bytes('\x80\x04\x95\x0a\0\0\0\0\0\0\0}\x94.'),
      'a Python pickle. Save the graph with networkx.node_link_data or write_graphml.'
    ],
    [bytes('BZh91AY&SY\x01'), 'a bzip2 archive. Unpack it, or compress it with gzip.'],
    [bytes('\xfd7zXZ\0\0\x04'), 'an xz archive. Unpack it, or compress it with gzip.'],
    [bytes(`a.csv${'\0'.repeat(252)}ustar\x0000`), 'a tar archive. Unpack it and send the graph.'],
    [bytes('PAR1\x15\0\0PAR1'), 'a Parquet file. Export it as CSV.'],
    [bytes('a,b\0c\n'), 'a binary file, not text.'],
    [bytes('\x01\x02\x03\x04,\x05\n'), 'a binary file, not text.'],
    [bytes('\n<!doctype HTML><p>a,b'), page],
    [bytes('\xef\xbb\xbf<!-- saved --><html lang="en">'), page],
    [bytes('<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg"/>'), 'an SVG drawing.'],
    [
      bytes('<?xml version="1.0"?>\n<?mso-application progid="Excel.Sheet"?>\n<Workbook/>'),
      'an Excel workbook in XML from 2003. Save it as .xlsx.'
    ],
    [
      bytes(
        '<?xml version="1.0"?>\n<!DOCTYPE pathway SYSTEM "https://www.kegg.jp/kegg/xml/KGML_v0.7.2_.dtd">\n<pathway/>'
      ),
      'KEGG KGML. Import it into Cytoscape (KEGGscape) and export it as CX2 or GraphML.'
    ]
  ]
  for (const [file, what] of cases) {
    for (const format of [undefined, 'csv', 'graphml', 'node-link']) {
      t.same(await refusal(file, format), { code: 'format-unknown', message: `This is ${what}` })
    }
  }
  t.match(await refusal(gzipSync('%PDF-1.7')), { message: 'This is a PDF.' })
})

t.test('a table whose first cell looks like the start of a binary file is read as a table', async (t) => {
  for (const cell of ['PAR1', 'GIF89a', 'FEA1', 'BZhang', 'PK', 'MZ', 'xyz ftyp']) {
    t.match(await read(undefined, `Source,Target\n${cell},b\n`), { nodeCount: 2, edgeCount: 1 })
    t.match(await read('csv', `${cell},b\nb,d\n`), { valid: true, edgeCount: 2 })
  }
  const wide = Buffer.from('\ufeffSource,Target\nä,b\n', 'utf16le')
  t.match(await read(undefined, wide), { nodeCount: 2, edgeCount: 1 })
})

t.test('packed files are imported over REST', async (t) => {
  const { as, store } = await build(t)
  const ada = as('ada')
  const post = (body: Buffer, headers: Record<string, string>, query = '') =>
    ada.post(`/api/graphs/import?${query}`, body, headers)
  const type = (contentType: string) => ({ 'content-type': contentType })
  for (const [body, contentType, name] of [
    [gzipNamed('net.csv', csv), 'application/gzip', 'net'],
    [gzipSync(csv), 'text/csv', 'Imported graph'],
    [zstdCompressSync(csv), 'application/zstd', 'Imported graph'],
    [zip([{ name: 'z.csv', content: csv }]), 'application/zip', 'z'],
    [zip([{ name: 'z.csv', content: csv }]), 'application/octet-stream', 'z']
  ] as const) {
    const { status, body: graph } = await post(body, type(contentType))
    t.match({ status, graph }, { status: 201, graph: { name, nodeCount: 3, edgeCount: 2 } }, contentType)
  }
  for (const [encoding, body] of [
    ['gzip', gzipSync(csv)],
    ['x-gzip', gzipSync(csv)],
    ['zstd', zstdCompressSync(csv)],
    ['identity', Buffer.from(csv)]
  ] as const) {
    const report = await post(body, { ...type('text/csv'), 'content-encoding': encoding }, 'dryRun=true')
    t.match(report, { status: 200, body: { format: 'csv', nodeCount: 3, valid: true } }, encoding)
  }
  const before = await events(store, 'GRAPH_CREATED')
  const encoded = { ...type('text/csv'), 'content-encoding': 'gzip' }
  t.match(await post(Buffer.from(csv), encoded), problem(400, 'validation-failed', [{ code: 'malformed-gzip' }]))
  t.match(await post(gzipSync(gzipSync(csv)), encoded), problem(415, 'format-unknown'))
  t.match(await post(gzipSync(csv), { ...encoded, 'content-encoding': 'br' }), problem(415, 'media-type-unsupported'))
  t.match(await post(Buffer.from('%PDF-1.4'), type('text/csv')), {
    status: 415,
    body: { code: 'format-unknown', detail: 'This is a PDF.' }
  })
  t.match(await post(gzipSync(csv).subarray(0, 20), type('text/csv'), 'dryRun=true'), problem(400, 'validation-failed'))
  t.match(await ada.put('/api/graphs/1/content', gzipSync(gml), type('text/x-gml')), {
    status: 200,
    body: { nodeCount: 2 }
  })
  t.same(await events(store, 'GRAPH_CREATED'), before, 'no other graph was stored')
})
