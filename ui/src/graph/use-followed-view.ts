import { useEffect, useRef } from 'react'
import { isActive } from '../../../picture/filter/filters.ts'
import type { LayoutState } from '../layout/use-layout.ts'
import type { GraphViewState } from './view/use-graph-view.ts'

/** Moves the camera to a path that is found, and to the neighbourhood that a filter shows, unless they are in view. */
export function useFollowedView({ network, path, view, look }: GraphViewState, { drawing }: LayoutState) {
  const now = {
    path: path.focus,
    around: JSON.stringify(view.filters?.find((filter) => 'around' in filter && isActive(filter))),
    camera: JSON.stringify(view.camera)
  }
  const last = useRef(now)
  useEffect(() => {
    const before = last.current
    last.current = now
    // A saved view and the Back button set the camera themselves.
    if (now.camera !== before.camera) return
    const { hidden } = look.appearance
    const nodes =
      now.path && now.path !== before.path
        ? now.path.nodes
        : now.around && now.around !== before.around
          ? [...network.nodes.keys()].filter((node) => hidden?.[node] !== 1)
          : undefined
    // Two frames later, the side panel is open and the drawing has its new size.
    if (nodes) requestAnimationFrame(() => requestAnimationFrame(() => drawing.current?.reveal(nodes)))
  })
}
