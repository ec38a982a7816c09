import type { Point } from '../edges/shapes.ts'
import {
  areaOfBoth,
  type Box,
  boxAway,
  boxesBeside,
  boxesOn,
  isWithin,
  type Label,
  type LabelPlace,
  leaderOf,
  overlap,
  squaresOn
} from './label-boxes.ts'

/** The size of the grid cells used to look up boxes, in pixels. */
const CELL = { width: 80, height: 20 }

/** The distance between the ends of a label and other discs or labels, below which they seem to belong together. */
const GAP = 6

/** Labels may cover discs with a radius below DOT pixels, and those below TINY if there is no better place. */
const [DOT, TINY] = [2, 4]

/** The number of labels that may be away from their disc. */
const FIRST = 40

/** Leaders cross discs with at least this share of the radius of their own disc only if there is no other place. */
const CROSSED = 0.6

/** The places away from the disc of one of the first labels: their directions, and their distances in line heights. */
const AWAY = { directions: 16, distances: 14 }

/** The number of labels that may be on their disc, where they may cover smaller discs. */
const HUBS = 20

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
   * Reserves a place for a label around its disc, or for the first labels a place near it with a leader. Returns undefined if no
   * place is free. `rank` counts from 0 for the most important label.
   */
  take(label: Label, rank = FIRST): LabelPlace | undefined {
    const place: LabelPlace | undefined =
      this.#find(boxesBeside(label), label, TINY) ??
      (rank < FIRST ? this.#findAway(label) : undefined) ??
      (rank < HUBS ? this.#find(boxesOn(label), label, label.size) : undefined)
    if (!place) return undefined
    this.#add(place, Number.POSITIVE_INFINITY)
    for (const square of place.leader ? squaresOn(...place.leader) : []) this.#add(square, Number.POSITIVE_INFINITY)
    return place
  }

  /**
   * Reserves a free place next to the disc, even over other discs, or on it. If other labels or the legend take all places, reserves
   * the one in view that overlaps them least. After CROWDED such labels, returns the first place and does not reserve it.
   */
  force(label: Label): LabelPlace {
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
   * Looks for a free place away from the disc, from near to far. Returns the first one whose leader crosses no label, legend or large
   * disc. Failing that, returns the one whose leader crosses only the smallest discs, all of them smaller than the label's own.
   */
  #findAway(label: Label): LabelPlace | undefined {
    let [found, least]: [LabelPlace | undefined, number] = [undefined, label.size]
    for (let step = 1; step <= AWAY.distances; step++) {
      for (let turn = 0; turn < AWAY.directions; turn++) {
        const box = boxAway(label, step * label.height, (2 * Math.PI * turn) / AWAY.directions)
        if (this.#coveredBy(box, TINY, label) >= TINY) continue
        const leader = leaderOf(label, box)
        let radius = 0
        for (const square of squaresOn(...leader)) {
          radius = Math.max(radius, this.#coveredBy(square, least, label, 0))
          if (radius >= least) break
        }
        if (radius < least) [found, least] = [{ ...box, leader }, radius]
        if (least < label.size * CROSSED) return found
      }
    }
    return found
  }

  /**
   * Returns the radius of the largest disc that the box covers, infinity if it covers anything else, or 0. Stops at the first radius
   * that is not below the limit. The box of a node's label also covers what is near its ends, but never the disc of the node.
   */
  #coveredBy(box: Box, limit: number, own?: Label, gap = GAP): number {
    if (!isWithin(box, this.#view)) return Number.POSITIVE_INFINITY
    const wide = own ? { ...box, left: box.left - gap, right: box.right + gap } : box
    let most = 0
    for (const cell of cellsOf(wide)) {
      for (const other of this.#cells.get(cell) ?? []) {
        if (other.radius <= most) continue
        if (other.radius === Number.POSITIVE_INFINITY ? overlap(wide, other) : isReached(wide, other, own))
          most = other.radius
        if (most >= limit) return most
      }
    }
    return most
  }

  /** Returns a place on the disc of a label, or the place in view that overlaps other labels and covers least. */
  #findCrowded(label: Label): Box | undefined {
    const on = boxesOn(label)
    const free = this.#find(on, label)
    if (free) return free
    let [found, least]: [Box | undefined, number] = [undefined, Number.POSITIVE_INFINITY]
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
