import { MultiUndirectedGraph } from 'graphology'
import louvain, { type DetailedLouvainOutput, type LouvainOptions } from 'graphology-communities-louvain'
import { at } from './network.ts'
import { randomFrom } from './random.ts'

// The library's types declare another default export for Node.js than for bundlers.
const { detailed } = louvain as unknown as {
  detailed(graph: MultiUndirectedGraph, options: LouvainOptions): DetailedLouvainOutput
}

/** The edges of a network of so many nodes, by the numbers of their ends, with their weights. */
interface WeightedLinks {
  count: number
  source: Uint32Array
  target: Uint32Array
  weights: Float64Array
}

/**
 * The community of each node by the Louvain method (Blondel et al. 2008, doi:10.1088/1742-5468/2008/10/P10008): from 1, the
 * largest first, and the same each time. Weights of parallel edges add up. Directions are ignored: the library refuses networks
 * with both kinds of edges. Edges whose weight is not positive are left out, since modularity has no meaning with them.
 */
export function communities({ count, source, target, weights }: WeightedLinks): Float64Array {
  const graph = new MultiUndirectedGraph()
  for (let node = 0; node < count; node++) graph.addNode(node)
  // The library takes one loop of a node only.
  const loops = new Map<number, number>()
  for (let edge = 0; edge < source.length; edge++) {
    const [from, to, weight] = [at(source, edge), at(target, edge), at(weights, edge)]
    if (!(weight > 0)) continue
    if (from === to) loops.set(from, (loops.get(from) ?? 0) + weight)
    else graph.addEdgeWithKey(edge, from, to, { weight })
  }
  for (const [node, weight] of loops) graph.addEdge(node, node, { weight })
  const random = randomFrom(1)
  let best = detailed(graph, { rng: random })
  for (let run = 1; run < runsFor(graph.size); run++) {
    const other = detailed(graph, { rng: random })
    if (other.modularity > best.modularity) best = other
  }
  return bySize(Array.from({ length: count }, (_, node) => best.communities[node] as number))
}

/** A run may end in a poor division. Small networks have time for several, of which the best counts. */
function runsFor(edges: number): number {
  return Math.min(10, 100_000 / edges)
}

/** Numbers groups by their size from 1, the largest first; of equal ones, the one with the first node. Takes and gives the group of each node. */
function bySize(groups: ArrayLike<number>): Float64Array {
  const sizes = new Map<number, number>()
  for (let node = 0; node < groups.length; node++) sizes.set(at(groups, node), (sizes.get(at(groups, node)) ?? 0) + 1)
  // The order of a map is that of the first nodes, and the sort is stable.
  const ranked = [...sizes].sort(([, one], [, other]) => other - one)
  const ranks = new Map(ranked.map(([group], index) => [group, index + 1]))
  return Float64Array.from(groups, (group) => ranks.get(group) as number)
}
