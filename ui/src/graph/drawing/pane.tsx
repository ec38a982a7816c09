import { ActionIcon, Tooltip } from '@mantine/core'
import { IconFocusCentered, IconMinus, IconPlus } from '@tabler/icons-react'
import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from 'react'
import type Sigma from 'sigma'
import type { Paper } from '../../../../picture/sheet/paper.ts'
import { noPins, type Pins } from '../../layout/use-pins.ts'
import { formatNumber, text } from '../../text/index.ts'
import { coversOf } from './covers.ts'
import { type Appearance, Drawing, type Element } from './drawing.ts'
import type { Focus } from './overlay.ts'
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
  onSelect: (element: Element | undefined) => void
  onMove: () => void
  onView?: (camera: Camera | undefined) => void
}) {
  const pinned = pins?.pinned ?? noPins
  const container = useRef<HTMLDivElement>(null)
  const shown = useRef({ appearance, paper, onSelect, onMove, onView })
  shown.current = { appearance, paper, onSelect, onMove, onView }

  useEffect(() => {
    const made = new Drawing(
      container.current as HTMLDivElement,
      stage,
      shown.current.appearance,
      shown.current.paper,
      () => coversOf(container.current as HTMLDivElement),
      {
        onSelect: (element) => shown.current.onSelect(element),
        onMove: () => shown.current.onMove(),
        onView: (camera) => shown.current.onView?.(camera)
      }
    )
    drawing.current = made
    const unfollow = followSize(made.sigma)
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
  useEffect(() => drawing.current?.trace(path), [path, stage, drawing])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new drawing must be updated too
  useEffect(() => drawing.current?.pin(pinned), [pinned, stage, drawing])

  // In a different stage, the index would refer to a different node.
  const [reached, setReached] = useState<{ stage: Stage; node: number | undefined }>()
  const pointed = reached?.stage === stage ? reached.node : undefined
  const point = (node: number | undefined) => {
    drawing.current?.point(node)
    setReached({ stage, node })
  }
  const step = (made: Drawing, x: number, y: number) => setReached({ stage, node: made.step({ x, y }) })
  const keys: Record<string, (drawing: Drawing, isPanned: boolean) => void> = {
    ...arrows(step),
    Enter: () => pointed !== undefined && onSelect({ kind: 'node', index: pointed }),
    '+': (made) => made.zoom(1.5),
    '=': (made) => made.zoom(1.5),
    '-': (made) => made.zoom(1 / 1.5),
    0: (made) => made.fit(),
    p: (made) => made.center !== undefined && pins?.toggle(made.center),
    Escape: () => {
      point(undefined)
      onSelect(undefined)
    }
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const act = event.ctrlKey || event.metaKey ? undefined : keys[event.key]
    if (!act || !drawing.current) return
    event.preventDefault()
    act(drawing.current, event.shiftKey)
  }

  const describe = (node: number) => {
    const name = text.drawing.node(appearance.nodeLabel(node), formatNumber(stage.network.degree[node] ?? 0))
    return pinned.has(node) ? text.pins.pinned(name) : name
  }

  const controls = [
    { label: text.drawing.zoomIn, Icon: IconPlus, act: () => drawing.current?.zoom(1.5) },
    { label: text.drawing.zoomOut, Icon: IconMinus, act: () => drawing.current?.zoom(1 / 1.5) },
    { label: text.drawing.fit, Icon: IconFocusCentered, act: () => drawing.current?.fit() }
  ]
  return (
    <>
      <div
        ref={container}
        className="drawing"
        role="application"
        aria-label={label}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to focus the drawing
        tabIndex={0}
        onKeyDown={onKeyDown}
        onBlur={() => point(undefined)}
      />
      <div className="visually-hidden" role="status">
        {pointed !== undefined && describe(pointed)}
      </div>
      <div className="drawing-controls">
        {controls.map(({ label, Icon, act }) => (
          <Tooltip key={label} label={label} position="left">
            <ActionIcon variant="default" size="lg" aria-label={label} onClick={act}>
              <Icon size={18} aria-hidden />
            </ActionIcon>
          </Tooltip>
        ))}
      </div>
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
 * Redraws when the container is resized, because the renderer observes only the window. Returns a function that stops observing
 * the container.
 */
function followSize(sigma: Sigma): () => void {
  const container = sigma.getContainer()
  const watcher = new ResizeObserver(() => {
    const { width, height } = sigma.getDimensions()
    if (container.offsetWidth !== width || container.offsetHeight !== height) sigma.refresh()
  })
  watcher.observe(container)
  return () => watcher.disconnect()
}
