import { type Attribute, valuesOf } from '../model/attributes.ts'
import type { Legend } from '../model/scales.ts'

/** Returns the legend of an attribute, with the number of visible elements for each value. */
export function shownLegend(
  legend: Legend,
  attribute: Attribute,
  count: number,
  hidden: Uint8Array | undefined
): Legend {
  if (!hidden || !legend.kinds) return legend
  const read = (index: number) => (hidden[index] === 1 ? undefined : attribute.read(index))
  const shown = new Map(valuesOf({ ...attribute, read }, count))
  return { ...legend, kinds: legend.kinds.map((kind) => ({ ...kind, shown: shown.get(kind.value) ?? 0 })) }
}
