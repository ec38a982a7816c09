import t from 'tap'
import type { GraphContent } from '../../ui/src/api.ts'
import { editedStage } from '../../ui/src/graph/drawing/edited-stage.ts'
import { type Stage, stageOf } from '../../ui/src/graph/drawing/stage.ts'
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
