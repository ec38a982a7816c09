import type Sigma from 'sigma'
import type { Paper } from '../../../../picture/sheet/paper.ts'
import { addLayer } from './layers.ts'
import { placeOf } from './places.ts'

/** A layer above all nodes, including highlighted ones, that draws a pinhead on each pinned node. */
export class PinLayer {
  readonly #sigma: Sigma
  readonly #context: CanvasRenderingContext2D

  constructor(sigma: Sigma) {
    this.#sigma = sigma
    this.#context = addLayer(sigma, 'pins', 'mouse')
  }

  draw(nodes: Iterable<number>, paper: Paper) {
    const context = this.#context
    const { width, height } = this.#sigma.getDimensions()
    context.clearRect(0, 0, width, height)
    context.fillStyle = paper.ink
    context.strokeStyle = paper.background
    context.lineWidth = 1.5
    for (const node of nodes) {
      const place = placeOf(this.#sigma, node)
      if (!place) continue
      context.beginPath()
      context.arc(place.x, place.y, Math.max(2.5, place.size * 0.4), 0, 2 * Math.PI)
      context.stroke()
      context.fill()
    }
  }
}
