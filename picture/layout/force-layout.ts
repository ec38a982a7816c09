import { componentsOf } from '../model/components.ts'
import { at, discPositions } from '../model/network.ts'
import { type Mesh, meshOf } from './mesh.ts'
import { Multilevel, STILL } from './multilevel.ts'
import { gridOf, type Part, packed } from './parts.ts'
import { Simulation, type Strengths } from './simulation.ts'

/** How strongly nodes repel each other, as in ForceAtlas2. */
const REPULSION = 10

/** The gravity within a component, and between components that are laid out together. */
const GRAVITY = 0.02
const COMMON_GRAVITY = 0.05

/**
 * The factor of gravity if attraction is logarithmic. Gravity grows with the distance, so more of it would outweigh the attraction
 * and spread all nodes evenly over a disc.
 */
const LIN_LOG_GRAVITY = 0.001

/** The distance between components. */
const GAP = 20

/** The maximum number of steps of a layout with pinned nodes. */
const STEPS = 3000

export interface Forces {
  /** The strength of gravity towards the centre, relative to the default. */
  gravity: number
  /** Whether the attraction of an edge grows with the logarithm of its length, which makes communities more compact. */
  isLinLog: boolean
  /** Whether edges of nodes with many edges pull less, which keeps these nodes away from the centre. */
  dissuadesHubs: boolean
}

export const usualForces: Forces = { gravity: 1, isLinLog: false, dissuadesHubs: false }

/** The input of a layout: a network and its drawing, with nodes and edges by index. */
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
  /** Whether nodes start at their positions. Always the case if nodes are pinned. */
  keepsPositions?: boolean
}

/**
 * Lays out a network by forces, in steps. By default, each component is laid out on its own and the given positions are ignored.
 * If nodes are pinned or keep their positions, all nodes move together from there.
 */
export class ForceLayout {
  readonly #task: ForceTask
  readonly #forces: Forces
  readonly #mesh: Mesh
  /** The components with edges, the largest first. */
  readonly #components: Component[]
  readonly #single: number[]
  #current = 0
  #joint: Joint | undefined

  constructor(task: ForceTask, forces: Forces) {
    this.#task = task
    this.#forces = forces
    this.#mesh = weightedMesh(task, forces)
    const isJoint = task.keepsPositions === true || task.pinned.includes(1)
    const components = isJoint ? [] : componentsOf(task.radii.length, task.source, task.target)
    this.#single = components.filter(({ length }) => length === 1).flat()
    this.#components = components
      .filter(({ length }) => length > 1)
      .sort((one, other) => other.length - one.length)
      .map((nodes) => ({ nodes }))
    if (isJoint) this.#joint = new Joint(this.#mesh, task, forces)
  }

  /** The number of nodes that the next step moves. */
  get size(): number {
    if (this.#joint) return this.#task.radii.length
    const component = this.#components[this.#current]
    return component ? this.#layoutOf(component).size : 0
  }

  /** Moves the nodes. Has no effect once the layout is done. */
  step() {
    if (this.#joint) return this.#joint.step()
    const component = this.#components[this.#current]
    if (!component) return
    const layout = this.#layoutOf(component)
    layout.step()
    if (!layout.isDone) return
    component.places = layout.positions
    if (layout.isSettled) delete component.layout
    this.#current++
  }

  /** Allows the same number of steps again. Has no effect on what has settled. */
  extend() {
    this.#joint?.extend()
    // Components that have settled come first, and are done.
    this.#components.sort((one, other) => Number(isSettled(other)) - Number(isSettled(one)))
    this.#current = this.#components.filter(isSettled).length
    for (const { layout } of this.#components) layout?.extend()
  }

  /** Returns the layout of a component, which begins when its turn comes. */
  #layoutOf(component: Component): Multilevel {
    component.layout ??= new Multilevel(partOf(this.#mesh, component.nodes), strengthsOf(this.#forces, GRAVITY))
    return component.layout
  }

  /** Whether the layout has ended, because the nodes have settled or the maximum number of steps is reached. */
  get isDone(): boolean {
    return this.#joint ? this.#joint.isDone : this.#current === this.#components.length
  }

  /** Whether the nodes have settled. */
  get isSettled(): boolean {
    return this.#joint ? this.#joint.isSettled : this.#components.every(isSettled)
  }

  /** The completed fraction of the layout, as an estimate. */
  get progress(): number {
    if (this.#joint) return this.#joint.progress
    const total = this.#components.reduce((sum, { nodes }) => sum + nodes.length, 0)
    const done = this.#components.reduce((sum, component, index) => {
      const isOver = index < this.#current
      return sum + component.nodes.length * (isOver ? 1 : (component.layout?.progress ?? 0))
    }, 0)
    return total > 0 ? done / total : 1
  }

  /** Pins exactly these nodes at these positions. From then on, all nodes move together. */
  pin({ pinned, positions }: Pick<ForceTask, 'pinned' | 'positions'>) {
    if (this.#joint) this.#joint.pin(pinned, positions)
    else this.#joint = new Joint(this.#mesh, { ...this.#task, pinned, positions }, this.#forces)
  }

  get pinned(): Uint8Array {
    return this.#joint ? this.#joint.pinned : this.#task.pinned
  }

  get positions(): Float64Array<ArrayBuffer> {
    if (this.#joint) return this.#joint.positions
    const radii = new Float32Array(this.#task.radii.length)
    const parts: Part[] = this.#components.map(({ nodes, layout, places }) => ({
      nodes,
      places: layout?.positions ?? places ?? discPositions(nodes.length)
    }))
    return packed([...parts, ...gridOf(this.#single, radii, GAP)], radii, GAP, { width: 1, height: 1 })
  }
}

interface Component {
  nodes: number[]
  /** Absent before its turn, and once it has settled. */
  layout?: Multilevel
  /** The positions when the layout ended. */
  places?: Float64Array
}

function isSettled({ layout, places }: Component): boolean {
  return places !== undefined && layout === undefined
}

/** Returns the strengths of the forces. `usual` is the gravity by default. */
function strengthsOf({ gravity, isLinLog }: Forces, usual: number): Strengths {
  return { repulsion: REPULSION, gravity: usual * gravity * (isLinLog ? LIN_LOG_GRAVITY : 1), isLinLog }
}

/** Returns the mesh of the network. The mass of a node is 1 plus the weights of its edges. */
function weightedMesh({ source, target, weights, radii }: ForceTask, { dissuadesHubs }: Forces): Mesh {
  const masses = new Float64Array(radii.length).fill(1)
  for (let edge = 0; edge < source.length; edge++) {
    for (const ends of [source, target]) masses[at(ends, edge)] = at(masses, at(ends, edge)) + at(weights, edge)
  }
  if (!dissuadesHubs) return meshOf(masses, source, target, weights)
  const mean = masses.reduce((sum, mass) => sum + mass, 0) / masses.length
  const pulls = Float64Array.from(weights, (weight, edge) => {
    return (weight * mean) / Math.max(at(masses, at(source, edge)), at(masses, at(target, edge)))
  })
  return meshOf(masses, source, target, pulls)
}

/** Returns the part of the mesh with these nodes, which must be complete components. */
function partOf({ offsets, neighbours, weights, masses }: Mesh, nodes: number[]): Mesh {
  if (nodes.length === masses.length) return { offsets, neighbours, weights, masses }
  const indexes = new Map(nodes.map((node, index) => [node, index]))
  const starts = new Uint32Array(nodes.length + 1)
  nodes.forEach((node, index) => {
    starts[index + 1] = at(starts, index) + at(offsets, node + 1) - at(offsets, node)
  })
  const others = new Uint32Array(at(starts, nodes.length))
  const pulls = new Float64Array(others.length)
  nodes.forEach((node, index) => {
    for (let from = at(offsets, node), to = at(starts, index); from < at(offsets, node + 1); from++, to++) {
      others[to] = indexes.get(at(neighbours, from)) as number
      pulls[to] = at(weights, from)
    }
  })
  return {
    offsets: starts,
    neighbours: others,
    weights: pulls,
    masses: Float64Array.from(nodes, (node) => at(masses, node))
  }
}

/** Moves all nodes together, starting from their positions. Pinned nodes attract and repel others but do not move. */
class Joint {
  readonly #frame: Frame
  readonly #simulation: Simulation
  #places: Float64Array
  #movement = 1
  #steps = 0
  pinned: Uint8Array

  constructor(mesh: Mesh, { positions, pinned }: Pick<ForceTask, 'positions' | 'pinned'>, forces: Forces) {
    const strengths = strengthsOf(forces, COMMON_GRAVITY)
    this.#frame = frameOf(mesh, positions, strengths)
    this.pinned = pinned
    this.#places = positions
    const { x, y, scale } = this.#frame
    const along = (axis: 0 | 1, origin: number) =>
      Float64Array.from(pinned, (_, node) => (at(positions, node * 2 + axis) - origin) * scale)
    this.#simulation = new Simulation(mesh, along(0, x), along(1, y), strengths)
  }

  step() {
    this.#movement = this.#simulation.step(this.pinned)
    this.#steps++
  }

  /** Allows the same number of steps again. */
  extend() {
    this.#steps = 0
  }

  get isSettled(): boolean {
    return this.#movement < STILL
  }

  get isDone(): boolean {
    return this.isSettled || this.#steps >= STEPS
  }

  get progress(): number {
    return this.isDone ? 1 : this.#steps / STEPS
  }

  pin(pinned: Uint8Array, positions: Float64Array) {
    this.pinned = pinned
    this.#places = positions
    const { x, y, scale } = this.#frame
    for (let node = 0; node < pinned.length; node++) {
      if (!pinned[node]) continue
      this.#simulation.x[node] = (at(positions, node * 2) - x) * scale
      this.#simulation.y[node] = (at(positions, node * 2 + 1) - y) * scale
    }
  }

  get positions(): Float64Array<ArrayBuffer> {
    const { x, y, scale } = this.#frame
    const positions = new Float64Array(this.pinned.length * 2)
    for (let node = 0; node < this.pinned.length; node++) {
      // Pinned nodes keep their exact positions.
      if (this.pinned[node]) positions.set(this.#places.subarray(node * 2, node * 2 + 2), node * 2)
      else {
        positions[node * 2] = at(this.#simulation.x, node) / scale + x
        positions[node * 2 + 1] = at(this.#simulation.y, node) / scale + y
      }
    }
    return positions
  }
}

/** A coordinate system in which positions are shifted by `-x` and `-y`, then multiplied by the scale. */
interface Frame {
  x: number
  y: number
  scale: number
}

/**
 * Returns the frame in which the forces preserve the current extent, because pinned nodes cannot follow if it changes. By the
 * virial theorem, the extent is preserved if attraction and repulsion are in balance. Repulsion is the same at any scale.
 */
function frameOf(mesh: Mesh, positions: Float64Array, { gravity, repulsion, isLinLog }: Strengths): Frame {
  const { offsets, neighbours, weights, masses } = mesh
  const [x, y] = [meanOf(positions, 0), meanOf(positions, 1)]
  let [inward, mass, squares] = [0, 0, 0]
  const lengths = new Float64Array(neighbours.length)
  for (let node = 0; node < masses.length; node++) {
    const [nodeX, nodeY] = [at(positions, node * 2), at(positions, node * 2 + 1)]
    inward += gravity * at(masses, node) * Math.hypot(nodeX - x, nodeY - y) ** 2
    mass += at(masses, node)
    squares += at(masses, node) ** 2
    for (let index = at(offsets, node); index < at(offsets, node + 1); index++) {
      const other = at(neighbours, index)
      lengths[index] = Math.hypot(at(positions, other * 2) - nodeX, at(positions, other * 2 + 1) - nodeY)
    }
  }
  const pullAt = (scale: number) => {
    let sum = inward * scale ** 2
    for (let index = 0; index < lengths.length; index++) {
      const drawn = at(lengths, index) * scale
      // Each edge occurs twice, once at each end.
      sum += (at(weights, index) * drawn * (isLinLog ? Math.log1p(drawn) : drawn)) / 2
    }
    return sum
  }
  return { x, y, scale: balanceOf(pullAt, (repulsion * (mass ** 2 - squares)) / 2) }
}

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
