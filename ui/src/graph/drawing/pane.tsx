import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from 'react'
import type { Point } from '../../../../picture/edges/shapes.ts'
import type { Paper } from '../../../../picture/sheet/paper.ts'
import { noPins, type Pins } from '../../layout/use-pins.ts'
import { formatNumber, text } from '../../text/index.ts'
import { type Marks, noMarks } from '../marks/use-marks.ts'
import type { Positions } from '../network/network.ts'
import { DrawingControls } from './controls.tsx'
import { coversOf } from './covers.ts'
import { type Appearance, Drawing, type Element, type MenuPlace } from './drawing.ts'
import type { Gesture } from './mouse.ts'
import type { Focus } from './overlay.ts'
import { afterPress, followPresses } from './press.ts'
import type { Camera, Stage } from './stage.ts'

/** The drawing with its controls and keyboard navigation. Other components access the drawing through `drawing`. */
export function DrawingPane({
  stage,
  appearance,
  paper,
  selected,
  label,
  drawing,
  path,
  pins,
  marks,
  isEdited = false,
  onConnect,
  onAdd,
  onRemove,
  onMenu,
  onSelect,
  onMove,
  onView
}: {
  stage: Stage
  appearance: Appearance
  paper: Paper
  selected: Element | undefined
  /** A description for screen readers. */
  label: string
  drawing: RefObject<Drawing | null>
  /** The path to highlight. */
  path?: Focus | undefined
  /** Absent if nodes cannot be pinned. */
  pins?: Pins | undefined
  /** Absent if several nodes cannot be selected together. */
  marks?: Marks | undefined
  isEdited?: boolean | undefined
  /** Called with the ends of a drag from a node to another, or to an empty place. Absent if the user may not connect nodes. */
  onConnect?: ((from: number, to: number | Point) => void) | undefined
  /** Called with an empty place that was double-clicked to add a node. Absent if a double-click zooms in. */
  onAdd?: ((place: Point) => void) | undefined
  /** Called to remove the selected elements. Absent if the user may not remove any. */
  onRemove?: (() => void) | undefined
  /** Called when the user asks for a context menu. Absent if there is none. */
  onMenu?: ((menu: MenuPlace) => void) | undefined
  onSelect: (element: Element | undefined) => void
  /** Called after the user has moved nodes, with the positions before. */
  onMove: (before: Positions) => void
  onView?: (camera: Camera | undefined) => void
}) {
  const pinned = pins?.pinned ?? noPins
  const marked = marks?.marked ?? noMarks
  const [gesture, setGesture] = useState<Gesture>()
  const container = useRef<HTMLDivElement>(null)
  const now = { appearance, paper, marks, onConnect, onAdd, onMenu, onSelect, onMove, onView }
  const shown = useRef(now)
  shown.current = now

  useEffect(() => followPresses(container.current as HTMLDivElement), [])

  useEffect(() => {
    const made = new Drawing(
      container.current as HTMLDivElement,
      stage,
      shown.current.appearance,
      shown.current.paper,
      () => coversOf(container.current as HTMLDivElement),
      {
        onSelect: (element) => shown.current.onSelect(element),
        onToggle: (node) => shown.current.marks?.toggle(node),
        onEnclose: (nodes) => shown.current.marks?.add(nodes),
        // The form of the selected element first applies what the user has typed.
        onConnect: (from, to) => afterPress(() => shown.current.onConnect?.(from, to)),
        onDoubleClick: (place) => {
          shown.current.onAdd?.(place)
          return shown.current.onAdd !== undefined
        },
        onMenu: (menu) => {
          shown.current.onMenu?.(menu)
          return shown.current.onMenu !== undefined
        },
        onMove: (before) => shown.current.onMove(before),
        onView: (camera) => shown.current.onView?.(camera)
      }
    )
    drawing.current = made
    const unfollow = followSize(made)
    return () => {
      unfollow()
      made.close()
      drawing.current = null
    }
  }, [stage, drawing])

  useEffect(() => drawing.current?.show(appearance, paper), [appearance, paper, drawing])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new drawing must be updated too
  useEffect(() => drawing.current?.select(selected), [selected, stage, drawing])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new drawing must be updated too
  useEffect(() => drawing.current?.edit(isEdited), [isEdited, stage, drawing])

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new drawing must be updated too
  useEffect(() => drawing.current?.trace(path), [path, stage, drawing])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new drawing must be updated too
  useEffect(() => drawing.current?.pin(pinned), [pinned, stage, drawing])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new drawing must be updated too
  useEffect(() => drawing.current?.mark(marked), [marked, stage, drawing])
  const [mayMark, mayConnect] = [marks !== undefined, onConnect !== undefined]
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new drawing must be updated too
  useEffect(() => {
    if (drawing.current) drawing.current.gestures = { plain: gesture, mayMark, mayConnect }
  }, [gesture, mayMark, mayConnect, stage, drawing])

  // In a different stage, the index would refer to a different node.
  const [reached, setReached] = useState<{ stage: Stage; node: number | undefined }>()
  const pointed = reached?.stage === stage ? reached.node : undefined
  /** The node that keys act on. */
  const current = pointed ?? (selected?.kind === 'node' ? selected.index : undefined)
  const [isFocused, setIsFocused] = useState(false)
  const point = (node: number | undefined) => {
    drawing.current?.point(node)
    setReached({ stage, node })
  }
  const step = (made: Drawing, x: number, y: number) => setReached({ stage, node: made.step({ x, y }) })
  // Later, because any key that reaches the document closes the menu.
  const openMenu = (made: Drawing) => setTimeout(() => onMenu?.(made.menuOf(pointed ?? made.center)))
  const keys: Record<string, (drawing: Drawing, isShift: boolean) => void> = {
    ...arrows(step),
    Enter: (_, isShift) => {
      if (current === undefined) return
      if (isShift) marks?.toggle(current)
      else onSelect({ kind: 'node', index: current })
    },
    ContextMenu: openMenu,
    F10: (made, isShift) => isShift && openMenu(made),
    '+': (made) => made.zoom(1.5),
    '=': (made) => made.zoom(1.5),
    '-': (made) => made.zoom(1 / 1.5),
    0: (made) => made.fit(),
    ...(onRemove && { Delete: onRemove, Backspace: onRemove }),
    p: (made) => made.center !== undefined && pins?.toggle(made.center),
    Escape: () => {
      point(undefined)
      if (gesture) setGesture(undefined)
      else if (selected) onSelect(undefined)
      else marks?.clear()
    }
  }
  const commands: typeof keys = { ...(marks && { a: () => marks.setShown(appearance) }) }
  const onKeyDown = (event: KeyboardEvent) => {
    const act = event.ctrlKey || event.metaKey ? commands[event.key.toLowerCase()] : keys[event.key]
    if (!act || !drawing.current) return
    event.preventDefault()
    act(drawing.current, event.shiftKey)
  }

  const describe = (node: number) => {
    const name = text.drawing.node(appearance.nodeLabel(node), formatNumber(stage.network.degree[node] ?? 0))
    const marking = marked.has(node) ? text.marks.marked(name) : name
    return pinned.has(node) ? text.pins.pinned(marking) : marking
  }
  return (
    <>
      <div
        ref={container}
        className="drawing"
        style={{ background: paper.background }}
        role="application"
        aria-label={label}
        data-keys={text.drawing.keys}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to focus the drawing
        tabIndex={0}
        onKeyDown={onKeyDown}
        // The browser's menu would open on the container after the menu key.
        onContextMenu={(event) => onMenu && event.target === event.currentTarget && event.preventDefault()}
        onFocus={() => setIsFocused(true)}
        onBlur={() => {
          setIsFocused(false)
          point(undefined)
        }}
      />
      <div className="visually-hidden" role="status">
        {isFocused && current !== undefined && describe(current)}
      </div>
      <DrawingControls
        drawing={drawing}
        gestures={[...(mayMark ? (['lasso'] as const) : []), ...(mayConnect ? (['connect'] as const) : [])]}
        gesture={gesture}
        onGesture={setGesture}
      />
    </>
  )
}

/** Returns handlers for the arrow keys, which move to the next node in a direction, or pan the drawing if Shift is held. */
function arrows(step: (drawing: Drawing, x: number, y: number) => void) {
  const arrow = (x: number, y: number) => (drawing: Drawing, isPanned: boolean) =>
    isPanned ? drawing.pan(x / 10, -y / 10) : step(drawing, x, y)
  return { ArrowLeft: arrow(-1, 0), ArrowRight: arrow(1, 0), ArrowUp: arrow(0, -1), ArrowDown: arrow(0, 1) }
}

/**
 * Redraws when the container is resized, because the renderer observes only the window, and fits the drawing when the elements
 * that cover it are. Returns a function that stops observing them.
 */
function followSize(drawing: Drawing): () => void {
  const { sigma } = drawing
  const container = sigma.getContainer()
  const watcher = new ResizeObserver(() => {
    const { width, height } = sigma.getDimensions()
    if (container.offsetWidth !== width || container.offsetHeight !== height) sigma.refresh()
    else drawing.uncover()
  })
  for (const element of container.parentElement?.children ?? []) watcher.observe(element)
  return () => watcher.disconnect()
}
