import t from 'tap'
import { type Filter, nodeKeysOf } from '../../picture/filter/filters.ts'
import { type KindFilter, kindsOf, shownBy, shownByValue, toggle } from '../../picture/filter/kinds.ts'
import { shownLegend } from '../../picture/filter/legend-counts.ts'
import { visibilityOf } from '../../picture/filter/visibility.ts'
import { colourScale } from '../../picture/model/scales.ts'
import { histogramOf } from '../../ui/src/filter/histogram.ts'
import { shownContent } from '../../ui/src/filter/shown-content.ts'
import { sliderScale } from '../../ui/src/filter/slider-scale.ts'
import { edgeAttributes, nodeAttributes } from '../../ui/src/graph/network/attributes.ts'
import { networkOf } from '../../ui/src/graph/network/network.ts'
import { readView, writeView } from '../../ui/src/graph/view/view.ts'

// The filters of a graph page: which elements they hide, and how URLs store them.

/** A path a–b–c–d–e with a loop at e, and an isolated node. */
const content = {
  directed: true,
  label: 'Path',
  metadata: { source: 'a test' },
  nodes: [
    { id: 'a', label: 'Anna', x: 0, y: 1, metadata: { team: 'red', age: 30 } },
    { id: 'b', metadata: { team: 'red', age: 40 } },
    { id: 'c', metadata: { team: 'blue', age: 50.5 } },
    { id: 'd', metadata: { team: 'blue', note: 'Annual' } },
    { id: '__proto__', metadata: { team: 'green', age: 70 } },
    { id: 'alone' }
  ],
  edges: [
    { source: 'a', target: 'b', relation: 'knows', metadata: { weight: 1 } },
    { source: 'b', target: 'c', relation: 'knows', metadata: { weight: 2 } },
    { source: 'd', target: 'c', relation: 'likes', directed: false, metadata: { weight: 3 } },
    { source: 'd', target: '__proto__', relation: 'likes' },
    { source: '__proto__', target: '__proto__' }
  ]
}
const network = networkOf(content)
const attributes = { nodes: nodeAttributes(network), edges: edgeAttributes(network) }
const apply = (...filters: Filter[]) => visibilityOf(network, filters, attributes)

/** Returns the ids of visible nodes and the indexes of visible edges. */
function shown(...filters: Filter[]) {
  const { hidden, hiddenEdges, nodes, edges } = apply(...filters)
  const ids = content.nodes.filter((_, node) => hidden?.[node] !== 1).map(({ id }) => id)
  const numbers = [...content.edges.keys()].filter((edge) => hiddenEdges?.[edge] !== 1)
  t.same([nodes, edges], [ids.length, numbers.length], 'the counts match the visible elements')
  return `${ids.join(' ')} | ${numbers.join(' ')}`
}

const all = 'a b c d __proto__ alone | 0 1 2 3 4'

t.test('each kind of filter hides the nodes or edges that do not match', async (t) => {
  t.equal(shown(), all)
  t.equal(shown({ of: 'nodes', attribute: 'metadata.team', shown: ['blue'] }), 'c d | 2')
  t.equal(shown({ of: 'nodes', attribute: 'metadata.team', hidden: ['blue'] }), 'a b __proto__ alone | 0 4')
  t.equal(shown({ of: 'nodes', attribute: 'metadata.team', hidden: ['~'] }), 'a b c d __proto__ | 0 1 2 3 4')
  t.equal(shown({ of: 'nodes', attribute: 'metadata.team', hidden: [] }), all)
  t.equal(shown({ of: 'nodes', attribute: 'metadata.team', shown: [] }), ' | ')
  t.equal(
    shown({ of: 'nodes', attribute: 'metadata.age', least: 40, greatest: 50.5 }),
    'b c | 1',
    'a range includes both ends'
  )
  t.equal(shown({ of: 'nodes', attribute: 'degree', least: 0, greatest: 1 }), 'a alone | ')
  t.equal(shown({ of: 'edges', attribute: 'metadata.weight', least: 2, greatest: 9 }), `${all.split('|')[0]}| 1 2`)
  t.equal(shown({ of: 'edges', attribute: 'relation', hidden: ['likes'] }), `${all.split('|')[0]}| 0 1 4`)
  t.equal(shown({ of: 'nodes', attribute: 'id', shown: ['a', 'b', '__proto__', 'gone'] }), 'a b __proto__ | 0 4')
  t.equal(shown({ of: 'nodes', attribute: 'id', hidden: ['d'] }), 'a b c __proto__ alone | 0 1 4')
  t.equal(shown({ of: 'nodes', attribute: 'nothing', shown: [] }), all, 'a filter by a missing attribute is ignored')
  t.equal(
    shown({ of: 'edges', attribute: 'metadata.team', shown: [] }),
    all,
    'an edge filter by a node attribute is ignored'
  )
  t.equal(apply().hidden, undefined)
  t.equal(apply({ of: 'edges', attribute: 'relation', shown: [] }).hidden, undefined, 'edge filters do not hide nodes')
})

t.test('a neighbourhood follows edges in either direction, up to its depth', async (t) => {
  t.equal(shown({ around: 'c', depth: 0 }), 'c | ')
  t.equal(shown({ around: 'c', depth: 1 }), 'b c d | 1 2')
  t.equal(shown({ around: 'c', depth: 2 }), 'a b c d __proto__ | 0 1 2 3 4')
  t.equal(shown({ around: 'c', depth: 20 }), 'a b c d __proto__ | 0 1 2 3 4')
  t.equal(shown({ around: 'alone', depth: 3 }), 'alone | ')
  t.equal(shown({ around: '__proto__', depth: 1 }), 'd __proto__ | 3 4')
  t.equal(shown({ around: 'toString', depth: 1 }), all, 'a filter around a missing node is ignored')
  t.equal(shown({ around: '', depth: 1 }), all, 'a filter whose node is not chosen yet hides nothing')
})

t.test('a text filter searches ids, labels and stored attributes, ignoring case', async (t) => {
  t.equal(shown({ text: 'ANN' }), 'a d | ')
  t.equal(shown({ text: '_proto_' }), '__proto__ | 4')
  t.equal(shown({ text: ' alone ' }), 'alone | ')
  t.equal(shown({ text: '50.5' }), 'c | ')
  t.equal(shown({ text: ' ' }), all)
  t.equal(shown({ text: 'nowhere' }), ' | ')
})

t.test('filters combine in any order', async (t) => {
  const filters: Filter[] = [
    { of: 'nodes', attribute: 'metadata.team', hidden: ['green'] },
    { of: 'edges', attribute: 'metadata.weight', least: 2, greatest: 3 },
    { around: 'c', depth: 2 },
    { of: 'nodes', attribute: 'metadata.age', least: 35, greatest: 60 }
  ]
  t.equal(shown(...filters), 'b c | 1')
  t.equal(shown(...filters.toReversed()), 'b c | 1')
  t.equal(shown(...filters.slice(0, 3)), 'a b c d | 1 2')
  t.equal(shown(...filters.slice(0, 1)), 'a b c d alone | 0 1 2')
  t.same(nodeKeysOf(filters), ['metadata.team', 'metadata.age'], 'the attributes used by node filters are listed')
})

/** Reads the filters in a query string. */
const read = (address: string) => readView(new URLSearchParams(address)).filters

t.test('any list of filters round-trips through a URL', async (t) => {
  const lists: Filter[][] = [
    [{ of: 'nodes', attribute: 'metadata.team', shown: ['red', 'a&b=c'] }],
    [{ of: 'nodes', attribute: 'metadata.team', hidden: ['', '~', '~~x'] }],
    [{ of: 'nodes', attribute: 'metadata.team', shown: [] }],
    [{ of: 'edges', attribute: 'relation', hidden: [] }],
    [{ of: 'nodes', attribute: 'degree', least: -1.5, greatest: 3 }],
    [{ text: '' }],
    [{ around: '', depth: 0 }],
    [
      { of: 'nodes', attribute: 'filter', hidden: ['from'] },
      { around: '__proto__&=?#/ ü', depth: 20 },
      { of: 'edges', attribute: 'metadata.weight', least: 0.1, greatest: 1e21 },
      { text: ' is=1&depth=2 ' },
      { of: 'nodes', attribute: 'metadata.team', shown: ['x'] },
      { of: 'nodes', attribute: 'metadata.team', hidden: ['y'] }
    ]
  ]
  for (const filters of lists) {
    const address = writeView({ tab: 'nodes', node: 'is', filters }).toString()
    t.strictSame(read(address), filters, address)
  }
  t.equal(read(''), undefined)
  t.equal(writeView({ tab: 'drawing', filters: [] }).toString(), '')
})

t.test('URLs with one filter in the format of earlier builds open the same view', async (t) => {
  const of = 'nodes'
  t.strictSame(read('filter=metadata.team&is=red&is=%7E'), [{ of, attribute: 'metadata.team', shown: ['red', '~'] }])
  t.strictSame(read('colour=degree&filter=k&not=a&not=b'), [{ of, attribute: 'k', hidden: ['a', 'b'] }])
  t.strictSame(read('filter=k&is=%7E0'), [{ of, attribute: 'k', shown: [] }])
  t.strictSame(read('filter=k'), [{ of, attribute: 'k', hidden: [] }])
  t.strictSame(read('filter=degree&from=1&to=2.5'), [{ of, attribute: 'degree', least: 1, greatest: 2.5 }])
  t.strictSame(
    read('from=1&to=2&filter=degree'),
    [{ of, attribute: 'degree', least: 1, greatest: 2 }],
    'the parameters may be in any order'
  )
})

t.test('invalid filters are omitted from a view', async (t) => {
  t.equal(read('filter=degree&from=a&to=2'), undefined)
  t.equal(read('is=red&depth=2'), undefined)
  for (const depth of ['-1', '1.5', '21', 'x']) t.equal(read(`around=a&depth=${depth}`), undefined, depth)
  t.strictSame(read('around=a'), [{ around: 'a', depth: 1 }])
  t.strictSame(read('filter=degree&from=a&to=2&with=x'), [{ text: 'x' }], 'the other filters are kept')
})

t.test('a view has at most 50 filters', async (t) => {
  const texts = Array.from({ length: 51 }, (_, index) => ({ text: String(index) }))
  const query = texts.map(({ text }) => `with=${text}`).join('&')
  t.strictSame(read(query), texts.slice(0, 50))
})

t.test('a filter lists either the shown or the hidden values, whichever are fewer', async (t) => {
  const nodes = ['b', 'a', '~x', 'b', undefined, 'x'.repeat(100_000), 'x'.repeat(100_001)]
  const attribute = { key: 'metadata.k', title: 'k', isNumber: false, read: (index: number) => nodes[index] }
  const kinds = kindsOf(attribute, nodes.length)
  t.same(
    kinds.map(({ value, count }) => [value?.slice(0, 2), count]),
    [
      ['b', 2],
      ['~x', 1],
      ['a', 1],
      ['xx', 1],
      ['xx', 1],
      [undefined, 1]
    ]
  )
  const keys = kinds.map(({ key }) => key)
  t.equal(new Set(keys).size, 6)
  t.ok(keys.every((key) => key.length < 20))
  t.same([keys[0], keys[1], keys[5]], ['b', '~~x', '~'])

  let filter: KindFilter = { attribute: 'metadata.k', hidden: [] }
  const steps: object[] = []
  for (const key of keys) {
    filter = toggle(filter, kinds, key)
    steps.push(filter)
    t.same(
      keys.map(shownBy(filter)),
      keys.map((_, index) => index >= steps.length)
    )
  }
  const [attributeOnly, one, two, three] = [{ attribute: 'metadata.k' }, ['b'], keys.slice(0, 2), keys.slice(0, 3)]
  t.same(steps, [
    { ...attributeOnly, hidden: one },
    { ...attributeOnly, hidden: two },
    { ...attributeOnly, hidden: three },
    { ...attributeOnly, shown: keys.slice(4) },
    { ...attributeOnly, shown: keys.slice(5) },
    { ...attributeOnly, shown: [] }
  ])
})

t.test('a filter distinguishes long values by their keys', async (t) => {
  const [long, other, short] = ['x'.repeat(50), 'y'.repeat(50), 'z']
  const [key] = kindsOf({ key: 'k', title: 'k', isNumber: false, read: () => long }, 1).map(({ key }) => key)
  const isShown = shownByValue({ attribute: 'k', shown: [key as string, 'z'] })
  t.same([long, other, short, 'x'.repeat(51), undefined].map(isShown), [true, false, true, false, false])
})

/** Returns an attribute with these values. */
const of = (...values: (number | string | undefined)[]) => ({
  key: 'k',
  title: 'k',
  isNumber: true,
  read: (index: number) => values[index]
})

t.test('a histogram counts every number once, with a bar for each integer of a small range', async (t) => {
  const counts = (...values: (number | undefined)[]) => {
    const { counts, ...rest } = histogramOf(of(...values), values.length) ?? { counts: [] }
    return { ...rest, counts: [...counts] }
  }
  t.same(counts(3, 1, 1, undefined, 4), { least: 1, greatest: 4, isWhole: true, counts: [2, 0, 1, 1], without: 1 })
  t.same(counts(5, 5), { least: 5, greatest: 5, isWhole: true, counts: [2], without: 0 })
  t.same(counts(0.5, 0.5), { least: 0.5, greatest: 0.5, isWhole: false, counts: [2], without: 0 })
  const wide = counts(0, 0.1, 1000, 999.9)
  t.same([wide.counts.length, wide.counts[0], wide.counts[39]], [40, 2, 2])
  t.same(counts(1, 1.5, 2).counts.length, 40, 'a fraction requires regular bars')
  const widest = counts(-1.7e308, 0, 1.7e308)
  t.same([widest.counts[0], widest.counts[20], widest.counts[39]], [1, 1, 1])
  t.equal(histogramOf(of(undefined, 'x'), 2), undefined)
})

t.test('the ends of a slider are exact, and its steps round-trip', async (t) => {
  for (const [least, greatest, isWhole, steps] of [
    [1, 17, true, 16],
    [0, 1000, true, 1000],
    [0, 1_000_000, true, 200],
    [0.1, 0.7, false, 200],
    [-3, 4, false, 200],
    [-1.7e308, 1.7e308, false, 200]
  ] as const) {
    const scale = sliderScale({ least, greatest, isWhole })
    t.equal(scale.steps, steps)
    t.same([scale.valueAt(0), scale.valueAt(steps)], [least, greatest])
    for (let step = 0; step <= steps; step++) if (scale.stepOf(scale.valueAt(step)) !== step) t.fail(`step ${step}`)
    t.same([scale.stepOf(least - 1), scale.stepOf(greatest + 1)], [0, steps])
  }
})

t.test('a legend counts the visible elements of each value', async (t) => {
  const [team] = attributes.nodes
  if (!team) throw new Error('there is no attribute')
  const { legend } = colourScale(team, content.nodes.length, () => undefined)
  const { hidden } = apply({ text: 'a' }, { of: 'nodes', attribute: 'metadata.team', hidden: ['green'] })
  t.same(
    shownLegend(legend, team, content.nodes.length, hidden).kinds?.map(({ value, count, shown }) => [
      value,
      shown,
      count
    ]),
    [
      ['blue', 1, 2],
      ['red', 1, 2],
      ['green', 0, 1]
    ]
  )
  t.equal(shownLegend(legend, team, content.nodes.length, undefined), legend)
})

t.test('a new graph from visible nodes keeps all data of those nodes and edges', async (t) => {
  const moved = content.nodes.map((node, index) => ({ ...node, x: index, y: -index }))
  const visible = apply(
    { of: 'nodes', attribute: 'metadata.team', shown: ['blue', 'green'] },
    { of: 'edges', attribute: 'relation', hidden: ['~'] }
  )
  t.strictSame(shownContent(content, moved, visible), {
    directed: true,
    label: 'Path',
    metadata: { source: 'a test' },
    nodes: moved.slice(2, 5),
    edges: content.edges.slice(2, 4)
  })
  t.strictSame(shownContent(content, content.nodes, apply()), content)
})
