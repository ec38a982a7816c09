import { Anchor, Button, Group, Stack, Text } from '@mantine/core'
import type { Link } from '../api.ts'
import { CopyButton } from '../shared/copy-button.tsx'
import { TimeAgo } from '../shared/time-ago.tsx'
import { formatTime, text } from '../text/index.ts'
import { addressOf } from './links.ts'
import { nameOfView } from './view-choice.tsx'

/** Shows what a link allows and how often it was opened, with buttons for its actions. */
export function LinkRow({ link, onChange, onRevoke }: { link: Link; onChange: () => void; onRevoke: () => void }) {
  const { name, openCount, lastOpenedAt } = link
  return (
    <Group component="li" justify="space-between" align="start" data-link={link.id}>
      <Stack gap={0} className="shrinking">
        <Text fw={600} className="breakable">
          {name ?? text.links.unnamed}
        </Text>
        <Anchor size="sm" className="breakable" href={addressOf(link)} target="_blank">
          {addressOf(link)}
        </Anchor>
        <Text size="sm" className="breakable">
          {factsOf(link).join(' · ')}
        </Text>
        <Text size="sm" c="dimmed">
          {text.links.opened(openCount)} {lastOpenedAt && <TimeAgo time={lastOpenedAt} />}
        </Text>
      </Stack>
      <Group gap="xs" wrap="nowrap">
        <CopyButton value={addressOf(link)} label={text.links.copyOne(name)} />
        <Button size="xs" variant="default" aria-label={text.links.changeOne(name)} onClick={onChange}>
          {text.links.change}
        </Button>
        <Button size="xs" variant="default" aria-label={text.links.revokeOne(name)} onClick={onRevoke}>
          {text.links.revoke}
        </Button>
      </Group>
    </Group>
  )
}

function factsOf({ view, version, expiresAt, hasPassword, downloads, preview, origins }: Link): string[] {
  return [
    version === undefined ? text.links.latest : text.version(version),
    ...(expiresAt ? [text.links.until(formatTime(expiresAt), Date.parse(expiresAt) <= Date.now())] : []),
    ...(hasPassword ? [text.links.hasPassword] : []),
    ...(downloads ? [text.links.hasDownloads] : []),
    ...(preview ? [text.links.hasPicture] : []),
    ...(origins.length > 0 ? [text.links.framedBy(origins.join(', '))] : []),
    nameOfView(view)
  ]
}
