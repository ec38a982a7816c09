import type { Description } from './graphs.ts'

export type Field = keyof Description

const fields: readonly Field[] = ['name', 'type', 'description']

/** Returns the fields of `after` that differ from `before`. */
export function changesOf(before: Description, after: Description): Partial<Description> {
  return Object.fromEntries(
    fields.filter((field) => before[field] !== after[field]).map((field) => [field, after[field]])
  )
}

/**
 * Merges two changes of the same description. Returns the fields in which the sides differ because they have changed it, and
 * the value that keeps the changes of both where that is possible, else yours.
 */
export function mergeOf(before: Description, theirs: Description, yours: Description) {
  const value: Description = { ...theirs, ...changesOf(before, yours) }
  const differing = fields.filter((field) => theirs[field] !== before[field] && theirs[field] !== yours[field])
  return { value, differing }
}
