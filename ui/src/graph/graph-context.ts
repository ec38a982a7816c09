import { createContext, type ReactNode, useContext } from 'react'
import type { Graph } from '../api.ts'
import type { Editing } from '../edit/use-editing.ts'
import type { LayoutState } from '../layout/use-layout.ts'
import type { Pins } from '../layout/use-pins.ts'
import type { Element } from './drawing/drawing.ts'
import type { GraphViewState } from './view/use-graph-view.ts'

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

/** The parts of a graph's page share all of this. */
export interface GraphContext {
  graph: Graph
  /** Absent where the whole graph is shown. */
  part: PartView | undefined
  editing: Editing
  view: GraphViewState
  layout: LayoutState
  pins: Pins
  /** The tab that is shown. */
  tab: GraphViewState['view']['tab']
  /** Whether this browser can draw, and the graph is small enough. */
  canBeDrawn: boolean
  isNarrow: boolean
  /** Selects an element, and moves the drawing to a node; nothing selected gives the focus back. */
  show: (element: Element | undefined) => void
}

const Context = createContext<GraphContext | undefined>(undefined)

export const GraphProvider = Context.Provider

/** Throws outside of a graph's page. */
export function useGraphContext(): GraphContext {
  const context = useContext(Context)
  if (!context) throw new Error('There is no graph.')
  return context
}
