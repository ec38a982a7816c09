import type { Point } from '../../../../picture/edges/shapes.ts'
import { overlap } from '../../../../picture/layout/label-boxes.ts'
import { widthOf } from '../../../../picture/sheet/labels.ts'
import { LEGEND, legendLayout } from '../../../../picture/sheet/legend.ts'
import { LABEL_SIZE } from '../../../../picture/sheet/paper.ts'
import type { Picture } from '../../../../picture/sheet/picture.ts'

/**
 * Returns the picture, widened for a legend to the right of the drawing, if in the lower left corner the legend would cover nodes
 * or labels. If some nodes are out of view, the legend stays in the corner, because a wider picture would show them.
 */
export function withRoomForLegend(picture: Picture): Picture {
  const { width, height, nodes, labels, legend, labelSize = LABEL_SIZE } = picture
  if (legend.length === 0) return picture
  const { box } = legendLayout(legend, height)
  const corner = { left: box.x, right: box.x + box.width, top: box.y, bottom: box.y + box.height }
  const discs = nodes.map(({ x, y, radius }) => ({
    left: x - radius,
    right: x + radius,
    top: y - radius,
    bottom: y + radius
  }))
  const isOutside = ({ x, y }: Point) => x < 0 || x > width || y < 0 || y > height
  const texts = labels.map(({ x, y, text, scale = 1 }) => ({
    left: x,
    right: x + widthOf(text, labelSize * scale),
    top: y - labelSize * scale,
    bottom: y
  }))
  if (nodes.some(isOutside) || ![...discs, ...texts].some((covered) => overlap(covered, corner))) return picture
  const most = Math.max(1, Math.floor((height - 2 * LEGEND.margin - 2 * LEGEND.padding) / LEGEND.row))
  const legendAt = { left: width, columns: Math.ceil(legend.length / most) }
  return { ...picture, legendAt, width: width + legendLayout(legend, height, legendAt).box.width + LEGEND.margin }
}
