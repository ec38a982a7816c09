import { graphlib, layout, type NodeLabel, type RankerFunction } from '@dagrejs/dagre'
import { componentsOf } from '../model/components.ts'
import { at } from '../model/network.ts'
import { type Ends, layersOf, withoutCycles } from './acyclic.ts'
import { folded } from './fold-layers.ts'
import { gridOf, type Part, packed } from './parts.ts'
import { LayoutRefused, type Measures, type Placed } from './placed.ts'

// The layered layout uses dagre, which follows Gansner et al. 1993, A Technique for Drawing Directed Graphs,
// doi:10.1109/32.221135.

export type Direction = 'down' | 'right'

/**
 * The maximum numbers of nodes, edges and layers. dagre recurses once per layer of a chain, so the browser's stack limits the
 * depth.
 */
const MOST_NODES = 2000
const MOST_EDGES = 10_000
const MOST_LAYERS = 500

/**
 * The maximum total number of layers that edges cross, which determines the running time. If there are more, the longest edges do
 * not influence the order of the nodes.
 */
const MOST_CROSSED = 4000

/** The distances between nodes in a layer, between layers and between components, in pixels. */
const [BESIDE, BETWEEN, APART] = [14, 60, 40]

/** The width of a layer relative to that of the space for all layers above which it is folded. */
const WIDE = 1.5

/**
 * Places the nodes in layers so that edges point down or to the right. In cycles, some edges point back. The remark says how
 * many. Undirected edges point away from their source.
 */
export function layered({
  source,
  target,
  radii,
  space,
  direction
}: Ends & Measures & { direction: Direction }): Placed {
  const count = radii.length
  if (count > MOST_NODES || source.length > MOST_EDGES) throw new LayoutRefused('tooLarge')
  const { reversed, ...ends } = withoutCycles(count, { source, target })
  const layers = layersOf(count, ends)
  if (layers.some((layer) => layer >= MOST_LAYERS)) throw new LayoutRefused('tooLarge')
  const components = componentsOf(count, source, target)
  const single = components.filter(({ length }) => length === 1).flat()
  const ordering = shortEdges(ends, layers)
  const ranks = ordering.length < source.length ? layers : undefined
  const edges = edgesByComponent(count, components, ends, ordering)
  const isDown = direction === 'down'
  const wide = WIDE * (isDown ? space.width / space.height : space.height / space.width)
  const parts = components.flatMap((nodes, index): Part[] => {
    if (nodes.length === 1) return []
    const layered = placesOf(nodes, edges[index] ?? [], ends, radii, ranks)
    const sizes = nodes.map((node) => at(radii, node))
    const places = folded(layered, sizes, { beside: BESIDE, between: BETWEEN, wide })
    return [{ nodes, places: places.map(isDown ? upright : turned) }]
  })
  const positions = packed([...parts, ...gridOf(single, radii, BESIDE * 2)], radii, APART, space)
  return { positions, remark: reversed > 0 ? { kind: 'reversed', count: reversed } : undefined }
}

/** Returns the edges that cross the fewest layers, as many as can be considered. */
function shortEdges({ source, target }: Ends, layers: Uint32Array): number[] {
  const crossed = source.map((from, edge) => Math.max(0, at(layers, at(target, edge)) - at(layers, from)))
  let left = MOST_CROSSED
  return [...crossed.keys()]
    .sort((one, other) => at(crossed, one) - at(crossed, other))
    .filter((edge) => {
      left -= at(crossed, edge)
      return left >= 0
    })
    .sort((one, other) => one - other)
}

function edgesByComponent(count: number, components: number[][], { source }: Ends, edges: number[]): number[][] {
  const componentOf = new Uint32Array(count)
  for (const [index, nodes] of components.entries()) for (const node of nodes) componentOf[node] = index
  const byComponent = components.map((): number[] => [])
  for (const edge of edges) byComponent[at(componentOf, at(source, edge))]?.push(edge)
  return byComponent
}

/**
 * Returns the positions of a component's nodes by index, in layers from top to bottom, with y increasing downwards. Uses dagre
 * without network simplex, which takes minutes. `ranks` are the layers of all nodes, if these edges do not determine them.
 */
function placesOf(
  nodes: number[],
  edges: number[],
  { source, target }: Ends,
  radii: Float32Array,
  ranks: Uint32Array | undefined
): Float64Array {
  const graph = new graphlib.Graph()
  graph.setGraph({
    nodesep: BESIDE,
    edgesep: BESIDE / 2,
    ranksep: BETWEEN,
    // The type declarations omit that this may be a function.
    ranker: (ranks ? setRanks(ranks) : 'tight-tree') as 'tight-tree'
  })
  graph.setDefaultEdgeLabel(() => ({}))
  for (const node of nodes) {
    const size = at(radii, node) * 2
    graph.setNode(String(node), { width: size, height: size })
  }
  // Parallel edges are added once. Loops are skipped, because they need no space.
  for (const edge of edges) {
    const [from, to] = [at(source, edge), at(target, edge)]
    if (from !== to) graph.setEdge(String(from), String(to))
  }
  layout(graph)
  return Float64Array.from(
    nodes.flatMap((node) => {
      const { x, y } = graph.node(String(node)) as { x: number; y: number }
      return [x, y]
    })
  )
}

/** Returns a function that sets the ranks of dagre's nodes. Edge labels take every second rank, and dagre's root is at the top. */
function setRanks(ranks: Uint32Array): RankerFunction {
  return (graph: graphlib.Graph) => {
    for (const name of graph.nodes()) (graph.node(name) as NodeLabel).rank = 2 * (ranks[Number(name)] ?? -1)
  }
}

/** Maps coordinates whose y axis points down to coordinates whose y axis points up. */
function upright(place: number, axis: number): number {
  return axis % 2 ? -place : place
}

/** Like upright(), but turns layers from top to bottom into layers from left to right. */
function turned(_: number, axis: number, places: Float64Array): number {
  return axis % 2 ? -at(places, axis - 1) : at(places, axis + 1)
}
