import type Sigma from 'sigma'

/**
 * The positions of nodes in the renderer's frame, and their sizes. Kept here because the renderer only returns copies, and
 * copying every node on every mouse move would take too long.
 */
export class DrawnNodes {
  readonly count: number
  readonly #values: Float64Array

  constructor(sigma: Sigma, count: number) {
    this.count = count
    this.#values = new Float64Array(count * 3)
    const read = () => {
      for (let node = 0; node < count; node++) {
        const display = sigma.getNodeDisplayData(String(node))
        const isDrawn = display !== undefined && !display.hidden
        this.#values.set(isDrawn ? [display.x, display.y, display.size] : HIDDEN, node * 3)
      }
    }
    read()
    sigma.on('afterProcess', read)
  }

  x(node: number): number {
    return this.#values[node * 3] as number
  }

  y(node: number): number {
    return this.#values[node * 3 + 1] as number
  }

  /** Returns the size of a node, which is negative if the node is hidden. */
  size(node: number): number {
    return this.#values[node * 3 + 2] as number
  }
}

const HIDDEN = [0, 0, -1]
