import type { GraphRecord } from '../../api.ts'
import type { Network } from '../network/network.ts'

/** The maximum number of nodes and edges to draw without asking. */
export const MOST_DRAWN = 200_000

/** Returns whether a graph is small enough to draw without asking. */
export function isDrawable({ nodeCount, edgeCount }: Pick<GraphRecord, 'nodeCount' | 'edgeCount'>) {
  return nodeCount + edgeCount <= MOST_DRAWN
}

/** The time in milliseconds and the memory in kilobytes that a drawing takes per node and per edge, without a GPU. */
const COST = { node: { time: 0.05, memory: 2.5 }, edge: { time: 0.02, memory: 0.7 } }

/** Estimates the time in seconds and the memory in megabytes that it takes to draw a network. */
export function costOf({ nodes, edges }: Pick<Network, 'nodes' | 'edges'>) {
  const sum = (kind: 'time' | 'memory') => nodes.length * COST.node[kind] + edges.length * COST.edge[kind]
  return { seconds: Math.ceil(sum('time') / 1000), megabytes: Math.ceil(sum('memory') / 10_000) * 10 }
}
