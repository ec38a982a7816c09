/** Cells with at most this many bodies are leaves. */
const LEAF = 8

/** Cells are not divided further at this depth, so that bodies at the same position end in one leaf. */
const DEEPEST = 40

/**
 * A quadtree of masses (Barnes and Hut 1986, doi:10.1038/324446a0), which is built again for each step of a layout. The bodies of
 * a leaf are near each other, so the list of cells and bodies that act on them is made once for all of them (Barnes 1990,
 * doi:10.1016/0021-9991(90)90232-P). Elements are read without `at`, which is several times slower here: V8 optimises each
 * function for the types of arrays that it has been called with.
 */
export class Quadtree {
  /**
   * The cells, parents before their children: their centre, mass, the square of their width, and the cell after their subtree.
   */
  #cellX: Float64Array
  #cellY: Float64Array
  #cellMass: Float64Array
  #area: Float64Array
  #skip: Int32Array
  /** The bodies of each cell, as a range of places. */
  #start: Int32Array
  #end: Int32Array
  #length = 0
  /** The body in each place. Nearby bodies have nearby places. The order is kept for the next build. */
  readonly #order: Uint32Array
  /** The position and mass of the body in each place. */
  readonly #x: Float64Array
  readonly #y: Float64Array
  readonly #mass: Float64Array
  /** Squares of distances below this are rounding errors. */
  #least = 0
  /** The positions and masses that act on the bodies of a leaf. */
  #actorX = new Float64Array(1024)
  #actorY = new Float64Array(1024)
  #actorMass = new Float64Array(1024)

  constructor(count: number) {
    const cells = Math.ceil(count / 2) + 64
    this.#cellX = new Float64Array(cells)
    this.#cellY = new Float64Array(cells)
    this.#cellMass = new Float64Array(cells)
    this.#area = new Float64Array(cells)
    this.#skip = new Int32Array(cells)
    this.#start = new Int32Array(cells)
    this.#end = new Int32Array(cells)
    this.#order = Uint32Array.from({ length: count }, (_, body) => body)
    this.#x = new Float64Array(count)
    this.#y = new Float64Array(count)
    this.#mass = new Float64Array(count)
  }

  /** Builds the tree of bodies with these positions and masses. Returns their extent, which is always positive. */
  build(x: Float64Array, y: Float64Array, masses: Float64Array): number {
    let [left, right] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
    let [bottom, top] = [left, right]
    for (let place = 0; place < x.length; place++) {
      const body = this.#order[place] as number
      const [bodyX, bodyY] = [x[body] as number, y[body] as number]
      left = Math.min(left, bodyX)
      right = Math.max(right, bodyX)
      bottom = Math.min(bottom, bodyY)
      top = Math.max(top, bodyY)
      this.#x[place] = bodyX
      this.#y[place] = bodyY
      this.#mass[place] = masses[body] as number
    }
    const width = Math.max(right - left, top - bottom, 1e-9)
    this.#length = 0
    this.#least = width * width * 1e-24
    this.#divide(0, x.length, (left + right) / 2, (bottom + top) / 2, width, 0)
    return width
  }

  /** Adds a cell with the bodies in these places, and its subtree. */
  #divide(start: number, end: number, middleX: number, middleY: number, width: number, depth: number) {
    if (this.#length === this.#area.length) this.#grow()
    const cell = this.#length++
    this.#start[cell] = start
    this.#end[cell] = end
    this.#area[cell] = width * width
    if (end - start > LEAF && depth < DEEPEST) {
      const middle = this.#partition(this.#y, start, end, middleY)
      const quarter = width / 4
      for (const [from, to, childY] of [
        [start, middle, middleY - quarter],
        [middle, end, middleY + quarter]
      ] as const) {
        const between = this.#partition(this.#x, from, to, middleX)
        if (between > from) this.#divide(from, between, middleX - quarter, childY, width / 2, depth + 1)
        if (to > between) this.#divide(between, to, middleX + quarter, childY, width / 2, depth + 1)
      }
    }
    this.#skip[cell] = this.#length
    this.#sum(cell, start, end)
  }

  /** Moves the bodies above this coordinate behind the others. Returns the place of the first of them. */
  #partition(coordinates: Float64Array, start: number, end: number, middle: number): number {
    let low = start
    let high = end - 1
    for (;;) {
      while (low <= high && (coordinates[low] as number) <= middle) low++
      while (low <= high && (coordinates[high] as number) > middle) high--
      if (low >= high) return low
      for (const values of [this.#order, this.#x, this.#y, this.#mass]) {
        const value = values[low] as number
        values[low] = values[high] as number
        values[high] = value
      }
    }
  }

  /** Computes the mass and the centre of a cell. */
  #sum(cell: number, start: number, end: number) {
    let mass = 0
    let sumX = 0
    let sumY = 0
    if (this.#isLeaf(cell)) {
      for (let place = start; place < end; place++) {
        const own = this.#mass[place] as number
        mass += own
        sumX += own * (this.#x[place] as number)
        sumY += own * (this.#y[place] as number)
      }
    } else {
      for (let child = cell + 1; child < (this.#skip[cell] as number); child = this.#skip[child] as number) {
        const own = this.#cellMass[child] as number
        mass += own
        sumX += own * (this.#cellX[child] as number)
        sumY += own * (this.#cellY[child] as number)
      }
    }
    this.#cellMass[cell] = mass
    this.#cellX[cell] = sumX / mass
    this.#cellY[cell] = sumY / mass
  }

  #isLeaf(cell: number): boolean {
    return (this.#skip[cell] as number) === cell + 1
  }

  #grow() {
    this.#cellX = longer(this.#cellX)
    this.#cellY = longer(this.#cellY)
    this.#cellMass = longer(this.#cellMass)
    this.#area = longer(this.#area)
    this.#skip = longer(this.#skip)
    this.#start = longer(this.#start)
    this.#end = longer(this.#end)
  }

  /**
   * Calls `act` for each body, except those marked with 1, with the sum of `mass / distance²` over all bodies that are not at its
   * position, and the sums of that times their offset in x and in y. Cells whose width, squared, is at most `nearness` times the
   * square of their distance count as one body.
   */
  sumAll(
    nearness: number,
    ignored: Uint8Array | undefined,
    act: (body: number, sum: number, sumX: number, sumY: number) => void
  ) {
    const least = this.#least
    for (let leaf = 0; leaf < this.#length; leaf++) {
      if (!this.#isLeaf(leaf)) continue
      const [start, end] = [this.#start[leaf] as number, this.#end[leaf] as number]
      let isNeeded = ignored === undefined
      for (let place = start; place < end && !isNeeded; place++) isNeeded = !ignored?.[this.#order[place] as number]
      if (!isNeeded) continue
      const count = this.#findActors(start, end, nearness)
      const [actorX, actorY, actorMass] = [this.#actorX, this.#actorY, this.#actorMass]
      for (let place = start; place < end; place++) {
        const body = this.#order[place] as number
        if (ignored?.[body]) continue
        const x = this.#x[place] as number
        const y = this.#y[place] as number
        let sum = 0
        let sumX = 0
        let sumY = 0
        for (let actor = 0; actor < count; actor++) {
          const dx = x - (actorX[actor] as number)
          const dy = y - (actorY[actor] as number)
          const square = dx * dx + dy * dy
          if (square <= least) continue
          const share = (actorMass[actor] as number) / square
          sum += share
          sumX += share * dx
          sumY += share * dy
        }
        act(body, sum, sumX, sumY)
      }
    }
  }

  /** Lists the cells and bodies that act on the bodies in these places. Returns their number. */
  #findActors(start: number, end: number, nearness: number): number {
    const [cellX, cellY, area, skip] = [this.#cellX, this.#cellY, this.#area, this.#skip]
    let [left, right, bottom, top] = [
      this.#x[start] as number,
      this.#x[start] as number,
      this.#y[start] as number,
      this.#y[start] as number
    ]
    for (let place = start + 1; place < end; place++) {
      left = Math.min(left, this.#x[place] as number)
      right = Math.max(right, this.#x[place] as number)
      bottom = Math.min(bottom, this.#y[place] as number)
      top = Math.max(top, this.#y[place] as number)
    }
    let count = 0
    for (let cell = 0; cell < this.#length; ) {
      const [x, y] = [cellX[cell] as number, cellY[cell] as number]
      const dx = x < left ? left - x : x > right ? x - right : 0
      const dy = y < bottom ? bottom - y : y > top ? y - top : 0
      const next = skip[cell] as number
      if ((area[cell] as number) <= nearness * (dx * dx + dy * dy)) {
        count = this.#addActor(count, x, y, this.#cellMass[cell] as number)
        cell = next
        continue
      }
      if (next === cell + 1) {
        for (let place = this.#start[cell] as number; place < (this.#end[cell] as number); place++)
          count = this.#addActor(count, this.#x[place] as number, this.#y[place] as number, this.#mass[place] as number)
      }
      cell++
    }
    return count
  }

  #addActor(count: number, x: number, y: number, mass: number): number {
    if (count === this.#actorX.length) {
      this.#actorX = longer(this.#actorX)
      this.#actorY = longer(this.#actorY)
      this.#actorMass = longer(this.#actorMass)
    }
    this.#actorX[count] = x
    this.#actorY[count] = y
    this.#actorMass[count] = mass
    return count + 1
  }
}

function longer<Numbers extends Int32Array | Float64Array>(numbers: Numbers): Numbers {
  const copy = new (numbers.constructor as new (length: number) => Numbers)(numbers.length * 2)
  copy.set(numbers)
  return copy
}
