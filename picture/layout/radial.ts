import { componentsOf } from '../model/components.ts'
import { at } from '../model/network.ts'
import type { Ends } from './acyclic.ts'
import { type Mesh, meshOf } from './mesh.ts'
import { gridOf, packed } from './parts.ts'
import type { Measures, Placed } from './placed.ts'

/** The minimum distances between nodes on a ring, between rings and between components, in pixels. */
const [BESIDE, BETWEEN, APART] = [6, 30, 40]

/** The maximum number of nodes from which distances are measured to find the centre of a component. */
const SAMPLED = 100

/**
 * Places each component around a root, with the other nodes on rings by their distance from it. Each subtree of the breadth-first
 * search gets the part of the circle that its widest ring needs. The root is the given node in its component, and the most central
 * node in others.
 */
export function radial({
  source,
  target,
  radii,
  space,
  root
}: Ends & Measures & { root?: number | undefined }): Placed {
  const count = radii.length
  const weights = new Float64Array(source.length)
  const search = new Search(meshOf(new Float64Array(count), source, target, weights))
  const components = componentsOf(count, source, target)
  const single = components.filter(({ length }) => length === 1).flat()
  const parts = components
    .filter(({ length }) => length > 1)
    .map((nodes) => {
      const isChosen = root !== undefined && nodes.includes(root)
      const order = search.from(isChosen ? root : centreOf(nodes, search), nodes)
      return { nodes: order, places: onRings(order, search, radii) }
    })
  return { positions: packed([...parts, ...gridOf(single, radii, BESIDE * 2)], radii, APART, space) }
}

/** A breadth-first search that reuses its arrays across searches. */
class Search {
  /** The distance of each node from the root, in edges, and the neighbour through which it was reached. */
  readonly distances: Int32Array
  readonly parents: Uint32Array
  readonly #mesh: Mesh

  constructor(mesh: Mesh) {
    this.#mesh = mesh
    this.distances = new Int32Array(mesh.masses.length)
    this.parents = new Uint32Array(mesh.masses.length)
  }

  /** Returns the nodes of a component in order of their distance from the root. */
  from(root: number, nodes: readonly number[]): number[] {
    const { offsets, neighbours } = this.#mesh
    const { distances, parents } = this
    for (const node of nodes) distances[node] = -1
    distances[root] = 0
    const order = [root]
    // The list grows during the iteration.
    for (const node of order) {
      for (const other of neighbours.subarray(at(offsets, node), at(offsets, node + 1))) {
        if (at(distances, other) >= 0) continue
        distances[other] = at(distances, node) + 1
        parents[other] = node
        order.push(other)
      }
    }
    return order
  }
}

/** Returns the node with the smallest average distance to the others, or to a sample of them if there are many. */
function centreOf(nodes: readonly number[], search: Search): number {
  const sums = new Float64Array(nodes.length)
  const step = Math.ceil(nodes.length / SAMPLED)
  for (let start = 0; start < nodes.length; start += step) {
    search.from(at(nodes, start), nodes)
    nodes.forEach((node, index) => {
      sums[index] = at(sums, index) + at(search.distances, node)
    })
  }
  const best = sums.reduce((best, sum, index) => (sum < at(sums, best) ? index : best), 0)
  return at(nodes, best)
}

/** Returns the positions of nodes in the order of the last search, on evenly spaced rings. The first node of each is at the top. */
function onRings(order: readonly number[], { distances, parents }: Search, radii: Float32Array): Float64Array {
  const places = new Map(order.map((node, place) => [node, place]))
  const parentOf = (place: number) => places.get(at(parents, at(order, place))) as number
  /** The angle that each subtree needs if rings are a pixel apart. */
  const angles = new Float64Array(order.length)
  for (let place = order.length - 1; place > 0; place--) {
    const node = at(order, place)
    angles[place] = Math.max(at(angles, place), (at(radii, node) * 2 + BESIDE) / at(distances, node))
    angles[parentOf(place)] = at(angles, parentOf(place)) + at(angles, place)
  }
  const [all, positions] = [at(angles, 0), new Float64Array(order.length * 2)]
  const largest = order.reduce((most, node) => Math.max(most, at(radii, node)), 0)
  const step = Math.max(largest * 2 + BETWEEN, all / (2 * Math.PI))
  /** Where the next child of each node starts. */
  const next = new Float64Array(order.length)
  for (let place = 1; place < order.length; place++) {
    const parent = parentOf(place)
    const start = at(next, parent)
    next[parent] = start + at(angles, place)
    next[place] = start
    const [angle, radius] = [
      Math.PI / 2 - ((start + at(angles, place) / 2) / all) * 2 * Math.PI,
      at(distances, at(order, place)) * step
    ]
    positions.set([Math.cos(angle) * radius, Math.sin(angle) * radius], place * 2)
  }
  return positions
}
