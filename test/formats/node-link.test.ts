import t from 'tap'
import { read, write } from '../support/formats.ts'

t.test('files from networkx are read with attributes as metadata', async (t) => {
  const file = await read('node-link', {
    directed: true,
    multigraph: true,
    graph: { name: 'N', year: 1993 },
    nodes: [{ id: 1, label: 'one', size: 2, x: 0.5, y: -1 }, { id: 2, tags: ['a'] }, { id: [1, 2] }],
    links: [
      { source: 1, target: 2, key: 0, weight: 3 },
      { source: 1, target: 2, key: 1 }
    ]
  })
  t.match(file, { name: 'N', losses: { 'id-as-text': 7 } })
  t.same(file.content, {
    directed: true,
    metadata: { name: 'N', year: 1993 },
    nodes: [
      { id: '1', label: 'one', x: 0.5, y: -1, metadata: { size: 2 } },
      { id: '2', metadata: { tags: ['a'] } },
      { id: '[1,2]' }
    ],
    edges: [
      { source: '1', target: '2', metadata: { key: 0, weight: 3 } },
      { source: '1', target: '2', metadata: { key: 1 } }
    ]
  })
})

t.test('ends are ids, names, or indices as in old versions of d3', async (t) => {
  const ends = async (nodes: unknown[], links: unknown[]) => {
    const { content, faults } = await read('node-link', { nodes, links })
    return content?.edges.map(({ source, target }) => `${source}-${target}`) ?? faults.map(({ code }) => code)
  }
  const named = [{ name: 'a' }, { name: 'b' }, { name: 'c' }]
  t.same(await ends(named, [{ source: 0, target: 2 }]), ['0-2'], 'indices')
  t.same(await ends(named, [{ source: 'a', target: 'c' }]), ['a-c'], 'names')
  t.same(await ends([{ id: 'a' }, { id: 'b' }], [{ source: 1, target: 0 }]), ['b-a'], 'indices of nodes that have ids')
  t.same(await ends([{ id: 5 }, { id: 0 }], [{ source: 0, target: 5 }]), ['0-5'], 'ids that are numbers')
  t.same(
    await ends([{ id: 'a' }], [{ source: { id: 'a', x: 1 }, target: { index: 0, id: 'a' } }]),
    ['a-a'],
    'ends are nodes after a d3 simulation'
  )
  t.same(await ends(named, [{ source: 0, target: 3 }]), ['unknown-node', 'unknown-node'], 'an index out of range')
  t.same(await ends([{ id: 'a' }], [{ source: 'a', target: 'b' }, { source: 'a' }]), ['unknown-node', 'required'])
})

t.test('links are undirected unless the file says otherwise; edges are directed', async (t) => {
  t.equal((await read('node-link', { nodes: [], links: [] })).content?.directed, false)
  t.equal((await read('node-link', { nodes: [], edges: [] })).content?.directed, true)
  t.equal((await read('node-link', { nodes: [], directed: false })).content?.directed, false)
})

t.test('GraphContent is read unchanged', async (t) => {
  const content = {
    directed: false,
    label: 'L',
    metadata: { a: { b: 1 }, 'metadata.c': 2 },
    nodes: [
      { id: 'a', label: 'A', x: 1, y: 2, z: 3, metadata: { label: 5, 'metadata.x': 1, id: 'other' } },
      { id: 'b' }
    ],
    edges: [{ id: 'e', source: 'a', target: 'b', directed: true, relation: 'r', label: 'l', metadata: { source: 1 } }]
  }
  const { content: found, losses } = await read('node-link', content)
  t.same(found, content)
  t.same(losses, {})
})

t.test('every fault has its line', async (t) => {
  t.match(await read('node-link', { links: [] }), {
    faultCount: 1,
    faults: [{ pointer: '#', code: 'required', line: 1 }]
  })
  t.match(await read('node-link', { nodes: [], links: [{}], edges: [{}] }), {
    faultCount: 1,
    faults: [{ pointer: '#/links', code: 'ambiguous' }]
  })
  t.match(await read('node-link', '{"nodes": [{"id": "a"},\n {"id": "a"}, 5], "edges": 3, "directed": "yes"}'), {
    faultCount: 4,
    faults: [
      { pointer: '#/directed', code: 'wrong-type' },
      { pointer: '#/nodes/2', code: 'wrong-type', line: 2, column: 15 },
      { pointer: '#/edges', code: 'wrong-type' },
      { pointer: '#/nodes/1/id', element: 'node "a"', code: 'duplicate-id', line: 2, column: 9 }
    ]
  })
})

t.test('networkx 3.4 and later can read the export', async (t) => {
  const { text, losses } = write(
    'node-link',
    {
      nodes: [{ id: 'a', label: 'A', metadata: { label: 1, id: 2, size: 3 } }, { id: 'b' }],
      edges: [
        { id: 'e', source: 'a', target: 'b', metadata: { weight: 2 } },
        { source: 'a', target: 'b' }
      ]
    },
    { name: 'G', type: 'T' }
  )
  t.same(JSON.parse(text), {
    name: 'G',
    type: 'T',
    directed: true,
    multigraph: true,
    graph: {},
    nodes: [{ id: 'a', label: 'A', 'metadata.label': 1, 'metadata.id': 2, size: 3 }, { id: 'b' }],
    edges: [
      { source: 'a', target: 'b', id: 'e', weight: 2 },
      { source: 'a', target: 'b' }
    ]
  })
  t.same(losses, { 'attribute-renamed': 2 })
})

t.test('the JSON of graphology, vis-network, Cytoscape.js and KGX is read', async (t) => {
  const graphology = {
    attributes: { name: 'g' },
    options: { type: 'mixed', multi: false, allowSelfLoops: true },
    nodes: [{ key: 'a', attributes: { label: 'A', x: 1, size: 2 } }, { key: 'b' }],
    edges: [
      { key: 'e', source: 'a', target: 'b', attributes: { weight: 3 } },
      { key: 'f', source: 'b', target: 'a', undirected: true }
    ]
  }
  const { content } = await read(undefined, graphology)
  t.same(content, {
    directed: true,
    metadata: { name: 'g' },
    nodes: [{ id: 'a', label: 'A', x: 1, metadata: { size: 2 } }, { id: 'b' }],
    edges: [
      { id: 'e', source: 'a', target: 'b', metadata: { weight: 3 } },
      { id: 'f', source: 'b', target: 'a', directed: false }
    ]
  })
  const vis = { nodes: [{ id: 'a' }, { id: 'b' }], edges: [{ from: 'a', to: 'b' }] }
  t.same((await read(undefined, vis)).content?.edges, [{ source: 'a', target: 'b' }])
  const elements = { nodes: [{ data: { id: 'a' } }], edges: [{ data: { id: 'e', source: 'a', target: 'a' } }] }
  t.same((await read(undefined, elements)).content?.edges, [{ id: 'e', source: 'a', target: 'a' }])
  const kgx = { nodes: [{ id: 'a' }, { id: 'b' }], edges: [{ subject: 'a', predicate: 'p', object: 'b' }] }
  t.same((await read(undefined, kgx)).content?.edges, [{ source: 'a', target: 'b', relation: 'p' }])
})

t.test('React Flow: the label is in data, and the position on the canvas, relative to the parent', async (t) => {
  const file = {
    nodes: [
      { id: '1', type: 'input', data: { label: 'Start' }, position: { x: 250, y: 5 } },
      {
        id: '2',
        parentId: '1',
        data: { label: 'End', id: 'own', rank: 2, x: 9 },
        position: { x: 0, y: 100 },
        measured: { width: 1 }
      },
      { id: '3', parentNode: '2', data: {}, position: { x: 1, y: 1 }, label: 'outside' },
      { id: '4', data: { label: ['no', 'text'] } }
    ],
    edges: [
      { id: 'e1-2', source: '1', target: '2', animated: true, label: 'go', data: { label: 'other' } },
      { id: 'e2-3', source: '2', target: '3', data: { label: 'back', weight: 2 } }
    ],
    viewport: { x: 0, y: 0, zoom: 1 }
  }
  const { content, losses } = await read(undefined, file)
  t.same(losses, {})
  t.same(content, {
    directed: true,
    metadata: { viewport: { x: 0, y: 0, zoom: 1 } },
    nodes: [
      { id: '1', label: 'Start', x: 250, y: -5, metadata: { type: 'input' } },
      {
        id: '2',
        label: 'End',
        x: 250,
        y: -105,
        metadata: { parentId: '1', rank: 2, data: { id: 'own', x: 9 }, measured: { width: 1 } }
      },
      { id: '3', label: 'outside', x: 251, y: -106, metadata: { parentNode: '2' } },
      { id: '4', metadata: { label: ['no', 'text'] } }
    ],
    edges: [
      { id: 'e1-2', source: '1', target: '2', label: 'go', metadata: { animated: true, data: { label: 'other' } } },
      { id: 'e2-3', source: '2', target: '3', label: 'back', metadata: { weight: 2 } }
    ]
  })
})

t.test('G6: the label is in data or style, and the position in style', async (t) => {
  const { content } = await read(undefined, {
    nodes: [
      { id: 'a', data: { label: 'A', role: 'Admin' }, style: { x: 1, y: 2, fill: 'red' } },
      { id: 'b', style: { x: 3, y: 4, labelText: 'B' } }
    ],
    edges: [{ source: 'a', target: 'b', style: { labelText: 'knows' } }]
  })
  t.same(content?.nodes, [
    { id: 'a', label: 'A', x: 1, y: -2, metadata: { role: 'Admin', style: { fill: 'red' } } },
    { id: 'b', label: 'B', x: 3, y: -4, metadata: { style: { labelText: 'B' } } }
  ])
  t.same(content?.edges, [{ source: 'a', target: 'b', label: 'knows', metadata: { style: { labelText: 'knows' } } }])
  const onlyLabels = await read(undefined, { nodes: [{ id: 'a', x: 1, y: 2, data: { label: 'A' } }], edges: [] })
  t.same(onlyLabels.content?.nodes, [{ id: 'a', label: 'A', x: 1, y: 2 }])
})

t.test('attributes named data and position in files of networkx stay attributes', async (t) => {
  const node = { id: 'a', data: { label: 'A' }, position: { x: 1, y: 2 } }
  const { content } = await read(undefined, { multigraph: false, nodes: [node], edges: [] })
  t.same(content?.nodes, [{ id: 'a', metadata: { data: node.data, position: node.position } }])
})

t.test('nodes beside a list of possible edges are refused', async (t) => {
  const lists = { directed: false, nodes: [{ id: 'a' }, { id: 'b' }], neighbours: [[{ id: 'b' }], [{ id: 'a' }]] }
  t.match((await read(undefined, lists)).faults, [{ code: 'other-format', line: 1 }])
  t.match(await read(undefined, { nodes: [{ id: 'a' }] }), { nodeCount: 1, valid: true })
})
