import { lazy, Suspense, useState } from 'react'
import { type MeasureName, measureKey } from '../../../picture/measures/names.ts'
import { LayoutTools } from '../layout/layout-tools.tsx'
import { UnpinAllButton } from '../layout/pin-buttons.tsx'
import { withStored } from '../measures/measure-attributes.ts'
import { MeasuresPanel } from '../measures/measures-panel.tsx'
import { PathButton } from '../paths/path-buttons.tsx'
import { notify } from '../shared/notify.ts'
import { StatisticsPanel } from '../statistics/statistics-panel.tsx'
import { useStatistics } from '../statistics/use-statistics.ts'
import { text } from '../text/index.ts'
import type { useSavePositions } from './graph.ts'
import { useGraphContext } from './graph-context.ts'
import type { Opened } from './marks/context-menu.tsx'
import { MarksBar } from './marks/marks-bar.tsx'
import { useConnect } from './marks/use-connect.ts'
import { selectionOf, useRemove } from './marks/use-remove.ts'
import { ViewDrawing } from './view-drawing.tsx'

// Loaded on demand, because most visits do not need it.
const ContextMenu = lazy(async () => ({ default: (await import('./marks/context-menu.tsx')).ContextMenu }))

/** The drawing of a graph, overlaid with its tools and legends. */
export function GraphDrawing({
  save,
  onOpen
}: {
  save: ReturnType<typeof useSavePositions>
  /** Called before a selection opens the side panel. */
  onOpen: () => void
}) {
  const { graph, editing, view, layout, pins, marks } = useGraphContext()
  const statistics = useStatistics(view.network, view.visible, view.nodes, view.view)
  const remove = useRemove()
  const connect = useConnect()
  const selection = selectionOf(view.selected, marks.marked)
  const [opened, setOpened] = useState<Opened>()
  const isSaveable = editing.isPossible && !editing.history && layout.isMoved
  const storeMeasure = (name: MeasureName) => {
    const measure = view.measured.find(({ key }) => key === measureKey(name))
    if (!measure) return
    const stored = withStored(editing.content, measure)
    if (stored !== editing.content) editing.beginWith(stored)
    notify({ message: text.measures.stored(measure.title) })
  }
  return (
    <ViewDrawing
      name={graph.name}
      view={view}
      layout={layout}
      pins={pins}
      marks={marks}
      onConnect={
        connect &&
        ((from, to) => {
          if (!view.selected) onOpen()
          connect(from, to)
        })
      }
      isEdited={editing.history !== undefined}
      onRemove={editing.history && selection && (() => remove(selection))}
      onMenu={(menu) => setOpened({ menu })}
      onAdd={editing.history && ((place) => setOpened({ dialog: 'node', ...place }))}
      onOpen={onOpen}
      above={
        <Suspense>
          {marks.marked.size > 0 && <MarksBar nodes={marks.marked} className="drawing-marks" />}
          {opened && (
            <ContextMenu
              opened={opened}
              onOpen={setOpened}
              onClose={() => {
                setOpened(undefined)
                layout.drawing.current?.sigma.getContainer().focus()
              }}
            />
          )}
        </Suspense>
      }
    >
      <LayoutTools
        layout={editing.history ? { ...layout, undo: undefined } : layout}
        attributes={view.nodes}
        root={view.selected?.kind === 'node' ? view.selected.index : undefined}
        save={isSaveable ? () => save.mutate({ graph, content: editing.content, positions: layout.send() }) : undefined}
        isSaving={save.isPending}
      />
      <UnpinAllButton pins={pins} />
      <MeasuresPanel
        measures={view.measures}
        colour={view.look.colour?.key}
        size={view.look.size?.key}
        resolution={view.view.resolution}
        weight={view.view.weight}
        edges={view.edges}
        statistics={<StatisticsPanel attributes={view.nodes} statistics={statistics} />}
        onChange={view.change}
        onStore={editing.isPossible ? storeMeasure : undefined}
      />
      <PathButton />
    </ViewDrawing>
  )
}
