import t from 'tap'
import type { GraphContent } from '../../ui/src/api.ts'
import { editedStage } from '../../ui/src/graph/drawing/edited-stage.ts'
import { type Stage, stageOf, withDrawnPlaces } from '../../ui/src/graph/drawing/stage.ts'
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
