import { type Attribute, metadataAttributes } from './attributes.ts'
import { at, type Network } from './network.ts'

type Counted = Pick<Network, 'nodes' | 'degree' | 'inDegree' | 'outDegree' | 'directed'>
type Counts = 'degree' | 'inDegree' | 'outDegree'

/** Returns the attributes of nodes: first metadata, then counts. */
export function nodeAttributesOf(
  { nodes, degree, inDegree, outDegree, directed }: Counted,
  titles: Record<Counts, string>
): Attribute[] {
  const counted = (key: Counts, counts: Uint32Array): Attribute => ({
    key,
    title: titles[key],
    isNumber: true,
    isAmount: true,
    isComputed: true,
    format: 'grouped',
    read: (index) => at(counts, index)
  })
  const isDirected = directed.some(Boolean)
  return [
    ...metadataAttributes(nodes),
    counted('degree', degree),
    ...(isDirected ? [counted('inDegree', inDegree), counted('outDegree', outDegree)] : [])
  ]
}

/** Returns the attributes of edges: the relation and metadata. */
export function edgeAttributesOf({ edges }: Pick<Network, 'edges'>, titles: { relation: string }): Attribute[] {
  const relation: Attribute = {
    key: 'relation',
    title: titles.relation,
    isNumber: false,
    read: (index) => edges[index]?.relation
  }
  return [...(edges.some((edge) => edge.relation !== undefined) ? [relation] : []), ...metadataAttributes(edges)]
}

/** Returns the labels of edges as an attribute, if any edge has one. */
export function edgeLabelsOf({ edges }: Pick<Network, 'edges'>, titles: { label: string }): Attribute[] {
  if (!edges.some(({ label }) => label !== undefined)) return []
  return [{ key: 'label', title: titles.label, isNumber: false, read: (index) => edges[index]?.label }]
}

/** Returns the ids of nodes as an attribute, which filters can use. */
export function idAttributeOf({ nodes }: Pick<Network, 'nodes'>, title: string): Attribute {
  return { key: 'id', title, isNumber: false, read: (index) => nodes[index]?.id }
}
