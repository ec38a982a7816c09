import t from 'tap'
import { read, write } from './formats.ts'

t.test('records may nest, keys may repeat, strings have entities, and # lines are comments', async (t) => {
  const { content, name, version, losses } = await read(
    'gml',
    `# a comment [ with brackets   \nCreator "me"\nVersion 1
graph [ directed 1 name "N" year 1993
  node [ id 1 label "caf&#233; &quot;x&quot; &amp;lt;" graphics [ x 1.5 y -2.0 w 10 fill "#ff0000" ] ] # more
  node [ id -2 tag "a" tag "b" nested [ a 1 b [ c "x" ] ] only "_networkx_list_start" only 5 ]
  edge [ source 1 target -2 value 1e3 id 7 label "e
f" ]
  edge [ source 1 target 1 value +INF big 9007199254740993 ] ]`
  )
  t.equal(name, 'N')
  t.equal(version, '1')
  t.same(losses, { 'number-as-text': 2 })
  t.same(content, {
    directed: true,
    metadata: { year: 1993 },
    nodes: [
      { id: '1', label: 'café "x" &lt;', x: 1.5, y: -2, metadata: { graphics: { w: 10, fill: '#ff0000' } } },
      { id: '-2', metadata: { tag: ['a', 'b'], nested: { a: 1, b: { c: 'x' } }, only: [5] } }
    ],
    edges: [
      { id: '7', source: '1', target: '-2', label: 'e\nf', metadata: { value: 1000 } },
      { source: '1', target: '1', metadata: { value: '+INF', big: '9007199254740993' } }
    ]
  })
})

t.test('edges may precede their nodes, and are undirected by default', async (t) => {
  const { content } = await read('gml', 'graph [ edge [ source 1 target 2 ] node [ id 1 ] node [ id 2 ] ]')
  t.match(content, { directed: false, edges: [{ source: '1', target: '2' }] })
})

t.test('every fault has its line and column', async (t) => {
  const cases: [string, object][] = [
    ['', { code: 'empty' }],
    ['Creator "x"', { code: 'required', line: 1 }],
    ['graph [\n  node [ id 1 ]\n  node {', { code: 'malformed-gml', line: 3, column: 8 }],
    ['graph [ node [ id 1 ]', { code: 'malformed-gml', detail: 'is an unexpected end of the file', column: 22 }],
    ['graph [ label "open', { code: 'malformed-gml', column: 15 }],
    ['graph [ ] ]', { code: 'malformed-gml', column: 11 }],
    ['graph [ node 5 ]', { code: 'wrong-type', column: 9 }],
    ['graph [ node [ label "a" ] ]', { code: 'required', detail: 'a node has no id' }],
    ['graph [ node [ id 1 ]\n node [ id 1 ] ]', { code: 'duplicate-id', line: 2, column: 2 }],
    [
      'graph [ node [ id 1 ] edge [ source 1 target 2 ] ]',
      { code: 'unknown-node', detail: 'target 2 is not the id of a node' }
    ],
    ['graph [ node [ id 1 ] edge [ source 1 ] ]', { code: 'required' }],
    ['graph [ node [ id 1 id 2 ] ]', { code: 'repeated' }],
    ['graph [ node [ id 1 ] edge [ source 1 source 1 target 1 ] ]', { code: 'repeated' }],
    ['graph [ directed 2 ]', { code: 'not-allowed' }],
    ['graph [ ] graph [ ]', { code: 'several-graphs', column: 11 }],
    [`graph ${'[ a '.repeat(40)}`, { code: 'too-deep' }]
  ]
  for (const [text, fault] of cases) t.match((await read('gml', text)).faults, [fault], text.slice(0, 80))
})

t.test('bytes that are not UTF-8 are read as Windows-1252, which is reported', async (t) => {
  const { content, losses } = await read('gml', Buffer.from('graph [ node [ id 1 label "caf\xe9 \x80" ] ]', 'latin1'))
  t.match(content, { nodes: [{ label: 'café €' }] })
  t.same(losses, { 'encoding-guessed': 1 })
})

t.test('it is written in ASCII, with integers for ids, and labels that networkx can use', async (t) => {
  const { text, losses } = write('gml', {
    directed: false,
    nodes: [{ id: 'ä' }, { id: 'b', label: 'B', x: 1, metadata: { 'two words': true, big: 2 ** 40, none: null } }],
    edges: [
      { id: 'e', source: 'ä', target: 'b' },
      { source: 'b', target: 'ä', directed: true }
    ]
  })
  t.notMatch(text, /[^\n -~]/)
  t.same(losses, {
    'attribute-renamed': 1,
    'edge-per-direction': 1,
    'id-replaced': 3,
    'nested-metadata': 1,
    'type-changed': 1
  })
  for (const part of [
    'label "&#228;"',
    'graphsteadId "b"',
    'graphics [\n      x 1\n',
    'two_x0020_words 1',
    'big 1099511627776.0',
    'none "null"',
    'directed 1'
  ]) {
    t.ok(text.includes(part), part)
  }
  t.match((await read('gml', text)).content, {
    directed: true,
    nodes: [
      { id: 'ä', label: undefined },
      { id: 'b', label: 'B', x: 1, metadata: { 'two words': 1, big: 2 ** 40 } }
    ],
    edges: [
      { id: 'e', source: 'ä', target: 'b' },
      { source: 'b', target: 'ä' },
      { source: 'b', target: 'ä' }
    ]
  })
})
