/** A rectangle, from its upper left to its lower right corner. */
export interface Box {
  left: number
  top: number
  right: number
  bottom: number
}

/** The height of the rows in which boxes are looked for, in pixels: about that of a label. */
const ROW = 20

/** Places for labels that do not overlap: the first to ask gets the place. */
export class LabelPlaces {
  readonly #rows = new Map<number, Box[]>()

  /** Takes the place of the box. Returns false if another one overlaps it. */
  take(box: Box): boolean {
    const rows = rowsOf(box)
    if (rows.some((row) => this.#rows.get(row)?.some((other) => overlap(box, other)))) return false
    for (const row of rows) {
      const others = this.#rows.get(row)
      if (others) others.push(box)
      else this.#rows.set(row, [box])
    }
    return true
  }
}

function rowsOf({ top, bottom }: Box): number[] {
  const first = Math.floor(top / ROW)
  return Array.from({ length: Math.floor(bottom / ROW) - first + 1 }, (_, row) => first + row)
}

function overlap(one: Box, other: Box) {
  return one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom
}
