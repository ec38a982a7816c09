import { useDebouncedCallback } from '@mantine/hooks'
import { LayoutTools } from '../layout/layout-tools.tsx'
import { UnpinAllButton } from '../layout/pin-buttons.tsx'
import { withStored } from '../measures/measure-attributes.ts'
import { MeasuresPanel } from '../measures/measures-panel.tsx'
import { type MeasureName, measureKey } from '../measures/names.ts'
import { PathButton } from '../paths/path-buttons.tsx'
import { notify } from '../shared/notify.ts'
import { text } from '../text/index.ts'
import { DrawingPane } from './drawing-pane.tsx'
import type { useSavePositions } from './graph.ts'
import { useGraphContext } from './graph-context.ts'
import { Legends } from './legends.tsx'
import type { Camera } from './stage.ts'

/** The drawing of a graph, with its tools and legends on it. */
export function GraphDrawing({
  save,
  onOpen
}: {
  save: ReturnType<typeof useSavePositions>
  /** Called before a selection opens the side. */
  onOpen: () => void
}) {
  const { graph, editing, view, layout, pins } = useGraphContext()
  const { network, change, selected, select, look } = view
  const rememberCamera = useDebouncedCallback((camera: Camera | undefined) => change({ camera }), 300)
  const counts = text.counts(network.nodes.length, network.edges.length)
  const isSaveable = editing.isPossible && !editing.history && layout.isMoved
  const storeMeasure = (name: MeasureName) => {
    const measure = view.measured.find(({ key }) => key === measureKey(name))
    if (!measure) return
    const stored = withStored(editing.content, measure)
    if (stored !== editing.content) editing.beginWith(stored)
    notify({ message: text.measures.stored(measure.title) })
  }
  return (
    <>
      <DrawingPane
        stage={layout.stage}
        appearance={look.appearance}
        paper={view.paper}
        selected={selected}
        label={text.drawing.label(graph.name, counts)}
        drawing={layout.drawing}
        onSelect={(element) => {
          if (element && !selected) onOpen()
          select(element)
        }}
        path={view.path.focus}
        pinned={pins.pinned}
        onPin={pins.toggle}
        onMove={layout.moved}
        onView={rememberCamera}
      />
      <div className="drawing-tools">
        <LayoutTools
          layout={layout}
          attributes={view.nodes}
          save={
            isSaveable ? () => save.mutate({ graph, content: editing.content, positions: layout.send() }) : undefined
          }
          isSaving={save.isPending}
        />
        <UnpinAllButton pins={pins} />
        <MeasuresPanel
          measures={view.measures}
          colour={look.colour?.key}
          size={look.size?.key}
          onChange={change}
          onStore={editing.isPossible ? storeMeasure : undefined}
        />
        <PathButton />
      </div>
      <Legends view={view} />
    </>
  )
}
