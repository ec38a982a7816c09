import { at } from '../graph/network.ts'
import type { Links } from './links.ts'

/** The sum of the weights of the edges at each node; a loop counts twice. */
export function weightedDegrees({ count, source, target, weights }: Links): Float64Array {
  const sums = new Float64Array(count)
  for (let edge = 0; edge < source.length; edge++) {
    for (const end of [at(source, edge), at(target, edge)]) sums[end] = at(sums, end) + at(weights, edge)
  }
  return sums
}
