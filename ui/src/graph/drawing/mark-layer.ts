import type Sigma from 'sigma'
import type { Point } from '../../../../picture/edges/shapes.ts'
import type { Paper } from '../../../../picture/sheet/paper.ts'
import { addLayer, showLayers } from './layers.ts'
import { placeOf } from './places.ts'

/** The gap between a node and its ring, in pixels. */
const GAP = 2

/** A layer above all nodes that draws a ring around each selected node, and the path of a gesture. */
export class MarkLayer {
  readonly #sigma: Sigma
  readonly #context: CanvasRenderingContext2D

  constructor(sigma: Sigma) {
    this.#sigma = sigma
    this.#context = addLayer(sigma, 'marks', 'mouse')
  }

  /** Draws the rings and the path, in place of the previous ones. A closed path is that of a lasso. */
  draw(nodes: ReadonlySet<number>, path: readonly Point[], isClosed: boolean, paper: Paper) {
    showLayers(this.#sigma, { marks: nodes.size > 0 || path.length > 0 })
    if (nodes.size === 0 && path.length === 0) return
    const context = this.#context
    const { width, height } = this.#sigma.getDimensions()
    context.clearRect(0, 0, width, height)
    context.beginPath()
    for (const node of nodes) {
      const place = placeOf(this.#sigma, node)
      if (!place) continue
      const radius = place.size + GAP
      context.moveTo(place.x + radius, place.y)
      context.arc(place.x, place.y, radius, 0, 2 * Math.PI)
    }
    this.#stroke(paper)
    context.beginPath()
    for (const { x, y } of path) context.lineTo(x, y)
    if (isClosed) context.closePath()
    this.#stroke(paper)
  }

  /** Strokes the path with an outline, so that it is visible on any colour. */
  #stroke({ ink, background }: Paper) {
    const context = this.#context
    context.strokeStyle = background
    context.lineWidth = 4
    context.stroke()
    context.strokeStyle = ink
    context.lineWidth = 2
    context.stroke()
  }
}
