import { at, type Network, otherEnd } from '../graph/network/network.ts'
import { NodeHeap } from './node-heap.ts'

/** A path between two nodes: its nodes in order, and the edges between them. */
export interface Path {
  nodes: number[]
  edges: number[]
  /** The total length of the edges, or the number of edges if they have no lengths. */
  length: number
}

interface PathTask {
  from: number
  to: number
  /** Whether to ignore the direction of edges. */
  isEitherWay: boolean
  /** The length of each edge, which is 0 or more. Edges of length NaN cannot be used. If undefined, each edge has length 1. */
  lengths?: Float64Array | undefined
}

/**
 * Returns a shortest path, or undefined if there is none. Uses Dijkstra's algorithm (1959, doi:10.1007/BF01386390) if there are
 * lengths, and breadth-first search otherwise.
 */
export function shortestPath(network: Network, { from, to, isEitherWay, lengths }: PathTask): Path | undefined {
  const via = lengths ? byLength(network, from, to, isEitherWay, lengths) : byEdges(network, from, to, isEitherWay)
  if (from !== to && at(via, to) === NONE) return undefined
  const path: Path = { nodes: [to], edges: [], length: 0 }
  for (let node = to; node !== from; ) {
    const edge = at(via, node)
    path.edges.push(edge)
    path.length += lengths ? at(lengths, edge) : 1
    node = otherEnd(network, edge, node)
    path.nodes.push(node)
  }
  return { ...path, nodes: path.nodes.reverse(), edges: path.edges.reverse() }
}

/** The value that means no edge. */
const NONE = 0xffffffff

/** Returns the edge through which each node was first reached. Stops at the target. */
function byEdges(network: Network, from: number, to: number, isEitherWay: boolean): Uint32Array {
  const count = network.nodes.length
  const via = new Uint32Array(count).fill(NONE)
  const queue = new Uint32Array(count)
  queue[0] = from
  let size = 1
  for (let index = 0; index < size && at(via, to) === NONE; index++) {
    forEachWay(network, at(queue, index), isEitherWay, (edge, other) => {
      if (other === from || at(via, other) !== NONE) return
      via[other] = edge
      queue[size++] = other
    })
  }
  return via
}

/** Returns the last edge of a shortest path to each node. Stops at the target. */
function byLength(
  network: Network,
  from: number,
  to: number,
  isEitherWay: boolean,
  lengths: Float64Array
): Uint32Array {
  const count = network.nodes.length
  const via = new Uint32Array(count).fill(NONE)
  const distance = new Float64Array(count).fill(Number.POSITIVE_INFINITY)
  const heap = new NodeHeap(distance)
  distance[from] = 0
  heap.put(from)
  for (let node = heap.take(); node !== undefined && node !== to; node = heap.take()) {
    const far = at(distance, node)
    forEachWay(network, node, isEitherWay, (edge, other) => {
      const through = far + at(lengths, edge)
      // Skips edges of length NaN. Also skips nodes already taken from the heap, because no length is negative.
      if (!(through < at(distance, other))) return
      distance[other] = through
      via[other] = edge
      heap.put(other)
    })
  }
  return via
}

/** Calls `see` with each edge that leaves a node, and the edge's other endpoint. */
function forEachWay(network: Network, node: number, isEitherWay: boolean, see: (edge: number, other: number) => void) {
  const { incident, offsets, source, target, directed } = network
  for (let place = at(offsets, node); place < at(offsets, node + 1); place++) {
    const edge = at(incident, place)
    const isForward = at(source, edge) === node
    if (isForward || isEitherWay || directed[edge] === 0) see(edge, isForward ? at(target, edge) : at(source, edge))
  }
}
