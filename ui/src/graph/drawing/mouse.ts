import type Sigma from 'sigma'
import type { Point } from '../../../../picture/edges/shapes.ts'

/** The distance in pixels after which a press becomes a drag. */
const DRAGGED = 4

/** How long a finger has to rest on the drawing to open the menu, in milliseconds. */
const HELD = 500

/** A drag that neither moves a node nor the drawing: it encloses nodes to select, or connects two nodes. */
export type Gesture = 'lasso' | 'connect'

interface MouseEvents {
  /** Called with a node when the mouse enters it, and with undefined when the mouse leaves it. */
  onHover(node: number | undefined): void
  onClickNode(node: number, isShift: boolean): void
  /** Called with a clicked point outside all nodes, in pixels. */
  onClickStage(point: Point): void
  /** Called with a double-clicked point outside all nodes, in pixels. Returns whether this replaces zooming in. */
  onDoubleClick(point: Point): boolean
  /**
   * Called with a point that was clicked with the right button or held by a finger, in pixels, and the node there. Returns whether this opens a menu
   * in place of the browser's.
   */
  onMenu(point: Point, node: number | undefined): boolean
  /** Called with the new position of a dragged node, in pixels. */
  onDrag(node: number, point: Point): void
  /** Called when a dragged node is released. */
  onDrop(): void
  /** Returns the gesture that a press begins, if any. `node` is the pressed node. */
  gestureOf(original: MouseEvent | TouchEvent, node: number | undefined): Gesture | undefined
  /** Called while a gesture continues and when it ends, with its path in pixels. `node` is where it began. */
  onGesture(gesture: Gesture, path: Point[], node: number | undefined, isDone: boolean): void
}

/** Reports hovering, clicks, drags and gestures. A drag is not a click. */
export function listenToMouse(sigma: Sigma, isDraggable: boolean, events: MouseEvents) {
  let press: { node: number | undefined; gesture: Gesture | undefined; path: [Point, ...Point[]] } | undefined
  let hasMoved = false
  let hold: { timer: ReturnType<typeof setTimeout>; from: Point } | undefined
  const release = () => {
    clearTimeout(hold?.timer)
    hold = undefined
  }
  sigma.on('kill', release)
  sigma.on('enterNode', ({ node }) => press?.gesture !== 'lasso' && events.onHover(Number(node)))
  sigma.on('leaveNode', () => events.onHover(undefined))
  sigma.on('clickNode', ({ node, event }) => !hasMoved && events.onClickNode(Number(node), event.original.shiftKey))
  sigma.on('clickStage', ({ event }) => !hasMoved && events.onClickStage(event))
  sigma.on('doubleClickStage', ({ event, preventSigmaDefault }) => {
    if (events.onDoubleClick(event)) preventSigmaDefault()
  })
  const menu = (node?: string) => (payload: { event: Point & { original: Event } }) => {
    if (events.onMenu(payload.event, node === undefined ? undefined : Number(node)))
      payload.event.original.preventDefault()
  }
  sigma.on('rightClickNode', (payload) => menu(payload.node)(payload))
  sigma.on('rightClickStage', menu())
  const begin = (
    node: number | undefined,
    {
      event,
      preventSigmaDefault
    }: { event: Point & { original: MouseEvent | TouchEvent }; preventSigmaDefault(): void }
  ) => {
    hasMoved = false
    release()
    if (!(event.original instanceof MouseEvent) && event.original.touches.length === 1) {
      const from = { x: event.x, y: event.y }
      const timer = setTimeout(() => {
        press = undefined
        // The end of the touch is not a click.
        hasMoved = true
        events.onMenu(from, node)
      }, HELD)
      hold = { timer, from }
    }
    const isMain = !(event.original instanceof MouseEvent) || event.original.button === 0
    if (!isMain) return
    const gesture = events.gestureOf(event.original, node)
    if (!gesture && (node === undefined || !isDraggable)) return
    press = { node, gesture, path: [{ x: event.x, y: event.y }] }
    preventSigmaDefault()
  }
  sigma.on('downStage', (payload) => begin(undefined, payload))
  sigma.on('downNode', (payload) => begin(Number(payload.node), payload))
  sigma.on('moveBody', ({ event, preventSigmaDefault }) => {
    if (hold && Math.hypot(event.x - hold.from.x, event.y - hold.from.y) >= DRAGGED) release()
    if (!press) return
    preventSigmaDefault()
    event.original.preventDefault()
    const { node, gesture, path } = press
    const last = path.at(-1) ?? path[0]
    if (Math.hypot(event.x - last.x, event.y - last.y) < DRAGGED && !(hasMoved && !gesture)) return
    hasMoved = true
    if (gesture) {
      path.push({ x: event.x, y: event.y })
      events.onGesture(gesture, path, node, false)
    } else if (node !== undefined) events.onDrag(node, event)
  })
  const drop = () => {
    const { node, gesture, path } = press ?? {}
    press = undefined
    if (!hasMoved) return
    if (gesture && path) events.onGesture(gesture, path, node, true)
    else if (node !== undefined) events.onDrop()
  }
  const end = ({ event }: { event: { original: MouseEvent | TouchEvent } }) => {
    release()
    drop()
    // A finger that is lifted no longer points at a node, but the renderer does not say so.
    if (!(event.original instanceof MouseEvent)) events.onHover(undefined)
  }
  sigma.on('upNode', end)
  sigma.on('upStage', end)
}
