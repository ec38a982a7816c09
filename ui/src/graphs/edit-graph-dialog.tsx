import { useState } from 'react'
import type { GraphRecord } from '../api.ts'
import { FormDialog } from '../shared/dialog.tsx'
import { text } from '../text/index.ts'
import { DescriptionFields } from './description-fields.tsx'
import { usePatchGraph } from './graphs.ts'

/** Edits name, type, description and sharing of a graph. */
export function EditGraphDialog({ graph, onClose }: { graph: GraphRecord; onClose: () => void }) {
  const { name, type = '', description = '', shared } = graph
  const [value, setValue] = useState({ name, type, description, shared })
  const patch = usePatchGraph()
  return (
    <FormDialog
      title={text.graphs.edit}
      submit={text.save}
      error={patch.error}
      isPending={patch.isPending}
      onSubmit={() => patch.mutate({ graph, changes: value }, { onSuccess: onClose })}
      onClose={onClose}
    >
      <DescriptionFields value={value} onChange={(changes) => setValue({ ...value, ...changes })} />
    </FormDialog>
  )
}
