import { at } from '../model/network.ts'
import { randomFrom } from '../model/random.ts'
import { coarsened, type Mesh } from './mesh.ts'
import { Simulation, type Strengths } from './simulation.ts'

/**
 * Meshes with at most this many nodes are not coarsened, nor are those that would keep more than this fraction of their nodes.
 */
const SMALLEST = 3
const SHRINKS = 0.95

/** The average movement below which a layout is settled, as a fraction of half the extent. */
export const STILL = 0.0003

/** The number of nodes above which this threshold grows, with the square root of the number of nodes. */
const MANY = 5000

/** The maximum number of steps for a coarser mesh, for a coarser mesh with many nodes, and for the mesh itself. */
const COARSE_STEPS = 60
const LARGE_STEPS = 25
const STEPS = 1000

/** The distance between merged nodes when they are separated, as a fraction of the average length of an edge. */
const APART = 0.2

/** A mesh, and the index of each of its nodes in the next smaller mesh. */
interface Level {
  mesh: Mesh
  parents: Uint32Array
}

/**
 * Lays out a connected mesh from coarse to fine (Walshaw 2003, doi:10.7155/jgaa.00070): merges nodes in pairs until few are left,
 * lays these out, and separates the nodes again level by level. The result therefore depends on the structure of the mesh rather
 * than on the order of its nodes.
 */
export class Multilevel {
  readonly #strengths: Strengths
  readonly #finer: Level[] = []
  readonly #random = randomFrom(1)
  readonly #work: number
  #mesh: Mesh
  #simulation: Simulation
  #steps = 0
  #movement = 1
  /** The number of nodes of the meshes that have been laid out. */
  #done = 0

  constructor(mesh: Mesh, strengths: Strengths) {
    this.#strengths = strengths
    this.#mesh = mesh
    let work = mesh.masses.length
    while (this.#mesh.masses.length > SMALLEST) {
      const smaller = coarsened(this.#mesh)
      if (smaller.mesh.masses.length > this.#mesh.masses.length * SHRINKS) break
      this.#finer.push({ mesh: this.#mesh, parents: smaller.parents })
      this.#mesh = smaller.mesh
      work += smaller.mesh.masses.length
    }
    this.#work = work
    const count = this.#mesh.masses.length
    const place = () => Float64Array.from({ length: count }, () => this.#random() * Math.sqrt(count))
    this.#simulation = new Simulation(this.#mesh, place(), place(), strengths)
  }

  /** The number of nodes that the next step moves. */
  get size(): number {
    return this.#mesh.masses.length
  }

  get #still(): number {
    return STILL * Math.sqrt(Math.max(1, this.size / MANY))
  }

  get #coarseSteps(): number {
    return this.size > MANY ? LARGE_STEPS : COARSE_STEPS
  }

  /** Moves the nodes of the current mesh. Continues with the next finer mesh once they have settled or moved often enough. */
  step() {
    this.#movement = this.#simulation.step()
    this.#steps++
    if (this.#finer.length > 0 && (this.isSettled || this.#steps >= this.#coarseSteps)) this.#refine()
  }

  /** Allows the same number of steps again. */
  extend() {
    this.#steps = 0
  }

  get isSettled(): boolean {
    return this.#movement < this.#still
  }

  get isDone(): boolean {
    return this.#finer.length === 0 && (this.isSettled || this.#steps >= STEPS)
  }

  /** The completed fraction of the layout, as an estimate. */
  get progress(): number {
    if (this.isDone) return 1
    const level = Math.min(1, Math.max(0, Math.log(this.#movement * 10) / Math.log(this.#still * 10)))
    return (this.#done + level * this.size) / this.#work
  }

  /** The positions of all nodes. Until they are separated, merged nodes have the same position. */
  get positions(): Float64Array {
    const { x, y } = this.#simulation
    const count = (this.#finer[0]?.parents ?? x).length
    const merged = Uint32Array.from({ length: count }, (_, node) => node)
    for (const { parents } of this.#finer)
      for (let node = 0; node < count; node++) merged[node] = at(parents, at(merged, node))
    const positions = new Float64Array(count * 2)
    merged.forEach((place, node) => {
      positions[node * 2] = at(x, place)
      positions[node * 2 + 1] = at(y, place)
    })
    return positions
  }

  /** Separates the nodes of the next finer mesh. */
  #refine() {
    const { mesh, parents } = this.#finer.pop() as Level
    const { x, y } = this.#simulation
    const apart = this.#edgeLength() * APART
    const spread = (places: Float64Array) =>
      Float64Array.from(parents, (parent) => at(places, parent) + (this.#random() - 0.5) * apart)
    this.#done += this.size
    this.#mesh = mesh
    this.#simulation = new Simulation(mesh, spread(x), spread(y), this.#strengths)
    this.#steps = 0
    this.#movement = 1
  }

  #edgeLength(): number {
    const { offsets, neighbours } = this.#mesh
    const { x, y } = this.#simulation
    let sum = 0
    for (let node = 0; node < x.length; node++) {
      for (let index = at(offsets, node); index < at(offsets, node + 1); index++) {
        const other = at(neighbours, index)
        sum += Math.hypot(at(x, other) - at(x, node), at(y, other) - at(y, node))
      }
    }
    return sum / Math.max(1, neighbours.length)
  }
}
