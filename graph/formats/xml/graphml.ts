import type { Edge, Node } from '../../../schemas/graph-content.ts'
import type { Format } from '../shared/format.ts'
import { GraphBuilder, severalGraphs, Unreadable } from '../shared/graph-builder.ts'
import { numberOf, undeclaredValue } from '../shared/text.ts'
import { decodeXml, furtherAttributes, isBefore, readXml, rootElement, tagStart } from '../shared/xml.ts'
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

/** The yFiles elements that contain the text of a label. */
const LABELS = ['NodeLabel', 'EdgeLabel', 'Label.Text']

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
  /** Values from the yFiles drawing. */
  drawn?: { label?: string; x?: number; y?: number }
}

class Reader {
  readonly #into: GraphBuilder
  readonly #keys: Keys
  readonly #owners: Owner[] = []
  #hasGraph = false
  /** The open data element. */
  #data: { key: Key | undefined; at: number } | undefined
  /** The nesting depth within content that is not plain text. */
  #depth = 0
  #isComplex = false
  /** The open elements within the drawing. */
  readonly #drawing: string[] = []
  #text: string | undefined

  constructor(into: GraphBuilder) {
    this.#into = into
    this.#keys = new Keys(into, (end, code, detail) => this.#fault(end, code, detail))
    into.placeOf = (_kind, end) => tagStart(into.text, end)
  }

  /** Adds a fault for the element whose tag ends at this offset. */
  #fault(end: number, code: string, detail: string) {
    this.#into.fault(tagStart(this.#into.text, end), code, detail)
  }

  read(bytes: Buffer) {
    const text = decodeXml(bytes, this.#into)
    if (isBefore('graph', 'key', text)) this.#readKeys(text)
    readXml(text, this.#into, {
      open: (name, attributes, at) => this.#open(name, attributes, at),
      text: (text) => {
        if (this.#keys.isOpen) this.#keys.text(text)
        else if (this.#text !== undefined) this.#text += text
      },
      close: (name) => this.#close(name)
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
      this.#isComplex = true
      this.#openDrawing(name, attributes)
    } else if (name === 'key') this.#keys.open(name, attributes, at)
    else if (name === 'desc') this.#text = ''
    else if (name === 'graph') this.#openGraph(attributes, at)
    else if (name === 'node') this.#openNode(attributes, at)
    else if (name === 'edge') this.#openEdge(attributes, at)
    else if (name === 'data') this.#openData(attributes, at)
    else if (name === 'hyperedge') {
      this.#fault(at, 'hyperedges', 'hyperedges are not supported: an edge must have two ends')
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
      this.#fault(at, 'not-allowed', 'edgedefault must be directed or undirected')
    }
    const directed = direction === 'directed'
    if (!node) this.#into.directed = directed
    this.#push({ kind: 'graph', at, directed, parent: (node?.element as Node | undefined)?.id })
  }

  #openNode({ id, ...rest }: Record<string, string>, at: number) {
    const graph = this.#graphOf(at)
    if (id === undefined) this.#fault(at, 'required', 'a node has no id')
    const element = this.#into.addNode(id ?? '', at)
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
      this.#fault(at, 'not-allowed', 'directed must be true or false')
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
    const key = id === undefined ? undefined : this.#keys.find(this.#owner.kind, id)
    if (id === undefined) this.#fault(at, 'required', 'data has no key')
    else if (!key)
      this.#fault(at, 'unknown-key', `data refers to key ${JSON.stringify(id.slice(0, 40))}, which is not declared`)
    this.#data = { key, at }
    this.#text = ''
    this.#isComplex = false
  }

  /** Reads the label and position of a node from the yFiles drawing. */
  #openDrawing(name: string, attributes: Record<string, string>) {
    if (!this.#data) return
    this.#owner.drawn ??= {}
    const { drawn } = this.#owner
    this.#keepLabel()
    this.#drawing.push(name)
    const { x = attributes.X, y = attributes.Y, width = attributes.Width, height = attributes.Height } = attributes
    if ((name === 'Geometry' || name === 'RectD') && drawn.x === undefined) {
      const [left, top, across, down] = [x, y, width, height].map((text) => numberOf(text ?? ''))
      if (left !== undefined && top !== undefined) {
        drawn.x = left + (across ?? 0) / 2
        // In yFiles, y increases downwards.
        drawn.y = 0 - (top + (down ?? 0) / 2)
      }
    } else if (name === 'Label' && attributes.Text !== undefined) drawn.label ??= attributes.Text
    this.#text = ''
  }

  /** Keeps the text read so far if it belongs to a label. */
  #keepLabel() {
    const text = this.#text?.trim()
    if (!text || !this.#owner.drawn || !LABELS.includes(this.#drawing.at(-1) ?? '')) return
    this.#owner.drawn.label ??= text
  }

  #close(name: string) {
    if (this.#keys.isOpen) return this.#keys.close()
    if (this.#depth > 0) {
      this.#depth--
      this.#keepLabel()
      this.#drawing.pop()
      return
    }
    if (name === 'data') this.#closeData()
    else if (name === 'desc') {
      if (this.#text?.trim()) this.#say('desc', this.#text)
      this.#text = undefined
    } else this.#closeOwner(this.#owners.pop() as Owner)
  }

  #closeData() {
    const { key, at } = this.#data as { key: Key | undefined; at: number }
    const text = this.#text ?? ''
    this.#data = undefined
    this.#text = undefined
    if (this.#isComplex) this.#into.losses.add('visual-dropped')
    else if (key) {
      const value = readValue(text, key, this.#into, (code, detail) => this.#fault(at, code, detail))
      const { attributes } = this.#owner
      if (attributes.has(key.name) && attributes.get(key.name) !== value) {
        this.#fault(at, 'repeated', `the element has a second value for ${JSON.stringify(key.name.slice(0, 40))}`)
      }
      if (value !== undefined) attributes.set(key.name, value)
    }
    this.#isComplex = false
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
