import type { Point } from '../edges/shapes.ts'
import type { Box } from './label-boxes.ts'
import { overlap } from './label-boxes.ts'
import type { Size } from './pack-boxes.ts'

/** A transformation that fits a drawing into a space: each point is scaled, then moved. */
interface Fit {
  scale: number
  move: Point
}

/** The distance to keep from covers, in pixels. */
const GAP = 8

/**
 * Fits the boxes of nodes into a view, avoiding covers at its borders, such as a legend. Returns the transformation with the
 * largest scale, at most 1, at which no cover hides a node. Returns the identity if there is no such transformation. All
 * dimensions are in pixels.
 */
export function fitOff(boxes: readonly Box[], view: Size, covers: readonly Box[]): Fit {
  const whole = { scale: 1, move: { x: 0, y: 0 } }
  const isCovered = (fit: Fit) =>
    boxes.some((box) => {
      const there = moved(box, fit)
      return covers.some((cover) => overlap(there, cover))
    })
  if (!isCovered(whole)) return whole
  const extent = extentOf(boxes)
  return (
    insetsOf(covers, view)
      .map((space) => fitInto(extent, space))
      .sort((one, other) => other.scale - one.scale)
      .find((fit) => fit.scale > 0 && !isCovered(fit)) ?? whole
  )
}

/** Returns the candidate spaces. For each cover, a space excludes the cover's column, its row, or neither. */
function insetsOf(covers: readonly Box[], { width, height }: Size): Box[] {
  let spaces: Box[] = [{ left: GAP, top: GAP, right: width - GAP, bottom: height - GAP }]
  for (const { left, top, right, bottom } of covers) {
    const isLeft = left + right < width
    const isUpper = top + bottom < height
    spaces = spaces.flatMap((space) => [
      space,
      isLeft
        ? { ...space, left: Math.max(space.left, right + GAP) }
        : { ...space, right: Math.min(space.right, left - GAP) },
      isUpper
        ? { ...space, top: Math.max(space.top, bottom + GAP) }
        : { ...space, bottom: Math.min(space.bottom, top - GAP) }
    ])
  }
  return spaces
}

/** Scales the extent to fit the space and centres it there. */
function fitInto(extent: Box, space: Box): Fit {
  const [width, height] = [extent.right - extent.left, extent.bottom - extent.top]
  const scale = Math.min(1, (space.right - space.left) / width, (space.bottom - space.top) / height)
  return {
    scale,
    move: {
      x: (space.left + space.right - (extent.left + extent.right) * scale) / 2,
      y: (space.top + space.bottom - (extent.top + extent.bottom) * scale) / 2
    }
  }
}

/** Returns a node's box after the transformation, which does not change its size. */
function moved({ left, top, right, bottom }: Box, { scale, move }: Fit): Box {
  const [x, y] = [((left + right) / 2) * (scale - 1) + move.x, ((top + bottom) / 2) * (scale - 1) + move.y]
  return { left: left + x, right: right + x, top: top + y, bottom: bottom + y }
}

/** Returns the smallest box that contains all of these. */
export function extentOf(boxes: readonly Box[]): Box {
  const [first, ...others] = boxes
  return others.reduce(
    (all, { left, top, right, bottom }) => ({
      left: Math.min(all.left, left),
      top: Math.min(all.top, top),
      right: Math.max(all.right, right),
      bottom: Math.max(all.bottom, bottom)
    }),
    first ?? { left: 0, top: 0, right: 0, bottom: 0 }
  )
}
