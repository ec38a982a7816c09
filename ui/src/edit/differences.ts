import type { Edge, GraphContent, Node } from '../api.ts'
import type { Side } from '../shared/side.ts'
import { keyOfAttribute, valueIn, withValue } from './values.ts'

// The conflicts of a merge, attribute by attribute.

/**
 * An element that both sides changed differently. `theirs` or `yours` is undefined if that side removed it. Otherwise, both have the
 * values that only one side changed.
 */
export interface Conflict {
  /** Unique among the conflicts. */
  key: string
  /** The element from which both sides started. Undefined if both added it. */
  old: Node | Edge | undefined
  theirs: Node | Edge | undefined
  yours: Node | Edge | undefined
  /** Your element as it is in the edit. */
  edited: Node | Edge | undefined
  /** For a node that one side removed: the id of the other endpoint of each edge that is kept with it. */
  ends?: string[]
}

/** Returns the key of conflicts about the node with this id. */
export const nodeKey = (id: string) => `node ${id}`

/** A value that the two sides changed differently. Undefined means that the side has no such value. */
export interface Difference {
  /** The key of the value, or an empty string for the element as a whole, which one side removed. */
  key: string
  /** The name of the attribute. */
  name: string
  old: unknown
  theirs: unknown
  yours: unknown
}

/** The user's decisions about the differences of each conflict, by the keys of both. */
export type Decisions = ReadonlyMap<string, ReadonlyMap<string, Side>>

/** Returns the values in which the two sides differ, or the element as a whole if one side removed it. */
export function differencesOf({ old, theirs, yours }: Conflict): Difference[] {
  if (!theirs || !yours) return [{ key: '', name: '', old, theirs, yours }]
  const names = (of: (element: Node | Edge) => object | undefined) =>
    new Set([yours, theirs].flatMap((element) => Object.keys(of(element) ?? {})))
  const members = [...names((element) => element)].filter((name) => name !== 'metadata')
  const attributes = [...names(({ metadata }) => metadata)]
  return [
    ...members.map((name) => ({ key: name, name })),
    ...attributes.map((name) => ({ key: keyOfAttribute(name), name }))
  ]
    .map(({ key, name }) => ({
      key,
      name,
      old: valueIn(old, key),
      theirs: valueIn(theirs, key),
      yours: valueIn(yours, key)
    }))
    .filter(({ theirs, yours }) => JSON.stringify(theirs) !== JSON.stringify(yours))
}

/** Returns whether the user has decided about every difference. */
export function areDecided(conflicts: Conflict[], decisions: Decisions): boolean {
  return conflicts.every((conflict) =>
    differencesOf(conflict).every(({ key }) => decisions.get(conflict.key)?.has(key))
  )
}

/** Returns the number of edges that are kept with the node of a conflict, unless the user drops their other endpoints. */
export function keptEdges({ ends = [] }: Conflict, conflicts: readonly Conflict[], decisions: Decisions): number {
  const dropped = new Set(
    conflicts.flatMap((conflict) => {
      const side = decisions.get(conflict.key)?.get('')
      return side && !conflict[side] ? [conflict.key] : []
    })
  )
  return ends.filter((id) => !dropped.has(nodeKey(id))).length
}

/**
 * Returns the side to keep of each conflict, and your content. If values of an element come from both sides, your side is kept
 * and has theirs for the other values.
 */
export function decided(conflicts: Conflict[], decisions: Decisions, content: GraphContent) {
  const sides = new Map<string, Side>()
  const mixed = new Map<Node | Edge, Node | Edge>()
  for (const conflict of conflicts) {
    const differences = differencesOf(conflict)
    const isTheirs = ({ key }: Difference) => decisions.get(conflict.key)?.get(key) === 'theirs'
    const taken = differences.filter(isTheirs)
    const isWhollyTheirs = taken.length > 0 && taken.length === differences.length
    sides.set(conflict.key, isWhollyTheirs ? 'theirs' : 'yours')
    if (isWhollyTheirs || taken.length === 0 || !conflict.edited) continue
    const element = taken.reduce((element, { key, theirs }) => withValue(element, key, theirs), conflict.edited)
    mixed.set(conflict.edited, element)
  }
  const put = <T extends Node | Edge>(elements: T[]) => elements.map((element) => (mixed.get(element) as T) ?? element)
  if (mixed.size === 0) return { sides, content }
  return { sides, content: { ...content, nodes: put(content.nodes), edges: put(content.edges) } }
}
