import type { Attribute } from '../graph/network/attributes.ts'

/**
 * Returns the length of each edge from an attribute, the number of edges without a length (NaN), and the number with a negative
 * length, which makes shortest paths impossible.
 */
export function edgeLengths({ read }: Attribute, count: number) {
  const lengths = new Float64Array(count)
  let [missing, negative] = [0, 0]
  for (let edge = 0; edge < count; edge++) {
    const value = read(edge)
    const length = typeof value === 'number' && Number.isFinite(value) ? value : Number.NaN
    lengths[edge] = length
    if (Number.isNaN(length)) missing++
    else if (length < 0) negative++
  }
  return { lengths, missing, negative }
}
