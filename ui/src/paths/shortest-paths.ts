import { at, type Network, otherEnd } from '../graph/network/network.ts'
import { NodeHeap } from './node-heap.ts'

/** A path between two nodes: its nodes in order, and the edges between them. */
export interface Path {
  nodes: number[]
  edges: number[]
  /** The total length of the edges, or the number of edges if they have no lengths. */
  length: number
}

/** All shortest paths between two nodes. Paths differ in their nodes: of parallel edges, only the shortest counts. */
export interface ShortestPaths {
  /** The number of paths, or MOST_PATHS if there are at least as many. */
  count: number
  /** Returns a path by its index, which is below `count`. */
  pathAt: (index: number) => Path
}

interface PathTask {
  from: number
  to: number
  /** Whether to ignore the direction of edges. */
  isEitherWay: boolean
  /** The length of each edge, which is 0 or more. Edges of length NaN cannot be used. If undefined, each edge has length 1. */
  lengths?: Float64Array | undefined
}

/** Numbers of paths grow exponentially. Larger ones would not be exact. */
export const MOST_PATHS = 1e15

/** Paths are equally short if their lengths differ by no more than this fraction, as sums of floating-point numbers do. */
const TOLERANCE = 1e-12

/** The value that means no rank. */
const NONE = 0xffffffff

/** Returns the shortest paths, or undefined if no path connects the nodes. */
export function shortestPaths(network: Network, task: PathTask): ShortestPaths | undefined {
  const { from, to, lengths } = task
  const reached = search(network, task)
  if (at(reached.rank, to) === NONE) return undefined

  // The last steps to each node that is on a shortest path.
  const steps = new Map<number, Map<number, number>>()
  const found = [to]
  for (const node of found) {
    if (steps.has(node)) continue
    const last = lastSteps(network, task, reached, node)
    steps.set(node, last)
    for (const before of last.keys()) found.push(before)
  }
  const counts = new Map<number, number>()
  for (const node of [...steps.keys()].sort((one, other) => at(reached.rank, one) - at(reached.rank, other))) {
    let count = node === from ? 1 : 0
    for (const before of steps.get(node)?.keys() ?? []) count += counts.get(before) ?? 0
    counts.set(node, Math.min(count, MOST_PATHS))
  }

  return {
    count: counts.get(to) ?? 1,
    pathAt(index) {
      const path: Path = { nodes: [to], edges: [], length: 0 }
      let skipped = index
      for (let node = to; node !== from; ) {
        for (const [before, edge] of steps.get(node) ?? []) {
          const count = counts.get(before) ?? 0
          if (skipped >= count) skipped -= count
          else {
            path.edges.push(edge)
            path.length += lengthOf(edge, lengths)
            node = before
            break
          }
        }
        path.nodes.push(node)
      }
      return { ...path, nodes: path.nodes.reverse(), edges: path.edges.reverse() }
    }
  }
}

interface Reached {
  /** The distance of each node from the start. */
  distance: Float64Array
  /** The order in which the nodes were reached. */
  rank: Uint32Array
}

/** Finds the distances of nodes with Dijkstra's algorithm (1959, doi:10.1007/BF01386390). Stops at the target. */
function search(network: Network, { from, to, isEitherWay, lengths }: PathTask): Reached {
  const count = network.nodes.length
  const distance = new Float64Array(count).fill(Number.POSITIVE_INFINITY)
  const rank = new Uint32Array(count).fill(NONE)
  const heap = new NodeHeap(distance)
  distance[from] = 0
  heap.put(from)
  let size = 0
  for (let node = heap.take(); node !== undefined; node = heap.take()) {
    rank[node] = size++
    if (node === to) break
    const far = at(distance, node)
    for (const edge of edgesFrom(network, node, isEitherWay)) {
      const other = otherEnd(network, edge, node)
      const through = far + lengthOf(edge, lengths)
      // Skips edges of length NaN. Also skips nodes already taken from the heap, because no length is negative.
      if (!(through < at(distance, other))) continue
      distance[other] = through
      heap.put(other)
    }
  }
  return { distance, rank }
}

/**
 * Returns the nodes before a node on shortest paths, each with the edge between them. They were reached earlier, so that edges of
 * length 0 lead to no cycle.
 */
function lastSteps(
  network: Network,
  { isEitherWay, lengths }: PathTask,
  { distance, rank }: Reached,
  node: number
): Map<number, number> {
  const steps = new Map<number, number>()
  for (const edge of edgesFrom(network, node, isEitherWay, true)) {
    const before = otherEnd(network, edge, node)
    const through = at(distance, before) + lengthOf(edge, lengths)
    if (at(rank, before) >= at(rank, node) || !(through <= at(distance, node) * (1 + TOLERANCE))) continue
    const known = steps.get(before)
    if (known === undefined || lengthOf(edge, lengths) < lengthOf(known, lengths)) steps.set(before, edge)
  }
  return steps
}

function lengthOf(edge: number, lengths: Float64Array | undefined): number {
  return lengths ? at(lengths, edge) : 1
}

/** Yields the edges that leave a node, or those that lead to it. */
function* edgesFrom(network: Network, node: number, isEitherWay: boolean, isReversed = false) {
  const { incident, offsets, source, directed } = network
  for (let place = at(offsets, node); place < at(offsets, node + 1); place++) {
    const edge = at(incident, place)
    const isForward = (at(source, edge) === node) !== isReversed
    if (isForward || isEitherWay || directed[edge] === 0) yield edge
  }
}
