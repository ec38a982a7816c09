import type { Edge, Node } from '../../schemas/graph-content.ts'
import { type Attributes, asText, edgeAttributes, nodeAttributes, type Vocabulary } from './attributes.ts'
import { Defaults } from './defaults.ts'
import type { Format, GraphToWrite } from './format.ts'
import { GraphBuilder, severalGraphs, Unreadable } from './graph-builder.ts'
import type { Losses } from './losses.ts'
import { isNull, numberOf, typedValue, undeclaredValue } from './text.ts'
import {
  countIllegal,
  type DeclaredColumn,
  declaredColumns,
  declaredValue,
  decodeXml,
  escapeXml,
  furtherAttributes,
  isBefore,
  readXml,
  rootElement,
  scalarTypes,
  tagStart,
  xmlAttributes,
  xmlElement,
  xmlIds
} from './xml.ts'

/** GEXF 1.1 to 1.3, the format of Gephi; written as 1.3. https://gexf.net/schema.html */
export const gexf: Format = {
  name: 'gexf',
  title: 'GEXF',
  mediaType: 'application/gexf+xml',
  endings: ['.gexf', '.gexf.xml'],
  recognises: (text) => rootElement(text) === 'gexf',
  read: (bytes, into) => new Reader(into).read(bytes),
  write
}

const nodeVocabulary: Vocabulary = { label: null }
/** For nodes with a position, attributes of these names are metadata. */
const placedVocabulary: Vocabulary = { label: null, position: false }
const edgeVocabulary: Vocabulary = { label: null }

/** Attributes of elements that exist for some time only. */
const TIMES = ['start', 'end', 'startopen', 'endopen', 'timestamp', 'timestamps', 'intervals', 'slices']

/** Types whose values are text here as well. */
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
  /** Attributes of the element besides values. */
  own?: Map<string, unknown>
  /** Values of `viz:` elements: colour, size, shape, thickness. */
  drawn?: Map<string, unknown>
  isDynamic: boolean
  /** Whether an edge is mutual. */
  isMutual?: boolean
}

class Reader {
  readonly #into: GraphBuilder
  readonly #declared = { node: new Map<string, Declared>(), edge: new Map<string, Declared>() }
  /** The defaults of attributes, and their characters. */
  readonly #defaults = { node: new Defaults(), edge: new Defaults() }
  readonly #elements: Element[] = []
  #path: string[] = []
  #class: 'node' | 'edge' = 'node'
  #attribute: Declared | undefined
  #text: string | undefined
  #edgeType = 'undirected'
  #hasGraph = false
  /** Whether all attributes are known. Their declarations are skipped from then on. */
  #knowsAttributes = false

  constructor(into: GraphBuilder) {
    this.#into = into
    into.placeOf = (_kind, end) => tagStart(into.text, end)
  }

  /** Adds a fault of the element whose tag ends there. */
  #fault(end: number, code: string, detail: string) {
    this.#into.fault(tagStart(this.#into.text, end), code, detail)
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

  #checkedType(type: string, at: number) {
    const lower = type.toLowerCase()
    if (!['directed', 'undirected', 'mutual'].includes(lower)) {
      this.#fault(
        at,
        'not-allowed',
        `an edge is directed, undirected or mutual, not ${JSON.stringify(type.slice(0, 40))}`
      )
    }
    return lower
  }

  #openAttributes({ class: kind }: Record<string, string>, at: number) {
    if (kind === 'node' || kind === 'edge') this.#class = kind
    else this.#fault(at, 'not-allowed', `attributes are of class node or edge, not ${JSON.stringify(kind ?? '')}`)
  }

  #openAttribute({ id, title, type = 'string' }: Record<string, string>, at: number) {
    const declared = { name: title ?? id ?? '', type: type.trim().toLowerCase(), at }
    const earlier = this.#declared[this.#class].get(id ?? '')
    if (id === undefined) this.#fault(at, 'required', 'an attribute has no id')
    else if (earlier && (earlier.name !== declared.name || earlier.type !== declared.type)) {
      this.#fault(at, 'duplicate-id', `attribute ${JSON.stringify(id.slice(0, 40))} is declared again as another one`)
    }
    const isText = TEXT_TYPES.includes(declared.type) || declared.type.startsWith('list')
    if (!isText && !scalarTypes.has(declared.type)) this.#into.losses.add('type-unknown')
    this.#attribute = declared
    this.#declared[this.#class].set(id ?? '', declared)
  }

  #openNode({ id, label, pid, ...rest }: Record<string, string>, at: number) {
    const parent = this.#elements.findLast(({ kind }) => kind === 'node')?.element as Node | undefined
    if (id === undefined) this.#fault(at, 'required', 'a node has no id')
    const element = this.#into.addNode(id ?? '', at, label === undefined ? [] : [['label', label]])
    this.#push('node', element, at, rest)
    const parentId = pid ?? parent?.id
    if (parentId !== undefined) this.#setParent(parentId)
  }

  #openEdge({ id, source, target, type, weight, label, kind, ...rest }: Record<string, string>, at: number) {
    if (source === undefined || target === undefined) {
      this.#fault(at, 'required', `an edge has no ${source === undefined ? 'source' : 'target'}`)
    }
    const element = this.#into.addEdge(source ?? '', target ?? '', at, label === undefined ? [] : [['label', label]])
    if (id !== undefined) element.id = id
    const edgeType = type === undefined ? this.#edgeType : this.#checkedType(type, at)
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
      this.#fault(at, 'malformed', `weight ${JSON.stringify(weight.slice(0, 40))} is no number`)
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
      if (key === '') return this.#fault(at, 'required', 'a value does not say of which attribute it is')
      this.#into.losses.add('key-undeclared')
    }
    // Keeps the first of several values at different times.
    const isKnown = element.attributes.has(declared.name)
    if (isKnown || TIMES.some((name) => rest[name] !== undefined)) this.#into.losses.add('dynamics-dropped')
    if (isKnown) return
    const parsed = value === undefined ? undefined : this.#valueOf(value, declared, at)
    if (parsed !== undefined) element.attributes.set(declared.name, parsed)
  }

  #valueOf(text: string, declared: Declared, at: number): unknown {
    if (declared.type === '') return undeclaredValue(text, this.#into)
    if (declared.type.startsWith('list')) this.#into.losses.add('list-as-text')
    return declaredValue(text, declared, this.#into, (code, detail) => this.#fault(at, code, detail))
  }

  #openDrawing(name: string, attributes: Record<string, string>, at: number) {
    const element = this.#elements.at(-1)
    if (!element) return
    const numbers = (names: string[]) => names.map((key) => numberOf(attributes[key]?.trim() ?? ''))
    if (name === 'position') {
      const [x, y, z] = numbers(['x', 'y', 'z'])
      const isNowhere = [attributes.x, attributes.y].some((text) => text !== undefined && isNoNumber(text))
      if (isNowhere) this.#into.losses.add('visual-dropped')
      else if (x === undefined || y === undefined) this.#fault(at, 'malformed', 'a position needs numbers x and y')
      else Object.assign(element.element, { x, y, ...(z !== undefined && { z }) })
    } else if (name === 'color') {
      const color = colorOf(attributes)
      if (color === undefined) this.#fault(at, 'malformed', 'a color needs r, g and b from 0 to 255, or hex')
      else this.#draw(element, 'color', color)
      const alpha = numberOf(attributes.a ?? '') ?? alphaOf(attributes.hex)
      if (alpha !== undefined && alpha !== 1) this.#draw(element, 'alpha', alpha)
    } else if (name === 'shape') {
      if (attributes.value !== undefined) this.#draw(element, 'shape', attributes.value)
      if (attributes.uri !== undefined) this.#draw(element, 'uri', attributes.uri)
    } else {
      const [value] = numbers(['value'])
      if (value === undefined) this.#fault(at, 'malformed', `a ${name} needs a number`)
      else this.#draw(element, name, value)
    }
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
    for (const [name, value] of drawn ?? []) attributes.set(attributes.has(name) ? `viz:${name}` : name, value)
    if (kind === 'node') {
      const isPlaced = (element as Node).x !== undefined
      this.#into.describeNode(element as Node, attributes, isPlaced ? placedVocabulary : nodeVocabulary)
    } else {
      this.#into.describeEdge(element as Edge, attributes, edgeVocabulary)
      if (isMutual) this.#into.addReverse(element as Edge, at)
    }
  }
}

/** Tells whether a coordinate says that it has none: Gephi writes NaN after a layout that failed. */
function isNoNumber(text: string) {
  return isNull(text) || /^[+-]?(?:nan|inf(?:inity)?)?$/i.test(text.trim())
}

/** The colour as `#rrggbb`; also from `#rgb`, and without the alpha of `#rgba` and `#rrggbbaa`. */
function colorOf({ r, g, b, hex }: Record<string, string>) {
  if (hex !== undefined) {
    const digits = /^#?([0-9a-f]{3,8})$/i.exec(hex.trim())?.[1]?.toLowerCase()
    if (digits?.length === 3 || digits?.length === 4) return `#${digits.slice(0, 3).replace(/./g, '$&$&')}`
    return digits?.length === 6 || digits?.length === 8 ? `#${digits.slice(0, 6)}` : undefined
  }
  const parts = [r, g, b].map((text) => numberOf(text ?? ''))
  if (!parts.every((part) => part !== undefined && part >= 0 && part <= 255)) return undefined
  return `#${parts
    .map((part) =>
      Math.round(part as number)
        .toString(16)
        .padStart(2, '0')
    )
    .join('')}`
}

/** The alpha of `#rgba` and `#rrggbbaa`, from 0 to 1. */
function alphaOf(hex: string | undefined) {
  const [, short, long] = /^#?(?:[0-9a-f]{3}([0-9a-f])|[0-9a-f]{6}([0-9a-f]{2}))$/i.exec(hex?.trim() ?? '') ?? []
  const digits = long ?? (short && short + short)
  return digits === undefined ? undefined : Math.round((Number.parseInt(digits, 16) / 255) * 1000) / 1000
}

const NODE_SHAPES = ['disc', 'square', 'triangle', 'diamond']
const EDGE_SHAPES = ['solid', 'dotted', 'dashed', 'double']
const COLOR = /^#[0-9a-f]{6}$/

/** Returns metadata as `viz:` elements, if there are such. */
function drawing(metadata: Record<string, unknown> | undefined, kind: 'node' | 'edge') {
  const { color, alpha, size, thickness, shape } = metadata ?? {}
  const names = new Set<string>()
  let text = ''
  if (typeof color === 'string' && COLOR.test(color)) {
    const [r, g, b] = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16))
    const hasAlpha = typeof alpha === 'number' && alpha >= 0 && alpha < 1
    text += `<viz:color${xmlAttributes({ r, g, b, a: hasAlpha ? alpha : undefined })}/>`
    names.add('color')
    if (hasAlpha) names.add('alpha')
  }
  const measure = kind === 'node' ? size : thickness
  const measureName = kind === 'node' ? 'size' : 'thickness'
  if (typeof measure === 'number' && measure >= 0) {
    text += `<viz:${measureName} value="${measure}"/>`
    names.add(measureName)
  }
  if (typeof shape === 'string' && (kind === 'node' ? NODE_SHAPES : EDGE_SHAPES).includes(shape)) {
    text += `<viz:shape value="${shape}"/>`
    names.add('shape')
  }
  return { text, names }
}

function* nodeValues(node: Node, losses?: Losses): Generator<[string, unknown]> {
  const { names } = drawing(node.metadata, 'node')
  const { x, y, z, ...unplaced } = node
  // A single coordinate is an ordinary attribute.
  for (const entry of nodeAttributes(x !== undefined && y !== undefined ? unplaced : node, nodeVocabulary, losses)) {
    if (!names.has(entry[0])) yield entry
  }
}

function* edgeValues(edge: Edge, losses?: Losses): Generator<[string, unknown]> {
  const { names } = drawing(edge.metadata, 'edge')
  for (const entry of edgeAttributes(edge, edgeVocabulary, losses)) {
    if (!names.has(entry[0]) && !(entry[0] === 'weight' && typeof entry[1] === 'number')) yield entry
  }
}

const META = ['creator', 'keywords', 'description']

function write({ content }: GraphToWrite, losses: Losses) {
  const { directed = true, label, metadata = {}, nodes, edges } = content
  const meta = META.filter((name) => typeof metadata[name] === 'string' && (metadata[name] as string).trim() !== '')
  losses.add('graph-attributes-dropped', Object.keys(metadata).length - meta.length + (label === undefined ? 0 : 1))
  countIllegal(
    [...meta.map((name) => metadata[name]), ...nodes.map((node) => node.label), ...edges.map((edge) => edge.label)],
    losses
  )
  const columns = {
    node: declaredColumns('', nodes, nodeValues, losses),
    edge: declaredColumns('', edges, edgeValues, losses)
  }
  const nodeId = xmlIds(
    nodes.map(({ id }) => id),
    losses
  )
  const edgeId = xmlIds(
    edges.map(({ id }) => id),
    losses
  )

  return (function* () {
    yield '<?xml version="1.0" encoding="UTF-8"?>\n'
    yield '<gexf xmlns="http://gexf.net/1.3" xmlns:viz="http://gexf.net/1.3/viz" version="1.3">\n'
    yield `<meta>${meta.map((name) => `<${name}>${escapeXml(metadata[name] as string)}</${name}>`).join('')}</meta>\n`
    yield `<graph defaultedgetype="${directed ? 'directed' : 'undirected'}">\n`
    for (const [kind, declared] of Object.entries(columns)) {
      if (declared.size === 0) continue
      yield `<attributes class="${kind}">\n`
      for (const { id, title, type, largest } of declared.values()) {
        yield `<attribute${xmlAttributes({ id, title, type: type === 'integer' && largest > 0x7fffffff ? 'long' : type })}/>\n`
      }
      yield '</attributes>\n'
    }
    yield '<nodes>\n'
    for (const node of nodes) {
      const { x, y, z } = node
      const position = x !== undefined && y !== undefined ? `<viz:position${xmlAttributes({ x, y, z })}/>` : ''
      const inside = values(nodeValues(node), columns.node) + drawing(node.metadata, 'node').text + position
      yield xmlElement('node', { id: nodeId(node.id), label: node.label }, inside)
    }
    yield '</nodes>\n<edges>\n'
    for (const edge of edges) {
      const { id, source, target, label } = edge
      const weight = edge.metadata?.weight
      const attributes = {
        id: id === undefined ? undefined : edgeId(id),
        source: nodeId(source),
        target: nodeId(target),
        type: edge.directed === undefined ? undefined : edge.directed ? 'directed' : 'undirected',
        label,
        weight: typeof weight === 'number' ? weight : undefined
      }
      yield xmlElement('edge', attributes, values(edgeValues(edge), columns.edge) + drawing(edge.metadata, 'edge').text)
    }
    yield '</edges>\n</graph>\n</gexf>\n'
  })()
}

type Declarations = Map<string, DeclaredColumn>

function values(attributes: Attributes, declared: Declarations) {
  let text = ''
  for (const [name, value] of attributes) {
    text += `<attvalue${xmlAttributes({ for: declared.get(name)?.id, value: asText(value) })}/>`
  }
  return text === '' ? '' : `<attvalues>${text}</attvalues>`
}
