import { Button, CloseButton, Group, Text } from '@mantine/core'
import { useState } from 'react'
import { keyOf } from '../../../../picture/filter/kinds.ts'
import { visibilityOf } from '../../../../picture/filter/visibility.ts'
import { SetValueDialog } from '../../edit/set-value-dialog.tsx'
import { tableEditor } from '../../edit/table-editor.ts'
import { filtersOf } from '../../filter/filters-of-view.ts'
import { NewGraphFromShown } from '../../filter/new-graph-from-shown.tsx'
import { formatNumber, text } from '../../text/index.ts'
import { useGraphContext } from '../graph-context.ts'
import { namesOfNodes } from '../tables/columns.ts'

/** The maximum total length of the ids in a filter, in characters, because addresses contain filters. */
const LONGEST_FILTER = 6000

/** Shows how many nodes are selected, with buttons for what can be done with them. */
export function MarksBar() {
  const { marks, pins, view, editing, layout } = useGraphContext()
  const { network, nodes } = view
  const { marked } = marks
  const [dialog, setDialog] = useState<'value' | 'graph'>()
  const { filters, set } = filtersOf(view)
  const arePinned = Array.from(marked).every((node) => pins.pinned.has(node))
  /** Moves the focus to the drawing, because the focused button disappears together with the selection. */
  const leave = () => layout.drawing.current?.sigma.getContainer().focus()
  const clear = () => {
    marks.clear()
    leave()
  }
  const editor = tableEditor('node', editing, () => {
    // The nodes stay selected, in case they return.
    if (view.selected?.kind === 'edge') view.select(undefined)
    leave()
  })
  const ids = Array.from(marked, (node) => keyOf(network.nodes[node]?.id))
  const isTooLong = ids.join('').length > LONGEST_FILTER
  const shown = { of: 'nodes', attribute: 'id', shown: ids } as const
  const filter = (added: typeof shown | { of: 'nodes'; attribute: 'id'; hidden: string[] }) => ({
    onClick: () => {
      set([...filters, added])
      if ('hidden' in added) clear()
    },
    disabled: isTooLong,
    title: isTooLong ? text.marks.tooMany : undefined
  })
  const actions = [
    { label: text.marks.only, ...filter(shown) },
    { label: text.marks.hide, ...filter({ of: 'nodes', attribute: 'id', hidden: ids }) },
    { label: arePinned ? text.pins.unpin : text.pins.pin, onClick: () => pins.set(marked, !arePinned) },
    { label: text.marks.newGraph, onClick: () => setDialog('graph') },
    ...(editor
      ? [
          { label: text.table.setValue, onClick: () => setDialog('value') },
          { label: text.marks.remove, onClick: () => editor.remove(marked) }
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
      {dialog === 'value' && editor && (
        <SetValueDialog
          title={text.marks.setValueOf(marked.size)}
          editor={editor}
          columns={[...namesOfNodes(network, true), ...nodes].filter(({ key }) => editor.mayEdit(key))}
          indexes={marked}
          onClose={() => setDialog(undefined)}
        />
      )}
      {dialog === 'graph' && (
        <NewGraphFromShown
          title={text.marks.newGraphTitle}
          shown={visibilityOf(network, [shown], view)}
          onClose={() => setDialog(undefined)}
        />
      )}
    </Group>
  )
}
