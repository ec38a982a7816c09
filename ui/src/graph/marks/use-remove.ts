import { withoutEdges, withoutNodes } from '../../edit/edits.ts'
import type { Element } from '../drawing/drawing.ts'
import { useGraphContext } from '../graph-context.ts'

/** Returns the nodes that are selected together, or else the selected node or edge, if any. */
export function selectionOf(selected: Element | undefined, marked: ReadonlySet<number>) {
  if (marked.size > 0) return { kind: 'node', indexes: marked } as const
  return selected && { kind: selected.kind, indexes: new Set([selected.index]) }
}

/** Returns a function that removes nodes or edges as one step of an edit. Begins an edit if none is in progress. */
export function useRemove() {
  const { editing, view } = useGraphContext()
  return ({ kind, indexes }: { kind: Element['kind']; indexes: ReadonlySet<number> }) => {
    // Removing elements changes the indexes of edges. Removed nodes are selected again if they return.
    if (view.selected?.kind === 'edge') view.select(undefined)
    editing.beginWith((kind === 'node' ? withoutNodes : withoutEdges)(editing.content, indexes))
  }
}
