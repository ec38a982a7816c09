import type { GraphBuilder } from '../shared/graph-builder.ts'

export const RDF = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#'
export const RDFS = 'http://www.w3.org/2000/01/rdf-schema#'
export const XSD = 'http://www.w3.org/2001/XMLSchema#'

/** Prefixes that every RDF program recognizes. A file may declare them differently. */
const wellKnown = new Map([
  ['rdf', RDF],
  ['rdfs', RDFS],
  ['xsd', XSD],
  ['owl', 'http://www.w3.org/2002/07/owl#'],
  ['skos', 'http://www.w3.org/2004/02/skos/core#'],
  ['foaf', 'http://xmlns.com/foaf/0.1/'],
  ['dc', 'http://purl.org/dc/elements/1.1/'],
  ['dcterms', 'http://purl.org/dc/terms/']
])

/** Converts IRIs to ids and names, shortened with the prefixes: `foaf:knows`. */
export class RdfNames {
  readonly #into: GraphBuilder
  readonly #namespaces = new Map<string, string>()
  /** The prefix of each namespace. */
  readonly #prefixes = new Map([...wellKnown].map(([prefix, namespace]) => [namespace, prefix]))
  /** The name of each IRI, and the IRI of each name. Distinct IRIs have distinct names. */
  readonly #names = new Map<string, string>()
  readonly #iris = new Map<string, string>()
  #base = ''

  constructor(into: GraphBuilder) {
    this.#into = into
  }

  declare(prefix: string, iri: string, at: number) {
    const namespace = this.resolve(iri, at)
    this.#namespaces.set(prefix, namespace)
    this.#prefixes.set(namespace, prefix)
  }

  setBase(iri: string, at: number) {
    this.#base = this.resolve(iri, at)
  }

  /** Returns the IRI, resolved against the base. */
  resolve(iri: string, at: number) {
    if (/^[a-z][a-z\d+.-]*:/i.test(iri) || !URL.canParse(this.#base)) return iri
    this.#into.repeat(this.#base.length, at)
    return URL.canParse(iri, this.#base) ? new URL(iri, this.#base).href : iri
  }

  /** Returns the IRI of a prefixed name, or undefined if the prefix is not declared. */
  expand(name: string, at: number): string | undefined {
    const colon = name.indexOf(':')
    const namespace = colon < 0 ? undefined : this.#namespaces.get(name.slice(0, colon))
    if (namespace === undefined) return undefined
    this.#into.repeat(namespace.length, at)
    return namespace + name.slice(colon + 1).replace(/\\(.)/g, '$1')
  }

  /** Returns the name of an IRI, shortened unless another IRI has the same short name. The name of an empty IRI is `<>`. */
  nameOf(iri: string): string {
    const known = this.#names.get(iri)
    if (known !== undefined) return known
    const name = [this.#shortened(iri), iri, `<${iri}>`].find((name) => name !== '' && !this.#iris.has(name)) as string
    this.#iris.set(name, iri)
    this.#names.set(iri, name)
    return name
  }

  #shortened(iri: string) {
    for (const separator of ['#', '/', ':', '_']) {
      const end = iri.lastIndexOf(separator) + 1
      const prefix = end > 0 ? this.#prefixes.get(iri.slice(0, end)) : undefined
      if (prefix !== undefined) return `${prefix}:${iri.slice(end)}`
    }
    return iri
  }
}
