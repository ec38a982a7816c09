import { Button, Group, NativeSelect, Stack, Text, Textarea } from '@mantine/core'
import { useState } from 'react'
import type { GraphRecord } from '../api.ts'
import { CopyButton } from '../shared/copy-button.tsx'
import { FailureAlert, Loading } from '../shared/failure.tsx'
import { text } from '../text/index.ts'
import { addressOf, frameOf, useLinks } from './links.ts'
import { nameOfView } from './view-choice.tsx'

/** Shows the HTML that embeds a link's graph in an allowed site, with a preview. */
export function EmbedPanel({ graph }: { graph: GraphRecord }) {
  const links = useLinks(graph.id)
  const [chosen, setChosen] = useState('')
  const [isPreviewed, setIsPreviewed] = useState(false)
  if (links.isPending) return <Loading />
  if (!links.data) return <FailureAlert error={links.error} retry={() => links.refetch()} />
  const framed = links.data.filter(({ origins }) => origins.length > 0)
  const link = framed.find(({ id }) => String(id) === chosen) ?? framed[0]
  if (!link) return <Text size="sm">{text.links.noneFramed}</Text>
  const html = frameOf(link, graph.name)
  return (
    <Stack>
      <NativeSelect
        label={text.links.tab}
        data={framed.map(({ id, name }) => ({ value: String(id), label: name ?? text.links.unnamed }))}
        value={String(link.id)}
        onChange={(event) => {
          setChosen(event.currentTarget.value)
          setIsPreviewed(false)
        }}
      />
      <Text size="sm" className="breakable">
        {nameOfView(link.view)} · {text.links.framedBy(link.origins.join(', '))}
      </Text>
      <Textarea
        label={text.links.html}
        value={html}
        readOnly
        autosize
        maxRows={8}
        onFocus={(event) => event.currentTarget.select()}
      />
      <Group gap="xs">
        <CopyButton value={html} label={text.links.copyHtml} />
        <Button size="xs" variant="default" aria-expanded={isPreviewed} onClick={() => setIsPreviewed(!isPreviewed)}>
          {text.links.preview}
        </Button>
      </Group>
      {isPreviewed && <iframe src={addressOf(link)} title={text.links.previewOf(graph.name)} className="embedded" />}
    </Stack>
  )
}
