import { SetValueDialog } from '../../edit/set-value-dialog.tsx'
import { tableEditor } from '../../edit/table-editor.ts'
import { text } from '../../text/index.ts'
import { useGraphContext } from '../graph-context.ts'
import { namesOfNodes } from '../tables/columns.ts'

/** Sets several nodes to the same value. Must be rendered during an edit. */
export function NodeValuesDialog({ nodes, onClose }: { nodes: ReadonlySet<number>; onClose: () => void }) {
  const { editing, view } = useGraphContext()
  const editor = tableEditor('node', editing, () => {})
  if (!editor) return null
  return (
    <SetValueDialog
      title={text.marks.setValueOf(nodes.size)}
      editor={editor}
      columns={[...namesOfNodes(view.network, true), ...view.nodes].filter(({ key }) => editor.mayEdit(key))}
      indexes={nodes}
      onClose={onClose}
    />
  )
}
