import { Anchor, Group, Paper, Stack, Text } from '@mantine/core'
import { Link } from 'wouter'
import { isProblem } from '../api.ts'
import { FailureAlert } from '../shared/failure.tsx'
import { formatClock, text } from '../text/index.ts'
import { checkpointFileName, useCheckpoint } from './log.ts'
import { TextTools } from './text-tools.tsx'

/** The number of characters of a root to show, which is enough to tell roots apart. */
const SHORT = 12

/** The latest checkpoint. It is refetched with the list of events, which was fetched at `listedAt`. */
export function LastCheckpoint({ listedAt }: { listedAt: number }) {
  const { data, error, refetch } = useCheckpoint({ listedAt })
  if (error && !data && !isProblem(error, 'not-ready')) return <FailureAlert error={error} retry={() => refetch()} />
  return (
    <Paper component="section" withBorder px="md" py="xs" mb="md" aria-label={text.checkpoint.last}>
      <Group gap="xs" justify="space-between">
        <Stack gap={0} className="growing">
          <Text size="sm" fw={600} role="status">
            {data && text.checkpoint.lastOf(data.size)}
            {!data && (error ? text.checkpoint.none : text.checkpoint.looking)}
          </Text>
          <Text size="xs" c="dimmed" mih="1.55em">
            {data && text.checkpoint.line(data.root.slice(0, SHORT), formatClock(data.lookedAt))}
          </Text>
          <Text size="xs" c="dimmed" mih="1.55em" className="breakable" lineClamp={2}>
            {data && text.checkpoint.origin(data.origin)}
          </Text>
          <Anchor component={Link} href="/audits/checkpoints" size="xs">
            {text.checkpoint.why}
          </Anchor>
        </Stack>
        {data && <TextTools value={data.note} fileName={checkpointFileName(data.size)} labels={text.checkpoint} />}
      </Group>
    </Paper>
  )
}
