import t from 'tap'
import type { GraphContent } from '../../ui/src/api.ts'
import { editedStage } from '../../ui/src/graph/drawing/edited-stage.ts'
import { type Frame, type Stage, stageOf, withDrawnPlaces } from '../../ui/src/graph/drawing/stage.ts'
import { networkOf } from '../../ui/src/graph/network/network.ts'

// The places of nodes while a graph is edited.

const content: GraphContent = {
  directed: false,
  nodes: ['a', 'b', 'c', 'd'].map((id) => ({ id })),
  edges: [{ source: 'a', target: 'b' }]
}
const without = (...ids: string[]): GraphContent => ({
  ...content,
  nodes: content.nodes.filter(({ id }) => !ids.includes(id)),
  edges: ids.includes('a') || ids.includes('b') ? [] : content.edges
})

/** The stage of a graph whose content has no positions, after a layout. */
const laidOut = (): Stage => ({
  ...stageOf(networkOf(content), undefined),
  positions: Float64Array.of(0, 0, 10, 5, 20, 0, 30, 5)
})

/** Returns the stage after several edits. */
const after = (...states: GraphContent[]) =>
  states.reduce((stage, state) => {
    const next = editedStage(stage, networkOf(state), undefined)
    if (!next) throw new Error('the graph would be laid out again')
    return next.stage
  }, laidOut())

t.test('removed nodes return to their places, even if they were most or all nodes', async (t) => {
  t.same([...after(without('b', 'c')).positions], [0, 0, 30, 5])
  for (const gone of [['b'], ['a', 'b', 'c'], ['a', 'b', 'c', 'd']]) {
    t.same(after(without(...gone), content), { ...laidOut(), isStored: true, removed: new Map() }, gone.join())
  }
  t.same([...after(without('b'), without('b', 'c'), content).positions], [...laidOut().positions], 'in two steps')
})

t.test('a returned node whose position was edited goes there', async (t) => {
  const moved = { ...content, nodes: content.nodes.map((node) => (node.id === 'b' ? { ...node, x: 7, y: 8 } : node)) }
  t.same([...after(without('b'), moved).positions], [0, 0, 7, 8, 20, 0, 30, 5])
})

t.test('an undo of a drag in a graph without positions returns all nodes to their places', async (t) => {
  const places = Float64Array.of(0, 0, 10, 5, 20, 0, 30, 5)
  const dragged = { ...laidOut(), positions: Float64Array.of(0, 0, 99, 5, 20, 0, 30, 5) }
  const network = networkOf(content)
  const { stage, isMoved } = editedStage(dragged, network, undefined, places) ?? {}
  t.same(stage?.positions, places)
  t.not(stage?.positions, places, 'drags do not change the remembered places')
  t.equal(isMoved, true)
})

t.test('the visible part stays the same, unless an undo or redo moves most nodes', async (t) => {
  const frame: Frame = { box: { x: [0, 1], y: [0, 1] }, point: { x: 0, y: 0 }, place: { x: 0, y: 0 }, pixel: 1 }
  const at = (...places: number[]) =>
    editedStage(laidOut(), networkOf(content), frame, Float64Array.from(places))?.stage.frame
  t.equal(at(0, 0, 10, 5, 90, 0, 90, 5), frame, 'half of the nodes')
  t.equal(at(0.001, 0, 10.001, 5, 20.001, 0, 30.001, 5), frame, 'rounded places')
  t.equal(at(0, 0, 10, 9, 90, 0, 90, 5), undefined)
})

t.test('stored places are those in the drawing, except for nodes that someone else has moved or added', async (t) => {
  const [a, b, ...others] = content.nodes as [object, object, object, object]
  const merged = { ...content, nodes: [a, { ...b, x: 7, y: 8 }, ...others, { id: 'e' }] } as GraphContent
  const placed = withDrawnPlaces(merged, laidOut())
  t.same(placed.nodes, [
    { id: 'a', x: 0, y: 0 },
    { id: 'b', x: 7, y: 8 },
    { id: 'c', x: 20, y: 0 },
    { id: 'd', x: 30, y: 5 },
    { id: 'e' }
  ])
  const again = withDrawnPlaces(placed, { ...laidOut(), network: networkOf(placed) })
  t.equal(again.nodes[0], placed.nodes[0], 'places that are stored change no node')
})

/** Returns the distance between the nearest two nodes, and that between two nodes by id, rounded. */
function distances({ network, positions }: Stage, one: string, other: string) {
  const places = network.nodes.map((_, index) => positions.subarray(index * 2, index * 2 + 2))
  const between = ([a = 0, b = 0]: Float64Array, [c = 0, d = 0]: Float64Array) => Math.hypot(a - c, b - d)
  const all = places.flatMap((place, index) => places.slice(index + 1).map((next) => between(place, next)))
  const [from, to] = [one, other].map((id) => places[network.indexOf.get(id) ?? -1] ?? Float64Array.of(0, 0))
  return { least: Math.min(...all), between: between(from as Float64Array, to as Float64Array) }
}

t.test('new nodes get free places near their neighbours, or in the middle of what is visible', async (t) => {
  const first = Array.from({ length: 100 }, (_, index) => ({ id: `${index}` }))
  const stage = {
    ...stageOf(networkOf({ directed: false, nodes: first, edges: [] }), undefined),
    positions: Float64Array.from(first.flatMap((_, index) => [(index % 10) * 100, Math.floor(index / 10) * 100]))
  }
  const more = Array.from({ length: 40 }, (_, index) => ({ id: `new ${index}` }))
  // Half of the nodes are on a path from node 55, and the others have no edges.
  const edges = more.slice(0, 20).map(({ id }, index) => ({ source: `new ${index - 1}`, target: id }))
  const graph = {
    directed: false,
    nodes: [...first, ...more],
    edges: [{ ...edges[0], source: '55' }, ...edges.slice(1)]
  }
  const frame = { box: { x: [0, 900], y: [0, 900] }, point: { x: 300, y: 300 }, place: { x: 0, y: 0 }, pixel: 0.5 }
  for (const [shown, least] of [
    [frame, 30],
    [undefined, 45]
  ] as const) {
    const next = editedStage(stage, networkOf(graph as GraphContent), shown as Frame | undefined)
    if (!next) throw new Error('the graph would be laid out again')
    const near = distances(next.stage, '55', 'new 0')
    t.ok(near.least >= least && near.least < least * 1.3, `${near.least} units apart`)
    for (const [index, { id }] of more.slice(0, 20).entries()) {
      const { between } = distances(next.stage, index === 0 ? '55' : `new ${index - 1}`, id)
      t.ok(between < least * 2, `${id} is ${between} units from its neighbour`)
    }
    const { x, y } = shown ? frame.point : { x: 450, y: 450 }
    const far = more.slice(20).map(({ id }) => {
      const index = next.stage.network.indexOf.get(id) ?? -1
      return Math.hypot((next.stage.positions[index * 2] ?? 0) - x, (next.stage.positions[index * 2 + 1] ?? 0) - y)
    })
    t.ok(Math.max(...far) < 400, `${Math.max(...far)} units from the middle`)
  }
})

t.test('a graph whose nodes are all replaced is laid out again', async (t) => {
  const nodes = ['e', 'f'].map((id) => ({ id }))
  const next = { directed: false, nodes, edges: [{ source: 'e', target: 'f' }] }
  t.equal(editedStage(laidOut(), networkOf(next), undefined), undefined)
})
