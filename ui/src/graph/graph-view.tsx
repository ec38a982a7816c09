import { useMediaQuery, useWindowEvent } from '@mantine/hooks'
import { useEffect, useRef, useState } from 'react'
import type { Graph, GraphContent } from '../api.ts'
import { EditBar } from '../edit/edit-bar.tsx'
import { useEditing } from '../edit/use-editing.ts'
import { FileDrop } from '../graphs/file-drop.tsx'
import { GraphDialogs } from '../graphs/graph-dialogs.tsx'
import { refreshGraphs } from '../graphs/graphs.ts'
import { useLayout } from '../layout/use-layout.ts'
import { usePins } from '../layout/use-pins.ts'
import { useSearchOf } from '../search/page-search.ts'
import { FailureAlert } from '../shared/failure.tsx'
import { ShownQueryProvider } from '../views/shown-query.ts'
import { AttributesNote } from './attributes-note.tsx'
import { useLoadLayout, useSavePositions } from './graph.ts'
import { GraphBar } from './graph-bar.tsx'
import { type GraphContext, GraphProvider, type PartView } from './graph-context.ts'
import { GraphDrawing } from './graph-drawing.tsx'
import { NoDrawing, NoNodes } from './graph-empty.tsx'
import { GraphSide } from './graph-side.tsx'
import { EdgesTable, NodesTable } from './graph-tables.tsx'
import { GraphTools } from './graph-tools.tsx'
import { useMarks } from './marks/use-marks.ts'
import { useDrawable } from './not-drawn.tsx'
import { useOpener } from './opener.ts'
import { useFollowedView } from './use-followed-view.ts'
import { useFoundNode } from './use-found-node.ts'
import { useSide } from './use-side.ts'
import { useGraphView } from './view/use-graph-view.ts'
import { tabWithoutSummary, writeView } from './view/view.ts'

/** Shows a graph as a drawing and tables, with all its actions. */
export function GraphView({
  graph,
  content: stored,
  gone,
  part
}: {
  graph: Graph
  /** The content of the whole graph or of a part. */
  content: GraphContent
  /** The error if the graph is deleted or unshared while it is open. Unsaved changes are kept. */
  gone: Error | undefined
  part?: PartView
}) {
  const isNarrow = useMediaQuery('(max-width: 48em)')
  const editing = useEditing(graph, stored, part !== undefined)
  const view = useGraphView(editing.content, editing.history?.stored)
  const { network, selected, select, change } = view
  const pins = usePins(network)
  const marks = useMarks(network)
  const load = useLoadLayout(graph.id)
  const layout = useLayout(network, {
    camera: view.view.camera,
    isGrowing: part !== undefined,
    isEdited: editing.isChanging,
    pinned: pins.pinned,
    load: part ? undefined : load
  })
  const { arrangement } = layout
  const lastArrangement = useRef(arrangement)
  // During an edit, places are part of the content, and are undone and saved with it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once after each layout or drag
  useEffect(() => {
    if (!arrangement || arrangement === lastArrangement.current) return
    lastArrangement.current = arrangement
    if (!editing.history) return
    layout.send()
    editing.change(layout.withPlaces(editing.content))
  }, [arrangement])
  useFoundNode(network, selected, layout)
  useFollowedView(view, layout)
  // The Back button restores the previous camera.
  useWindowEvent('popstate', () => layout.moveTo(view.readNow().camera))
  const save = useSavePositions()
  const opener = useOpener()
  const [isPanelOpen, setIsPanelOpen] = useState(false)

  const nodeCount = network.nodes.length
  const { canBeDrawn, force } = useDrawable(network)
  const asked = part ? view.view.tab : tabWithoutSummary(view.view)
  const tab = part && !part.isOpen ? 'summary' : asked
  const isDrawing = tab === 'drawing'
  // Wide screens always show the panel beside a drawing.
  const isPanelShown = (isDrawing && !isNarrow) || isPanelOpen
  const hasPath = view.view.path !== undefined
  const isSideShown = tab !== 'summary' && (selected !== undefined || hasPath || isPanelShown)
  const side = useSide(selected, marks.marked.size > 0, hasPath, isDrawing)
  const isPanelOnTop = isSideShown && (side.tab === 'look' || side.tab === 'filter')
  const togglePanel = () => {
    setIsPanelOpen(!isPanelOnTop)
    if (!isPanelOnTop) side.open(isDrawing ? 'look' : 'filter')
    else if (selected || hasPath) side.open(selected ? 'details' : 'path')
  }
  const show: GraphContext['show'] = (element) => {
    if (element && !selected) opener.remember()
    if (!element) opener.restore()
    select(element)
    if (element?.kind === 'node') layout.drawing.current?.goTo(element.index)
  }

  // The selection is not part of a view, because a change may give edges different indexes.
  const shownQuery = () => {
    const { camera } = isDrawing ? layout.stage : view.view
    return writeView({ ...view.view, node: undefined, edge: undefined, camera }).toString()
  }

  const find = (index: number) => {
    show({ kind: 'node', index })
    layout.drawing.current?.sigma.getContainer().focus()
  }
  useSearchOf(part ? undefined : { kind: 'nodes', ...view.finder, onFind: find })

  return (
    <GraphProvider
      value={{
        ...{ graph, part, editing, view, layout, pins, marks, tab, canBeDrawn, isNarrow, side, show },
        restoreFocus: opener.restore
      }}
    >
      <div className="graph-page">
        <FileDrop />
        <ShownQueryProvider value={shownQuery}>
          <GraphBar
            graph={graph}
            edited={editing.history?.present}
            onEdit={editing.isPossible && !editing.history ? editing.begin : undefined}
          >
            <GraphTools panel={{ isShown: isPanelOnTop, toggle: togglePanel }} />
          </GraphBar>
        </ShownQueryProvider>
        <EditBar
          editing={editing}
          placed={layout.withPlaces}
          onAdded={(node) => change({ node, edge: undefined })}
          // Edges now have different indexes.
          onStep={() => selected?.kind === 'edge' && select(undefined)}
        />
        {gone && <FailureAlert error={gone} />}
        {save.error && (
          <FailureAlert
            error={save.error}
            reload={() => {
              save.reset()
              refreshGraphs()
            }}
          />
        )}
        {tab !== 'summary' && part?.notice}
        <AttributesNote />
        <div className="graph-body">
          <div className="graph-main">
            {tab === 'summary' && part?.summary}
            {/* An import ends in this component after the first nodes have replaced the buttons. */}
            {!part && <GraphDialogs>{nodeCount === 0 && <NoNodes />}</GraphDialogs>}
            {nodeCount > 0 && isDrawing && !canBeDrawn && <NoDrawing force={force} />}
            {nodeCount > 0 && isDrawing && canBeDrawn && <GraphDrawing save={save} onOpen={opener.remember} />}
            {nodeCount > 0 && tab === 'nodes' && <NodesTable />}
            {nodeCount > 0 && tab === 'edges' && <EdgesTable />}
          </div>
          {nodeCount > 0 && isSideShown && <GraphSide />}
        </div>
      </div>
    </GraphProvider>
  )
}
