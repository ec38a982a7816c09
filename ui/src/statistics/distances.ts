import { breadthFirst } from '../../../picture/measures/breadth-first.ts'
import type { Adjacency } from '../../../picture/measures/links.ts'
import { randomFrom } from '../../../picture/model/random.ts'
import { at } from '../graph/network/network.ts'

/** The maximum number of nodes for which all distances are computed, which takes some seconds. */
export const MOST_EXACT = 10_000

/** The number of nodes from which distances are computed in larger networks. */
export const SAMPLED = 1000

export interface Distances {
  /** The number of nodes from which distances were computed. If it is not all nodes, the other values are estimates. */
  starts: number
  /** The largest distance. An estimate is a lower bound. */
  diameter: number
  mean: number
}

/**
 * Returns the largest and the mean distance between the nodes of a component, in which every node reaches every other node.
 * Distances are counted in edges. The mean is 0 for a single node, as in networkx.
 */
export function distances(
  adjacency: Adjacency,
  report: (share: number) => void,
  { mostExact = MOST_EXACT, sampled = SAMPLED } = {}
): Distances {
  const count = adjacency.offsets.length - 1
  const search = breadthFirst(adjacency)
  const isExact = count <= mostExact
  const nodes = isExact ? Array.from({ length: count }, (_, node) => node) : sampleOf(count, sampled)
  let [sum, diameter, farthest] = [0, 0, 0]
  const searchFrom = (start: number) => {
    const order = search.from(start)
    const last = at(order, order.length - 1)
    const isFarther = at(search.distance, last) > diameter
    if (isFarther) [diameter, farthest] = [at(search.distance, last), last]
    return { order, isFarther }
  }
  nodes.forEach((start, index) => {
    report(index / nodes.length)
    for (const node of searchFrom(start).order) sum += at(search.distance, node)
  })
  // The node at the end of the longest path found is often the start of an even longer one.
  if (!isExact) while (searchFrom(farthest).isFarther);
  return { starts: nodes.length, diameter, mean: count > 1 ? sum / nodes.length / (count - 1) : 0 }
}

/** Returns distinct random nodes, always the same ones for the same numbers. */
function sampleOf(count: number, size: number): number[] {
  const random = randomFrom(1)
  const sample = new Set<number>()
  while (sample.size < size) sample.add(Math.floor(random() * count))
  return [...sample]
}
