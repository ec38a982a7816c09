import type { Point } from '../../../../picture/edges/shapes.ts'
import { lastAddedEdge } from '../../edit/edit-history.ts'
import { freshId, withEdgeLike, withNode } from '../../edit/edits.ts'
import { withLastNodeAt } from '../drawing/stage.ts'
import { useGraphContext } from '../graph-context.ts'

/**
 * Returns a function that connects a node to another, or to a new node at a place, as one step of the edit. The edge gets the
 * relation and direction of the one that was added last. Selects the new node, or else the edge. Returns undefined if no edit is
 * in progress.
 */
export function useConnect() {
  const { editing, view, layout } = useGraphContext()
  const { history, content, change } = editing
  if (!history) return undefined
  return (from: number, to: number | Point) => {
    const source = content.nodes[from]?.id
    const target = typeof to === 'number' ? content.nodes[to]?.id : freshId(content, 'node')
    if (source === undefined || target === undefined) return
    const withTarget =
      typeof to === 'number' ? content : withLastNodeAt(withNode(content, { id: target }), to, layout.stage)
    change(withEdgeLike(withTarget, { source, target }, lastAddedEdge(history)))
    view.change(
      typeof to === 'number' ? { node: undefined, edge: content.edges.length } : { node: target, edge: undefined }
    )
  }
}
