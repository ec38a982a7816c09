import type { Edge, Node } from '../api.ts'
import { oncePer } from '../shared/once-per.ts'
import { type ColumnType, typeOfValue } from './cell-types.ts'

/** Returns the type of each attribute by name, or null if its values have different types. */
export const attributeTypes = oncePer((elements: readonly (Node | Edge)[]) => {
  const types = new Map<string, ColumnType | null>()
  for (const { metadata } of elements) {
    for (const [name, value] of Object.entries(metadata ?? {})) {
      const type = typeOfValue(value)
      const known = types.get(name)
      if (type !== known) types.set(name, known === undefined ? type : null)
    }
  }
  return types
})
