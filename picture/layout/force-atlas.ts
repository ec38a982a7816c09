import defaults from 'graphology-layout-forceatlas2/defaults.js'
import iterate from 'graphology-layout-forceatlas2/iterate.js'
import { at } from '../model/network.ts'

// ForceAtlas2 (Jacomy et al. 2014, doi:10.1371/journal.pone.0098679).

// The number of values per node and per edge in the library's arrays.
const NODE = 10
const EDGE = 3

const [GRAVITY, SCALING] = [0.05, 10]

export interface Forces {
  /** The strength of gravity towards the centre, relative to the default. */
  gravity: number
  /** Whether the attraction of an edge grows with the logarithm of its length, which makes communities more compact. */
  isLinLog: boolean
}

export const usualForces: Forces = { gravity: 1, isLinLog: false }

/** The input to the simulation: a network and its drawing, with nodes and edges by index. */
export interface ForceTask {
  positions: Float64Array
  source: Uint32Array
  target: Uint32Array
  /** The weight of each edge, which must be positive. */
  weights: Float32Array
  /** The radius of each node, in pixels. */
  radii: Float32Array
  /** 1 for each node that must stay in place. */
  pinned: Uint8Array
}

/** Simulates the forces on the nodes of a task. Pinned nodes attract and repel others but do not move. */
export class ForceAtlas {
  readonly #nodes: Float32Array
  readonly #edges: Float32Array
  readonly #settings: ReturnType<typeof settingsOf>
  readonly #frame: Frame
  #pinned: Uint8Array
  /** The exact positions of pinned nodes, kept because the library rounds them. */
  #places: Float64Array

  constructor(task: ForceTask, forces: Forces) {
    const count = task.radii.length
    this.#pinned = task.pinned
    this.#places = task.positions
    this.#settings = settingsOf(count, forces)
    this.#nodes = new Float32Array(count * NODE)
    this.#edges = new Float32Array(task.source.length * EDGE)
    // Mass, convergence, size, and whether the node is fixed.
    for (let node = 0; node < count; node++) this.#nodes.set([1, 1, 1, at(task.pinned, node)], node * NODE + 6)
    task.source.forEach((source, edge) => {
      const [from, to] = [source * NODE, at(task.target, edge) * NODE]
      const weight = at(task.weights, edge)
      this.#edges.set([from, to, weight], edge * EDGE)
      this.#nodes[from + 6] = at(this.#nodes, from + 6) + weight
      this.#nodes[to + 6] = at(this.#nodes, to + 6) + weight
    })
    this.#frame = task.pinned.includes(1) ? this.#frameOf(task) : OWN
    for (let node = 0; node < count; node++) this.#put(node)
  }

  /** Pins exactly these nodes at these positions. */
  pin({ pinned, positions }: Pick<ForceTask, 'pinned' | 'positions'>) {
    this.#pinned = pinned
    this.#places = positions
    for (let node = 0; node < pinned.length; node++) {
      this.#nodes[node * NODE + 9] = at(pinned, node)
      if (pinned[node]) this.#put(node)
    }
  }

  get pinned(): Uint8Array {
    return this.#pinned
  }

  #put(node: number) {
    const { x, y, scale } = this.#frame
    this.#nodes[node * NODE] = (at(this.#places, node * 2) - x) * scale
    this.#nodes[node * NODE + 1] = (at(this.#places, node * 2 + 1) - y) * scale
  }

  step() {
    iterate(this.#settings, this.#nodes, this.#edges)
  }

  get positions(): Float64Array<ArrayBuffer> {
    const { x, y, scale } = this.#frame
    const positions = new Float64Array((this.#nodes.length / NODE) * 2)
    for (let node = 0; node < this.#nodes.length / NODE; node++) {
      if (this.#pinned[node]) {
        positions.set(this.#places.subarray(node * 2, node * 2 + 2), node * 2)
        continue
      }
      positions[node * 2] = at(this.#nodes, node * NODE) / scale + x
      positions[node * 2 + 1] = at(this.#nodes, node * NODE + 1) / scale + y
    }
    return positions
  }

  /**
   * Returns the frame in which the forces preserve the current extent, because pinned nodes cannot follow if it changes. By the
   * virial theorem, the extent is preserved if attraction and repulsion are in balance. Repulsion is the same at any scale.
   */
  #frameOf({ positions, source, target, weights }: ForceTask): Frame {
    const count = positions.length / 2
    const [x, y] = [meanOf(positions, 0), meanOf(positions, 1)]
    const massOf = (node: number) => at(this.#nodes, node * NODE + 6)
    let [inward, mass, squares] = [0, 0, 0]
    for (let node = 0; node < count; node++) {
      const distance = Math.hypot(at(positions, node * 2) - x, at(positions, node * 2 + 1) - y)
      inward += this.#settings.gravity * massOf(node) * distance ** 2
      mass += massOf(node)
      squares += massOf(node) ** 2
    }
    const lengths = weights.map((_, edge) => {
      const [from, to] = [at(source, edge) * 2, at(target, edge) * 2]
      return Math.hypot(at(positions, from) - at(positions, to), at(positions, from + 1) - at(positions, to + 1))
    })
    const pullAt = (scale: number) =>
      lengths.reduce(
        (sum, length, edge) => {
          const drawn = length * scale
          return sum + at(weights, edge) * drawn * (this.#settings.linLogMode ? Math.log1p(drawn) : drawn)
        },
        inward * scale ** 2
      )
    const push = (SCALING * (mass ** 2 - squares)) / 2
    const scale = balanceOf(pullAt, push)
    return { x, y, scale }
  }
}

function settingsOf(count: number, { gravity, isLinLog }: Forces) {
  return {
    ...defaults,
    barnesHutOptimize: count > 1000,
    strongGravityMode: true,
    gravity: GRAVITY * gravity,
    linLogMode: isLinLog,
    scalingRatio: SCALING,
    slowDown: 1 + Math.log(Math.max(count, 1))
  }
}

/** A coordinate system in which positions are shifted by `-x` and `-y`, then multiplied by the scale. */
interface Frame {
  x: number
  y: number
  scale: number
}

const OWN: Frame = { x: 0, y: 0, scale: 1 }

/**
 * Returns the scale at which the attraction, which increases with the scale, equals the repulsion. Returns 1 if there is no such
 * scale.
 */
function balanceOf(pullAt: (scale: number) => number, push: number): number {
  let [least, most] = [1e-9, 1e9]
  if (!(pullAt(least) < push && pullAt(most) > push)) return 1
  // Bisect until the bounds differ by at most one percent.
  while (most / least > 1.01) {
    const middle = Math.sqrt(least * most)
    if (pullAt(middle) < push) least = middle
    else most = middle
  }
  return least
}

function meanOf(positions: Float64Array, axis: 0 | 1): number {
  let sum = 0
  for (let index = axis; index < positions.length; index += 2) sum += at(positions, index)
  return sum / (positions.length / 2)
}
