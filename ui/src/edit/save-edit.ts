import { api, type Graph, type GraphContent, type GraphRecord, take } from '../api.ts'
import { changesBetween } from './changes.ts'
import type { EditHistory } from './edit-history.ts'
import { patchOf } from './patch.ts'

/**
 * Saves the present state as one version: its changes, or the whole content where only that tells them. Throws a Problem
 * `version-conflict` if somebody else has changed the graph meanwhile.
 */
export function saveEdit(
  graph: Graph,
  { stored, version, present }: EditHistory,
  message: string
): Promise<GraphRecord> {
  const patch = patchOf(stored, changesBetween(stored, present))
  if (patch) {
    return take(
      api.PATCH('/api/graphs/{id}/content', {
        params: { path: { id: graph.id } },
        body: { version, message, ...patch }
      })
    )
  }
  const { type = null, description = null } = graph
  return take(api.PUT('/api/graphs', { body: { ...graph, type, description, version, content: present, message } }))
}

export const emptyContent: GraphContent = { directed: true, nodes: [], edges: [] }

/** Fetches the current state of a graph, or that of a version. */
export async function fetchState(id: number, version?: number): Promise<{ content: GraphContent; version: number }> {
  const graph =
    version === undefined
      ? await take(api.GET('/api/graphs/{id}', { params: { path: { id } } }))
      : await take(api.GET('/api/graphs/{id}/versions/{version}', { params: { path: { id, version } } }))
  return { content: graph.content ?? emptyContent, version: graph.version }
}
