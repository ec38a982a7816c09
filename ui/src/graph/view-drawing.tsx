import { useDebouncedCallback } from '@mantine/hooks'
import type { ComponentProps, ReactNode } from 'react'
import type { LayoutState } from '../layout/use-layout.ts'
import type { Pins } from '../layout/use-pins.ts'
import { text } from '../text/index.ts'
import type { MenuPlace } from './drawing/drawing.ts'
import { DrawingPane } from './drawing/pane.tsx'
import type { Camera } from './drawing/stage.ts'
import { Legends } from './look/legends.tsx'
import type { Marks } from './marks/use-marks.ts'
import type { GraphViewState } from './view/use-graph-view.ts'

/** The drawing of a graph, overlaid with legends and the given tools. */
export function ViewDrawing({
  name,
  view,
  layout,
  pins,
  marks,
  isEdited,
  onConnect,
  onAdd,
  onRemove,
  onMenu,
  onOpen,
  above,
  children
}: {
  name: string
  view: GraphViewState
  layout: LayoutState
  pins?: Pins
  marks?: Marks
  isEdited?: boolean
  onConnect?: ComponentProps<typeof DrawingPane>['onConnect']
  onAdd?: ComponentProps<typeof DrawingPane>['onAdd']
  onRemove?: (() => void) | undefined
  onMenu?: (menu: MenuPlace) => void
  /** Called before a selection opens the side panel. */
  onOpen: () => void
  /** The elements above the drawing that do not belong to the tools. */
  above?: ReactNode
  children: ReactNode
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
        pins={pins}
        marks={marks}
        isEdited={isEdited}
        onConnect={onConnect}
        onAdd={onAdd}
        onRemove={onRemove}
        onMenu={onMenu}
        onMove={layout.moved}
        onView={rememberCamera}
      />
      <div className="drawing-tools">{children}</div>
      <Legends view={view} />
      {above}
    </>
  )
}
