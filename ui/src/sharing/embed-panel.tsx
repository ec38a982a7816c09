import { Button, Group, NativeSelect, Stack, Text, Textarea } from '@mantine/core'
import { useState } from 'react'
import type { GraphRecord, Link } from '../api.ts'
import { CopyButton } from '../shared/copy-button.tsx'
import { FailureAlert, Loading } from '../shared/failure.tsx'
import { Form } from '../shared/form.tsx'
import { text } from '../text/index.ts'
import { LinkDialog } from './link-dialog.tsx'
import { addressOf, frameOf, originsIn, useLinks, useSaveLink } from './links.ts'
import { OriginsField } from './origins-field.tsx'
import { nameOfView, useLinkView, ViewChoice } from './view-choice.tsx'

/** Shows the HTML that embeds a link's graph in an allowed site, with a preview. If no site is allowed yet, creates a link. */
export function EmbedPanel({ graph }: { graph: GraphRecord }) {
  const links = useLinks(graph.id)
  const [chosen, setChosen] = useState('')
  const [isEdited, setIsEdited] = useState(false)
  if (links.isPending) return <Loading />
  if (!links.data) return <FailureAlert error={links.error} retry={() => links.refetch()} />
  const framed = links.data.filter(({ origins }) => origins.length > 0)
  const link = framed.find(({ id }) => String(id) === chosen) ?? framed[0]
  if (!link) return <NewFrame graph={graph} />
  return (
    <Stack>
      <Frame graph={graph} link={link} links={framed} onChoose={setChosen} />
      <Group>
        <Button size="xs" variant="default" onClick={() => setIsEdited(true)}>
          {text.links.changeOne(link.name)}
        </Button>
      </Group>
      {isEdited && <LinkDialog graph={graph} link={link} onClose={() => setIsEdited(false)} />}
    </Stack>
  )
}

/** Creates a link that sites may embed. */
function NewFrame({ graph }: { graph: GraphRecord }) {
  const save = useSaveLink(graph.id, undefined)
  const [sites, setSites] = useState('')
  const choice = useLinkView(undefined)
  const origins = originsIn(sites)
  return (
    <Form onSubmit={() => save.mutate({ name: text.links.embedded, origins, ...choice.patch })}>
      <Stack>
        <Text size="sm">{text.links.noneFramed}</Text>
        {save.error && <FailureAlert error={save.error} />}
        <OriginsField hint={text.links.sitesHint} value={sites} onChange={setSites} />
        <ViewChoice graph={graph} hint={text.links.viewHint} {...choice.field} />
        <Group>
          <Button type="submit" loading={save.isPending} disabled={origins.length === 0}>
            {text.links.createEmbed}
          </Button>
        </Group>
      </Stack>
    </Form>
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
