import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { api, type GraphDiff, take, takePage } from '../api.ts'
import { GRAPHS, refreshGraphs } from '../graphs/graphs.ts'

const keyOf = (id: number) => [...GRAPHS, 'history', id]

/** Returns a page of the versions of a graph, newest first. */
export function useVersions(id: number, query: { page: number; size: number }) {
  return useQuery({
    queryKey: [...keyOf(id), 'list', query],
    queryFn: ({ signal }) =>
      takePage(
        api.GET('/api/graphs/{id}/versions', {
          params: { path: { id }, query: { ...query, sort: ['version,desc'] } },
          signal
        })
      ),
    placeholderData: keepPreviousData
  })
}

/** The maximum number of elements of each kind to fetch, which is the API's maximum. */
const LIMIT = 10_000

/**
 * Returns the difference between two versions, or between an empty graph and the first version. Versions never change, so the
 * difference is fetched only once.
 */
export function useDiff(id: number, from: number, to: number, isAsked: boolean) {
  return useQuery({
    queryKey: [...keyOf(id), 'diff', from, to],
    queryFn: async ({ signal }) => {
      const answer = await take(
        api.GET('/api/graphs/{id}/diff', {
          params: { path: { id }, query: { ...(from > 0 && { from }), to, limit: LIMIT } },
          headers: { accept: 'application/json' },
          signal
        })
      )
      // The API returns text only if the request asks for it.
      return answer as GraphDiff
    },
    enabled: isAsked,
    staleTime: Number.POSITIVE_INFINITY,
    structuralSharing: false
  })
}

/** Returns a graph at a given version. */
export function useVersion(id: number, version: number, isAsked: boolean) {
  return useQuery({
    queryKey: [...keyOf(id), 'version', version],
    queryFn: ({ signal }) =>
      take(api.GET('/api/graphs/{id}/versions/{version}', { params: { path: { id, version } }, signal })),
    enabled: isAsked,
    staleTime: Number.POSITIVE_INFINITY,
    structuralSharing: false
  })
}

/** Restores an old version as a new version. */
export function useRestoreVersion(id: number) {
  return useMutation({
    mutationFn: ({ version, message }: { version: number; message: string }) =>
      take(
        api.POST('/api/graphs/{id}/restore', {
          params: { path: { id } },
          body: { version, ...(message && { message }) }
        })
      ),
    onSuccess: refreshGraphs
  })
}
