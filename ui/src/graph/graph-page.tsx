import { emptyContent, Problem } from '../api.ts'
import { LargeGraph } from '../large/large-graph.tsx'
import { FailureAlert, Loading } from '../shared/failure.tsx'
import { useTitle } from '../shared/title.ts'
import { text } from '../text/index.ts'
import { isDrawable } from './drawing/drawable.ts'
import { useGraph } from './graph.ts'
import { GraphView } from './graph-view.tsx'
import { MissingGraph } from './missing-graph.tsx'
import { useDefaultQuery } from './use-default-query.ts'
import { DefaultQueryProvider, useView } from './view/use-view.ts'

/** The page for a single graph. Shows only part of the graph if it is too large to draw. */
export default function GraphPage({ id }: { id: number }) {
  const isWholeInAddress = useView().read.whole ?? false
  const record = useGraph(id, isWholeInAddress)
  const defaultView = useDefaultQuery(record.data)
  const { whole } = useView(defaultView.query).read
  // Only the record of the graph names its default view. It has no content if the graph is too large to draw.
  const isWhole = isWholeInAddress || (whole === true && record.data !== undefined && !isDrawable(record.data))
  const graph = useGraph(id, isWhole)
  useTitle(graph.data?.name)
  if (graph.isPending) return <Loading label={text.graph.loading} />
  const gone = graph.error instanceof Problem && [400, 404].includes(graph.error.status) ? graph.error : undefined
  if (graph.data === undefined) {
    return gone ? <MissingGraph id={id} /> : <FailureAlert error={graph.error} retry={() => graph.refetch()} />
  }
  if (defaultView.isAwaited) return <Loading label={text.graph.loading} />
  const { content = emptyContent } = graph.data
  return (
    <DefaultQueryProvider value={defaultView.query}>
      {!isWhole && !isDrawable(graph.data) ? (
        <LargeGraph key={id} graph={graph.data} gone={gone} />
      ) : (
        <GraphView graph={graph.data} content={content} gone={gone} />
      )}
    </DefaultQueryProvider>
  )
}
