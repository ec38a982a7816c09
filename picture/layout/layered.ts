import { graphlib, layout } from '@dagrejs/dagre'
import { componentsOf } from '../model/components.ts'
import { at } from '../model/network.ts'
import { type Ends, layersOf, withoutCycles } from './acyclic.ts'
import { gridOf, type Part, packed } from './parts.ts'
import { LayoutRefused, type Measures, type Placed } from './placed.ts'

// The layered layout uses dagre, which follows Gansner et al. 1993, A Technique for Drawing Directed Graphs,
// doi:10.1109/32.221135.

export type Direction = 'down' | 'right'

/**
 * The maximum numbers of nodes and layers. dagre recurses once per layer of a chain, so the browser's stack limits the depth.
 */
const MOST_NODES = 2000
const MOST_LAYERS = 500

/** The maximum total number of layers that edges cross. The running time grows with this number, up to minutes. */
const MOST_CROSSED = 6000

/** The distances between nodes in a layer, between layers and between components, in pixels. */
const [BESIDE, BETWEEN, APART] = [14, 60, 40]

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
  if (count > MOST_NODES || source.length > MOST_CROSSED) throw new LayoutRefused('tooLarge')
  const { reversed, ...ends } = withoutCycles(count, { source, target })
  const layers = layersOf(count, ends)
  if (layers.some((layer) => layer >= MOST_LAYERS) || crossedBy(ends, layers) > MOST_CROSSED)
    throw new LayoutRefused('tooLarge')
  const components = componentsOf(count, source, target)
  const single = components.filter(({ length }) => length === 1).flat()
  const edges = edgesByComponent(count, components, ends)
  const parts = components.flatMap((nodes, index): Part[] =>
    nodes.length > 1 ? [{ nodes, places: placesOf(nodes, edges[index] ?? [], ends, radii, direction) }] : []
  )
  const positions = packed([...parts, ...gridOf(single, radii, BESIDE * 2)], radii, APART, space)
  return { positions, remark: reversed > 0 ? { kind: 'reversed', count: reversed } : undefined }
}

/** Returns the total number of layers that edges cross. */
function crossedBy({ source, target }: Ends, layers: Uint32Array): number {
  return source.reduce((sum, from, edge) => sum + Math.max(0, at(layers, at(target, edge)) - at(layers, from)), 0)
}

function edgesByComponent(count: number, components: number[][], { source }: Ends): number[][] {
  const componentOf = new Uint32Array(count)
  for (const [index, nodes] of components.entries()) for (const node of nodes) componentOf[node] = index
  const edges = components.map((): number[] => [])
  source.forEach((from, edge) => {
    edges[at(componentOf, from)]?.push(edge)
  })
  return edges
}

/** Returns the positions of a component's nodes by index, using dagre without network simplex, which takes minutes. */
function placesOf(
  nodes: number[],
  edges: number[],
  { source, target }: Ends,
  radii: Float32Array,
  direction: Direction
): Float64Array {
  const graph = new graphlib.Graph()
  graph.setGraph({
    rankdir: direction === 'down' ? 'TB' : 'LR',
    nodesep: BESIDE,
    edgesep: BESIDE / 2,
    ranksep: BETWEEN,
    ranker: 'tight-tree'
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
      // In dagre, y increases downwards.
      return [x, -y]
    })
  )
}
