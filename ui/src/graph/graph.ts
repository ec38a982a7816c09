import { useMutation, useQuery } from '@tanstack/react-query'
import { api, type Graph, type GraphContent, take } from '../api.ts'
import { GRAPHS, refreshGraphs } from '../graphs/graphs.ts'
import { queries } from '../queries.ts'
import { text } from '../text/index.ts'
import { at, type Positions } from './network.ts'

const keyOf = (id: number) => [...GRAPHS, 'one', id]

/** A graph with its content. */
export function useGraph(id: number) {
  return useQuery({
    queryKey: keyOf(id),
    queryFn: ({ signal }) => take(api.GET('/api/graphs/{id}', { params: { path: { id } }, signal })),
    // An equal version keeps the same object, and with it all derived data.
    structuralSharing: (before, after) => (isSame(before as Graph | undefined, after as Graph) ? before : after),
    refetchOnWindowFocus: false
  })
}

function isSame(before: Graph | undefined, after: Graph) {
  return before !== undefined && before.version === after.version && before.updatedAt === after.updatedAt
}

/** Stores the positions of the nodes, unless somebody else has changed the graph meanwhile. */
export function useSavePositions() {
  return useMutation({
    mutationFn: ({ graph, content, positions }: { graph: Graph; content: GraphContent; positions: Positions }) => {
      const nodes = content.nodes.map((node, index) => ({
        ...node,
        x: round(at(positions, index * 2)),
        y: round(at(positions, index * 2 + 1))
      }))
      const { type = null, description = null } = graph
      const body = { ...graph, type, description, content: { ...content, nodes }, message: text.layout.message }
      return take(api.PUT('/api/graphs', { body }))
    },
    onSuccess: async (graph) => {
      queries.setQueryData(keyOf(graph.id), graph)
      await refreshGraphs()
    }
  })
}

/** Rounds to less than a visible distance, which shortens numbers to a third. */
function round(value: number) {
  return Number(value.toPrecision(6))
}
