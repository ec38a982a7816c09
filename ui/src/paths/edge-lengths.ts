import type { Attribute } from '../graph/network/attributes.ts'

/**
 * Returns edge lengths by an attribute, with the number of edges without a length (NaN), and with a negative one, which rules out
 * shortest paths.
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
