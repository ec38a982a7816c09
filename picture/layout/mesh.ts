import { at } from '../model/network.ts'

/**
 * A graph for layouts, with nodes by index. Edges have no direction, loops are left out, and parallel edges are merged. The
 * neighbours of node `n` are those from `offsets[n]` up to but excluding `offsets[n + 1]`, each with the weight of its edge.
 */
export interface Mesh {
  offsets: Uint32Array
  neighbours: Uint32Array
  weights: Float64Array
  /** How strongly each node repels others. */
  masses: Float64Array
}

/** Returns the mesh with these edges, given by their ends and weights. Takes time linear in the number of nodes and edges. */
export function meshOf(
  masses: Float64Array,
  source: ArrayLike<number>,
  target: ArrayLike<number>,
  weights: ArrayLike<number>
): Mesh {
  const count = masses.length
  const starts = new Uint32Array(count + 1)
  for (let edge = 0; edge < source.length; edge++) {
    if (source[edge] === target[edge]) continue
    starts[at(source, edge) + 1] = at(starts, at(source, edge) + 1) + 1
    starts[at(target, edge) + 1] = at(starts, at(target, edge) + 1) + 1
  }
  for (let node = 0; node < count; node++) starts[node + 1] = at(starts, node + 1) + at(starts, node)
  const next = starts.slice(0, count)
  const ends = new Uint32Array(at(starts, count))
  const pulls = new Float64Array(ends.length)
  for (let edge = 0; edge < source.length; edge++) {
    const [from, to, weight] = [at(source, edge), at(target, edge), at(weights, edge)]
    if (from === to) continue
    for (const [node, other] of [
      [from, to],
      [to, from]
    ] as const) {
      const place = at(next, node)
      ends[place] = other
      pulls[place] = weight
      next[node] = place + 1
    }
  }
  return merged(starts, ends, pulls, masses)
}

/** Merges parallel edges, in place, and adds their weights. */
function merged(starts: Uint32Array, ends: Uint32Array, pulls: Float64Array, masses: Float64Array): Mesh {
  const count = masses.length
  const offsets = new Uint32Array(count + 1)
  // The place of each neighbour of the current node. Places before the node's own belong to other nodes.
  const places = new Int32Array(count).fill(-1)
  let length = 0
  for (let node = 0; node < count; node++) {
    const first = length
    for (let index = at(starts, node); index < at(starts, node + 1); index++) {
      const other = at(ends, index)
      const place = at(places, other)
      if (place >= first) pulls[place] = at(pulls, place) + at(pulls, index)
      else {
        places[other] = length
        ends[length] = other
        pulls[length] = at(pulls, index)
        length++
      }
    }
    offsets[node + 1] = length
  }
  return { offsets, neighbours: ends.slice(0, length), weights: pulls.slice(0, length), masses }
}

/**
 * Merges nodes in pairs, which roughly halves their number. Each node is merged with the neighbour whose edge is heaviest
 * relative to the neighbour's mass, or else with a node that shares a neighbour. Returns the smaller mesh, and the index of each
 * node in it. The forces between merged nodes are the sums of those between their members.
 */
export function coarsened(mesh: Mesh): { mesh: Mesh; parents: Uint32Array } {
  const { offsets, neighbours, weights, masses } = mesh
  const count = masses.length
  const parents = new Uint32Array(count).fill(count)
  // For each node, one of its neighbours that has not found a partner.
  const waiting = new Int32Array(count).fill(-1)
  let length = 0
  const pair = (one: number, other: number) => {
    parents[one] = parents[other] = length++
  }
  for (const node of byDegree(offsets)) {
    if (at(parents, node) < count) continue
    let [best, heaviest] = [-1, 0]
    for (let index = at(offsets, node); index < at(offsets, node + 1); index++) {
      const other = at(neighbours, index)
      const weight = at(weights, index) / at(masses, other)
      if (at(parents, other) === count && weight > heaviest) [best, heaviest] = [other, weight]
    }
    if (best >= 0) {
      pair(node, best)
      continue
    }
    let common = -1
    for (let index = at(offsets, node); index < at(offsets, node + 1) && best < 0; index++) {
      common = at(neighbours, index)
      const other = at(waiting, common)
      if (other >= 0 && at(parents, other) === count) best = other
    }
    if (best >= 0) pair(node, best)
    else if (common >= 0) waiting[at(neighbours, at(offsets, node))] = node
  }
  for (let node = 0; node < count; node++) if (parents[node] === count) parents[node] = length++
  return { mesh: quotient(mesh, parents, length), parents }
}

/** Returns the nodes by degree, in ascending order. */
function byDegree(offsets: Uint32Array): Uint32Array {
  const count = offsets.length - 1
  const degreeOf = (node: number) => at(offsets, node + 1) - at(offsets, node)
  let most = 0
  for (let node = 0; node < count; node++) most = Math.max(most, degreeOf(node))
  const next = new Uint32Array(most + 2)
  for (let node = 0; node < count; node++) next[degreeOf(node) + 1] = at(next, degreeOf(node) + 1) + 1
  for (let degree = 0; degree <= most; degree++) next[degree + 1] = at(next, degree + 1) + at(next, degree)
  const order = new Uint32Array(count)
  for (let node = 0; node < count; node++) {
    const place = at(next, degreeOf(node))
    order[place] = node
    next[degreeOf(node)] = place + 1
  }
  return order
}

/** Returns the mesh whose nodes are sets of nodes, given by the index of the set of each node. */
function quotient({ offsets, neighbours, weights, masses }: Mesh, parents: Uint32Array, count: number): Mesh {
  const sums = new Float64Array(count)
  const source: number[] = []
  const target: number[] = []
  const pulls: number[] = []
  for (let node = 0; node < masses.length; node++) {
    sums[at(parents, node)] = at(sums, at(parents, node)) + at(masses, node)
    for (let index = at(offsets, node); index < at(offsets, node + 1); index++) {
      const other = at(neighbours, index)
      if (other < node || parents[node] === parents[other]) continue
      source.push(at(parents, node))
      target.push(at(parents, other))
      pulls.push(at(weights, index))
    }
  }
  return meshOf(sums, source, target, pulls)
}
