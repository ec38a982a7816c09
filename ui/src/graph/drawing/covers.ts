import type { Box } from '../../../../picture/layout/label-places.ts'

/** Elements that come and go without moving the drawing. */
const PASSING = '.visually-hidden, .drawing-marks, .menu-place'

/**
 * Returns the rectangles that the controls and the legend cover, in drawing pixels. The tools at the top are treated as full
 * width, so that nodes do not move when a button appears or disappears.
 */
export function coversOf(container: HTMLElement): Box[] {
  const { left, top, right } = container.getBoundingClientRect()
  return [...(container.parentElement?.children ?? [])]
    .filter((element) => element !== container && !element.matches(PASSING))
    .map((element) => {
      const box = element.getBoundingClientRect()
      return {
        left: box.left - left,
        top: box.top - top,
        right: (element.classList.contains('drawing-tools') ? right : box.right) - left,
        bottom: box.bottom - top
      }
    })
}
