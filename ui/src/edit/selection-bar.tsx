import { Button, Group, Text } from '@mantine/core'
import { useState } from 'react'
import type { Attribute } from '../graph/network/attributes.ts'
import { type ElementTable, selectedIn } from '../graph/tables/use-element-table.ts'
import { formatNumber, text } from '../text/index.ts'
import { SetValueDialog } from './set-value-dialog.tsx'
import type { TableEditor } from './table-editor.ts'

/** Sets a value in all selected rows of a table, or removes these rows. */
export function SelectionBar({
  table,
  editor,
  columns
}: {
  table: ElementTable
  editor: TableEditor
  columns: Attribute[]
}) {
  const [isSetting, setIsSetting] = useState(false)
  const selected = selectedIn(table)
  const isNone = selected.size === 0
  return (
    <Group gap="xs" role="toolbar" aria-label={text.table.selection}>
      <Text size="sm" role="status">
        {text.table.selected(formatNumber(selected.size))}
      </Text>
      <Button size="xs" variant="default" disabled={isNone} onClick={() => setIsSetting(true)}>
        {text.table.setValue}
      </Button>
      <Button size="xs" variant="default" disabled={isNone} onClick={() => editor.remove(selected)}>
        {text.table.remove}
      </Button>
      {isSetting && (
        <SetValueDialog
          title={text.table.setValueOf(selected.size)}
          editor={editor}
          columns={columns.filter(({ key }) => editor.mayEdit(key))}
          indexes={selected}
          onClose={() => setIsSetting(false)}
        />
      )}
    </Group>
  )
}
