import { Badge, Button, Group, Pagination, Radio, Table, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useLocation } from 'wouter'
import type { Graph, GraphVersion } from '../api.ts'
import { mayChange } from '../graphs/graphs.ts'
import { FormDialog } from '../shared/dialog.tsx'
import { FailureAlert, Loading } from '../shared/failure.tsx'
import { formatTime, text } from '../text/index.ts'
import { useRestoreVersion, useVersions } from './history.ts'

const SIZE = 20

/** The versions of a graph. The user selects two to compare, or one to restore if permitted. */
export function Versions({
  graph,
  from,
  to,
  onChoose
}: {
  graph: Graph
  from: number
  to: number
  onChoose: (changes: { from?: number; to?: number }) => void
}) {
  const [page, setPage] = useState(0)
  const [restored, setRestored] = useState<GraphVersion>()
  const versions = useVersions(graph.id, { page, size: SIZE })
  if (versions.isPending) return <Loading />
  if (versions.error) return <FailureAlert error={versions.error} retry={() => versions.refetch()} />
  const { rows, total } = versions.data
  return (
    <>
      <Table verticalSpacing="xs">
        <Table.Caption className="visually-hidden">{text.history.versions}</Table.Caption>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{text.history.from}</Table.Th>
            <Table.Th scope="col">{text.history.to}</Table.Th>
            <Table.Th scope="col">{text.history.version}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <Table.Tr key={row.version}>
              <Table.Td>
                <Radio
                  name="from"
                  aria-label={text.history.fromVersion(row.version)}
                  checked={from === row.version}
                  disabled={row.version >= to}
                  onChange={() => onChoose({ from: row.version })}
                />
              </Table.Td>
              <Table.Td>
                <Radio
                  name="to"
                  aria-label={text.history.toVersion(row.version)}
                  checked={to === row.version}
                  onChange={() => onChoose({ to: row.version, from: Math.min(from, row.version - 1) })}
                />
              </Table.Td>
              <Table.Td>
                <Group gap="xs" justify="space-between" align="start">
                  <div>
                    <Group gap="xs">
                      <Text size="sm" fw={600}>
                        {text.history.number(row.version)}
                      </Text>
                      {row.version === graph.version && <Badge size="sm">{text.history.current}</Badge>}
                      {row.restoredFrom && (
                        <Badge size="sm" variant="default">
                          {text.history.restoredFrom(row.restoredFrom)}
                        </Badge>
                      )}
                    </Group>
                    <Text size="sm">{text.history.by(row.principal, formatTime(row.timestamp))}</Text>
                    {row.message && (
                      <Text size="sm" className="breakable">
                        “{row.message}”
                      </Text>
                    )}
                    <Text size="xs" c="dimmed">
                      {text.counts(row.nodeCount, row.edgeCount)}
                    </Text>
                  </div>
                  {mayChange(graph) && row.version !== graph.version && (
                    <Button
                      size="compact-xs"
                      variant="default"
                      aria-label={text.history.restoreVersion(row.version)}
                      onClick={() => setRestored(row)}
                    >
                      {text.history.restore}
                    </Button>
                  )}
                </Group>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {total > SIZE && (
        <Pagination
          m="md"
          size="sm"
          total={Math.ceil(total / SIZE)}
          value={page + 1}
          onChange={(value) => setPage(value - 1)}
          getControlProps={(control) => ({ 'aria-label': text.list[control] })}
          getItemProps={(number) => ({ 'aria-label': text.list.page(number) })}
        />
      )}
      {restored && <RestoreDialog id={graph.id} version={restored.version} onClose={() => setRestored(undefined)} />}
    </>
  )
}

function RestoreDialog({ id, version, onClose }: { id: number; version: number; onClose: () => void }) {
  const [, navigate] = useLocation()
  const [message, setMessage] = useState('')
  const restore = useRestoreVersion(id)
  return (
    <FormDialog
      title={text.history.restoreVersion(version)}
      submit={text.history.restore}
      error={restore.error}
      isPending={restore.isPending}
      onSubmit={() =>
        restore.mutate(
          { version, message },
          {
            onSuccess: () => {
              onClose()
              // Shows the default comparison: the newest version with the one before.
              navigate(`/graphs/${id}/history`, { replace: true })
            }
          }
        )
      }
      onClose={onClose}
    >
      <Text size="sm">{text.history.restoreHint}</Text>
      <TextInput
        label={text.history.message}
        value={message}
        onChange={(event) => setMessage(event.currentTarget.value)}
        maxLength={500}
        data-autofocus
      />
    </FormDialog>
  )
}
