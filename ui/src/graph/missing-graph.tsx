import { Anchor, Button, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { api, type TrashedGraph, take } from '../api.ts'
import { GRAPHS, useRestoreTrashed } from '../graphs/graphs.ts'
import { Empty, FailureAlert, Loading } from '../shared/failure.tsx'
import { TimeAgo } from '../shared/time-ago.tsx'
import { useTitle } from '../shared/title.ts'
import { formatTime, text } from '../text/index.ts'

/** Replaces the page of a graph that was not found. If the graph is in the user's trash, offers to restore it. */
export function MissingGraph({ id }: { id: number }) {
  const trashed = useQuery({
    queryKey: [...GRAPHS, 'trash', id],
    queryFn: ({ signal }) => take(api.GET('/api/trash/{id}', { params: { path: { id } }, signal })),
    enabled: Number.isSafeInteger(id)
  })
  if (trashed.isLoading) return <Loading />
  if (trashed.data) return <Trashed graph={trashed.data} />
  return (
    <Empty isPage title={text.graph.missing}>
      <Anchor component={Link} href="/graphs">
        {text.graph.back}
      </Anchor>
    </Empty>
  )
}

function Trashed({ graph }: { graph: TrashedGraph }) {
  const { name, trashedAt, trashedBy, expiresAt } = graph
  useTitle(name)
  const restore = useRestoreTrashed()
  return (
    <Empty isPage title={text.trash.isInTrash(name)}>
      <Text>
        {text.trash.trashedBy(trashedBy)} <TimeAgo time={trashedAt} />. {text.trash.expires(formatTime(expiresAt))}
      </Text>
      {restore.error && <FailureAlert error={restore.error} />}
      <Group gap="md" justify="center">
        <Button loading={restore.isPending} onClick={() => restore.mutate(graph)}>
          {text.trash.restore}
        </Button>
        <Anchor component={Link} href="/trash">
          {text.trash.open}
        </Anchor>
        <Anchor component={Link} href="/graphs">
          {text.graph.back}
        </Anchor>
      </Group>
    </Empty>
  )
}
