import { measureAttributesOf } from '../../../picture/measures/attributes.ts'
import type { MeasureValues } from '../../../picture/measures/names.ts'
import type { GraphContent } from '../api.ts'
import { keyOfAttribute, withValue } from '../edit/values.ts'
import type { Attribute } from '../graph/network/attributes.ts'
import { text } from '../text/index.ts'

/** Returns node attributes for the computed measures. */
export const measureAttributes = (values: MeasureValues) => measureAttributesOf(values, text.measures.names)

/**
 * Stores a computed attribute in the metadata of nodes under the attribute's title. Returns the same content if nothing changes.
 */
export function withStored(content: GraphContent, { title, read }: Attribute): GraphContent {
  const key = keyOfAttribute(title)
  const nodes = content.nodes.map((node, index) => withValue(node, key, read(index)))
  return nodes.some((node, index) => node !== content.nodes[index]) ? { ...content, nodes } : content
}
