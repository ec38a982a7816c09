import type { GraphRecord } from '../api.ts'
import { FormDialog } from '../shared/dialog.tsx'
import { text } from '../text/index.ts'
import { BothSides } from './both-sides.tsx'
import { DescriptionFields } from './description-fields.tsx'
import { useEditGraph } from './edit-graph.ts'
import { mayManage } from './graphs.ts'

/** Edits the name, type, description and tags of a graph. The owner can also edit the key. */
export function EditGraphDialog({ graph, onClose }: { graph: GraphRecord; onClose: () => void }) {
  const { value, save, differences, change, choose } = useEditGraph(graph)
  return (
    <FormDialog
      title={text.editDescription}
      submit={text.save}
      action={save}
      onSubmit={() => save.mutate(undefined, { onSuccess: (isSaved) => isSaved && onClose() })}
      onClose={onClose}
    >
      {differences && <BothSides differences={differences} choose={choose} isDisabled={save.isPending} />}
      <DescriptionFields value={value} isDisabled={save.isPending} hasKey={mayManage(graph)} onChange={change} />
    </FormDialog>
  )
}
