import { createContext, type ReactNode, useContext } from 'react'
import type { Graph } from '../api.ts'
import type { Editing } from '../edit/use-editing.ts'
import type { LayoutState } from '../layout/use-layout.ts'
import type { Pins } from '../layout/use-pins.ts'
import type { Element } from './drawing/drawing.ts'
import type { Marks } from './marks/use-marks.ts'
import type { useSide } from './use-side.ts'
import type { GraphViewState } from './view/use-graph-view.ts'

/** The additional elements of a page that shows only part of a graph. */
export interface PartView {
  /** Whether a part is open. Otherwise, the page shows the summary. */
  isOpen: boolean
  summary: ReactNode
  /** Says how many nodes and edges are omitted, and shows errors. */
  notice: ReactNode
  /** Adds the neighbours of a node to the displayed part. */
  onGrow: (id: string) => void
}

/** The state shared by the components of a graph's page. */
export interface GraphContext {
  graph: Graph
  /** Undefined if the page shows the whole graph. */
  part: PartView | undefined
  editing: Editing
  view: GraphViewState
  layout: LayoutState
  pins: Pins
  marks: Marks
  /** The current tab. */
  tab: GraphViewState['view']['tab']
  /** Whether the browser supports drawings and the graph is small enough to draw. */
  canBeDrawn: boolean
  isNarrow: boolean
  side: ReturnType<typeof useSide>
  /**
   * Selects an element, and moves the drawing to it if it is a node. If `element` is undefined, clears the selection and
   * restores focus.
   */
  show: (element: Element | undefined) => void
  /** Restores focus when the selected element disappears. */
  restoreFocus: () => void
}

const Context = createContext<GraphContext | undefined>(undefined)

export const GraphProvider = Context.Provider

/** Returns the state of the graph's page. Throws if used outside one. */
export function useGraphContext(): GraphContext {
  const context = useContext(Context)
  if (!context) throw new Error('useGraphContext needs a graph page')
  return context
}
