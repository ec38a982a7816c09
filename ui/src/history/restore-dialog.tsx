import { Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { FormDialog } from '../shared/dialog.tsx'
import { text } from '../text/index.ts'
import { useRestoreVersion } from './history.ts'

/** Restores an old version as a new one, with a message. */
export function RestoreDialog({ id, version, onClose }: { id: number; version: number; onClose: () => void }) {
  const [, navigate] = useLocation()
  const [message, setMessage] = useState('')
  const restore = useRestoreVersion(id)
  return (
    <FormDialog
      title={text.history.restoreVersion(version)}
      submit={text.history.restore}
      action={restore}
      onSubmit={() =>
        restore.mutate(
          { version, message },
          {
            onSuccess: () => {
              onClose()
              // Shows the default comparison between the latest version and the previous one.
              navigate(`/graphs/${id}/history`, { replace: true })
            }
          }
        )
      }
      onClose={onClose}
    >
      <Text size="sm">{text.history.restoreHint}</Text>
      <TextInput
        label={text.history.message}
        value={message}
        onChange={(event) => setMessage(event.currentTarget.value)}
        maxLength={500}
        data-autofocus
      />
    </FormDialog>
  )
}
