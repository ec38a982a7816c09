import t from 'tap'
import { contentChecker } from '../../graph/content/content.ts'
import { readGraphFile } from '../../graph/files/conversion.ts'
import { only } from '../support/engine.ts'
import { read } from '../support/formats.ts'
import { build, events } from '../support/helper.ts'
import { zip } from '../support/zip.ts'

const once = only('SQLite', 'readers use no database')
const lenient = { lenient: true }

const graphml = `<graphml><key id="n" for="node" attr.name="n" attr.type="int"/><graph edgedefault="directed">
<node id="a"/>
<node id="b"><data key="n">many</data></node>
<node id="a"/>
<node/>
<node id="c"/>
<edge source="a" target="b"/>
<edge source="a" target="c" directed="maybe"/>
<edge source="a"/>
<edge source="c" target="a"/></graph></graphml>`

t.test('a lenient import leaves out elements with faults and edges of such nodes, and names them', once, async (t) => {
  const strict = await read('graphml', graphml)
  t.same([strict.valid, strict.droppable, strict.faultCount], [false, true, 6])
  const { valid, droppable, losses, nodeCount, edgeCount, faultCount, faults, content } = await read(
    'graphml',
    graphml,
    lenient
  )
  t.same([valid, droppable, nodeCount, edgeCount, faultCount], [true, undefined, 2, 1, 6])
  t.same(losses, { 'faulty-dropped': 6 })
  t.same(content, {
    directed: true,
    nodes: [{ id: 'a' }, { id: 'c' }],
    edges: [{ source: 'c', target: 'a' }]
  })
  const told = faults.map(({ line, element, detail }) => [line, element, detail])
  t.same(told, [
    [3, undefined, '"many" is not a valid int, the declared type of "n"'],
    [5, undefined, 'a node has no id'],
    [8, undefined, 'directed must be true or false'],
    [9, undefined, 'an edge has no target'],
    [4, 'node "a"', 'id duplicates the id of an earlier node'],
    [7, 'edge 1, "a" to "b"', 'target is not the id of a node']
  ])
})

t.test('each format leaves out the elements with faults', once, async (t) => {
  const cx = (...aspects: object[]) => [...aspects, { status: [{ success: true }] }]
  const files: [format: string, file: unknown, left: number, nodes: number, edges: number][] = [
    ['node-link', { nodes: [{ id: 'a' }, 7, {}], links: [{ source: 'a', target: 'a' }, { source: 'a' }] }, 3, 1, 1],
    ['jgf', { graph: { nodes: { a: {}, b: 3 }, edges: [{ source: 'a', target: 'b' }] } }, 2, 1, 0],
    ['cytoscape', { elements: { nodes: [{ data: { id: 'a' } }, {}], edges: [{ data: { source: 'a' } }] } }, 2, 1, 0],
    [
      'cx',
      cx(
        { nodes: [{ '@id': 1 }, { '@id': 2 }, { '@id': 3 }, { '@id': 3 }] },
        { edges: [{ '@id': 4, s: 1, t: 2 }] },
        { nodeAttributes: [{ po: [2, 3], n: 'age', v: 'old', d: 'integer' }] }
      ),
      4,
      1,
      0
    ],
    ['cx2', cx({ CXVersion: '2.0' }, { nodes: [{ id: 1 }, {}] }, { edges: [{ id: 1, s: 1, t: 9 }] }), 2, 1, 0],
    [
      'gexf',
      `<gexf><graph><nodes><node id="a"/><node/></nodes><edges><edge source="a" target="a" weight="much"/>
<edge source="a" target="a" type="mutual" weight="x"/></edges></graph></gexf>`,
      3,
      1,
      0
    ],
    ['xgmml', '<graph><node id="a"/><node id="b"><att name="n" type="integer" value="x"/></node></graph>', 1, 1, 0],
    ['gml', 'graph [ node [ id 1 ] node [ ] edge [ source 1 target 2 ] edge [ source 1 target 1 ] ]', 2, 1, 1],
    ['pajek', '*Vertices 2\n1 a\n2 b\n*Edges\n1 2\n1 3\n8 9', 2, 2, 1],
    ['gdf', 'nodedef>name\na\nb,c\nedgedef>node1,node2\na,b\na,a', 2, 1, 1],
    ['sif', 'a pp b\na pp', 1, 2, 1],
    ['tgf', '1 a\n#\n1 1\n1', 1, 1, 1],
    ['csv', 'Source,Target,Type\na,b,Directed\na,,Directed\na,b,Sideways', 2, 2, 1]
  ]
  for (const [format, file, left, nodes, edges] of files) {
    const { losses, nodeCount, edgeCount, valid } = await read(format, file, lenient)
    const found = { left: losses['faulty-dropped'], nodeCount, edgeCount, valid }
    t.same(found, { left, nodeCount: nodes, edgeCount: edges, valid: true }, format)
  }
})

t.test('if a row of nodes has a fault, its edges are left out too, even from another table', once, async (t) => {
  const tables = zip([
    { name: 'nodes.csv', content: 'Id,Label\na,A\nb,B,extra\n' },
    { name: 'edges.csv', content: 'Source,Target\na,b\na,a\n' }
  ])
  const { content, faults, losses } = await read(undefined, tables, lenient)
  t.same(content?.edges, [{ source: 'a', target: 'a' }])
  t.same(losses, { 'faulty-dropped': 2 })
  t.same(
    faults.map(({ file, line, code }) => [file, line, code]),
    [
      ['nodes.csv', 3, 'too-many-cells'],
      ['edges.csv', 2, 'unknown-node']
    ]
  )
})

t.test('a lenient import still refuses faults of the file as a whole', once, async (t) => {
  const refused: [format: string, file: unknown, code: string][] = [
    ['graphml', '<graphml><graph edgedefault="both"><node id="a"/><node/></graph></graphml>', 'not-allowed'],
    ['graphml', '<graphml><graph edgedefault="directed"><node id="a"/>', 'malformed-xml'],
    ['node-link', { nodes: [{ id: 'a' }], links: 'none' }, 'wrong-type'],
    ['jgf', { graph: { directed: 'yes', nodes: { a: {}, b: 3 } } }, 'wrong-type'],
    ['node-link', { nodes: [7, 'b'], links: [] }, 'wrong-type'],
    ['csv', 'Source,Target\na,\nb,', 'required'],
    ['pajek', '*Vertices 2\n*Matrix\n0 1\n0', 'malformed'],
    ['cx', [{ nodes: [{ '@id': 1 }, {}] }], 'required'],
    ['ucinet', 'dl n=2 labels embedded\ndata:\na b\na 0 1\na 1 0', 'duplicate-id'],
    ['adjacency', { directed: 'no', nodes: [{ id: 'a' }], adjacency: [[]] }, 'wrong-type']
  ]
  for (const [format, file, code] of refused) {
    const { valid, content, faults, losses } = await read(format, file, lenient)
    t.same([valid, content, losses['faulty-dropped']], [false, undefined, undefined], code)
    t.equal(faults[0]?.code, code)
  }
})

t.test('a file without faults is the same with and without the option', once, async (t) => {
  for (const file of [
    { nodes: [], links: [] },
    { nodes: [{ id: 'a' }], links: [] }
  ]) {
    t.same(await read('node-link', file, lenient), await read('node-link', file))
  }
})

t.test('a hundred thousand faulty elements are left out as quickly as they are found', once, (t) => {
  const limits = { maxNodes: 200_000, maxEdges: 200_000, bodyLimit: 64_000_000 }
  const bytes = Buffer.from(`Source,Target\na,b\n${'a,\n'.repeat(100_000)}`)
  const { report } = readGraphFile(bytes, { formats: ['csv'], lenient: true }, limits, contentChecker(limits))
  t.same(
    report.losses.map(({ code, count }) => [code, count]),
    [['faulty-dropped', 100_000]]
  )
  t.same(report.faults.length, 1)
  t.end()
})

t.test('lenient is a parameter of imports, pushes, replacements and comparisons', async (t) => {
  const { as, store } = await build(t)
  const ada = as('ada')
  const csv = 'Source,Target\na,b\na,\n'
  const type = { 'content-type': 'text/csv' }
  t.equal((await ada.post('/api/graphs/import', csv, type)).status, 400)
  t.same(await events(store, 'GRAPH_CREATED'), [])
  const report = await ada.post('/api/graphs/import?lenient=true&dryRun=true', csv, type)
  t.same([report.status, report.body.valid, report.body.faults[0].line], [200, true, 3])
  const requests = [
    await ada.post('/api/graphs/import?lenient=true', csv, type),
    await ada.put('/api/graphs/1/content?lenient=true', `${csv}b,c\n`, type),
    await ada.put('/api/account/graphs/k/content?lenient=true', csv, type),
    await ada.post('/api/graphs/1/diff?lenient=true', csv, type)
  ]
  t.same(
    requests.map(({ status, headers }) => [status, headers['graphstead-loss']]),
    [201, 200, 201, 200].map((status) => [status, 'faulty-dropped;n=1'])
  )
  const compared = requests[3]?.body
  t.same([compared.report.edgeCount, compared.diff.nodes.removed.count], [1, 1])
})
