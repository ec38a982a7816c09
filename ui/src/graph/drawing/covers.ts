import type { Box } from '../../../../picture/layout/label-places.ts'

/**
 * The places of the controls and the legend, which lie above the drawing, in its pixels. The tools at the top have the whole width:
 * a button that comes or goes there moves no node.
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
