import type { Node } from '../api.ts'
import { oncePer } from '../shared/once-per.ts'

/** The ids of nodes by id and by label. Null if several nodes share a label that is no id. */
const idsByName = oncePer((nodes: readonly Node[]): ReadonlyMap<string, string | null> => {
  const ids = new Map<string, string | null>()
  for (const { id, label } of nodes) {
    if (label !== undefined && label !== '') ids.set(label, ids.has(label) ? null : id)
  }
  for (const { id } of nodes) ids.set(id, id)
  return ids
})

/** Returns the id of the node that has this id, or else of the only node with this label, or else the name itself. */
export function idForName(nodes: readonly Node[], name: string): string {
  return idsByName(nodes).get(name) ?? name
}
