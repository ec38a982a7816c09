import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { api, type SearchMatch, type SearchResult, takeNext } from '../api.ts'
import { isDrawable } from '../graph/drawing/drawable.ts'
import { GRAPHS } from '../graphs/graphs.ts'

/** The graphs of a page: each shows up to ten elements. */
const PAGE = 8

/**
 * The graphs with all words of the text, or the one of them that is named, and their elements; nothing for a text without any
 * letter or digit.
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

/** Tells whether there is anything to search for. The server refuses other texts. */
export function hasWord(text: string) {
  return /[\p{L}\p{N}]/u.test(text)
}

/** Returns the nodes that an element of a graph stands for, by id: itself, or the ends of an edge. */
export function nodesOf({ kind, id, source, target }: SearchMatch): string[] {
  return [...new Set(kind === 'node' ? [id] : [source, target])].filter((id) => id !== undefined)
}

/** Returns the address of a graph, with the element selected if there is one. Of a large graph, it shows what is near the element. */
export function addressOf({ graph }: Pick<SearchResult, 'graph'>, match?: SearchMatch) {
  const address = `/graphs/${graph.id}`
  if (!match) return address
  const params = new URLSearchParams()
  if (match.kind === 'node') params.set('node', match.id ?? '')
  else if (isDrawable(graph)) params.set('edge', match.pointer.split('/').at(-1) ?? '')
  if (!isDrawable(graph)) for (const id of nodesOf(match)) params.append('near', id)
  return `${address}?${params}`
}
