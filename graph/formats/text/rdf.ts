import type { Format } from '../shared/format.ts'
import { type GraphBuilder, Unreadable } from '../shared/graph-builder.ts'
import { decodeText } from '../shared/text.ts'
import { RdfGraph, type Term } from './rdf-graph.ts'
import { RDF, RdfNames, XSD } from './rdf-names.ts'
import { RdfTokens, type Token } from './rdf-tokens.ts'

/** Turtle, the text format of RDF. https://www.w3.org/TR/turtle/ */
export const turtle: Format = {
  name: 'turtle',
  title: 'Turtle',
  mediaType: 'text/turtle',
  endings: ['.ttl'],
  recognises: (text) =>
    /^(?:#[^\n]*\n\s*)*(?:@(?:prefix|base)\s|prefix\s+[\w.-]*:\s*<|base\s+<)/i.test(text.slice(0, HEAD)),
  read: (bytes, into) => read(bytes, into, 'Turtle')
}

/** N-Triples, the subset of Turtle with one triple per line. https://www.w3.org/TR/n-triples/ */
export const nTriples: Format = {
  name: 'n-triples',
  title: 'N-Triples',
  mediaType: 'application/n-triples',
  endings: ['.nt'],
  recognises: (text) =>
    /^(?:#[^\n]*\n\s*)*(?:<[a-z][a-z\d+.-]*:[^<>\s]*>|_:[^<>\s]+)[ \t]*<[a-z]+:/i.test(text.slice(0, HEAD)),
  read: (bytes, into) => read(bytes, into, 'N-Triples')
}

/** The number of characters to examine for detection. */
const HEAD = 100_000

/** The maximum nesting depth of blank nodes and collections. */
const MAX_DEPTH = 100

function read(bytes: Buffer, into: GraphBuilder, title: string) {
  decodeText(bytes, into, { isOld: false })
  new Reader(into, new RdfTokens(into, title)).read()
}

function namedGraph(at: number) {
  return new Unreadable(at, 'not-allowed', 'is a TriG named graph, which is not supported')
}

class Reader {
  readonly #tokens: RdfTokens
  readonly #names: RdfNames
  readonly #graph: RdfGraph
  #blanks = 0
  #depth = 0

  constructor(into: GraphBuilder, tokens: RdfTokens) {
    this.#tokens = tokens
    this.#names = new RdfNames(into)
    this.#graph = new RdfGraph(into, this.#names)
  }

  read() {
    while (this.#tokens.peek().kind !== 'end') {
      const { kind, value } = this.#tokens.peek()
      if (kind === 'directive') {
        this.#tokens.take()
        this.#directive(value)
        this.#expect('.')
      } else if (kind === 'name' && /^(?:prefix|base)$/i.test(value)) {
        this.#tokens.take()
        this.#directive(value.toLowerCase())
      } else this.#triples()
    }
  }

  #expect(mark: string) {
    if (this.#tokens.skip(mark)) return
    const { kind, value, at } = this.#tokens.peek()
    if (value === '{') throw namedGraph(at)
    if (mark === '.' && (kind === 'iri' || kind === 'blank')) {
      throw new Unreadable(at, 'not-allowed', 'is the name of a graph, as in N-Quads, which is not supported')
    }
    throw this.#tokens.malformed(at)
  }

  #directive(kind: string) {
    const name = kind === 'prefix' ? this.#tokens.take() : undefined
    if (name && (name.kind !== 'name' || !name.value.endsWith(':'))) throw this.#tokens.malformed(name.at)
    const { kind: found, value, at } = this.#tokens.take()
    if (found !== 'iri') throw this.#tokens.malformed(at)
    if (name) this.#names.declare(name.value.slice(0, -1), value, at)
    else this.#names.setBase(value, at)
  }

  #triples() {
    const { kind, value, at } = this.#tokens.peek()
    const subject = this.#term()
    if (subject.kind === 'literal') throw this.#tokens.malformed(at)
    // A blank node with properties may stand alone.
    const isAlone = kind === 'mark' && value === '[' && this.#tokens.skip('.')
    if (isAlone) return
    this.#properties(subject)
    this.#expect('.')
  }

  /** Reads predicates and objects, up to the end of the triples or of the blank node. */
  #properties(subject: Term) {
    do {
      const token = this.#tokens.peek()
      // There may be several semicolons in a row.
      if (token.kind === 'mark' && token.value === ';') continue
      if (token.kind === 'mark') break
      this.#tokens.take()
      const predicate = token.kind === 'name' && token.value === 'a' ? `${RDF}type` : this.#iri(token)
      do {
        const { at } = this.#tokens.peek()
        this.#graph.add(subject, predicate, this.#term(), at)
      } while (this.#tokens.skip(','))
    } while (this.#tokens.skip(';'))
  }

  #iri({ kind, value, at }: Token): string {
    if (kind === 'iri') return this.#names.resolve(value, at)
    const iri = kind === 'name' ? this.#names.expand(value, at) : undefined
    if (iri !== undefined) return iri
    if (kind === 'name' && /^graph$/i.test(value)) throw namedGraph(at)
    if (kind !== 'name' || !value.includes(':')) throw this.#tokens.malformed(at)
    throw new Unreadable(at, 'malformed', `${JSON.stringify(value.slice(0, 40))} has a prefix that is not declared`)
  }

  #term(): Term {
    const token = this.#tokens.take()
    const { kind, value, at } = token
    if (kind === 'blank') return { kind, value: `_:${value}` }
    if (kind === 'text') return this.#literal(value)
    if (kind === 'number') {
      const type = /e/i.test(value) ? 'double' : value.includes('.') ? 'decimal' : 'integer'
      return { kind: 'literal', value, type: XSD + type }
    }
    if (kind === 'name' && (value === 'true' || value === 'false')) {
      return { kind: 'literal', value, type: `${XSD}boolean` }
    }
    if (kind !== 'mark') return { kind: 'iri', value: this.#iri(token) }
    if (value === '<<') throw new Unreadable(at, 'not-allowed', 'is RDF-star, which is not supported')
    if (value === '{') throw namedGraph(at)
    if (value !== '[' && value !== '(') throw this.#tokens.malformed(at)
    if (++this.#depth > MAX_DEPTH) throw new Unreadable(at, 'too-deep', `nests deeper than ${MAX_DEPTH} levels`)
    const term = value === '[' ? this.#blank() : this.#collection()
    this.#depth--
    return term
  }

  #literal(value: string): Term {
    const { kind, value: language } = this.#tokens.peek()
    if (kind === 'language') {
      this.#tokens.take()
      return { kind: 'literal', value, language }
    }
    return { kind: 'literal', value, type: this.#tokens.skip('^^') ? this.#iri(this.#tokens.take()) : undefined }
  }

  #newBlank(): Term {
    return { kind: 'blank', value: `_:[${++this.#blanks}]` }
  }

  #blank(): Term {
    const node = this.#newBlank()
    this.#properties(node)
    this.#expect(']')
    return node
  }

  /** Reads a collection such as `(a b)`: a chain of blank nodes, as in RDF. */
  #collection(): Term {
    let last: Term | undefined
    let first: Term | undefined
    while (!this.#tokens.skip(')')) {
      const { at } = this.#tokens.peek()
      const node = this.#newBlank()
      this.#graph.add(node, `${RDF}first`, this.#term(), at)
      if (last) this.#graph.add(last, `${RDF}rest`, node, at)
      first ??= node
      last = node
    }
    const nil: Term = { kind: 'iri', value: `${RDF}nil` }
    if (last) this.#graph.add(last, `${RDF}rest`, nil, this.#tokens.peek().at)
    return first ?? nil
  }
}
