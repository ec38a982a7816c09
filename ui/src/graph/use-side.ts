import { useRef, useState } from 'react'
import type { Element } from './drawing/drawing.ts'

/** The tabs of the side panel. */
export type SideTab = 'details' | 'path' | 'look' | 'filter'

/**
 * Returns the open tab of the side panel, which is kept while the page is open. Selecting an element opens its details, and
 * clearing the selection returns to the tab before, or to the list of marked nodes, if any. A path that appears, such as that of a
 * saved view, opens its tab.
 */
export function useSide(selected: Element | undefined, hasMarks: boolean, hasPath: boolean, isDrawing: boolean) {
  const element = selected && `${selected.kind} ${selected.index}`
  const [asked, setAsked] = useState<SideTab>(element ? 'details' : hasPath ? 'path' : 'look')
  const [before, setBefore] = useState<SideTab>('look')
  const [shown, setShown] = useState({ element, hasMarks, hasPath })
  /** Whether the path should take focus once it is shown. */
  const isPathAwaited = useRef(false)

  const open = (tab: SideTab) => {
    if (asked !== 'details' && asked !== tab) setBefore(asked)
    setAsked(tab)
  }
  if (element !== shown.element || hasMarks !== shown.hasMarks || hasPath !== shown.hasPath) {
    setShown({ element, hasMarks, hasPath })
    if (hasPath && !shown.hasPath) open('path')
    else if (!hasPath && asked === 'path') setAsked(element ? 'details' : before)
    else if (element === undefined && !hasMarks && asked === 'details') setAsked(before)
    if (element !== undefined && element !== shown.element) open('details')
  }
  const isThere = { details: true, path: hasPath, look: isDrawing, filter: true }
  return {
    tab: isThere[asked] ? asked : isDrawing ? 'look' : 'filter',
    open,
    isPathAwaited,
    /** Opens the path and moves focus to it. */
    openPath: () => {
      isPathAwaited.current = true
      open('path')
    }
  } as const
}
