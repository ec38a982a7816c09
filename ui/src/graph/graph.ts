import { useMutation, useQuery } from '@tanstack/react-query'
import { useCallback } from 'react'
import { api, type Graph, type GraphContent, take } from '../api.ts'
import { GRAPHS, refreshGraphs } from '../graphs/graphs.ts'
import { type LoadLayout, layoutFrom } from '../layout/server-layout.ts'
import { queries } from '../queries.ts'
import { text } from '../text/index.ts'
import { isDrawable } from './drawing/drawable.ts'
import { placedNodes } from './drawing/stage.ts'
import type { Positions } from './network/network.ts'

const keyOf = (id: number) => [...GRAPHS, 'one', id]

/** Returns a graph without its content. */
export function useRecord(id: number) {
  return useQuery({ queryKey: [...keyOf(id), 'record'], queryFn: ({ signal }) => fetchGraph(id, false, signal) })
}

/** Returns a graph with its content. Unless `isWhole` is set, omits content that is too large to draw. */
export function useGraph(id: number, isWhole: boolean) {
  return useQuery({
    queryKey: isWhole ? [...keyOf(id), 'whole'] : keyOf(id),
    queryFn: async ({ signal }) => {
      const record = await fetchGraph(id, false, signal)
      return isWhole || isDrawable(record) ? fetchGraph(id, true, signal) : record
    },
    // Keeps the object, and therefore all derived data, if the version is the same.
    structuralSharing: (before, after) => withSameContent(before as Graph | undefined, after as Graph),
    refetchOnWindowFocus: false
  })
}

/** Fetches a graph with or without its content. */
export function fetchGraph(id: number, hasContent: boolean, signal?: AbortSignal): Promise<Graph> {
  const query = hasContent ? {} : { content: false }
  return take(api.GET('/api/graphs/{id}', { params: { path: { id }, query }, ...(signal && { signal }) }))
}

/** Returns a function that loads the layout of a graph. */
export function useLoadLayout(id: number): LoadLayout {
  return useCallback(
    (signal) => layoutFrom(() => api.GET('/api/graphs/{id}/layout', { params: { path: { id } }, signal }), signal),
    [id]
  )
}

/** Returns the refetched graph. If the content is equal, keeps the previous object. */
function withSameContent(before: Graph | undefined, after: Graph): Graph {
  if (!before) return after
  if (before.version === after.version && before.updatedAt === after.updatedAt) return before
  return isEqual(before.content, after.content) ? { ...after, content: before.content } : after
}

function isEqual(some: GraphContent | undefined, other: GraphContent | undefined) {
  if (!some || !other) return some === other
  const [{ nodes, edges, ...fields }, { nodes: otherNodes, edges: otherEdges, ...otherFields }] = [some, other]
  return (
    areEqual(nodes, otherNodes) && areEqual(edges, otherEdges) && JSON.stringify(fields) === JSON.stringify(otherFields)
  )
}

/** Compares the elements one by one and stops at the first difference. */
function areEqual(some: unknown[], others: unknown[]) {
  return (
    some.length === others.length &&
    some.every((value, index) => JSON.stringify(value) === JSON.stringify(others[index]))
  )
}

/** Saves the positions of the nodes, unless someone else has changed the graph. */
export function useSavePositions() {
  return useMutation({
    mutationFn: async ({
      graph,
      content,
      positions
    }: {
      graph: Graph
      content: GraphContent
      positions: Positions
    }) => {
      const nodes = placedNodes(content.nodes, positions)
      const put = nodes.filter((node, index) => node !== content.nodes[index])
      const body = { version: graph.version, nodes: { put }, message: text.layout.message }
      const record = await take(api.PATCH('/api/graphs/{id}/content', { params: { path: { id: graph.id } }, body }))
      return { ...record, content: { ...content, nodes } }
    },
    onSuccess: async (graph) => {
      queries.setQueryData(keyOf(graph.id), graph)
      await refreshGraphs()
    }
  })
}
