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
  t.match(file, { name: 'Net', version: '2.0', valid: true, losses: { 'visual-dropped': 1, 'aspects-dropped': 1 } })
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
      'does not report that it was written successfully: disk full'
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
