import type { Edge } from '../../schemas/graph-content.ts'
import type { Attribute } from './attributes.ts'
import { weightOf } from './network.ts'

/** The key of the attribute that contains the weights of edges, unless a view has another one. */
export const USUAL_WEIGHT = 'metadata.weight'

/**
 * Returns the weights of edges: their values of the attribute with this key, or 1 for those that are not numbers, as in networkx.
 * Other keys than those of metadata, such as `none`, mean that all weights are 1.
 */
export function weightsOf(edges: Edge[], key = USUAL_WEIGHT): Float64Array {
  const [, name] = /^metadata\.(.*)$/s.exec(key) ?? []
  return Float64Array.from(edges, (edge) => (name === undefined ? 1 : weightOf(edge, name)))
}

/** Returns an attribute of edges. If it is the usual weight, edges without a value have weight 1. */
export function withUsualWeight(attribute: Attribute): Attribute {
  const { key, isNumber, read } = attribute
  return key === USUAL_WEIGHT && isNumber ? { ...attribute, read: (edge) => read(edge) ?? 1 } : attribute
}
