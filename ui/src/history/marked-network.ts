import type { Edge, GraphContent, GraphDiff } from '../api.ts'
import { networkOf } from '../graph/network/network.ts'

export type Mark = 'same' | 'added' | 'removed' | 'changed'

/** Returns the network of a version, including the elements removed since an earlier version, and the mark of each element. */
export function markedNetwork(after: GraphContent, { nodes, edges }: GraphDiff) {
  const content: GraphContent = {
    ...after,
    nodes: [...after.nodes, ...nodes.removed.items],
    edges: [...after.edges]
  }
  const known = new Set(content.nodes.map(({ id }) => id))
  // If the difference is truncated, the endpoints of an edge may be missing.
  const removedEdges = edges.removed.items.filter(({ source, target }) => known.has(source) && known.has(target))
  content.edges.push(...removedEdges)

  const added = new Set(nodes.added.items.map(({ id }) => id))
  const changed = new Set(nodes.changed.items.map(({ id }) => id))
  const nodeMarks = content.nodes.map(({ id }, index): Mark => {
    if (index >= after.nodes.length) return 'removed'
    return added.has(id) ? 'added' : changed.has(id) ? 'changed' : 'same'
  })

  // Several edges may be equal, so marks are assigned by count.
  const addedEdges = countEdges(edges.added.items)
  const changedEdges = countEdges(edges.changed.items)
  const edgeMarks = content.edges.map((edge, index): Mark => {
    if (index >= after.edges.length) return 'removed'
    return takeEdge(addedEdges, edge) ? 'added' : takeEdge(changedEdges, edge) ? 'changed' : 'same'
  })
  return { content, network: networkOf(content), nodeMarks, edgeMarks }
}

type Named = Pick<Edge, 'id' | 'source' | 'target' | 'relation'>

function keyOf({ id, source, target, relation }: Named) {
  return JSON.stringify([id, source, target, relation])
}

function countEdges(edges: Named[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const edge of edges) counts.set(keyOf(edge), (counts.get(keyOf(edge)) ?? 0) + 1)
  return counts
}

function takeEdge(counts: Map<string, number>, edge: Named): boolean {
  const count = counts.get(keyOf(edge)) ?? 0
  if (count > 0) counts.set(keyOf(edge), count - 1)
  return count > 0
}
