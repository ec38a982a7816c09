/** The size of a box. */
export interface Size {
  width: number
  height: number
}

/**
 * A segment of the skyline, which is the upper outline of the boxes placed so far. It extends from `left` to the next segment.
 */
interface Stretch {
  left: number
  top: number
}

/**
 * The number of steps from the smallest to the largest width to try. In between is the ideal width, at which the boxes would
 * fill a rectangle with the proportions of the space.
 */
const TRIES = 12

/**
 * Packs boxes into a rectangle that fits well into a space of this size. Returns the lower left corner of each box. Uses the
 * skyline method: places the tallest boxes first, each where its top ends up lowest.
 */
export function packBoxes(boxes: readonly Size[], space: Size): { x: number; y: number }[] {
  const order = [...boxes.keys()].sort((one, other) => sizeOf(boxes, other).height - sizeOf(boxes, one).height)
  const least = boxes.reduce((most, { width }) => Math.max(most, width), 0)
  const area = boxes.reduce((sum, { width, height }) => sum + width * height, 0)
  const ideal = Math.sqrt((area * space.width) / space.height)
  let [best, greatest]: [{ x: number; y: number }[], number] = [[], 0]
  for (let step = 0; step <= TRIES; step++) {
    // From 0.6 to 2.4 times the ideal width.
    const { corners, width, height } = stacked(boxes, order, Math.max(least, ideal * 2 ** ((2 * step) / TRIES - 0.75)))
    const fit = Math.min(space.width / width, space.height / height)
    if (fit > greatest) [best, greatest] = [corners, fit]
  }
  return best
}

/** Stacks the boxes within a width, in this order. Returns their corners and the overall size. */
function stacked(boxes: readonly Size[], order: number[], most: number) {
  const corners = boxes.map(() => ({ x: 0, y: 0 }))
  let skyline: Stretch[] = [{ left: 0, top: 0 }]
  let [width, height] = [0, 0]
  for (const index of order) {
    const box = sizeOf(boxes, index)
    let corner = { x: 0, y: Number.POSITIVE_INFINITY }
    for (const [at, { left }] of skyline.entries()) {
      // Rounding errors must not exclude the widest box.
      if (left + box.width > most * 1.000001) break
      const y = topBetween(skyline, at, left + box.width)
      if (y < corner.y) corner = { x: left, y }
    }
    corners[index] = corner
    skyline = raised(skyline, corner.x, corner.x + box.width, corner.y + box.height)
    width = Math.max(width, corner.x + box.width)
    height = Math.max(height, corner.y + box.height)
  }
  return { corners, width, height }
}

/** Returns the highest point of the skyline from this segment up to `right`. */
function topBetween(skyline: Stretch[], first: number, right: number): number {
  let top = 0
  for (let at = first; at < skyline.length; at++) {
    const stretch = skyline[at] as Stretch
    if (stretch.left >= right) break
    top = Math.max(top, stretch.top)
  }
  return top
}

/** Returns the skyline after setting a new height between two points. */
function raised(skyline: Stretch[], left: number, right: number, top: number): Stretch[] {
  const last = skyline.findLast((stretch) => stretch.left <= right) as Stretch
  return [
    ...skyline.filter((stretch) => stretch.left < left),
    { left, top },
    { left: right, top: last.top },
    ...skyline.filter((stretch) => stretch.left > right)
  ]
}

function sizeOf(boxes: readonly Size[], index: number): Size {
  return boxes[index] as Size
}
