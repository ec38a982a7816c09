import type { Drawing } from './drawing.ts'

/** The keys that go to the next node in a direction, and move the drawing with Shift. */
export function arrows(step: (drawing: Drawing, x: number, y: number) => void) {
  const arrow = (x: number, y: number) => (drawing: Drawing, isPanned: boolean) =>
    isPanned ? drawing.pan(x / 10, -y / 10) : step(drawing, x, y)
  return { ArrowLeft: arrow(-1, 0), ArrowRight: arrow(1, 0), ArrowUp: arrow(0, -1), ArrowDown: arrow(0, 1) }
}
