import t from 'tap'
import { read } from '../support/formats.ts'

// Tests what all JSON formats have in common.

t.test('NaN and Infinity of Python are no value, and counted', async (t) => {
  const file = await read(
    undefined,
    `{"directed": true, "multigraph": false, "graph": {"nan": "NaN"},
"nodes": [{"id": 0, "pr": NaN, "list": [1, NaN], "x": NaN}, {"id": 1, "pr": Infinity, "Infinity": 2.5}],
"links": [{"source": 0, "target": 1, "weight": -Infinity}]}`
  )
  t.same(file.losses, { 'id-as-text': 4, 'null-dropped': 5 })
  t.same(file.content, {
    directed: true,
    metadata: { nan: 'NaN' },
    nodes: [
      { id: '0', metadata: { list: [1, null] } },
      { id: '1', metadata: { Infinity: 2.5 } }
    ],
    edges: [{ source: '0', target: '1' }]
  })
  const jgf = await read(undefined, '{"graph":{"nodes":{"a":{"metadata":{"n":NaN}},"b":{}},"edges":[]}}')
  t.same([jgf.format, jgf.losses, jgf.content?.nodes], ['jgf', { 'null-dropped': 1 }, [{ id: 'a' }, { id: 'b' }]])
})

t.test('faults after NaN have their places', async (t) => {
  const { faults } = await read('node-link', '{"nodes":[{"id":"a","n":NaN},\n{"id":"a","n":NaN}],"edges":[]}')
  t.same(
    faults.map(({ line, column, pointer, code }) => ({ line, column, pointer, code })),
    [{ line: 2, column: 7, pointer: '#/nodes/1/id', code: 'duplicate-id' }]
  )
})

t.test('NaN is refused where a value may not be, and so are other words', async (t) => {
  const invalid = ['{NaN:1}', '[NaN,]', '[nan]', '[inf]', '[+Infinity]', '[-NaN]', '[NaN1]', '[NaN NaN]', 'Infinity]']
  for (const text of invalid) {
    const { faults } = await read('node-link', `{"nodes":[],"edges":[],"n":NaN,\n"x":${text}}`)
    t.same(
      faults.map(({ code, line }) => [code, line]),
      [['malformed-json', 2]],
      text
    )
  }
})

t.test('integers beyond 2^53 are kept as text, and ids among them are counted as ids', async (t) => {
  const file = await read(
    undefined,
    `{"nodes":[{"id":1234567890123456789,"n":9007199254740993},{"id":1234567890123456790,"n":9007199254740991}],
"links":[{"source":1234567890123456789,"target":1234567890123456790,"weight":-12345678901234567890,"w":1e300}]}`
  )
  t.same(file.losses, { 'id-as-text': 4, 'number-as-text': 2 })
  t.same(file.content, {
    directed: false,
    nodes: [
      { id: '1234567890123456789', metadata: { n: '9007199254740993' } },
      { id: '1234567890123456790', metadata: { n: 9007199254740991 } }
    ],
    edges: [
      {
        source: '1234567890123456789',
        target: '1234567890123456790',
        metadata: { weight: '-12345678901234567890', w: 1e300 }
      }
    ]
  })
  const long = '12345678901234567890'
  const others = {
    jgf: `{"graph":{"nodes":[{"id":${long}}],"edges":[{"source":${long},"target":"${long}"}]}}`,
    cytoscape: `{"elements":{"nodes":[{"data":{"id":${long}}}],"edges":[{"data":{"source":${long},"target":"${long}"}}]}}`,
    cx: `[{"nodes":[{"@id":${long}}]},{"edges":[{"@id":1,"s":${long},"t":"${long}"}]},{"status":[{"success":true}]}]`,
    cx2: `[{"CXVersion":"2.0"},{"nodes":[{"id":${long}}]},{"edges":[{"s":${long},"t":"${long}"}]},{"status":[{"success":true}]}]`
  }
  for (const [format, text] of Object.entries(others)) {
    const { losses, content, ...report } = await read(undefined, text)
    t.equal(report.format, format)
    t.same(losses, { 'id-as-text': 2 }, format)
    t.match(content?.nodes, [{ id: long }], format)
    t.match(content?.edges, [{ source: long, target: long }], format)
  }
  const both = await read('node-link', `{"nodes":[{"id":${long},"n":NaN,"w":1e300}],"edges":[]}`)
  t.same(both.losses, { 'id-as-text': 1, 'null-dropped': 1 })
})

t.test('a number beyond 10^308 is refused', async (t) => {
  const { faults } = await read('node-link', '{"nodes":[{"id":"a","n":1e999,"m":NaN}],"edges":[]}')
  t.same(
    faults.map(({ code, pointer }) => [code, pointer]),
    [['number-too-large', '#/nodes/0/n']]
  )
})

t.test('JSON may be in UTF-16, by its byte order mark or its charset', async (t) => {
  const text = '{"nodes": [{"id": "∀"}, {"id": "ä"}], "links": [{"source": "∀", "target": "ä"}]}'
  const little = Buffer.from(text, 'utf16le')
  const big = Buffer.from(little).swap16()
  const cases: [Buffer, string?][] = [
    [Buffer.concat([Buffer.from([0xff, 0xfe]), little])],
    [Buffer.concat([Buffer.from([0xfe, 0xff]), big])],
    [Buffer.concat([Buffer.from([0xff, 0xfe]), little]), 'UTF-16LE'],
    [little, 'UTF-16LE'],
    [big, 'utf-16be'],
    [Buffer.from(text), 'UTF-8']
  ]
  for (const [bytes, charset] of cases) {
    const { format, content, losses } = await read(undefined, bytes, { charset })
    t.same([format, losses], ['node-link', {}], charset ?? 'mark')
    t.same(content?.edges, [{ source: '∀', target: 'ä' }], charset ?? 'mark')
  }
  const latin = await read('node-link', Buffer.from('{"nodes":[{"id":"ä"}]}', 'latin1'))
  t.same(
    latin.faults.map(({ code, detail, column }) => [code, detail, column]),
    [['malformed-encoding', 'is not in UTF-8', 18]]
  )
  const half = Buffer.concat([little, Buffer.from([0])])
  t.match((await read('node-link', half, { charset: 'utf-16le' })).faults, [{ code: 'malformed-encoding' }])
})

t.test('brackets in UTF-16 are counted as characters', async (t) => {
  // In UTF-16, the bytes of U+2200 contain a quotation mark.
  const text = `{"nodes":[],"edges":[],"a":"∀","b":${'['.repeat(2000)}${']'.repeat(2000)}}`
  const { faults } = await read('node-link', Buffer.from(`\uFEFF${text}`, 'utf16le'))
  t.same(
    faults.map(({ code, detail }) => [code, detail]),
    [['malformed-json', 'nests deeper than 1000 levels']]
  )
})
