import type Sigma from 'sigma'
import type { Point } from '../../../../picture/edges/shapes.ts'
import { fitOff } from '../../../../picture/layout/fit.ts'
import type { Box } from '../../../../picture/layout/label-places.ts'
import type { DrawnNodes } from '../drawing/drawn-nodes.ts'
import type { Camera } from '../drawing/stage.ts'

/** The camera that shows the renderer's whole frame. */
const MIDDLE: Camera = { x: 0.5, y: 0.5, ratio: 1 }

/** Fits the whole network into the space that other elements, such as the legend, do not cover. */
export class WholeView {
  readonly #sigma: Sigma
  readonly #nodes: DrawnNodes
  readonly #radiusOf: (node: number) => number
  readonly #findCovers: () => Box[]
  #camera = MIDDLE
  #covers: Box[]
  /** Whether the nodes or the available space have changed since the camera was computed. */
  #isOutdated = false

  /** `findCovers` returns the boxes, in drawing pixels, of the elements that cover the drawing. */
  constructor(sigma: Sigma, nodes: DrawnNodes, radiusOf: (node: number) => number, findCovers: () => Box[]) {
    this.#sigma = sigma
    this.#nodes = nodes
    this.#radiusOf = radiusOf
    this.#findCovers = findCovers
    this.#covers = findCovers()
  }

  /** The boxes of the elements that covered the drawing at the last update. */
  get covers(): readonly Box[] {
    return this.#covers
  }

  isShownBy({ x, y, ratio }: Camera): boolean {
    return x === this.#camera.x && y === this.#camera.y && ratio === this.#camera.ratio
  }

  /** Must be called after nodes move or the space is resized. */
  invalidate() {
    this.#isOutdated = true
  }

  /**
   * Updates the covered areas. Must be called after the renderer has updated the nodes. If `isShown`, keeps the whole network
   * in view.
   */
  update(isShown: boolean) {
    const before = this.#covers
    this.#covers = this.#findCovers()
    const isOutdated = this.#isOutdated || JSON.stringify(before) !== JSON.stringify(this.#covers)
    if (isOutdated && isShown) this.show()
    this.#isOutdated = false
  }

  /** Moves the camera to show the whole network. */
  show() {
    this.#sigma.getCamera().setState(this.computeCamera())
  }

  /** Computes, stores and returns the camera that shows the whole network. */
  computeCamera(): Camera {
    const sigma = this.#sigma
    const cameraState = { ...MIDDLE, angle: 0 }
    // The camera is never rotated, so two points determine the transform.
    const [zero, one] = [0, 1].map((at) => sigma.framedGraphToViewport({ x: at, y: at }, { cameraState })) as [
      Point,
      Point
    ]
    const boxes: Box[] = []
    for (let node = 0; node < this.#nodes.count; node++) {
      if (this.#nodes.size(node) < 0) continue
      const x = zero.x + this.#nodes.x(node) * (one.x - zero.x)
      const y = zero.y + this.#nodes.y(node) * (one.y - zero.y)
      const radius = this.#radiusOf(node)
      boxes.push({ left: x - radius, right: x + radius, top: y - radius, bottom: y + radius })
    }
    const { width, height } = sigma.getDimensions()
    const { scale, move } = fitOff(boxes, { width, height }, this.#covers)
    this.#camera = MIDDLE
    if (scale !== 1 || move.x !== 0 || move.y !== 0) {
      const center = { x: (width / 2 - move.x) / scale, y: (height / 2 - move.y) / scale }
      const { x, y } = sigma.viewportToFramedGraph(center, { cameraState })
      this.#camera = { x, y, ratio: 1 / scale }
    }
    return this.#camera
  }
}
