import { at, type Network } from '../model/network.ts'
import { weightsOf } from '../model/weights.ts'

/** A network's edges, prepared for a worker. Edges are given by the indexes of their endpoints. */
export interface Links {
  /** The number of nodes. */
  count: number
  source: Uint32Array
  target: Uint32Array
  /** Whether each edge is directed. */
  directed: Uint8Array
  weights: Float64Array
}

type Linked = Pick<Network, 'edges' | 'degree' | 'source' | 'target' | 'directed'>

/** Returns the edges of a network. Their weights are the values of the attribute with the key `weight`. */
export function linksOf({ edges, degree, source, target, directed }: Linked, weight?: string): Links {
  return { count: degree.length, source, target, directed, weights: weightsOf(edges, weight) }
}

export function areEqual(some: Links, others: Links): boolean {
  return some === others || (haveSameEdges(some, others) && isSame(some.weights, others.weights))
}

/** Returns whether the links are equal except for their weights. */
export function haveSameEdges(some: Links, others: Links): boolean {
  return (
    some.count === others.count &&
    isSame(some.source, others.source) &&
    isSame(some.target, others.target) &&
    isSame(some.directed, others.directed)
  )
}

function isSame(one: ArrayLike<number>, other: ArrayLike<number>): boolean {
  if (one === other) return true
  for (let index = 0; index < one.length; index++) if (one[index] !== other[index]) return false
  return one.length === other.length
}

/** The neighbours of node `n` are in `neighbours` from `offsets[n]` up to, but not including, `offsets[n + 1]`. */
export interface Adjacency {
  offsets: Uint32Array
  neighbours: Uint32Array
}

/**
 * Returns the distinct neighbours of each node, excluding the node itself: successors (`out`), predecessors (`in`), or both.
 * Undirected edges are followed in both directions.
 */
export function adjacencyOf({ count, source, target, directed }: Links, way: 'out' | 'in' | 'both'): Adjacency {
  const visit = (see: (from: number, to: number) => void) => {
    for (let edge = 0; edge < source.length; edge++) {
      const [from, to] = [at(source, edge), at(target, edge)]
      if (from === to) continue
      const isTwoWay = way === 'both' || directed[edge] === 0
      if (way === 'out' || isTwoWay) see(from, to)
      if (way === 'in' || isTwoWay) see(to, from)
    }
  }
  const starts = new Uint32Array(count + 1)
  visit((from) => {
    starts[from + 1] = at(starts, from + 1) + 1
  })
  for (let node = 0; node < count; node++) starts[node + 1] = at(starts, node + 1) + at(starts, node)
  const next = starts.slice()
  const all = new Uint32Array(at(starts, count))
  visit((from, to) => {
    const place = at(next, from)
    next[from] = place + 1
    all[place] = to
  })
  return withoutRepeats(starts, all)
}

function withoutRepeats(starts: Uint32Array, all: Uint32Array): Adjacency {
  const count = starts.length - 1
  const offsets = new Uint32Array(count + 1)
  /** For each node, the last node that visited it, plus 1. */
  const seenBy = new Uint32Array(count)
  let length = 0
  for (let node = 0; node < count; node++) {
    for (let place = at(starts, node); place < at(starts, node + 1); place++) {
      const neighbour = at(all, place)
      if (seenBy[neighbour] === node + 1) continue
      seenBy[neighbour] = node + 1
      all[length++] = neighbour
    }
    offsets[node + 1] = length
  }
  return { offsets, neighbours: all.subarray(0, length) }
}
