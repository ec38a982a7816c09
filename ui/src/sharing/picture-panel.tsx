import { Anchor, Group, SegmentedControl, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { GraphRecord } from '../api.ts'
import { CopyButton } from '../shared/copy-button.tsx'
import { text } from '../text/index.ts'
import { type ChosenView, ViewChoice } from './view-choice.tsx'

const forms = ['png', 'svg'] as const

/** Shows the server's picture of the graph in a chosen view, with its address. */
export function PicturePanel({ graph }: { graph: GraphRecord }) {
  const [view, setView] = useState<ChosenView>('default')
  const [form, setForm] = useState<(typeof forms)[number]>('png')
  const query = view === 'default' ? '' : `?${new URLSearchParams({ view: view.slice('view:'.length) })}`
  const address = `${location.origin}/api/graphs/${graph.id}/picture.${form}${query}`
  return (
    <Stack>
      <Text size="sm">{text.picture.hint}</Text>
      <ViewChoice graph={graph} hint={text.picture.viewHint} value={view} onChange={setView} />
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
