/** The server's limits for texts of nodes and edges, in characters. */
export const LENGTHS = { id: 255, relation: 255, label: 1024 } as const

/** Returns the maximum length of texts in the column with this key, or undefined if there is no limit. */
export function lengthOf(key: string): number | undefined {
  return key === 'label' || key === 'relation' ? LENGTHS[key] : undefined
}
