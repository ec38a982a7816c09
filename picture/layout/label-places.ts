/** A rectangle, from its upper left to its lower right corner. */
export interface Box {
  left: number
  top: number
  right: number
  bottom: number
}

/** A label to place: the size of its text, beside a disc. */
export interface Label {
  x: number
  y: number
  /** The radius of the disc. */
  size: number
  width: number
  height: number
}

/** The size of the cells in which boxes are looked for, in pixels. */
const CELL = { width: 80, height: 20 }

/** The distance of a label from its disc. */
const DISTANCE = 3

/** Labels may cover discs below this radius, and those below a share of their own disc's radius: usually this one. */
const TINY = 4
const SHARE = 0.5

/** Places for labels that cover neither other labels nor discs: the first to ask gets the best place. */
export class LabelPlaces {
  readonly #cells = new Map<number, (Box & { radius: number })[]>()
  readonly #view: Box

  /** Labels lie within the view, and off the covers, such as a legend. */
  constructor(view: Box, covers: readonly Box[]) {
    this.#view = view
    for (const cover of covers) this.#add(cover, Number.POSITIVE_INFINITY)
  }

  /** Keeps labels off a disc. */
  addDisc({ x, y, size }: Pick<Label, 'x' | 'y' | 'size'>) {
    if (size >= TINY) this.#add({ left: x - size, right: x + size, top: y - size, bottom: y + size }, size)
  }

  /**
   * Takes a place for a label beside, below or above its disc. Returns undefined if none is free. One that matters may cover all
   * discs that are smaller than its own, if there is no better place.
   */
  take(label: Label, matters = false): Box | undefined {
    const boxes = boxesBeside(label)
    const find = (share: number) => boxes.find((box) => this.#isFree(box, label.size * share))
    const place = find(SHARE) ?? (matters ? find(1) : undefined)
    if (place) this.#add(place, Number.POSITIVE_INFINITY)
    return place
  }

  /** Takes the place to the right of the disc, or to its left near the border of the view, free or not. */
  force(label: Label): Box {
    const boxes = boxesBeside(label)
    const place = boxes.find((box) => isWithin(box, this.#view)) ?? (boxes[0] as Box)
    this.#add(place, Number.POSITIVE_INFINITY)
    return place
  }

  /** Tells whether a box covers nothing but discs below this radius. */
  #isFree(box: Box, radius: number): boolean {
    return (
      isWithin(box, this.#view) &&
      cellsOf(box).every(
        (cell) => this.#cells.get(cell)?.every((other) => other.radius < radius || !overlap(box, other)) ?? true
      )
    )
  }

  #add(box: Box, radius: number) {
    for (const cell of cellsOf(box)) {
      const others = this.#cells.get(cell)
      if (others) others.push({ ...box, radius })
      else this.#cells.set(cell, [{ ...box, radius }])
    }
  }
}

/** The places beside a disc, the best first: to the right, to the left, below, above. */
function boxesBeside({ x, y, size, width, height }: Label): Box[] {
  const box = (left: number, top: number) => ({ left, top, right: left + width, bottom: top + height })
  return [
    box(x + size + DISTANCE, y - height / 2),
    box(x - size - DISTANCE - width, y - height / 2),
    box(x - width / 2, y + size + 1),
    box(x - width / 2, y - size - 1 - height)
  ]
}

/** The numbers of the cells that a box reaches. */
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
