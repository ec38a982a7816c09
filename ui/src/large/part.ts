import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { api, expectAnswer, type Graph, type GraphContent, take } from '../api.ts'
import { GRAPHS } from '../graphs/graphs.ts'

/** A part of a graph, and the numbers of nodes and edges omitted. */
export interface Part {
  content: GraphContent
  left: { nodes: number; edges: number }
}

/** Fetches these nodes and their neighbours, up to `most` nodes in total. */
export function usePart({ id, version }: Graph, near: string[], most: number) {
  return useQuery({
    queryKey: [...GRAPHS, 'part', id, version, near, most],
    queryFn: async ({ signal }): Promise<Part> => {
      const body = { nodes: near, depth: 1, limit: most }
      const { data, response } = await expectAnswer(
        api.POST('/api/graphs/{id}/subgraph', { params: { path: { id } }, body, signal })
      )
      return { content: data as GraphContent, left: leftOf(response.headers.get('graphstead-truncated')) }
    },
    enabled: near.length > 0,
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: false
  })
}

/** Parses `nodes=…, edges=…`. */
function leftOf(header: string | null): Part['left'] {
  const [nodes = 0, edges = 0] = (header?.match(/\d+/g) ?? []).map(Number)
  return { nodes, edges }
}

/** Returns the size, components, degrees and attributes of a graph. */
export function useSummary({ id, version }: Graph) {
  return useQuery({
    queryKey: [...GRAPHS, 'summary', id, version],
    queryFn: ({ signal }) => take(api.GET('/api/graphs/{id}/summary', { params: { path: { id } }, signal })),
    refetchOnWindowFocus: false
  })
}
