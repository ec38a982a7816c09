import { useQuery } from '@tanstack/react-query'
import { api, take } from '../api.ts'
import { GRAPHS } from './graphs.ts'

/** The most tags of a graph, and of a filter. */
export const MAX_TAGS = 20

/** The thousand most frequent tags of the graphs that the user may read, with their numbers. */
export function useTags(isAsked: boolean) {
  return useQuery({
    queryKey: [...GRAPHS, 'tags'],
    queryFn: ({ signal }) =>
      take(api.GET('/api/tags', { params: { query: { size: 1000, sort: ['count,desc', 'tag,asc'] } }, signal })),
    enabled: isAsked
  })
}

/** Returns the tags in a text that separates them by commas. */
export function tagsOf(text: string): string[] {
  return text
    .split(',')
    .map((tag) => tag.trim())
    .filter(Boolean)
}

/** Returns the address of the list of graphs with this tag. */
export function addressOfTag(tag: string): string {
  return `/graphs?${new URLSearchParams({ tags: tag })}`
}
