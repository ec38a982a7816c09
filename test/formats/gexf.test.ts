import t from 'tap'
import type { GraphContent } from '../../schemas/graph-content.ts'
import { read, write } from '../support/formats.ts'

const file = (graph: string, attributes = 'defaultedgetype="directed"', version = '1.3') =>
  `<?xml version="1.0"?>\n<gexf xmlns:viz="http://gexf.net/1.3/viz" version="${version}">\n<meta><creator>Gephi</creator><title>T</title></meta>\n<graph ${attributes}>${graph}</graph></gexf>`
/** Reads a file made of these parts. */
const readParts = (...parts: Parameters<typeof file>) => read('gexf', file(...parts))

t.test('attributes have types and defaults; viz: elements give position, colour, size and shape', async (t) => {
  const { content, name, version, losses } = await readParts(`
    <attributes class="node"><attribute id="0" title="rank" type="integer"/><attribute id="1" title="ok" type="boolean"><default>true</default></attribute></attributes>
    <attributes class="edge"><attribute id="0" title="since" type="float"/></attributes>
    <nodes>
      <node id="a" label="A"><attvalues><attvalue for="0" value="3"/></attvalues><viz:color r="245" g="91" b="0" a="0.5"/><viz:position x="1.5" y="-2" z="0"/><viz:size value="10"/><viz:shape value="disc"/></node>
      <node id="b"><attvalues><attvalue id="1" value="false"/></attvalues></node>
    </nodes>
    <edges><edge id="0" source="a" target="b" weight="2.0" label="l" kind="knows" type="undirected"><attvalues><attvalue for="0" value="1.5"/></attvalues><viz:thickness value="3"/></edge></edges>`)
  t.equal(name, 'T')
  t.equal(version, '1.3')
  t.same(losses, {})
  t.same(content, {
    directed: true,
    metadata: { creator: 'Gephi' },
    nodes: [
      {
        id: 'a',
        label: 'A',
        x: 1.5,
        y: -2,
        z: 0,
        metadata: { rank: 3, ok: true, color: '#f55b00', alpha: 0.5, size: 10, shape: 'disc' }
      },
      { id: 'b', metadata: { ok: false } }
    ],
    edges: [
      {
        id: '0',
        source: 'a',
        target: 'b',
        directed: false,
        label: 'l',
        relation: 'knows',
        metadata: { weight: 2, since: 1.5, thickness: 3 }
      }
    ]
  })
})

t.test('types without a JSON equivalent are read as text', async (t) => {
  for (const type of ['anyURI', 'liststring', 'constructor', '__proto__']) {
    const attribute = `<attributes class="node"><attribute id="0" title="t" type="${type}"/></attributes>`
    const node = '<nodes><node id="a"><attvalues><attvalue for="0" value="1.50"/></attvalues></node></nodes>'
    t.match((await readParts(attribute + node)).content?.nodes, [{ metadata: { t: '1.50' } }], type)
  }
})

t.test('mutual edges are split in two, hierarchies flattened and times dropped, all with a report', async (t) => {
  const { content, losses } = await readParts(
    `<attributes class="node" mode="dynamic"><attribute id="p" title="price" type="double"/></attributes>
       <nodes><node id="g"><nodes><node id="a" start="2001"/></nodes></node><node id="b" pid="g"><spells><spell start="1"/><spell start="2"/></spells></node>
       <node id="c"><attvalues><attvalue for="p" value="1" end="2"/><attvalue for="p" value="2" start="2"/></attvalues></node></nodes>
       <edges><edge id="m" source="a" target="b" type="mutual" weight="2"/><edge source="b" target="a"/></edges>`,
    'mode="dynamic"',
    '1.2'
  )
  t.same(content?.nodes, [
    { id: 'g' },
    { id: 'a', metadata: { parent: 'g' } },
    { id: 'b', metadata: { parent: 'g' } },
    { id: 'c', metadata: { price: 1 } }
  ])
  t.equal(content?.directed, false)
  t.same(content?.edges, [
    { id: 'm', source: 'a', target: 'b', directed: true, metadata: { weight: 2 } },
    { source: 'b', target: 'a', directed: true, metadata: { weight: 2 } },
    { source: 'b', target: 'a' }
  ])
  t.same(losses, { 'edge-per-direction': 1, 'subgraph-flattened': 2, 'dynamics-dropped': 5 })
})

t.test('a mutual loop is one edge', async (t) => {
  const { content, losses } = await readParts(
    '<nodes><node id="a"/><node id="b"/></nodes><edges><edge id="1" source="a" target="b" weight="3"/><edge id="2" source="a" target="a"/></edges>',
    'defaultedgetype="mutual"'
  )
  t.same(content?.edges, [
    { id: '1', source: 'a', target: 'b', metadata: { weight: 3 } },
    { source: 'b', target: 'a', metadata: { weight: 3 } },
    { id: '2', source: 'a', target: 'a' }
  ])
  t.same(losses, { 'edge-per-direction': 1 })
})

t.test('undeclared attributes, null values and attributes unknown to GEXF do not stop reading', async (t) => {
  const { content, faults, losses } = await readParts(`
    <attributes class="node"><attribute id="d" title="d" type="double"/><attribute id="l" title="l" type="liststring"/><attribute id="u" title="u" type="colour"/></attributes>
    <nodes>
      <node id="a" group="3"><attvalues><attvalue for="d" value="null"/><attvalue for="l" value="[a, b]"/><attvalue for="size" value="1.5"/></attvalues><viz:color hex="#FAC"/><viz:position x="NaN" y="NaN"/></node>
      <node id="b"><slices><slice start="1"/><slice start="2"/></slices><viz:color hex="11223380"/></node>
    </nodes>
    <edges><edge source="a" target="b" weight="null"/></edges>`)
  t.same(faults, [])
  t.same(losses, {
    'dynamics-dropped': 1,
    'key-undeclared': 1,
    'list-as-text': 1,
    'null-dropped': 2,
    'type-unknown': 1,
    'visual-dropped': 1
  })
  t.same(content?.nodes, [
    { id: 'a', metadata: { l: '[a, b]', size: 1.5, group: 3, color: '#ffaacc' } },
    { id: 'b', metadata: { color: '#112233', alpha: 0.502 } }
  ])
  t.same(content?.edges, [{ source: 'a', target: 'b' }])
})

t.test('attributes may be declared after the nodes', async (t) => {
  const { content, faults, losses } = await readParts(`
      <nodes><node id="a"><attvalues><attvalue for="0" value="3"/></attvalues></node><node id="b"/></nodes>
      <attributes class="node"><attribute id="0" title="rank" type="integer"><default>1</default></attribute></attributes>`)
  t.same(faults, [])
  t.same(losses, {})
  t.same(content?.nodes, [
    { id: 'a', metadata: { rank: 3 } },
    { id: 'b', metadata: { rank: 1 } }
  ])
})

t.test('every fault has its line and column', async (t) => {
  const cases: [string, object[]][] = [
    ['<gexf/>', [{ code: 'required' }]],
    [file('', 'defaultedgetype="none"'), [{ code: 'not-allowed', line: 4 }]],
    [file('<nodes>\n<node label="x"/></nodes>'), [{ code: 'required', line: 5, column: 1 }, {}]],
    [
      file('<nodes><node id="a"/></nodes><edges>\n  <edge id="0" source="a" target="z"/></edges>'),
      [{ code: 'unknown-node', line: 5, column: 3, element: 'edge 1, "a" to "z"' }]
    ],
    [
      file('<nodes><node id="a"><attvalues>\n<attvalue value="1"/></attvalues></node></nodes>'),
      [{ code: 'required', line: 5 }]
    ],
    [file('<nodes><node id="a"><viz:color hex="#ff"/></node></nodes>'), [{ code: 'malformed' }]],
    [
      file('<attributes class="node">\n<attribute id="0"/>\n<attribute id="0" title="b"/></attributes>'),
      [{ code: 'duplicate-id', line: 6 }]
    ],
    [
      file(
        '<attributes class="node"><attribute id="0" title="n" type="integer"/></attributes><nodes><node id="a"><attvalues><attvalue for="0" value="1.5"/></attvalues></node></nodes>'
      ),
      [{ code: 'malformed' }]
    ],
    [
      file('<nodes><node id="a"/></nodes><edges><edge source="a" target="a" weight="heavy"/></edges>'),
      [{ code: 'malformed' }]
    ],
    [file('<nodes><node id="a"><viz:position x="1"/></node></nodes>'), [{ code: 'malformed' }]],
    [file('</graph><graph>'), [{ code: 'several-graphs' }]]
  ]
  for (const [text, faults] of cases) t.match((await read('gexf', text)).faults, faults, text.slice(100))
})

t.test('exports are GEXF 1.3', async (t) => {
  const { text, losses } = write('gexf', {
    label: 'dropped',
    nodes: [
      { id: 'a', label: 'A', x: 1, y: 2, metadata: { color: '#ff0000', size: 3, n: 1 } },
      { id: 'b', metadata: { color: 'red', size: -1 } }
    ],
    edges: [{ source: 'a', target: 'b', directed: false, relation: 'r', metadata: { weight: 1.5 } }]
  })
  t.same(losses, { 'graph-attributes-dropped': 1 })
  const parts = [
    'version="1.3"',
    '<graph defaultedgetype="directed">',
    '<viz:color r="255" g="0" b="0"/><viz:size value="3"/><viz:position x="1" y="2"/>',
    'title="color" type="string"',
    '<edge source="a" target="b" type="undirected" weight="1.5">'
  ]
  for (const part of parts) t.ok(text.includes(part), part)
})

t.test('NaN stays in a column of numbers, and among the weights', async (t) => {
  const { content } =
    await readParts(`<attributes class="node"><attribute id="0" title="pr" type="double"/></attributes>
    <nodes><node id="a"><attvalues><attvalue for="0" value="0.25"/></attvalues></node><node id="b"><attvalues><attvalue for="0" value="NaN"/></attvalues></node></nodes>
    <edges><edge source="a" target="b" weight="2"/><edge source="a" target="a" weight="-Infinity"/></edges>`)
  const { text, losses } = write('gexf', content as GraphContent)
  t.same(losses, {})
  const parts = [
    '<attribute id="0" title="pr" type="double"/>',
    '<attvalue for="0" value="NaN"/>',
    '<edge source="a" target="b" weight="2"/>',
    '<edge source="a" target="a" weight="-INF"/>'
  ]
  for (const part of parts) t.ok(text.includes(part), part)
  t.notOk(text.includes('class="edge"'))
})

t.test('lists of text are written and read; other lists become text, which is counted', async (t) => {
  const graph = {
    directed: true,
    nodes: [
      { id: 'a', metadata: { alias: ['P53', 'say "[[hi]]"\n'], scores: [0.5, 1], flags: [true], both: ['x', 1] } },
      { id: 'b', metadata: { alias: [], deep: [[1]], mixed: ['x'] } },
      { id: 'c', metadata: { mixed: 'x' } }
    ],
    edges: []
  }
  const { text, losses } = write('gexf', graph)
  t.same(losses, { 'list-as-text': 4, 'nested-metadata': 1 })
  const types = [...text.matchAll(/title="(\w+)" type="(\w+)"/g)].map(([, title, type]) => `${title} ${type}`)
  t.same(types, ['alias liststring', 'scores string', 'flags string', 'both string', 'deep string', 'mixed string'])
  const back = await read('gexf', text)
  t.same(back.losses, {})
  t.same(back.content?.nodes, [
    { id: 'a', metadata: { ...graph.nodes[0]?.metadata, scores: '[0.5,1]', flags: '[true]', both: '["x",1]' } },
    { id: 'b', metadata: { alias: [], deep: '[[1]]', mixed: '["x"]' } },
    { id: 'c', metadata: { mixed: 'x' } }
  ])
})

t.test('lists that are not JSON of their type are kept as text', async (t) => {
  const cases: [type: string, value: string, expected: unknown][] = [
    ['liststring', '[&quot;a&quot;, &quot;b&quot;]', ['a', 'b']],
    ['listinteger', '[1, 2]', [1, 2]],
    ['listdouble', '[1.5]', [1.5]],
    ['listboolean', '[true]', [true]],
    ['liststring', '[a, b]', '[a, b]'],
    ['liststring', '[1, 2]', '[1, 2]'],
    ['liststring', 'a|b', 'a|b'],
    ['liststring', '[[&quot;a&quot;]]', '[["a"]]'],
    ['liststring', '[&quot;\\ud800&quot;]', '["\\ud800"]'],
    ['listlong', '[12345678901234567890]', '[12345678901234567890]'],
    ['listinteger', '[1.5]', '[1.5]']
  ]
  for (const [type, value, expected] of cases) {
    const { content, losses } = await readParts(
      `<attributes class="node"><attribute id="0" title="l" type="${type}"/></attributes><nodes><node id="a"><attvalues><attvalue for="0" value="${value}"/></attvalues></node></nodes>`
    )
    t.same(content?.nodes, [{ id: 'a', metadata: { l: expected } }], value)
    t.same(losses, typeof expected === 'string' ? { 'list-as-text': 1 } : {}, value)
  }
})

t.test(
  'styles under other names are drawn as well, and a drawing that repeats an attribute is not read twice',
  async (t) => {
    const graph = {
      directed: true,
      nodes: [
        { id: 'a', metadata: { fillcolor: 'red', color: '#0000ff', shape: 'box', size: 5000 } },
        { id: 'b', metadata: { color: 'high', 'viz:color': '#00ff00', 'viz:size': 3, size: 7, alpha: 0.5 } },
        { id: 'c', metadata: { color: 'high', shape: 'cloud', size: 'large' } }
      ],
      edges: [{ source: 'a', target: 'b', metadata: { penwidth: 2, style: 'dashed' } }]
    }
    const { text } = write('gexf', graph)
    t.same(text.match(/(?:<viz:[^>]*>)+/g), [
      '<viz:color r="255" g="0" b="0"/><viz:size value="5000"/><viz:shape value="square"/>',
      '<viz:color r="0" g="255" b="0" a="0.5"/><viz:size value="3"/>',
      '<viz:thickness value="2"/><viz:shape value="dashed"/>'
    ])
    t.same((await read('gexf', text)).content, graph)
  }
)
