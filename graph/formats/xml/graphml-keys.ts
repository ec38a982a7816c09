import { Defaults } from '../shared/defaults.ts'
import type { GraphBuilder } from '../shared/graph-builder.ts'
import { undeclaredValue } from '../shared/text.ts'
import { declaredValue, scalarTypes, type XmlHandler } from '../shared/xml.ts'

/** A declared attribute. */
export interface Key {
  name: string
  domain: string
  /** The type in lower case; `complex` if none is declared. */
  type: string
  isList: boolean
  /** Whether the key is for drawings by yFiles. */
  isDrawn: boolean
  /** Whether another key for the same elements has the same name. */
  sharesName: boolean
  at: number
}

type Domain = 'graphml' | 'graph' | 'node' | 'edge'

/** The keys of a GraphML file and their defaults. An id may be declared for both nodes and edges, as in files from Neo4j. */
export class Keys implements XmlHandler {
  readonly defaults: Record<Domain, Defaults> = {
    graphml: new Defaults(),
    graph: new Defaults(),
    node: new Defaults(),
    edge: new Defaults()
  }
  /** Whether all keys have been read and can be skipped from now on. */
  isComplete = false
  readonly #into: GraphBuilder
  readonly #fault: (end: number, code: string, detail: string) => void
  /** The keys by domain and id. An empty domain is used for the first key with each id. */
  readonly #keys = new Map<string, Key>()
  /**
   * The domains and ids of keys that are declared with several types, as in APOC's exports if the values have several types.
   */
  readonly #ambiguous = new Set<string>()
  /** The first key with each name, by domain and name, and its id. */
  readonly #named = new Map<string, { id: string; key: Key }>()
  /** The open key, and the nesting depth within it. */
  #key: Key | undefined
  #depth = 0
  #text: string | undefined
  #isComplex = false

  constructor(into: GraphBuilder, fault: (end: number, code: string, detail: string) => void) {
    this.#into = into
    this.#fault = fault
  }

  get isOpen() {
    return this.#depth > 0
  }

  /** Returns the key for an element's data, or undefined if it is not declared, or declared with several types. */
  find(kind: string, id: string): Key | undefined {
    if (this.#ambiguous.size > 0 && (this.#ambiguous.has(`${kind} ${id}`) || this.#ambiguous.has(`all ${id}`))) {
      return undefined
    }
    return this.#keys.get(`${kind} ${id}`) ?? this.#keys.get(`all ${id}`) ?? this.#keys.get(` ${id}`)
  }

  open(name: string, attributes: Record<string, string>, at: number) {
    this.#depth++
    if (this.isComplete) return
    if (this.#depth === 1) this.#key = this.#declare(attributes, at)
    else if (this.#depth === 2 && name === 'default') this.#text = ''
    else this.#isComplex = true
  }

  text(text: string) {
    if (this.#text !== undefined) this.#text += text
  }

  close() {
    this.#depth--
    if (this.#depth === 1) this.#setDefault()
    else if (this.#depth === 0) this.#key = undefined
  }

  #declare(attributes: Record<string, string>, at: number): Key {
    const { id = '', for: domain = 'all' } = attributes
    const declared = attributes['attr.type'] ?? (attributes['attr.name'] === undefined ? 'complex' : 'string')
    const type = declared.trim().toLowerCase()
    const isList = attributes['attr.list'] !== undefined
    const isDrawn =
      attributes['yfiles.type'] !== undefined ||
      Object.values(attributes).some((value) => value.includes('www.yworks.com'))
    const name = attributes['attr.name'] ?? id
    const key: Key = { name, domain, type, isList, isDrawn, sharesName: false, at }
    if (attributes.id === undefined) this.#fault(at, 'required', 'a key has no id')
    else if (type !== 'string' && type !== 'complex' && !scalarTypes.has(type)) this.#into.losses.add('type-unknown')
    const earlier = this.#keys.get(`${domain} ${id}`)
    if (earlier?.name === name && (earlier.type !== type || earlier.isList !== isList)) {
      this.#ambiguous.add(`${domain} ${id}`)
    } else if (earlier && earlier.name !== name) {
      this.#fault(
        at,
        'duplicate-id',
        `key ${JSON.stringify(id.slice(0, 40))} is declared twice with different definitions`
      )
    }
    this.#keys.set(`${domain} ${id}`, key)
    for (const kind of domain === 'all' ? Object.keys(this.defaults) : [domain]) {
      const first = this.#named.get(`${kind} ${name}`)
      if (!first) this.#named.set(`${kind} ${name}`, { id, key })
      else if (first.id !== id) first.key.sharesName = key.sharesName = true
    }
    if (!this.#keys.has(` ${id}`)) this.#keys.set(` ${id}`, key)
    return key
  }

  #setDefault() {
    const key = this.#key
    if (key && !this.#isComplex && this.#text !== undefined) {
      const value = readValue(this.#text, key, this.#into, (code, detail) => this.#fault(key.at, code, detail))
      for (const [kind, defaults] of Object.entries(this.defaults)) {
        if (key.domain === kind || key.domain === 'all') defaults.set(key.name, value)
      }
    }
    this.#text = undefined
    this.#isComplex = false
  }
}

/**
 * Parses a value of the key. Returns undefined if it is empty. Values without a declared type are text, and values without a
 * declared key are numbers or text.
 */
export function readValue(
  text: string,
  key: Key | undefined,
  into: GraphBuilder,
  fault: (code: string, detail: string) => void
) {
  if (!key) return text.trim() === '' ? undefined : undeclaredValue(text, into)
  if (key.isList) {
    into.losses.add('list-as-text')
    return text
  }
  if (key.type === 'complex') return text.trim() === '' ? undefined : text
  return declaredValue(text, key, into, fault)
}
