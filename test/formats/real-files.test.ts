import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { formatsOfFile } from '../../graph/formats/index.ts'
import type { FormatName } from '../../schemas/graph-file.ts'
import { read } from '../support/formats.ts'

const folder = join(import.meta.dirname, '../samples')

/** Detects the format and reads the file. Checks that its extension implies the same format. */
async function sample(file: string) {
  const bytes = readFileSync(join(folder, file))
  return { ...(await read(undefined, bytes)), formats: formatsOfFile(file).map(({ name }) => name) }
}

const files: [file: string, format: FormatName, nodes: number, edges: number, directed: boolean, losses: object][] = [
  ['les-miserables.gexf', 'gexf', 77, 254, false, {}],
  ['les-miserables.graphml', 'graphml', 77, 254, false, {}],
  ['les-miserables.node-link.json', 'node-link', 77, 254, false, {}],
  ['karate.gml', 'gml', 34, 78, false, {}],
  ['usair97.net', 'pajek', 332, 2126, false, {}],
  ['c-burnetii.cx2', 'cx2', 111, 223, true, { 'visual-dropped': 55, 'aspects-dropped': 1 }],
  ['small.cx', 'cx', 3, 2, true, { 'aspects-dropped': 1, 'position-dropped': 1, 'visual-dropped': 1 }],
  ['small.xgmml', 'xgmml', 4, 2, true, { 'aspects-dropped': 1, 'subgraph-flattened': 1, 'visual-dropped': 2 }],
  ['asoiaf-edges.csv', 'csv', 796, 2823, false, {}],
  ['asoiaf-nodes.csv', 'csv', 796, 0, true, {}],
  // Counted with Graphviz (`gc -n -e`).
  ['root.gv', 'dot', 1054, 1083, true, {}],
  ['neo4j.graphml', 'graphml', 4, 4, true, {}],
  ['keys-behind.graphml', 'graphml', 3, 2, false, { 'direction-assumed': 1, 'doctype-ignored': 1 }],
  [
    'gephi-nulls.gexf',
    'gexf',
    3,
    2,
    true,
    { 'dynamics-dropped': 2, 'key-undeclared': 1, 'list-as-text': 1, 'null-dropped': 2 }
  ],
  ['text-ids.gml', 'gml', 3, 2, true, { 'quotes-unescaped': 1, 'text-unquoted': 1 }],
  ['project.paj', 'pajek', 5, 4, false, { 'network-dropped': 1, 'partition-dropped': 1 }],
  ['trap-mixed-multigraph.graphml', 'graphml', 6, 8, false, {}],
  // This file declares keys for edge labels and colours, but not for the label and class of nodes.
  ['trap-broken.graphml', 'graphml', 77, 254, false, { 'key-undeclared': 154 }],
  ['trap-yfiles.graphml', 'graphml', 4, 4, true, { 'visual-dropped': 13, 'ports-dropped': 8 }]
]
for (const [file, format, nodeCount, edgeCount, directed, losses] of files) {
  t.test(file, async (t) => {
    const found = await sample(file)
    t.match(found, { format, nodeCount, edgeCount, valid: true, content: { directed } })
    t.same(found.faults, [])
    t.same(found.losses, losses)
    t.ok(found.formats.includes(format))
  })
}

t.test('attributes are read with their types', async (t) => {
  const { content: gexf } = await sample('les-miserables.gexf')
  t.match(gexf?.nodes[0], {
    id: '11',
    label: 'Valjean',
    x: -87.93029,
    y: 6.8120565,
    metadata: { modularity_class: 1, color: '#f55b5b', size: 100 }
  })
  const { content: graphml } = await sample('les-miserables.graphml')
  t.match(graphml?.nodes[0], { id: '11', label: 'Valjean', x: -87.93029, metadata: { 'Modularity Class': 1, r: 245 } })
  const { content: nodeLink } = await sample('les-miserables.node-link.json')
  t.match(nodeLink?.nodes[0], { id: '0', label: 'Myriel', metadata: { group: 1 } })
  t.match(nodeLink?.edges[0], { source: '1', target: '0', metadata: { value: 1 } }, 'ends are given as indices')
  const { content: net } = await sample('usair97.net')
  t.match(net?.nodes[5], { id: '6', label: "St Mary's", x: 0.4074 })
  const { content: csv } = await sample('asoiaf-edges.csv')
  t.match(csv?.edges[0], { id: '0', source: 'Addam-Marbrand', target: 'Brynden-Tully', metadata: { weight: 3 } })
  const { content: cx2 } = await sample('c-burnetii.cx2')
  t.match(cx2?.nodes[0], { id: '71', label: 'RDS3', x: 382.4449304414487 })
  t.match(cx2?.edges[0], { relation: 'hosthost', label: 'LEO1 (hosthost) CDC73' })
  const { content: yfiles } = await sample('trap-yfiles.graphml')
  t.match(yfiles?.nodes[0], {
    id: 'n0',
    label: 'Top left rounded rectangle',
    metadata: { description: '<node id="n3">' }
  })
  const { content: mixed } = await sample('trap-mixed-multigraph.graphml')
  t.match(mixed?.nodes[1], { id: 'n1', metadata: { color: 'yellow' } }, 'the default value')
  const directed = mixed?.edges.filter(({ directed }) => directed).map(({ id }) => id)
  t.same(directed, ['e3', 'e6'])
})

t.test('broken real files are refused with precise faults', async (t) => {
  const missing = await sample('trap-missing-nodes.graphml')
  t.match(missing, { faultCount: 37, faults: { length: 36 } })
  t.match(missing.faults[0], { line: 20, column: 2, element: 'edge 1, "9504277" to "9306289"', code: 'unknown-node' })
  t.equal(missing.content, undefined)
  const bytes = readFileSync(join(folder, 'trap-not-pajek.net'))
  t.match(await read('pajek', bytes), { faults: [{ line: 2, column: 1, code: 'malformed-pajek' }] })
  t.match(await read(undefined, bytes), { format: 'edge-list', valid: true, nodeCount: 34, edgeCount: 78 })
})
