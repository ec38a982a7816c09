import type { Edge } from '../../../schemas/graph-content.ts'
import type { Attributes, Vocabulary } from './attributes.ts'
import { type GraphBuilder, quote } from './graph-builder.ts'

/** The label is `name`. All other attributes become metadata under their own names. */
const vocabulary: Vocabulary = { label: 'name', relation: null, position: false, nameOf: (name) => name }

/** Adds nodes and edges that a file may repeat and list in any order, as in a dependency tree. */
export class Elements {
  readonly #into: GraphBuilder
  readonly #nodes = new Set<string>()
  /** The targets of the edges from each source. */
  readonly #targets = new Map<string, Set<string>>()

  constructor(into: GraphBuilder) {
    this.#into = into
  }

  /** Adds a node unless it already exists. The attribute `name` is the label. */
  addNode(id: string, at: number, attributes: Attributes) {
    if (this.#nodes.has(id)) return
    this.#nodes.add(id)
    const present = Iterator.from(attributes).filter(([, value]) => value !== undefined)
    this.#into.addNode(id, at, present, vocabulary)
  }

  /** Adds a node whose id must be unique in the file. `at` is its position, and `place` is the position given in a fault. */
  addUnique(id: string, at: number, attributes: Attributes, place: string) {
    if (this.#nodes.has(id))
      this.#into.fault(place, 'duplicate-id', `id ${quote(id)} duplicates the id of an earlier node`)
    else this.addNode(id, at, attributes)
  }

  addEdge(source: string, target: string, at: number, relation?: string, attributes: Attributes = []): Edge {
    const targets = this.#targets.get(source) ?? new Set()
    this.#targets.set(source, targets.add(target))
    const edge = this.#into.addEdge(source, target, at, attributes, vocabulary)
    return relation === undefined ? edge : this.#into.describeEdge(edge, [['relation', relation]])
  }

  /** Adds an edge unless one already connects these nodes. */
  addOnly(...edge: Parameters<Elements['addEdge']>) {
    const [source, target] = edge
    if (!this.#targets.get(source)?.has(target)) this.addEdge(...edge)
  }

  /** Adds and counts the nodes that are mentioned only by edges. */
  finish() {
    for (const { source, target } of this.#into.content.edges) {
      for (const id of [source, target]) {
        if (this.#nodes.has(id)) continue
        this.addNode(id, 0, [])
        this.#into.losses.addNamed('node-not-in-table', quote(id))
      }
    }
  }
}
