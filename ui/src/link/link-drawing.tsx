import { useDebouncedCallback } from '@mantine/hooks'
import { DrawingPane } from '../graph/drawing-pane.tsx'
import { Legends } from '../graph/legends.tsx'
import type { Camera } from '../graph/stage.ts'
import type { GraphViewState } from '../graph/use-graph-view.ts'
import { LayoutControls } from '../layout/layout-controls.tsx'
import type { LayoutState } from '../layout/use-layout.ts'
import { text } from '../text/index.ts'

/** The drawing of a graph with its legend. Visitors may lay it out again for themselves. */
export function LinkDrawing({
  name,
  view,
  layout,
  onOpen
}: {
  name: string
  view: GraphViewState
  layout: LayoutState
  /** Called before a selection opens the side. */
  onOpen: () => void
}) {
  const { network, change, selected, select, look } = view
  const rememberCamera = useDebouncedCallback((camera: Camera | undefined) => change({ camera }), 300)
  return (
    <>
      <DrawingPane
        stage={layout.stage}
        appearance={look.appearance}
        paper={view.paper}
        selected={selected}
        label={text.drawing.label(name, text.counts(network.nodes.length, network.edges.length))}
        drawing={layout.drawing}
        onSelect={(element) => {
          if (element && !selected) onOpen()
          select(element)
        }}
        path={view.path.focus}
        onMove={layout.moved}
        onView={rememberCamera}
      />
      <div className="drawing-tools">
        <LayoutControls layout={layout} save={undefined} isSaving={false} />
      </div>
      <Legends view={view} />
    </>
  )
}
