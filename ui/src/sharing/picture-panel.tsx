import { Anchor, Button, Group, SegmentedControl, Stack, Text, TextInput } from '@mantine/core'
import { IconBookmarkPlus } from '@tabler/icons-react'
import { useState } from 'react'
import type { GraphRecord } from '../api.ts'
import { viewOfQuery } from '../graph/view/style-address.ts'
import { CopyButton } from '../shared/copy-button.tsx'
import { lazyComponent } from '../shared/lazy-component.tsx'
import { text } from '../text/index.ts'
import { useSavedViews } from '../views/saved-views.ts'
import { useShownQuery } from '../views/shown-query.ts'
import { type ChosenView, ViewChoice } from './view-choice.tsx'

const SaveViewDialog = lazyComponent('save-view', () => import('../views/save-view-dialog.tsx'))

const forms = ['png', 'svg'] as const

/** Shows the server's picture of the graph in a chosen view, with its address. It can save the view on the screen first. */
export function PicturePanel({ graph }: { graph: GraphRecord }) {
  const [view, setView] = useState<ChosenView>('default')
  const [shown] = useState(useShownQuery())
  const [isSaving, setIsSaving] = useState(false)
  const { data: views = [] } = useSavedViews(graph.id)
  const [form, setForm] = useState<(typeof forms)[number]>('png')
  const query = view === 'default' ? '' : `?${new URLSearchParams({ view: view.slice('view:'.length) })}`
  const address = `${location.origin}/api/graphs/${graph.id}/picture.${form}${query}`
  return (
    <Stack>
      <Text size="sm">{text.picture.hint}</Text>
      <ViewChoice graph={graph} hint={text.picture.viewHint} value={view} onChange={setView} />
      {shown !== undefined && (
        <Group>
          <Button
            size="xs"
            variant="default"
            leftSection={<IconBookmarkPlus size={16} aria-hidden />}
            onClick={() => setIsSaving(true)}
          >
            {text.shownView.save}
          </Button>
        </Group>
      )}
      {shown !== undefined && isSaving && (
        <SaveViewDialog
          graphId={graph.id}
          views={views}
          view={viewOfQuery(shown)}
          onSaved={(name) => setView(`view:${name}`)}
          onClose={() => setIsSaving(false)}
        />
      )}
      <SegmentedControl
        size="xs"
        className="fixed"
        aria-label={text.picture.form}
        value={form}
        onChange={(value) => setForm(value as typeof form)}
        data={forms.map((value) => ({ value, label: value.toUpperCase() }))}
      />
      <TextInput
        label={text.picture.address}
        value={address}
        readOnly
        onFocus={(event) => event.currentTarget.select()}
      />
      <Group gap="xs">
        <CopyButton value={address} label={text.picture.copy} />
        <Anchor href={address} download={`${graph.name}.${form}`} size="sm">
          {text.picture.download(form.toUpperCase())}
        </Anchor>
      </Group>
      <img src={address} alt={text.picture.of(graph.name)} className="picture-preview" />
    </Stack>
  )
}
