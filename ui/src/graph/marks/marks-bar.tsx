import { Button, CloseButton, Group, Text } from '@mantine/core'
import { useState } from 'react'
import { visibilityOf } from '../../../../picture/filter/visibility.ts'
import { NewGraphFromShown } from '../../filter/new-graph-from-shown.tsx'
import { formatNumber, text } from '../../text/index.ts'
import { useGraphContext } from '../graph-context.ts'
import { NodeValuesDialog } from './node-values-dialog.tsx'
import { useNodeFilters } from './use-node-filters.tsx'
import { useRemove } from './use-remove.ts'

/** Shows how many nodes are selected, with buttons for what can be done with them. */
export function MarksBar() {
  const { marks, pins, view, editing, layout } = useGraphContext()
  const { marked } = marks
  const [dialog, setDialog] = useState<'value' | 'graph'>()
  const filters = useNodeFilters(marked)
  const remove = useRemove()
  const arePinned = Array.from(marked).every((node) => pins.pinned.has(node))
  /** Moves the focus to the drawing, because the focused button disappears together with the selection. */
  const leave = () => layout.drawing.current?.sigma.getContainer().focus()
  const clear = () => {
    marks.clear()
    leave()
  }
  const limits = { disabled: filters.isTooLong, title: filters.isTooLong ? text.marks.tooMany : undefined }
  const hide = () => {
    filters.hide()
    leave()
  }
  // The nodes stay selected, in case they return.
  const removeMarked = () => {
    remove({ kind: 'node', indexes: marked })
    leave()
  }
  const actions = [
    { label: text.marks.only, onClick: filters.showOnly, ...limits },
    { label: text.marks.hide, onClick: hide, ...limits },
    { label: arePinned ? text.pins.unpin : text.pins.pin, onClick: () => pins.set(marked, !arePinned) },
    { label: text.marks.newGraph, onClick: () => setDialog('graph') },
    ...(editing.history
      ? [
          { label: text.table.setValue, onClick: () => setDialog('value') },
          { label: text.marks.remove, onClick: removeMarked }
        ]
      : [])
  ]
  return (
    <Group className="drawing-marks" gap={6} role="toolbar" aria-label={text.marks.title}>
      <Text size="sm" fw={600} role="status" px={4}>
        {text.table.selected(formatNumber(marked.size))}
      </Text>
      {actions.map(({ label, ...action }) => (
        <Button key={label} size="compact-sm" variant="default" {...action}>
          {label}
        </Button>
      ))}
      <CloseButton size="sm" aria-label={text.marks.clear} onClick={clear} />
      {dialog === 'value' && <NodeValuesDialog nodes={marked} onClose={() => setDialog(undefined)} />}
      {dialog === 'graph' && (
        <NewGraphFromShown
          title={text.marks.newGraphTitle}
          shown={visibilityOf(view.network, [filters.shown], view)}
          onClose={() => setDialog(undefined)}
        />
      )}
    </Group>
  )
}
