import type Sigma from 'sigma'
import type { Point } from '../../../../picture/edges/shapes.ts'
import { fitOff } from '../../../../picture/layout/fit.ts'
import type { Box } from '../../../../picture/layout/label-places.ts'
import type { DrawnNodes } from '../drawing/drawn-nodes.ts'
import type { Camera } from '../drawing/stage.ts'

/** The camera of the renderer that shows its whole frame. */
const MIDDLE: Camera = { x: 0.5, y: 0.5, ratio: 1 }

/** The view of a whole network, off the elements above the drawing, such as its legend. */
export class WholeView {
  readonly #sigma: Sigma
  readonly #nodes: DrawnNodes
  readonly #radiusOf: (node: number) => number
  readonly #findCovers: () => Box[]
  #camera = MIDDLE
  #covers: Box[]
  /** Whether the nodes or the space for them have changed since the camera was computed. */
  #isOutdated = false

  /** `findCovers` returns the places of the elements above the drawing, in its pixels. */
  constructor(sigma: Sigma, nodes: DrawnNodes, radiusOf: (node: number) => number, findCovers: () => Box[]) {
    this.#sigma = sigma
    this.#nodes = nodes
    this.#radiusOf = radiusOf
    this.#findCovers = findCovers
    this.#covers = findCovers()
  }

  /** The places of the elements above the drawing, as of the last update. */
  get covers(): readonly Box[] {
    return this.#covers
  }

  isShownBy({ x, y, ratio }: Camera): boolean {
    return x === this.#camera.x && y === this.#camera.y && ratio === this.#camera.ratio
  }

  /** Tells that nodes have moved, or that the space has another size. */
  invalidate() {
    this.#isOutdated = true
  }

  /** Looks at the nodes and the covers again after the renderer has. If the whole is shown, it stays so. */
  update(isShown: boolean) {
    const before = this.#covers
    this.#covers = this.#findCovers()
    const isOutdated = this.#isOutdated || JSON.stringify(before) !== JSON.stringify(this.#covers)
    if (isOutdated && isShown) this.show()
    this.#isOutdated = false
  }

  /** Brings the whole network into view. */
  show() {
    this.#sigma.getCamera().setState(this.computeCamera())
  }

  /** Returns the camera that shows the whole network from now on. */
  computeCamera(): Camera {
    const sigma = this.#sigma
    const cameraState = { ...MIDDLE, angle: 0 }
    // The camera is not turned: two points tell the places of all others.
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
