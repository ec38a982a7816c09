import { withUsualWeight } from '../../../picture/model/weights.ts'
import type { Attribute } from '../graph/network/attributes.ts'

export interface EdgeLengths {
  /** The length of each edge. NaN if it has none. */
  lengths: Float64Array
  /** The number of edges without a value. */
  missing: number
  /** The number of edges whose value is 0 and therefore has no inverse. */
  zero: number
  /** The number of edges with a negative value, which makes shortest paths impossible. */
  negative: number
}

/**
 * Returns the length of each edge: the value of an attribute, or its inverse if a larger value means a shorter edge. Edges without
 * a weight have weight 1.
 */
export function edgeLengths(attribute: Attribute, count: number, isInverse: boolean): EdgeLengths {
  const { read } = withUsualWeight(attribute)
  const lengths = new Float64Array(count).fill(Number.NaN)
  let [missing, zero, negative] = [0, 0, 0]
  for (let edge = 0; edge < count; edge++) {
    const value = read(edge)
    if (typeof value !== 'number' || !Number.isFinite(value)) missing++
    else if (value < 0) negative++
    else if (value === 0 && isInverse) zero++
    else lengths[edge] = isInverse ? 1 / value : value
  }
  return { lengths, missing, zero, negative }
}
