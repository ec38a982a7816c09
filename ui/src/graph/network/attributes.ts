import { type Attribute, metadataAttributes } from '../../../../picture/model/attributes.ts'
import { text } from '../../text/index.ts'
import { at, type Network } from './network.ts'

export {
  type Attribute,
  leftOutAttributes,
  numberFormat,
  rangeOf,
  type Value,
  valuesOf
} from '../../../../picture/model/attributes.ts'

type Counted = Pick<Network, 'nodes' | 'degree' | 'inDegree' | 'outDegree' | 'directed'>

/** Returns the attributes of nodes: first metadata, then counts. */
export function nodeAttributes({ nodes, degree, inDegree, outDegree, directed }: Counted): Attribute[] {
  const counted = (key: 'degree' | 'inDegree' | 'outDegree', counts: Uint32Array): Attribute => ({
    key,
    title: text.attributes[key],
    isNumber: true,
    isAmount: true,
    isComputed: true,
    read: (index) => at(counts, index)
  })
  const isDirected = directed.some(Boolean)
  return [
    ...metadataAttributes(nodes),
    counted('degree', degree),
    ...(isDirected ? [counted('inDegree', inDegree), counted('outDegree', outDegree)] : [])
  ]
}

/** Returns the ids of nodes as an attribute, which filters can use. */
export function idAttribute({ nodes }: Pick<Network, 'nodes'>): Attribute {
  return { key: 'id', title: text.attributes.id, isNumber: false, read: (index) => nodes[index]?.id }
}

/** Returns the labels of edges as an attribute, if any edge has one. */
export function edgeLabels({ edges }: Pick<Network, 'edges'>): Attribute[] {
  if (!edges.some(({ label }) => label !== undefined)) return []
  return [{ key: 'label', title: text.attributes.label, isNumber: false, read: (index) => edges[index]?.label }]
}

/** Returns the attributes of edges: the relation and metadata. */
export function edgeAttributes({ edges }: Pick<Network, 'edges'>): Attribute[] {
  const relation: Attribute = {
    key: 'relation',
    title: text.attributes.relation,
    isNumber: false,
    read: (index) => edges[index]?.relation
  }
  return [...(edges.some((edge) => edge.relation !== undefined) ? [relation] : []), ...metadataAttributes(edges)]
}
