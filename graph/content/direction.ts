import type { GraphContent } from '../../schemas/graph-content.ts'

/**
 * Makes all edges directed or undirected, including those that specify their own direction. Returns how many edges this
 * changes.
 */
export function setDirection(content: GraphContent, directed: boolean): number {
  const byDefault = content.directed ?? true
  let count = 0
  for (const edge of content.edges) {
    if ((edge.directed ?? byDefault) !== directed) count++
    if (edge.directed !== undefined) edge.directed = undefined
  }
  content.directed = directed
  return count
}
