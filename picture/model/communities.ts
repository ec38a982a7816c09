import { MultiUndirectedGraph } from 'graphology'
import louvain, { type DetailedLouvainOutput, type LouvainOptions } from 'graphology-communities-louvain'
import { at } from './network.ts'
import { randomFrom } from './random.ts'

// The library's type declarations expect a different default export in Node.js than in bundlers.
const { detailed } = louvain as unknown as {
  detailed(graph: MultiUndirectedGraph, options: LouvainOptions): DetailedLouvainOutput
}

/** The weighted edges of a network that has `count` nodes. Endpoints are node indexes. */
interface WeightedLinks {
  count: number
  source: Uint32Array
  target: Uint32Array
  weights: Float64Array
}

/**
 * Returns the community of each node, using the Louvain method (Blondel et al. 2008, doi:10.1088/1742-5468/2008/10/P10008).
 * Communities are numbered from 1, largest first, and the result is deterministic. The weights of parallel edges are added.
 * Directions are ignored, because the library rejects networks with both directed and undirected edges. Edges without a positive
 * weight are omitted, because modularity is undefined for them. A higher resolution gives more and smaller communities
 * (Reichardt and Bornholdt 2006, doi:10.1103/PhysRevE.74.016110).
 */
export function communities({ count, source, target, weights }: WeightedLinks, resolution = 1): Float64Array {
  const graph = new MultiUndirectedGraph()
  for (let node = 0; node < count; node++) graph.addNode(node)
  // The library accepts only one loop per node.
  const loops = new Map<number, number>()
  for (let edge = 0; edge < source.length; edge++) {
    const [from, to, weight] = [at(source, edge), at(target, edge), at(weights, edge)]
    if (!(weight > 0)) continue
    if (from === to) loops.set(from, (loops.get(from) ?? 0) + weight)
    else graph.addEdgeWithKey(edge, from, to, { weight })
  }
  for (const [node, weight] of loops) graph.addEdge(node, node, { weight })
  const random = randomFrom(1)
  let best = detailed(graph, { rng: random, resolution })
  for (let run = 1; run < runsFor(graph.size); run++) {
    const other = detailed(graph, { rng: random, resolution })
    if (other.modularity > best.modularity) best = other
  }
  return bySize(Array.from({ length: count }, (_, node) => best.communities[node] as number))
}

/**
 * Returns the number of runs of the algorithm. A single run may give a poor result, so small networks get several runs, and the
 * best one is used.
 */
function runsFor(edges: number): number {
  return Math.min(10, 100_000 / edges)
}

/**
 * Renumbers groups from 1, largest first. Groups of equal size are ordered by their first node. The argument and the result
 * contain the group of each node.
 */
function bySize(groups: ArrayLike<number>): Float64Array {
  const sizes = new Map<number, number>()
  for (let node = 0; node < groups.length; node++) sizes.set(at(groups, node), (sizes.get(at(groups, node)) ?? 0) + 1)
  // The map lists groups by their first node, and the sort is stable.
  const ranked = [...sizes].sort(([, one], [, other]) => other - one)
  const ranks = new Map(ranked.map(([group], index) => [group, index + 1]))
  return Float64Array.from(groups, (group) => ranks.get(group) as number)
}
