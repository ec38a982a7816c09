import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { api, type SearchMatch, type SearchResult, takeNext } from '../api.ts'
import { isDrawable } from '../graph/drawing/drawable.ts'
import { GRAPHS } from '../graphs/graphs.ts'

/** The number of graphs per page. Up to ten elements are shown for each graph. */
const PAGE = 8

/**
 * Returns graphs and elements that contain all words of the text, in all graphs or in one. Returns nothing if the text contains
 * no letters or digits.
 */
export function useSearch(text: string, graph?: number) {
  return useInfiniteQuery({
    queryKey: [...GRAPHS, 'search', text, graph],
    queryFn: ({ signal, pageParam }) =>
      takeNext(
        api.GET('/api/search', {
          params: { query: { q: text, size: PAGE, cursor: pageParam, ...(graph !== undefined && { graph }) } },
          signal
        })
      ),
    initialPageParam: '',
    getNextPageParam: ({ next }: { next: string | undefined }) => next,
    enabled: hasWord(text),
    placeholderData: keepPreviousData
  })
}

/** Returns whether the text can be searched for. The server rejects any other text. */
export function hasWord(text: string) {
  return /[\p{L}\p{N}]/u.test(text)
}

/** Returns the node ids of an element: a node's own id, or the ids of an edge's endpoints. */
export function nodesOf({ kind, id, source, target }: SearchMatch): string[] {
  return [...new Set(kind === 'node' ? [id] : [source, target])].filter((id) => id !== undefined)
}

/**
 * Returns the address of a graph, with the given element selected, if any. A large graph opens at the neighbourhood of the
 * element.
 */
export function addressOf({ graph }: Pick<SearchResult, 'graph'>, match?: SearchMatch) {
  const address = `/graphs/${graph.id}`
  if (!match) return address
  const params = new URLSearchParams()
  if (match.kind === 'node') params.set('node', match.id ?? '')
  else if (isDrawable(graph)) params.set('edge', match.pointer.split('/').at(-1) ?? '')
  if (!isDrawable(graph)) for (const id of nodesOf(match)) params.append('near', id)
  return `${address}?${params}`
}
