import type { Attribute } from '../../../../picture/model/attributes.ts'
import {
  edgeAttributesOf,
  edgeLabelsOf,
  idAttributeOf,
  nodeAttributesOf
} from '../../../../picture/model/element-attributes.ts'
import { text } from '../../text/index.ts'
import type { Network } from './network.ts'

export {
  type Attribute,
  leftOutAttributes,
  rangeOf,
  type Value,
  valuesOf
} from '../../../../picture/model/attributes.ts'

/** Returns the attributes of nodes: first metadata, then counts. */
export const nodeAttributes = (network: Parameters<typeof nodeAttributesOf>[0]) =>
  nodeAttributesOf(network, text.attributes)

/** Returns the ids of nodes as an attribute, which filters can use. */
export const idAttribute = (network: Pick<Network, 'nodes'>): Attribute => idAttributeOf(network, text.attributes.id)

/** Returns the labels of edges as an attribute, if any edge has one. */
export const edgeLabels = (network: Pick<Network, 'edges'>): Attribute[] => edgeLabelsOf(network, text.attributes)

/** Returns the attributes of edges: the relation and metadata. */
export const edgeAttributes = (network: Parameters<typeof edgeAttributesOf>[0]) =>
  edgeAttributesOf(network, text.attributes)
