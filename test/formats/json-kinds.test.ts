import t from 'tap'
import { only } from '../support/engine.ts'
import { read } from '../support/formats.ts'

t.test('a file that is not of the named kind is refused', only('SQLite', 'readers use no database'), async (t) => {
  for (const [name, title] of Object.entries({
    adjacency: 'adjacency JSON',
    canvas: 'JSON Canvas',
    cyclonedx: 'CycloneDX JSON',
    dbt: 'dbt manifest',
    'gephi-lite': 'Gephi Lite workspace',
    npm: 'npm JSON',
    pipdeptree: 'pipdeptree JSON',
    spdx: 'SPDX JSON',
    vosviewer: 'VOSviewer JSON'
  })) {
    const { faults } = await read(name, { elements: [] })
    t.same(
      faults.map(({ detail }) => detail.split(': ').at(-1)),
      [`this is not ${title}`],
      name
    )
  }
})

t.test('Neo4j: elements are found at any depth, once each', async (t) => {
  const node = (low: number) => ({ identity: { low, high: 1 }, labels: ['A'], properties: { name: `n${low}` } })
  const start = { low: 0, high: 1 }
  const end = { low: 1, high: 1 }
  const relationship = { identity: { low: 9, high: 0 }, start, end, type: 'T', properties: { w: 2 } }
  const path = { start: node(0), end: node(1), segments: [{ start: node(0), relationship, end: node(1) }], length: 1 }
  const { format, content, losses } = await read(undefined, [{ p: path }, { p: path, r: [relationship] }])
  t.equal(format, 'neo4j')
  t.same(content?.nodes, [
    { id: '4294967296', label: 'n0', metadata: { labels: ['A'] } },
    { id: '4294967297', label: 'n1', metadata: { labels: ['A'] } }
  ])
  t.same(content?.edges, [{ id: '9', source: '4294967296', target: '4294967297', relation: 'T', metadata: { w: 2 } }])
  t.same(losses, { 'id-as-text': 17 })
  const apoc = {
    nodes: [{ type: 'node', id: '0', labels: ['U'], properties: {} }],
    rels: [{ type: 'relationship', id: '1', label: 'K', start: { id: '0' }, end: { id: '5' } }]
  }
  const whole = await read(undefined, apoc)
  t.same(whole.content?.edges, [{ id: '1', source: '0', target: '5', relation: 'K' }])
  t.same(whole.losses, { 'node-not-in-table': 1 })
})

t.test('adjacency: each undirected edge is read once', async (t) => {
  const nodes = [{ id: 'a' }, { id: 'b' }]
  const [a, b] = [{ id: 'a' }, { id: 'b' }]
  const { content, losses } = await read(undefined, {
    nodes,
    adjacency: [
      [a, { ...b, key: 0 }, { ...b, key: 1 }],
      [
        { ...a, key: 0 },
        { ...a, key: 1 }
      ]
    ]
  })
  t.same(content?.edges, [
    { source: 'a', target: 'a' },
    { source: 'a', target: 'b', metadata: { key: 0 } },
    { source: 'a', target: 'b', metadata: { key: 1 } }
  ])
  t.same(losses, { 'direction-assumed': 1 })
  const directed = await read(undefined, { directed: true, graph: { name: 'g' }, nodes, adjacency: [[b], [a]] })
  t.same([directed.name, directed.edgeCount], ['g', 2])
})

t.test('canvas: arrows give the direction, and cards without edges are a canvas', async (t) => {
  const card = (id: string) => ({ id, type: 'text', text: id, x: 0, y: 0, width: 10, height: 20 })
  const edge = (arrows: object) => ({ fromNode: 'a', toNode: 'b', ...arrows })
  const { content } = await read(undefined, {
    nodes: [card('a'), card('b')],
    edges: [edge({}), edge({ fromEnd: 'arrow', toEnd: 'none' }), edge({ fromEnd: 'arrow' })]
  })
  t.same(
    content?.edges.map(({ source, target, directed }) => [source, target, directed]),
    [
      ['a', 'b', undefined],
      ['b', 'a', undefined],
      ['a', 'b', false]
    ]
  )
  const { format, content: cards } = await read(undefined, { nodes: [card('a')], edges: [] })
  t.equal(format, 'canvas')
  t.same(cards?.nodes, [{ id: 'a', label: 'a', x: 5, y: -10, metadata: { type: 'text', width: 10, height: 20 } }])
  t.equal((await read(undefined, { nodes: [{ ...card('a'), position: { x: 1 } }], edges: [] })).format, 'node-link')
})

t.test('Gephi Lite 1 has the positions in its layout', async (t) => {
  const { content } = await read(undefined, {
    type: 'gephi-lite',
    graphDataset: {
      nodeData: { a: { label: 'A' } },
      layout: { a: { x: 1, y: 2 } },
      fullGraph: {
        options: { type: 'mixed' },
        nodes: [{ key: 'a' }],
        edges: [{ source: 'a', target: 'a', undirected: true }]
      }
    }
  })
  t.same(content?.nodes, [{ id: 'a', label: 'A', x: 1, y: 2 }])
  t.same(content?.edges, [{ source: 'a', target: 'a', directed: false }])
})
