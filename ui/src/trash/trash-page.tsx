import { Button, Container, Group, Text, Title } from '@mantine/core'
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, type TrashedGraph, take, takePage } from '../api.ts'
import { GRAPHS, refreshGraphs, useRestoreTrashed } from '../graphs/graphs.ts'
import { ConfirmDialog } from '../shared/dialog.tsx'
import { Empty, FailureAlert, Loading } from '../shared/failure.tsx'
import { useListState } from '../shared/list-state.ts'
import { type Column, Records } from '../shared/records.tsx'
import { TimeAgo } from '../shared/time-ago.tsx'
import { useTitle } from '../shared/title.ts'
import { formatNumber, formatTime, text } from '../text/index.ts'

/** The trash, where users can restore graphs or delete them permanently. */
export default function TrashPage() {
  useTitle(text.nav.trash)
  const list = useListState('trashedAt,desc')
  const trash = useQuery({
    queryKey: [...GRAPHS, 'trash', list.query],
    queryFn: ({ signal }) => takePage(api.GET('/api/trash', { params: { query: list.query }, signal })),
    placeholderData: keepPreviousData
  })
  const [purged, setPurged] = useState<TrashedGraph>()
  const purge = useMutation({
    mutationFn: ({ id }: TrashedGraph) => take(api.DELETE('/api/trash/{id}', { params: { path: { id } } })),
    onSuccess: refreshGraphs
  })
  const restore = useRestoreTrashed()

  const columns: Column<TrashedGraph>[] = [
    {
      key: 'name',
      title: text.graph.name,
      isSorted: true,
      isNarrow: true,
      cell: ({ name }) => <Text className="breakable">{name}</Text>
    },
    { key: 'owner', title: text.graph.owner, isSorted: true, cell: ({ owner }) => owner },
    {
      key: 'nodeCount',
      title: text.graph.nodes,
      isSorted: true,
      isNumber: true,
      cell: ({ nodeCount }) => formatNumber(nodeCount)
    },
    {
      key: 'trashedAt',
      title: text.trash.trashedAt,
      isSorted: true,
      cell: ({ trashedAt }) => <TimeAgo time={trashedAt} />
    },
    { key: 'expiresAt', title: text.trash.expiresAt, cell: ({ expiresAt }) => formatTime(expiresAt) },
    {
      key: 'actions',
      title: text.actions,
      isNarrow: true,
      cell: (graph) => (
        <Group gap="xs">
          <Button
            size="compact-sm"
            variant="default"
            aria-label={text.trash.restoreName(graph.name)}
            loading={restore.isPending && restore.variables.id === graph.id}
            onClick={() => restore.mutate(graph)}
          >
            {text.trash.restore}
          </Button>
          <Button
            size="compact-sm"
            variant="subtle"
            color="red"
            aria-label={text.trash.purgeName(graph.name)}
            onClick={() => setPurged(graph)}
          >
            {text.trash.purge}
          </Button>
        </Group>
      )
    }
  ]

  return (
    <Container size="xl" py="lg">
      <Title order={1} size="h2" mb="md">
        {text.nav.trash}
      </Title>
      {restore.error && <FailureAlert error={restore.error} />}
      {trash.error && <FailureAlert error={trash.error} retry={() => trash.refetch()} />}
      {trash.isPending && <Loading />}
      {trash.data && trash.data.total > 0 && (
        <Records caption={text.nav.trash} columns={columns} page={trash.data} rowKey={({ id }) => id} list={list} />
      )}
      {trash.data?.total === 0 && (
        <Empty title={text.trash.none}>
          <Text c="dimmed">{text.trash.hint}</Text>
        </Empty>
      )}
      {purged && (
        <ConfirmDialog
          title={text.trash.purge}
          question={text.trash.purgeQuestion(purged.name)}
          submit={text.trash.purge}
          action={purge}
          onSubmit={() => purge.mutate(purged, { onSuccess: () => setPurged(undefined) })}
          onClose={() => setPurged(undefined)}
        />
      )}
    </Container>
  )
}
