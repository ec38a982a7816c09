import type Sigma from 'sigma'
import type { Point } from '../../../../picture/edges/shapes.ts'
import { extentOf, fitOff } from '../../../../picture/layout/fit.ts'
import type { Box } from '../../../../picture/layout/label-boxes.ts'
import type { Cover } from '../drawing/covers.ts'
import type { DrawnNodes } from '../drawing/drawn-nodes.ts'
import type { Camera } from '../drawing/stage.ts'

/** The camera that shows the renderer's whole frame. */
const MIDDLE: Camera = { x: 0.5, y: 0.5, ratio: 1 }

/** The distance between the nodes to show and the border, in pixels. */
const MARGIN = 50

/** Fits the whole network into the space that other elements, such as the legend, do not cover. */
export class WholeView {
  readonly #sigma: Sigma
  readonly #nodes: DrawnNodes
  readonly #radiusOf: (node: number) => number
  readonly #findCovers: () => Cover[]
  #camera = MIDDLE
  #covers: Cover[]
  /** Whether the nodes or the available space have changed since the camera was computed. */
  #isOutdated = false

  /** `findCovers` returns the boxes, in drawing pixels, of the elements that cover the drawing. */
  constructor(sigma: Sigma, nodes: DrawnNodes, radiusOf: (node: number) => number, findCovers: () => Cover[]) {
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
    const isOutdated = this.#isOutdated || keyOf(before) !== keyOf(this.#covers)
    if (isOutdated && isShown) this.show()
    this.#isOutdated = false
  }

  /** Moves the camera to show the whole network. */
  show() {
    this.#sigma.getCamera().setState(this.computeCamera())
  }

  /** Computes, stores and returns the camera that shows the whole network. */
  computeCamera(): Camera {
    const { width, height } = this.#sigma.getDimensions()
    const { scale, move } = fitOff(this.#boxesOf(Array(this.#nodes.count).keys()), { width, height }, this.#covers)
    this.#camera = scale !== 1 || move.x !== 0 || move.y !== 0 ? this.#cameraOf(scale, move) : MIDDLE
    return this.#camera
  }

  /** Returns the camera that shows these nodes, enlarged at most twice. */
  cameraFor(nodes: Iterable<number>): Camera {
    const { width, height } = this.#sigma.getDimensions()
    const boxes = this.#boxesOf(nodes)
    const { left, right, top, bottom } = extentOf(boxes)
    const space = { width: width - MARGIN * 2, height: height - MARGIN * 2 }
    const near = Math.min(2, space.width / (right - left), space.height / (bottom - top))
    const [x, y] = [width / 2 - (near * (left + right)) / 2, height / 2 - (near * (top + bottom)) / 2]
    const enlarged = boxes.map((box) => ({
      left: box.left * near + x,
      right: box.right * near + x,
      top: box.top * near + y,
      bottom: box.bottom * near + y
    }))
    const { scale, move } = fitOff(enlarged, { width, height }, this.#covers)
    return this.#cameraOf(near * scale, { x: x * scale + move.x, y: y * scale + move.y })
  }

  /** Returns the camera whose view is that of the middle, scaled and then moved. */
  #cameraOf(scale: number, move: Point): Camera {
    const { width, height } = this.#sigma.getDimensions()
    const center = { x: (width / 2 - move.x) / scale, y: (height / 2 - move.y) / scale }
    const { x, y } = this.#sigma.viewportToFramedGraph(center, { cameraState: { ...MIDDLE, angle: 0 } })
    return { x, y, ratio: 1 / scale }
  }

  /** Returns the boxes of the visible ones of these nodes in the renderer's whole frame, in pixels. */
  #boxesOf(nodes: Iterable<number>): Box[] {
    const cameraState = { ...MIDDLE, angle: 0 }
    // The camera is never rotated, so two points determine the transform.
    const [zero, one] = [0, 1].map((at) => this.#sigma.framedGraphToViewport({ x: at, y: at }, { cameraState })) as [
      Point,
      Point
    ]
    const boxes: Box[] = []
    for (const node of nodes) {
      if (this.#nodes.size(node) < 0) continue
      const x = zero.x + this.#nodes.x(node) * (one.x - zero.x)
      const y = zero.y + this.#nodes.y(node) * (one.y - zero.y)
      const radius = this.#radiusOf(node)
      boxes.push({ left: x - radius, right: x + radius, top: y - radius, bottom: y + radius })
    }
    return boxes
  }
}

/** Returns a text that is the same for covers that leave the same space, and for legends with the same parts. */
function keyOf(covers: readonly Cover[]): string {
  return JSON.stringify(covers.map((cover) => cover.parts ?? cover))
}
