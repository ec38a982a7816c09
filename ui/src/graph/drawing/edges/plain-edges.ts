import type Sigma from 'sigma'
import type { NodeDisplayData } from 'sigma/types'
import { at, type Network } from '../../network/network.ts'
import type { DrawnNodes } from '../drawn-nodes.ts'
import { hidesEdges } from '../layers.ts'
import { createPlainEdgeProgram, type PlainEdge } from './plain-program.ts'

type Look = Pick<PlainEdge, 'size' | 'emphasis' | 'rank' | 'color' | 'hidden'>

/**
 * Draws the edges of a large network in the renderer's edge layer, as straight lines without arrows. The renderer itself would
 * create several objects per edge and rebuild them whenever colours, filters or positions change, which takes many times as long.
 */
export class PlainEdges {
  readonly #sigma: Sigma
  readonly #network: Network
  readonly #nodes: DrawnNodes
  readonly #lookOf: (edge: number) => Look
  readonly #program: InstanceType<ReturnType<typeof createPlainEdgeProgram>>

  /** `ink` is passed to `createPlainEdgeProgram`. */
  constructor(
    sigma: Sigma,
    network: Network,
    nodes: DrawnNodes,
    lookOf: (edge: number) => Look,
    ink: Parameters<typeof createPlainEdgeProgram>[0]
  ) {
    this.#sigma = sigma
    this.#network = network
    this.#nodes = nodes
    this.#lookOf = lookOf
    const { edges } = sigma.getCanvases()
    const gl = edges?.getContext('webgl2') ?? edges?.getContext('webgl')
    this.#program = new (createPlainEdgeProgram(ink))(gl as WebGLRenderingContext, null, sigma)
    sigma.on('afterProcess', () => this.#place())
    sigma.on('afterRender', () => this.#draw())
    this.#place()
    this.#draw()
  }

  /** Places the visible edges between their endpoints. */
  #place() {
    const { source, target } = this.#network
    const nodes = this.#nodes
    const [from, to] = [{}, {}] as [NodeDisplayData, NodeDisplayData]
    this.#program.reallocate(source.length)
    for (let edge = 0; edge < source.length; edge++) {
      const [one, other] = [at(source, edge), at(target, edge)]
      const start = edge * this.#program.STRIDE
      const look = this.#lookOf(edge)
      if (look.hidden || nodes.size(one) < 0 || nodes.size(other) < 0) {
        this.#program.array.fill(0, start, start + this.#program.STRIDE)
        continue
      }
      Object.assign(from, { x: nodes.x(one), y: nodes.y(one) })
      Object.assign(to, { x: nodes.x(other), y: nodes.y(other) })
      this.#program.processVisibleItem(edge, start, from, to, look as PlainEdge)
    }
  }

  /** Draws the edges, except while the drawing moves, as the renderer does. */
  #draw() {
    if (!hidesEdges(this.#sigma)) this.#program.render(this.#sigma.getRenderParams())
  }
}
