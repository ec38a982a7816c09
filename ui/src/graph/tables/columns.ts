import { text } from '../../text/index.ts'
import { type Attribute, idAttribute } from '../network/attributes.ts'
import { at, type Network, nameOf, nodeName } from '../network/network.ts'

/**
 * Returns the table columns for node names. During an edit, there is a column for stored labels even if no node has a label.
 */
export function namesOfNodes({ nodes }: Network, isEdited: boolean): Attribute[] {
  const isLabelled = isEdited || nodes.some(({ label }) => label !== undefined)
  const id = idAttribute({ nodes })
  const label: Attribute = {
    key: 'label',
    title: text.attributes.label,
    isNumber: false,
    read: (index) => (isEdited ? nodes[index]?.label : nodes[index] && nameOf(nodes[index]))
  }
  return isLabelled ? [label, id] : [id]
}

/**
 * Returns the table columns for edge endpoints and labels. During an edit, there is a label column even if no edge has a label.
 */
export function endsOfEdges(network: Network, isEdited: boolean): Attribute[] {
  const { edges, source, target } = network
  const end = (key: 'source' | 'target', ends: Uint32Array): Attribute => ({
    key,
    title: text.attributes[key],
    isNumber: false,
    read: (index) => nodeName(network, at(ends, index))
  })
  const label: Attribute = {
    key: 'label',
    title: text.attributes.label,
    isNumber: false,
    read: (index) => edges[index]?.label
  }
  return [
    end('source', source),
    end('target', target),
    ...(isEdited || edges.some((edge) => edge.label !== undefined) ? [label] : [])
  ]
}

/** Returns the attributes of edges. During an edit, they include the relation even if no edge has one. */
export function withRelation(edges: Attribute[], isEdited: boolean): Attribute[] {
  if (!isEdited || edges.some(({ key }) => key === 'relation')) return edges
  return [{ key: 'relation', title: text.attributes.relation, isNumber: false, read: () => undefined }, ...edges]
}
