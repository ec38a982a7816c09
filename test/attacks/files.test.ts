import t from 'tap'
import { contentChecker } from '../../src/content.ts'
import { TakesLong } from '../../src/formats/graph-builder.ts'
import { readGraphFile } from '../../src/graph-file.ts'
import { read } from '../formats.ts'
import { readInChild } from './reading.ts'

// Small files that would be large graphs, or much work: what they come to is counted before it is built.

const limits = { maxNodes: 100_000, maxEdges: 500_000, bodyLimit: 32 * 1024 * 1024 }
const counted = (count: number, make: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => make(index)).join('')
const nodes = (count: number, name = 'v') => counted(count, (index) => `${name}${index.toString(36)} `)

/** Text that no metadata may be as long as. */
const LONG = 'x'.repeat(300_000)

/** Each says something once that the graph would have with each node or edge. */
const amplified: [format: string, name: string, file: string][] = [
  [
    'dot',
    'attributes of edges that are there already',
    `strict digraph { subgraph s { ${nodes(54)} } subgraph s -> subgraph s; subgraph s -> subgraph s [${nodes(6000, 'a')}] }`
  ],
  ['dot', 'names in labels', `digraph { node [label="${'\\N'.repeat(8000)}"] ${nodes(8000, 'name_'.repeat(20))} }`],
  ['dot', 'the name of the graph in labels', `digraph ${LONG} { node [label="${'\\G'.repeat(1000)}"] a }`],
  ['dot', 'a numeral by default', `digraph { node [w=1.${'0'.repeat(1_000_000)}1] ${nodes(90_000)} }`],
  ['dot', 'a position by default', `digraph { node [pos="1,1.${'0'.repeat(1_000_000)}1"] ${nodes(90_000)} }`],
  ['dot', 'long ids', `digraph { subgraph s { ${nodes(700, 'a'.repeat(240))} } subgraph s -> subgraph s }`],
  ['csv', 'the name of a column', `Source,Target,${LONG}\n${'a,b,1\n'.repeat(140_000)}`],
  [
    'graphml',
    'the name of a key',
    `<graphml><key id="k" attr.name="${LONG}"/><graph edgedefault="directed">${counted(20_000, (index) => `<node id="${index}"><data key="k">1</data></node>`)}</graph></graphml>`
  ],
  [
    'graphml',
    'the node around a graph',
    `<graphml><graph edgedefault="directed"><node id="${LONG}"><graph edgedefault="directed">${counted(20_000, (index) => `<node id="${index}"/>`)}</graph></node></graph></graphml>`
  ],
  [
    'gexf',
    'the title of an attribute',
    `<gexf><graph><attributes class="node"><attribute id="0" title="${LONG}" type="string"/></attributes><nodes>${counted(20_000, (index) => `<node id="${index}"><attvalue for="0" value="1"/></node>`)}</nodes></graph></gexf>`
  ],
  [
    'gexf',
    'the node around nodes',
    `<gexf><graph><nodes><node id="${LONG}"><nodes>${counted(20_000, (index) => `<node id="${index}"/>`)}</nodes></node></nodes></graph></gexf>`
  ],
  ['pajek', 'a relation', `*Vertices 2\n*Arcs :1 "${LONG}"\n${'1 2\n'.repeat(140_000)}`],
  [
    'pajek',
    'long labels that are ids',
    `% Graphstead: labels are ids\n*Vertices 2\n1 "${'a'.repeat(250)}"\n2 "${'b'.repeat(250)}"\n*Arcs\n${'1 2\n'.repeat(140_000)}`
  ],
  [
    'cx2',
    'the name behind an alias',
    `[{"CXVersion":"2.0"},{"attributeDeclarations":[{"nodes":{"${LONG}":{"a":"a"}}}]},{"nodes":[${counted(20_000, (index) => `{"id":${index},"v":{"a":1}},`)}{"id":-1}]}]`
  ],
  [
    'gml',
    'long ids behind integers',
    `graph [ graphsteadIds 1 node [ id 1 graphsteadId "${'a'.repeat(250)}" ] ${'edge [ source 1 target 1 ] '.repeat(140_000)} ]`
  ]
]

t.jobs = 4
// Each has its own limit of time, and machines may have much to do.
t.setTimeout(180_000)
for (const [format, name, file] of amplified) {
  t.test(`${format}: ${name}`, { buffered: true }, async (t) => {
    const said = await readInChild(format, file)
    t.match(said, /^too-large, makes (?:a graph of more than|the graph too large)/, `${file.length >> 10} KiB`)
  })
}

t.test('what edges of subgraphs come to is known before one of them is made', async (t) => {
  const each = (count: number) => `digraph { subgraph s { ${nodes(count)} } subgraph s -> subgraph s }`
  const { faults, edgeCount } = await read('dot', each(710))
  t.same(
    faults.map(({ code, line }) => [code, line]),
    [['too-many-edges', 1]]
  )
  t.equal(edgeCount, 0)
  const most = await read('dot', each(700))
  t.same([most.valid, most.nodeCount, most.edgeCount], [true, 700, 490_000])
})

t.test('edges that are mentioned again and again are counted, too, and subgraphs that are gone through', async (t) => {
  const strict = (times: number) =>
    `strict digraph { subgraph s { ${nodes(500)} } ${'subgraph s -> subgraph s;'.repeat(times)} }`
  const twice = await read('dot', strict(2))
  t.same([twice.valid, twice.edgeCount, twice.losses['edge-merged']], [true, 250_000, 250_000])
  t.match((await read('dot', strict(5))).faults, [{ code: 'too-many-edges' }])
  const changing = `digraph { subgraph s { ${nodes(5000)} } ${counted(500, (index) => `subgraph s { x${index} } -> {};`)} }`
  t.match((await read('dot', changing)).faults, [{ code: 'too-many-edges' }])
})

t.test('a small file is left to the other thread before it is much work', async (t) => {
  const small: [string, string][] = [
    ['dot', `strict digraph { subgraph s { ${nodes(50)} } ${'subgraph s->subgraph s;'.repeat(20)} }`],
    ['dot', `digraph { subgraph s { ${nodes(700)} } subgraph s -> subgraph s }`],
    ['dot', `digraph { ${counted(90, (index) => `node [${nodes(3, `a${index}`)}];`)} a }`],
    ['dot', `digraph { node [label="${'\\N'.repeat(1000)}"] ${nodes(200, 'name'.repeat(10))} }`],
    ['csv', `Source,Target,${'x'.repeat(20_000)}\n${'a,b,1\n'.repeat(1000)}`],
    ['pajek', '*Vertices 9999']
  ]
  for (const [format, file] of small) {
    t.throws(() => readPatiently(format, file), TakesLong, `${format}: ${file.slice(0, 40)}`)
  }
  t.equal(readPatiently('dot', `digraph { ${nodes(2000)} }`).report.nodeCount, 2000, 'what is little work is done')
})

/** As the event loop reads what is small. */
function readPatiently(format: string, file: string) {
  return readGraphFile(Buffer.from(file), { formats: [format] }, limits, contentChecker(limits), 3000)
}

t.test('nodes of subgraphs are remembered once, however deep they stand', async (t) => {
  const nested = (inside: string) => `digraph { ${'{ x '.repeat(90)} ${inside} ${'}'.repeat(90)} -> y }`
  t.equal(await readInChild('dot', nested(nodes(90_000)), { mebibytes: 200 }), '90002 nodes, 90001 edges')
})

t.test('an HTML label is gone through once', async (t) => {
  const html = (count: number) => `digraph { a [label=<${'<br'.repeat(count)} <!--> ${'>'.repeat(count)} <!--> >] }`
  const millisecondsOf = async (count: number) => {
    const start = performance.now()
    await read('dot', html(count))
    return performance.now() - start
  }
  await millisecondsOf(1000)
  const [once, fourTimes] = [await millisecondsOf(10_000), await millisecondsOf(40_000)]
  t.ok(fourTimes < 8 * once + 200, `${Math.round(once)} ms, ${Math.round(fourTimes)} ms`)
})
