import { at, type Network } from './network.ts'
import { mixed } from './scales.ts'

/** The part of the ends' colour in the colour of an edge. */
const TINT = 0.5

/** The colours of edges: a directed edge has a tint of its source, another edge that of both of its ends. */
export class EdgeTints {
  readonly #network: Network
  readonly #nodeColour: (node: number) => string
  readonly #base: string
  /** The tints by colour or by pair of colours. */
  readonly #known = new Map<string, string>()

  constructor(network: Network, nodeColour: (node: number) => string, base: string) {
    this.#network = network
    this.#nodeColour = nodeColour
    this.#base = base
  }

  of(edge: number): string {
    const { source, target, directed } = this.#network
    const from = this.#nodeColour(at(source, edge))
    const to = directed[edge] === 1 ? from : this.#nodeColour(at(target, edge))
    const pair = from < to ? from + to : to + from
    let tint = this.#known.get(pair)
    if (tint === undefined) {
      tint = mixed(this.#base, mixed(from, to, 0.5), TINT)
      this.#known.set(pair, tint)
    }
    return tint
  }
}
