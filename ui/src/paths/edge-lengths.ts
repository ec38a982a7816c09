import type { Attribute } from '../graph/network/attributes.ts'

/**
 * Returns the lengths of edges according to an attribute, how many edges have no length (NaN), and how many have a negative one,
 * which makes shortest paths impossible.
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
