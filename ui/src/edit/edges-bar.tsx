import { useState } from 'react'
import type { Attribute } from '../graph/network/attributes.ts'
import { text } from '../text/index.ts'
import { SelectionBar } from './selection-bar.tsx'
import { SetValueDialog } from './set-value-dialog.tsx'
import type { TableEditor } from './table-editor.ts'

/** Sets a value in all selected rows of a table of edges, or removes these rows. */
export function EdgesBar({
  edges,
  editor,
  columns,
  onClear
}: {
  edges: ReadonlySet<number>
  editor: TableEditor
  columns: Attribute[]
  onClear: () => void
}) {
  const [isSetting, setIsSetting] = useState(false)
  const actions = [
    { label: text.table.setValue, onClick: () => setIsSetting(true) },
    { label: text.table.remove, onClick: () => editor.remove(edges) }
  ]
  return (
    <>
      <SelectionBar title={text.table.selection} count={edges.size} actions={actions} onClear={onClear} />
      {isSetting && (
        <SetValueDialog
          title={text.table.setValueOf(edges.size)}
          editor={editor}
          columns={columns.filter(({ key }) => editor.mayEdit(key))}
          indexes={edges}
          onClose={() => setIsSetting(false)}
        />
      )}
    </>
  )
}
