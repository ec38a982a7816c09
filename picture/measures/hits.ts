import { at } from '../model/network.ts'
import type { Links } from './links.ts'
import { UndefinedMeasure } from './undefined-measure.ts'

/** The iteration stops once the total change in the hub values, which add up to 1, falls below this. */
const STILL = 1e-14

/** The maximum number of iterations. */
const MOST_STEPS = 10_000

/**
 * Returns the hub and authority scores of the nodes: good hubs point to good authorities (Kleinberg 1999,
 * doi:10.1145/324133.324140). The scores of each kind add up to 1. As in networkx, edges are weighted, parallel edges add up,
 * undirected edges count in both directions, and loops count once. Edges without a positive weight are ignored, as in PageRank.
 */
export function hits({ count, source, target, directed, weights }: Links, report: (share: number) => void) {
  const spread = (values: Float64Array, sums: Float64Array, isBackwards: boolean) => {
    sums.fill(0)
    for (let edge = 0; edge < source.length; edge++) {
      const [from, to, weight] = [at(source, edge), at(target, edge), at(weights, edge)]
      if (!(weight > 0)) continue
      const isTwoWay = directed[edge] === 0 && from !== to
      if (!isBackwards || isTwoWay) sums[to] = at(sums, to) + weight * at(values, from)
      if (isBackwards || isTwoWay) sums[from] = at(sums, from) + weight * at(values, to)
    }
    scaleToOne(sums)
  }
  const authorities = new Float64Array(count)
  let hubs = new Float64Array(count).fill(1 / count)
  let next = new Float64Array(count)
  if (count === 0) return { hubs, authorities }
  for (let step = 0; step < MOST_STEPS; step++) {
    spread(hubs, authorities, false)
    spread(authorities, next, true)
    let change = 0
    for (let node = 0; node < count; node++) change += Math.abs(at(next, node) - at(hubs, node))
    ;[hubs, next] = [next, hubs]
    if (change <= STILL) return { hubs, authorities }
    report(Math.max(0, Math.log(change) / Math.log(STILL)))
  }
  throw new UndefinedMeasure('noLimit')
}

/** Divides values by their sum. Throws if the sum is 0, because no edge has a positive weight. */
function scaleToOne(values: Float64Array) {
  let sum = 0
  for (const value of values) sum += value
  if (!(sum > 0)) throw new UndefinedMeasure('noWeight')
  for (let node = 0; node < values.length; node++) values[node] = at(values, node) / sum
}
