import type Sigma from 'sigma'
import { ringOf } from '../../../../picture/edges/shapes.ts'
import { dashesOf, type LineStyle } from '../../../../picture/model/shapes.ts'
import { type Paper, shorten } from '../../../../picture/sheet/paper.ts'
import { at, type Network } from '../network/network.ts'
import { drawHover, drawLabel, fontOf } from './labels.ts'
import { addLayer } from './layers.ts'
import { placeOf } from './places.ts'

/** The appearance of an edge: its colour, width in pixels and opacity. */
export interface EdgeLook {
  colour: string
  width: number
  opacity: number
  style?: LineStyle | undefined
}

/** The highlighted nodes and edges, by index. */
export interface Focus {
  nodes: Set<number>
  edges: Set<number>
}

/**
 * A layer below the mouse layer. It draws shapes that the WebGL programs do not support, and the highlights of large drawings,
 * which are slow to redraw.
 */
export class DrawingOverlay {
  readonly #sigma: Sigma
  readonly #network: Network
  readonly #bends: Float32Array | undefined
  readonly #lookOf: (edge: number) => EdgeLook | undefined
  /** The edges that connect a node to itself. */
  readonly #loops: number[]
  readonly #context: CanvasRenderingContext2D

  /** Loops are drawn only if `bends` is given. */
  constructor(
    sigma: Sigma,
    network: Network,
    bends: Float32Array | undefined,
    lookOf: (edge: number) => EdgeLook | undefined
  ) {
    this.#sigma = sigma
    this.#network = network
    this.#bends = bends
    this.#lookOf = lookOf
    this.#loops = bends ? loopsOf(network) : []
    this.#context = addLayer(sigma, 'overlay', 'labels')
  }

  /** Whether the layer draws loops. */
  get hasLoops(): boolean {
    return this.#loops.length > 0
  }

  clear() {
    const { width, height } = this.#sigma.getDimensions()
    this.#context.clearRect(0, 0, width, height)
  }

  /** Draws loops as rings. */
  drawLoops() {
    for (const edge of this.#loops) {
      const node = placeOf(this.#sigma, at(this.#network.source, edge))
      const look = this.#lookOf(edge)
      if (!node || !look) continue
      const { x, y, radius } = ringOf(node, this.#bends?.[edge] ?? 0)
      this.#context.beginPath()
      this.#context.arc(x, y, radius, 0, 2 * Math.PI)
      this.#context.globalAlpha = look.opacity
      this.#context.strokeStyle = look.colour
      this.#context.lineWidth = look.width
      this.#context.setLineDash(dashesOf(look.style, look.width))
      this.#context.stroke()
    }
    this.#context.setLineDash([])
    this.#context.globalAlpha = 1
  }

  /** Draws the highlight above everything else. `main` is the node at its centre. A path has none, and fades what is below. */
  drawFocus({ nodes, edges }: Focus, main: number | undefined, isPath: boolean, paper: Paper) {
    const context = this.#context
    if (isPath) this.#drawVeil(paper)
    context.strokeStyle = paper.focusedEdge
    context.lineWidth = isPath ? 2 : 1.2
    context.beginPath()
    for (const edge of edges) {
      const from = placeOf(this.#sigma, at(this.#network.source, edge))
      const to = placeOf(this.#sigma, at(this.#network.target, edge))
      if (!from || !to) continue
      context.moveTo(from.x, from.y)
      context.lineTo(to.x, to.y)
    }
    context.stroke()
    for (const node of nodes) {
      const place = placeOf(this.#sigma, node)
      if (!place) continue
      const size = Math.max(place.size, isPath ? 4 : 3)
      const settings = this.#sigma.getSettings()
      if (node === main) {
        drawHover(context, { ...place, size: size + 1 }, settings, paper)
        continue
      }
      context.fillStyle = place.color
      context.beginPath()
      context.arc(place.x, place.y, size, 0, 2 * Math.PI)
      context.fill()
      if (isPath || nodes.size > MANY || !place.label) continue
      context.font = fontOf(settings)
      const { x, y } = place
      drawLabel(context, { text: shorten(place.label), x: x + size + 3, y: y + settings.labelSize / 3 }, paper)
    }
  }

  /** Fades everything below, which is quicker than redrawing it in faint colours. */
  #drawVeil({ background }: Paper) {
    const { width, height } = this.#sigma.getDimensions()
    this.#context.globalAlpha = VEIL
    this.#context.fillStyle = background
    this.#context.fillRect(0, 0, width, height)
    this.#context.globalAlpha = 1
  }
}

/** The opacity of the veil over what is not highlighted. */
const VEIL = 0.8

/** Returns the loops of a network. */
function loopsOf({ edges, source, target }: Network) {
  return Array.from(edges.keys()).filter((edge) => at(source, edge) === at(target, edge))
}

/** The maximum number of highlighted nodes to label. With more nodes, the labels would overlap. */
export const MANY = 20
