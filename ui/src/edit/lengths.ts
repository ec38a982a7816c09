/** The server's length limits for strings in nodes and edges, in characters. */
export const LENGTHS = { id: 255, relation: 255, label: 1024 } as const

/** Returns the maximum length of strings in the column with this key, or undefined if there is no limit. */
export function lengthOf(key: string): number | undefined {
  return key === 'label' || key === 'relation' ? LENGTHS[key] : undefined
}
