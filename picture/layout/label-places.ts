import type { Point } from '../edges/shapes.ts'

/** A rectangle, given by its edges. */
export interface Box {
  left: number
  top: number
  right: number
  bottom: number
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

/** The size of the grid cells used to look up boxes, in pixels. */
const CELL = { width: 80, height: 20 }

/** The distance between a label and its disc. */
const DISTANCE = 3

/** Labels may cover discs with a radius below DOT pixels, and those below TINY if there is no better place. */
const [DOT, TINY] = [2, 4]

/** The first labels may even cover discs with a radius below this share of that of their own disc, if there is no other place. */
const FIRST = { count: 40, share: 0.5 }

/** A box that labels avoid, with the radius of the disc in it, which is infinite for other boxes. */
interface Taken extends Box {
  radius: number
}

/** Places labels so that they cover neither other labels nor discs. Earlier labels get better places. */
export class LabelPlaces {
  readonly #cells = new Map<number, Taken[]>()
  readonly #view: Box

  /** Labels stay within the view and avoid the covers, such as a legend. */
  constructor(view: Box, covers: readonly Box[]) {
    this.#view = view
    for (const cover of covers) this.#add(cover, Number.POSITIVE_INFINITY)
  }

  /** Makes labels avoid a disc. */
  addDisc({ x, y, size }: Pick<Label, 'x' | 'y' | 'size'>) {
    if (size >= DOT) this.#add({ left: x - size, right: x + size, top: y - size, bottom: y + size }, size)
  }

  /**
   * Reserves a place for a label around its disc. Returns undefined if no place is free. `rank` counts from 0 for the most important
   * label.
   */
  take(label: Label, rank = FIRST.count): Box | undefined {
    const limit = rank < FIRST.count ? Math.max(TINY, label.size * FIRST.share) : TINY
    const place = this.#find(boxesBeside(label), limit)
    if (place) this.#add(place, Number.POSITIVE_INFINITY)
    return place
  }

  /**
   * Reserves a free place next to the disc, even over other discs. If other labels or the legend take all places, reserves the first
   * one in view anyway.
   */
  force(label: Label): Box {
    const boxes = boxesBeside(label)
    const place =
      this.#find(boxes, Number.POSITIVE_INFINITY) ?? boxes.find((box) => isWithin(box, this.#view)) ?? (boxes[0] as Box)
    this.#add(place, Number.POSITIVE_INFINITY)
    return place
  }

  /** Reserves all of these boxes if they are free. Returns whether they were. */
  takeAll(boxes: readonly Box[]): boolean {
    if (!boxes.every((box) => this.#coveredBy(box) < TINY)) return false
    for (const box of boxes) this.#add(box, Number.POSITIVE_INFINITY)
    return true
  }

  /** Returns the first of the boxes whose largest covered disc is the smallest, if its radius is below the limit. */
  #find(boxes: readonly Box[], limit: number): Box | undefined {
    let [found, least]: [Box | undefined, number] = [undefined, limit]
    for (const box of boxes) {
      const radius = this.#coveredBy(box)
      if (radius < least) [found, least] = [box, radius]
      if (least === 0) break
    }
    return found
  }

  /** Returns the radius of the largest disc that the box covers, infinity if it covers anything else, or 0. */
  #coveredBy(box: Box): number {
    if (!isWithin(box, this.#view)) return Number.POSITIVE_INFINITY
    let most = 0
    for (const cell of cellsOf(box)) {
      for (const other of this.#cells.get(cell) ?? []) {
        if (other.radius > most && overlap(box, other) && isReached(box, other)) most = other.radius
      }
    }
    return most
  }

  #add(box: Box, radius: number) {
    for (const cell of cellsOf(box)) {
      const others = this.#cells.get(cell)
      if (others) others.push({ ...box, radius })
      else this.#cells.set(cell, [{ ...box, radius }])
    }
  }
}

/** Returns whether the box reaches the disc in the other box, or the other box itself if it has none. */
function isReached({ left, right, top, bottom }: Box, other: Taken): boolean {
  if (other.radius === Number.POSITIVE_INFINITY) return true
  const [x, y] = [(other.left + other.right) / 2, (other.top + other.bottom) / 2]
  return Math.hypot(Math.max(left - x, 0, x - right), Math.max(top - y, 0, y - bottom)) < other.radius
}

/**
 * Returns the possible places around a disc, best first: those that cover the fewest edges, then right, left, below, above and at the
 * corners.
 */
function boxesBeside({ x, y, size, width, height, ends = [] }: Label): Box[] {
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

/** Returns the numbers of the grid cells that a box overlaps. */
function cellsOf({ left, top, right, bottom }: Box): number[] {
  const cells: number[] = []
  for (let row = Math.floor(top / CELL.height); row <= bottom / CELL.height; row++) {
    for (let column = Math.floor(left / CELL.width); column <= right / CELL.width; column++) {
      cells.push(row * 10_000 + column)
    }
  }
  return cells
}

function isWithin(inner: Box, outer: Box): boolean {
  return (
    inner.left >= outer.left && inner.right <= outer.right && inner.top >= outer.top && inner.bottom <= outer.bottom
  )
}

export function overlap(one: Box, other: Box): boolean {
  return one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom
}
