import { Divider, Stack } from '@mantine/core'
import type { Element } from '../graph/drawing/drawing.ts'
import type { GraphViewState } from '../graph/view/use-graph-view.ts'
import { ConnectForm } from './connect-form.tsx'
import { ElementForm } from './element-form.tsx'
import type { Editing } from './use-editing.ts'

/** The forms beside a drawing or table for editing the selected node or edge. */
export function EditSide({
  editing: { content, change, undo, redo },
  element,
  view: { network, finder },
  onRemove
}: {
  editing: Pick<Editing, 'content' | 'change' | 'undo' | 'redo'>
  element: Element
  view: Pick<GraphViewState, 'network' | 'finder'>
  /** Called to remove the element. */
  onRemove: () => void
}) {
  return (
    <Stack gap="md" className="details">
      <ElementForm
        content={content}
        element={element}
        onChange={change}
        onRemove={onRemove}
        onUndo={undo}
        onRedo={redo}
      />
      {element.kind === 'node' && (
        <ConnectForm
          content={content}
          network={network}
          finder={finder}
          nodes={new Set([element.index])}
          onChange={change}
        />
      )}
      <Divider />
    </Stack>
  )
}
