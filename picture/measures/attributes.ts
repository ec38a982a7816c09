import type { Attribute } from '../model/attributes.ts'
import { isGrouping, type MeasureName, type MeasureValues, measureKey, measureNames } from './names.ts'

/** Returns node attributes for the computed measures. */
export function measureAttributesOf(values: MeasureValues, titles: Record<MeasureName, string>): Attribute[] {
  return measureNames.flatMap((name) => {
    const found = values.get(name)
    return found ? [attributeOf(name, titles[name], found)] : []
  })
}

function attributeOf(name: MeasureName, title: string, values: Float64Array): Attribute {
  const shared = { key: measureKey(name), title, isComputed: true }
  if (!isGrouping(name))
    return { ...shared, isNumber: true, isAmount: true, format: 'grouped', read: (index) => values[index] }
  const most = values.reduce((most, group) => Math.max(most, group), 0)
  const labels = Array.from({ length: most + 1 }, (_, group) => `${title} ${group}`)
  return { ...shared, isNumber: false, read: (index) => labels[values[index] as number] }
}
