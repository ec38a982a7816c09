import { useSearch } from 'wouter'
import type { GraphRecord } from '../api.ts'
import { useSavedViews } from '../views/saved-views.ts'
import { queryOf } from './view/style-address.ts'

/**
 * Returns the query of the graph's default view. While it is loading, `isAwaited` is set if the address has no view of its own.
 * If it cannot be loaded, the graph is shown without it.
 */
export function useDefaultQuery(graph: GraphRecord | undefined) {
  const isUsed = graph?.defaultView !== undefined
  const views = useSavedViews(graph?.id ?? 0, isUsed)
  const isAwaited = useSearch() === '' && isUsed && views.isPending
  const view = isUsed ? views.data?.find(({ name }) => name === graph.defaultView) : undefined
  return { query: view && queryOf(view), isAwaited }
}
