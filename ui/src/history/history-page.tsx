import { Anchor, Group, SegmentedControl, Stack, Text, Title } from '@mantine/core'
import { Link, useSearchParams } from 'wouter'
import { emptyContent, type GraphRecord, Problem } from '../api.ts'
import { isDrawable } from '../graph/drawing/drawable.ts'
import { useRecord } from '../graph/graph.ts'
import { MissingGraph } from '../graph/missing-graph.tsx'
import { FailureAlert, Loading } from '../shared/failure.tsx'
import { useTitle } from '../shared/title.ts'
import { text } from '../text/index.ts'
import { DiffDrawing } from './diff-drawing.tsx'
import { DiffList } from './diff-list.tsx'
import { useDiff, useVersion } from './history.ts'
import { Versions } from './versions.tsx'

/** The page for comparing and restoring versions of a graph. */
export default function HistoryPage({ id }: { id: number }) {
  const graph = useRecord(id)
  useTitle(graph.data && text.history.of(graph.data.name))
  if (graph.isPending) return <Loading />
  if (graph.data === undefined) {
    return graph.error instanceof Problem && graph.error.status === 404 ? (
      <MissingGraph id={id} />
    ) : (
      <FailureAlert error={graph.error} retry={() => graph.refetch()} />
    )
  }
  return <History graph={graph.data} />
}

function History({ graph }: { graph: GraphRecord }) {
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
  // The list needs only the labels of nodes, which are not worth the download of a large graph.
  const after = useVersion(id, to, (as === 'drawing' || isDrawable(graph)) && to > 0)
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
      <div className="graph-body">
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it is scrollable */}
        <section className="history-versions" aria-label={text.history.versions} tabIndex={0}>
          <Versions graph={graph} from={from} to={to} onChoose={set} />
        </section>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it is scrollable */}
        <section className="graph-main scrolling" aria-label={text.history.differences} tabIndex={0}>
          {error && <FailureAlert error={error} />}
          {!error && diff.isPending && <Loading />}
          {diff.data?.truncated && (
            <Text p="md" size="sm" c="dimmed">
              {text.diff.truncated}
            </Text>
          )}
          {diff.data && as === 'list' && <DiffList diff={diff.data} after={after.data?.content} />}
          {diff.data && as === 'drawing' && after.data && (
            <DiffDrawing after={after.data.content ?? emptyContent} diff={diff.data} />
          )}
        </section>
      </div>
    </div>
  )
}
