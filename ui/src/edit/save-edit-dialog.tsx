import { Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { GraphContent } from '../api.ts'
import { FormDialog } from '../shared/dialog.tsx'
import { text } from '../text/index.ts'
import type { Editing } from './use-editing.ts'

/** Saves the edit as a new version with a message. */
export function SaveEditDialog({
  editing: { history, size, save },
  placed,
  onSaved,
  onClose
}: {
  editing: Pick<Editing, 'history' | 'size' | 'save'>
  /** Adds the places of all nodes. */
  placed: (content: GraphContent) => GraphContent
  onSaved: () => void
  onClose: () => void
}) {
  const [message, setMessage] = useState('')
  return (
    <FormDialog
      title={text.edit.save}
      submit={text.save}
      action={save}
      onSubmit={() =>
        history &&
        save.mutate(
          { message, from: history, placed },
          {
            onSuccess: (saved) => {
              if (!saved) return
              onSaved()
              onClose()
            }
          }
        )
      }
      // Stays open until the server responds, so that the edit cannot change.
      onClose={() => save.isPending || onClose()}
    >
      <Text size="sm">{text.edit.saveHint(size)}</Text>
      <TextInput
        label={text.edit.message}
        value={message}
        maxLength={500}
        readOnly={save.isPending}
        onChange={(event) => setMessage(event.currentTarget.value)}
        data-autofocus
      />
    </FormDialog>
  )
}
