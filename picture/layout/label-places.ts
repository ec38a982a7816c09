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

/** The distance between the ends of a label and other discs, below which it looks like their label. */
const GAP = 6

/** Labels may cover discs with a radius below DOT pixels, and those below TINY if there is no better place. */
const [DOT, TINY] = [2, 4]

/** The first labels may even cover discs with a radius below this share of that of their own disc, if there is no other place. */
const FIRST = { count: 40, share: 0.8 }

/** The labels of hubs may be on the disc, or overlap other labels by this share of their area. */
const HUBS = { count: 20, share: 0.2 }

/** The maximum number of forced labels to find the least crowded place for. More would make drawing slow. */
export const CROWDED = 500

/** A box that labels avoid, with the radius of the disc in it, which is infinite for other boxes. */
interface Taken extends Box {
  radius: number
}

/** Places labels so that they cover neither other labels nor discs. Earlier labels get better places. */
export class LabelPlaces {
  readonly #cells = new Map<number, Taken[]>()
  readonly #view: Box
  /** The number of forced labels so far that had no free place. */
  #crowded = 0

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
    const place =
      this.#find(boxesBeside(label), label, limit) ??
      (rank < HUBS.count ? this.#findCrowded(label, HUBS.share) : undefined)
    if (place) this.#add(place, Number.POSITIVE_INFINITY)
    return place
  }

  /**
   * Reserves a free place next to the disc, even over other discs, or on it. If other labels or the legend take all places, reserves
   * the one in view that overlaps them least. After CROWDED such labels, returns the first place and does not reserve it.
   */
  force(label: Label): Box {
    const beside = boxesBeside(label)
    const free = this.#find(beside, label)
    if (!free && this.#crowded++ >= CROWDED) return beside[0] as Box
    const place = free ?? this.#findCrowded(label) ?? (beside[0] as Box)
    this.#add(place, Number.POSITIVE_INFINITY)
    return place
  }

  /** Reserves all of these boxes if they are free. Returns whether they were. */
  takeAll(boxes: readonly Box[]): boolean {
    if (!boxes.every((box) => this.#coveredBy(box, TINY) < TINY)) return false
    for (const box of boxes) this.#add(box, Number.POSITIVE_INFINITY)
    return true
  }

  /** Returns the first of a label's boxes whose largest covered disc is the smallest, if its radius is below the limit. */
  #find(boxes: readonly Box[], label: Label, limit = Number.POSITIVE_INFINITY): Box | undefined {
    let [found, least]: [Box | undefined, number] = [undefined, limit]
    for (const box of boxes) {
      const radius = this.#coveredBy(box, least, label)
      if (radius < least) [found, least] = [box, radius]
      if (least === 0) break
    }
    return found
  }

  /**
   * Returns the radius of the largest disc that the box covers, infinity if it covers anything else, or 0. Stops at the first radius
   * that is not below the limit. The box of a node's label also covers discs near its ends, but never that of the node.
   */
  #coveredBy(box: Box, limit: number, own?: Label): number {
    if (!isWithin(box, this.#view)) return Number.POSITIVE_INFINITY
    const wide = own ? { ...box, left: box.left - GAP, right: box.right + GAP } : box
    let most = 0
    for (const cell of cellsOf(wide)) {
      for (const other of this.#cells.get(cell) ?? []) {
        if (other.radius <= most) continue
        if (other.radius === Number.POSITIVE_INFINITY ? overlap(box, other) : isReached(wide, other, own))
          most = other.radius
        if (most >= limit) return most
      }
    }
    return most
  }

  /**
   * Returns a place on the disc of a label, or the place that overlaps other labels and covers least, if by a smaller share of its
   * area than `share`.
   */
  #findCrowded(label: Label, share = Number.POSITIVE_INFINITY): Box | undefined {
    const on = boxesOn(label)
    const free = this.#find(on, label)
    if (free) return free
    let [found, least]: [Box | undefined, number] = [undefined, label.width * label.height * share]
    for (const box of [...on, ...boxesBeside(label)]) {
      if (!isWithin(box, this.#view)) continue
      const area = this.#overlapped(box, least)
      if (area < least) [found, least] = [box, area]
    }
    return found
  }

  /** Returns the area of the box that other labels and the legend cover, or the limit or more if it is not below the limit. */
  #overlapped(box: Box, limit: number): number {
    let area = 0
    for (const cell of cellsOf(box)) {
      for (const other of this.#cells.get(cell) ?? []) {
        // Several cells may contain both boxes, whose overlap counts only in the first.
        if (other.radius !== Number.POSITIVE_INFINITY || cell !== cellOfBoth(box, other)) continue
        area += areaOfBoth(box, other)
        if (area >= limit) return area
      }
    }
    return area
  }

  #add(box: Box, radius: number) {
    const taken = { ...box, radius }
    for (const cell of cellsOf(box)) {
      const others = this.#cells.get(cell)
      if (others) others.push(taken)
      else this.#cells.set(cell, [taken])
    }
  }
}

/** Returns whether the box reaches the disc in the other box, unless that is its own. */
function isReached({ left, right, top, bottom }: Box, other: Taken, own?: Point): boolean {
  const [x, y] = [(other.left + other.right) / 2, (other.top + other.bottom) / 2]
  if (own && Math.hypot(x - own.x, y - own.y) < 0.01) return false
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

/** Returns the places on a disc: in its middle, and then those that begin or end there. */
function boxesOn({ x, y, width, height }: Label): Box[] {
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

/** Returns the number of the first grid cell that the overlap of two boxes is in. */
function cellOfBoth(one: Box, other: Box): number {
  const [left, top] = [Math.max(one.left, other.left), Math.max(one.top, other.top)]
  return cellAt(Math.floor(top / CELL.height), Math.floor(left / CELL.width))
}

function cellAt(row: number, column: number): number {
  return row * 10_000 + column
}

/** Returns the numbers of the grid cells that a box overlaps. */
function cellsOf({ left, top, right, bottom }: Box): number[] {
  const cells: number[] = []
  for (let row = Math.floor(top / CELL.height); row <= bottom / CELL.height; row++) {
    for (let column = Math.floor(left / CELL.width); column <= right / CELL.width; column++) {
      cells.push(cellAt(row, column))
    }
  }
  return cells
}

function isWithin(inner: Box, outer: Box): boolean {
  return (
    inner.left >= outer.left && inner.right <= outer.right && inner.top >= outer.top && inner.bottom <= outer.bottom
  )
}

/** Returns the area that both boxes cover. */
function areaOfBoth(one: Box, other: Box): number {
  const width = Math.min(one.right, other.right) - Math.max(one.left, other.left)
  const height = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top)
  return Math.max(0, width) * Math.max(0, height)
}

export function overlap(one: Box, other: Box): boolean {
  return one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom
}
