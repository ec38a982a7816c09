import type { Edge, GraphContent, Node } from '../api.ts'
import type { Side } from '../shared/side.ts'
import { keyOfEnds } from './changes.ts'
import { type Conflict, differencesOf, nodeKey } from './differences.ts'
import { Queues } from './queues.ts'
import { returnedEdges, withEnds } from './returned-edges.ts'
import { valueIn, withValue } from './values.ts'

// Merges changes that two people made to the same content.

/** The merged content and the unresolved conflicts. For these, the content contains the elements from `theirs`. */
export interface Merged {
  content: GraphContent
  conflicts: Conflict[]
}

/** An element as it was before either change, and on both sides. Undefined means that it does not exist there. */
interface Versions {
  key: string
  old: Node | Edge | undefined
  theirs: Node | Edge | undefined
  yours: Node | Edge | undefined
}

/** Returns the merged element, or undefined if it is removed. */
type Resolve = (versions: Versions) => Node | Edge | undefined

/**
 * Merges `yours` into `theirs`. Both derive from `before`, and `yours` shares unchanged elements with it. `chosen` contains the
 * resolved conflicts by key. There is also a conflict if one side removes a node and the other connects an edge to it. If a
 * removed node is kept, the edges that were removed with it are kept too.
 */
export function merge(
  before: GraphContent,
  theirs: GraphContent,
  yours: GraphContent,
  chosen: ReadonlyMap<string, Side> = new Map()
): Merged {
  const conflicts: Conflict[] = []
  const isYours = (conflict: Conflict) => {
    if (!chosen.has(conflict.key)) conflicts.push(conflict)
    return chosen.get(conflict.key) === 'yours'
  }
  const resolve: Resolve = (versions) => {
    const { key, old, theirs, yours } = versions
    const [before, their, your] = [old, theirs, yours].map((element) => JSON.stringify(element))
    if (their === your) return theirs
    // A change by only one side needs no decision. If the user has already made one, it applies.
    if (their === before && !chosen.has(key)) return yours
    const conflict = conflictOf(versions)
    return differencesOf(conflict).length === 0 || isYours(conflict) ? conflict.yours : conflict.theirs
  }
  const nodes = mergeNodes(before.nodes, theirs.nodes, yours.nodes, resolve)
  const edges = mergeEdges(before.edges, theirs.edges, yours.edges, resolve)
  const [oldNodes, theirNodes, yourNodes] = [byId(before.nodes), byId(theirs.nodes), byId(yours.nodes)]
  for (const id of endsOutside(edges, nodes)) {
    const sides = { old: oldNodes.get(id), theirs: theirNodes.get(id), yours: yourNodes.get(id) }
    const node = isYours({ key: nodeKey(id), ...sides, edited: sides.yours }) ? sides.yours : sides.theirs
    if (node) nodes.set(id, node)
  }
  const returned = [
    { remover: theirs, keeper: yours },
    { remover: yours, keeper: theirs }
  ].flatMap((sides) => returnedEdges(before, sides, { nodes, edges }))
  return {
    content: {
      ...theirs,
      nodes: [...nodes.values()],
      edges: [...edges, ...returned].filter(({ source, target }) => nodes.has(source) && nodes.has(target))
    },
    conflicts: withEnds(conflicts, { theirs, yours }, nodes)
  }
}

/**
 * Returns the conflict between two versions of an element, with the values that only one side changed on both sides. If both have
 * moved a node, your place is on both sides.
 */
function conflictOf({ key, old, theirs, yours }: Versions): Conflict {
  const conflict = { key, old, theirs, yours, edited: yours }
  if (!old || !theirs || !yours) return conflict
  for (const { key, ...values } of differencesOf(conflict)) {
    const [before, their, your] = [valueIn(old, key), values.theirs, values.yours].map((value) => JSON.stringify(value))
    const isMovedByBoth = (key === 'x' || key === 'y') && your !== before
    if (their === before || isMovedByBoth)
      conflict.theirs = withValue(conflict.theirs as Node | Edge, key, values.yours)
    else if (your === before) conflict.yours = withValue(conflict.yours as Node | Edge, key, values.theirs)
  }
  return conflict
}

function byId<T extends { id?: string }>(elements: readonly T[]): Map<string, T> {
  return new Map(elements.flatMap((element) => (element.id === undefined ? [] : [[element.id, element] as const])))
}

function mergeNodes(before: Node[], theirs: Node[], yours: Node[], resolve: Resolve): Map<string, Node> {
  const [old, known, merged, own] = [byId(before), new Set(before), byId(theirs), byId(yours)]
  const changed = yours.filter((node) => !known.has(node))
  const removed = before.filter(({ id }) => !own.has(id))
  for (const { id } of [...changed, ...removed]) {
    const node = resolve({ key: nodeKey(id), old: old.get(id), theirs: merged.get(id), yours: own.get(id) })
    if (node) merged.set(id, node as Node)
    else merged.delete(id)
  }
  return merged
}

/** Your change to an edge. `old` is undefined if you added the edge, and `yours` is undefined if you removed it. */
interface EdgeChange {
  key: string
  old: Edge | undefined
  yours: Edge | undefined
  /** The edge's index in `theirs`, or undefined if it is not there. */
  place: number | undefined
}

function mergeEdges(before: Edge[], theirs: Edge[], yours: Edge[], resolve: Resolve): Edge[] {
  const [known, kept] = [new Set(before), new Set(yours)]
  const removed = before.flatMap((edge, index) => (kept.has(edge) ? [] : [index]))
  const added = yours.filter((edge) => !known.has(edge))
  const anonymous = pairChanges(before, theirs, removed, added)
  const result: (Edge | undefined)[] = [...theirs]
  for (const { key, old, yours, place } of [...changesById(before, theirs, removed, added), ...anonymous.changes]) {
    const edge = resolve({ key, old, theirs: place === undefined ? undefined : theirs[place], yours })
    result[place ?? result.length] = edge as Edge | undefined
  }
  return [...result, ...anonymous.additions].filter((edge) => edge !== undefined)
}

/** Returns your changes to edges with an id, including added edges. */
function changesById(before: Edge[], theirs: Edge[], removed: number[], added: Edge[]): EdgeChange[] {
  const [old, own] = [byId(before), byId(added)]
  const places = new Map(theirs.flatMap(({ id }, place) => (id === undefined ? [] : [[id, place] as const])))
  const ids = new Set([...removed.map((index) => before[index]?.id), ...own.keys()])
  return [...ids].flatMap((id) =>
    id === undefined ? [] : [{ key: `edge ${id}`, old: old.get(id), yours: own.get(id), place: places.get(id) }]
  )
}

/**
 * Returns your changes to edges without an id, including edges that only you added. Removing an edge and adding one with the
 * same endpoints and relation is treated as a single change.
 */
function pairChanges(before: Edge[], theirs: Edge[], removed: number[], added: Edge[]) {
  const free = new Queues<Edge>()
  for (const edge of added) if (edge.id === undefined) free.add(keyOfEnds(edge), edge)
  const places = counterparts(before, theirs)
  const changes = removed.flatMap((index): EdgeChange[] => {
    const old = before[index] as Edge
    if (old.id !== undefined) return []
    return [{ key: `edge at ${index}`, old, yours: free.take(keyOfEnds(old)), place: places.get(index) }]
  })
  // After a save whose response was lost, both sides contain the same added edges.
  const more = countTexts(theirs)
  for (const [text, count] of countTexts(before)) more.set(text, (more.get(text) ?? 0) - count)
  const additions = free.rest().filter((edge) => {
    const text = JSON.stringify(edge)
    const count = more.get(text) ?? 0
    more.set(text, count - 1)
    return count <= 0
  })
  return { changes, additions }
}

/**
 * Maps the index of each edge without an id in `before` to that of its counterpart in `theirs`. Matches equal edges first, then
 * edges with the same endpoints and relation, in order.
 */
function counterparts(before: Edge[], theirs: Edge[]): Map<number, number> {
  const [exact, rest] = [new Queues<number>(), new Queues<number>()]
  for (const [place, edge] of theirs.entries()) if (edge.id === undefined) exact.add(JSON.stringify(edge), place)
  const places = new Map<number, number>()
  const left: number[] = []
  for (const [index, edge] of before.entries()) {
    if (edge.id !== undefined) continue
    const place = exact.take(JSON.stringify(edge))
    if (place === undefined) left.push(index)
    else places.set(index, place)
  }
  for (const place of exact.rest().sort((a, b) => a - b)) rest.add(keyOfEnds(theirs[place] as Edge), place)
  for (const index of left) {
    const place = rest.take(keyOfEnds(before[index] as Edge))
    if (place !== undefined) places.set(index, place)
  }
  return places
}

function countTexts(edges: Edge[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const edge of edges) {
    if (edge.id !== undefined) continue
    const text = JSON.stringify(edge)
    counts.set(text, (counts.get(text) ?? 0) + 1)
  }
  return counts
}

/** Returns the distinct ids of edge endpoints that are missing from the nodes. */
function endsOutside(edges: Edge[], nodes: Map<string, Node>) {
  return new Set(edges.flatMap(({ source, target }) => [source, target].filter((id) => !nodes.has(id))))
}
