import type { Box } from '../../../../picture/layout/label-places.ts'

/**
 * Returns the rectangles, in pixels of the drawing, where the controls and the legend cover it. The tools at the top count as
 * full width, so that no node moves when one of their buttons appears or disappears.
 */
export function coversOf(container: HTMLElement): Box[] {
  const { left, top, right } = container.getBoundingClientRect()
  return [...(container.parentElement?.children ?? [])]
    .filter((element) => element !== container && !element.classList.contains('visually-hidden'))
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
