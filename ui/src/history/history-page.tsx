import {
  Anchor,
  Badge,
  Button,
  Group,
  Pagination,
  Radio,
  SegmentedControl,
  Stack,
  Table,
  Text,
  TextInput,
  Title
} from '@mantine/core'
import { useState } from 'react'
import { Link, useLocation, useSearchParams } from 'wouter'
import { useAccount } from '../account/account.ts'
import { type Graph, type GraphVersion, Problem } from '../api.ts'
import { useGraph } from '../graph/graph.ts'
import { mayWrite } from '../graphs/graphs.ts'
import { FormDialog } from '../shared/dialog.tsx'
import { Empty, FailureAlert, Loading } from '../shared/failure.tsx'
import { useTitle } from '../shared/title.ts'
import { formatNumber, formatTime, text } from '../text/index.ts'
import { DiffDrawing } from './diff-drawing.tsx'
import { DiffList } from './diff-list.tsx'
import { useDiff, useRestoreVersion, useVersion, useVersions } from './history.ts'

const SIZE = 20
const nothing = { directed: true, nodes: [], edges: [] }

/** The versions of a graph: what changed between two of them, and how to have one back. */
export default function HistoryPage({ id }: { id: number }) {
  const graph = useGraph(id)
  useTitle(graph.data && text.history.of(graph.data.name))
  if (graph.isPending) return <Loading />
  if (graph.data === undefined) {
    return graph.error instanceof Problem && graph.error.status === 404 ? (
      <Empty title={text.graph.missing} />
    ) : (
      <FailureAlert error={graph.error} retry={() => graph.refetch()} />
    )
  }
  return <History graph={graph.data} />
}

function History({ graph }: { graph: Graph }) {
  const { id, version: current } = graph
  const [params, setParams] = useSearchParams()
  const numberOf = (name: string, fallback: number) => {
    const value = Number(params.get(name) ?? Number.NaN)
    return Number.isInteger(value) && value >= 0 ? value : fallback
  }
  const to = numberOf('to', current)
  const from = numberOf('from', to - 1)
  const as = params.get('as') === 'list' ? 'list' : 'drawing'
  const set = (changes: Record<string, string | number>) =>
    setParams(
      (before) => {
        const after = new URLSearchParams(before)
        for (const [name, value] of Object.entries(changes)) after.set(name, String(value))
        return after
      },
      { replace: true }
    )
  const diff = useDiff(id, from, to, to > 0)
  const after = useVersion(id, to, as === 'drawing' && to > 0)
  const error = diff.error ?? (as === 'drawing' ? after.error : null)

  return (
    <div className="graph-page">
      <Group className="graph-bar" justify="space-between">
        <Stack gap={0}>
          <Anchor component={Link} href={`/graphs/${id}`} size="sm" className="breakable">
            {graph.name}
          </Anchor>
          <Title order={1} size="h4">
            {text.history.title}
          </Title>
        </Stack>
        <Group gap="sm">
          <Text size="sm" role="status">
            {from === 0 ? text.history.all(to) : text.history.between(from, to)}
          </Text>
          <SegmentedControl
            size="xs"
            aria-label={text.graph.views}
            value={as}
            onChange={(value) => set({ as: value })}
            data={[
              { value: 'drawing', label: text.graph.drawing },
              { value: 'list', label: text.history.list }
            ]}
          />
        </Group>
      </Group>
      <div className="graph-body history-body">
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls */}
        <section className="history-versions" aria-label={text.history.versions} tabIndex={0}>
          <Versions graph={graph} from={from} to={to} onChoose={set} />
        </section>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls */}
        <section className="graph-main scrolling" aria-label={text.history.differences} tabIndex={0}>
          {error && <FailureAlert error={error} />}
          {!error && diff.isPending && <Loading />}
          {diff.data?.truncated && (
            <Text p="md" size="sm" c="dimmed">
              {text.diff.truncated}
            </Text>
          )}
          {diff.data && as === 'list' && <DiffList diff={diff.data} />}
          {diff.data && as === 'drawing' && after.data && (
            <DiffDrawing after={after.data.content ?? nothing} diff={diff.data} />
          )}
        </section>
      </div>
    </div>
  )
}

function Versions({
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
  const user = useAccount()
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
                      {text.counts(formatNumber(row.nodeCount), formatNumber(row.edgeCount))}
                    </Text>
                  </div>
                  {mayWrite(user, graph) && row.version !== graph.version && (
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
              // To the comparison that the address does not name: of the newest version with the one before.
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
