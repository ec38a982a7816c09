import t from 'tap'
import { read, write } from '../support/formats.ts'

t.test('vertices have labels, positions and parameters; arcs and edges have weights', async (t) => {
  const { content, name, losses } = await read(
    'pajek',
    `% a comment\n*Network Trade\n*Vertices 4\n1 "New York" 0.1 0.2 0.5 ellipse ic Red [1-3]\n2 Paris 0.3 0.4\n 4 "caf&#233;"\n*Arcs :2 "sells to"\n1 2 3.5 l "a lot" c Blue\n2 1\n*Edges\n1 4 -1\n`
  )
  t.equal(name, 'Trade')
  t.same(losses, { 'dynamics-dropped': 1 })
  t.same(content, {
    directed: true,
    nodes: [
      { id: '1', label: 'New York', x: 0.1, y: -0.2, z: 0.5, metadata: { shape: 'ellipse', ic: 'Red' } },
      { id: '2', label: 'Paris', x: 0.3, y: -0.4 },
      { id: '3' },
      { id: '4', label: 'café' }
    ],
    edges: [
      { source: '1', target: '2', relation: 'sells to', label: 'a lot', metadata: { weight: 3.5, c: 'Blue' } },
      { source: '2', target: '1', relation: 'sells to' },
      { source: '1', target: '4', directed: false, metadata: { weight: -1 } }
    ]
  })
})

t.test('arc lists, edge lists and matrices are read', async (t) => {
  const edges = async (text: string) => {
    const { content, faults } = await read('pajek', text)
    return content
      ? content.edges.map(
          ({ source, target, metadata }) => `${source}-${target}${metadata ? `:${metadata.weight}` : ''}`
        )
      : faults
  }
  t.same(await edges('*vertices 3\r*arcslist\r1 2 3\r2 1\r'), ['1-2', '1-3', '2-1'])
  t.same(await edges('*Vertices 3\n*Edgeslist\n1 2 3'), ['1-2', '1-3'])
  t.same(await edges('*Vertices 2\n*Matrix\n0 1.5\n1 0'), ['1-2:1.5', '2-1:1'])
  t.same(await edges('*Vertices 3 1\n*Matrix\n1 0'), ['1-2:1'], 'a two-mode matrix')
  const { content, losses } = await read('pajek', '*Vertices 2 1\n*Edges\n1 2\n*Hierarchy x\n1\n2')
  t.same(content, {
    directed: false,
    nodes: [
      { id: '1', metadata: { mode: 1 } },
      { id: '2', metadata: { mode: 2 } }
    ],
    edges: [{ source: '1', target: '2' }]
  })
  t.same(losses, { 'aspects-dropped': 1 })
})

t.test('partitions, vectors, permutations and clusters in a project become metadata', async (t) => {
  const project = `*Partition "mode"
*Vertices 3
1
2
2
*Network First
*Vertices 3 1
1 "a"
2 "b"
3 "c"
*Arcs
1 2
*Partition Sex
*vertices 3
 0
 1
 1
*Vector Sex
*Vertices 3
0.5
-1e3
2
*Permutation
*Vertices 3
3
1
2
*Cluster those
*Vertices 2
3
1
*Partition of another network
*Vertices 2
1
1
*Network Second
*Vertices 2
*Edges
1 2
*Vertices 4
*Matrix
*Vector label
*Vertices 3
1
2
3
`
  const { content, name, losses, faults } = await read(undefined, project)
  t.same(faults, [])
  t.equal(name, 'First')
  t.same(losses, { 'network-dropped': 2, 'partition-dropped': 1 })
  t.same(content, {
    directed: true,
    nodes: [
      {
        id: '1',
        label: 'a',
        metadata: { mode: 1, 'mode 2': 1, Sex: 0, 'Sex 2': 0.5, permutation: 3, those: true, label: 1 }
      },
      { id: '2', label: 'b', metadata: { mode: 2, 'mode 2': 2, Sex: 1, 'Sex 2': -1000, permutation: 1, label: 2 } },
      {
        id: '3',
        label: 'c',
        metadata: { mode: 2, 'mode 2': 2, Sex: 1, 'Sex 2': 2, permutation: 2, those: true, label: 3 }
      }
    ],
    edges: [{ source: '1', target: '2' }]
  })
})

t.test('a hierarchy has its own vertices, and a vector may have gaps', async (t) => {
  const { content, losses, faults } = await read(
    'pajek',
    '*Hierarchy h\n*Vertices 9\n1\n*Vertices 2\n*Edges\n1 2\n*Vector v\n*Vertices 2\n1.#QNAN\n0.5\n'
  )
  t.same(faults, [])
  t.same(losses, { 'aspects-dropped': 1, 'null-dropped': 1 })
  t.same(content, {
    directed: false,
    nodes: [{ id: '1' }, { id: '2', metadata: { v: 0.5 } }],
    edges: [{ source: '1', target: '2' }]
  })
})

t.test('text before the first section is ignored', async (t) => {
  t.match(await read('pajek', 'Some flights\n\n*Vertices 2\n*Arcs\n1 2'), {
    valid: true,
    edgeCount: 1,
    losses: { 'aspects-dropped': 1 }
  })
})

t.test('every fault has its line', async (t) => {
  const cases: [string, ...object[]][] = [
    ['# Zacharys karate club\n0 1 4\n', { code: 'malformed-pajek', line: 2, column: 1 }],
    ['*Arcs\n1 2', { code: 'malformed-pajek', line: 1 }],
    ['*Vertices 2 3\n*Arcs', { code: 'not-allowed', line: 1 }],
    ['*Vertices\n', { code: 'required', line: 1 }],
    ['*Vertices 2\n3 "c"', { code: 'unknown-node', line: 2 }],
    ['*Vertices 2\n1\n1', { code: 'duplicate-id', line: 3 }],
    ['*Vertices 2\n1 "open', { code: 'malformed', line: 2 }],
    ['*Vertices 2\n*Arcs\n1 5', { code: 'unknown-node', line: 3, detail: 'vertex 5 is not between 1 and 2' }],
    ['*Vertices 2\n*Arcs\n1 x', { code: 'malformed', line: 3 }],
    ['*Vertices 2\n*Matrix\n1 2 3', { code: 'malformed', line: 3 }, { code: 'incomplete', line: 3 }],
    ['*Vertices 2\n*Matrix\n1 2\n', { code: 'incomplete', line: 4, detail: 'ends the matrix after 1 of its 2 rows' }],
    ['*Partition a\n*Vertices 1\n1', { code: 'required', line: 1 }],
    ['*Vertices 1\n*Vector a\n*Vertices 1\nx\n1\n2', { code: 'malformed', line: 4 }, { code: 'not-allowed', line: 6 }],
    ['*Vertices 1\n*Partition a\n*Vertices 1\n1.5', { code: 'malformed', line: 4 }, { code: 'incomplete', line: 2 }],
    ['*Vertices 1\n*Partition a\n1', { code: 'required', line: 2 }],
    ['*Vertices 2\n*Links\n1 2', { code: 'not-allowed', line: 2 }],
    ['*Vertices 200001', { code: 'too-many-nodes', line: 1 }]
  ]
  for (const [text, ...faults] of cases) t.match((await read('pajek', text)).faults, faults, text)
})

t.test('exports write ids as labels, which are read back as ids', async (t) => {
  const content = {
    directed: true,
    nodes: [{ id: 'a "b"\n\\', x: 1, y: 2 }, { id: '&#65;' }],
    edges: [
      { source: 'a "b"\n\\', target: '&#65;', label: 'l', metadata: { weight: 2 } },
      { source: '&#65;', target: '&#65;', directed: false }
    ]
  }
  const { text, losses } = write('pajek', content)
  t.equal(
    text,
    '% Graphstead: labels are ids\n*Network g\n*Vertices 2\n1 "a &#34;b&#34;&#10;&#92;" 1 -2\n2 "&#38;#65;"\n*Arcs\n1 2 2 l "l"\n*Edges\n2 2\n'
  )
  t.same(losses, { 'id-replaced': 2 })
  t.same((await read('pajek', text)).content, content)
})

t.test('labels of edges keep their spaces', async (t) => {
  for (const metadata of [{ weight: 3 }, undefined]) {
    const content = {
      directed: true,
      nodes: [{ id: '1' }, { id: '2' }],
      edges: [{ source: '1', target: '2', label: 'a  b', ...(metadata && { metadata }) }]
    }
    const { text } = write('pajek', content)
    t.match(text, metadata ? '\n1 2 3 l "a  b"\n' : '\n1 2 l "a  b"\n')
    t.same((await read('pajek', text)).content, content)
  }
})

t.test('labels are written as labels; ids other than vertex numbers are restored from comments', async (t) => {
  const edges = [{ source: '1', target: '2' }]
  const numbered = {
    directed: true,
    nodes: [
      { id: '1', label: 'Ada' },
      { id: '2', label: 'Bob "B"' }
    ],
    edges
  }
  const plain = write('pajek', numbered)
  t.equal(plain.text, '*Network g\n*Vertices 2\n1 "Ada"\n2 "Bob &#34;B&#34;"\n*Arcs\n1 2\n')
  t.same(plain.losses, {})
  t.same((await read('pajek', plain.text)).content, numbered)

  const named = {
    directed: true,
    nodes: [{ id: 'a"', label: 'Ada' }, { id: '1' }, { id: 'c', label: '' }, { id: 'd', label: 'd' }],
    edges: [{ source: 'a"', target: '1' }]
  }
  const { text, losses } = write('pajek', named)
  t.equal(
    text,
    '% Graphstead: ids of the vertices\n% 1 "a&#34;"\n% 2 "1" unlabelled\n% 3 "c"\n% 4 "d"\n*Network g\n*Vertices 4\n1 "Ada"\n2 "1"\n3 ""\n4 "d"\n*Arcs\n1 2\n'
  )
  t.same(losses, { 'id-replaced': 4 })
  t.same((await read('pajek', text)).content, named)
})

t.test('numbers may have decimal commas', async (t) => {
  const { content, losses, faults } = await read(
    'pajek',
    '*Vertices 2\n1 "a" 0,1 0,25 0,5 x_fact 1,5 note "1,5"\n2 "b, c" 0,3 1,250\n*Arcs\n1 2 1,5 w 2,5\n2 1 -1,5e-3\n*Vector v\n*Vertices 2\n0,5\n2\n'
  )
  t.same(faults, [])
  t.same(losses, { 'decimal-comma': 10 })
  t.same(content, {
    directed: true,
    nodes: [
      { id: '1', label: 'a', x: 0.1, y: -0.25, z: 0.5, metadata: { x_fact: 1.5, note: '1,5', v: 0.5 } },
      { id: '2', label: 'b, c', x: 0.3, y: -1.25, metadata: { v: 2 } }
    ],
    edges: [
      { source: '1', target: '2', metadata: { weight: 1.5, w: 2.5 } },
      { source: '2', target: '1', metadata: { weight: -0.0015 } }
    ]
  })
  const matrix = await read('pajek', '*Vertices 2\n*Matrix\n0 0,5\n1 0\n')
  t.same(matrix.losses, { 'decimal-comma': 1 })
  t.same(matrix.content?.edges[0], { source: '1', target: '2', metadata: { weight: 0.5 } })
  const { faults: integers } = await read('pajek', '*Vertices 2\n*Arcs\n1,5 2\n*Partition p\n*Vertices 2\n1,5\n1\n')
  t.same(
    integers.map(({ line, code }) => [line, code]),
    [
      [3, 'malformed'],
      [6, 'malformed'],
      [4, 'incomplete']
    ]
  )
})
