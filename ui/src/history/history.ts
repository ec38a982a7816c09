import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { api, type GraphDiff, take, takePage } from '../api.ts'
import { GRAPHS, refreshGraphs } from '../graphs/graphs.ts'

const keyOf = (id: number) => [...GRAPHS, 'history', id]

/** A page of the versions of a graph, the newest first. */
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

/** So many elements of each kind are told, which is what the API tells at most. */
const LIMIT = 10_000

/** What differs between two versions; before the first there was nothing. Versions do not change: once is enough. */
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
      // It is text for whoever asks for text.
      return answer as GraphDiff
    },
    enabled: isAsked,
    staleTime: Number.POSITIVE_INFINITY,
    structuralSharing: false
  })
}

/** The graph as it was in a version. */
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

/** Gives the graph the state that it had in a version, as a new version. */
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
