import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { read } from '../support/formats.ts'

const end = { status: [{ error: '', success: true }] }

t.test('nodes, edges, attributes with types and lists, and positions are read from CX', async (t) => {
  const file = await read(undefined, readFileSync(join(import.meta.dirname, '../samples/small.cx')))
  t.match(file, { format: 'cx', version: '1', name: 'Small net', valid: true })
  t.same(file.content, {
    directed: true,
    metadata: { years: [2023, 2024] },
    nodes: [
      {
        id: '1',
        label: 'A',
        x: -10.5,
        y: -20,
        metadata: { represents: 'uniprot:P1', score: 0.5, alias: ['a1', 'a2'], known: true }
      },
      { id: '2', label: 'B', x: 3, y: -4, metadata: { known: true, rank: 7 } },
      { id: '3', label: 'C' }
    ],
    edges: [
      { id: '10', source: '1', target: '2', relation: 'binds', metadata: { weight: 2.5 } },
      { id: '11', source: '2', target: '3', directed: false }
    ]
  })
})

t.test('names that differ from the label or relation are kept', async (t) => {
  const { content } = await read('cx', [
    { nodes: [{ '@id': 1, n: 'A' }] },
    { edges: [{ '@id': 1, s: 1, t: 1, i: 'pp' }] },
    { nodeAttributes: [{ po: 1, n: 'name', v: 'Alpha' }] },
    {
      edgeAttributes: [
        { po: 1, n: 'interaction', v: 'other' },
        { po: 1, n: 'name', v: 'A (pp) A' }
      ]
    },
    end
  ])
  t.same(content?.nodes, [{ id: '1', label: 'A', metadata: { name: 'Alpha' } }])
  t.same(content?.edges, [
    { id: '1', source: '1', target: '1', relation: 'pp', label: 'A (pp) A', metadata: { interaction: 'other' } }
  ])
})

t.test('every CX fault has its position', async (t) => {
  const node = { nodes: [{ '@id': 1 }] }
  const cases: [unknown[], string, string][] = [
    [[{ metaData: [] }, end], '#', 'required'],
    [[node], '#', 'incomplete'],
    [[node, { status: [{ success: false, error: 'x' }] }], '#/1/status/0', 'incomplete'],
    [[{ nodes: [{ n: 'A' }] }, end], '#/0/nodes/0', 'required'],
    [[{ nodes: [{ '@id': true }] }, end], '#/0/nodes/0', 'wrong-type'],
    [[{ nodes: [{ '@id': 1 }, { '@id': '1' }] }, end], '#/0/nodes/1', 'duplicate-id'],
    [[node, node, end], '#/1/nodes/0', 'duplicate-id'],
    [[node, { edges: [{ '@id': 1, s: 1, t: 2 }] }, end], '#/1/edges/0', 'unknown-node'],
    [[node, { nodeAttributes: [{ po: 2, n: 'a', v: 'b' }] }, end], '#/1/nodeAttributes/0', 'unknown-element'],
    [[node, { nodeAttributes: [{ po: 1, v: 'b' }] }, end], '#/1/nodeAttributes/0', 'required'],
    [[node, { nodeAttributes: [{ po: 1, n: 'a', v: 'b', d: 'double' }] }, end], '#/1/nodeAttributes/0', 'malformed'],
    [[node, { cartesianLayout: [{ node: 2, x: 1, y: 1 }] }, end], '#/1/cartesianLayout/0', 'unknown-node'],
    [[node, { cySubNetworks: [{ '@id': 1 }, { '@id': 2 }] }, end], '#/1/cySubNetworks/1', 'several-graphs'],
    [[node, { edges: {} }, end], '#/1/edges', 'wrong-type'],
    [[node, 5, end], '#/1', 'wrong-type']
  ]
  for (const [value, pointer, code] of cases) {
    const { faults, content } = await read('cx', value)
    t.equal(faults.length, 1, JSON.stringify(value))
    t.match(faults, [{ pointer, code }], JSON.stringify(value))
    t.equal(content, undefined)
  }
})

t.test('ids may be text, and only ids with the same text are equal', async (t) => {
  const file = await read(undefined, [
    { nodes: [{ '@id': '1', n: 'A' }, { '@id': 2 }, { '@id': '02' }] },
    { edges: [{ '@id': '_:3', s: 1, t: '2' }] },
    { nodeAttributes: [{ po: '2', n: 'rank', v: '7', d: 'integer' }] },
    end
  ])
  t.same([file.format, file.losses], ['cx', {}])
  t.same(file.content, {
    directed: true,
    nodes: [{ id: '1', label: 'A' }, { id: '2', metadata: { rank: 7 } }, { id: '02' }],
    edges: [{ id: '_:3', source: '1', target: '2' }]
  })
})

t.test('an aspect that is dropped may nest deeply', async (t) => {
  const provenance = `${'{"inputs":['.repeat(400)}${']}'.repeat(400)}`
  const nodes = '{"nodes":[{"@id":1}]},{"status":[{"success":true}]}'
  const file = await read(undefined, `[{"provenanceHistory":[${provenance}]},${nodes}]`)
  t.match(file, { format: 'cx', valid: true, nodeCount: 1 })
  t.same(file.losses, { 'aspects-dropped': 1 })
})

t.test('an attribute of all nodes counts once per node', async (t) => {
  const ids = Array.from({ length: 5000 }, (_, index) => index)
  const file = await read('cx', [
    { nodes: ids.map((id) => ({ '@id': id })) },
    { nodeAttributes: [{ po: ids, n: 'text', v: 'x'.repeat(10_000) }] },
    end
  ])
  t.match(file.faults, [{ code: 'too-large' }])
})
