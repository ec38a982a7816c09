import { at } from '../model/network.ts'
import { adjacencyOf, type Links } from './links.ts'
import { UndefinedMeasure } from './undefined-measure.ts'

/** The iteration stops once the total change in the values, whose squares add up to 1, falls below this. */
const STILL = 1e-12

/** The maximum number of iterations. Networks without cycles of directed edges would need an unlimited number. */
const MOST_STEPS = 10_000

/**
 * Returns the eigenvector centrality of each node (Bonacich 1987, doi:10.1086/228631). As in networkx, a node receives from its
 * predecessors, weights and parallel edges are ignored, loops count once, undirected edges count in both directions, and the
 * iteration starts from equal values.
 */
export function eigenvectorCentrality(links: Links, report: (share: number) => void): Float64Array {
  const { count, source, target } = links
  const { offsets, neighbours } = adjacencyOf(links, 'in')
  const loops = new Uint8Array(count)
  for (let edge = 0; edge < source.length; edge++) if (source[edge] === target[edge]) loops[at(source, edge)] = 1
  let values = new Float64Array(count).fill(1 / count)
  let next = new Float64Array(count)
  for (let step = 0; step < MOST_STEPS; step++) {
    let squares = 0
    for (let node = 0; node < count; node++) {
      // A node also keeps its own value, so that bipartite networks do not alternate between two states.
      let sum = at(values, node) * (1 + at(loops, node))
      const end = at(offsets, node + 1)
      for (let index = at(offsets, node); index < end; index++) sum += at(values, at(neighbours, index))
      next[node] = sum
      squares += sum * sum
    }
    const length = Math.sqrt(squares)
    let change = 0
    for (let node = 0; node < count; node++) {
      const value = at(next, node) / length
      next[node] = value
      change += Math.abs(value - at(values, node))
    }
    ;[values, next] = [next, values]
    if (change <= STILL || count === 0) return values
    report(Math.max(0, Math.log(change) / Math.log(STILL)))
  }
  throw new UndefinedMeasure('noLimit')
}
