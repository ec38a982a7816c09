import { TextInput } from '@mantine/core'
import { useState } from 'react'
import type { GraphContent } from '../api.ts'
import { FormDialog } from '../shared/dialog.tsx'
import { text } from '../text/index.ts'
import { freshId, withNode } from './edits.ts'
import { LENGTHS } from './lengths.ts'

/** Adds a node with a label and an id, which cannot be changed later. */
export function NewNodeDialog({
  content,
  onAdd,
  onClose
}: {
  content: GraphContent
  /** Called with the new content and the id of the node. */
  onAdd: (content: GraphContent, id: string) => void
  onClose: () => void
}) {
  const [id, setId] = useState(() => freshId(content, 'node'))
  const [label, setLabel] = useState('')
  const isTaken = content.nodes.some((node) => node.id === id)
  return (
    <FormDialog
      title={text.edit.addNode}
      submit={text.edit.addNode}
      isDisabled={isTaken || id === ''}
      onSubmit={() => {
        onAdd(withNode(content, { id, ...(label !== '' && { label }) }), id)
        onClose()
      }}
      onClose={onClose}
    >
      <TextInput
        label={text.attributes.label}
        value={label}
        maxLength={LENGTHS.label}
        onChange={(event) => setLabel(event.currentTarget.value)}
        data-autofocus
      />
      <TextInput
        label={text.attributes.id}
        description={text.edit.idHint}
        value={id}
        maxLength={LENGTHS.id}
        error={isTaken ? text.edit.idTaken : undefined}
        onChange={(event) => setId(event.currentTarget.value)}
        required
      />
    </FormDialog>
  )
}
