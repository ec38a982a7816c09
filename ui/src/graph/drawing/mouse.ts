import type Sigma from 'sigma'
import type { Point } from '../../../../picture/edges/shapes.ts'

/** The distance in pixels after which a press on a node becomes a drag. */
const DRAGGED = 4

interface MouseEvents {
  /** Called with a node when the mouse enters it, and with undefined when the mouse leaves it. */
  onHover(node: number | undefined): void
  onClickNode(node: number): void
  /** Called with a clicked point outside all nodes, in pixels. */
  onClickStage(point: Point): void
  /** Called with the new position of a dragged node, in pixels. */
  onDrag(node: number, point: Point): void
  /** Called when a dragged node is released. */
  onDrop(): void
}

/** Reports hovering, clicks and drags. A drag is not a click. */
export function listenToMouse(sigma: Sigma, isDraggable: boolean, events: MouseEvents) {
  let dragged: number | undefined
  let start: Point = { x: 0, y: 0 }
  let hasMoved = false
  sigma.on('enterNode', ({ node }) => events.onHover(Number(node)))
  sigma.on('leaveNode', () => events.onHover(undefined))
  sigma.on('clickNode', ({ node }) => !hasMoved && events.onClickNode(Number(node)))
  sigma.on('clickStage', ({ event }) => !hasMoved && events.onClickStage(event))
  sigma.on('downStage', () => {
    hasMoved = false
  })
  sigma.on('downNode', ({ node, event, preventSigmaDefault }) => {
    hasMoved = false
    const isMain = !(event.original instanceof MouseEvent) || event.original.button === 0
    if (!isDraggable || !isMain) return
    dragged = Number(node)
    start = { x: event.x, y: event.y }
    preventSigmaDefault()
  })
  sigma.on('moveBody', ({ event, preventSigmaDefault }) => {
    if (dragged === undefined) return
    preventSigmaDefault()
    event.original.preventDefault()
    if (!hasMoved && Math.hypot(event.x - start.x, event.y - start.y) < DRAGGED) return
    hasMoved = true
    events.onDrag(dragged, event)
  })
  const drop = () => {
    if (hasMoved && dragged !== undefined) events.onDrop()
    dragged = undefined
  }
  sigma.on('upNode', drop)
  sigma.on('upStage', drop)
}
