import t from 'tap'
import { read, write } from '../support/formats.ts'

const node = { data: { id: 'a', label: 'A', parent: 'p' }, position: { x: 1, y: 2 }, classes: 'big' }
const parent = { data: { id: 'p', name: 'Group' } }
const edge = { data: { id: 'e', source: 'a', target: 'p', interaction: 'in', weight: 2, name: 'a (in) p' } }
const content = {
  directed: true,
  nodes: [
    { id: 'a', label: 'A', x: 1, y: -2, metadata: { parent: 'p', classes: 'big' } },
    { id: 'p', label: 'Group' }
  ],
  edges: [{ id: 'e', source: 'a', target: 'p', relation: 'in', label: 'a (in) p', metadata: { weight: 2 } }]
}

t.test('elements are read from an object with lists, from one with a single list, and from a bare list', async (t) => {
  const files = [
    { elements: { nodes: [node, parent], edges: [edge] } },
    { elements: [edge, node, parent] },
    [{ group: 'edges', ...edge }, { group: 'nodes', ...node }, parent]
  ]
  for (const file of files) {
    const { content: found, losses } = await read('cytoscape', file)
    t.same(found, content)
    t.same(losses, {})
  }
})

t.test('graph attributes are read from Cytoscape 3 and networkx', async (t) => {
  const elements = { nodes: [{ data: { id: 8220, name: 'x', label: 'y' }, style: {} }] }
  t.match(await read('cytoscape', { format_version: '1.0', data: { name: 'N', SUID: 5 }, elements, style: [] }), {
    name: 'N',
    version: '1.0',
    losses: { 'visual-dropped': 2, 'id-as-text': 1 },
    content: { metadata: { SUID: 5 }, nodes: [{ id: '8220', label: 'y', metadata: { name: 'x' } }] }
  })
  const { name, content } = await read('cytoscape', {
    data: [
      ['name', 'P'],
      ['k', 1]
    ],
    directed: false,
    multigraph: false,
    elements: {}
  })
  t.same([name, content], ['P', { directed: false, metadata: { k: 1 }, nodes: [], edges: [] }])
})

t.test('every fault has its position', async (t) => {
  t.match(await read('cytoscape', {}), { faults: [{ code: 'required' }] })
  t.match(
    await read('cytoscape', {
      elements: { nodes: [{}, { data: {} }, 1], edges: [{ data: { source: 'a', target: 'b' } }] }
    }),
    {
      faults: [
        { pointer: '#/elements/nodes/0', code: 'required' },
        { pointer: '#/elements/nodes/2', code: 'wrong-type' },
        { pointer: '#/elements/nodes/0', code: 'required', element: 'node 1', count: 2, lines: [1] },
        { pointer: '#/elements/edges/0', code: 'unknown-node' },
        { pointer: '#/elements/edges/0', code: 'unknown-node' }
      ]
    }
  )
})

t.test('exports have elements, data and positions', async (t) => {
  const { text, losses } = write('cytoscape', {
    ...content,
    directed: false,
    nodes: [...content.nodes, { id: 'q', x: 3, metadata: { name: 5 } }]
  })
  t.match(JSON.parse(text), {
    directed: false,
    data: { name: 'g' },
    elements: {
      nodes: [
        { data: { id: 'a', label: 'A', parent: 'p' }, position: { x: 1, y: 2 } },
        { data: { id: 'p', label: 'Group' } },
        { data: { id: 'q', x: 3, 'metadata.name': 5 } }
      ],
      edges: [{ data: { id: 'e', source: 'a', target: 'p', interaction: 'in', label: 'a (in) p', weight: 2 } }]
    }
  })
  t.same(losses, { 'attribute-renamed': 1 })
})
