import t from 'tap'
import type { GraphContent } from '../../schemas/graph-content.ts'
import { read, write } from '../support/formats.ts'

const head = { CXVersion: '2.0', hasFragments: true }
const end = { status: [{ success: true }] }
const declarations = {
  attributeDeclarations: [
    {
      nodes: { name: { a: 'n', d: 'string' }, kind: { v: 'gene' }, rank: { d: 'integer', a: 'r' } },
      edges: { interaction: { a: 'i', v: 'binds' }, score: { d: 'double' } },
      networkAttributes: { name: { d: 'string' }, year: { d: 'integer' } }
    }
  ]
}
const content = {
  directed: true,
  metadata: { year: 2020 },
  nodes: [
    { id: '7', label: 'A', x: 1, y: -2, metadata: { rank: 1, kind: 'gene' } },
    { id: '3', metadata: { kind: 'protein' } }
  ],
  edges: [
    { id: '0', source: '7', target: '3', relation: 'binds', metadata: { score: 0.5 } },
    { id: '1', source: '3', target: '3', relation: 'self' }
  ]
}

t.test('fragments may come in any order, with aliases and defaults', async (t) => {
  const file = await read('cx2', [
    head,
    { edges: [{ id: 0, s: 7, t: 3, v: { score: 0.5 } }] },
    { nodes: [{ id: 7, x: 1, y: 2, v: { n: 'A', r: 1 } }] },
    { visualProperties: [{}] },
    { networkAttributes: [{ name: 'Net', year: 2020 }] },
    declarations,
    { edges: [{ id: 1, s: 3, t: 3, v: { i: 'self' } }], nodes: [{ id: 3, v: { kind: 'protein' } }] },
    { myAspect: [] },
    { status: [{ success: true }] }
  ])
  t.match(file, { name: 'Net', version: '2.0', valid: true, losses: { 'aspects-dropped': 1 } })
  t.same(file.content, content)
})

t.test('every fault has its position', async (t) => {
  const cases: [unknown, string, string, string?][] = [
    [{}, '#', 'required'],
    [[{}], '#', 'required'],
    [[{ CXVersion: '1.0' }], '#/0/CXVersion', 'not-allowed'],
    [[head, { nodes: [{ id: true }] }, end], '#/1/nodes/0', 'wrong-type'],
    [[head, { nodes: [{ id: 1 }, { id: '1' }] }, end], '#/1/nodes/1', 'duplicate-id'],
    [[head, { nodes: [{}] }, end], '#/1/nodes/0', 'required'],
    [[head, { nodes: [{ id: 1 }] }, { nodes: [{ id: 1 }] }, end], '#/2/nodes/0', 'duplicate-id'],
    [[head, { nodes: [{ id: 1 }], edges: [{ s: 1, t: 2 }] }, end], '#/1/edges/0', 'unknown-node'],
    [[head, { nodes: {} }, { edges: [] }, end], '#/1/nodes', 'wrong-type'],
    [
      [head, { nodes: [] }, { status: [{ success: false, error: 'disk full' }] }],
      '#/2/status/0',
      'incomplete',
      'does not report that the file was written successfully: disk full'
    ],
    [[head, { nodes: [] }, { status: [{}] }], '#/2/status/0', 'incomplete'],
    [[head, { nodes: [] }, { status: [] }], '#', 'incomplete'],
    [
      [head, { nodes: [{ id: 1 }] }, { edges: [{ s: 1, t: 1 }] }],
      '#',
      'incomplete',
      'has no status aspect, which must end every CX2 file: the file is incomplete'
    ],
    [
      [head, { myAspect: [{ id: 1 }] }, end],
      '#',
      'required',
      'has no graph: it contains none of the aspects attributeDeclarations, networkAttributes, nodes, edges'
    ]
  ]
  for (const [value, pointer, code, detail] of cases) {
    const { faults, content } = await read('cx2', value)
    t.equal(faults.length, 1, JSON.stringify(value))
    t.match(faults, [{ pointer, code, ...(detail && { detail }) }], JSON.stringify(value))
    t.equal(content, undefined)
  }
})

t.test('ids become integers, and the original ids are kept', async (t) => {
  const graph = {
    directed: false,
    nodes: [
      { id: 'a', label: 'A', metadata: { n: 1 } },
      { id: '1', metadata: { n: 'x' } }
    ],
    edges: [
      { id: 'e', source: 'a', target: '1', directed: true },
      { source: '1', target: 'a' }
    ]
  }
  const { text, losses } = write('cx2', graph)
  t.same(losses, { 'id-replaced': 3, 'type-widened': 1 })
  t.same(JSON.parse(text), [
    { CXVersion: '2.0', hasFragments: false },
    {
      metaData: [
        { name: 'attributeDeclarations', elementCount: 1 },
        { name: 'networkAttributes', elementCount: 1 },
        { name: 'nodes', elementCount: 2 },
        { name: 'edges', elementCount: 2 }
      ]
    },
    {
      attributeDeclarations: [
        {
          networkAttributes: { name: { d: 'string' }, directed: { d: 'boolean' }, graphsteadIds: { d: 'boolean' } },
          nodes: { graphsteadId: { d: 'string' }, name: { d: 'string' }, n: { d: 'string' } },
          edges: { graphsteadId: { d: 'string' }, directed: { d: 'boolean' } }
        }
      ]
    },
    { networkAttributes: [{ name: 'g', directed: false, graphsteadIds: true }] },
    {
      nodes: [
        { id: 0, v: { graphsteadId: 'a', name: 'A', n: '1' } },
        { id: 1, v: { graphsteadId: '1', n: 'x' } }
      ]
    },
    {
      edges: [
        { id: 0, s: 0, t: 1, v: { graphsteadId: 'e', directed: true } },
        { id: 1, s: 1, t: 0, v: {} }
      ]
    },
    { status: [{ success: true }] }
  ])
  const back = await read('cx2', text)
  t.match(back.content, { nodes: [{ id: 'a' }, { id: '1' }], edges: [{ id: 'e', source: 'a' }, { source: '1' }] })
  t.equal(back.content?.edges[1]?.id, undefined)
  t.same(write('cx2', content).losses, {}, 'integer ids are kept')
})

t.test('lists keep their types, and mixed lists become text', async (t) => {
  const declared = {
    networkAttributes: { name: { d: 'string' }, directed: { d: 'boolean' }, keywords: { d: 'list_of_string' } },
    nodes: {
      name: { d: 'string' },
      alias: { d: 'list_of_string' },
      scores: { d: 'list_of_double' },
      flags: { d: 'list_of_boolean' }
    },
    edges: { interaction: { d: 'string' }, pmids: { d: 'list_of_integer' }, long: { d: 'list_of_long' } }
  }
  const file = [
    { CXVersion: '2.0', hasFragments: false },
    { attributeDeclarations: [declared] },
    { networkAttributes: [{ name: 'N', directed: true, keywords: ['a', 'b'] }] },
    {
      nodes: [
        { id: 1, v: { name: 'TP53', alias: ['P53', 'LFS1'], scores: [0.5, 1.0], flags: [true, false] } },
        { id: 2, v: { name: 'MDM2', alias: [] } }
      ]
    },
    { edges: [{ id: 1, s: 1, t: 2, v: { interaction: 'binds', pmids: [11, 22], long: [2 ** 40] } }] },
    end
  ]
  const { content, name } = await read('cx2', file)
  const { text, losses } = write('cx2', content as GraphContent, { name: name as string })
  t.same(losses, {})
  const written = JSON.parse(text)
  t.same([written[0], ...written.slice(2)], file)
  const mixed = write('cx2', {
    nodes: [
      { id: '1', metadata: { a: ['x', 1], b: [1], c: [null], d: ['NaN', 1] } },
      { id: '2', metadata: { b: 'x' } }
    ],
    edges: []
  })
  t.same(mixed.losses, { 'list-as-text': 3, 'nested-metadata': 1 })
  t.same(JSON.parse(mixed.text)[4].nodes[0].v, { a: '["x",1]', b: '[1]', c: '[null]', d: '["NaN",1]' })
})

t.test('NaN and infinity are left out of a column of numbers', async (t) => {
  const nodes = [0.25, 'NaN', 'INF'].map((pr, index) => ({ id: String(index), metadata: { pr } }))
  const { text, losses } = write('cx2', { nodes, edges: [] })
  t.same(losses, { 'null-dropped': 2 })
  const [, , { attributeDeclarations: found }, , { nodes: written }] = JSON.parse(text)
  t.same(found[0].nodes, { pr: { d: 'double' } })
  t.same(written, [
    { id: 0, v: { pr: 0.25 } },
    { id: 1, v: {} },
    { id: 2, v: {} }
  ])
})

const nodesOf = (...values: object[]) => ({ nodes: values.map((v, index) => ({ id: index + 1, v })) })

t.test('defaults, mappings and bypasses become the style of each element', async (t) => {
  const discrete = (attribute: string, map: object[]) => ({ type: 'DISCRETE', definition: { attribute, map } })
  const ends = { min: 0, max: 10, includeMin: true, includeMax: true }
  const continuous = (...map: object[]) => ({ type: 'CONTINUOUS', definition: { attribute: 'score', map } })
  const visualProperties = {
    default: {
      network: { NETWORK_BACKGROUND_COLOR: '#FFFFFF' },
      node: { NODE_BACKGROUND_COLOR: '#CCCCCC', NODE_WIDTH: 35.0, NODE_HEIGHT: 35.0, NODE_BORDER_WIDTH: 1 },
      edge: { EDGE_LINE_STYLE: 'solid', EDGE_OPACITY: 1, EDGE_TARGET_ARROW_SHAPE: 'triangle' }
    },
    nodeMapping: {
      NODE_LABEL: { type: 'PASSTHROUGH', definition: { attribute: 'gene' } },
      NODE_SHAPE: discrete('known', [
        { v: true, vp: 'ROUND_RECTANGLE' },
        { v: false, vp: null }
      ]),
      NODE_BACKGROUND_COLOR: continuous(
        { max: 0, maxVPValue: '#0000FF', includeMin: false, includeMax: false },
        { ...ends, minVPValue: '#000000', maxVPValue: '#ff8000' },
        { min: 10, minVPValue: 'red', includeMin: false, includeMax: false }
      ),
      NODE_WIDTH: continuous({ ...ends, minVPValue: 10, maxVPValue: 20 })
    },
    edgeMapping: {
      EDGE_LINE_COLOR: discrete('interaction', [
        { v: 'binds', vp: '#f00' },
        { v: 'no', vp: 'url(#x)' }
      ]),
      EDGE_WIDTH: { type: 'PASSTHROUGH', definition: { attribute: 'thickness' } }
    }
  }
  const file = await read('cx2', [
    head,
    {
      edgeBypasses: [
        { id: '7', v: { EDGE_LINE_STYLE: 'LONG_DASH', EDGE_OPACITY: 0.5 } },
        { id: 9, v: {} }
      ]
    },
    { visualProperties: [visualProperties] },
    { nodeBypasses: [{ id: 1, v: { NODE_BACKGROUND_COLOR: '#123456', NODE_HEIGHT: 70 } }] },
    nodesOf(
      { name: 'A', gene: 'a', score: 5, known: true },
      { gene: 'b', score: 5, color: 'blue' },
      { score: -1, color: 'high' },
      { score: 10 },
      { score: 11 },
      { score: '5', known: false, shape: 'round' }
    ),
    {
      edges: [
        { id: 7, s: 1, t: 2, v: { interaction: 'binds', thickness: 2.5 } },
        { s: 1, t: 3, v: { interaction: 'no' } }
      ]
    },
    { visualEditorProperties: [{ properties: { nodeSizeLocked: false } }] },
    end
  ])
  t.same(file.faults, [])
  t.same(file.losses, { 'visual-dropped': 4 }, 'the background, the border, a shape and a colour')
  t.same(file.content?.nodes, [
    {
      id: '1',
      label: 'A',
      metadata: { gene: 'a', score: 5, known: true, color: '#123456', size: 15, height: 70, shape: 'round-rectangle' }
    },
    {
      id: '2',
      label: 'b',
      metadata: { gene: 'b', score: 5, color: 'blue', 'viz:color': '#804000', size: 15, height: 35 }
    },
    { id: '3', metadata: { score: -1, color: 'high', 'viz:color': '#0000ff', size: 35 } },
    { id: '4', metadata: { score: 10, color: '#ff8000', size: 20, height: 35 } },
    { id: '5', metadata: { score: 11, color: '#ff0000', size: 35 } },
    { id: '6', metadata: { score: '5', known: false, shape: 'round', color: '#cccccc', size: 35 } }
  ])
  t.same(file.content?.edges, [
    {
      id: '7',
      source: '1',
      target: '2',
      relation: 'binds',
      metadata: { thickness: 2.5, color: '#ff0000', alpha: 0.5, shape: 'long-dash' }
    },
    { source: '1', target: '3', relation: 'no' }
  ])
})

t.test(
  'styles are written as mappings from the attributes, and as bypasses where mappings do not suffice',
  async (t) => {
    const graph = {
      directed: false,
      nodes: [
        { id: '1', label: 'A', metadata: { color: '#FF0000', size: 20, shape: 'disc', height: 40 } },
        { id: '2', metadata: { color: '#00ff00', size: 3000, shape: 'cloud' } },
        { id: '3', metadata: { 'viz:size': 7, alpha: 0.25 } }
      ],
      edges: [
        { id: '0', source: '1', target: '2', metadata: { color: 'blue', penwidth: 2, style: 'dashed' } },
        { id: '1', source: '1', target: '3', metadata: { color: 'very' } }
      ]
    }
    const { text, losses } = write('cx2', graph)
    t.same(losses, {})
    const passthrough = (attribute: string) => ({ type: 'PASSTHROUGH', definition: { attribute } })
    const discrete = (attribute: string, v: string, vp: string) => ({
      type: 'DISCRETE',
      definition: { attribute, map: [{ v, vp }] }
    })
    const file = JSON.parse(text)
    t.same(file[1].metaData.slice(-3), [
      { name: 'visualProperties', elementCount: 1 },
      { name: 'nodeBypasses', elementCount: 1 },
      { name: 'visualEditorProperties', elementCount: 1 }
    ])
    t.same(file.slice(6, -1), [
      {
        visualProperties: [
          {
            default: { node: {}, edge: { EDGE_TARGET_ARROW_SHAPE: 'none' }, network: {} },
            nodeMapping: {
              NODE_LABEL: passthrough('name'),
              NODE_BACKGROUND_COLOR: passthrough('color'),
              NODE_BACKGROUND_OPACITY: passthrough('alpha'),
              NODE_WIDTH: passthrough('viz:size'),
              NODE_HEIGHT: passthrough('viz:size'),
              NODE_SHAPE: discrete('shape', 'disc', 'ellipse')
            },
            edgeMapping: {
              EDGE_LINE_COLOR: discrete('color', 'blue', '#0000ff'),
              EDGE_WIDTH: passthrough('penwidth'),
              EDGE_LINE_STYLE: discrete('style', 'dashed', 'dashed')
            }
          }
        ]
      },
      { nodeBypasses: [{ id: 1, v: { NODE_WIDTH: 20, NODE_HEIGHT: 40 } }] },
      { visualEditorProperties: [{ properties: { nodeSizeLocked: false, arrowColorMatchesEdge: true } }] }
    ])
    const back = await read('cx2', text)
    t.same(back.losses, {})
    t.same(back.content, graph)
  }
)

t.test('a style that every element repeats may not make the graph too large', async (t) => {
  const label = { visualProperties: [{ default: { node: { NODE_LABEL: 'x'.repeat(5000) } } }] }
  const { faults } = await read('cx2', [head, label, nodesOf(...Array(2000).fill({})), end])
  t.same(
    faults.map(({ code }) => code),
    ['too-large']
  )
})
