import t from 'tap'
import { contentChecker } from '../../graph/content/content.ts'
import { build, problem, triangle } from '../support/helper.ts'

const nodes = (count: number) => Array.from({ length: count }, (_, index) => ({ id: `n${index}` }))

t.test('content that uses the whole schema is returned unchanged', async (t) => {
  const { as } = await build(t)
  const content = {
    directed: false,
    label: 'Everything',
    metadata: { source: { book: ['a', 1, null, true] } },
    nodes: [
      { id: '__proto__', label: '', x: 0, y: -1.5, z: 1e-7, metadata: JSON.parse('{"__proto__":{"polluted":true}}') },
      { id: 'constructor' },
      { id: 'toString', metadata: {} },
      { id: '🜁 "quotes" \\ \n </script>' },
      { id: '10' },
      { id: '2' }
    ],
    edges: [
      { source: '__proto__', target: '__proto__', directed: true },
      { id: 'e', source: 'constructor', target: 'toString', relation: 'r', label: 'l', metadata: { weight: 0.5 } },
      { source: 'constructor', target: 'toString' },
      { source: 'constructor', target: 'toString' }
    ]
  }
  t.match(await as('ada').post('/api/graphs', { name: 'x', content }), {
    status: 201,
    body: { nodeCount: 6, edgeCount: 4 }
  })
  const { body } = await as('ada').get('/api/graphs/1')
  t.equal(JSON.stringify(body.content), JSON.stringify(content))
  t.equal(({} as { polluted?: boolean }).polluted, undefined, 'Object.prototype is unchanged')
})

t.test('each content rule is enforced', async (t) => {
  const { as, store } = await build(t)
  const deep = (levels: number): object => (levels === 1 ? {} : { a: deep(levels - 1) })
  const ofNodes = (...nodes: unknown[]) => ({ nodes, edges: [] })
  const ofEdges = (...edges: unknown[]) => ({ nodes: nodes(1), edges })
  const loop = { source: 'n0', target: 'n0' }
  const cases: [what: string, content: unknown, pointer: string, code: string][] = [
    ['a list', [], '', 'wrong-type'],
    ['a number', 5, '', 'wrong-type'],
    ['no nodes', { edges: [] }, '/nodes', 'required'],
    ['no edges', { nodes: [] }, '/edges', 'required'],
    ['nodes as an object', { nodes: {}, edges: [] }, '/nodes', 'wrong-type'],
    ['directed as a string', { directed: 'yes', nodes: [], edges: [] }, '/directed', 'wrong-type'],
    ['a long label', { label: 'x'.repeat(1025), nodes: [], edges: [] }, '/label', 'too-long'],
    ['an unknown field', { nodes: [], edges: [], links: [] }, '/links', 'unknown-field'],
    ['metadata as a list', { nodes: [], edges: [], metadata: [] }, '/metadata', 'wrong-type'],
    ['a node that is a string', ofNodes('a'), '/nodes/0', 'wrong-type'],
    ['a node that is null', ofNodes(null), '/nodes/0', 'wrong-type'],
    ['a node without id', ofNodes({}), '/nodes/0/id', 'required'],
    ['an id that is a number', ofNodes({ id: 1 }), '/nodes/0/id', 'wrong-type'],
    ['an empty id', ofNodes({ id: '' }), '/nodes/0/id', 'too-short'],
    ['a long id', ofNodes({ id: 'x'.repeat(256) }), '/nodes/0/id', 'too-long'],
    ['two nodes with one id', ofNodes({ id: 'a' }, { id: 'a' }), '/nodes/1/id', 'duplicate-id'],
    ['a coordinate as a string', ofNodes({ id: 'a', x: '1' }), '/nodes/0/x', 'wrong-type'],
    ['a node with an unknown field', ofNodes({ id: 'a', size: 1 }), '/nodes/0/size', 'unknown-field'],
    ['metadata that is too deep', ofNodes({ id: 'a', metadata: deep(9) }), '/nodes/0/metadata', 'too-deep'],
    [
      'metadata that is too large',
      ofNodes({ id: 'a', metadata: { text: 'é'.repeat(131_070) } }),
      '/nodes/0/metadata',
      'too-large'
    ],
    ['an edge without source', ofEdges({ target: 'n0' }), '/edges/0/source', 'required'],
    ['an edge to nowhere', ofEdges({ source: 'n0', target: 'x' }), '/edges/0/target', 'unknown-node'],
    ['an edge from toString', ofEdges({ source: 'toString', target: 'n0' }), '/edges/0/source', 'unknown-node'],
    ['a long relation', ofEdges({ ...loop, relation: 'x'.repeat(256) }), '/edges/0/relation', 'too-long'],
    ['two edges with one id', ofEdges({ id: 'e', ...loop }, { id: 'e', ...loop }), '/edges/1/id', 'duplicate-id']
  ]
  for (const [what, content, pointer, code] of cases) {
    const expected = [{ pointer: `#/content${pointer}`, code }]
    const posted = await as('ada').post('/api/graphs', { name: 'x', content })
    t.match(posted, problem(400, 'validation-failed', expected), what)
    t.equal(posted.body.errors.length, 1, `${what}: no other fault is listed`)
    t.match(
      await as('ada').put('/api/graphs', { id: 1, name: 'x', content }),
      problem(400, 'validation-failed', expected)
    )
  }
  t.same(await store.read.selectFrom('content').select('hash').execute(), [], 'no content was stored')
  const fits = ofNodes({ id: 'x'.repeat(255), metadata: deep(8) }, { id: 'a', metadata: { text: 'é'.repeat(8180) } })
  t.equal(
    (await as('ada').post('/api/graphs', { name: 'x', content: fits })).status,
    201,
    'content exactly at the limits is accepted'
  )
})

t.test('all faults are reported at once with their positions', async (t) => {
  const { as } = await build(t)
  const { body } = await as('ada').post('/api/graphs', {
    content: {
      nodes: [{ id: 'a' }, { id: 'a', 'odd/~ name': 1 }, { id: 5 }],
      edges: [
        { source: 'a', target: 'b' },
        { id: 7, source: 'a', target: 'a' }
      ]
    }
  })
  t.same(body.errors.map(({ pointer, code }: { pointer: string; code: string }) => [pointer, code]).sort(), [
    ['#/content/edges/0/target', 'unknown-node'],
    ['#/content/edges/1/id', 'wrong-type'],
    ['#/content/nodes/1/id', 'duplicate-id'],
    ['#/content/nodes/1/odd~1~0%20name', 'unknown-field'],
    ['#/content/nodes/2/id', 'wrong-type'],
    ['#/name', 'required']
  ])
})

t.test('the size of metadata counts the bytes of its JSON', (t) => {
  for (const text of ['a', 'é', '🜁', '"', '\u0001', '\u2028']) {
    for (const metadata of [
      { [text]: text.repeat(20) },
      { a: -1.7976931348623157e308, [text]: [text] },
      { [text]: 1 }
    ]) {
      const size = Buffer.byteLength(JSON.stringify(metadata))
      const codes = [size, size - 1].map((metadataLimit) => {
        const check = contentChecker({ maxNodes: 1, maxEdges: 1, bodyLimit: 1000, metadataLimit })
        return check({ nodes: [{ id: 'a', metadata }], edges: [] }).faults.map(({ code }) => code)
      })
      t.strictSame(codes, [[], ['too-large']], JSON.stringify(metadata))
    }
  }
  t.end()
})

t.test('the size limit of a graph is configurable', async (t) => {
  const { as } = await build(t, { maxNodes: 3, maxEdges: 3 })
  t.match(await as('ada').post('/api/graphs', triangle), { status: 201 })
  t.match(
    await as('ada').post('/api/graphs', { name: 'x', content: { nodes: nodes(4), edges: [] } }),
    problem(400, 'validation-failed', [{ pointer: '#/content/nodes', code: 'too-many-nodes' }])
  )
  const edges = Array.from({ length: 4 }, () => ({ source: 'n0', target: 'n0' }))
  t.match(
    await as('ada').post('/api/graphs', { name: 'x', content: { nodes: nodes(1), edges } }),
    problem(400, 'validation-failed', [{ pointer: '#/content/edges', code: 'too-many-edges' }])
  )
})
