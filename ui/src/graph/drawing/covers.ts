import type { Box } from '../../../../picture/layout/label-boxes.ts'

/** The box of an element that covers the drawing. */
export interface Cover extends Box {
  /** The parts of the legend. A change of its size moves the drawing only if it has other parts. */
  parts?: string | undefined
}

/** Elements that come and go without moving the drawing. */
const PASSING = '.visually-hidden, .drawing-marks, .menu-place'

/**
 * Returns the rectangles that the controls and the legend cover, in drawing pixels. The tools at the top are treated as full
 * width, so that nodes do not move when a button appears or disappears.
 */
export function coversOf(container: HTMLElement): Cover[] {
  const { left, top, right } = container.getBoundingClientRect()
  return [...(container.parentElement?.children ?? [])]
    .filter((element) => element !== container && !element.matches(PASSING))
    .map((element) => {
      const { parts } = (element as HTMLElement).dataset
      const box = element.getBoundingClientRect()
      return {
        left: box.left - left,
        top: box.top - top,
        right: (element.classList.contains('drawing-tools') ? right : box.right) - left,
        bottom: box.bottom - top,
        parts
      }
    })
}
