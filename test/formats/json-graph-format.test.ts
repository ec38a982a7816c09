import t from 'tap'
import { read, write } from '../support/formats.ts'

t.test('version 1 has nodes in an array', async (t) => {
  const file = await read('jgf', {
    graph: {
      id: 'g',
      type: 'LINE',
      label: 'A graph',
      directed: false,
      metadata: { a: 1 },
      nodes: [
        { id: 'a', label: 'A', metadata: null },
        { id: 'b', metadata: { x: 1, y: 2.5, weight: 3 }, group: 7 }
      ],
      edges: [{ source: 'a', target: 'b', relation: 'r', directed: null, label: null, metadata: { weight: 2 } }]
    }
  })
  t.match(file, { name: 'A graph', type: 'LINE', version: '1', valid: true })
  t.same(file.content, {
    directed: false,
    label: 'A graph',
    metadata: { a: 1 },
    nodes: [
      { id: 'a', label: 'A' },
      { id: 'b', x: 1, y: 2.5, metadata: { group: 7, weight: 3 } }
    ],
    edges: [{ source: 'a', target: 'b', relation: 'r', metadata: { weight: 2 } }]
  })
})

t.test('version 2 has nodes in an object, in the order of the file', async (t) => {
  const text =
    '{"graph": {"id": "g", "nodes": {"b": {"label": "B"}, "__proto__": {}, "10": {}, "9": {}, "o/d~d": {}}, "edges": [{"id": "e", "source": "b", "target": "__proto__"}]}}'
  const file = await read('jgf', text)
  t.match(file, { name: 'g', version: '2' })
  const ids = file.content?.nodes.map(({ id }) => id)
  t.same(ids, ['b', '__proto__', '10', '9', 'o/d~d'])
  t.same(file.content?.edges, [{ id: 'e', source: 'b', target: '__proto__' }])
  t.equal(({} as { label?: string }).label, undefined, 'Object.prototype is unchanged')
})

t.test('a graphs array with one entry is read as that graph; nodes and edges may be absent', async (t) => {
  const { name, content } = await read('jgf', { graphs: [{ label: 'only' }] })
  t.same([name, content], ['only', { label: 'only', directed: true, nodes: [], edges: [] }])
})

t.test('values that cannot be stored exactly are refused with their position', async (t) => {
  const cases: [unknown, string, string][] = [
    [[], '#', 'required'],
    [{ nodes: [], links: [] }, '#', 'required'],
    [{ graph: [] }, '#/graph', 'required'],
    [{ graphs: [] }, '#/graphs', 'several-graphs'],
    [{ graphs: [{}, {}] }, '#/graphs', 'several-graphs'],
    [{ graph: { hyperedges: [{ nodes: ['a', 'b', 'c'] }] } }, '#/graph/hyperedges', 'hyperedges'],
    [{ graph: { type: 5 } }, '#/graph/type', 'wrong-type'],
    [{ graph: { vertices: [] } }, '#/graph/vertices', 'unknown-field'],
    [{ graph: { nodes: [{ id: 'a' }, { id: 'a' }] } }, '#/graph/nodes/1/id', 'duplicate-id'],
    [{ graph: { nodes: { a: 5 } } }, '#/graph/nodes/a', 'wrong-type'],
    [{ graph: { nodes: [{ label: 'A' }] } }, '#/graph/nodes/0', 'required'],
    [{ graph: { nodes: { a: { label: 5 } } } }, '#/graph/nodes/a/label', 'wrong-type']
  ]
  for (const [value, pointer, code] of cases) {
    const { faults, content } = await read('jgf', value)
    t.match(faults, [{ line: 1, pointer, code }], JSON.stringify(value))
    t.equal(content, undefined)
  }
  t.match(await read('jgf', '{"graph": {"nodes": {"a": {}, "b": {}, "a": {}}}}'), {
    faultCount: 1,
    faults: [{ code: 'duplicate-id' }]
  })
  t.match(await read('jgf', '{"graph":\n {'), { faults: [{ code: 'malformed-json', line: 2, column: 3 }] })
})

t.test('exports are version 2, with positions in metadata', async (t) => {
  const { text, losses } = write('jgf', {
    directed: false,
    nodes: [
      { id: '2', x: 1, y: 2 },
      { id: '1', label: 'one', metadata: { x: 'no' } }
    ],
    edges: [{ source: '2', target: '1', directed: true }]
  })
  t.same(JSON.parse(text), {
    graph: {
      id: 'g',
      directed: false,
      nodes: { 1: { label: 'one', metadata: { 'metadata.x': 'no' } }, 2: { metadata: { x: 1, y: 2 } } },
      edges: [{ source: '2', target: '1', directed: true }]
    }
  })
  t.match(text, /"2":[\s\S]*"1":/, 'nodes are in the order of the graph')
  t.same(losses, { 'attribute-renamed': 1 })
})
