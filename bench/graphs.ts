import type { GraphContent } from '../schemas/graph-content.ts'

/** Returns a generator of random numbers from 0 to 1 that are the same in every run. */
export function seeded(seed = 1) {
  let state = seed
  return () => {
    state = (state * 48271) % 2147483647
    return state / 2147483647
  }
}

/** Returns a realistic graph with labels, positions, and an attribute of each type. */
export function network(nodeCount: number, edgeCount: number): GraphContent {
  const random = seeded()
  const nodes = Array.from({ length: nodeCount }, (_, index) => ({
    id: `n${index}`,
    label: `Node ${index} é`,
    x: Math.round(random() * 1e6) / 1000,
    y: Math.round(random() * 1e6) / 1000,
    metadata: { kind: `kind ${index % 7}`, rank: index, score: random(), active: index % 2 === 0 }
  }))
  const end = () => `n${Math.floor(random() * nodeCount)}`
  const edges = Array.from({ length: edgeCount }, (_, index) => ({
    source: end(),
    target: end(),
    label: `e${index}`,
    metadata: { weight: Math.round(random() * 100) / 10, since: 1990 + (index % 30) }
  }))
  return { directed: true, nodes, edges }
}

/** Returns the graph without positions, so that drawing it requires a layout. */
export function unplaced({ nodes, ...graph }: GraphContent): GraphContent {
  return { ...graph, nodes: nodes.map(({ x: _x, y: _y, ...node }) => node) }
}

/** Returns a small graph like those that scripts push, different for each index. */
export function smallNetwork(index: number): GraphContent {
  return {
    directed: true,
    nodes: [{ id: 'a', label: `Start ${index}` }, { id: 'b' }, { id: 'c' }],
    edges: [
      { source: 'a', target: 'b', metadata: { weight: index % 100 } },
      { source: 'b', target: 'c' }
    ]
  }
}
