import type Sigma from 'sigma'
import { drawHover, drawLabel, type Paper } from './drawing-labels.ts'
import { at, type Network, nameOf } from './network.ts'

/** What stands out: the chosen nodes and edges, by their numbers. */
export interface Focus {
  nodes: Set<number>
  edges: Set<number>
}

/**
 * A layer of its own below the mouse: for what WebGL programs for discs and straight edges know nothing of, and for what
 * changes while the rest, being large, had better stay as it is.
 */
export class DrawingOverlay {
  readonly #sigma: Sigma
  readonly #network: Network
  readonly #bends: Float32Array | undefined
  /** Edges from a node to itself. */
  readonly #loops: number[]
  readonly #context: CanvasRenderingContext2D

  /** With bends it can draw loops. */
  constructor(sigma: Sigma, network: Network, bends: Float32Array | undefined) {
    this.#sigma = sigma
    this.#network = network
    this.#bends = bends
    this.#loops = bends ? loopsOf(network) : []
    const canvases = sigma.createCanvasContext('overlay').getCanvases()
    const overlay = canvases.overlay as HTMLCanvasElement
    canvases.labels?.before(overlay)
    this.#context = overlay.getContext('2d') as CanvasRenderingContext2D
    // From the next change of size on the renderer does so.
    const { width, height } = sigma.getDimensions()
    Object.assign(overlay.style, { width: `${width}px`, height: `${height}px` })
    overlay.width = width * devicePixelRatio
    overlay.height = height * devicePixelRatio
    this.#context.scale(devicePixelRatio, devicePixelRatio)
  }

  clear() {
    const { width, height } = this.#sigma.getDimensions()
    this.#context.clearRect(0, 0, width, height)
  }

  /** Edges from a node to itself, as rings. */
  drawLoops() {
    for (const edge of this.#loops) {
      const node = this.#placeOf(at(this.#network.source, edge))
      const look = this.#sigma.getEdgeDisplayData(String(edge))
      if (!node || !look) continue
      const { x, y, radius } = ringOf(node, this.#bends?.[edge] ?? 0)
      this.#context.beginPath()
      this.#context.arc(x, y, radius, 0, 2 * Math.PI)
      this.#context.strokeStyle = look.color
      this.#context.lineWidth = this.#sigma.scaleSize(look.size)
      this.#context.stroke()
    }
  }

  /** What stands out, above all else; `main` is what it is about. */
  drawFocus({ nodes, edges }: Focus, main: number | undefined, paper: Paper) {
    const context = this.#context
    context.strokeStyle = paper.focusedEdge
    context.lineWidth = 1.2
    context.beginPath()
    for (const edge of edges) {
      const from = this.#placeOf(at(this.#network.source, edge))
      const to = this.#placeOf(at(this.#network.target, edge))
      if (!from || !to) continue
      context.moveTo(from.x, from.y)
      context.lineTo(to.x, to.y)
    }
    context.stroke()
    for (const node of nodes) {
      const place = this.#placeOf(node)
      if (!place) continue
      const label = nameOf(this.#network.nodes[node] as Network['nodes'][number])
      const size = Math.max(place.size, 3)
      const settings = this.#sigma.getSettings()
      if (node === main) {
        drawHover(context, { ...place, size: size + 1, label }, settings, paper)
        continue
      }
      context.fillStyle = place.color
      context.beginPath()
      context.arc(place.x, place.y, size, 0, 2 * Math.PI)
      context.fill()
      if (nodes.size <= MANY) drawLabel(context, { ...place, size, label }, settings, paper)
    }
  }

  /** Where a node is on the screen, in pixels; undefined where it is not shown. */
  #placeOf(node: number) {
    const display = this.#sigma.getNodeDisplayData(String(node))
    if (!display || display.hidden) return undefined
    const { x, y } = this.#sigma.framedGraphToViewport(display)
    return { x, y, size: this.#sigma.scaleSize(display.size), color: display.color }
  }
}

/** The edges from a node to itself. */
function loopsOf({ edges, source, target }: Network) {
  return Array.from(edges.keys()).filter((edge) => at(source, edge) === at(target, edge))
}

/** Where the loop of a node is drawn that has so many within it. */
export function ringOf({ x, y, size }: { x: number; y: number; size: number }, within: number) {
  const radius = size * (0.9 + 0.4 * within)
  return { x, y: y - size * 0.1 - radius, radius }
}

/** The neighbours of more than this many would hide one another's labels. */
export const MANY = 20
