import t from 'tap'
import { drawGraph } from '../../picture/sheet/drawn-graph.ts'
import type { GraphContent } from '../../schemas/graph-content.ts'

const usual = { width: 960, height: 600, theme: 'light' } as const

/** A path of four nodes with a branch. */
const content: GraphContent = {
  directed: false,
  nodes: ['a', 'b', 'c', 'd', 'e'].map((id, index) => ({
    id,
    x: index * 10,
    y: (index % 2) * 10,
    metadata: { kind: index < 3 ? 'near' : 'far', rank: index * 1.5, title: `T${index}` }
  })),
  edges: [
    { source: 'a', target: 'b', metadata: { strength: 1.5 } },
    { source: 'b', target: 'c', metadata: { strength: 2.5 } },
    { source: 'c', target: 'd', metadata: { strength: 4.5 } },
    { source: 'c', target: 'e', relation: 'knows' }
  ]
}

const drawn = (query: string, of = content) => drawGraph(of, 'Path', usual, { view: { query } })
const legendOf = (query: string) => drawn(query).legend.map(({ text }) => text)

t.test('a picture has the colours, sizes and labels of its view, and its legend', async (t) => {
  const { nodes, labels } = drawn('colour=metadata.kind&size=metadata.rank&label=metadata.title')
  t.same(
    nodes.map(({ colour }) => colour),
    ['#678dfc', '#678dfc', '#678dfc', '#cb3416', '#cb3416']
  )
  const sizes = nodes.map(({ radius }) => radius)
  t.same(
    sizes,
    [...sizes].sort((a, b) => a - b)
  )
  t.equal(new Set(sizes).size, 5)
  t.same(labels.map(({ text }) => text).sort(), ['T0', 'T1', 'T2', 'T3', 'T4'])
  t.same(legendOf('colour=metadata.kind&size=metadata.rank'), [
    'kind',
    'near (3)',
    'far (2)',
    ...['Size: rank', '6', '3', '0']
  ])
  t.same(legendOf('colour=none&size=none'), [])
  const [first, ...others] = content.nodes
  const lacking = { ...content, nodes: [{ id: first?.id as string, x: 0, y: 0 }, ...others] }
  const bySize = drawn('colour=none&size=metadata.rank', lacking)
  t.same(
    bySize.legend.map(({ text }) => text),
    ['Size: rank', '6', '4', '1.5', '(without a value)']
  )
  t.equal(
    Math.fround(bySize.legend.at(-1)?.disc ?? 0),
    bySize.nodes[0]?.radius,
    'nodes without a value have the size in the legend'
  )
  const ofEdges = drawn('colour=none&size=none&edgeColour=relation&edgeSize=metadata.strength')
  t.same(
    ofEdges.legend.map(({ text }) => text),
    [
      ...['Edges: Relation', 'knows (1)', '(without a value) (3)'],
      ...['Edge size: strength', '4.5', '3', '1.5', '(without a value)']
    ]
  )
  const widths = ofEdges.edges.map(({ width }) => width)
  t.same(widths, [widths[0], widths[1], widths[2], widths[0]])
  t.ok((widths[0] as number) < (widths[1] as number) && (widths[1] as number) < (widths[2] as number))
})

t.test('a picture has the measures that its view uses', async (t) => {
  const weighted = (query: string) => legendOf(`colour=none&size=measure.weightedDegree${query}`)
  t.same(weighted(''), ['Size: Weighted degree', '3', '2', '1'])
  t.same(weighted('&weight=metadata.strength'), ['Size: Weighted degree', '8', '5', '1'])
  const chain = {
    directed: false,
    nodes: [...'abcd'].map((id) => ({ id })),
    edges: ['ab', 'bc', 'cd'].map(([source = '', target = ''], index) => ({
      ...{ source, target },
      metadata: { strength: index === 1 ? 10 : 1 }
    }))
  }
  const groups = (query: string) => drawn(`size=none&${query}`, chain).legend.length - 1
  t.equal(groups(''), 2, 'communities by default')
  t.equal(groups('weight=metadata.strength'), -1, 'the weights hold all nodes together')
  t.same(legendOf('colour=measure.component&size=none'), ['Component', 'Component 1 (5)'])
  t.same(legendOf('colour=none&size=measure.core'), [], 'all nodes have the core number 1')
  for (const [name, title] of [
    ['pageRank', 'PageRank'],
    ['betweenness', 'Betweenness'],
    ['closeness', 'Closeness'],
    ['weightedDegree', 'Weighted degree']
  ] as const)
    t.equal(legendOf(`colour=none&size=measure.${name}`)[0], `Size: ${title}`)
  t.same(
    drawn('filter=measure.betweenness&from=0.5&to=1').nodes.map(({ name }) => name),
    ['b', 'c']
  )
})

t.test('a picture leaves out what the filters of its view hide', async (t) => {
  const shown = (query: string) => {
    const { nodes, edges } = drawn(query)
    return [nodes.map(({ name }) => name).join(''), edges.length]
  }
  t.same(shown(''), ['abcde', 4])
  t.same(shown('filter=metadata.kind&is=far'), ['de', 0])
  t.same(shown('filter=metadata.kind&not=far&filter=metadata.rank&from=1&to=9'), ['bc', 1])
  t.same(shown('around=a&depth=2'), ['abc', 2])
  t.same(shown('with=t4'), ['e', 0])
  t.same(shown('edgeFilter=relation&is=knows'), ['abcde', 1])
  t.same(shown('with=nothing+of+the+kind'), ['', 0])
  t.same(legendOf('colour=metadata.kind&size=none&with=t2'), ['kind', 'near (1 of 3)'])
  t.match(drawn('colour=metadata.kind&filter=metadata.kind&is=far').nodes, [
    { colour: '#cb3416' },
    { colour: '#cb3416' }
  ])
})

t.test('hidden nodes keep their places in a layout, which pictures in other views reuse', async (t) => {
  const { nodes, ...rest } = content
  const unplaced = { ...rest, nodes: nodes.map(({ x: _x, y: _y, ...node }) => node) }
  const { layout } = drawn('', unplaced)
  t.equal(layout?.positions.length, 10)
  t.same(drawn('around=a&depth=1', unplaced).layout, layout)
  const moved = layout?.positions.toReversed() as Float32Array
  const another = drawGraph(unplaced, 'Path', usual, { layout: moved, view: { query: 'around=a&depth=1' } })
  t.not(JSON.stringify(another.nodes), JSON.stringify(drawn('around=a&depth=1', unplaced).nodes))
})

t.test('a view of a part of a large graph is drawn node by node', async (t) => {
  const nodes = Array.from({ length: 2500 }, (_, index) => ({ id: `n${index}`, metadata: { kind: index % 2 } }))
  const edges = nodes.slice(1).map(({ id }, index) => ({ source: `n${index}`, target: id }))
  const large = { directed: true, nodes, edges }
  const [all, half, few] = ['', 'filter=metadata.kind&is=1', 'around=n9&depth=3'].map((query) => drawn(query, large))
  t.same([all?.nodes.length, all?.legend[0]?.text], [0, 'Density of 2,500 nodes'])
  t.same([half?.nodes.length, half?.squares], [1250, undefined])
  t.same(
    few?.nodes.map(({ name }) => name),
    ['n6', 'n7', 'n8', 'n9', 'n10', 'n11', 'n12']
  )
  t.equal(few?.layout, undefined, 'the layout of a part is not that of the graph')
  // Measures would take too long.
  t.equal(drawn('filter=measure.betweenness&from=0.5&to=1', large).squares?.length, all?.squares?.length)
})

t.test('malformed views are drawn like the web app shows them', async (t) => {
  const plain = JSON.stringify(drawn(''))
  for (const query of [
    'camera=NaN,1&tab=x&node=%FF&edge=-1&near=&path=%&whole',
    'filter=metadata.kind&from=x&to=',
    'filter=__proto__&is=a&around=__proto__&depth=1&edgeFilter=constructor&not=b',
    'around=a&depth=-1&around=a&depth=21&with=+&&&===&%E0%A4%A',
    `${'around=zz&depth=1&'.repeat(400)}`
  ])
    t.equal(JSON.stringify(drawn(query)), plain, query)
  t.same(legendOf('colour=__proto__&size=constructor&edgeColour=%FF&edgeSize=metadata.title&label=toString'), [])
})
