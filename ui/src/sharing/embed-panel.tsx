import { Button, Group, NativeSelect, Stack, Text, Textarea } from '@mantine/core'
import { useState } from 'react'
import type { GraphRecord, Link } from '../api.ts'
import { CopyButton } from '../shared/copy-button.tsx'
import { FailureAlert, Loading } from '../shared/failure.tsx'
import { text } from '../text/index.ts'
import { LinkDialog } from './link-dialog.tsx'
import { addressOf, frameOf, useLinks } from './links.ts'
import { nameOfView } from './view-choice.tsx'

/** Shows the HTML that embeds a link's graph in an allowed site, with a preview. The link can be edited, for example its view. */
export function EmbedPanel({ graph }: { graph: GraphRecord }) {
  const links = useLinks(graph.id)
  const [chosen, setChosen] = useState('')
  const [edited, setEdited] = useState<{ link: Link | undefined }>()
  if (links.isPending) return <Loading />
  if (!links.data) return <FailureAlert error={links.error} retry={() => links.refetch()} />
  const framed = links.data.filter(({ origins }) => origins.length > 0)
  const link = framed.find(({ id }) => String(id) === chosen) ?? framed[0]
  return (
    <Stack>
      {link ? (
        <Frame graph={graph} link={link} links={framed} onChoose={setChosen} />
      ) : (
        <Text size="sm">{text.links.noneFramed}</Text>
      )}
      <Group>
        <Button size="xs" variant="default" onClick={() => setEdited({ link })}>
          {link ? text.links.changeOne(link.name) : text.links.create}
        </Button>
      </Group>
      {edited && <LinkDialog graph={graph} link={edited.link} onClose={() => setEdited(undefined)} />}
    </Stack>
  )
}

/** The HTML of a link, its view and its sites. */
function Frame({
  graph,
  link,
  links,
  onChoose
}: {
  graph: GraphRecord
  link: Link
  /** The links from which to choose. */
  links: Link[]
  onChoose: (id: string) => void
}) {
  const [isPreviewed, setIsPreviewed] = useState(false)
  const html = frameOf(link, graph.name)
  return (
    <>
      <NativeSelect
        label={text.links.tab}
        data={links.map(({ id, name }) => ({ value: String(id), label: name ?? text.links.unnamed }))}
        value={String(link.id)}
        onChange={(event) => {
          onChoose(event.currentTarget.value)
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
    </>
  )
}
