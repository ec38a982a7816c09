import type { Mesh } from './mesh.ts'
import { Quadtree } from './quadtree.ts'

/** The strengths of the forces between the nodes of a mesh. */
export interface Strengths {
  repulsion: number
  /** The pull of each node towards the origin, relative to its mass. */
  gravity: number
  /** Whether an edge pulls by the logarithm of its length. */
  isLinLog: boolean
}

/** Cells of the quadtree count as one body if their width is below this multiple of their distance, squared. */
const NEARNESS = 1.5

/** Below this number of nodes, the forces are exact. */
const EXACT = 60

/** The fraction of the last movement that continues, and the fraction of the way to the new place that a node moves. */
const MOMENTUM = 0.8
const PACE = 0.5

/** If the movement has not decreased for this many steps, each step is slower than the last. */
const PATIENCE = 10
const SLOWER = 0.97

/**
 * Simulates the forces of ForceAtlas2 (Jacomy et al. 2014, doi:10.1371/journal.pone.0098679): nodes repel each other by the
 * product of their masses divided by their distance, and edges pull by their weight times their length. A step moves each node
 * towards the place where its forces would be balanced if all other nodes stayed, so no step size has to be found.
 */
export class Simulation {
  /** The positions, which change with each step. */
  readonly x: Float64Array
  readonly y: Float64Array
  readonly #mesh: Mesh
  readonly #strengths: Strengths
  readonly #tree: Quadtree
  readonly #moveX: Float64Array
  readonly #moveY: Float64Array
  #pace = PACE
  /** The least movement so far, and the number of steps since. */
  #least = Number.POSITIVE_INFINITY
  #since = 0

  constructor(mesh: Mesh, x: Float64Array, y: Float64Array, strengths: Strengths) {
    this.x = x
    this.y = y
    this.#mesh = mesh
    this.#strengths = strengths
    this.#tree = new Quadtree(x.length)
    this.#moveX = new Float64Array(x.length)
    this.#moveY = new Float64Array(x.length)
  }

  /** Moves all nodes, except those marked with 1. Returns the average movement, as a fraction of half the extent. */
  step(pinned?: Uint8Array): number {
    const { x, y } = this
    const [moveX, moveY] = [this.#moveX, this.#moveY]
    const extent = this.#tree.build(x, y, this.#mesh.masses)
    const nearness = x.length < EXACT ? 0 : NEARNESS
    this.#tree.sumAll(nearness, pinned, (node, sum, sumX, sumY) => this.#push(node, sum, sumX, sumY))
    let moved = 0
    for (let node = 0; node < x.length; node++) {
      if (pinned?.[node]) {
        moveX[node] = moveY[node] = 0
        continue
      }
      const [dx, dy] = [moveX[node] as number, moveY[node] as number]
      x[node] = (x[node] as number) + dx
      y[node] = (y[node] as number) + dy
      moved += Math.sqrt(dx * dx + dy * dy)
    }
    const movement = moved / x.length / (extent / 2)
    this.#slowDown(movement)
    return movement
  }

  /** Slows down once the movement no longer decreases, because the forces are approximate. */
  #slowDown(movement: number) {
    this.#since++
    if (movement < this.#least) [this.#least, this.#since] = [movement, 0]
    else if (this.#since > PATIENCE) this.#pace *= SLOWER
  }

  /** Computes the next movement of a node, given the sums of the repulsion. */
  #push(node: number, sum: number, sumX: number, sumY: number) {
    const { x, y } = this
    const { offsets, neighbours, weights, masses } = this.#mesh
    const { repulsion, gravity, isLinLog } = this.#strengths
    const nodeX = x[node] as number
    const nodeY = y[node] as number
    const mass = masses[node] as number
    // The sum of the rates at which the forces change with distance. The forces are divided by it.
    let stiffness = mass * (repulsion * sum + gravity)
    let forceX = mass * (repulsion * sumX - gravity * nodeX)
    let forceY = mass * (repulsion * sumY - gravity * nodeY)
    const end = offsets[node + 1] as number
    for (let index = offsets[node] as number; index < end; index++) {
      const other = neighbours[index] as number
      const dx = (x[other] as number) - nodeX
      const dy = (y[other] as number) - nodeY
      let pull = weights[index] as number
      if (isLinLog) {
        const length = Math.sqrt(dx * dx + dy * dy)
        if (length > 0) pull *= Math.log1p(length) / length
      }
      stiffness += pull
      forceX += pull * dx
      forceY += pull * dy
    }
    if (stiffness === 0) return
    this.#moveX[node] = MOMENTUM * (this.#moveX[node] as number) + (this.#pace * forceX) / stiffness
    this.#moveY[node] = MOMENTUM * (this.#moveY[node] as number) + (this.#pace * forceY) / stiffness
  }
}
