import type { Node } from '../../../schemas/graph-content.ts'
import { put } from '../shared/attributes.ts'
import type { GraphBuilder } from '../shared/graph-builder.ts'
import { nodesOf } from '../shared/lines.ts'
import { typedValue } from '../shared/text.ts'
import { RDF, RDFS, type RdfNames, XSD } from './rdf-names.ts'

/** A subject or object: an IRI, a blank node such as `_:b1`, or a literal. */
export type Term =
  | { kind: 'iri' | 'blank'; value: string }
  | { kind: 'literal'; value: string; type?: string | undefined; language?: string | undefined }

/** The datatypes whose values become numbers and booleans. All others stay text. */
const types = new Map<string, 'boolean' | 'integer' | 'double'>([
  [`${XSD}boolean`, 'boolean'],
  ...['integer', 'int', 'long', 'short', 'byte', 'nonNegativeInteger', 'positiveInteger', 'unsignedInt'].map(
    (name) => [XSD + name, 'integer'] as const
  ),
  ...['decimal', 'double', 'float'].map((name) => [XSD + name, 'double'] as const)
])

/** Builds a graph from triples: literals become attributes, and all other objects become nodes. */
export class RdfGraph {
  readonly #into: GraphBuilder
  readonly #names: RdfNames
  readonly #nodeOf: (id: string, at: number) => Node
  readonly #triples = new Set<string>()
  /** Maps the names in triples, which may be long, to numbers. */
  readonly #numbers = new Map<string, number>()
  /** The nodes with a list, by attribute. */
  readonly #lists = new Map<string, WeakSet<Node>>()

  constructor(into: GraphBuilder, names: RdfNames) {
    this.#into = into
    this.#names = names
    this.#nodeOf = nodesOf(into)
  }

  add(subject: Term, predicate: string, object: Term, at: number) {
    const node = this.#nodeOf(this.#idOf(subject), at)
    if (object.kind === 'literal') {
      const value = this.#valueOf(object)
      if (predicate === `${RDFS}label` && node.label === undefined && typeof value === 'string') {
        this.#into.describeNode(node, [['label', value]])
      } else this.#put(node, this.#names.nameOf(predicate), value)
    } else if (predicate === `${RDF}type`) this.#put(node, 'type', this.#idOf(object))
    else {
      const target = this.#nodeOf(this.#idOf(object), at)
      const relation = this.#names.nameOf(predicate)
      // An RDF graph is a set of triples.
      const triple = [node.id, relation, target.id].map((name) => this.#numberOf(name)).join()
      if (this.#triples.has(triple)) return
      this.#triples.add(triple)
      this.#into.describeEdge(this.#into.addEdge(node.id, target.id, at), [['relation', relation]])
    }
  }

  #numberOf(name: string) {
    const number = this.#numbers.get(name) ?? this.#numbers.size
    this.#numbers.set(name, number)
    return number
  }

  #idOf({ kind, value }: Term) {
    return kind === 'blank' ? value : this.#names.nameOf(value)
  }

  #valueOf({ value, type, language }: Term & { kind: 'literal' }): unknown {
    const known = type === undefined ? undefined : types.get(type)
    const typed = known && typedValue(value, known, this.#into)
    if (typed !== undefined) return typed
    if (language !== undefined || (type !== undefined && type !== `${XSD}string`)) {
      this.#into.losses.add('datatype-dropped')
    }
    return value
  }

  /** Sets an attribute, which becomes a list if it has several values. */
  #put(node: Node, name: string, value: unknown) {
    const metadata = node.metadata
    if (!metadata || !Object.hasOwn(metadata, name)) {
      this.#into.describeNode(node, [[name, value]], { label: null, position: false, nameOf: (name) => name })
      return
    }
    this.#into.work(1)
    const lists = this.#lists.get(name) ?? new WeakSet()
    this.#lists.set(name, lists)
    const old = metadata[name]
    if (lists.has(node)) (old as unknown[]).push(value)
    else {
      put(metadata, name, [old, value])
      lists.add(node)
    }
  }
}
