import type { Edge, GraphContent } from '../../schemas/graph-content.ts'
import type { SearchMatch } from '../../schemas/search.ts'
import { visitEdgeTexts, visitNodeTexts } from '../content/element-words.ts'
import { visibleJson } from '../content/visible-json.ts'
import { addWords, matchCount, type WordQuery } from '../content/words.ts'

/** The maximum number of elements to find, and whether to find only nodes. If so, the nodes include their metadata. */
export interface Wanted {
  limit: number
  nodesOnly?: boolean
}

export interface FoundElement extends SearchMatch {
  /** The metadata as JSON, truncated. */
  metadata?: string
}

type Named = Partial<Pick<Edge, 'id' | 'label' | 'source' | 'target' | 'metadata'>>

/** The maximum length of the metadata in a result, in UTF-16 units. */
const LONGEST_METADATA = 300

/**
 * Returns the nodes and edges that match the query. Sorts them by the number of matching query words, then nodes before edges,
 * then in content order. An empty query matches everything.
 */
export function findElements(
  { nodes, edges }: GraphContent,
  query: WordQuery,
  { limit, nodesOnly = false }: Wanted
): FoundElement[] {
  // The matches, grouped by the number of query words they match.
  const found: FoundElement[][] = Array.from({ length: Math.max(1, query.length) }, () => [])
  const countsOf = countedOnce(query)
  const search = <Element extends Named>(
    kind: SearchMatch['kind'],
    elements: readonly Element[],
    visit: (element: Element, visit: (text: string) => void) => void
  ) => {
    for (const [index, element] of elements.entries()) {
      const places = new Set<number>()
      if (query.length > 0) {
        visit(element, (text) => {
          for (const place of countsOf(text)) places.add(place)
        })
      }
      const alike = found[query.length > 0 ? places.size - 1 : 0]
      if (!alike || alike.length >= limit) continue
      const { id, label, source, target, metadata } = element
      const pointer = `#/${kind}s/${index}`
      alike.push({
        kind,
        ...(id !== undefined && { id }),
        ...(label !== undefined && { label }),
        ...(source !== undefined && { source, target }),
        pointer,
        ...(nodesOnly && metadata && { metadata: shortJson(metadata) })
      })
    }
  }
  search('node', nodes, visitNodeTexts)
  if (!nodesOnly) search('edge', edges, visitEdgeTexts)
  return found.toReversed().flat().slice(0, limit)
}

/** Returns metadata as JSON, truncated. */
export function shortJson(metadata: object): string {
  const json = visibleJson(metadata)
  return json.length > LONGEST_METADATA ? `${json.slice(0, LONGEST_METADATA).toWellFormed()}…` : json
}

/** Returns a function that maps a string to the indexes of the lists in the query that it matches. The results are cached. */
function countedOnce(query: WordQuery) {
  const known = new Map<string, readonly number[]>()
  return (text: string): readonly number[] => {
    let places = known.get(text)
    if (!places) {
      const words = new Set<string>()
      addWords(words, text)
      places = query.flatMap((clause, place) => (matchCount(words, [clause]) > 0 ? [place] : []))
      known.set(text, places)
    }
    return places
  }
}
