import t from 'tap'
import { layersOf, withoutCycles } from '../../picture/layout/acyclic.ts'
import { circular } from '../../picture/layout/circular.ts'
import { ForceLayout, type ForceTask, usualForces } from '../../picture/layout/force-layout.ts'
import { grid } from '../../picture/layout/grid.ts'
import { layered } from '../../picture/layout/layered.ts'
import { coarsened, meshOf } from '../../picture/layout/mesh.ts'
import { orderOf } from '../../picture/layout/order-values.ts'
import { LayoutRefused } from '../../picture/layout/placed.ts'
import { Quadtree } from '../../picture/layout/quadtree.ts'
import { radial } from '../../picture/layout/radial.ts'
import { tidied } from '../../picture/layout/tidy.ts'
import { randomFrom } from '../../picture/model/random.ts'
import { nodeAttributes } from '../../ui/src/graph/network/attributes.ts'
import { networkOf } from '../../ui/src/graph/network/network.ts'
import { aroundPins } from '../../ui/src/layout/around-pins.ts'
import { firstChoice, methodOf } from '../../ui/src/layout/choice.ts'
import { coordinates } from '../../ui/src/layout/coordinates.ts'
import { withStep } from '../../ui/src/layout/earlier-places.ts'
import { equirectangular, map, mercator } from '../../ui/src/layout/map.ts'
import type { LayoutTask } from '../../ui/src/layout/task.ts'

// The layouts of the web app: node positions, refusals and pinned nodes.

const space = { width: 800, height: 500 }

/** Rounds positions and returns them as pairs for comparison. */
const pairs = (positions: Float64Array, digits = 3) =>
  Array.from({ length: positions.length / 2 }, (_, node) =>
    [positions[node * 2], positions[node * 2 + 1]].map((value) => Number((value ?? Number.NaN).toFixed(digits)) + 0)
  )

const radiiOf = (count: number) => new Float32Array(count).fill(6)

const ends = (...edges: [number, number][]) => ({
  source: Uint32Array.from(edges, ([from]) => from),
  target: Uint32Array.from(edges, ([, to]) => to)
})

const refusalOf = (act: () => unknown) => {
  try {
    act()
  } catch (error) {
    return error instanceof LayoutRefused ? error.refusal : error
  }
}

t.test('values are sorted stably: numbers, then strings in natural order, then nodes without a value', async (t) => {
  const values = ['b10', undefined, 3, 'b9', -1, 3, 'a', Number.NaN]
  t.same(orderOf({ values }), [4, 2, 5, 6, 3, 0, 1, 7])
  t.same(orderOf({ values, isDescending: true }), [0, 3, 6, 2, 5, 4, 1, 7], 'nodes without a value are still last')
})

t.test('a circle starts at the top and runs clockwise without touching nodes', async (t) => {
  const { positions } = circular({ radii: radiiOf(4), space, values: [3, 1, 2, 4] })
  t.same(pairs(positions), [
    [0, -250],
    [0, 250],
    [250, 0],
    [-250, 0]
  ])
  const many = circular({ radii: radiiOf(5000), space, values: Array(5000).fill(undefined) }).positions
  const gap = Math.hypot((many[0] ?? 0) - (many[2] ?? 0), (many[1] ?? 0) - (many[3] ?? 0))
  t.ok(gap > 12, `${gap} pixels between the centres of discs of 12 pixels`)
  t.same(pairs(circular({ radii: radiiOf(1), space, values: ['a'] }).positions), [[0, 0]])
})

t.test('a grid has rows from the top left and the shape of the drawing', async (t) => {
  const { positions } = grid({ radii: radiiOf(6), space, values: [6, 5, 4, 3, 2, 1] })
  const wide = 800 / 3
  t.same(
    pairs(positions),
    [
      [2 * wide, -250],
      [wide, -250],
      [0, -250],
      [2 * wide, 0],
      [wide, 0],
      [0, 0]
    ].map((pair) => pair.map((value) => Number(value.toFixed(3))))
  )
  t.same(grid({ radii: radiiOf(0), space, values: [] }).positions.length, 0)
})

t.test('few edges in cycles are reversed, and no edge is reversed unnecessarily', async (t) => {
  const tree = ends([0, 1], [0, 2], [2, 3], [1, 1])
  t.same(withoutCycles(4, tree), { ...tree, reversed: 0 })
  t.equal(withoutCycles(3, ends([0, 1], [1, 2], [2, 0])).reversed, 1)
  t.equal(withoutCycles(2, ends([0, 1], [1, 0], [1, 0])).reversed, 1)
  // Five cliques with each edge in both directions, half of which must be reversed.
  const both = Array.from({ length: 5 }, (_, a) =>
    Array.from(
      { length: a },
      (_, b) =>
        [
          [a, b],
          [b, a]
        ] as [number, number][]
    )
  )
  t.equal(withoutCycles(5, ends(...both.flat(2))).reversed, 10)
  t.same([...layersOf(5, ends([0, 1], [1, 2], [0, 2], [3, 2], [2, 2]))], [0, 1, 2, 1, 0])
})

t.test('layers are stacked without overlap, including cycles, components and long chains', async (t) => {
  const task = { radii: radiiOf(8), space, direction: 'down' as const }
  // Lays out a diamond, a cycle and an isolated node.
  const { positions, remark } = layered({ ...task, ...ends([0, 1], [0, 2], [1, 3], [2, 3], [4, 5], [5, 6], [6, 4]) })
  const y = pairs(positions).map(([, y]) => y as number) as [number, number, number, number]
  t.ok(y[0] > y[1] && y[1] === y[2] && y[2] > y[3], String(y))
  t.same(remark, { kind: 'reversed', count: 1 })
  const distinct = new Set(pairs(positions, 0).map(String))
  t.equal(distinct.size, 8)
  const x = pairs(layered({ ...task, direction: 'right', ...ends([0, 1], [1, 2]) }).positions).map(([x]) => x as number)
  t.ok((x[0] ?? 0) < (x[1] ?? 0) && (x[1] ?? 0) < (x[2] ?? 0), String(x))

  const chain = Array.from({ length: 499 }, (_, node): [number, number] => [node, node + 1])
  const long = layered({ radii: radiiOf(500), space, direction: 'down', ...ends(...chain) })
  t.equal(long.remark, undefined)
  t.ok(pairs(long.positions).every(([, y], node, all) => node === 0 || (y as number) < (all[node - 1]?.[1] as number)))
  // Every second edge points back, so the chain has only two layers, which are folded.
  const zigzag = Array.from({ length: 1999 }, (_, node): [number, number] =>
    node % 2 ? [node, node + 1] : [node + 1, node]
  )
  const flat = layered({ radii: radiiOf(2000), space, direction: 'down', ...ends(...zigzag) })
  const [lower, upper] = [0, 1].map((layer) =>
    pairs(flat.positions).flatMap(([, y = 0], node) => (node % 2 === layer ? [y] : []))
  ) as [number[], number[]]
  t.ok(Math.max(...lower) < Math.min(...upper))
})

t.test('the longest edges do not determine the order of nodes if edges cross too many layers', async (t) => {
  // A chain of 300 nodes, plus edges from its start to every node.
  const chain = Array.from({ length: 299 }, (_, node): [number, number] => [node, node + 1])
  const jumps = chain.map(([, to]): [number, number] => [0, to])
  const { positions } = layered({ radii: radiiOf(300), space, direction: 'down', ...ends(...chain, ...jumps) })
  t.ok(pairs(positions).every(([, y = 0], node, all) => node === 0 || y < (all[node - 1]?.[1] ?? 0)))
})

t.test('wide layers are folded into rows without overlap, below the layers above', async (t) => {
  const star = Array.from({ length: 400 }, (_, node): [number, number] => [0, node + 1])
  for (const direction of ['down', 'right'] as const) {
    const { positions } = layered({ radii: radiiOf(401), space, direction, ...ends(...star) })
    const places = pairs(positions).map(
      ([x = 0, y = 0]) => (direction === 'down' ? [x, -y] : [-y, x]) as [number, number]
    )
    const rows = new Set(places.map(([, y]) => y))
    const width = Math.max(...places.map(([x]) => x)) - Math.min(...places.map(([x]) => x))
    const height = Math.max(...rows) - Math.min(...rows)
    const wide = direction === 'down' ? 800 / 500 : 500 / 800
    t.ok(width < height * wide * 2 && width > height * wide * 0.7, `${width} by ${height} pixels`)
    const [root, ...others] = places as [[number, number], ...[number, number][]]
    t.ok(others.every(([, y]) => y > root[1]))
    const touching = others.filter(([x, y], node) =>
      others.slice(0, node).some(([u, v]) => Math.hypot(x - u, y - v) < 12)
    )
    t.same(touching, [])
  }
})

t.test('the layered layout refuses graphs that would take too long', async (t) => {
  const task = { space, direction: 'down' as const }
  t.equal(
    refusalOf(() => layered({ ...task, radii: radiiOf(2001), ...ends() })),
    'tooLarge'
  )
  const deep = Array.from({ length: 500 }, (_, node): [number, number] => [node, node + 1])
  t.equal(
    refusalOf(() => layered({ ...task, radii: radiiOf(501), ...ends(...deep) })),
    'tooLarge'
  )
})

t.test('a radial tree has rings around its root, and subtrees beside each other', async (t) => {
  // A centre with three neighbours, of which the first has two leaves.
  const tree = ends([0, 1], [2, 0], [0, 3], [1, 4], [1, 5])
  const task = { radii: radiiOf(6), space, ...tree }
  const polar = (positions: Float64Array, root: number) =>
    pairs(positions).map(([x = 0, y = 0]) => {
      const [dx, dy] = [x - (positions[root * 2] ?? 0), y - (positions[root * 2 + 1] ?? 0)]
      // The angle is clockwise from the top, in degrees.
      return [Math.round(Math.hypot(dx, dy)), Math.round((Math.atan2(dx, dy) * 180) / Math.PI + 360) % 360]
    })
  const around = polar(radial(task).positions, 0)
  t.same(
    around.map(([radius]) => radius),
    [0, 42, 42, 42, 84, 84]
  )
  const [, one, two, three, four, five] = around.map(([, angle]) => angle ?? Number.NaN)
  t.same([one, two, three, four, five], [60, 180, 300, 30, 90])
  t.same(
    polar(radial({ ...task, root: 4 }).positions, 4).map(([radius]) => radius),
    [84, 42, 126, 126, 0, 84]
  )

  // A forest: a star of 200 leaves, a pair, and a node without edges.
  const star = Array.from({ length: 200 }, (_, node): [number, number] => [0, node + 1])
  const { positions } = radial({ radii: radiiOf(204), space, ...ends(...star, [201, 202]) })
  const places = pairs(positions)
  const touching = places.filter(([x = 0, y = 0], node) =>
    places.slice(0, node).some(([u = 0, v = 0]) => Math.hypot(x - u, y - v) < 12)
  )
  t.same(touching, [])
})

t.test('two attributes span the drawing; nodes without them are placed below and counted', async (t) => {
  const x = Float64Array.of(10, 20, 15, Number.NaN)
  const y = Float64Array.of(-1e308, 1e308, 0, 5)
  const { positions, remark } = coordinates({ radii: radiiOf(4), space, x, y })
  t.same(pairs(positions), [
    [0, 0],
    [800, 500],
    [400, 250],
    [0, -48]
  ])
  t.same(remark, { kind: 'unplaced', count: 1 })
  const same = Float64Array.of(7, 7)
  t.same(pairs(coordinates({ radii: radiiOf(2), space, x: same, y: same }).positions), [
    [400, 250],
    [400, 250]
  ])
  const none = new Float64Array(2).fill(Number.NaN)
  t.equal(
    refusalOf(() => coordinates({ radii: radiiOf(2), space, x: same, y: none })),
    'noValues'
  )
})

t.test('projections match Snyder (1987)', async (t) => {
  // From pages 266 and 267: a sphere of radius 1, at 35° north and 75° west. The book measures from 180° west, the app from
  // Greenwich.
  const [x, y] = mercator(-75, 35)
  t.ok(Math.abs(x + 1.308997) < 1e-6 && Math.abs(y - 0.6528366) < 1e-6, `${x}, ${y}`)
  t.ok(Math.abs(mercator(0, 90)[1] - Math.PI) < 1e-8, 'the projected world is a square')
  const flat = equirectangular(60)(90, 45)
  t.ok(Math.abs(flat[0] - Math.PI / 4) < 1e-12 && Math.abs(flat[1] - Math.PI / 4) < 1e-12, String(flat))
})

t.test(
  'a map has north at the top and true proportions; nodes with invalid coordinates are placed below',
  async (t) => {
    const longitude = Float64Array.of(0, 10, 500, Number.NaN)
    const latitude = Float64Array.of(0, 10, 0, 0)
    const task = { radii: radiiOf(4), space, longitude, latitude, projection: 'mercator' as const }
    const { positions, remark } = map(task)
    const [west, east] = pairs(positions)
    t.same(west, [0, 0])
    const scale = 500 / mercator(0, 10)[1]
    t.same(east, [Number((scale * mercator(10, 0)[0]).toFixed(3)), 500])
    t.same(remark, { kind: 'unplaced', count: 2 })
    t.equal(
      refusalOf(() => map({ ...task, latitude: latitude.fill(91) })),
      'noValues'
    )
  }
)

const star = (pinned: number[], positions: number[]): LayoutTask => ({
  method: { name: 'force', keepsPositions: false, spacing: 1, ...usualForces },
  positions: Float64Array.from(positions),
  ...ends([0, 1], [0, 2], [0, 3]),
  weights: new Float32Array(3).fill(1),
  radii: radiiOf(4),
  space,
  pinned: Uint8Array.from({ length: 4 }, (_, node) => Number(pinned.includes(node))),
  limit: 1000
})

t.test('a force-directed layout keeps pinned nodes in place, and the extent of the drawing', async (t) => {
  // Map coordinates in metres.
  const far = [390_000, 5_820_000, 391_000, 5_820_000, 390_000, 5_821_000, 390_500, 5_820_500]
  for (const isLinLog of [false, true]) {
    const layout = new ForceLayout(star([1, 2], far), { ...usualForces, isLinLog })
    for (let step = 0; step < 2000; step++) layout.step()
    t.same([...layout.positions.subarray(2, 6)], far.slice(2, 6))
    const places = pairs(layout.positions, 0)
    const extent = Math.max(...places.flatMap(([x = 0, y = 0]) => [Math.abs(x - 390_500), Math.abs(y - 5_820_500)]))
    t.ok(extent > 400 && extent < 5000, `${extent} metres from the centre`)
    t.notSame(places[3], [390_500, 5_820_500])
  }
})

t.test('logarithmic attraction draws communities closer together than linear attraction', async (t) => {
  // Six communities of 20 nodes with many edges inside and one in ten between them.
  const random = randomFrom(1)
  const pick = (most: number) => Math.floor(random() * most)
  const edges = Array.from({ length: 700 }, (): [number, number] => {
    const from = pick(120)
    return [from, random() < 0.1 ? pick(120) : from - (from % 20) + pick(20)]
  })
  /** Returns the average distance in communities, relative to that of all nodes. */
  const spreadOf = (isLinLog: boolean, keepsPositions: boolean) => {
    const positions = Float64Array.from({ length: 240 }, () => random() * 100)
    const task = { positions, ...ends(...edges), weights: new Float32Array(700).fill(1), radii: radiiOf(120) }
    const layout = new ForceLayout(
      { ...task, pinned: new Uint8Array(120), keepsPositions },
      { ...usualForces, isLinLog }
    )
    while (!layout.isDone) layout.step()
    const distances = pairs(layout.positions).flatMap(([x = 0, y = 0], node, all) =>
      all.map(([u = 0, v = 0], other) => ({
        isNear: node - (node % 20) === other - (other % 20),
        d: Math.hypot(x - u, y - v)
      }))
    )
    const meanOf = (some: typeof distances) => some.reduce((sum, { d }) => sum + d, 0) / some.length
    return meanOf(distances.filter(({ isNear }) => isNear)) / meanOf(distances)
  }
  for (const keepsPositions of [false, true]) {
    const [linear, logarithmic] = [spreadOf(false, keepsPositions), spreadOf(true, keepsPositions)]
    t.ok(logarithmic < linear * 0.8, `${logarithmic} < ${linear}`)
  }
})

t.test('a force-directed layout handles nodes that all share one position or are all pinned', async (t) => {
  const heap = [5, 5, 5, 5, 5, 5, 5, 5]
  const pinned = new ForceLayout(star([0, 1, 2, 3], heap), usualForces)
  pinned.step()
  t.same([...pinned.positions], heap)
  const one = new ForceLayout(star([0], heap), { ...usualForces, isLinLog: true })
  for (let step = 0; step < 50; step++) one.step()
  t.ok(one.positions.every(Number.isFinite), String(one.positions))
})

t.test('tidying moves nodes away from pinned nodes, which stay in place', async (t) => {
  const positions = Float64Array.of(0, 0, 0.001, 0, 3, 0, 0, 2)
  const task = { ...star([0, 2], [...positions]), positions }
  const after = tidied(task, space, () => false)
  t.same([...after.slice(0, 2), ...after.slice(4, 6)], [0, 0, 3, 0])
  const scale = 800 / 3
  const apart = Math.hypot((after[2] ?? 0) * scale, (after[3] ?? 0) * scale)
  t.ok(apart >= 12, `${apart} pixels`)
})

t.test('tidying keeps components in place if nodes keep their positions', async (t) => {
  const positions = Float64Array.of(0, 0, 30, 0, 1000, 900, 1030, 900)
  const task = { positions, ...ends([0, 1], [2, 3]), radii: radiiOf(4), pinned: new Uint8Array(4) }
  t.same([...tidied({ ...task, keepsPositions: true }, { width: 2000, height: 2000 }, () => false)], [...positions])
  t.notSame([...tidied(task, { width: 2000, height: 2000 }, () => false)], [...positions])
})

t.test('the space between nodes can be chosen, and at 0 nodes may overlap', async (t) => {
  const positions = Float64Array.of(0, 0, 0.001, 0, 3, 0, 0, 2)
  const task = { ...star([], [...positions]), positions }
  const [none, usual, wide] = [0, 1, 3].map((spacing) => {
    const after = tidied({ ...task, spacing }, space, () => false)
    return Math.hypot((after[2] ?? 0) - (after[0] ?? 0), (after[3] ?? 0) - (after[1] ?? 0))
  }) as [number, number, number]
  t.ok(none < 1, `${none} pixels`)
  t.ok(usual >= 12, `${usual} pixels`)
  t.ok(wide > usual * 1.5, `${wide} pixels`)
})

t.test('layouts without steps keep pinned nodes in place', async (t) => {
  const before = Float64Array.of(100, 100, 110, 100, 100, 110)
  const places = Float64Array.of(0, 0, 2, 0, 0, 2)
  t.same([...aroundPins(before, places, new Uint8Array(3))], [...places])
  t.same([...aroundPins(before, places, Uint8Array.of(0, 1, 0))], [100, 100, 110, 100, 100, 110])
  t.same(
    [...aroundPins(new Float64Array(6), places, Uint8Array.of(1, 0, 0))],
    [0, 0, 1, -1, -1, 1],
    'coinciding nodes are laid out at the default scale'
  )
})

t.test('a layout choice detects coordinates by name, and includes the values of its attributes', async (t) => {
  const nodes = [
    { id: '__proto__', metadata: { size: 3, Lat: 52, lng: 13, name: 'x' } },
    { id: 'b', metadata: { Lat: 1 } }
  ]
  const attributes = nodeAttributes(networkOf({ directed: false, nodes, edges: [] }))
  const choice = firstChoice(attributes)
  t.match(choice, { latitude: 'metadata.Lat', longitude: 'metadata.lng', x: 'metadata.size', y: 'metadata.Lat' })
  t.same(methodOf({ ...choice, name: 'map' }, attributes, 2), {
    name: 'map',
    projection: 'equirectangular',
    longitude: Float64Array.of(13, Number.NaN),
    latitude: Float64Array.of(52, 1)
  })
  t.same(methodOf({ ...choice, name: 'grid', order: 'metadata.name' }, attributes, 2), {
    name: 'grid',
    values: ['x', undefined],
    isDescending: false
  })
  t.equal(
    methodOf({ ...choice, name: 'coordinates', x: 'metadata.name' }, attributes, 2),
    undefined,
    'an attribute without numbers is not accepted'
  )
})

t.test('a node pinned during a layout stays in place from then on', async (t) => {
  const layout = new ForceLayout(star([], [0, 0, 10, 0, 0, 10, -10, -10]), usualForces)
  const run = () => {
    for (let step = 0; step < 20; step++) layout.step()
  }
  run()
  const positions = layout.positions
  layout.pin({ pinned: Uint8Array.of(0, 1, 0, 0), positions })
  run()
  t.same([...layout.positions.subarray(2, 4)], [...positions.subarray(2, 4)])
  t.notSame([...layout.positions], [...positions], 'the other nodes keep moving')
})

/** Returns a task with these edges, whose nodes are in random order, and the index of each node in the task. */
function shuffled(count: number, edges: [number, number][]) {
  const random = randomFrom(5)
  const order = Array.from({ length: count }, (_, node) => node)
  for (let node = count - 1; node > 0; node--) {
    const other = Math.floor(random() * (node + 1))
    ;[order[node], order[other]] = [order[other] as number, order[node] as number]
  }
  const task = {
    positions: new Float64Array(count * 2),
    ...ends(...edges.map(([from, to]) => [order[from], order[to]] as [number, number])),
    weights: new Float32Array(edges.length).fill(1),
    radii: radiiOf(count),
    pinned: new Uint8Array(count)
  }
  return { task, order }
}

function laidOut(task: ForceTask, forces = usualForces) {
  const layout = new ForceLayout(task, forces)
  while (!layout.isDone) layout.step()
  return layout
}

const distance = (positions: Float64Array, one = 0, other = 0) =>
  Math.hypot(
    (positions[one * 2] ?? 0) - (positions[other * 2] ?? 0),
    (positions[one * 2 + 1] ?? 0) - (positions[other * 2 + 1] ?? 0)
  )

t.test('a force-directed layout unfolds a lattice, whatever the order of its nodes', async (t) => {
  const side = 20
  const edges = Array.from({ length: side * side }, (_, node): [number, number][] => [
    ...(node % side > 0 ? [[node, node - 1] as [number, number]] : []),
    ...(node >= side ? [[node, node - side] as [number, number]] : [])
  ]).flat()
  const { task, order } = shuffled(side * side, edges)
  const layout = laidOut(task)
  t.ok(layout.isSettled)
  t.equal(layout.progress, 1)
  const { positions } = layout
  // The four corners are the corners of a square, and no edge is much longer than the others.
  const [a, b, c, d] = [0, side - 1, side * side - 1, side * (side - 1)].map((node) => order[node])
  const sides = [
    distance(positions, a, b),
    distance(positions, b, c),
    distance(positions, c, d),
    distance(positions, d, a)
  ]
  const diagonals = [distance(positions, a, c), distance(positions, b, d)]
  t.ok(Math.max(...sides) < 1.1 * Math.min(...sides), `sides of ${sides}`)
  t.ok(Math.min(...diagonals) > 1.3 * Math.max(...sides), `diagonals of ${diagonals}`)
  const lengths = edges.map(([from, to]) => distance(positions, order[from], order[to]))
  t.ok(Math.max(...lengths) < 6 * Math.min(...lengths), `edges from ${Math.min(...lengths)} to ${Math.max(...lengths)}`)
  t.same([...laidOut(task).positions], [...positions], 'the same each time')
})

t.test('a force-directed layout unfolds a chain, and lays out each component on its own', async (t) => {
  const chain = Array.from({ length: 299 }, (_, node): [number, number] => [node, node + 1])
  const { task, order } = shuffled(303, [...chain, [300, 301]])
  const { positions } = laidOut(task)
  const length = distance(positions, order[0], order[299])
  const farthest = Math.max(...order.slice(0, 300).map((node) => distance(positions, order[0], node)))
  t.ok(length > 0.8 * farthest, `the ends are ${length} apart, of ${farthest}`)
  const near = Math.min(...order.slice(0, 300).map((node) => distance(positions, order[300], node)))
  t.ok(near > distance(positions, order[300], order[301]), 'the other component is apart')
  t.ok(positions.every(Number.isFinite), 'the node without edges has a place')
})

t.test('the closest nodes in a force-directed layout are neighbours in the graph, and not in the file', async (t) => {
  const [groups, size] = [60, 25]
  const random = randomFrom(9)
  const member = (group: number) => group * size + Math.floor(random() * size)
  const edges = Array.from({ length: groups * size * 3 }, (_, edge): [number, number] => {
    const group = edge % groups
    return [member(group), member(random() < 0.95 ? group : Math.floor(random() * groups))]
  })
  const { task, order } = shuffled(groups * size, edges)
  const { positions, isSettled } = laidOut(task)
  t.ok(isSettled)
  const groupOf = new Map(order.map((place, node) => [place, Math.floor(node / size)]))
  const closest = order.map((_, node) =>
    order.reduce(
      (best, _, other) =>
        other !== node && distance(positions, node, other) < distance(positions, node, best) ? other : best,
      node === 0 ? 1 : 0
    )
  )
  const share = (isMet: (other: number, node: number) => boolean) => closest.filter(isMet).length / closest.length
  const inGroup = share((other, node) => groupOf.get(other) === groupOf.get(node))
  const inFile = share((other, node) => Math.abs(other - node) <= 2)
  t.ok(inGroup > 0.85, `${inGroup} of the closest nodes are in the same group`)
  t.ok(inFile < 0.01, `${inFile} of the closest nodes are next to each other in the file`)
})

t.test('edges of hubs become longer if the layout dissuades hubs', async (t) => {
  // A hub with 40 leaves, and a chain that begins at it.
  const leaves = Array.from({ length: 40 }, (_, node): [number, number] => [0, node + 1])
  const chain = Array.from({ length: 10 }, (_, node): [number, number] => [node === 0 ? 0 : 40 + node, 41 + node])
  const { task, order } = shuffled(51, [...leaves, ...chain])
  const ratio = (dissuadesHubs: boolean) => {
    const { positions } = laidOut(task, { ...usualForces, dissuadesHubs })
    const meanOf = (edges: [number, number][]) =>
      edges.reduce((sum, [from, to]) => sum + distance(positions, order[from], order[to]), 0) / edges.length
    return meanOf(leaves) / meanOf(chain.slice(1))
  }
  t.ok(ratio(true) > 1.5 * ratio(false), `${ratio(true)} and ${ratio(false)}`)
})

t.test('a layout that ends before it has settled goes on from there', async (t) => {
  const layout = new ForceLayout({ ...star([], [0, 0, 1, 0, 0, 1, 5, 5]), keepsPositions: true }, usualForces)
  t.equal(layout.isSettled, false)
  layout.step()
  const { positions } = layout
  layout.extend()
  t.same([...layout.positions], [...positions])
  while (!layout.isDone) layout.step()
  t.ok(layout.isSettled)
})

t.test(
  'a smaller mesh has about half the nodes, all of the mass, and the edges between the merged nodes',
  async (t) => {
    const random = randomFrom(2)
    const count = 500
    const edges = Array.from({ length: 1500 }, (): [number, number] => [
      Math.floor(random() * count),
      Math.floor(random() ** 3 * count)
    ])
    const { source, target } = ends(...edges)
    const masses = Float64Array.from({ length: count }, () => 1 + random())
    const weights = Float64Array.from(edges, () => 1 + random())
    const mesh = meshOf(masses, source, target, weights)
    const { mesh: smaller, parents } = coarsened(mesh)
    const length = smaller.masses.length
    t.ok(length >= 250 && length < 275, `${length} nodes`)
    const sum = (numbers: Float64Array) => Math.round(numbers.reduce((total, number) => total + number, 0) * 1e6)
    t.equal(sum(smaller.masses), sum(masses))
    const between = weights.filter((_, edge) => parents[source[edge] ?? 0] !== parents[target[edge] ?? 0])
    t.equal(sum(smaller.weights), sum(Float64Array.from(between, (weight) => weight * 2)))
    const hub = meshOf(
      new Float64Array(101).fill(1),
      new Uint32Array(100),
      Uint32Array.from({ length: 100 }, (_, node) => node + 1),
      new Float64Array(100).fill(1)
    )
    t.equal(coarsened(hub).mesh.masses.length, 51, 'leaves of one hub are merged with each other')
  }
)

t.test('the quadtree approximates the forces of all other nodes', async (t) => {
  const random = randomFrom(3)
  const count = 2000
  const x = Float64Array.from({ length: count }, () => random() ** 4 * 1e6)
  const y = Float64Array.from({ length: count }, () => random() * 1e6)
  // Nodes at one position, and next to each other.
  for (let node = 0; node < 50; node++) x[node] = y[node] = 7
  x[60] = (x[61] ?? 0) + 1e-9
  y[60] = y[61] ?? 0
  const masses = Float64Array.from({ length: count }, () => 1 + random())
  const tree = new Quadtree(count)
  const extents = [x, y].map((places) => Math.max(...places) - Math.min(...places))
  t.equal(tree.build(x, y, masses), Math.max(...extents))
  const ignored = Uint8Array.from({ length: count }, (_, node) => Number(node % 7 > 0))
  const done: number[] = []
  let [error, size] = [0, 0]
  tree.sumAll(1.5, ignored, (node, _sum, sumX, sumY) => {
    done.push(node)
    const exact = [0, 0]
    for (let other = 0; other < count; other++) {
      const [dx, dy] = [(x[node] ?? 0) - (x[other] ?? 0), (y[node] ?? 0) - (y[other] ?? 0)]
      const square = dx * dx + dy * dy
      if (square === 0) continue
      exact[0] = (exact[0] ?? 0) + ((masses[other] ?? 0) / square) * dx
      exact[1] = (exact[1] ?? 0) + ((masses[other] ?? 0) / square) * dy
    }
    error += Math.hypot(sumX - (exact[0] ?? 0), sumY - (exact[1] ?? 0))
    size += Math.hypot(exact[0] ?? 0, exact[1] ?? 0)
  })
  t.same(
    done.sort((one, other) => one - other),
    [...ignored.keys()].filter((node) => !ignored[node])
  )
  t.ok(error < size * 0.05, `off by ${error / size}`)
})

t.test('undo keeps twenty steps, fewer of large graphs, and none of other positions', async (t) => {
  const kept = (length: number, count: number) => {
    const positions = new Float64Array(length)
    // Only their length counts.
    const step = (at: number) => ({ positions, places: positions, isMoved: at > 0, sent: undefined })
    return Array.from({ length: count }, (_, at) => step(at)).reduce(withStep, [] as ReturnType<typeof withStep>)
  }
  t.equal(kept(4, 19).length, 19)
  t.same(
    kept(4, 21).map(({ isMoved }) => isMoved),
    Array(20).fill(true),
    'the oldest step is forgotten'
  )
  t.equal(kept(4e6, 9).length, 4)
  t.equal(kept(2e7, 3).length, 1)
  const other = { positions: new Float64Array(4), places: new Float64Array(4), isMoved: true, sent: undefined }
  t.same(withStep(kept(4, 3), other), [other])
})
