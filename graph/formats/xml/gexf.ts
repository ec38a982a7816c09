import type { Edge, Node } from '../../../schemas/graph-content.ts'
import type { Vocabulary } from '../shared/attributes.ts'
import { Defaults } from '../shared/defaults.ts'
import type { Format } from '../shared/format.ts'
import { GraphBuilder, severalGraphs, Unreadable } from '../shared/graph-builder.ts'
import { listOf } from '../shared/list-text.ts'
import { drawnAttributes } from '../shared/styles.ts'
import { isNull, typedValue, undeclaredValue } from '../shared/text.ts'
import {
  declaredValue,
  decodeXml,
  furtherAttributes,
  isBefore,
  readXml,
  rootElement,
  scalarTypes,
  tagStart
} from '../shared/xml.ts'
import { readDrawing } from './gexf-drawing.ts'
import { edgeVocabulary, nodeVocabulary, writeGexf } from './gexf-writer.ts'

/** GEXF versions 1.1 to 1.3, the format of Gephi. Exports are version 1.3. https://gexf.net/schema.html */
export const gexf: Format = {
  name: 'gexf',
  title: 'GEXF',
  mediaType: 'application/gexf+xml',
  endings: ['.gexf', '.gexf.xml'],
  recognises: (text) => rootElement(text) === 'gexf',
  read: (bytes, into) => new Reader(into).read(bytes),
  write: writeGexf
}

/** If a node has a position, its attributes named `x`, `y` and `z` are metadata. */
const placedVocabulary: Vocabulary = { label: null, position: false }

/** The attributes that mark elements as existing only at certain times. */
const TIMES = ['start', 'end', 'startopen', 'endopen', 'timestamp', 'timestamps', 'intervals', 'slices']

/** Types whose values remain text. */
const TEXT_TYPES = ['string', 'anyuri', 'char', 'character', 'text', 'date', 'datetime']

interface Declared {
  name: string
  type: string
  at: number
}

interface Element {
  kind: 'node' | 'edge'
  at: number
  element: Node | Edge
  attributes: Map<string, unknown>
  /** Attributes of the XML element itself. */
  own?: Map<string, unknown>
  /** Values from `viz:` elements: colour, size, shape and thickness. */
  drawn?: Map<string, unknown>
  isDynamic: boolean
  /** Whether an edge is mutual. */
  isMutual?: boolean
}

class Reader {
  readonly #into: GraphBuilder
  readonly #declared = { node: new Map<string, Declared>(), edge: new Map<string, Declared>() }
  /** The default values of attributes. */
  readonly #defaults = { node: new Defaults(), edge: new Defaults() }
  readonly #elements: Element[] = []
  #path: string[] = []
  #class: 'node' | 'edge' = 'node'
  #attribute: Declared | undefined
  #text: string | undefined
  #edgeType = 'undirected'
  #hasGraph = false
  /** Whether all attribute declarations have been read and can be skipped from now on. */
  #knowsAttributes = false

  constructor(into: GraphBuilder) {
    this.#into = into
    into.placeOf = (_kind, end) => tagStart(into.text, end)
  }

  /** Adds a fault at the tag that ends at this offset, for this node or edge or for the file as a whole. */
  #fault(end: number, code: string, detail: string, element?: Node | Edge) {
    const place = tagStart(this.#into.text, end)
    if (element) this.#into.fault(place, code, detail, element)
    else this.#into.refuse(place, code, detail)
  }

  read(bytes: Buffer) {
    const text = decodeXml(bytes, this.#into)
    const keepText = (text: string) => {
      if (this.#text !== undefined) this.#text += text
    }
    if (isBefore('nodes', 'attributes', text)) {
      readXml(text, new GraphBuilder(this.#into.limits), {
        open: (name, attributes, at) => this.#openDeclaration(name, attributes, at),
        text: keepText,
        close: (name) => this.#closeDeclaration(name)
      })
      this.#knowsAttributes = true
    }
    readXml(text, this.#into, {
      open: (name, attributes, at) => {
        this.#open(name, attributes, at)
        this.#path.push(name)
      },
      text: keepText,
      close: (name) => {
        this.#path.pop()
        this.#close(name)
      }
    })
    if (!this.#hasGraph) throw new Unreadable(0, 'required', 'has no graph')
  }

  #open(name: string, attributes: Record<string, string>, at: number) {
    if (this.#path.length === 0) {
      if (name !== 'gexf')
        throw new Unreadable(tagStart(this.#into.text, at), 'required', `is <${name}>: this is not GEXF`)
      this.#into.version = attributes.version
      return
    }
    if (!this.#knowsAttributes) this.#openDeclaration(name, attributes, at)
    switch (name) {
      case 'title':
      case 'creator':
      case 'keywords':
      case 'description':
        this.#text = ''
        return
      case 'graph':
        return this.#openGraph(attributes, at)
      case 'node':
        return this.#openNode(attributes, at)
      case 'edge':
        return this.#openEdge(attributes, at)
      case 'attvalue':
        return this.#openValue(attributes, at)
      case 'spell':
      case 'slice':
        this.#markDynamic()
        return
      case 'parent':
        if (attributes.for !== undefined) this.#setParent(attributes.for)
        return
      case 'color':
      case 'position':
      case 'size':
      case 'shape':
      case 'thickness':
        return this.#openDrawing(name, attributes, at)
    }
  }

  #openDeclaration(name: string, attributes: Record<string, string>, at: number) {
    if (name === 'attributes') this.#openAttributes(attributes, at)
    else if (name === 'attribute') this.#openAttribute(attributes, at)
    else if (name === 'default') this.#text = ''
  }

  #openGraph({ defaultedgetype = 'undirected', mode }: Record<string, string>, at: number) {
    if (this.#hasGraph) {
      throw severalGraphs(tagStart(this.#into.text, at))
    }
    this.#hasGraph = true
    this.#edgeType = this.#checkedType(defaultedgetype, at)
    this.#into.directed = this.#edgeType !== 'undirected'
    if (mode === 'dynamic') this.#into.losses.add('dynamics-dropped')
  }

  #checkedType(type: string, at: number, edge?: Edge) {
    const lower = type.toLowerCase()
    if (!['directed', 'undirected', 'mutual'].includes(lower)) {
      this.#fault(
        at,
        'not-allowed',
        `an edge must be directed, undirected or mutual, not ${JSON.stringify(type.slice(0, 40))}`,
        edge
      )
    }
    return lower
  }

  #openAttributes({ class: kind }: Record<string, string>, at: number) {
    if (kind === 'node' || kind === 'edge') this.#class = kind
    else
      this.#fault(at, 'not-allowed', `the class of attributes must be node or edge, not ${JSON.stringify(kind ?? '')}`)
  }

  #openAttribute({ id, title, type = 'string' }: Record<string, string>, at: number) {
    const declared = { name: title ?? id ?? '', type: type.trim().toLowerCase(), at }
    const earlier = this.#declared[this.#class].get(id ?? '')
    if (id === undefined) this.#fault(at, 'required', 'an attribute has no id')
    else if (earlier && (earlier.name !== declared.name || earlier.type !== declared.type)) {
      this.#fault(
        at,
        'duplicate-id',
        `attribute ${JSON.stringify(id.slice(0, 40))} is declared twice with different definitions`
      )
    }
    const isText = TEXT_TYPES.includes(declared.type) || declared.type.startsWith('list')
    if (!isText && !scalarTypes.has(declared.type)) this.#into.losses.add('type-unknown')
    this.#attribute = declared
    this.#declared[this.#class].set(id ?? '', declared)
  }

  #openNode({ id, label, pid, ...rest }: Record<string, string>, at: number) {
    const parent = this.#elements.findLast(({ kind }) => kind === 'node')?.element as Node | undefined
    const element = this.#into.addNode(id ?? '', at, label === undefined ? [] : [['label', label]])
    if (id === undefined) this.#fault(at, 'required', 'a node has no id', element)
    this.#push('node', element, at, rest)
    const parentId = pid ?? parent?.id
    if (parentId !== undefined) this.#setParent(parentId)
  }

  #openEdge({ id, source, target, type, weight, label, kind, ...rest }: Record<string, string>, at: number) {
    const element = this.#into.addEdge(source ?? '', target ?? '', at, label === undefined ? [] : [['label', label]])
    if (source === undefined || target === undefined) {
      this.#fault(at, 'required', `an edge has no ${source === undefined ? 'source' : 'target'}`, element)
    }
    if (id !== undefined) element.id = id
    const edgeType = type === undefined ? this.#edgeType : this.#checkedType(type, at, element)
    const isDirected = edgeType !== 'undirected'
    if (isDirected !== this.#into.directed) element.directed = isDirected
    const added = this.#push('edge', element, at, rest)
    added.isMutual = edgeType === 'mutual'
    if (kind !== undefined) this.#say(added, 'relation', kind)
    if (weight === undefined) return
    const value = typedValue(weight, 'double', this.#into)
    if (value !== undefined) this.#say(added, 'weight', value)
    else if (isNull(weight)) this.#into.losses.add('null-dropped')
    else if (weight.trim() !== '') {
      this.#fault(at, 'malformed', `weight ${JSON.stringify(weight.slice(0, 40))} is not a number`, element)
    }
  }

  #push(kind: Element['kind'], element: Node | Edge, at: number, attributes: Record<string, string>): Element {
    const added: Element = {
      kind,
      at,
      element,
      attributes: new Map(),
      drawn: new Map(),
      isDynamic: false
    }
    this.#elements.push(added)
    for (const [name, text] of furtherAttributes(attributes)) {
      if (!TIMES.includes(name)) this.#say(added, name, undeclaredValue(text, this.#into))
    }
    if (TIMES.some((name) => attributes[name] !== undefined)) this.#markDynamic()
    return added
  }

  #say(element: Element, name: string, value: unknown) {
    element.own ??= new Map()
    element.own.set(name, value)
  }

  #draw(element: Element, name: string, value: unknown) {
    element.drawn ??= new Map()
    element.drawn.set(name, value)
  }

  #markDynamic() {
    const element = this.#elements.at(-1)
    if (element && !element.isDynamic) {
      element.isDynamic = true
      this.#into.losses.add('dynamics-dropped')
    }
  }

  #setParent(id: string) {
    const element = this.#elements.at(-1)
    if (!element || element.own?.has('parent')) return
    this.#say(element, 'parent', id)
    this.#into.losses.add('subgraph-flattened')
  }

  #openValue({ for: id, id: oldId, value, ...rest }: Record<string, string>, at: number) {
    const element = this.#elements.at(-1)
    if (!element) return
    const key = id ?? oldId ?? ''
    const declared = this.#declared[element.kind].get(key) ?? { name: key, type: '', at }
    if (declared.type === '') {
      if (key === '') return this.#fault(at, 'required', 'a value does not specify its attribute', element.element)
      this.#into.losses.add('key-undeclared')
    }
    // If an attribute has several values at different times, only the first is kept.
    const isKnown = element.attributes.has(declared.name)
    if (isKnown || TIMES.some((name) => rest[name] !== undefined)) this.#into.losses.add('dynamics-dropped')
    if (isKnown) return
    const parsed = value === undefined ? undefined : this.#valueOf(value, declared, at, element.element)
    if (parsed !== undefined) element.attributes.set(declared.name, parsed)
  }

  #valueOf(text: string, declared: Declared, at: number, element?: Node | Edge): unknown {
    if (declared.type === '') return undeclaredValue(text, this.#into)
    if (declared.type.startsWith('list')) {
      const list = listOf(text, declared.type)
      if (list) return list
      this.#into.losses.add('list-as-text')
    }
    return declaredValue(text, declared, this.#into, (code, detail) => this.#fault(at, code, detail, element))
  }

  #openDrawing(name: string, attributes: Record<string, string>, at: number) {
    const element = this.#elements.at(-1)
    if (!element) return
    const { position, values = {}, isNowhere, fault } = readDrawing(name, attributes)
    if (fault !== undefined) this.#fault(at, 'malformed', fault, element.element)
    if (isNowhere) this.#into.losses.add('visual-dropped')
    if (position) Object.assign(element.element, position)
    for (const [name, value] of Object.entries(values)) this.#draw(element, name, value)
  }

  #close(name: string) {
    if (!this.#knowsAttributes) this.#closeDeclaration(name)
    const text = this.#text?.trim() ?? ''
    if (name === 'title' && text !== '') this.#into.name = text
    else if ((name === 'creator' || name === 'keywords' || name === 'description') && text !== '') {
      this.#into.describe([[name, this.#text]])
    }
    this.#text = undefined
    if (name === 'node' || name === 'edge') this.#closeElement(this.#elements.pop() as Element)
  }

  #closeDeclaration(name: string) {
    const attribute = this.#attribute
    if (name === 'default' && attribute && this.#text !== undefined) {
      this.#defaults[this.#class].set(attribute.name, this.#valueOf(this.#text, attribute, attribute.at))
    }
    if (name === 'default') this.#text = undefined
    if (name === 'attribute') this.#attribute = undefined
  }

  #closeElement({ kind, at, element, attributes, own, drawn, isMutual }: Element) {
    for (const [name, value] of own ?? []) if (!attributes.has(name)) attributes.set(name, value)
    const defaults = this.#defaults[kind]
    this.#into.repeat(defaults.weight, at)
    for (const [name, value] of defaults.values) if (!attributes.has(name)) attributes.set(name, value)
    for (const [name, value] of drawnAttributes(kind, drawn ?? [], attributes)) attributes.set(name, value)
    if (kind === 'node') {
      const isPlaced = (element as Node).x !== undefined
      this.#into.describeNode(element as Node, attributes, isPlaced ? placedVocabulary : nodeVocabulary)
    } else {
      this.#into.describeEdge(element as Edge, attributes, edgeVocabulary)
      if (isMutual) this.#into.addReverse(element as Edge, at)
    }
  }
}
