import { type Attribute, valuesOf } from '../model/attributes.ts'
import type { Legend } from '../model/scales.ts'

/** Returns the legend of an attribute, with the number of visible elements for each value, and of those that have none. */
export function shownLegend(
  legend: Legend,
  attribute: Attribute,
  count: number,
  hidden: Uint8Array | undefined
): Legend {
  const { kinds, missing } = legend
  if (!hidden || (!kinds && !missing)) return legend
  const read = (index: number) => (hidden[index] === 1 ? undefined : attribute.read(index))
  const shown = new Map(kinds && valuesOf({ ...attribute, read }, count))
  return {
    ...legend,
    ...(kinds && { kinds: kinds.map((kind) => ({ ...kind, shown: shown.get(kind.value) ?? 0 })) }),
    ...(missing && { missing: { ...missing, shown: missing.count - hiddenWithout(attribute, count, hidden) } })
  }
}

function hiddenWithout({ read }: Attribute, count: number, hidden: Uint8Array): number {
  let without = 0
  for (let index = 0; index < count; index++) if (hidden[index] === 1 && read(index) === undefined) without++
  return without
}
