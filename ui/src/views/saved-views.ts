import { useMutation, useQuery } from '@tanstack/react-query'
import { api, type SavedView, take } from '../api.ts'
import { GRAPHS, refreshGraphs } from '../graphs/graphs.ts'
import { queries } from '../queries.ts'

const keyOf = (id: number) => [...GRAPHS, 'views', id]

/** Returns the saved views of a graph, ordered by name. */
export function useSavedViews(id: number, enabled = true) {
  return useQuery({
    queryKey: keyOf(id),
    enabled,
    queryFn: ({ signal }) => take(api.GET('/api/graphs/{id}/views', { params: { path: { id } }, signal }))
  })
}

/** Saves a view, replacing any view with the same name. If `view` is undefined, removes the view. */
export function useSaveView(id: number) {
  return useMutation({
    mutationFn: ({ name, view }: { name: string; view: Pick<SavedView, 'query' | 'style'> | undefined }) => {
      const path = '/api/graphs/{id}/views/{name}'
      const params = { path: { id, name } }
      return take(view === undefined ? api.DELETE(path, { params }) : api.PUT(path, { params, body: view }))
    },
    // The view may have been the default view.
    onSettled: (_, __, { view }) =>
      view === undefined ? refreshGraphs() : queries.invalidateQueries({ queryKey: keyOf(id) })
  })
}

/** Makes a saved view the default view of the graph, or none of them. */
export function useSetDefaultView(id: number) {
  return useMutation({
    mutationFn: (defaultView: string | null) =>
      take(api.PATCH('/api/graphs/{id}', { params: { path: { id } }, body: { defaultView } })),
    onSettled: refreshGraphs
  })
}
