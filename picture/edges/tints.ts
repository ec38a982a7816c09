import { mixed } from '../model/mixing.ts'
import { at, type Network } from '../model/network.ts'

/** The proportion of the endpoints' colours in an edge's colour. */
const TINT = 0.5

/**
 * The colours of edges. A directed edge is tinted with the colour of its source, and an undirected edge with the colours of both
 * its endpoints.
 */
export class EdgeTints {
  readonly #network: Network
  readonly #nodeColour: (node: number) => string
  readonly #base: string
  /** The node colours that have been looked up. */
  readonly #colours: string[] = []
  /** The tints, by the colours of both endpoints. Most drawings have few colours. */
  readonly #tints = new Map<string, string>()

  constructor(network: Network, nodeColour: (node: number) => string, base: string) {
    this.#network = network
    this.#nodeColour = nodeColour
    this.#base = base
  }

  of(edge: number): string {
    const { source, target, directed } = this.#network
    const from = this.#colourOf(at(source, edge))
    const to = directed[edge] === 1 ? from : this.#colourOf(at(target, edge))
    const ends = from + to
    const known = this.#tints.get(ends)
    if (known !== undefined) return known
    const tint = mixed(this.#base, from === to ? from : mixed(from, to, 0.5), TINT)
    this.#tints.set(ends, tint)
    return tint
  }

  #colourOf(node: number): string {
    this.#colours[node] ??= this.#nodeColour(node)
    return this.#colours[node]
  }
}
