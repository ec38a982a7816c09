import type { ContentPatch, GraphContent } from '../api.ts'
import { type Changes, edgeNames } from './changes.ts'

/**
 * Returns the changes as a patch for the server. Returns undefined if the whole content must be sent because the server cannot
 * tell parallel edges without an id apart.
 */
export function patchOf(
  before: GraphContent,
  { putNodes, removeNodes, putEdges, removeEdges }: Changes
): Pick<ContentPatch, 'nodes' | 'edges'> | undefined {
  const names = edgeNames(before)
  const removed = new Set(removeEdges.map((name) => names.find(name)))
  /** Replaced edges without an id. */
  const replaced = new Set<number | undefined>()
  for (const edge of putEdges) {
    if (edge.id !== undefined) continue
    const [other, ...more] = names.alike(edge)
    if (other === undefined) continue
    if (more.length > 0 || !removed.has(other) || replaced.has(other)) return undefined
    replaced.add(other)
  }
  const remove: NonNullable<NonNullable<ContentPatch['edges']>['remove']> = []
  for (const name of removeEdges) {
    if ('id' in name) remove.push(name.id)
    else if (!replaced.has(names.find(name))) {
      if (names.alike(name).length > 1) return undefined
      const { source, target, relation } = name
      remove.push({ source, target, ...(relation !== undefined && { relation }) })
    }
  }
  return { nodes: { put: putNodes, remove: removeNodes }, edges: { put: putEdges, remove } }
}
