import { Button, Group, Stack, Text, Title } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import type { GraphRecord, Link } from '../api.ts'
import { ConfirmDialog } from '../shared/dialog.tsx'
import { FailureAlert, Loading } from '../shared/failure.tsx'
import { text } from '../text/index.ts'
import { LinkDialog } from './link-dialog.tsx'
import { LinkRow } from './link-row.tsx'
import { useLinks, useRevokeLink } from './links.ts'

/** Lists a graph's links, with buttons to create, copy, edit and revoke them. */
export function LinksPanel({ graph }: { graph: GraphRecord }) {
  const links = useLinks(graph.id)
  const [edited, setEdited] = useState<{ link: Link | undefined }>()
  const [revoked, setRevoked] = useState<Link>()
  const heading = useRef<HTMLHeadingElement>(null)
  return (
    <Stack>
      <Text size="sm">{text.links.hint}</Text>
      {links.error && <FailureAlert error={links.error} retry={() => links.refetch()} />}
      {links.isPending && <Loading />}
      {links.data && (
        <section aria-labelledby="links">
          <Title order={3} size="h6" mb="xs" id="links" ref={heading} tabIndex={-1}>
            {text.links.title}
          </Title>
          {links.data.length === 0 && <Text size="sm">{text.links.none}</Text>}
          <Stack component="ul" gap="md" className="plain-list">
            {links.data.map((link) => (
              <LinkRow
                key={link.id}
                link={link}
                onChange={() => setEdited({ link })}
                onRevoke={() => setRevoked(link)}
              />
            ))}
          </Stack>
        </section>
      )}
      <Group>
        <Button
          variant="default"
          leftSection={<IconPlus size={18} aria-hidden />}
          onClick={() => setEdited({ link: undefined })}
        >
          {text.links.create}
        </Button>
      </Group>
      {edited && <LinkDialog graph={graph} link={edited.link} onClose={() => setEdited(undefined)} />}
      {revoked && (
        <RevokeDialog
          graph={graph}
          link={revoked}
          onClose={() => setRevoked(undefined)}
          // The focused row no longer exists.
          onRevoked={() => heading.current?.focus()}
        />
      )}
    </Stack>
  )
}

/** Asks for confirmation, then revokes a link. */
function RevokeDialog({
  graph,
  link,
  onClose,
  onRevoked
}: {
  graph: GraphRecord
  link: Link
  onClose: () => void
  onRevoked: () => void
}) {
  const revoke = useRevokeLink(graph.id)
  return (
    <ConfirmDialog
      title={text.links.revokeOne(link.name)}
      question={text.links.revokeQuestion}
      submit={text.links.revoke}
      action={revoke}
      onSubmit={() =>
        revoke.mutate(link.id, {
          onSuccess: () => {
            onClose()
            onRevoked()
          }
        })
      }
      onClose={onClose}
    />
  )
}
