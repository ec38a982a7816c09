import { at } from '../model/network.ts'
import type { Links } from './links.ts'

const DAMPING = 0.85
/** The iteration stops once the total change in the ranks, which add up to 1, falls below this. */
const STILL = 1e-10

/**
 * Returns the PageRank of each node (Brin and Page 1998, doi:10.1016/S0169-7552(98)00110-X). As in networkx, edges are
 * weighted, parallel edges add up, undirected edges count in both directions, loops count once, and dangling nodes link to all
 * nodes. Edges without a positive weight are ignored. The equivalent function of graphology-metrics returns NaN if weights are
 * 0, and throws if it has not converged after 100 iterations.
 */
export function pageRank({ count, source, target, directed, weights }: Links): Float64Array {
  const out = new Float64Array(count)
  const visit = (see: (from: number, to: number, weight: number) => void) => {
    for (let edge = 0; edge < source.length; edge++) {
      const [from, to, weight] = [at(source, edge), at(target, edge), at(weights, edge)]
      if (!(weight > 0)) continue
      see(from, to, weight)
      if (directed[edge] === 0 && from !== to) see(to, from, weight)
    }
  }
  visit((from, _to, weight) => {
    out[from] = at(out, from) + weight
  })
  let ranks = new Float64Array(count).fill(1 / count)
  let next = new Float64Array(count)
  for (let change = 1; change > STILL; ) {
    let lost = 0
    for (let node = 0; node < count; node++) if (out[node] === 0) lost += at(ranks, node)
    next.fill((1 - DAMPING + DAMPING * lost) / count)
    visit((from, to, weight) => {
      next[to] = at(next, to) + (DAMPING * at(ranks, from) * weight) / at(out, from)
    })
    change = 0
    for (let node = 0; node < count; node++) change += Math.abs(at(next, node) - at(ranks, node))
    ;[ranks, next] = [next, ranks]
  }
  return ranks
}
