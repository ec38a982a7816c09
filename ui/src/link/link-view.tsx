import type { GraphContent, LinkedGraph } from '../api.ts'
import { Details } from '../graph/details/details.tsx'
import type { Element } from '../graph/drawing/drawing.ts'
import { NotDrawn, useDrawable } from '../graph/not-drawn.tsx'
import { useOpener } from '../graph/opener.ts'
import { useEdgesTable, useNodesTable } from '../graph/tables/use-tables.ts'
import { useGraphView } from '../graph/view/use-graph-view.ts'
import { tabWithoutSummary } from '../graph/view/view.ts'
import { ViewDrawing } from '../graph/view-drawing.tsx'
import type { GraphFile, MediaType } from '../graphs/formats.ts'
import { LayoutControls } from '../layout/layout-controls.tsx'
import type { LoadLayout } from '../layout/server-layout.ts'
import { useLayout } from '../layout/use-layout.ts'
import { Empty } from '../shared/failure.tsx'
import { useTitle } from '../shared/title.ts'
import { text } from '../text/index.ts'
import { LinkBar } from './link-bar.tsx'
import { LinkTable } from './link-table.tsx'

/** A read-only view of a link's graph, with a drawing and tables. */
export function LinkView({
  graph,
  content,
  fetchFile,
  loadLayout
}: {
  graph: LinkedGraph
  content: GraphContent
  fetchFile: (mediaType: MediaType) => Promise<GraphFile>
  loadLayout: LoadLayout
}) {
  useTitle(graph.name)
  const view = useGraphView(content)
  const { network, selected, select, look } = view
  const layout = useLayout(network, { camera: view.view.camera, load: loadLayout })
  const opener = useOpener()
  const [nodes, edges] = [useNodesTable(graph.name, view, false), useEdgesTable(graph.name, view, false)]

  const isEmpty = network.nodes.length === 0
  const tab = tabWithoutSummary(view.view)
  const isDrawing = tab === 'drawing'
  const { canBeDrawn, force } = useDrawable(network)
  const show = (element: Element | undefined) => {
    if (element && !selected) opener.remember()
    if (!element) opener.restore()
    select(element)
    if (element?.kind === 'node') layout.drawing.current?.goTo(element.index)
  }
  return (
    <main>
      <div className="graph-page">
        <LinkBar
          graph={graph}
          view={view}
          tab={tab}
          drawing={isDrawing && canBeDrawn ? layout.drawing : undefined}
          fetchFile={fetchFile}
          onFind={(index) => show({ kind: 'node', index })}
        />
        <div className="graph-body">
          <div className="graph-main">
            {isEmpty && <Empty title={text.graph.empty} />}
            {!isEmpty && isDrawing && !canBeDrawn && <NotDrawn network={network} force={force} />}
            {!isEmpty && isDrawing && canBeDrawn && (
              <ViewDrawing name={graph.name} view={view} layout={layout} onOpen={opener.remember}>
                {/* Visitors can run layouts, but the results are not saved. */}
                <LayoutControls layout={layout} />
              </ViewDrawing>
            )}
            {!isEmpty && tab === 'nodes' && (
              <LinkTable {...nodes} onSelect={(index) => show({ kind: 'node', index })} />
            )}
            {!isEmpty && tab === 'edges' && (
              <LinkTable {...edges} onSelect={(index) => show({ kind: 'edge', index })} />
            )}
          </div>
          {selected && (
            // biome-ignore lint/a11y/noNoninteractiveTabindex: it is scrollable
            <aside className="graph-side" aria-label={text.linkPage.side} tabIndex={0}>
              <Details
                key={`${selected.kind} ${selected.index}`}
                network={network}
                measures={view.measured}
                attributes={view}
                colourOf={look.appearance.nodeColour}
                element={selected}
                onSelect={show}
              />
            </aside>
          )}
        </div>
      </div>
    </main>
  )
}
