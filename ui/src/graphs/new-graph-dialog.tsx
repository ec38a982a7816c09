import { useState } from 'react'
import type { GraphRecord } from '../api.ts'
import { FormDialog } from '../shared/dialog.tsx'
import { text } from '../text/index.ts'
import { DescriptionFields } from './description-fields.tsx'
import { type Description, useCreateGraph } from './graphs.ts'

const nothing: Description = { name: '', type: '', description: '', shared: false }

/** Creates a graph without content. */
export function NewGraphDialog({
  onClose,
  onCreated
}: {
  onClose: () => void
  onCreated: (graph: GraphRecord) => void
}) {
  const [value, setValue] = useState(nothing)
  const create = useCreateGraph()
  return (
    <FormDialog
      title={text.graphs.create}
      submit={text.graphs.createSubmit}
      error={create.error}
      isPending={create.isPending}
      onSubmit={() => create.mutate(value, { onSuccess: onCreated })}
      onClose={onClose}
    >
      <DescriptionFields value={value} onChange={(changes) => setValue({ ...value, ...changes })} />
    </FormDialog>
  )
}
