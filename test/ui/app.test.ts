import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import ts from 'typescript'
import { arrowLength, coverageOf, opacityOf, ownOpacity, shareOf } from '../../picture/edges/ink.ts'
import { edgeAt } from '../../picture/edges/shapes.ts'
import { EdgeTints } from '../../picture/edges/tints.ts'
import { fitOff } from '../../picture/layout/fit.ts'
import { labelEnds } from '../../picture/layout/label-ends.ts'
import { CROWDED, LabelPlaces } from '../../picture/layout/label-places.ts'
import { packBoxes, type Size } from '../../picture/layout/pack-boxes.ts'
import { tidied } from '../../picture/layout/tidy.ts'
import { componentsOf } from '../../picture/model/components.ts'
import { fittingColour, ownSize } from '../../picture/model/fitting-colour.ts'
import { OTHER, palette, ramp } from '../../picture/model/palettes.ts'
import { colourScale, edgeSizes, hasKinds, nodeSizes, sizeScale } from '../../picture/model/scales.ts'
import { lightPaper } from '../../picture/sheet/paper.ts'
import { svgOf } from '../../picture/sheet/svg.ts'
import { usageOf } from '../../ui/src/account/usage.ts'
import { ranksOf } from '../../ui/src/graph/drawing/edges/sample.ts'
import { isInside } from '../../ui/src/graph/drawing/lasso.ts'
import { nodeAt } from '../../ui/src/graph/drawing/node-picking.ts'
import {
  edgeAttributes,
  leftOutAttributes,
  nodeAttributes,
  rangeOf,
  valuesOf
} from '../../ui/src/graph/network/attributes.ts'
import {
  bendsOf,
  discPositions,
  edgesOf,
  nameOf,
  neighboursOf,
  networkOf,
  otherEnd,
  storedPositions
} from '../../ui/src/graph/network/network.ts'
import { hasSamePlaces, nextNetwork } from '../../ui/src/graph/network/next-network.ts'
import { readView, type View, writeView } from '../../ui/src/graph/view/view.ts'
import { fileNameOf, lossesOf, stemOf } from '../../ui/src/graphs/file-headers.ts'
import { markedNetwork } from '../../ui/src/history/marked-network.ts'
import { placeOf, withLabels } from '../../ui/src/shared/fault-place.ts'
import { en } from '../../ui/src/text/en.ts'

// The parts of the web app that do not need a browser, and rules for its source code.

const content = {
  directed: true,
  nodes: [
    { id: '__proto__', label: 'First', metadata: { team: 'red', size: 1 } },
    { id: 'b', label: ' ', metadata: { team: 'blue', size: 4.5 } },
    { id: 'c', metadata: { team: 'blue', nested: { a: 1 }, mixed: 'x' } },
    { id: 'd', metadata: { mixed: 1 } }
  ],
  edges: [
    { source: '__proto__', target: 'b', relation: 'knows' },
    { source: 'b', target: '__proto__', directed: false },
    { source: 'b', target: 'b' },
    { source: 'b', target: 'c', relation: 'knows' }
  ]
}

t.test('a network provides degrees, edges and neighbours', async (t) => {
  const network = networkOf(content)
  t.same([...network.degree], [2, 5, 1, 0], 'a loop counts twice towards the degree')
  t.same([...network.inDegree], [1, 2, 1, 0])
  t.same([...network.outDegree], [1, 3, 0, 0])
  t.same([...network.directed], [1, 0, 1, 1])
  t.same(edgesOf(network, 1), [0, 1, 2, 3], 'a loop is listed once')
  t.same([...neighboursOf(network, 1)], [0, 2], 'each neighbour is listed once')
  t.same(edgesOf(network, 3), [])
  t.equal(otherEnd(network, 2, 1), 1)
  t.same(network.nodes.map(nameOf), ['First', 'b', 'c', 'd'], 'a blank label is treated as missing')
})

t.test('a network shares its indexes with the previous one if only values differ', async (t) => {
  const before = networkOf(content)
  const [node, ...nodes] = content.nodes
  const [edge, ...edges] = content.edges
  const alike = [
    { ...content },
    { ...content, nodes: [{ id: '__proto__', label: 'Other', x: 1, y: 2 }, ...nodes] },
    { ...content, edges: [{ source: '__proto__', target: 'b', directed: true, metadata: { weight: 7 } }, ...edges] }
  ]
  for (const changed of alike) {
    const next = nextNetwork(changed, before)
    t.same(next, networkOf(changed))
    t.equal(next.incident, before.incident)
    t.equal(next.indexOf, before.indexOf)
  }
  const others = [
    { ...content, directed: false },
    { ...content, nodes: [...content.nodes, { id: 'e' }] },
    { ...content, nodes: content.nodes.toReversed() },
    { ...content, edges },
    { ...content, edges: [{ source: 'c', target: 'b' }, ...edges] },
    { ...content, edges: [{ source: '__proto__', target: 'c' }, ...edges] },
    { ...content, edges: [{ ...edge, source: '__proto__', target: 'b', directed: false }, ...edges] }
  ]
  for (const changed of others) {
    const next = nextNetwork(changed, before)
    t.same(next, networkOf(changed))
    t.not(next.incident, before.incident)
    t.equal(hasSamePlaces(before, next), false)
  }
  t.equal(nextNetwork(content, undefined).nodes, content.nodes)
  const placesOf = (changes: object) =>
    hasSamePlaces(
      before,
      nextNetwork({ ...content, nodes: [{ ...node, id: '__proto__', ...changes }, ...nodes] }, before)
    )
  t.same([placesOf({ label: 'Other' }), placesOf({ x: 1 }), placesOf({ y: 0 })], [true, false, false])
})

t.test('parallel edges bend to different sides, in both directions', async (t) => {
  const between = (...pairs: string[]) => {
    const edges = pairs.map((pair) => ({ source: pair[0] as string, target: pair[1] as string }))
    return [...bendsOf(networkOf({ directed: true, nodes: [{ id: 'a' }, { id: 'b' }, { id: 'c' }], edges }))]
  }
  t.same(between('ab', 'bc', 'ca', 'aa'), [0, 0, 0, 0], 'single edges are straight')
  const [one = 0, other] = between('ab', 'ba')
  t.ok(one !== 0 && one === other, 'both bend to the same side of their direction, and thus apart')
  const [first = 0, second, third] = between('ab', 'ab', 'ab')
  t.ok(first < 0 && second === 0 && third === -first)
  const many = between(...Array.from({ length: 101 }, () => 'ba'))
  t.equal(new Set(many.slice(0, 24)).size, 24)
  t.ok(many.every((bend) => Math.abs(bend) < 0.61))
  t.ok(
    many.slice(24).every((bend) => bend === 0),
    'more curves would be indistinguishable'
  )
  const pairs = Array.from({ length: 1001 }, (_, index) => index * 2)
  const thicket = networkOf({
    nodes: pairs.flatMap((index) => [{ id: `${index}` }, { id: `${index + 1}` }]),
    directed: true,
    edges: pairs.flatMap((index) => [
      { source: `${index}`, target: `${index + 1}` },
      { source: `${index + 1}`, target: `${index}` }
    ])
  })
  t.ok(
    bendsOf(thicket).every((bend) => bend === 0),
    'so many curves would take too long to draw'
  )
  t.same(between('aa', 'aa', 'bb', 'aa'), [0, 1, 0, 2], 'loops are nested')
})

t.test('edges fade with the area they cover, down to a minimum opacity', async (t) => {
  // The corners of a square deviate by 50, like points spread evenly over a square with a side of 50√12.
  const square = Float64Array.from([0, 0, 100, 0, 100, 100, 0, 100])
  const ends = { source: Uint32Array.from([0, 1]), target: Uint32Array.from([1, 3]) }
  const coverage = coverageOf(ends, square, () => 2)
  t.ok(Math.abs(coverage - (2 * (100 + 100 * Math.SQRT2)) / 30_000) < 1e-9, `${coverage}`)
  t.equal(
    coverageOf(ends, square, () => 0.2),
    coverage / 2,
    'no edge is thinner than a pixel'
  )
  t.equal(
    coverageOf(ends, new Float64Array(8), () => 1),
    0,
    'edges of zero length cover nothing'
  )
  t.equal(
    coverageOf(ends, square, () => 2, Uint8Array.of(0, 1)),
    200 / 30_000,
    'hidden edges are not counted'
  )
  t.same([0, 0.1, 1, 10_000].map(opacityOf), [0.8, 0.8, 0.36, 0.06])
  t.ok(opacityOf(2) < opacityOf(1) && opacityOf(2) > 0.2)
  t.same([0, 1, 12].map(shareOf), [1, 1, 1], 'all edges are drawn while fading suffices')
  t.equal(shareOf(100) * opacityOf(100), 0.36 / 100 ** 0.7, 'fewer edges use as much ink as paler ones would')
  t.same([ownOpacity(0.2, 0), ownOpacity(0.2, 1), ownOpacity(0.25, 0.6)], [0.2, 1, 0.7])
})

t.test('an arrow grows with its line, but fits its node and the visible part of its edge', async (t) => {
  t.equal(arrowLength(1, 20, 100), 6.5)
  t.equal(arrowLength(4, 20, 100), 14, 'a wider line has a longer arrow')
  t.equal(arrowLength(4, 5, 100), 8, 'the arrow fits a small node')
  t.equal(arrowLength(4, 1, 100), 4, 'the arrow fits a tiny node')
  t.equal(arrowLength(4, 20, 3), 3, 'the arrow fits between nodes that almost touch')
  t.equal(arrowLength(4, 20, -5), 0, 'there is no arrow between overlapping nodes')
})

t.test('a directed edge has the tint of its source, and an undirected one that of both ends', async (t) => {
  const network = networkOf({
    directed: true,
    nodes: [{ id: 'a' }, { id: 'b' }],
    edges: [
      { source: 'a', target: 'b' },
      { source: 'b', target: 'a' },
      { source: 'b', target: 'a', directed: false }
    ]
  })
  const tints = new EdgeTints(network, (node) => (node === 0 ? '#ff0000' : '#0000ff'), '#808080')
  t.same(
    [0, 1, 2].map((edge) => tints.of(edge)),
    ['#c04040', '#4040c0', '#804080']
  )
})

t.test('a sample of the edges is evenly spread and leaves no node without an edge', async (t) => {
  const count = 1000
  const nodes = Array.from({ length: count + 2 }, (_, index) => ({ id: String(index) }))
  const around = nodes.slice(1, count).map(({ id }) => ({ source: '0', target: id }))
  const parallel = Array.from({ length: count }, () => ({ source: '0', target: '1' }))
  const network = networkOf({
    directed: true,
    nodes,
    edges: [...around, ...parallel, { source: '1000', target: '1001' }]
  })
  const ranks = ranksOf(network)
  t.same(
    [...ranks.subarray(1, count - 1)].filter((rank) => rank !== 0),
    [],
    'the only edge of a node is always drawn'
  )
  const drawn = (from: number, to: number) =>
    ranks.subarray(count - 1 + from, count - 1 + to).filter((rank) => rank <= 0.25)
  const shares = [drawn(0, 200), drawn(400, 600), drawn(800, 1000)].map(({ length }) => length / 200)
  t.ok(
    shares.every((share) => share > 0.24 && share < 0.26),
    String(shares)
  )
  t.equal(ranks.at(-1), 0)
  const hidden = Uint8Array.from(ranks, (_, edge) => Number(edge === 0 || edge >= count - 1 + 10))
  t.equal(
    ranksOf(network, hidden)
      .subarray(count - 1, count - 1 + 10)
      .filter((rank) => rank === 0).length,
    1
  )
})

t.test('components are the sets of connected nodes, largest first', async (t) => {
  const ends = (...pairs: [number, number][]) =>
    [0, 1].map((end) => Uint32Array.from(pairs, (pair) => pair[end] as number)) as [Uint32Array, Uint32Array]
  t.same(componentsOf(6, ...ends([4, 1], [5, 4], [2, 2], [3, 0])), [[1, 4, 5], [0, 3], [2]])
  t.same(componentsOf(0, ...ends()), [])
})

t.test('boxes are packed without overlap in the shape of the available space', async (t) => {
  const boxes = Array.from({ length: 60 }, (_, index) => ({
    width: 10 + ((index * 7) % 30),
    height: 10 + ((index * 11) % 50)
  }))
  for (const space of [
    { width: 900, height: 600 },
    { width: 300, height: 700 }
  ]) {
    const placed = packBoxes(boxes, space).map((corner, index) => ({ ...corner, ...(boxes[index] as Size) }))
    const overlaps = placed.filter((one, index) =>
      placed
        .slice(index + 1)
        .some(
          (other) =>
            one.x < other.x + other.width &&
            other.x < one.x + one.width &&
            one.y < other.y + other.height &&
            other.y < one.y + one.height
        )
    )
    t.same(overlaps, [])
    const [width, height] = [
      Math.max(...placed.map(({ x, width }) => x + width)),
      Math.max(...placed.map(({ y, height }) => y + height))
    ]
    const used = boxes.reduce((sum, box) => sum + box.width * box.height, 0) / (width * height)
    t.ok(used > 0.75, `${used} of the area is used`)
    const shape = width / height / (space.width / space.height)
    t.ok(shape > 0.7 && shape < 1.4, `${width} × ${height} for ${space.width} × ${space.height}`)
  }
  t.same(packBoxes([], { width: 1, height: 1 }), [])
  t.same(packBoxes([{ width: 900, height: 5 }], { width: 1, height: 1 }), [{ x: 0, y: 0 }])
})

t.test('a tidied layout fits its space, with nodes and components apart', async (t) => {
  // Twenty stars of ten nodes each, all at one position, and ten isolated nodes.
  const count = 210
  const leaves = Array.from({ length: 200 }, (_, node) => node).filter((node) => node % 10 > 0)
  const space = { width: 800, height: 500 }
  const radii = Float32Array.from({ length: count }, (_, node) => (node % 10 === 0 ? 12 : 5))
  const positions = tidied(
    {
      positions: Float64Array.from({ length: count * 2 }, (_, index) => Math.sin(index * 12.9898) * 50),
      source: Uint32Array.from(leaves),
      target: Uint32Array.from(leaves, (node) => node - (node % 10)),
      radii,
      pinned: new Uint8Array(count)
    },
    space,
    () => false
  )
  const [x, y] = [0, 1].map((axis) =>
    Array.from({ length: count }, (_, node) => positions[node * 2 + axis] as number)
  ) as [number[], number[]]
  const [width, height] = [x, y].map((values) => Math.max(...values) - Math.min(...values)) as [number, number]
  const scale = Math.min(1, space.width / width, space.height / height)
  const near = (one: number, other: number, most: number) =>
    Math.hypot((x[one] ?? 0) - (x[other] ?? 0), (y[one] ?? 0) - (y[other] ?? 0)) * scale < most
  const pairs = Array.from({ length: count }, (_, one) =>
    Array.from({ length: one }, (_, other) => [one, other] as const)
  )
  const overlaps = pairs.flat().filter(([one, other]) => near(one, other, (radii[one] ?? 0) + (radii[other] ?? 0)))
  t.same(overlaps, [])
  const starOf = (node: number) => (node < 200 ? Math.floor(node / 10) : node)
  const boxes = Array.from({ length: 20 }, (_, star) => {
    const nodes = Array.from({ length: 10 }, (_, leaf) => star * 10 + leaf)
    const of = (values: number[]) => nodes.map((node) => values[node] as number)
    return { left: Math.min(...of(x)), right: Math.max(...of(x)), bottom: Math.min(...of(y)), top: Math.max(...of(y)) }
  })
  const inside = boxes.flatMap(({ left, right, bottom, top }, star) =>
    x.flatMap((place, node) => {
      const up = y[node] as number
      return starOf(node) !== star && place > left && place < right && up > bottom && up < top ? [[star, node]] : []
    })
  )
  t.same(inside, [], 'no node is within the box of another component')
})

t.test('labels overlap neither each other nor discs, and remain within the view', async (t) => {
  const places = new LabelPlaces({ left: 0, top: 0, right: 200, bottom: 200 }, [
    { left: 0, top: 180, right: 60, bottom: 200 }
  ])
  const label = (x: number, y: number, size: number, width = 40) => ({ x, y, size, width, height: 16 })
  const disc = label(100, 100, 10)
  for (const { x, y, size } of [disc, label(140, 100, 8), label(60, 100, 3)]) places.addDisc({ x, y, size })
  t.same(places.take(disc), { left: 80, top: 111, right: 120, bottom: 127 }, 'the first place is below')
  t.same(places.take(disc), { left: 80, top: 73, right: 120, bottom: 89 }, 'the next place is above')
  t.same(
    places.take(disc),
    { left: 47, top: 92, right: 87, bottom: 108 },
    'the last place is to the left, over a tiny disc'
  )
  t.equal(places.take(disc), undefined)
  t.same(
    places.take(label(100, 100, 30)),
    { left: 80, top: 131, right: 120, bottom: 147 },
    'the label of a large disc does not cover a small one'
  )
  t.same(
    places.take(label(180, 20, 5)),
    { left: 132, top: 12, right: 172, bottom: 28 },
    'a label at the right border is to the left'
  )
  t.equal(places.take(label(20, 190, 5, 30)), undefined, 'there is no place below a legend')
  t.same(
    places.force(label(20, 190, 5, 30)),
    { left: 5, top: 168, right: 35, bottom: 184 },
    'a forced label overlaps a legend as little as possible'
  )
  t.same(
    places.force(label(30, 174, 5, 20)),
    { left: 20, top: 152, right: 40, bottom: 168 },
    'a forced label is not below a legend if there is space'
  )
})

t.test('the search for the least crowded place stops after a number of labels', async (t) => {
  const view = { left: 0, top: 0, right: 200, bottom: 200 }
  const places = new LabelPlaces(view, [view])
  const label = { x: 100, y: 100, size: 10, width: 40, height: 16 }
  const [right, middle] = [
    { left: 113, top: 92, right: 153, bottom: 108 },
    { left: 80, top: 92, right: 120, bottom: 108 }
  ]
  const found = Array.from({ length: CROWDED }, () => places.force(label))
  t.same(found[0], middle, 'all places are equally crowded at first')
  t.notSame(found[1], middle)
  t.same(
    places.force({ ...label, x: 101 }),
    { ...right, left: 114, right: 154 },
    'the first place, although it is taken'
  )
  t.same(places.force({ ...label, x: 101 }), { ...right, left: 114, right: 154 })

  const few = new LabelPlaces(view, [])
  for (let count = 0; count < CROWDED + 5; count++) few.force({ ...label, x: 50, width: 90 })
  t.same(few.force({ ...label, y: 180 }), { left: 113, top: 172, right: 153, bottom: 188 }, 'a free place')
})

t.test('labels avoid the edges of their node', async (t) => {
  const net = networkOf({
    nodes: ['a', 'b', 'c', 'd'].map((id) => ({ id })),
    edges: ['b', 'c', 'd'].map((target) => ({ source: 'a', target }))
  })
  const points = [
    { x: 100, y: 100 },
    { x: 190, y: 100 },
    { x: 10, y: 104 },
    { x: 100, y: 190 }
  ]
  const ends = labelEnds(net, 0, (node) => points[node])
  t.same(ends, points.slice(1))
  t.same(
    labelEnds(net, 2, (node) => points[node]),
    [points[0]]
  )
  const places = new LabelPlaces({ left: 0, top: 0, right: 200, bottom: 200 }, [])
  const label = { x: 100, y: 100, size: 10, width: 40, height: 16 }
  const [above, corner] = [{ left: 80, top: 73, right: 120, bottom: 89 }, 10 * Math.SQRT1_2 + 1]
  t.same(places.take({ ...label, ends }), above)
  t.same(
    places.take({ ...label, ends }),
    { left: 100 + corner, top: 100 + corner, right: 140 + corner, bottom: 116 + corner },
    'the corners above are taken'
  )
})

t.test('the boxes of a sloping label are reserved together or not at all', async (t) => {
  const places = new LabelPlaces({ left: 0, top: 0, right: 100, bottom: 100 }, [])
  const box = (left: number) => ({ left, top: 10, right: left + 10, bottom: 20 })
  t.equal(places.takeAll([box(0), box(10)]), true)
  t.equal(places.takeAll([box(30), box(15)]), false)
  t.equal(places.takeAll([box(30), box(95)]), false, 'a label does not leave the view')
  t.equal(places.takeAll([box(30)]), true, 'a refused label reserves nothing')
})

t.test('a lasso encloses the points within it, also if it is concave', async (t) => {
  const horseshoe = [
    [0, 0],
    [30, 0],
    [30, 30],
    [20, 30],
    [20, 10],
    [10, 10],
    [10, 30],
    [0, 30]
  ].map(([x = 0, y = 0]) => ({ x, y }))
  t.same(
    [
      [5, 20],
      [15, 20],
      [25, 20],
      [15, 5],
      [35, 5],
      [-5, 5],
      [5, 35]
    ].map(([x = 0, y = 0]) => isInside(horseshoe, { x, y })),
    [true, false, true, true, false, false, false]
  )
  t.equal(isInside([], { x: 0, y: 0 }), false)
})

t.test('an important label is away from its disc, with a leader, if there is no room beside it', async (t) => {
  const placesAround = (right: number) => {
    const places = new LabelPlaces({ left: 0, top: 0, right: 200, bottom: 200 }, [])
    const around = [
      { x: 140, y: 100, size: right },
      ...[60, 140].flatMap((x) => [80, 120].map((y) => ({ x, y, size: 9 }))),
      { x: 60, y: 100, size: 9 },
      { x: 100, y: 120, size: 9 },
      { x: 100, y: 80, size: 9 }
    ]
    for (const disc of around) places.addDisc(disc)
    return places
  }
  const disc = { x: 100, y: 100, size: 10, width: 40, height: 16 }
  const beside = { left: 113, top: 92, right: 153, bottom: 108 }
  t.equal(placesAround(4).take(disc, 40), undefined, 'only the first labels may be away')
  t.same(placesAround(3).take(disc, 40), beside, 'all labels cover tiny discs')
  t.same(placesAround(1).take(disc, 40), beside, 'dots do not matter')

  const places = placesAround(4)
  const { leader = [], ...box } = places.take(disc, 39) ?? {}
  const rounded = ([...leader] as { x: number; y: number }[]).map(({ x, y }) => [Math.round(x), Math.round(y)])
  const [start, end] = [
    [100, 100],
    [158, 100]
  ]
  t.same([box, rounded], [{ left: 158, top: 92, right: 198, bottom: 108 }, [start, end]])
  const across = [{ left: 120, top: 94, right: 128, bottom: 106 }]
  t.equal(places.takeAll(across), false, 'labels do not cover leaders')

  const leftOf = (right: number, left: number) => {
    const row = new LabelPlaces({ left: 0, top: 91, right: 200, bottom: 109 }, [])
    row.addDisc({ x: 125, y: 100, size: right })
    row.addDisc({ x: 75, y: 100, size: left })
    return row.take(disc, 39)?.left
  }
  t.same([leftOf(5, 5), leftOf(8, 7)], [142, 18], 'the leader does not cross the larger of two discs')
  t.equal(leftOf(10, 10), undefined, 'the leader crosses no disc as large as its own')
  t.equal(placesAround(4).takeAll(across), true)
})

t.test('the label of a hub is on its disc if there is no room beside or away from it', async (t) => {
  const places = new LabelPlaces({ left: 48, top: 48, right: 152, bottom: 152 }, [])
  const disc = { x: 100, y: 100, size: 10, width: 40, height: 16 }
  const steps = [-42, -28, -14, 0, 14, 28, 42]
  for (const [x, y] of steps.flatMap((x) => steps.map((y) => [x, y] as const)))
    places.addDisc({ x: 100 + x, y: 100 + y, size: 9 })
  t.equal(places.take(disc, 20), undefined)
  t.equal(places.take({ ...disc, size: 9 }, 19), undefined, 'other discs of this size are not covered')
  t.same(places.take(disc, 19), { left: 80, top: 92, right: 120, bottom: 108 })
  const narrow = new LabelPlaces({ left: 80, top: 92, right: 120, bottom: 121 }, [])
  narrow.take(disc, 19)
  t.equal(narrow.take({ ...disc, y: 105 }, 19), undefined, 'not even the label of a hub covers another label')
})

t.test('the ends of a label are not near other discs or labels, to which they would seem to belong', async (t) => {
  const places = new LabelPlaces({ left: 0, top: 0, right: 200, bottom: 200 }, [])
  const disc = { x: 100, y: 100, size: 10, width: 40, height: 16 }
  for (const { x, y, size } of [disc, { ...disc, x: 168 }]) places.addDisc({ x, y, size })
  t.same(places.take(disc), { left: 47, top: 92, right: 87, bottom: 108 })
  t.same(places.take({ ...disc, x: 19, size: 2, width: 20 }), { left: 9, top: 103, right: 29, bottom: 119 })
})

t.test('a drawing is fitted beside or above a legend that would cover a node', async (t) => {
  const view = { width: 400, height: 300 }
  const legend = { left: 10, top: 200, right: 110, bottom: 290 }
  const disc = (x: number, y: number) => ({ left: x - 10, top: y - 10, right: x + 10, bottom: y + 10 })
  t.same(fitOff([disc(20, 20), disc(380, 280)], view, [legend]), { scale: 1, move: { x: 0, y: 0 } })
  const covered = [disc(20, 20), disc(60, 260), disc(380, 280)]
  const { scale, move } = fitOff(covered, view, [legend])
  t.equal(scale, (392 - 118) / 380, 'the drawing fits beside the legend')
  t.same(
    covered.map(({ left }) => Math.round((left + 10) * scale + move.x)),
    [125, 154, 385]
  )
  const wide = { ...legend, right: 390 }
  t.equal(fitOff(covered, view, [wide]).scale, (192 - 8) / 280, 'the drawing fits above a wide legend')
  t.same(
    fitOff(covered, view, [{ left: 0, top: 0, right: 400, bottom: 300 }]).scale,
    1,
    'a drawing is not moved if there is no room'
  )
})

t.test('a click near an edge selects the nearest line, curve or ring', async (t) => {
  const network = networkOf({
    directed: true,
    nodes: [{ id: 'a' }, { id: 'b' }, { id: 'c' }],
    edges: [
      { source: 'a', target: 'b' },
      { source: 'a', target: 'b' },
      { source: 'a', target: 'a' },
      { source: 'b', target: 'c' }
    ]
  })
  const place = (x: number, y: number) => ({ x, y, size: 10, color: 'red', label: '' })
  const places = [place(0, 0), place(100, 0), place(100, 100)]
  const at = (x: number, y: number) => edgeAt(network, places, bendsOf(network), { x, y })
  t.equal(at(50, 8), 0, 'the first edge bends to the right of its direction')
  t.equal(at(50, -8), 1, 'the second edge bends to the left')
  t.equal(at(50, 30), undefined)
  t.equal(at(0, -19), 2, 'a loop is a ring above its node')
  t.equal(at(104, 50), 3)
  t.equal(at(106, 50), undefined)
  t.equal(at(100, 120), undefined, 'a point beyond the end of an edge selects nothing')
  t.equal(edgeAt(network, places, undefined, { x: 50, y: 0 }), 0, 'without bends, edges are straight')
  t.equal(edgeAt(network, places, undefined, { x: 0, y: -19 }), undefined, 'without bends, there are no rings')
  t.equal(
    edgeAt(network, [undefined, places[1], places[2]], undefined, { x: 50, y: 0 }),
    undefined,
    'hidden edges are not selected'
  )
})

t.test('nodes without stored positions are placed among their neighbours without overlap', async (t) => {
  /** Returns content whose first nodes have these positions, each given as `x y`. */
  const placed = (...places: string[]) =>
    networkOf({
      ...content,
      nodes: content.nodes.map((node, index) => {
        const [x, y] = places[index]?.split(' ').map(Number) ?? []
        return { ...node, ...(x !== undefined && y !== undefined && { x, y }) }
      })
    })
  t.equal(storedPositions(placed()), undefined, 'no node has a position')
  t.equal(storedPositions(placed('1 1', '1 1', '1 1', '1 1')), undefined, 'all nodes have the same position')
  t.same([...(storedPositions(placed('0 0', '10 0', '10 10', '0 10')) ?? [])], [0, 0, 10, 0, 10, 10, 0, 10])
  t.equal(
    storedPositions(placed('1e38 0', '-1e38 0')),
    undefined,
    'calculations with positions as far away would overflow'
  )
  t.not(storedPositions(placed('1e30 0', '-1e30 0')), undefined)
  const some = storedPositions(placed('0 0', '10 0')) ?? []
  t.same([...some].slice(0, 4), [0, 0, 10, 0])
  t.ok(Math.hypot((some[4] ?? 0) - 10, some[5] ?? 99) < 1, 'c is placed near b')
  const disc = discPositions(500)
  t.equal(new Set(Array.from({ length: 500 }, (_, i) => `${disc[2 * i]} ${disc[2 * i + 1]}`)).size, 500)
  t.same(discPositions(500), disc, 'the positions are deterministic')
})

t.test('attributes come from scalar metadata and from counts', async (t) => {
  const network = networkOf(content)
  const attributes = nodeAttributes(network)
  t.same(
    attributes.map(({ key, isNumber }) => [key, isNumber]),
    [
      ['metadata.team', false],
      ['metadata.size', true],
      ['metadata.mixed', false],
      ['degree', true],
      ['inDegree', true],
      ['outDegree', true]
    ]
  )
  const [team, size, mixed, degree] = attributes
  if (!team || !size || !mixed || !degree) return t.fail('attributes')
  t.same(
    valuesOf(team, 4),
    [
      ['blue', 2],
      ['red', 1]
    ],
    'the most frequent value comes first'
  )
  t.same(rangeOf(size, 4), [1, 4.5])
  t.equal(rangeOf(team, 4), undefined)
  t.same(
    [0, 1, 2, 3].map((index) => mixed.read(index)),
    [undefined, undefined, 'x', 1]
  )
  t.equal(hasKinds(team, 4), true)
  t.equal(hasKinds(size, 4), false, 'amounts are not categories')
  t.equal(hasKinds(degree, 4), false, 'counts are amounts, however few values they have')
  t.same(
    edgeAttributes(network).map(({ key }) => key),
    ['relation']
  )
})

t.test('if there are too many attributes, the most common are offered and the others counted', async (t) => {
  const keysOf = (count: number) => Array.from({ length: count }, (_, index) => `a${index}`)
  const metadata = Object.fromEntries(keysOf(301).map((key) => [key, 1]))
  const nodes = [
    { id: 'a', metadata },
    { id: 'b', metadata: { a1: 'x', last: 1 } },
    { id: 'c', metadata: { last: {} } },
    { id: 'd', metadata: { last: 2 } }
  ]
  const many = networkOf({ directed: false, nodes, edges: [{ source: 'a', target: 'b', metadata }] })
  t.equal(leftOutAttributes(many), 2 + 1, 'omitted attributes of nodes and edges are counted')
  t.same(
    nodeAttributes(many).map(({ title, isNumber }) => [title, isNumber]),
    [...keysOf(299).map((key) => [key, key !== 'a1']), ['last', true], ['Degree', true]]
  )
  t.same(
    edgeAttributes(many).map(({ title }) => title),
    keysOf(300)
  )
  t.equal(leftOutAttributes(networkOf(content)), 0)
})

t.test('colours distinguish categories or amounts, and areas are proportional to values', async (t) => {
  const attribute = (values: (string | number | undefined)[]) => ({
    key: 'x',
    title: 'X',
    isNumber: values.every((value) => typeof value !== 'string'),
    read: (index: number) => values[index]
  })
  const hexOf = (value: string) => (value === 'navy' ? '#000080' : /^#.{6}$/.exec(value)?.[0])
  const kinds = colourScale(attribute(['a', 'b', 'b', undefined]), 4, hexOf)
  t.same([0, 1, 2, 3].map(kinds.colourOf), [palette[1], palette[0], palette[0], OTHER])
  const text = colourScale(attribute(['undefined', undefined]), 2, hexOf, { marks: { undefined: 'diamond' } })
  t.same([0, 1].map(text.colourOf), [palette[0], OTHER], 'a missing value is not the text "undefined"')
  t.same(
    [0, 1].map((index) => text.markOf?.(index)),
    ['diamond', undefined]
  )
  t.match(kinds.legend, {
    title: 'X',
    kinds: [
      { value: 'b', count: 2 },
      { value: 'a', count: 1 }
    ],
    others: 0
  })

  const many = colourScale(attribute(Array.from({ length: 15 }, (_, index) => `k${index}`)), 15, hexOf)
  t.equal(many.legend.kinds?.length, 12)
  t.equal(many.legend.others, 3)
  t.equal(many.legend.othersColour, undefined, 'the others have several colours')
  t.equal(many.colourOf(14), '#c5a573', 'the third colour of the palette, mixed with grey')
  const most = colourScale(attribute(Array.from({ length: 101 }, (_, index) => `k${index}`)), 101, hexOf)
  t.equal(most.legend.othersColour, OTHER)
  t.same([most.colourOf(0), most.colourOf(12)], [palette[0], OTHER], 'too many values for muted colours')

  const own = colourScale(attribute(['#112233', '#445566']), 2, hexOf)
  t.same([0, 1].map(own.colourOf), ['#112233', '#445566'], 'values that are colours are used as such')
  const named = colourScale(attribute(['navy', '#445566', undefined]), 3, hexOf)
  t.same([0, 1, 2].map(named.colourOf), ['#000080', '#445566', OTHER], 'colour names are used too')
  const mixed = colourScale(attribute(['navy', 'nothing']), 2, hexOf)
  t.same([0, 1].map(mixed.colourOf), palette.slice(0, 2), 'values are used as colours only if all of them are')

  const amounts = colourScale(attribute([0, 0.5, 1, undefined]), 4, hexOf)
  t.same([amounts.colourOf(0), amounts.colourOf(2), amounts.colourOf(3)], [ramp[0], ramp.at(-1), OTHER])
  t.same(amounts.legend.range, { least: 0, greatest: 1, ramp })
  t.equal(
    colourScale(attribute([7.5, 7.5]), 2, hexOf).colourOf(0),
    colourScale(attribute([7.5, 7.5]), 2, hexOf).colourOf(1)
  )

  const sizes = sizeScale(attribute([0, 25, 100, undefined]), 4, 2, 12)
  t.same([0, 1, 2, 3].map(sizes.sizeOf), [2, 7, 12, 2])
})

t.test("elements' own sizes are used if most have one and they differ, and keep their proportions", async (t) => {
  const sizesOf = (key: string, ...values: unknown[]) => {
    const metadataOf = (value: unknown) => (value === undefined ? {} : { [key]: value })
    const nodes = values.map((value, index) => ({ id: `${index}`, metadata: metadataOf(value) }))
    const edges = values.map((value) => ({ source: '0', target: '0', metadata: metadataOf(value) }))
    const network = networkOf({ directed: true, nodes, edges })
    const size = ownSize('node', nodeAttributes(network), values.length)
    const thickness = ownSize('edge', edgeAttributes(network), values.length)
    return [
      size && values.map((_, index) => nodeSizes(size, 100).sizeOf(index)),
      thickness && values.map((_, index) => edgeSizes(thickness, 10).sizeOf(index))
    ]
  }
  t.same(sizesOf('size', 10, 20, 30, undefined), [[4.5, 9, 13.5, 9], undefined])
  t.same(sizesOf('size', 1, 1, 1, 1, 1, 1, 1, 1, 1, 991), [[3, 3, 3, 3, 3, 3, 3, 3, 3, 45], undefined], 'within limits')
  t.same(sizesOf('penwidth', 1, 3), [undefined, [0.7, 2.0999999999999996]])
  for (const values of [
    [5, 5],
    [5, 2000],
    [1, undefined, undefined],
    ['1', '2'],
    [0, 1]
  ])
    t.same(sizesOf('size', ...values), [undefined, undefined], JSON.stringify(values))
})

t.test(
  'the default colours come from a categorical attribute, never from booleans or from similar colours',
  async (t) => {
    const hexOf = (value: string) => /^#[0-9a-f]{6}$/.exec(value)?.[0]
    const colourOf = (metadata: Record<string, unknown>[]) => {
      const nodes = metadata.map((metadata, index) => ({ id: `${index}`, metadata }))
      const network = networkOf({ directed: true, nodes, edges: [] })
      return fittingColour(nodeAttributes(network), nodes.length, hexOf)?.key
    }
    const each = (key: string, ...values: unknown[]) => values.map((value) => ({ [key]: value }))
    t.equal(colourOf(each('team', 'a', 'a', 'b', 'b')), 'metadata.team')
    t.equal(colourOf(each('group', 1, 1, 2, 2)), 'metadata.group', 'group numbers are categories')
    t.equal(colourOf(each('name', 'a', 'b', 'c', 'd')), undefined, 'an attribute with distinct values is not used')
    t.equal(colourOf(each('team', 'a', 'a', 'a', 'a')), undefined, 'an attribute with one value is not used')
    t.equal(
      colourOf(each('team', ...Array(19).fill('a'), 'b')),
      undefined,
      'an attribute dominated by one value is not used'
    )
    t.equal(
      colourOf(each('team', 'a', 'b', undefined, undefined, undefined)),
      undefined,
      'an attribute with too few values is not used'
    )
    for (const [yes, no] of [
      [true, false],
      ['Yes', 'No'],
      [1, 0]
    ])
      t.equal(colourOf(each('active', yes, yes, no, no)), undefined, `${yes} or ${no}`)
    t.equal(colourOf(each('active', true, true, true, false, false, 'perhaps')), 'metadata.active')
    t.equal(colourOf(each('color', '#ff0000', '#ff0000', '#0000ff', '#00ff00')), 'metadata.color')
    t.equal(
      colourOf(each('color', '#ff0000', '#fe0000', '#ff0101', '#f00000')),
      undefined,
      'an attribute with only red colours is not used'
    )
    t.equal(
      colourOf(each('paint', '#ff0000', '#ff0000', '#fe0000', '#fe0000')),
      undefined,
      'similar colours under another name are not used'
    )
    t.equal(colourOf(each('paint', '#ff0000', '#ff0000', '#00ff00', '#00ff00')), 'metadata.paint')
    t.equal(
      colourOf([{ color: '#ff0000', team: 'a' }, { color: '#0000ff', team: 'a' }, { team: 'b' }, { team: 'b' }]),
      'metadata.team',
      'categories take precedence over the colours of a few'
    )
    const teams = each('team', 'a', 'a', 'b', 'b').map((metadata) => ({ ...metadata, 'viz:color': '#cccccc' }))
    t.equal(colourOf(teams), 'metadata.team', 'a colour that all nodes have is not used')
    const [first, ...others] = teams.map((metadata) => ({ ...metadata, color: '#ff0000' }))
    t.equal(
      colourOf([{ ...first, 'viz:color': '#ffff00' }, ...others]),
      'metadata.viz:color',
      "the nodes' own colours take precedence over categories if they differ"
    )
  }
)

t.test('a view round-trips through a URL', async (t) => {
  const views: View[] = [
    { tab: 'drawing' },
    { tab: 'nodes', node: '__proto__&=?#/ ü' },
    { tab: 'edges', edge: 0 },
    { tab: 'summary', near: ['n&1=2', '', 'n 2'] },
    { tab: 'nodes', whole: true },
    {
      tab: 'drawing',
      colour: 'metadata.a b',
      size: 'none',
      label: 'metadata.team',
      edgeColour: 'relation',
      edgeSize: 'metadata.weight',
      resolution: 0.5,
      weight: 'metadata.strength',
      edgeLabel: 'label'
    }
  ]
  views.push({
    tab: 'drawing',
    camera: { x: 0.5, y: -0.1, ratio: 1 / 3 },
    nodeSort: { column: 'metadata.-x', isDescending: true },
    edgeSort: { column: 'label', isDescending: false }
  })
  for (const view of views) {
    const back = readView(new URLSearchParams(writeView(view).toString()))
    t.same(JSON.parse(JSON.stringify(back)), view, writeView(view).toString())
  }
  const strange = readView(new URLSearchParams('tab=x&edge=-1&camera=1,2&nodeSort='))
  t.same(JSON.parse(JSON.stringify(strange)), { tab: 'drawing' }, 'meaningless parameters are omitted')
  for (const resolution of ['', '0', '-1', '101', 'x', 'Infinity', '1']) {
    t.equal(readView(new URLSearchParams({ resolution })).resolution, undefined, `a resolution of ${resolution}`)
  }
})

t.test('SVG is well-formed for any node names', async (t) => {
  const name = '<&"\u0000\ud800]]>'
  const corner = { x: 1, y: 1 }
  const line = { from: { x: 0, y: 0 }, to: corner, control: undefined, width: 1, opacity: 1, arrow: undefined }
  const svg = svgOf({
    ...{ background: lightPaper.background, ink: lightPaper.ink },
    width: 10,
    height: 10,
    title: name,
    nodes: [{ x: Number.NaN, y: 1.23456, radius: 2, border: 1, colour: '"/><script>', name }],
    labels: [{ x: 1, y: 2, text: name, isBold: true }],
    legend: [
      { text: name, isTitle: true },
      { text: name, colour: '"<' },
      { text: '', ramp: ['red', 'blue'] }
    ],
    edges: [
      { ...line, colour: '<', opacity: 0.25, arrow: [corner, { x: 0, y: 1 }, { x: 1, y: 0 }] },
      { ...line, colour: 'red', control: { x: 5, y: 0 } }
    ],
    rings: [{ x: 1, y: 2, radius: 3, colour: 'red', width: 1, opacity: 0.5 }]
  })
  t.match(
    svg,
    '<path d="M0 0L1 1" stroke="&#60;" stroke-width="1" stroke-opacity="0.25"/><path d="M1 1L0 1L1 0z" fill="&#60;" fill-opacity="0.25"/>'
  )
  t.match(svg, '<path d="M0 0Q5 0 1 1" stroke="red" stroke-width="1" stroke-opacity="1"/>')
  t.match(svg, '<circle cx="1" cy="2" r="3" stroke="red" stroke-width="1" stroke-opacity="0.5"/>')
  t.notMatch(svg, /<script|\u0000|\ud800|NaN/)
  t.same(
    [...svg.matchAll(/<g id="(\w+)" inkscape:groupmode="layer" inkscape:label="(\w+)"/g)].map(([, id, label]) => [
      id,
      label
    ]),
    ['Edges', 'Nodes', 'Labels', 'Legend'].map((label) => [label.toLowerCase(), label])
  )
  t.match(svg, 'cy="1.23"')
  t.match(svg, '<title>&#60;&#38;&#34;\ufffd\ufffd]]&#62;</title>')
})

t.test('file names and losses are read from headers', async (t) => {
  t.equal(fileNameOf('attachment; filename="Les Miserables.graphml"'), 'Les Miserables.graphml')
  t.equal(
    fileNameOf('attachment; filename="x.gml"; filename*=UTF-8\'\'Les%20Mis%C3%A9rables.gml'),
    'Les Misérables.gml'
  )
  t.equal(fileNameOf('attachment; filename="a\\"b.gml"'), 'a"b.gml')
  t.equal(fileNameOf('attachment; filename=plain.gml'), 'plain.gml')
  t.equal(fileNameOf(''), 'graph')
  t.same(lossesOf('nested-metadata;n=12, type-widened;n=3'), [
    { code: 'nested-metadata', count: 12 },
    { code: 'type-widened', count: 3 }
  ])
  t.same(lossesOf(''), [])
  t.same(['a.jgf.json', 'b.tar.gml', 'c', '.gml', 'd.gml.gz', 'e.zip'].map(stemOf), [
    'a',
    'b.tar',
    'c',
    '.gml',
    'd',
    'e'
  ])
})

t.test('removed elements are drawn together with added ones', async (t) => {
  const version = { version: 2, timestamp: '', principal: 'ada', name: '', nodeCount: 0, edgeCount: 0, auditEventId: 1 }
  const edge = { source: 'b', target: 'c' }
  const some = <T>(...items: T[]) => ({ count: items.length, items })
  const after = {
    directed: true,
    nodes: [{ id: 'b' }, { id: 'c' }, { id: 'n' }],
    edges: [edge, edge, { source: 'c', target: 'n' }]
  }
  const { network, nodeMarks, edgeMarks } = markedNetwork(after, {
    id: 1,
    to: version,
    fields: [],
    truncated: true,
    nodes: {
      added: some({ id: 'n' }),
      removed: some({ id: 'a' }),
      changed: some({ id: 'c', changes: [] }),
      reordered: false
    },
    edges: {
      added: some(edge),
      removed: some({ source: 'a', target: 'b' }, { source: 'a', target: 'not told' }),
      changed: some({ source: 'c', target: 'n', changes: [] }),
      reordered: false
    }
  })
  t.same(
    network.nodes.map(({ id }) => id),
    ['b', 'c', 'n', 'a']
  )
  t.same(nodeMarks, ['same', 'changed', 'added', 'removed'])
  t.same(
    edgeMarks,
    ['added', 'same', 'changed', 'removed'],
    'one of two identical edges is new, and an edge without its node is omitted'
  )
})

t.test('the location of a fault is described in words', async (t) => {
  const fault = { code: 'malformed', detail: 'is wrong' }
  for (const [pointer, place] of [
    ['#', ''],
    ['#/name', 'Name'],
    ['#/content', 'Content'],
    ['#/content/nodes', 'Content, nodes'],
    ['#/content/nodes/2/label', 'node 3, label'],
    ['#/nodes/0', 'node 1'],
    ['#/content/edges/11/metadata/a~1b%20%25~0', 'edge 12, metadata, a/b %~'],
    ['#/constructor/3', 'constructor, 3'],
    ['#/metadata/%E2%80%A6', 'metadata, …'],
    ['#/proof/password', 'Your password'],
    ['#/password', 'Password']
  ] as const)
    t.equal(placeOf({ ...fault, pointer }), place, pointer)
  t.equal(placeOf({ ...fault, parameter: 'name' }), 'Name')
  t.equal(placeOf({ ...fault, parameter: 'size' }), 'size')
  t.equal(placeOf({ ...fault, line: 7, column: 3, pointer: '#/nodes/1' }), 'Line 7, column 3')
  t.equal(placeOf({ ...fault, file: 'edges.csv', line: 7 }), 'edges.csv, Line 7, column 1')
  t.equal(placeOf(fault), '')
  t.equal(
    withLabels('choose idColumn, or sourceColumn and targetColumn'),
    'choose “Node ID column”, or “Source column” and “Target column”'
  )
})

const ui = join(import.meta.dirname, '../../ui/src')
const sources = readdirSync(ui, { recursive: true, encoding: 'utf8' }).filter((file) => /\.tsx?$/.test(file))

t.test('every word in the app comes from its text file, so it can be translated', async (t) => {
  t.ok(sources.length > 40)
  /** The JSX attributes that users read or hear. */
  const spoken = new Set(['label', 'title', 'placeholder', 'description', 'aria-label', 'alt', 'caption', 'question'])
  for (const file of sources.filter((file) => file.endsWith('.tsx'))) {
    const source = ts.createSourceFile(
      file,
      readFileSync(join(ui, file), 'utf8'),
      ts.ScriptTarget.Latest,
      true,
      ts.ScriptKind.TSX
    )
    const words: string[] = []
    const visit = (node: ts.Node) => {
      if (ts.isJsxText(node) && /\p{L}{2,}/u.test(node.text)) words.push(node.text.trim())
      if (ts.isJsxAttribute(node) && spoken.has(node.name.getText()) && node.initializer) {
        const { initializer } = node
        if (ts.isStringLiteral(initializer) && initializer.text !== '') words.push(initializer.text)
      }
      ts.forEachChild(node, visit)
    }
    visit(source)
    t.same(words, [], file)
  }
})

t.test('the app loads nothing from other hosts, and inserts no text as HTML', async (t) => {
  for (const file of sources) {
    const source = readFileSync(join(ui, file), 'utf8')
    t.notMatch(source, /innerHTML|dangerouslySetInnerHTML|\beval\(|localStorage|document\.cookie/, file)
  }
  const storing = sources.filter((file) => readFileSync(join(ui, file), 'utf8').includes('sessionStorage'))
  t.same(storing, ['edit/drafts.ts'], 'only the id of a tab is stored')
})

t.test('an idle page sends no requests', async (t) => {
  const asking = sources.filter((file) =>
    /setInterval|refetchInterval|EventSource|WebSocket|sendBeacon/.test(readFileSync(join(ui, file), 'utf8'))
  )
  // Missing audit log entries are requested a limited number of times.
  t.same(asking, ['audits/log.ts'])
  const log = readFileSync(join(ui, 'audits/log.ts'), 'utf8')
  t.equal(
    log.match(/refetchInterval: /g)?.length,
    log.match(/refetchInterval: .* && state\.errorUpdateCount < MOST && SOON/g)?.length
  )
})

t.test('the account page shows the usage and limits of graphs', async (t) => {
  const free = usageOf('graphs=1, bytes=0')
  t.strictSame(free, { graphs: 1, bytes: 0, maxGraphs: undefined, maxBytes: undefined })
  t.equal(en.account.usage(free), 'Your graphs use 0 B. You have 1 graph, including those in the trash.')
  const bounded = usageOf('graphs=1200, bytes=1610612736, max-graphs=2000, max-bytes=10737418240')
  t.strictSame(bounded, { graphs: 1200, bytes: 1610612736, maxGraphs: 2000, maxBytes: 10737418240 })
  t.equal(
    en.account.usage(bounded),
    'Your graphs use 1.5 GiB of 10 GiB. You have 1,200 of 2,000 graphs, including those in the trash.'
  )
})

t.test(
  'the node at a point is the one that contains it most deeply for its size, and never a hidden one',
  async (t) => {
    // The x, y and size of a large disc, a small one on top of it, a tiny one beside them, and a hidden one.
    const discs = [
      [0, 0, 20],
      [10, 0, 4],
      [40, 0, 1],
      [60, 0, -1]
    ] as const
    const nodes = {
      count: discs.length,
      x: (node: number) => discs[node]?.[0] ?? 0,
      y: (node: number) => discs[node]?.[1] ?? 0,
      size: (node: number) => discs[node]?.[2] ?? 0
    }
    const found = (x: number, zoom = 1) => nodeAt(nodes, { x, y: 0 }, 1, zoom)
    t.same([found(0), found(10), found(15), found(21)], [0, 1, 0, undefined])
    t.same([found(43), found(44)], [2, undefined], 'a tiny node can be clicked')
    t.equal(found(60), undefined)
    t.equal(found(30, 2), 0, 'zooming in enlarges the nodes')
  }
)
