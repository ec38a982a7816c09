import { TextInput } from '@mantine/core'
import { useMemo, useState } from 'react'
import type { GraphContent } from '../api.ts'
import { FormDialog } from '../shared/dialog.tsx'
import { text } from '../text/index.ts'
import { freshId, idForLabel, withNode } from './edits.ts'
import { LENGTHS } from './lengths.ts'

/** Adds a node with a label and an id, which cannot be changed later. Until the user changes the id, it follows the label. */
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
  const [typedId, setTypedId] = useState<string>()
  const [label, setLabel] = useState('')
  const suggestedId = useMemo(
    () => (label.trim() === '' ? freshId(content, 'node') : idForLabel(content, label)),
    [content, label]
  )
  const id = typedId ?? suggestedId
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
        onChange={(event) => setTypedId(event.currentTarget.value)}
        required
      />
    </FormDialog>
  )
}
