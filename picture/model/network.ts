import type { Edge, GraphContent, Node } from '../../schemas/graph-content.ts'

/**
 * A graph's content with indexes. Nodes and edges are numbered from 0, in order. Ids are arbitrary text, including `__proto__`,
 * so they must not be used as object keys.
 */
export interface Network {
  nodes: Node[]
  edges: Edge[]
  /** The endpoints of each edge, as node indexes. */
  source: Uint32Array
  target: Uint32Array
  /** 1 for each directed edge, 0 for each undirected edge. */
  directed: Uint8Array
  indexOf: Map<string, number>
  degree: Uint32Array
  inDegree: Uint32Array
  outDegree: Uint32Array
  /** The edges of node `n` are those in `incident` from `offsets[n]` up to but excluding `offsets[n + 1]`. */
  incident: Uint32Array
  offsets: Uint32Array
}

export function networkOf({ nodes, edges, directed: byDefault = true }: GraphContent): Network {
  const indexOf = new Map(nodes.map(({ id }, index) => [id, index]))
  const source = new Uint32Array(edges.length)
  const target = new Uint32Array(edges.length)
  const directed = new Uint8Array(edges.length)
  const [degree, inDegree, outDegree] = [nodes, nodes, nodes].map(({ length }) => new Uint32Array(length)) as [
    Uint32Array,
    Uint32Array,
    Uint32Array
  ]
  edges.forEach((edge, index) => {
    const [from, to] = [indexOf.get(edge.source) as number, indexOf.get(edge.target) as number]
    source[index] = from
    target[index] = to
    directed[index] = Number(edge.directed ?? byDefault)
    // A loop adds 2 to the degree.
    degree[from] = at(degree, from) + 1
    degree[to] = at(degree, to) + 1
    outDegree[from] = at(outDegree, from) + 1
    inDegree[to] = at(inDegree, to) + 1
  })

  const offsets = new Uint32Array(nodes.length + 1)
  for (let node = 0; node < nodes.length; node++) offsets[node + 1] = at(offsets, node) + at(degree, node)
  const next = offsets.slice()
  const incident = new Uint32Array(edges.length * 2)
  for (let edge = 0; edge < edges.length; edge++) {
    for (const node of [at(source, edge), at(target, edge)]) {
      incident[at(next, node)] = edge
      next[node] = at(next, node) + 1
    }
  }
  return { nodes, edges, source, target, directed, indexOf, degree, inDegree, outDegree, incident, offsets }
}

/** The total number of nodes and edges above which drawings omit costly details: thick and curved edges, loops, and dimming. */
const LARGE = 10_000

/** Returns whether drawings of the network omit costly details. */
export function isLarge({ nodes, edges }: Pick<Network, 'nodes' | 'edges'>): boolean {
  return nodes.length + edges.length > LARGE
}

/** Returns the number at an index known to exist. */
export function at(numbers: ArrayLike<number>, index: number): number {
  return numbers[index] as number
}

/** Returns the edges of a node, by index. Loops are included once. */
export function edgesOf({ incident, offsets }: Network, node: number): number[] {
  return [...new Set(incident.subarray(at(offsets, node), at(offsets, node + 1)))]
}

/** Returns the node at the other end of an edge. For a loop, this is the node itself. */
export function otherEnd({ source, target }: Network, edge: number, node: number): number {
  return at(source, edge) === node ? at(target, edge) : at(source, edge)
}

/** Returns the distinct neighbours of a node in either direction, excluding the node itself. */
export function neighboursOf(network: Network, node: number): Set<number> {
  const neighbours = new Set(edgesOf(network, node).map((edge) => otherEnd(network, edge, node)))
  neighbours.delete(node)
  return neighbours
}

/** The bend between adjacent parallel edges if there are few of them, and the maximum bend. */
const BEND = 0.2
const MOST_BENT = 0.6

/** The maximum number of parallel edges that are drawn apart. Any others are drawn as straight lines. */
const LANES = 24

/** The maximum number of curves, which take much longer to draw than lines. If there would be more, all edges are lines. */
const CURVES = 2000

/**
 * Returns the bend of each edge, which separates parallel edges. The bend is the distance between the control point of a
 * quadratic Bézier curve and the straight line, to the left and relative to the length of the line. A single edge has a bend of
 * `curvature` to the right. For a loop, the value is the number of the node's other loops inside it.
 */
export function bendsOf({ nodes, source, target }: Network, curvature = 0): Float32Array {
  const parallels = new Map<number, number[]>()
  source.forEach((from, edge) => {
    const to = at(target, edge)
    const pair = Math.min(from, to) * nodes.length + Math.max(from, to)
    const edges = parallels.get(pair)
    if (edges) edges.push(edge)
    else parallels.set(pair, [edge])
  })
  const lanes = [...parallels.values()].filter(({ length }) => length > 1).map((edges) => edges.slice(0, LANES))
  const isLoop = (edge: number) => at(source, edge) === at(target, edge)
  const curves = lanes.reduce((sum, [edge = 0, ...others]) => sum + (isLoop(edge) ? 0 : 1 + others.length), 0)
  const bends = Float32Array.from(source, (_, edge) => (isLoop(edge) ? 0 : -curvature))
  for (const edges of lanes) {
    const middle = (edges.length - 1) / 2
    const step = curves > CURVES ? 0 : Math.min(BEND, MOST_BENT / middle)
    edges.forEach((edge, rank) => {
      const way = Math.sign(at(target, edge) - at(source, edge))
      bends[edge] = way === 0 ? rank : way * (rank - middle) * step - curvature
    })
  }
  return bends
}

/** Returns the label of the node with this index, or its id if it has no label. */
export function nodeName({ nodes }: Pick<Network, 'nodes'>, index: number): string {
  return nameOf(nodes[index] as Node)
}

/** Returns the label of a node, or its id if it has no label. */
export function nameOf(node: Node): string {
  return node.label?.trim() ? node.label : node.id
}

/** The x and y coordinates of all nodes, alternating. */
export type Positions = Float64Array

/** Returns whether every node has a position in the content, and not all have the same one. */
export function hasOwnPositions(network: Network): boolean {
  return network.nodes.every(isPlaced) && storedPositions(network) !== undefined
}

/**
 * Returns the positions stored in the content, and places nodes that have no position near their neighbours. Returns undefined if
 * no node has a position, or if all positions are the same.
 */
export function storedPositions(network: Network): Positions | undefined {
  const { nodes } = network
  const placed = nodes.filter(isPlaced)
  const [first] = placed
  if (!first || (placed.length > 1 && placed.every(({ x, y }) => x === first.x && y === first.y))) return undefined
  const positions = new Float64Array(nodes.length * 2)
  nodes.forEach(({ x = 0, y = 0 }, index) => {
    positions.set([x, y], index * 2)
  })
  const middle = meanOf(placed)
  const extent = placed.reduce((most, { x = 0 }) => Math.max(most, Math.abs(x - middle[0])), 0) || 1
  nodes.forEach((node, index) => {
    if (isPlaced(node)) return
    const around = [...neighboursOf(network, index)].map((other) => nodes[other] as Node).filter(isPlaced)
    const [x, y] = around.length > 0 ? meanOf(around) : middle
    // Offset the node from its neighbours, whose discs would hide it, and from other nodes that have no position.
    const [angle, distance] = [index * GOLDEN_ANGLE, extent * BESIDE]
    positions.set([x + Math.cos(angle) * distance, y + Math.sin(angle) * distance], index * 2)
  })
  return positions
}

/** Returns whether the node has a usable position. */
export function isPlaced({ x = Number.NaN, y = Number.NaN }: Node): boolean {
  return Math.abs(x) <= FARTHEST && Math.abs(y) <= FARTHEST
}

/** The largest coordinate of a position. Computed layouts are 32-bit floats, which sums of larger coordinates may overflow. */
const FARTHEST = 1e30

/** The distance between a node that has no position and the nodes around it, as a fraction of the extent. */
const BESIDE = 0.1

export const GOLDEN_ANGLE = Math.PI * (3 - Math.sqrt(5))

/** Returns evenly spaced, deterministic positions on a disc, from which a layout starts. */
export function discPositions(count: number): Positions {
  const positions = new Float64Array(count * 2)
  for (let index = 0; index < count; index++) {
    const [angle, radius] = [index * GOLDEN_ANGLE, 10 * Math.sqrt(index)]
    positions.set([Math.cos(angle) * radius, Math.sin(angle) * radius], index * 2)
  }
  return positions
}

function meanOf(nodes: Node[]): [number, number] {
  const sum = (of: (node: Node) => number) => nodes.reduce((total, node) => total + of(node), 0) / nodes.length
  return [sum(({ x = 0 }) => x), sum(({ y = 0 }) => y)]
}

/** Returns the metadata of an edge with this name, or 1 if it is not a number. */
export function weightOf({ metadata }: Edge, name = 'weight'): number {
  const weight = metadata?.[name]
  return typeof weight === 'number' ? weight : 1
}

/** Returns how strongly each edge attracts its endpoints: its weight if that is positive, otherwise 1. */
export function pullsOf({ edges }: Network): Float32Array {
  return Float32Array.from(edges, (edge) => {
    const weight = weightOf(edge)
    return weight > 0 ? Math.min(weight, 1e6) : 1
  })
}
