import t from 'tap'
import type { GraphContent } from '../../schemas/graph-content.ts'
import { read, write } from '../support/formats.ts'

const file = (keys: string, graph: string, attributes = 'edgedefault="directed"') =>
  `<?xml version="1.0"?>\n<graphml xmlns="http://graphml.graphdrawing.org/xmlns">\n${keys}\n<graph ${attributes}>${graph}</graph></graphml>`
/** Reads a file made of these parts. */
const readParts = (...parts: Parameters<typeof file>) => read('graphml', file(...parts))

t.test('keys have types and defaults', async (t) => {
  const keys = `
    <key id="d0" for="node" attr.name="color" attr.type="string"><default>yellow</default></key>
    <key id="d1" for="node" attr.name="rank" attr.type="int"/>
    <key id="d2" for="all" attr.name="ok" attr.type="boolean"><default>true</default></key>
    <key id="d3" for="edge" attr.name="weight" attr.type="double"/>
    <key id="d4" for="graph" attr.name="name" attr.type="string"/>
    <key id="d5" for="node" attr.name="big" attr.type="long"/>
    <key id="label" for="node" attr.name="label" attr.type="string"/>`
  const { content, name, losses } = await readParts(
    keys,
    `<data key="d4">Graph &amp; Co</data>
       <node id="a"><data key="d0">green</data><data key="d1"> 7 </data><data key="label"><![CDATA[<A>]]></data></node>
       <node id="b"><data key="d2">false</data><data key="d5">9007199254740993</data><desc>about b</desc></node>
       <edge source="a" target="b" id="e"><data key="d3">1.50</data></edge>
       <edge source="b" target="b" directed="false"><data key="d3">NaN</data></edge>`
  )
  t.equal(name, 'Graph & Co')
  t.same(losses, { 'number-as-text': 2 })
  t.same(content, {
    directed: true,
    metadata: { ok: true },
    nodes: [
      { id: 'a', label: '<A>', metadata: { color: 'green', rank: 7, ok: true } },
      { id: 'b', metadata: { ok: false, big: '9007199254740993', desc: 'about b', color: 'yellow' } }
    ],
    edges: [
      { id: 'e', source: 'a', target: 'b', metadata: { weight: 1.5, ok: true } },
      { source: 'b', target: 'b', directed: false, metadata: { weight: 'NaN', ok: true } }
    ]
  })
})

t.test('duplicate edge ids become metadata', async (t) => {
  const { content, losses } = await readParts(
    '',
    '<node id="a"/><edge id="0" source="a" target="a"/><edge id="0" source="a" target="a"/><edge source="a" target="a"/>'
  )
  t.same(content?.edges, [
    { source: 'a', target: 'a', metadata: { id: '0' } },
    { source: 'a', target: 'a', metadata: { id: '0' } },
    { source: 'a', target: 'a' }
  ])
  t.same(losses, { 'edge-id-moved': 2 })
})

t.test('nested graphs are flattened, and edges keep port names', async (t) => {
  const { content, losses } = await readParts(
    '',
    `<node id="g"><graph id="g:" edgedefault="undirected"><node id="a"><port name="p"/></node><edge source="a" target="a"/></graph></node>
       <edge source="a" target="g" sourceport="p"/>`
  )
  t.same(content, {
    directed: true,
    nodes: [{ id: 'g' }, { id: 'a', metadata: { parent: 'g' } }],
    edges: [
      { source: 'a', target: 'a', directed: false },
      { source: 'a', target: 'g', metadata: { sourceport: 'p' } }
    ]
  })
  t.same(losses, { 'subgraph-flattened': 1, 'ports-dropped': 1 })
})

t.test('labels, positions and styles are read from yEd drawings', async (t) => {
  const keys =
    '<key for="node" id="d6" yfiles.type="nodegraphics"/><key for="edge" id="d9" yfiles.type="edgegraphics"/>'
  const { content, losses } = await readParts(
    keys,
    `<node id="n0"><data key="d6"><y:ShapeNode><y:Geometry height="30" width="40" x="10" y="-5"/><y:Fill color="#FFCC00"/><y:NodeLabel>Start<y:LabelModel/></y:NodeLabel></y:ShapeNode></data></node>
       <edge id="e0" source="n0" target="n0"><data key="d9"><y:PolyLineEdge><y:EdgeLabel>again</y:EdgeLabel></y:PolyLineEdge></data></edge>`
  )
  t.same(content?.nodes, [
    { id: 'n0', label: 'Start', x: 30, y: -10, metadata: { size: 40, height: 30, color: '#ffcc00' } }
  ])
  t.same(content?.edges, [{ id: 'e0', source: 'n0', target: 'n0', label: 'again' }])
  t.same(losses, { 'visual-dropped': 1 }, 'the model of the label')
})

t.test(
  'the styles of yFiles are read in all their forms, and other parts are counted once for each drawing',
  async (t) => {
    const { content, losses } = await readParts(
      `<key for="node" id="n" yfiles.type="nodegraphics"/><key for="edge" id="e" yfiles.type="edgegraphics"/><key for="node" id="color" attr.name="color" attr.type="string"/>
       <key id="s" attr.name="SharedData" y:attr.uri="http://www.yworks.com/xml/yfiles-common/2.0/SharedData"/><key id="m" for="node" attr.name="NodeStyle" y:attr.uri="http://www.yworks.com/xml/yfiles-common/2.0/NodeStyle"/>
       <key id="t" for="edge" attr.name="EdgeStyle" y:attr.uri="http://www.yworks.com/xml/yfiles-common/2.0/EdgeStyle"/>
       <data key="s"><y:SharedData><yjs:PolylineEdgeStyle x:Key="6" stroke="2px dashed #80663800"/></y:SharedData></data>`,
      `<node id="a"><data key="color">high</data><data key="n"><y:ShapeNode><y:Geometry width="30" height="30"/><y:Fill color="#FFCC0080" transparent="false"/><y:Shape type="roundrectangle"/></y:ShapeNode></data></node>
       <node id="b"><data key="n"><y:ShapeNode><y:Fill hasColor="false" color="#FFCC00"/><y:BorderStyle color="#000000"/><y:Shape type="star5"/></y:ShapeNode></data></node>
       <node id="c"><data key="m"><yjs:ShapeNodeStyle shape="ELLIPSE" fill="ORANGE"/></data></node>
       <node id="d"><data key="m"><yjs:ShapeNodeStyle fill="url(#x)"/></data></node>
       <edge source="a" target="b"><data key="e"><y:PolyLineEdge><y:LineStyle color="#FF0000" type="dotted" width="2.5"/><y:Arrows source="none" target="standard"/></y:PolyLineEdge></data></edge>
       <edge source="a" target="c"><data key="e"><y:PolyLineEdge><y:LineStyle type="line" width="1.0"/><y:Arrows source="none" target="diamond"/></y:PolyLineEdge></data></edge>
       <edge source="a" target="d"><data key="t"><y:GraphMLReference ResourceKey="6"/></data></edge>
       <edge source="b" target="d"><data key="t"><yjs:PolylineEdgeStyle><yjs:PolylineEdgeStyle.stroke><yjs:Stroke fill="#FF0000FF" thickness="3" dashStyle="DOT"/></yjs:PolylineEdgeStyle.stroke></yjs:PolylineEdgeStyle></data></edge>`
    )
    t.same(content?.nodes, [
      { id: 'a', metadata: { color: 'high', size: 30, 'viz:color': '#ffcc00', alpha: 0.502, shape: 'roundrectangle' } },
      { id: 'b', metadata: { shape: 'star5' } },
      { id: 'c', metadata: { shape: 'ellipse', color: '#ffa500' } },
      { id: 'd' }
    ])
    t.same(
      content?.edges.map(({ metadata }) => metadata),
      [
        { color: '#ff0000', thickness: 2.5, shape: 'dotted' },
        { thickness: 1 },
        { thickness: 2, shape: 'dashed', color: '#663800', alpha: 0.502 },
        { color: '#0000ff', thickness: 3, shape: 'dot' }
      ]
    )
    t.same(losses, { 'visual-dropped': 3 }, 'a border, a fill and an arrow')
  }
)

t.test('styles are written as attributes, and as drawings that yEd shows', async (t) => {
  const graph = {
    directed: true,
    nodes: [
      {
        id: 'a',
        label: 'A & B',
        x: 10,
        y: 20,
        metadata: { fillcolor: 'red', size: 20, height: 10, shape: 'disc', alpha: 0.3 }
      },
      { id: 'b', metadata: { shape: 'star5', color: '#00ff00' } },
      { id: 'c', metadata: { color: 'high', size: 5000 } }
    ],
    edges: [
      {
        source: 'a',
        target: 'b',
        label: 'l',
        directed: false,
        metadata: { color: '#0000FF', thickness: 2, shape: 'dashed' }
      },
      { source: 'b', target: 'c' }
    ]
  }
  const { text, losses } = write('graphml', graph)
  t.same(losses, {})
  t.same(text.match(/<y:.*?(?=<\/data>)|<key id="y.*/g), [
    '<key id="yn" for="node" yfiles.type="nodegraphics"/>',
    '<key id="ye" for="edge" yfiles.type="edgegraphics"/>',
    '<y:ShapeNode><y:Geometry width="20" height="10" x="0" y="-25"/><y:Fill color="#ff00004d"/><y:Shape type="ellipse"/><y:NodeLabel>A &amp; B</y:NodeLabel></y:ShapeNode>',
    '<y:ShapeNode><y:Fill color="#00ff00"/><y:Shape type="star5"/></y:ShapeNode>',
    '<y:PolyLineEdge><y:LineStyle color="#0000ff" type="dashed" width="2"/><y:Arrows source="none" target="none"/><y:EdgeLabel>l</y:EdgeLabel></y:PolyLineEdge>'
  ])
  const back = await read('graphml', text)
  t.same(back.losses, {})
  t.same(back.content, graph)
  t.notMatch(write('graphml', { nodes: [{ id: 'a', metadata: { color: 'high' } }], edges: [] }).text, /y:|yfiles/)
})

t.test('data with elements other than drawings is kept as it is written', async (t) => {
  const { content, losses, faults } = await readParts(
    `<key id="d0" for="node" attr.name="person" attr.type="string"/><key id="d1" for="node" attr.name="MaltegoEntity"/>
       <key id="d2" for="node" attr.name="n" attr.type="int"/><key id="d3" for="node" attr.name="drawn"/><key id="d4" for="node" yfiles.type="nodegraphics"/>`,
    `<node id="n0"><data key="d0">\r\n <p:person><p:name>Ada &amp; 🜁</p:name><p:role a='1'/></p:person>\n</data></node>
       <node id="n1"><data key="d0">plain</data><data key="d1">🜁 <Label Text="no"/> <![CDATA[<b>]]></data><data key="d2"><b>1</b></data></node>
       <node id="n2"><data key="d3"><ShapeNode xmlns="http://www.yworks.com/xml/graphml"><NodeLabel>A</NodeLabel></ShapeNode></data></node>
       <node id="n3"><data key="d4"><mtg:EntityRenderer><mtg:Position x="1" y="2"/></mtg:EntityRenderer></data></node>
       <node id="n4"><data key="none"><a/></data></node>`
  )
  t.same(faults, [])
  t.same(losses, { 'key-undeclared': 1, 'visual-dropped': 1 })
  t.same(content?.nodes, [
    { id: 'n0', metadata: { person: "<p:person><p:name>Ada &amp; 🜁</p:name><p:role a='1'/></p:person>" } },
    {
      id: 'n1',
      metadata: { person: 'plain', MaltegoEntity: '🜁 <Label Text="no"/> <![CDATA[<b>]]>', n: '<b>1</b>' }
    },
    { id: 'n2', label: 'A' },
    { id: 'n3' },
    { id: 'n4', metadata: { none: '<a/>' } }
  ])
})

t.test('values of undeclared keys are kept under their ids', async (t) => {
  const { content, losses, faults } = await readParts(
    '<key id="label" for="node" attr.name="label" attr.type="string"/><key id="title" for="node" attr.name="title" attr.type="string"/>',
    `<node id="n29" labels=":Page:Old"><data key="labels">:Page:Old</data><data key="title">Langs</data></node>
       <node id="n30"><data key="rank">1.5</data><data key="zip">007</data><data key="empty"> </data><port name="p"><data key="q">1</data></port></node>
       <edge id="e7" source="n29" target="n30" label="LINKS"><data key="label">LINKS</data></edge>`
  )
  t.same(faults, [])
  t.same(losses, { 'key-undeclared': 4, 'ports-dropped': 1 })
  t.same(content?.nodes, [
    { id: 'n29', metadata: { labels: ':Page:Old', title: 'Langs' } },
    { id: 'n30', metadata: { rank: 1.5, zip: '007' } }
  ])
  t.same(content?.edges, [{ id: 'e7', source: 'n29', target: 'n30', label: 'LINKS' }])
})

t.test('of two keys with the same name, the second on an element is kept under its id', async (t) => {
  const { content, losses, faults } = await readParts(
    '<key id="k" attr.name="n"/><key id="l" for="node" attr.name="n" attr.type="int"/>',
    `<node id="a"><data key="k">x</data><data key="l">2</data></node><node id="b"><data key="l">3</data></node>
       <node id="c"><data key="k">4</data></node><edge source="a" target="b"><data key="k">5</data></edge>`
  )
  t.same(faults, [])
  t.same(losses, { 'key-undeclared': 1 })
  t.same(
    content?.nodes.map(({ metadata }) => metadata),
    [{ n: 'x', l: 2 }, { n: 3 }, { n: '4' }]
  )
  t.same(content?.edges, [{ source: 'a', target: 'b', metadata: { n: '5' } }])
})

t.test('a key that is declared with several types counts as undeclared', async (t) => {
  const { content, losses, faults } = await readParts(
    `<key id="n" for="node" attr.name="n" attr.type="long"/><key id="n" for="node" attr.name="n" attr.type="string"/>
       <key id="n" for="edge" attr.name="n" attr.type="string"/>`,
    `<node id="a"><data key="n">1</data></node><node id="b"><data key="n">x</data></node>
       <edge source="a" target="b"><data key="n">2</data></edge>`
  )
  t.same(faults, [])
  t.same(losses, { 'key-undeclared': 2 })
  t.same(
    content?.nodes.map(({ metadata }) => metadata),
    [{ n: 1 }, { n: 'x' }]
  )
  t.same(content?.edges, [{ source: 'a', target: 'b', metadata: { n: '2' } }])
})

t.test('an id may be declared once for nodes and once for edges, as Neo4j does', async (t) => {
  const keys = `<key id="name" for="node" attr.name="name" attr.type="string"/><key id="name" for="edge" attr.name="title" attr.type="int"/>
    <key id="name" for="node" attr.name="name" attr.type="string"/><key id="label" for="edge" attr.name="label"/>`
  const { content, faults, losses } = await readParts(
    keys,
    `<node id="n0" labels=":Person"><data key="name">Ada</data></node>
       <edge id="e0" source="n0" target="n0" label="KNOWS"><data key="label">KNOWS</data><data key="name">7</data></edge>`
  )
  t.same(faults, [])
  t.same(losses, {})
  t.same(content?.nodes, [{ id: 'n0', metadata: { name: 'Ada', labels: ':Person' } }])
  t.same(content?.edges, [{ id: 'e0', source: 'n0', target: 'n0', label: 'KNOWS', metadata: { title: 7 } }])
})

t.test('keys may be declared after the graph', async (t) => {
  const graph = '<graph edgedefault="directed"><node id="a"><data key="d">7</data></node><node id="b"/></graph>'
  const key = '<key id="d" for="node" attr.name="rank" attr.type="int"><default>3</default></key>'
  const { content, faults, losses } = await read('graphml', `<graphml>${graph}${key}</graphml>`)
  t.same(faults, [])
  t.same(losses, {})
  t.same(content?.nodes, [
    { id: 'a', metadata: { rank: 7 } },
    { id: 'b', metadata: { rank: 3 } }
  ])
  t.same((await read('graphml', `<graphml>${graph}${key.replace('"int"', '"long"')}<key/></graphml>`)).faults, [
    { line: 1, column: 187, code: 'required', detail: 'a key has no id' }
  ])
})

t.test(
  'an external DTD is not fetched, a graph without a direction is undirected, and both are reported',
  async (t) => {
    const graph = '<graphml><graph><node id="a"/><edge source="a" target="a"/></graph></graphml>'
    for (const type of [
      'graphml SYSTEM "http://127.0.0.1:9/graphml.dtd"',
      "graphml PUBLIC '-//GraphML//EN' \"g'[1].dtd\"",
      'graphml'
    ]) {
      const { content, losses } = await read('graphml', `<!DOCTYPE ${type}>${graph}`)
      t.same(content, { directed: false, nodes: [{ id: 'a' }], edges: [{ source: 'a', target: 'a' }] }, type)
      t.same(losses, { 'direction-assumed': 1, 'doctype-ignored': 1 })
    }
    for (const type of ['graphml []', 'graphml SYSTEM "a" [<!ENTITY b "c">]', `graphml SYSTEM "${'a'.repeat(1000)}"`]) {
      t.match((await read('graphml', `<!DOCTYPE ${type}>${graph}`)).faults, [{ code: 'doctype' }], type)
    }
    const { losses } = await readParts('', '', 'edgedefault="Directed"')
    t.same(losses, {}, 'the document type is case-insensitive')
  }
)

t.test('null values, unknown types and lists are read and reported', async (t) => {
  const { content, losses, faults } = await readParts(
    `<key id="n" attr.name="n" attr.type="Double"/><key id="c" attr.name="c" attr.type="colour"/>
       <key id="l" attr.name="l" attr.type="string" attr.list="long"/><key id="plain"/>`,
    `<node id="a"><data key="n">null</data><data key="c">red</data><data key="l">[1,2]</data><data key="plain">text</data></node>
       <node id="b"><data key="n">1.5</data><data key="n">1.5</data></node>`
  )
  t.same(faults, [])
  t.same(losses, { 'list-as-text': 1, 'null-dropped': 1, 'type-unknown': 1 })
  t.same(content?.nodes, [
    { id: 'a', metadata: { c: 'red', l: '[1,2]', plain: 'text' } },
    { id: 'b', metadata: { n: 1.5 } }
  ])
})

t.test('all faults are reported with line and column', async (t) => {
  const cases: [string, object[]][] = [
    ['<chart/>', [{ code: 'required', line: 1, column: 1 }]],
    ['<graphml/>', [{ code: 'required' }]],
    [file('', '<node/>'), [{ code: 'required', detail: 'a node has no id', line: 4 }, {}]],
    [file('', '<node id="a"/>\n <node id="a"/>'), [{ code: 'duplicate-id', line: 5, column: 2, element: 'node "a"' }]],
    [
      file('', '\n\n  <edge source="a" target="b"/>'),
      [
        { code: 'unknown-node', line: 6, column: 3 },
        { code: 'unknown-node', line: 6 }
      ]
    ],
    [file('', '<node id="a"/><edge source="a"/>'), [{ code: 'required', detail: 'an edge has no target' }]],
    [file('', '<node id="a">\n<data>1</data></node>'), [{ code: 'required', line: 5, column: 1 }]],
    [
      file('<key id="k" for="node" attr.type="int" attr.name="k"/>', '<node id="a"><data key="k">x</data></node>'),
      [{ code: 'malformed', detail: '"x" is not a valid int, the declared type of "k"' }]
    ],
    [
      file('<key id="k" attr.name="a"/>\n<key id="k" attr.name="b"/>', ''),
      [{ code: 'duplicate-id', line: 4, detail: 'key "k" is declared twice with different definitions' }]
    ],
    [
      file(
        '<key id="k" for="node" attr.name="n"/><key id="l" for="edge" attr.name="n"/>',
        '<node id="a"><data key="k">1</data>\n<data key="k">2</data></node>'
      ),
      [{ code: 'repeated', line: 5, column: 1 }]
    ],
    [file('', '<node id="a"><data key="k">1</data>\n<data key="k">2</data></node>'), [{ code: 'repeated', line: 5 }]],
    [
      file('', '', 'edgedefault="both"'),
      [{ code: 'not-allowed', detail: 'edgedefault must be directed or undirected' }]
    ],
    [file('', '<hyperedge/>'), [{ code: 'hyperedges', line: 4 }]],
    [file('', '</graph>\n<graph edgedefault="directed">'), [{ code: 'several-graphs', line: 5, column: 1 }]],
    [file('', '<node id="a">'), [{ code: 'malformed-xml', line: 4 }]],
    [file('', '<node id="a&b;"/>'), [{ code: 'malformed-xml', line: 4 }]],
    ['<graphml><node id="a"/></graphml>', [{ code: 'misplaced' }]]
  ]
  for (const [text, faults] of cases) {
    const report = await read('graphml', text)
    t.match(report.faults, faults, text.slice(0, 200))
    t.equal(report.content, undefined)
  }
  const many = await readParts('', '<edge source="x" target="y"/>\n'.repeat(100))
  const lines = [4, 5, 6, 7, 8, 9, 10, 11, 12, 13]
  const fault = { element: 'edge 1, "x" to "y"', code: 'unknown-node', count: 100, lines }
  t.same(many.faults, [
    { line: 4, column: 31, ...fault, detail: 'source is not the id of a node' },
    { line: 4, column: 31, ...fault, detail: 'target is not the id of a node' }
  ])
  t.equal(many.faultCount, 200)
  const different = Array.from({ length: 60 }, (_, index) => `<edge source="a" target="y${index}"/>\n`).join('')
  const cut = await readParts('', `<node id="a"/>${different}`)
  t.equal(cut.faults.length, 50)
  t.equal(cut.faultCount, 60, 'the remaining faults are counted')
})

t.test('the encoding comes from the request or from the file', async (t) => {
  const body = '<graphml><graph edgedefault="directed"><node id="é"/></graph></graphml>'
  const latin = Buffer.from(`<?xml version="1.0" encoding="ISO-8859-1"?>${body}`, 'latin1')
  t.match((await read('graphml', latin)).content, { nodes: [{ id: 'é' }] })
  t.match((await read('graphml', Buffer.from(`\ufeff${body}`, 'utf16le'))).content, { nodes: [{ id: 'é' }] })
  t.match((await read('graphml', Buffer.from(body, 'latin1'), { charset: 'iso-8859-1' })).content, {
    nodes: [{ id: 'é' }]
  })
  t.match((await read('graphml', Buffer.from(body, 'latin1'))).faults, [{ code: 'malformed-encoding', line: 1 }])
  t.match((await read('graphml', Buffer.from(body), { charset: 'klingon' })).faults, [{ code: 'malformed-encoding' }])
})

t.test('exports have typed keys', async (t) => {
  const { text, losses } = write('graphml', {
    directed: false,
    nodes: [
      { id: 'a<"', label: 'A\n&', metadata: { n: 1, m: 'x', list: [1], nested: [[1]] } },
      { id: 'b', metadata: { n: 2.5, m: 3, big: 2 ** 40 } }
    ],
    edges: [{ id: 'e', source: 'a<"', target: 'b', directed: true, metadata: { weight: 2 } }]
  })
  t.same(losses, { 'list-as-text': 1, 'nested-metadata': 1, 'type-widened': 1 })
  const parts = [
    '<key id="n0" for="node" attr.name="label" attr.type="string"/>',
    'attr.name="n" attr.type="double"/>',
    'attr.name="m" attr.type="string"/>',
    'attr.name="big" attr.type="long"/>',
    'attr.name="weight" attr.type="int"/>',
    '<graph edgedefault="undirected">',
    '<node id="a&lt;&quot;"><data key="n0">A&#10;&amp;</data>',
    '<edge id="e" source="a&lt;&quot;" target="b" directed="true"><data key="e0">2</data></edge>'
  ]
  for (const part of parts) t.ok(text.includes(part), part)
})

t.test('NaN and infinity stay in a column of numbers', async (t) => {
  const key = '<key id="d0" for="node" attr.name="pagerank" attr.type="double"/>'
  const values = ['0.25', 'NaN', 'INF', '-inf', '+Infinity', '-NaN']
  const { content } = await readParts(
    key,
    values.map((value, index) => `<node id="${index}"><data key="d0">${value}</data></node>`).join('')
  )
  const { text, losses } = write('graphml', content as GraphContent)
  t.same(losses, {})
  t.match(text, 'attr.name="pagerank" attr.type="double"')
  t.same(
    [...text.matchAll(/<data key="n0">(.*?)<\/data>/g)].map(([, value]) => value),
    ['0.25', 'NaN', 'INF', '-INF', 'INF', 'NaN']
  )
  const nodes = (values: unknown[]) => values.map((n, index) => ({ id: String(index), metadata: { n } }))
  const types = [
    [[1, 'NaN'], 'double', {}],
    [['NaN', 'inf'], 'string', {}],
    [[1, 'NaN', 'Nancy'], 'string', { 'type-widened': 1 }],
    [[true, 'NaN'], 'string', { 'type-widened': 1 }],
    [[1, 'NaN', [2]], 'string', { 'list-as-text': 1, 'type-widened': 1 }]
  ] as const
  for (const [values, type, losses] of types) {
    const written = write('graphml', { nodes: nodes([...values]), edges: [] })
    t.match(written.text, `attr.name="n" attr.type="${type}"`, JSON.stringify(values))
    t.same(written.losses, losses, JSON.stringify(values))
  }
})
