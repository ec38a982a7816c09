import type { Point } from '../edges/shapes.ts'

// The boxes of labels around discs, and the lines that lead to them.

/** A rectangle, given by its edges. */
export interface Box {
  left: number
  top: number
  right: number
  bottom: number
}

/** The place of a label. A leader connects the disc, where it begins with a dot, with a label that is away from it. */
export interface LabelPlace extends Box {
  leader?: [Point, Point]
}

/** A label to place next to a disc, with the size of its text. */
export interface Label {
  x: number
  y: number
  /** The radius of the disc. */
  size: number
  width: number
  height: number
  /** The other ends of edges that the label avoids if it can. */
  ends?: readonly Point[] | undefined
}

/** The distance between a label and its disc. */
const DISTANCE = 3

/** The side of the squares that a leader takes, in pixels. */
const DASH = 5

/**
 * Returns the possible places around a disc, best first: those that cover the fewest edges, then right, left, below, above and at the
 * corners.
 */
export function boxesBeside({ x, y, size, width, height, ends = [] }: Label): Box[] {
  const box = (left: number, top: number) => ({ left, top, right: left + width, bottom: top + height })
  const corner = size * Math.SQRT1_2 + 1
  const boxes = [
    box(x + size + DISTANCE, y - height / 2),
    box(x - size - DISTANCE - width, y - height / 2),
    box(x - width / 2, y + size + 1),
    box(x - width / 2, y - size - 1 - height),
    box(x + corner, y - corner - height),
    box(x + corner, y + corner),
    box(x - corner - width, y - corner - height),
    box(x - corner - width, y + corner)
  ]
  if (ends.length === 0) return boxes
  const covered = new Map(boxes.map((place) => [place, ends.filter((end) => isCrossed(place, { x, y }, end)).length]))
  return boxes.sort((one, other) => (covered.get(one) as number) - (covered.get(other) as number))
}

/** Returns the place at a distance from the disc, in a direction clockwise from the right. */
export function boxAway({ x, y, size, width, height }: Label, distance: number, angle: number): Box {
  const [right, down] = [Math.cos(angle), Math.sin(angle)]
  const left = x + (size + distance) * right - (width * (1 - right)) / 2
  const top = y + (size + distance) * down - (height * (1 - down)) / 2
  return { left, top, right: left + width, bottom: top + height }
}

/** Returns the line from the middle of the disc to the nearest point of the box. */
export function leaderOf({ x, y }: Label, box: Box): [Point, Point] {
  const end = {
    x: Math.min(box.right, Math.max(box.left, x)),
    y: Math.min(box.bottom, Math.max(box.top, y))
  }
  return [{ x, y }, end]
}

/** Returns squares along the line, without its ends. */
export function squaresOn(from: Point, to: Point): Box[] {
  const count = Math.floor(Math.hypot(to.x - from.x, to.y - from.y) / DASH)
  return Array.from({ length: Math.max(0, count - 1) }, (_, index) => {
    const share = (index + 1) / count
    const [x, y] = [from.x + (to.x - from.x) * share, from.y + (to.y - from.y) * share]
    return { left: x - DASH / 2, right: x + DASH / 2, top: y - DASH / 2, bottom: y + DASH / 2 }
  })
}

/** Returns the places on a disc: in its middle, and then those that begin or end there. */
export function boxesOn({ x, y, width, height }: Label): Box[] {
  return [
    [-0.5, -0.5],
    [0, -0.5],
    [-1, -0.5],
    [-0.5, 0],
    [-0.5, -1]
  ].map(([right = 0, down = 0]) => {
    const [left, top] = [x + right * width, y + down * height]
    return { left, top, right: left + width, bottom: top + height }
  })
}

/** Returns whether a line from one point to another crosses the box (Liang and Barsky 1984, doi:10.1145/357332.357333). */
function isCrossed(box: Box, from: Point, to: Point): boolean {
  let [start, end] = [0, 1]
  const clip = (first: number, last: number, least: number, greatest: number) => {
    const [one, other] = [(least - first) / (last - first), (greatest - first) / (last - first)]
    if (first === last) return least < first && first < greatest
    start = Math.max(start, Math.min(one, other))
    end = Math.min(end, Math.max(one, other))
    return start < end
  }
  return clip(from.x, to.x, box.left, box.right) && clip(from.y, to.y, box.top, box.bottom)
}

export function isWithin(inner: Box, outer: Box): boolean {
  return (
    inner.left >= outer.left && inner.right <= outer.right && inner.top >= outer.top && inner.bottom <= outer.bottom
  )
}

/** Returns the area that both boxes cover. */
export function areaOfBoth(one: Box, other: Box): number {
  const width = Math.min(one.right, other.right) - Math.max(one.left, other.left)
  const height = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top)
  return Math.max(0, width) * Math.max(0, height)
}

export function overlap(one: Box, other: Box): boolean {
  return one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom
}
