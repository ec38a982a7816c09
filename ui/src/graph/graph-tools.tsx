import { Button, SegmentedControl, Tooltip } from '@mantine/core'
import { IconAdjustments, IconFilter } from '@tabler/icons-react'
import { useState } from 'react'
import { NewGraphFromShown } from '../filter/new-graph-from-shown.tsx'
import { downloadGraph } from '../graphs/formats.ts'
import { text } from '../text/index.ts'
import { ViewsMenu } from '../views/views-menu.tsx'
import { DownloadMenu } from './download-menu.tsx'
import { useGraphContext } from './graph-context.ts'

/**
 * The tools for viewing a graph: tabs, downloads and saved views. `panel` toggles the filters and, on narrow screens,
 * the appearance.
 */
export function GraphTools({ panel }: { panel: { isShown: boolean; toggle: () => void } }) {
  const { graph, part, view, layout, tab, canBeDrawn, isNarrow } = useGraphContext()
  const { change } = view
  const [isMakingGraph, setIsMakingGraph] = useState(false)
  const isDrawing = tab === 'drawing'
  /** Whether the drawing and the tables have nothing to show until the user finds a node. */
  const isClosed = part !== undefined && !part.isOpen
  const { filters = [] } = view.view
  const panelLabel = isDrawing ? text.look.withFilters(filters.length) : text.filter.open(filters.length)
  return (
    <>
      <Tooltip
        label={text.summary.tabs}
        disabled={!isClosed}
        events={{ hover: true, focus: true, touch: true }}
        multiline
        w={280}
      >
        <SegmentedControl
          size="xs"
          aria-label={text.graph.views}
          aria-description={isClosed ? text.summary.tabs : undefined}
          value={tab}
          onChange={(tab) => change({ tab: tab as typeof view.view.tab })}
          data={[
            ...(part ? [{ value: 'summary', label: text.summary.title }] : []),
            ...(['drawing', 'nodes', 'edges'] as const).map((value) => ({
              value,
              label: text.graph[value],
              disabled: isClosed
            }))
          ]}
        />
      </Tooltip>
      {(isNarrow || !isDrawing) && tab !== 'summary' && (
        <Button
          size="xs"
          variant={filters.length > 0 ? 'light' : 'default'}
          className="tool"
          aria-label={panelLabel}
          aria-expanded={panel.isShown}
          leftSection={isDrawing ? <IconAdjustments size={16} aria-hidden /> : <IconFilter size={16} aria-hidden />}
          onClick={panel.toggle}
        >
          <span className="tool-label">{panelLabel}</span>
        </Button>
      )}
      <DownloadMenu
        name={graph.name}
        fetchFile={(mediaType) => downloadGraph(graph.id, mediaType)}
        view={view}
        drawing={isDrawing && canBeDrawn ? layout.drawing : undefined}
        onNewGraph={view.visible.nodes > 0 ? () => setIsMakingGraph(true) : undefined}
      />
      {isMakingGraph && <NewGraphFromShown onClose={() => setIsMakingGraph(false)} />}
      <ViewsMenu
        graph={graph}
        style={view.view.style}
        onComplete={() => {
          if (isDrawing) change({ camera: layout.stage.camera })
        }}
        onOpen={({ query, style }) => layout.moveTo(view.open(query, style).camera)}
      />
    </>
  )
}
