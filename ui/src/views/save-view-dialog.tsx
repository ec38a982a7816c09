import { Autocomplete, Text } from '@mantine/core'
import { useState } from 'react'
import type { SavedView } from '../api.ts'
import { FormDialog } from '../shared/dialog.tsx'
import { notify } from '../shared/notify.ts'
import { text } from '../text/index.ts'
import { useSaveView } from './saved-views.ts'

/** The maximum length of a name, in characters. */
const LONGEST = 100

/** Saves the current view under a name, replacing any view with the same name. */
export default function SaveViewDialog({
  graphId,
  views,
  view,
  onSaved,
  onClose
}: {
  graphId: number
  views: SavedView[]
  /** The current query string of the page, and the style. */
  view: Pick<SavedView, 'query' | 'style'>
  onSaved?: (name: string) => void
  onClose: () => void
}) {
  const [typed, setTyped] = useState('')
  const save = useSaveView(graphId)
  const name = typed.trim()
  const replaced = views.find((view) => view.name === name)
  return (
    <FormDialog
      title={text.views.save}
      submit={text.save}
      action={save}
      isDisabled={name === ''}
      onSubmit={() =>
        save.mutate(
          { name, view },
          {
            onSuccess: () => {
              notify({ message: text.views.saved(name) })
              onSaved?.(name)
              onClose()
            }
          }
        )
      }
      onClose={onClose}
    >
      <Text size="sm">{text.views.hint}</Text>
      <Autocomplete
        label={text.views.name}
        value={typed}
        onChange={setTyped}
        maxLength={LONGEST}
        data={views.map(({ name }) => name)}
        required
        data-autofocus
      />
      <Text size="sm" role="status">
        {replaced && text.views.replaces(replaced.savedBy)}
      </Text>
    </FormDialog>
  )
}
