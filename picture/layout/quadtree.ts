import { at } from '../model/network.ts'

/** Cells are not divided further at this depth, so that bodies at the same position end in one cell. */
const DEEPEST = 40

/** Marks a cell without bodies, and one that has children. */
const EMPTY = -1
const DIVIDED = -2

/**
 * A quadtree of masses (Barnes and Hut 1986, doi:10.1038/324446a0), which is built again for each step of a layout. A cell has up to
 * four children; a leaf has a list of bodies.
 */
export class Quadtree {
  /** The four children of each cell, or 0. The root, cell 0, is nobody's child. */
  #children: Int32Array
  /** The first body of each leaf, EMPTY or DIVIDED. */
  #first: Int32Array
  #mass: Float64Array
  #x: Float64Array
  #y: Float64Array
  /** The square of the width of each cell. */
  #area: Float64Array
  /** The number of cells in each subtree. */
  #cells: Int32Array
  #length = 0
  /** The next body in the same leaf, or -1. */
  readonly #next: Int32Array
  readonly #stack = new Int32Array(4 * DEEPEST + 8)
  /** Squares of distances below this are rounding errors. */
  #least = 0
  /** The x, y, mass and area of each cell, parents before their children. Leaves have no area. */
  #walk = new Float64Array(0)
  /** The cell that follows the subtree of each cell. */
  #skip = new Int32Array(0)
  /** All bodies, with those near each other in succession, from the last time that the tree was built. */
  readonly order: Uint32Array

  constructor(count: number) {
    const cells = 2 * count + 64
    this.#children = new Int32Array(cells * 4)
    this.#first = new Int32Array(cells)
    this.#mass = new Float64Array(cells)
    this.#x = new Float64Array(cells)
    this.#y = new Float64Array(cells)
    this.#area = new Float64Array(cells)
    this.#cells = new Int32Array(cells)
    this.#next = new Int32Array(count)
    this.order = Uint32Array.from({ length: count }, (_, body) => body)
  }

  /** Builds the tree of bodies with these positions and masses. Returns their extent, which is always positive. */
  build(x: Float64Array, y: Float64Array, masses: Float64Array): number {
    let [left, right] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
    let [bottom, top] = [left, right]
    for (let body = 0; body < x.length; body++) {
      left = Math.min(left, at(x, body))
      right = Math.max(right, at(x, body))
      bottom = Math.min(bottom, at(y, body))
      top = Math.max(top, at(y, body))
    }
    const width = Math.max(right - left, top - bottom, 1e-9)
    this.#length = 0
    this.#least = width * width * 1e-24
    this.#add(width * width)
    // Bodies near each other come in succession, which keeps their cells in the processor's cache.
    for (const body of this.order) this.#insert(body, x, y, (left + right) / 2, (bottom + top) / 2, width / 2)
    this.#sum(x, y, masses)
    this.#arrange()
    return width
  }

  /** Inserts a body. The middle and half the width are those of the root. */
  #insert(body: number, x: Float64Array, y: Float64Array, middleX: number, middleY: number, halfWidth: number) {
    const bodyX = at(x, body)
    const bodyY = at(y, body)
    let cell = 0
    let half = halfWidth
    let cellX = middleX
    let cellY = middleY
    for (let depth = 0; ; depth++) {
      const other = at(this.#first, cell)
      if (other === EMPTY || (other >= 0 && depth === DEEPEST)) {
        this.#first[cell] = body
        this.#next[body] = other
        return
      }
      if (other >= 0) {
        // Moves the body of this leaf into a child. Leaves above the greatest depth have one body.
        this.#first[cell] = DIVIDED
        const child = this.#childOf(cell, at(x, other) > cellX, at(y, other) > cellY, half)
        this.#first[child] = other
      }
      cell = this.#childOf(cell, bodyX > cellX, bodyY > cellY, half)
      half /= 2
      cellX += bodyX > cellX ? half : -half
      cellY += bodyY > cellY ? half : -half
    }
  }

  /** Returns the child in this quadrant, which is added if it is missing. Its width is half that of the cell. */
  #childOf(cell: number, isRight: boolean, isUpper: boolean, width: number): number {
    const place = cell * 4 + (isRight ? 1 : 0) + (isUpper ? 2 : 0)
    const child = at(this.#children, place)
    if (child !== 0) return child
    const added = this.#add(width * width)
    this.#children[place] = added
    return added
  }

  #add(area: number): number {
    if (this.#length === this.#mass.length) this.#grow()
    const cell = this.#length++
    this.#children.fill(0, cell * 4, cell * 4 + 4)
    this.#first[cell] = EMPTY
    this.#area[cell] = area
    return cell
  }

  #grow() {
    this.#children = longer(this.#children)
    this.#first = longer(this.#first)
    this.#mass = longer(this.#mass)
    this.#x = longer(this.#x)
    this.#y = longer(this.#y)
    this.#area = longer(this.#area)
    this.#cells = longer(this.#cells)
  }

  /** Computes the mass and the centre of each cell. Children follow their parents. */
  #sum(x: Float64Array, y: Float64Array, masses: Float64Array) {
    for (let cell = this.#length - 1; cell >= 0; cell--) {
      let mass = 0
      let sumX = 0
      let sumY = 0
      let cells = 1
      for (let body = at(this.#first, cell); body >= 0; body = at(this.#next, body)) {
        mass += at(masses, body)
        sumX += at(masses, body) * at(x, body)
        sumY += at(masses, body) * at(y, body)
      }
      for (let quadrant = 0; quadrant < 4; quadrant++) {
        const child = at(this.#children, cell * 4 + quadrant)
        if (child === 0) continue
        mass += at(this.#mass, child)
        sumX += at(this.#mass, child) * at(this.#x, child)
        sumY += at(this.#mass, child) * at(this.#y, child)
        cells += at(this.#cells, child)
      }
      this.#mass[cell] = mass
      this.#x[cell] = sumX / mass
      this.#y[cell] = sumY / mass
      this.#cells[cell] = cells
    }
  }

  /** Puts the cells and the bodies in the order in which the tree is walked. */
  #arrange() {
    if (this.#skip.length < this.#length) {
      this.#skip = new Int32Array(this.#first.length)
      this.#walk = new Float64Array(this.#first.length * 4)
    }
    const [stack, walk, order] = [this.#stack, this.#walk, this.order]
    let height = 1
    let bodies = 0
    stack[0] = 0
    for (let place = 0; height > 0; place++) {
      const cell = at(stack, --height)
      const first = at(this.#first, cell)
      walk[place * 4] = at(this.#x, cell)
      walk[place * 4 + 1] = at(this.#y, cell)
      walk[place * 4 + 2] = at(this.#mass, cell)
      walk[place * 4 + 3] = first >= 0 ? 0 : at(this.#area, cell)
      this.#skip[place] = place + at(this.#cells, cell)
      for (let body = first; body >= 0; body = at(this.#next, body)) order[bodies++] = body
      for (let quadrant = 3; quadrant >= 0; quadrant--) {
        const child = at(this.#children, cell * 4 + quadrant)
        if (child !== 0) stack[height++] = child
      }
    }
  }

  /**
   * Sets `sums` to the sum of `mass / distance²` over all bodies that are not at this position, then the sums of that times their
   * offset in x and in y. Cells whose width, squared, is below `nearness` times the square of their distance count as one body.
   */
  sumAround(x: number, y: number, nearness: number, sums: Float64Array) {
    const walk = this.#walk
    const skip = this.#skip
    const length = this.#length
    const least = this.#least
    let sum = 0
    let sumX = 0
    let sumY = 0
    for (let cell = 0; cell < length; ) {
      const dx = x - at(walk, cell * 4)
      const dy = y - at(walk, cell * 4 + 1)
      const square = dx * dx + dy * dy
      if (at(walk, cell * 4 + 3) > nearness * square) {
        cell++
        continue
      }
      if (square > least) {
        const share = at(walk, cell * 4 + 2) / square
        sum += share
        sumX += share * dx
        sumY += share * dy
      }
      cell = at(skip, cell)
    }
    sums[0] = sum
    sums[1] = sumX
    sums[2] = sumY
  }
}

function longer<Numbers extends Int32Array | Float64Array>(numbers: Numbers): Numbers {
  const copy = new (numbers.constructor as new (length: number) => Numbers)(numbers.length * 2)
  copy.set(numbers)
  return copy
}
