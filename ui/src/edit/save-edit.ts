import { api, emptyContent, type GraphContent, type GraphRecord, type GraphVersion, take, takePage } from '../api.ts'
import { fetchGraph } from '../graph/graph.ts'
import { isPlaced } from '../graph/network/network.ts'
import { changesBetween } from './changes.ts'
import type { EditHistory } from './edit-history.ts'
import { patchOf } from './patch.ts'

/**
 * Saves the current state as a new version. If nodes or edges were added or removed, `placed` adds the places of all nodes, which
 * a new layout would move. If most nodes are new and have no place, the graph is laid out again. Sends a patch if possible, and the
 * whole content otherwise. Throws a Problem with the code `version-conflict` if someone else has changed the graph.
 */
export async function saveEdit(
  id: number,
  { stored, version, present: edited }: EditHistory,
  message: string,
  placed: (content: GraphContent) => GraphContent
): Promise<GraphRecord> {
  const known = new Set(stored.nodes.map(({ id }) => id))
  const unplaced = edited.nodes.filter((node) => !known.has(node.id) && !isPlaced(node)).length
  const isMostlyNew = unplaced > edited.nodes.length / 2
  const present = hasOtherStructure(stored, edited) && !isMostlyNew ? placed(edited) : edited
  const patch = patchOf(stored, changesBetween(stored, present))
  if (patch) {
    return take(
      api.PATCH('/api/graphs/{id}/content', { params: { path: { id } }, body: { version, message, ...patch } })
    )
  }
  // Sends the current values of the other fields, because someone else may have changed them.
  const { type = null, description = null, ...record } = await fetchGraph(id, false)
  return take(api.PUT('/api/graphs', { body: { ...record, type, description, version, content: present, message } }))
}

/** Returns whether a layout of the graph would move its nodes, because other nodes exist or others are connected. */
function hasOtherStructure(before: GraphContent, { nodes, edges }: GraphContent): boolean {
  return (
    nodes.length !== before.nodes.length ||
    edges.length !== before.edges.length ||
    nodes.some(({ id }, index) => id !== before.nodes[index]?.id) ||
    edges.some(({ source, target }, index) => {
      const edge = before.edges[index]
      return source !== edge?.source || target !== edge.target
    })
  )
}

/** Fetches a graph in its current state, or at the given version. */
export async function fetchState(id: number, version?: number): Promise<{ content: GraphContent; version: number }> {
  const graph =
    version === undefined
      ? await fetchGraph(id, true)
      : await take(api.GET('/api/graphs/{id}/versions/{version}', { params: { path: { id, version } } }))
  return { content: graph.content ?? emptyContent, version: graph.version }
}

/** Returns the versions saved after this one, newest first, and at most the last hundred. */
export async function fetchSaves(
  id: number,
  { after, upTo }: { after: number; upTo: number }
): Promise<GraphVersion[]> {
  const query = { page: 0, size: Math.min(100, upTo - after), sort: ['version,desc'] }
  const { rows } = await takePage(api.GET('/api/graphs/{id}/versions', { params: { path: { id }, query } }))
  return rows.filter(({ version }) => version > after)
}
