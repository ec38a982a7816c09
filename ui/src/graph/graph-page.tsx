import { ActionIcon, Anchor, Badge, Button, Group, SegmentedControl, Text, Title, Tooltip } from '@mantine/core'
import { useDebouncedCallback, useMediaQuery } from '@mantine/hooks'
import { IconAdjustments, IconArrowLeft, IconHistory } from '@tabler/icons-react'
import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import { type Graph, type GraphContent, Problem } from '../api.ts'
import { FileDrop } from '../graphs/file-drop.tsx'
import { GraphDialogs } from '../graphs/graph-dialogs.tsx'
import { GraphMenu } from '../graphs/graph-menu.tsx'
import { mayChange, refreshGraphs } from '../graphs/graphs.ts'
import { ShareButton } from '../graphs/share-button.tsx'
import { TagChips } from '../graphs/tag-chips.tsx'
import { Empty, FailureAlert, Loading } from '../shared/failure.tsx'
import { useTitle } from '../shared/title.ts'
import { formatNumber, text } from '../text/index.ts'
import { Details } from './details.tsx'
import { DownloadMenu } from './download-menu.tsx'
import { DrawingPane } from './drawing-pane.tsx'
import { ElementsTable } from './elements-table.tsx'
import { useGraph, useSavePositions } from './graph.ts'
import { keyOf } from './kinds.ts'
import { LayoutControls } from './layout-controls.tsx'
import { legendRows } from './legend-rows.ts'
import { Legends } from './legends.tsx'
import { LinkButton } from './link-button.tsx'
import { LookPanel } from './look-panel.tsx'
import { useOpener } from './opener.ts'
import { Search } from './search.tsx'
import type { Camera } from './stage.ts'
import { useGraphView } from './use-graph-view.ts'
import { useLayout } from './use-layout.ts'
import { canDraw } from './web-gl.ts'

/** The maximum number of nodes and edges to draw. */
const DRAWABLE = 200_000

/** A graph as a drawing and tables, with all its actions. */
export default function GraphPage({ id }: { id: number }) {
  const graph = useGraph(id)
  useTitle(graph.data?.name)
  if (graph.isPending) return <Loading label={text.graph.loading} />
  const gone = graph.error instanceof Problem && [400, 404].includes(graph.error.status) ? graph.error : undefined
  if (graph.data === undefined) {
    return gone ? (
      <Empty title={text.graph.missing}>
        <Anchor component={Link} href="/graphs">
          {text.graph.back}
        </Anchor>
      </Empty>
    ) : (
      <FailureAlert error={graph.error} retry={() => graph.refetch()} />
    )
  }
  const { content = emptyContent } = graph.data
  return <GraphView graph={graph.data} content={content} gone={gone} />
}

const emptyContent: GraphContent = { directed: true, nodes: [], edges: [] }

/** `gone` is the error of a graph that was deleted or taken back while it is shown. Changes that are not saved stay. */
function GraphView({ graph, content, gone }: { graph: Graph; content: GraphContent; gone: Error | undefined }) {
  const [, navigate] = useLocation()
  const isNarrow = useMediaQuery('(max-width: 48em)')
  const view = useGraphView(content)
  const { network, appearance, selected, select, change } = view
  const layout = useLayout(network, view.view.camera)
  const rememberCamera = useDebouncedCallback((camera: Camera | undefined) => change({ camera }), 300)
  const save = useSavePositions()
  const [isLookShown, setIsLookShown] = useState(false)
  const [isWebGl] = useState(canDraw)

  const elements = network.nodes.length + network.edges.length
  const isDrawable = isWebGl && elements <= DRAWABLE
  const isDrawing = view.tab === 'drawing'
  const isSideShown = selected !== undefined || (isNarrow ? isLookShown : isDrawing)
  const counts = text.counts(graph.nodeCount, graph.edgeCount)
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
      <Group className="graph-bar" justify="space-between">
        <Group gap="xs" wrap="nowrap" className="shrinking">
          <ActionIcon component={Link} href="/graphs" variant="subtle" color="gray" aria-label={text.graph.back}>
            <IconArrowLeft size={18} aria-hidden />
          </ActionIcon>
          <Title order={1} size="h4" lineClamp={1} className="breakable">
            {graph.name}
          </Title>
          {graph.shared && <Badge variant="default">{text.graph.shared}</Badge>}
          <Text size="sm" c="dimmed" visibleFrom="md">
            {counts} · {text.graph.by(graph.owner)}
          </Text>
        </Group>
        <Group gap="xs">
          <SegmentedControl
            size="xs"
            aria-label={text.graph.views}
            value={view.tab}
            onChange={(tab) => change({ tab: tab as typeof view.tab })}
            data={[
              { value: 'drawing', label: text.graph.drawing },
              { value: 'nodes', label: text.graph.nodes },
              { value: 'edges', label: text.graph.edges }
            ]}
          />
          <Search
            network={network}
            labelOf={view.appearance.nodeLabel}
            onFind={(index) => show({ kind: 'node', index })}
          />
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
            drawing={isDrawing && isDrawable ? layout.drawing : undefined}
          />
          <LinkButton
            onCopy={() => {
              if (isDrawing) change({ camera: layout.stage.camera })
            }}
          />
          <Tooltip label={text.history.title}>
            <ActionIcon
              component={Link}
              href={`/graphs/${graph.id}/history`}
              variant="default"
              aria-label={text.history.title}
            >
              <IconHistory size={18} aria-hidden />
            </ActionIcon>
          </Tooltip>
          <GraphDialogs onGone={() => navigate('/graphs')}>
            <ShareButton graph={graph} />
            <GraphMenu graph={graph} />
          </GraphDialogs>
        </Group>
      </Group>
      {graph.tags && (
        <div className="graph-tags">
          <TagChips tags={graph.tags} />
        </div>
      )}
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

      <div className="graph-body">
        <div className="graph-main">
          {network.nodes.length === 0 && (
            <Empty title={text.graph.empty}>
              <Text c="dimmed">{text.graph.emptyHint}</Text>
            </Empty>
          )}
          {network.nodes.length > 0 && isDrawing && !isDrawable && (
            <Empty title={isWebGl ? text.drawing.tooLarge(formatNumber(DRAWABLE)) : text.drawing.noWebGl}>
              <Text c="dimmed">{counts}</Text>
              <Button onClick={() => change({ tab: 'nodes' })}>{text.drawing.asTable}</Button>
            </Empty>
          )}
          {network.nodes.length > 0 && isDrawing && isDrawable && (
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
                    mayChange(graph) && layout.isMoved
                      ? () => save.mutate({ graph, content, positions: layout.send() })
                      : undefined
                  }
                  isSaving={save.isPending}
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
          {network.nodes.length > 0 && view.tab === 'nodes' && (
            <ElementsTable
              key="nodes"
              caption={text.table.nodes(graph.name)}
              columns={view.nodeColumns}
              count={network.nodes.length}
              hidden={view.isNodeHidden}
              selected={selected?.kind === 'node' ? selected.index : undefined}
              sort={view.view.nodeSort}
              onSort={(nodeSort) => change({ nodeSort })}
              onSelect={(index) => show({ kind: 'node', index })}
            />
          )}
          {network.nodes.length > 0 && view.tab === 'edges' && (
            <ElementsTable
              key="edges"
              caption={text.table.edges(graph.name)}
              columns={view.edgeColumns}
              count={network.edges.length}
              hidden={view.isEdgeHidden}
              selected={selected?.kind === 'edge' ? selected.index : undefined}
              sort={view.view.edgeSort}
              onSort={(edgeSort) => change({ edgeSort })}
              onSelect={(index) => show({ kind: 'edge', index })}
            />
          )}
        </div>
        {network.nodes.length > 0 && isSideShown && (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
          <aside className="graph-side" aria-label={text.graph.side} tabIndex={0}>
            {selected && (
              <Details
                key={`${selected.kind} ${selected.index}`}
                network={network}
                labelOf={view.appearance.nodeLabel}
                element={selected}
                onSelect={show}
              />
            )}
            {isDrawing && (!selected || !isNarrow) && (
              <LookPanel
                nodes={view.nodeAttributes}
                edges={view.edgeAttributes}
                edgeAmounts={view.edgeAmounts}
                count={network.nodes.length}
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
