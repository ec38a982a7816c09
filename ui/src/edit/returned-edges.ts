import type { Edge, GraphContent, Node } from '../api.ts'
import { type Conflict, nodeKey } from './differences.ts'

// Edges that one side removed together with a node. They come back if the node is kept.

/** The nodes and edges after a merge of both sides. */
interface Merged {
  nodes: ReadonlyMap<string, Node>
  edges: readonly Edge[]
}

/**
 * Returns the edges that `remover` lost together with nodes that are in `merged`. Edges that `keeper` has removed or changed are
 * not among them, because they are merged on their own.
 */
export function returnedEdges(
  before: GraphContent,
  { remover, keeper }: { remover: GraphContent; keeper: GraphContent },
  merged: Merged
): Edge[] {
  const left = new Set(remover.nodes.map(({ id }) => id))
  const kept = new Set(before.nodes.flatMap(({ id }) => (left.has(id) || !merged.nodes.has(id) ? [] : [id])))
  if (kept.size === 0) return []
  const isLost = ({ source, target }: Edge) => kept.has(source) || kept.has(target)
  const texts = new Set(before.edges.filter(isLost).map((edge) => JSON.stringify(edge)))
  const [known, ids] = [new Set(merged.edges), new Set(merged.edges.map(({ id }) => id))]
  return keeper.edges.filter(
    (edge) =>
      isLost(edge) &&
      !known.has(edge) &&
      (edge.id === undefined || !ids.has(edge.id)) &&
      texts.has(JSON.stringify(edge))
  )
}

/**
 * Adds to the conflicts about removed nodes the edges that are kept with the node. Edges that are conflicts themselves do not
 * count.
 */
export function withEnds(
  conflicts: readonly Conflict[],
  sides: { theirs: GraphContent; yours: GraphContent },
  nodes: ReadonlyMap<string, Node>
): Conflict[] {
  const keys = new Set(conflicts.map(({ key }) => key))
  const isThere = (id: string) => nodes.has(id) || keys.has(nodeKey(id))
  const contested = new Set(conflicts.flatMap(({ theirs, edited }) => [theirs, edited]))
  const ends = new Map<string, string[]>()
  for (const side of ['theirs', 'yours'] as const) {
    const lone = conflicts.filter(({ theirs, yours }) => (side === 'theirs' ? !yours : !theirs))
    const kept = new Map(lone.map(({ key }) => [key, [] as string[]]))
    if (kept.size === 0) continue
    const other = sides[side === 'theirs' ? 'yours' : 'theirs']
    /** The edges that the other side still has, perhaps between other nodes. */
    const left = new Set(other.edges.map(({ id }) => id))
    for (const edge of sides[side].edges) {
      const { id, source, target } = edge
      if (contested.has(edge) || (id !== undefined && left.has(id))) continue
      if (isThere(target)) kept.get(nodeKey(source))?.push(target)
      if (source !== target && isThere(source)) kept.get(nodeKey(target))?.push(source)
    }
    for (const [key, others] of kept) ends.set(key, others)
  }
  return conflicts.map((conflict) => {
    const others = ends.get(conflict.key) ?? []
    return others.length === 0 ? conflict : { ...conflict, ends: others }
  })
}
