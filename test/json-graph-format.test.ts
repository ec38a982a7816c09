import t from 'tap'
import { formatOfFile } from '../src/formats/index.ts'
import { jsonGraphFormat } from '../src/formats/json-graph-format.ts'

const read = (value: unknown) => jsonGraphFormat.read(Buffer.from(JSON.stringify(value)))

t.test('version 1 has nodes in an array', async (t) => {
  const file = read({
    graph: {
      id: 'g',
      type: 'LINE',
      label: 'A graph',
      directed: false,
      metadata: { a: 1 },
      nodes: [{ id: 'a', label: 'A', metadata: null }, { id: 'b' }],
      edges: [{ source: 'a', target: 'b', relation: 'r', directed: null, label: null, metadata: { weight: 2 } }]
    }
  })
  t.match(file, { name: 'A graph', type: 'LINE' })
  t.same(file.content, {
    directed: false,
    label: 'A graph',
    metadata: { a: 1 },
    nodes: [{ id: 'a', label: 'A' }, { id: 'b' }],
    edges: [{ source: 'a', target: 'b', relation: 'r', metadata: { weight: 2 } }]
  })
  t.equal(file.origin('#/nodes/1/label'), '#/graph/nodes/1/label')
})

t.test('version 2 has nodes in an object, by id', async (t) => {
  const nodes = JSON.parse('{"a": {"label": "A"}, "__proto__": {"metadata": {"x": 1}}, "o/d~d": {}}')
  const file = read({ graph: { id: 'g', nodes, edges: [{ id: 'e', source: 'a', target: '__proto__' }] } })
  t.equal(file.name, 'g')
  t.equal(
    JSON.stringify(file.content),
    JSON.stringify({
      directed: true,
      nodes: [{ label: 'A', id: 'a' }, { metadata: { x: 1 }, id: '__proto__' }, { id: 'o/d~d' }],
      edges: [{ id: 'e', source: 'a', target: '__proto__' }]
    })
  )
  t.equal(file.origin('#/nodes/2/label'), '#/graph/nodes/o~1d~0d/label')
  t.equal(file.origin('#/edges/0/source'), '#/graph/edges/0/source')
})

t.test('graphs of one is a graph; nodes and edges may be absent', async (t) => {
  const file = read({ graphs: [{ label: 'only' }] })
  t.match(file, { name: 'only', content: { directed: true, nodes: [], edges: [] } })
  t.equal(file.origin('#/edges/0'), '#/graphs/0/edges/0')
})

t.test('what cannot be kept is refused, with its place', async (t) => {
  const cases: [unknown, string, string][] = [
    [[], '#/graph', 'required'],
    [{ nodes: [], links: [] }, '#/graph', 'required'],
    [{ graph: [] }, '#/graph', 'required'],
    [{ graphs: [] }, '#/graphs', 'several-graphs'],
    [{ graphs: [{}, {}] }, '#/graphs', 'several-graphs'],
    [{ graph: { hyperedges: [{ nodes: ['a', 'b', 'c'] }] } }, '#/graph/hyperedges', 'hyperedges'],
    [{ graph: { type: 5 } }, '#/graph/type', 'wrong-type'],
    [{ graph: { vertices: [] } }, '#/graph/vertices', 'unknown-field']
  ]
  for (const [value, pointer, code] of cases) {
    t.throws(() => read(value), { code: 'validation-failed', circumstances: { errors: [{ pointer, code }] } }, pointer)
  }
  t.throws(() => jsonGraphFormat.read(Buffer.from('{"graph": {')), {
    code: 'malformed-json',
    message: /line 1, column 12/
  })
})

t.test('a format is told by the ending of the file', async (t) => {
  t.equal(formatOfFile('a.jgf.json')?.name, 'jgf')
  t.equal(formatOfFile('A.JSON')?.name, 'jgf')
  t.equal(formatOfFile('a.png'), undefined)
})
