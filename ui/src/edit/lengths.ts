/** The most characters of texts of nodes and edges, as the server takes them. */
export const LENGTHS = { id: 255, relation: 255, label: 1024 } as const

/** Returns the most characters of a text in the column with this key; undefined without a limit. */
export function lengthOf(key: string): number | undefined {
  return key === 'label' || key === 'relation' ? LENGTHS[key] : undefined
}
