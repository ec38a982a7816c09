import { lastAddedEdge } from '../../edit/edit-history.ts'
import { withEdgeLike } from '../../edit/edits.ts'
import { useGraphContext } from '../graph-context.ts'

/**
 * Returns a function that connects two nodes as one step of the edit, and selects the edge. The edge gets the relation and
 * direction of the one that was added last. Returns undefined if no edit is in progress.
 */
export function useConnect() {
  const { editing, view } = useGraphContext()
  const { history, content, change } = editing
  if (!history) return undefined
  return (from: number, to: number) => {
    const [source, target] = [content.nodes[from]?.id, content.nodes[to]?.id]
    if (source === undefined || target === undefined) return
    change(withEdgeLike(content, { source, target }, lastAddedEdge(history)))
    view.select({ kind: 'edge', index: content.edges.length })
  }
}
