import { emptyContent, Problem } from '../api.ts'
import { LargeGraph } from '../large/large-graph.tsx'
import { FailureAlert, Loading } from '../shared/failure.tsx'
import { useTitle } from '../shared/title.ts'
import { text } from '../text/index.ts'
import { isDrawable } from './drawing/drawable.ts'
import { useGraph } from './graph.ts'
import { GraphView } from './graph-view.tsx'
import { MissingGraph } from './missing-graph.tsx'
import { useView } from './view/use-view.ts'

/** The page for a single graph. Shows only part of the graph if it is too large to draw. */
export default function GraphPage({ id }: { id: number }) {
  const isWhole = useView().read.whole ?? false
  const graph = useGraph(id, isWhole)
  useTitle(graph.data?.name)
  if (graph.isPending) return <Loading label={text.graph.loading} />
  const gone = graph.error instanceof Problem && [400, 404].includes(graph.error.status) ? graph.error : undefined
  if (graph.data === undefined) {
    return gone ? <MissingGraph id={id} /> : <FailureAlert error={graph.error} retry={() => graph.refetch()} />
  }
  if (!isWhole && !isDrawable(graph.data)) return <LargeGraph key={id} graph={graph.data} gone={gone} />
  const { content = emptyContent } = graph.data
  return <GraphView graph={graph.data} content={content} gone={gone} />
}
