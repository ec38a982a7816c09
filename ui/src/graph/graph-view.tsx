import { ActionIcon, Button, SegmentedControl, Text, Tooltip } from '@mantine/core'
import { useDebouncedCallback, useMediaQuery } from '@mantine/hooks'
import { IconAdjustments } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import type { Graph, GraphContent } from '../api.ts'
import { EditBar } from '../edit/edit-bar.tsx'
import { EditSide } from '../edit/edit-side.tsx'
import { useEditing } from '../edit/use-editing.ts'
import { FileDrop } from '../graphs/file-drop.tsx'
import { refreshGraphs } from '../graphs/graphs.ts'
import { MeasuresPanel } from '../measures/measures-panel.tsx'
import { Empty, FailureAlert } from '../shared/failure.tsx'
import { formatNumber, text } from '../text/index.ts'
import { Details } from './details.tsx'
import { DownloadMenu } from './download-menu.tsx'
import { DrawingPane } from './drawing-pane.tsx'
import { ElementsTable } from './elements-table.tsx'
import { isDrawable, MOST_DRAWN, useSavePositions } from './graph.ts'
import { GraphBar } from './graph-bar.tsx'
import { keyOf } from './kinds.ts'
import { LayoutControls } from './layout-controls.tsx'
import { legendRows } from './legend-rows.ts'
import { Legends } from './legends.tsx'
import { LinkButton } from './link-button.tsx'
import { LookPanel } from './look-panel.tsx'
import { useOpener } from './opener.ts'
import { Search } from './search.tsx'
import type { Camera } from './stage.ts'
import { useFoundNode } from './use-found-node.ts'
import { useGraphView } from './use-graph-view.ts'
import { useLayout } from './use-layout.ts'
import { canDraw } from './web-gl.ts'

/** The rest of a page that shows a part of a graph as a drawing and tables. */
export interface PartView {
  /** Tells whether a part was asked for. Without one, the summary is shown. */
  isOpen: boolean
  /** Finds nodes of the whole graph. */
  search: ReactNode
  summary: ReactNode
  /** Tells how much is left out, and of failures. */
  notice: ReactNode
  /** Adds the neighbours of a node to the part. */
  onGrow: (id: string) => void
}

/** A graph as a drawing and tables, with all its actions. */
export function GraphView({
  graph,
  content: stored,
  gone,
  part
}: {
  graph: Graph
  /** The content, or a part of it. */
  content: GraphContent
  /** The error of a graph that was deleted or taken back while it is shown. Changes that are not saved stay. */
  gone: Error | undefined
  part?: PartView
}) {
  const isNarrow = useMediaQuery('(max-width: 48em)')
  const editing = useEditing(graph, stored, part !== undefined)
  const { content } = editing
  const view = useGraphView(content)
  const { network, appearance, selected, select, change } = view
  const layout = useLayout(network, view.view.camera, part !== undefined)
  useFoundNode(network, selected, layout)
  const rememberCamera = useDebouncedCallback((camera: Camera | undefined) => change({ camera }), 300)
  const save = useSavePositions()
  const [isLookShown, setIsLookShown] = useState(false)
  const [isWebGl] = useState(canDraw)

  const { length: nodeCount } = network.nodes
  const { length: edgeCount } = network.edges
  const isEmpty = nodeCount === 0
  const canBeDrawn = isWebGl && isDrawable({ nodeCount, edgeCount })
  const tab = part && !part.isOpen ? 'summary' : view.tab
  const isDrawing = tab === 'drawing'
  const isSideShown = tab !== 'summary' && (selected !== undefined || (isNarrow ? isLookShown : isDrawing))
  const counts = text.counts(nodeCount, edgeCount)
  const opener = useOpener()
  const show = (element: Parameters<typeof select>[0]) => {
    if (element && !selected) opener.remember()
    if (!element) opener.restore()
    select(element)
    if (element?.kind === 'node') layout.drawing.current?.goTo(element.index)
  }

  return (
    <div className="graph-page">
      <FileDrop />
      <GraphBar graph={graph} onEdit={editing.isPossible && !editing.history ? editing.begin : undefined}>
        <SegmentedControl
          size="xs"
          aria-label={text.graph.views}
          value={tab}
          onChange={(tab) => change({ tab: tab as typeof view.tab })}
          data={[
            ...(part ? [{ value: 'summary', label: text.summary.title }] : []),
            ...(['drawing', 'nodes', 'edges'] as const).map((value) => ({
              value,
              label: text.graph[value],
              disabled: part !== undefined && !part.isOpen
            }))
          ]}
        />
        {part?.search ?? (
          <Search
            network={network}
            labelOf={view.appearance.nodeLabel}
            onFind={(index) => show({ kind: 'node', index })}
          />
        )}
        {isNarrow && isDrawing && (
          <Tooltip label={text.look.title}>
            <ActionIcon
              variant="default"
              aria-label={text.look.title}
              aria-expanded={isLookShown}
              onClick={() => setIsLookShown(!isLookShown)}
            >
              <IconAdjustments size={18} aria-hidden />
            </ActionIcon>
          </Tooltip>
        )}
        <DownloadMenu
          graph={graph}
          network={network}
          paper={view.paper}
          legend={legendRows(view.legends)}
          drawing={isDrawing && canBeDrawn ? layout.drawing : undefined}
        />
        <LinkButton
          onCopy={() => {
            if (isDrawing) change({ camera: layout.stage.camera })
          }}
        />
      </GraphBar>
      <EditBar
        editing={editing}
        onAdded={(node) => change({ node, edge: undefined })}
        // The numbers of edges are others now.
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
      <div className="graph-body">
        <div className="graph-main">
          {tab === 'summary' && part?.summary}
          {isEmpty && !part && (
            <Empty title={text.graph.empty}>
              <Text c="dimmed">{text.graph.emptyHint}</Text>
            </Empty>
          )}
          {!isEmpty && isDrawing && !canBeDrawn && (
            <Empty title={isWebGl ? text.drawing.tooLarge(formatNumber(MOST_DRAWN)) : text.drawing.noWebGl}>
              <Text c="dimmed">{counts}</Text>
              <Button onClick={() => change({ tab: 'nodes' })}>{text.drawing.asTable}</Button>
              {isWebGl && (
                <Button variant="default" onClick={() => change({ whole: undefined })}>
                  {text.part.back}
                </Button>
              )}
            </Empty>
          )}
          {!isEmpty && isDrawing && canBeDrawn && (
            <>
              <DrawingPane
                stage={layout.stage}
                appearance={appearance}
                paper={view.paper}
                selected={selected}
                label={text.drawing.label(graph.name, counts)}
                drawing={layout.drawing}
                onSelect={(element) => {
                  if (element && !selected) opener.remember()
                  select(element)
                }}
                onMove={layout.moved}
                onView={rememberCamera}
              />
              <div className="drawing-tools">
                <LayoutControls
                  layout={layout}
                  save={
                    editing.isPossible && !editing.history && layout.isMoved
                      ? () => save.mutate({ graph, content, positions: layout.send() })
                      : undefined
                  }
                  isSaving={save.isPending}
                />
                <MeasuresPanel
                  measures={view.measures}
                  colour={view.colour?.key}
                  size={view.size?.key}
                  onChange={change}
                />
              </div>
              <Legends
                colour={view.legends.colour}
                size={view.legends.size}
                edgeColour={view.legends.edgeColour}
                edgeSize={view.legends.edgeSize}
                onKind={(value) =>
                  view.colour && change({ filter: { attribute: view.colour.key, shown: [keyOf(value)] } })
                }
              />
            </>
          )}
          {!isEmpty && tab === 'nodes' && (
            <ElementsTable
              key="nodes"
              caption={text.table.nodes(graph.name)}
              columns={view.nodeColumns}
              count={nodeCount}
              hidden={view.isNodeHidden}
              selected={selected?.kind === 'node' ? selected.index : undefined}
              sort={view.view.nodeSort}
              onSort={(nodeSort) => change({ nodeSort })}
              onSelect={(index) => show({ kind: 'node', index })}
            />
          )}
          {!isEmpty && tab === 'edges' && (
            <ElementsTable
              key="edges"
              caption={text.table.edges(graph.name)}
              columns={view.edgeColumns}
              count={edgeCount}
              hidden={view.isEdgeHidden}
              selected={selected?.kind === 'edge' ? selected.index : undefined}
              sort={view.view.edgeSort}
              onSort={(edgeSort) => change({ edgeSort })}
              onSelect={(index) => show({ kind: 'edge', index })}
            />
          )}
        </div>
        {!isEmpty && isSideShown && (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
          <aside className="graph-side" aria-label={text.graph.side} tabIndex={0}>
            {selected && editing.history && (
              <EditSide
                key={`edit ${selected.kind} ${selected.kind === 'node' ? network.nodes[selected.index]?.id : selected.index}`}
                editing={editing}
                element={selected}
                network={network}
                labelOf={view.appearance.nodeLabel}
                onRemove={() => show(undefined)}
              />
            )}
            {selected && (
              <Details
                key={`${selected.kind} ${selected.index}`}
                network={network}
                measures={view.measured}
                labelOf={view.appearance.nodeLabel}
                element={selected}
                onSelect={show}
                onGrow={part?.onGrow}
              />
            )}
            {isDrawing && (!selected || !isNarrow) && (
              <LookPanel
                nodes={view.nodeAttributes}
                edges={view.edgeAttributes}
                edgeAmounts={view.edgeAmounts}
                count={nodeCount}
                view={view.view}
                colour={view.colour}
                size={view.size}
                onChange={change}
              />
            )}
          </aside>
        )}
      </div>
    </div>
  )
}
