import type Sigma from 'sigma'
import { boxOfLabel, drawLabel, type Paper } from './drawing-labels.ts'
import { LabelPlaces } from './label-places.ts'
import { at, type Network } from './network.ts'
import { placeOf } from './places.ts'

/** The number of labels to draw, and of nodes to try, at most: enough for a large screen. */
const MOST = 400
const TRIED = 3000

/** Draws the labels that fit without collisions: those of the largest nodes, then of those with the most edges. */
export class LabelLayer {
  readonly #sigma: Sigma
  readonly #network: Network
  /** The nodes by rank. */
  #order = new Uint32Array()
  #drawn: number[] = []

  constructor(sigma: Sigma, network: Network) {
    this.#sigma = sigma
    this.#network = network
  }

  /** Ranks the nodes by these sizes. */
  rank(sizeOf: (node: number) => number) {
    const { nodes, degree } = this.#network
    const sizes = Float64Array.from(nodes.keys(), sizeOf)
    this.#order = Uint32Array.from(nodes.keys()).sort(
      (one, other) => at(sizes, other) - at(sizes, one) || at(degree, other) - at(degree, one) || one - other
    )
  }

  /** Draws the labels: first those of `preferred` nodes, wherever they are, then as many others as fit. */
  draw(preferred: Iterable<number>, paper: Paper) {
    const context = this.#sigma.getCanvases().labels?.getContext('2d')
    if (!context) return
    const { width, height } = this.#sigma.getDimensions()
    const settings = this.#sigma.getSettings()
    const [first, last] = [
      { x: 0, y: 0 },
      { x: width, y: height }
    ].map((corner) => this.#sigma.viewportToFramedGraph(corner))
    if (!first || !last) return
    const places = new LabelPlaces()
    this.#drawn = []
    const label = (node: number, isForced: boolean) => {
      const place = placeOf(this.#sigma, node)
      if (!place?.label || !(places.take(boxOfLabel(context, place, settings)) || isForced)) return
      drawLabel(context, place, settings, paper)
      this.#drawn.push(node)
    }
    const forced = new Set(preferred)
    for (const node of forced) label(node, true)
    let tried = 0
    for (const node of this.#order) {
      if (tried >= TRIED || this.#drawn.length >= MOST) return
      const display = this.#sigma.getNodeDisplayData(String(node))
      // The y axis of the graph points upwards.
      const isInView = display && display.x > first.x && display.x < last.x && display.y < first.y && display.y > last.y
      if (!isInView || display.hidden || forced.has(node)) continue
      tried++
      label(node, false)
    }
  }

  /** The nodes with a label in the drawing. */
  get drawn(): readonly number[] {
    return this.#drawn
  }
}
