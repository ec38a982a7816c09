import type { Description } from './graphs.ts'

export type Field = keyof Description

const fields: readonly Field[] = ['name', 'key', 'type', 'description', 'tags']

/** Returns the fields of `after` that differ from `before`. */
export function changesOf(before: Description, after: Description): Partial<Description> {
  return Object.fromEntries(
    fields.filter((field) => !isEqual(before[field], after[field])).map((field) => [field, after[field]])
  )
}

/**
 * Merges two changes to the same description. Returns the merged description, in which your changes take precedence, and the
 * fields that both sides changed differently.
 */
export function mergeOf(before: Description, theirs: Description, yours: Description) {
  const value: Description = { ...theirs, ...changesOf(before, yours) }
  const differing = fields.filter(
    (field) => !isEqual(theirs[field], before[field]) && !isEqual(theirs[field], yours[field])
  )
  return { value, differing }
}

/** Returns whether two values of a field are equal. Values are strings, or lists of tags, whose order matters. */
export function isEqual(some: Description[Field], other: Description[Field]): boolean {
  return JSON.stringify(some) === JSON.stringify(other)
}
