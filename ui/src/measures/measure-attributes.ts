import type { GraphContent } from '../api.ts'
import { keyOfAttribute, withValue } from '../edit/values.ts'
import type { Attribute } from '../graph/network/attributes.ts'
import { text } from '../text/index.ts'
import { isGrouping, type MeasureName, type MeasureValues, measureKey, measureNames } from './names.ts'

/** Returns node attributes for the computed measures. */
export function measureAttributes(values: MeasureValues): Attribute[] {
  return measureNames.flatMap((name) => {
    const found = values.get(name)
    return found ? [attributeOf(name, found)] : []
  })
}

/**
 * Stores a computed attribute in the metadata of nodes under the attribute's title. Returns the same content if nothing changes.
 */
export function withStored(content: GraphContent, { title, read }: Attribute): GraphContent {
  const key = keyOfAttribute(title)
  const nodes = content.nodes.map((node, index) => withValue(node, key, read(index)))
  return nodes.some((node, index) => node !== content.nodes[index]) ? { ...content, nodes } : content
}

function attributeOf(name: MeasureName, values: Float64Array): Attribute {
  const title = text.measures.names[name]
  const shared = { key: measureKey(name), title, isComputed: true }
  if (!isGrouping(name)) return { ...shared, isNumber: true, isAmount: true, read: (index) => values[index] }
  const most = values.reduce((most, group) => Math.max(most, group), 0)
  const labels = Array.from({ length: most + 1 }, (_, group) => `${title} ${group}`)
  return { ...shared, isNumber: false, read: (index) => labels[values[index] as number] }
}
