import { styleNames } from '../../../picture/model/styles.ts'
import type { Edge, Node } from '../../../schemas/graph-content.ts'
import type { Format } from '../shared/format.ts'
import { GraphBuilder, severalGraphs, Unreadable } from '../shared/graph-builder.ts'
import { drawnAttributes } from '../shared/styles.ts'
import { undeclaredValue } from '../shared/text.ts'
import { decodeXml, furtherAttributes, isBefore, readXml, rootElement, tagStart } from '../shared/xml.ts'
import { Drawing, type Drawn, isDrawing } from './graphml-drawing.ts'
import { type Key, Keys, readValue } from './graphml-keys.ts'
import { writeGraphml } from './graphml-writer.ts'

/** GraphML 1.0 and 1.1, with the extensions of yFiles. http://graphml.graphdrawing.org/specification.html */
export const graphml: Format = {
  name: 'graphml',
  title: 'GraphML',
  mediaType: 'application/graphml+xml',
  endings: ['.graphml', '.graphml.xml'],
  recognises: (text) => rootElement(text) === 'graphml',
  read: (bytes, into) => new Reader(into).read(bytes),
  write: writeGraphml
}

/** The element that data belongs to. */
interface Owner {
  kind: 'graphml' | 'graph' | 'node' | 'edge' | 'other'
  at: number
  element?: Node | Edge
  attributes: Map<string, unknown>
  /** Attributes of the XML element itself. */
  own?: Map<string, unknown>
  /** For a graph: whether its edges are directed, and the node that contains it. */
  directed?: boolean
  parent?: string | undefined
  drawn?: Drawn
}

/** An open data element. */
interface Data {
  id: string | undefined
  key: Key | undefined
  /** The offset of its content. */
  at: number
  /** Whether it contains a drawing or other elements. Undefined if it contains text. */
  inside?: 'drawing' | 'elements'
}

class Reader {
  readonly #into: GraphBuilder
  readonly #keys: Keys
  readonly #owners: Owner[] = []
  #hasGraph = false
  #data: Data | undefined
  /** The nesting depth within content that is not plain text. */
  #depth = 0
  readonly #drawing = new Drawing()
  #text: string | undefined

  constructor(into: GraphBuilder) {
    this.#into = into
    this.#keys = new Keys(into, (end, code, detail) => into.refuse(tagStart(into.text, end), code, detail))
    into.placeOf = (_kind, end) => tagStart(into.text, end)
  }

  /** Adds a fault at the tag that ends at this offset: for this node or edge, or for one that is skipped. */
  #fault(end: number, code: string, detail: string, ...elements: (Node | Edge)[]) {
    this.#into.fault(tagStart(this.#into.text, end), code, detail, ...elements)
  }

  /** Adds a fault for the current owner's data. */
  #faultOfData(end: number, code: string, detail: string) {
    const { kind, element } = this.#owner
    if (element) this.#fault(end, code, detail, element)
    else if (kind === 'other') this.#fault(end, code, detail)
    else this.#into.refuse(tagStart(this.#into.text, end), code, detail)
  }

  read(bytes: Buffer) {
    const text = decodeXml(bytes, this.#into)
    if (isBefore('graph', 'key', text)) this.#readKeys(text)
    readXml(text, this.#into, {
      open: (name, attributes, at) => this.#open(name, attributes, at),
      text: (text) => {
        if (this.#keys.isOpen) this.#keys.text(text)
        else if (this.#data?.inside === 'drawing') this.#drawing.text(text)
        else if (this.#text !== undefined) this.#text += text
      },
      close: (name, end) => this.#close(name, end)
    })
    if (!this.#hasGraph) throw new Unreadable(0, 'required', 'has no graph')
  }

  /** Reads only the keys, which may come after the data. */
  #readKeys(text: string) {
    const keys = this.#keys
    let depthOfData = 0
    readXml(text, new GraphBuilder(this.#into.limits), {
      open: (name, attributes, at) => {
        if (keys.isOpen || (depthOfData === 0 && name === 'key')) keys.open(name, attributes, at)
        else if (depthOfData > 0 || name === 'data') depthOfData++
      },
      text: (text) => keys.text(text),
      close: () => {
        if (keys.isOpen) keys.close()
        else if (depthOfData > 0) depthOfData--
      }
    })
    keys.isComplete = true
  }

  get #owner(): Owner {
    return this.#owners.at(-1) as Owner
  }

  #open(name: string, attributes: Record<string, string>, at: number) {
    if (this.#owners.length === 0) {
      if (name !== 'graphml')
        throw new Unreadable(tagStart(this.#into.text, at), 'required', `is <${name}>: this is not GraphML`)
      this.#push({ kind: 'graphml', at })
    } else if (this.#keys.isOpen) this.#keys.open(name, attributes, at)
    else if (this.#depth > 0 || this.#data) {
      this.#depth++
      this.#openWithin(name, attributes, at)
    } else if (name === 'key') this.#keys.open(name, attributes, at)
    else if (name === 'desc') this.#text = ''
    else if (name === 'graph') this.#openGraph(attributes, at)
    else if (name === 'node') this.#openNode(attributes, at)
    else if (name === 'edge') this.#openEdge(attributes, at)
    else if (name === 'data') this.#openData(attributes, at)
    else if (name === 'hyperedge') {
      this.#fault(at, 'hyperedges', 'hyperedges are not supported: an edge must have two endpoints')
      this.#push({ kind: 'other', at })
    } else {
      if (name === 'port') this.#into.losses.add('ports-dropped')
      else if (name !== 'endpoint') this.#into.losses.add('aspects-dropped')
      this.#push({ kind: 'other', at })
    }
  }

  #push(owner: Omit<Owner, 'attributes'>) {
    this.#owners.push({ ...owner, attributes: new Map() })
  }

  #openGraph({ edgedefault }: Record<string, string>, at: number) {
    const node = this.#owners.findLast(({ kind }) => kind === 'node')
    if (!node) {
      if (this.#hasGraph) {
        throw severalGraphs(tagStart(this.#into.text, at))
      }
      this.#hasGraph = true
    } else this.#into.losses.add('subgraph-flattened')
    const direction = edgedefault?.trim().toLowerCase()
    // Treats a missing `edgedefault` as undirected, like networkx and igraph.
    if (direction === undefined) this.#into.losses.add('direction-assumed')
    else if (direction !== 'directed' && direction !== 'undirected') {
      this.#into.refuse(tagStart(this.#into.text, at), 'not-allowed', 'edgedefault must be directed or undirected')
    }
    const directed = direction === 'directed'
    if (!node) this.#into.directed = directed
    this.#push({ kind: 'graph', at, directed, parent: (node?.element as Node | undefined)?.id })
  }

  #openNode({ id, ...rest }: Record<string, string>, at: number) {
    const graph = this.#graphOf(at)
    const element = this.#into.addNode(id ?? '', at)
    if (id === undefined) this.#fault(at, 'required', 'a node has no id', element)
    this.#push({ kind: 'node', at, element })
    if (graph.parent !== undefined) this.#say('parent', graph.parent)
    this.#sayAll(rest)
  }

  #openEdge({ id, source, target, directed, sourceport, targetport, ...rest }: Record<string, string>, at: number) {
    const graph = this.#graphOf(at)
    if (source === undefined || target === undefined) {
      this.#fault(at, 'required', `an edge has no ${source === undefined ? 'source' : 'target'}`)
      this.#push({ kind: 'other', at })
      return
    }
    const element = this.#into.addEdge(source, target, at)
    if (id !== undefined) element.id = id
    if (directed !== undefined && !/^\s*(?:true|false|1|0)\s*$/i.test(directed)) {
      this.#fault(at, 'not-allowed', 'directed must be true or false', element)
    }
    const isDirected = directed === undefined ? graph.directed : /^\s*(?:true|1)\s*$/i.test(directed)
    if (isDirected !== undefined && isDirected !== this.#into.directed) element.directed = isDirected
    this.#push({ kind: 'edge', at, element })
    if (sourceport !== undefined) this.#say('sourceport', sourceport)
    if (targetport !== undefined) this.#say('targetport', targetport)
    this.#sayAll(rest)
  }

  /** Keeps attributes that GraphML does not define, such as Neo4j's `labels`. */
  #sayAll(attributes: Record<string, string>) {
    for (const [name, text] of furtherAttributes(attributes)) this.#say(name, undeclaredValue(text, this.#into))
  }

  #say(name: string, value: unknown) {
    this.#owner.own ??= new Map()
    this.#owner.own.set(name, value)
  }

  #graphOf(at: number): Owner {
    const graph = this.#owners.findLast(({ kind }) => kind === 'graph')
    if (!graph) throw new Unreadable(tagStart(this.#into.text, at), 'misplaced', 'is outside a graph')
    return graph
  }

  #openData({ key: id }: Record<string, string>, at: number) {
    if (id === undefined) this.#faultOfData(at, 'required', 'data has no key')
    this.#data = { id, key: id === undefined ? undefined : this.#keys.find(this.#owner.kind, id), at }
    this.#text = ''
  }

  /** Opens an element within data or a description. */
  #openWithin(name: string, attributes: Record<string, string>, at: number) {
    const data = this.#data
    if (!data) return
    data.inside ??= isDrawing(this.#into.text.slice(data.at, at), data.key?.isDrawn) ? 'drawing' : 'elements'
    if (data.inside !== 'drawing') return
    this.#owner.drawn ??= {}
    this.#drawing.open(name, attributes, this.#owner.drawn)
  }

  #close(name: string, end: number) {
    if (this.#keys.isOpen) return this.#keys.close()
    if (this.#depth > 0) {
      this.#depth--
      if (this.#data?.inside === 'drawing') this.#drawing.close(this.#owner.drawn as Drawn)
    } else if (name === 'data') this.#closeData(this.#data as Data, end)
    else if (name === 'desc') {
      if (this.#text?.trim()) this.#say('desc', this.#text)
      this.#text = undefined
    } else this.#closeOwner(this.#owners.pop() as Owner)
  }

  #closeData({ id, key, at, inside }: Data, end: number) {
    const text = this.#text ?? ''
    this.#data = undefined
    this.#text = undefined
    if (inside === 'drawing') {
      if (this.#drawing.takeLoss()) this.#into.losses.add('visual-dropped')
      return
    }
    if (id === undefined || this.#owner.kind === 'other') return
    if (!key) this.#into.losses.add('key-undeclared')
    // Elements that have no meaning here are kept verbatim.
    const value = inside
      ? this.#into.text.slice(at, tagStart(this.#into.text, end)).trim()
      : readValue(text, key, this.#into, (code, detail) => this.#faultOfData(at, code, detail))
    if (value !== undefined) this.#keep(id, key, value, at)
  }

  /** Keeps a value under the name of its key. If another key has the same name and a value, keeps it under the key's id. */
  #keep(id: string, key: Key | undefined, value: unknown, at: number) {
    const { attributes } = this.#owner
    const isTaken = (name: string) => attributes.has(name) && attributes.get(name) !== value
    let name = key?.name ?? id
    if (key?.sharesName && isTaken(name)) {
      this.#into.losses.add('key-undeclared')
      name = id
    }
    if (isTaken(name))
      this.#faultOfData(at, 'repeated', `the element has a second value for ${JSON.stringify(name.slice(0, 40))}`)
    attributes.set(name, value)
  }

  #closeOwner({ kind, at, element, attributes, own, drawn }: Owner) {
    if (kind === 'other') return
    for (const [name, value] of own ?? []) if (!attributes.has(name)) attributes.set(name, value)
    const defaults = this.#keys.defaults[kind]
    this.#into.repeat(defaults.weight, at)
    for (const [name, value] of defaults.values) if (!attributes.has(name)) attributes.set(name, value)
    if (kind === 'node') this.#into.describeNode(element as Node, withGephiLabel(attributes, kind))
    else if (kind === 'edge') this.#into.describeEdge(element as Edge, withGephiLabel(attributes, kind))
    else this.#describeGraph(attributes)
    if (!element || !drawn) return
    if (drawn.label !== undefined && element.label === undefined) {
      if (kind === 'node') this.#into.describeNode(element as Node, [['label', drawn.label]])
      else this.#into.describeEdge(element as Edge, [['label', drawn.label]])
    }
    if (kind === 'node' || kind === 'edge') {
      const style = [...(drawn.style ?? [])].filter(([part]) => part in styleNames[kind])
      const added = drawnAttributes(kind, style, attributes)
      if (kind === 'node') this.#into.describeNode(element as Node, added)
      else this.#into.describeEdge(element as Edge, added)
    }
    const node = element as Node
    if (kind === 'node' && node.x === undefined && drawn.x !== undefined)
      Object.assign(node, { x: drawn.x, y: drawn.y })
  }

  #describeGraph(attributes: Map<string, unknown>) {
    const { name, type } = { name: attributes.get('name'), type: attributes.get('type') }
    if (typeof name === 'string' && name.trim() !== '') this.#into.name = name
    if (typeof type === 'string' && type !== '') this.#into.type = type
    attributes.delete('name')
    attributes.delete('type')
    this.#into.describe(attributes)
  }
}

/** Maps Gephi's attribute `Edge Label` to the label. */
function* withGephiLabel(attributes: Map<string, unknown>, kind: string): Generator<[string, unknown]> {
  for (const [name, value] of attributes) yield [kind === 'edge' && name === 'Edge Label' ? 'label' : name, value]
}
