import type { Attribute } from '../graph/network/attributes.ts'

/** Returns the lengths of edges by an attribute, and how many edges have none (NaN), or one below 0, with which there are no shortest paths. */
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
