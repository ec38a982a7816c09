import { api, emptyContent, type GraphContent, type GraphRecord, take } from '../api.ts'
import { fetchGraph } from '../graph/graph.ts'
import { changesBetween } from './changes.ts'
import type { EditHistory } from './edit-history.ts'
import { patchOf } from './patch.ts'

/**
 * Saves the present state as one version: its changes, or the whole content where only that tells them. Throws a Problem
 * `version-conflict` if somebody else has changed the graph meanwhile.
 */
export async function saveEdit(
  id: number,
  { stored, version, present }: EditHistory,
  message: string
): Promise<GraphRecord> {
  const patch = patchOf(stored, changesBetween(stored, present))
  if (patch) {
    return take(
      api.PATCH('/api/graphs/{id}/content', { params: { path: { id } }, body: { version, message, ...patch } })
    )
  }
  // The other fields as they are now: somebody may have changed them.
  const { type = null, description = null, ...record } = await fetchGraph(id, false)
  return take(api.PUT('/api/graphs', { body: { ...record, type, description, version, content: present, message } }))
}

/** Fetches the current state of a graph, or that of a version. */
export async function fetchState(id: number, version?: number): Promise<{ content: GraphContent; version: number }> {
  const graph =
    version === undefined
      ? await fetchGraph(id, true)
      : await take(api.GET('/api/graphs/{id}/versions/{version}', { params: { path: { id, version } } }))
  return { content: graph.content ?? emptyContent, version: graph.version }
}
