import t from 'tap'
import { read, write } from '../support/formats.ts'

t.test('records may nest, keys may repeat, strings may contain entities, and # starts a comment', async (t) => {
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

t.test('a file that is not GML is refused with the reason', async (t) => {
  const cases: [string, string][] = [
    ['graph [ node { ] ]', 'is not valid GML: "{" is not a key, number, quoted text or bracket'],
    ['graph [ node [ id 3a ] ]', 'is not valid GML: "3a" is not a key, number, quoted text or bracket'],
    ['graph [ label "open ]', 'is not valid GML: the quote is not closed'],
    ['graph [ label ]', 'is not valid GML: the key "label" has no value'],
    ['graph [ 7 ]', 'is not valid GML: expected a key, but found "7"'],
    ['graph [ a "b" "c" ]', 'is not valid GML: expected a key, but found "\\"c\\""'],
    ['graph [ ] ]', 'is not valid GML: this bracket does not close a list'],
    ['graph [ [ ] ]', 'is not valid GML: a list must follow a key'],
    ['graph [ node [ id 1 ]', 'is an unexpected end of the file: the list "graph" is not closed'],
    ['graph [ ] Version', 'is an unexpected end of the file: the key "Version" has no value']
  ]
  for (const [text, detail] of cases) t.equal((await read('gml', text)).faults[0]?.detail, detail, text)
})

t.test('ids may be text, ISO 8859-1 entities are decoded, and unquoted words are read and reported', async (t) => {
  const { content, losses, faults } = await read(
    'gml',
    `directed 1 made "by hand" graph [ node [ id "a" label "&Eacute;t&eacute; &frac12; &yuml; &foo; &amp;eacute;" ] node [ id b ]
    node [ id "3" ] edge [ source a target b ] edge [ source 3 target "a" ] ]`
  )
  t.same(faults, [])
  t.same(losses, { 'aspects-dropped': 1, 'text-unquoted': 3 })
  t.same(content, {
    directed: true,
    nodes: [{ id: 'a', label: 'Été ½ ÿ &foo; &eacute;' }, { id: 'b' }, { id: '3' }],
    edges: [
      { source: 'a', target: 'b' },
      { source: '3', target: 'a' }
    ]
  })
})

t.test('a quote after a backslash is part of a string if the file is otherwise invalid', async (t) => {
  const node = (label: string) => `graph [ node [ id 1 label "${label}" ] ]`
  const escaped = await read('gml', node('<a b=\\"c\\"> C:\\\\'))
  t.same(escaped.losses, { 'quotes-unescaped': 1 })
  t.equal(escaped.content?.nodes[0]?.label, '<a b="c"> C:\\')
  const plain = await read('gml', node('C:\\'))
  t.same(plain.losses, {})
  t.equal(plain.content?.nodes[0]?.label, 'C:\\')
  const broken = await read('gml', 'graph [ node [ id 1 label "a\\" { ] ]')
  t.match(broken.faults, [{ code: 'malformed-gml', column: 32 }])
})

t.test('graphics and names round-trip as far as GML keys can hold them', async (t) => {
  const content = {
    directed: false,
    metadata: { max_x: 1, 'a b': 2, a_x0020_b: 3, _x: 4, a_xABCD: 5, 'a_xABCD ': 6, x_x_: 7, '': 8, x_x0041_: 9 },
    nodes: [
      { id: '1', label: 'a', x: 1, y: 2, metadata: { graphics: { w: 3, type: 'oval', 'line width': 1 } } },
      { id: '2', label: 'b', metadata: { graphics: { w: 3 } } },
      { id: '3', label: 'c', x: 5, metadata: { graphics: 'none' } },
      { id: '4', label: 'd', metadata: { graphics: { x: 'left' }, Graphics: 1 } }
    ],
    edges: [{ source: '1', target: '2', metadata: { graphics: { width: 2 } } }]
  }
  const { text, losses } = write('gml', content)
  t.same(losses, { 'attribute-renamed': 10 })
  const parts = ['  graphics [\n      x 1\n      y 2\n      w 3\n', '  max_x 1\n', '  a_xABCD 5\n', '  a_x0020_b 2\n']
  for (const part of parts) t.ok(text.includes(part), part)
  t.same((await read('gml', text)).content, content)
})

t.test('bytes that are not UTF-8 are read as Windows-1252 and reported', async (t) => {
  const { content, losses } = await read('gml', Buffer.from('graph [ node [ id 1 label "caf\xe9 \x80" ] ]', 'latin1'))
  t.match(content, { nodes: [{ label: 'café €' }] })
  t.same(losses, { 'encoding-guessed': 1 })
})

t.test('exports are ASCII, with integer ids and labels that networkx can use', async (t) => {
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
  const parts = [
    'label "&#228;"',
    'graphsteadId "b"',
    'graphics [\n      x 1\n',
    'two_x0020_words 1',
    'big 1099511627776.0',
    'none "null"',
    'directed 1'
  ]
  for (const part of parts) t.ok(text.includes(part), part)
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
