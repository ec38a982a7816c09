import { useState } from 'react'
import { visibilityOf } from '../../../../picture/filter/visibility.ts'
import { SelectionBar } from '../../edit/selection-bar.tsx'
import { NewGraphFromShown } from '../../filter/new-graph-from-shown.tsx'
import { text } from '../../text/index.ts'
import { useGraphContext } from '../graph-context.ts'
import { NodeValuesDialog } from './node-values-dialog.tsx'
import { useNodeFilters } from './use-node-filters.tsx'
import { useRemove } from './use-remove.ts'

/** The bar of the nodes that are selected together, or of those of them that a table shows. */
export function MarksBar({ nodes, className }: { nodes: ReadonlySet<number>; className?: string }) {
  const { marks, pins, view, editing, layout } = useGraphContext()
  const [dialog, setDialog] = useState<'value' | 'graph'>()
  const filters = useNodeFilters(nodes)
  const remove = useRemove()
  const arePinned = nodes.size > 0 && Array.from(nodes).every((node) => pins.pinned.has(node))
  /** Moves the focus to the drawing, if any, because the focused button disappears together with the selection. */
  const leave = () => layout.drawing.current?.sigma.getContainer().focus()
  const limits = { disabled: filters.isTooLong, title: filters.isTooLong ? text.marks.tooMany : undefined }
  const hide = () => {
    filters.hide()
    leave()
  }
  // The nodes stay selected, in case they return.
  const removeMarked = () => {
    remove({ kind: 'node', indexes: nodes })
    leave()
  }
  const actions = [
    { label: text.marks.only, onClick: filters.showOnly, ...limits },
    { label: text.marks.hide, onClick: hide, ...limits },
    { label: arePinned ? text.pins.unpin : text.pins.pin, onClick: () => pins.set(nodes, !arePinned) },
    { label: text.marks.newGraph, onClick: () => setDialog('graph') },
    ...(editing.history
      ? [
          { label: text.table.setValue, onClick: () => setDialog('value') },
          { label: text.marks.remove, onClick: removeMarked }
        ]
      : [])
  ]
  return (
    <>
      <SelectionBar
        title={text.marks.title}
        count={nodes.size}
        actions={actions}
        className={className}
        onClear={() => {
          marks.clear()
          leave()
        }}
      />
      {dialog === 'value' && <NodeValuesDialog nodes={nodes} onClose={() => setDialog(undefined)} />}
      {dialog === 'graph' && (
        <NewGraphFromShown
          title={text.marks.newGraphTitle}
          shown={visibilityOf(view.network, [filters.shown], view)}
          onClose={() => setDialog(undefined)}
        />
      )}
    </>
  )
}
