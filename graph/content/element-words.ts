import type { Edge, GraphContent, Node } from '../../schemas/graph-content.ts'
import { addWords } from './words.ts'

/** The maximum number of distinct words to index per graph. Writing that many blocks other changes for about half a second. */
export const MOST_WORDS = 500_000

/**
 * Returns the distinct words of the content, from labels, node ids, relations and metadata values. Stops at MOST_WORDS words.
 */
export function wordsOfContent({ label, metadata, nodes, edges }: GraphContent): Set<string> {
  const words = new Set<string>()
  // Many elements share a relation or value.
  const seen = new Set<string>()
  const add = (text: string) => {
    if (seen.has(text) || words.size >= MOST_WORDS) return
    seen.add(text)
    addWords(words, text)
  }
  visitTexts({ label, metadata }, add)
  for (const node of nodes) visitNodeTexts(node, add)
  for (const edge of edges) visitEdgeTexts(edge, add)
  return words
}

/** Calls `visit` with each string by which searches can find the node. */
export function visitNodeTexts(node: Node, visit: (text: string) => void) {
  visit(node.id)
  visitTexts(node, visit)
}

/** Calls `visit` with each string by which searches can find the edge. */
export function visitEdgeTexts(edge: Edge, visit: (text: string) => void) {
  if (edge.relation !== undefined) visit(edge.relation)
  visitTexts(edge, visit)
}

function visitTexts(
  { label, metadata }: { label?: string | undefined; metadata?: Record<string, unknown> | undefined },
  visit: (text: string) => void
) {
  if (label !== undefined) visit(label)
  if (metadata !== undefined) visitValues(metadata, visit)
}

/** Visits the scalars in a metadata value. The recursion is safe, since the depth of metadata is limited. */
function visitValues(value: unknown, visit: (text: string) => void) {
  if (typeof value === 'string') visit(value)
  else if (typeof value === 'number' || typeof value === 'boolean') visit(String(value))
  else if (value !== null) for (const item of Object.values(value as object)) visitValues(item, visit)
}
