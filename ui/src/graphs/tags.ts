import { useQuery } from '@tanstack/react-query'
import { api, take } from '../api.ts'
import { GRAPHS } from './graphs.ts'

/** The maximum number of tags on a graph or in a filter. */
export const MAX_TAGS = 20

/** Returns the thousand most frequent tags on the graphs that the user can read, with counts. */
export function useTags(isAsked: boolean) {
  return useQuery({
    queryKey: [...GRAPHS, 'tags'],
    queryFn: ({ signal }) =>
      take(api.GET('/api/tags', { params: { query: { size: 1000, sort: ['count,desc', 'tag,asc'] } }, signal })),
    enabled: isAsked
  })
}

/** Splits text into tags at commas. */
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
