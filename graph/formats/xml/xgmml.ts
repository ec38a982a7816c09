import type { Edge, Node } from '../../../schemas/graph-content.ts'
import { put, type Vocabulary } from '../shared/attributes.ts'
import type { Format } from '../shared/format.ts'
import { type GraphBuilder, Unreadable } from '../shared/graph-builder.ts'
import { numberOf, undeclaredValue } from '../shared/text.ts'
import { declaredValue, decodeXml, furtherAttributes, readXml, rootElement, tagStart } from '../shared/xml.ts'

/** XGMML, the exchange format of Cytoscape 2 and 3. */
export const xgmml: Format = {
  name: 'xgmml',
  title: 'XGMML',
  mediaType: 'application/xgmml+xml',
  endings: ['.xgmml', '.xgmml.xml'],
  growsDown: true,
  recognises: (text) => rootElement(text) === 'graph',
  read: (bytes, into) => new Reader(into).read(bytes)
}

const nodeVocabulary: Vocabulary = { label: null, position: false }
const edgeVocabulary: Vocabulary = { label: null, relation: 'interaction' }
const graphVocabulary: Vocabulary = { label: null }

interface Element {
  kind: 'node' | 'edge' | 'graph'
  element?: Node | Edge
  attributes: Map<string, unknown>
}

/** An open `att` element: a value, a list, or a record of further elements. */
interface Attribute {
  name: string | undefined
  value: unknown
  isList: boolean
  items: [name: string | undefined, value: unknown][]
}

class Reader {
  readonly #into: GraphBuilder
  /** The open graphs, nodes and edges. */
  readonly #elements: Element[] = []
  /** The open attributes of the innermost element. */
  #attributes: Attribute[] = []
  /** The open attributes of the enclosing elements. */
  readonly #outer: Attribute[][] = []
  /** The nesting depth within skipped elements: drawings, and references to nodes and edges. */
  #skipped = 0
  #isRead = false

  constructor(into: GraphBuilder) {
    this.#into = into
    into.placeOf = (_kind, end) => tagStart(into.text, end)
  }

  read(bytes: Buffer) {
    readXml(decodeXml(bytes, this.#into), this.#into, {
      open: (name, attributes, at) => this.#open(name, attributes, at),
      text: () => {},
      close: (name) => this.#close(name)
    })
  }

  /** Adds a fault at the tag that ends at this offset: of this node or edge, or of the file as a whole. */
  #fault(end: number, code: string, detail: string, element?: Node | Edge) {
    const place = tagStart(this.#into.text, end)
    if (element) this.#into.fault(place, code, detail, element)
    else this.#into.refuse(place, code, detail)
  }

  #open(name: string, attributes: Record<string, string>, at: number) {
    if (!this.#isRead && name !== 'graph') {
      throw new Unreadable(tagStart(this.#into.text, at), 'required', `is <${name}>: this is not XGMML`)
    }
    this.#isRead = true
    if (this.#skipped > 0) this.#skipped++
    else if (name === 'graph') this.#openGraph(attributes)
    else if (name === 'node') this.#openNode(attributes, at)
    else if (name === 'edge') this.#openEdge(attributes, at)
    else if (name === 'att') this.#openAttribute(attributes, at)
    else this.#openOther(name, attributes)
  }

  #openGraph({ label, directed, ...rest }: Record<string, string>) {
    if (this.#elements.length > 0) this.#into.losses.add('subgraph-flattened')
    else {
      if (label !== undefined && label.trim() !== '') this.#into.name = label
      this.#into.version = rest['cy:documentVersion']
      this.#into.directed = isTrue(directed ?? rest['cy:directed'] ?? '0')
    }
    const { id: _, ...others } = rest
    this.#push({ kind: 'graph', attributes: this.#further(others) })
  }

  #openNode({ id, label, name, ...rest }: Record<string, string>, at: number) {
    // A group contains references to nodes that are defined elsewhere.
    if (rest['xlink:href'] !== undefined) {
      this.#skipped = 1
      return
    }
    const node = this.#into.addNode(id ?? '', at)
    if (id === undefined) this.#fault(at, 'required', 'a node has no id', node)
    const text = label ?? name
    if (text !== undefined) this.#into.describeNode(node, [['label', text]])
    const parent = this.#elements.findLast(({ kind }) => kind === 'node')?.element as Node | undefined
    const attributes = this.#further(rest)
    if (label !== undefined && name !== undefined) attributes.set('name', name)
    this.#push({ kind: 'node', element: node, attributes })
    if (parent) {
      this.#into.repeat(parent.id.length, at)
      this.#into.describeNode(node, [['parent', parent.id]], nodeVocabulary)
    }
  }

  #openEdge({ id, label, source, target, directed, weight, ...rest }: Record<string, string>, at: number) {
    if (rest['xlink:href'] !== undefined) {
      this.#skipped = 1
      return
    }
    const edge = this.#into.addEdge(source ?? '', target ?? '', at)
    if (source === undefined || target === undefined) {
      this.#fault(at, 'required', `an edge has no ${source === undefined ? 'source' : 'target'}`, edge)
    }
    if (id !== undefined) edge.id = id
    if (label !== undefined) this.#into.describeEdge(edge, [['label', label]])
    const own = rest['cy:directed'] ?? directed
    if (own !== undefined && isTrue(own) !== this.#into.directed) edge.directed = isTrue(own)
    const attributes = this.#further(weight === undefined ? rest : { weight, ...rest })
    this.#push({ kind: 'edge', element: edge, attributes })
  }

  /** Returns the attributes of a tag that XGMML does not define, or defines only as text. */
  #further(attributes: Record<string, string>) {
    const found = new Map<string, unknown>()
    for (const [name, text] of furtherAttributes(attributes)) found.set(name, undeclaredValue(text, this.#into))
    return found
  }

  #push(element: Element) {
    this.#elements.push(element)
    this.#outer.push(this.#attributes)
    this.#attributes = []
  }

  #openAttribute(attributes: Record<string, string>, at: number) {
    const { name, value, type = 'string', 'cy:type': cyType } = attributes
    const isList = type.toLowerCase() === 'list' || cyType?.toLowerCase() === 'list'
    const open: Attribute = { name, value: undefined, isList, items: [] }
    if (value !== undefined && !isList) {
      const declared = { name: name ?? '', type: type.toLowerCase() }
      open.value = declaredValue(value, declared, this.#into, (code, detail) =>
        this.#fault(at, code, detail, this.#elements.at(-1)?.element)
      )
    }
    this.#attributes.push(open)
  }

  /** Reads the position from a drawing. Skips the rest of the drawing and any other element. */
  #openOther(name: string, attributes: Record<string, string>) {
    this.#skipped = 1
    const element = this.#elements.at(-1)
    if (name !== 'graphics') return this.#into.losses.add('aspects-dropped')
    const rest = Object.keys(attributes).filter((key) => !['x', 'y', 'z'].includes(key))
    if (rest.length > 0) this.#into.losses.add('visual-dropped')
    if (element?.kind !== 'node') return
    for (const axis of ['x', 'y', 'z'] as const) {
      const value = numberOf(attributes[axis]?.trim() ?? '')
      if (value !== undefined) (element.element as Node)[axis] = value
    }
  }

  #close(name: string) {
    if (this.#skipped > 0) this.#skipped--
    else if (name === 'att') this.#closeAttribute(this.#attributes.pop() as Attribute)
    else {
      this.#describe(this.#elements.pop() as Element)
      this.#attributes = this.#outer.pop() ?? []
    }
  }

  #closeAttribute({ name, value, isList, items }: Attribute) {
    const nested = isList ? items.map(([, item]) => item) : items.length > 0 ? recordOf(items) : value
    if (nested === undefined) return
    const outer = this.#attributes.at(-1)
    if (outer) outer.items.push([name, nested])
    else if (name !== undefined) this.#elements.at(-1)?.attributes.set(name, nested)
  }

  #describe({ kind, element, attributes }: Element) {
    if (kind === 'node')
      this.#into.describeNode(element as Node, this.#named(element as Node, attributes), nodeVocabulary)
    else if (kind === 'edge') this.#into.describeEdge(element as Edge, attributes, edgeVocabulary)
    else if (this.#elements.length === 0) {
      const version = attributes.get('documentVersion')
      if (version !== undefined) this.#into.version ??= String(version)
      attributes.delete('documentVersion')
      this.#into.describe(attributes, graphVocabulary)
    }
  }

  /** Sets a missing label from the attributes. Returns the attributes without the name if the name equals the label. */
  #named(node: Node, attributes: Map<string, unknown>) {
    const name = attributes.get('name') ?? attributes.get('shared name') ?? attributes.get('canonicalName')
    if (node.label === undefined && typeof name === 'string') this.#into.describeNode(node, [['label', name]])
    if (attributes.get('name') === node.label) attributes.delete('name')
    return attributes
  }
}

function isTrue(text: string) {
  return /^(?:1|true)$/i.test(text.trim())
}

function recordOf(items: [name: string | undefined, value: unknown][]) {
  const record: Record<string, unknown> = {}
  for (const [index, [name, value]] of items.entries()) put(record, name ?? String(index), value)
  return record
}
