import type { Edge, GraphContent, Node } from '../../../schemas/graph-content.ts'
import type { ImportTable } from '../../../schemas/graph-file.ts'
import type { Fault } from '../../../schemas/problem.ts'
import type { ContentLimits, FoundFault, Indexes } from '../../content/content.ts'
import { setDirection } from '../../content/direction.ts'
import { type Attributes, plainName, put, type Vocabulary } from './attributes.ts'
import { Causes, type Place } from './causes.ts'
import { FileTexts } from './file-texts.ts'
import { causeOf, locateFaults } from './located-faults.ts'
import { Losses } from './losses.ts'

/** The maximum lengths of labels and relations, in characters. */
const LABEL_LENGTH = 1024
const RELATION_LENGTH = 255

/** The table columns that the caller chooses, by name or by number, counted from 1. */
export interface ColumnChoice {
  source?: string | undefined
  target?: string | undefined
  id?: string | undefined
}

/** Thrown when the rest of a file cannot be read. */
export class Unreadable extends Error {
  override name = 'Unreadable'
  readonly place: Place
  readonly code: string

  constructor(place: Place, code: string, detail: string) {
    super(detail)
    this.place = place
    this.code = code
  }
}

/** Thrown when a file turns out to contain more nodes and edges than the caller's `patience` allows. */
export class TakesLong extends Error {
  override name = 'TakesLong'
}

/** The cost of creating a node or edge, expressed in attribute characters. */
const CHARACTERS_AN_ELEMENT = 32

/** The cost of visiting an existing element, in characters. */
const CHARACTERS_A_VISIT = 8

/** Limits how many characters a graph may repeat: this many per byte of the file, plus a constant for short files. */
const REPEATED_A_BYTE = 64
const REPEATED_ANYWAY = 256 * 1024

/** The minimum JSON length of a node and an edge without their ids, and of an attribute without its name and value. */
const NODE_BRACKETS = '{"id":""},'.length
const EDGE_BRACKETS = '{"source":"","target":""},'.length
const ATTRIBUTE_BRACKETS = '"":,'.length

/** Returns the error for a file with a second graph. */
export function severalGraphs(place: Place) {
  const detail = 'is another graph: save each graph in its own file'
  return new Unreadable(place, 'several-graphs', detail)
}

/** Builds a graph while its file is being read. Keeps nodes and edges with their positions, and collects faults and losses. */
export class GraphBuilder {
  /** The name of the graph, if the file has one. */
  name: string | undefined
  /** The type of the graph, if the file has one. */
  type: string | undefined
  /** The version of the format, if the file specifies it. */
  version: string | undefined
  /** Whether y increases downwards in this file. In some formats, this depends on the program that wrote the file. */
  growsDown = false
  /** The size of the file in bytes. It limits how much content the graph may repeat. */
  fileSize = Number.POSITIVE_INFINITY
  /** How the table was interpreted, if the file is a table. */
  table: ImportTable | undefined
  /** Whether all edges are directed, if the caller specifies this. */
  direction: boolean | undefined
  /** For tables: the columns with the edge endpoints and the node ids, if the caller chooses them. */
  columns: ColumnChoice = {}
  readonly content: GraphContent & { directed: boolean } = { directed: true, nodes: [], edges: [] }
  readonly losses = new Losses()
  readonly #causes = new Causes()
  /** The nodes and edges that have a fault in the file. */
  readonly #faulty = new Set<Element>()
  /** The number of nodes and edges that the reader skipped because of a fault. */
  skipped = 0
  /** Whether the file as a whole has a fault, in which case omitting nodes and edges does not help. */
  isFaulty = false
  /** The encoding of the file, if the sender specified it. */
  readonly charset: string | undefined
  readonly #texts = new FileTexts()
  /** The `at` of each node and edge, in content order. */
  readonly #places: { nodes: number[]; edges: number[] } = { nodes: [], edges: [] }
  readonly limits: Readonly<ContentLimits>
  /** Converts `at` to a position. In JSON, `at` is the index of an element and is converted to a pointer. */
  placeOf: (kind: 'nodes' | 'edges', at: number) => Place = (_kind, at) => at
  /** The number of characters that appear once in the file and are repeated in the graph, such as defaults. */
  #repeated = 0
  /** The minimum size of the content as JSON, in characters. */
  #size = 0
  /** The work done so far, in characters. */
  #effort = 0
  readonly #patience: number

  /** If `patience` is set, methods throw TakesLong after that many nodes and edges, or an equivalent amount of other work. */
  constructor(limits: ContentLimits, charset?: string, patience = Number.POSITIVE_INFINITY) {
    this.limits = limits
    this.charset = charset
    this.#patience = patience * CHARACTERS_AN_ELEMENT
  }

  /** The text of the file. Offsets refer to it. */
  get text() {
    return this.#texts.text
  }

  set text(text: string) {
    this.#texts.text = text
  }

  /**
   * Opens one of the graph's files, creating it if necessary. Until the next call, offsets, nodes and edges belong to this
   * file.
   */
  openFile(name: string) {
    this.#texts.open(name)
  }

  get directed() {
    return this.content.directed
  }

  set directed(directed: boolean) {
    this.content.directed = directed
  }

  /** Adds a node. The vocabulary maps attributes to the label, position and metadata. */
  addNode(id: string, at: number, attributes: Attributes = [], vocabulary: Vocabulary = {}): Node {
    const { nodes } = this.content
    if (nodes.length >= this.limits.maxNodes) {
      throw new Unreadable(this.placeOf('nodes', at), 'too-many-nodes', `has more than ${this.limits.maxNodes} nodes`)
    }
    this.#spend(CHARACTERS_AN_ELEMENT)
    this.#grow(NODE_BRACKETS + lengthOf(id))
    const node = newNode(id)
    nodes.push(node)
    this.#places.nodes.push(at + this.#texts.start)
    return this.describeNode(node, attributes, vocabulary)
  }

  /** Sets the label, position and metadata of a node. */
  describeNode(node: Node, attributes: Attributes, vocabulary: Vocabulary = {}): Node {
    const { label = 'label', position = true, nameOf = plainName } = vocabulary
    for (const [name, value] of attributes) {
      if (name === label) this.#setLabel(node, value)
      else if (position && (name === 'x' || name === 'y' || name === 'z') && Number.isFinite(value)) {
        node[name] = value as number
      } else this.#setMetadata(node, nameOf(name), value)
    }
    return node
  }

  /** Adds an edge. The vocabulary maps attributes to `id`, `directed`, `relation`, `label` and metadata. */
  addEdge(source: string, target: string, at: number, attributes: Attributes = [], vocabulary: Vocabulary = {}): Edge {
    const { edges } = this.content
    if (edges.length >= this.limits.maxEdges) throw this.#tooManyEdges(at)
    this.#spend(CHARACTERS_AN_ELEMENT)
    this.#grow(EDGE_BRACKETS + lengthOf(source) + lengthOf(target))
    const edge = newEdge(source, target)
    edges.push(edge)
    this.#places.edges.push(at + this.#texts.start)
    return this.describeEdge(edge, attributes, vocabulary)
  }

  /** Throws if this many additional edges would exceed the limit. Call it before adding many edges at once. */
  expectEdges(count: number, at: number) {
    if (this.content.edges.length + count > this.limits.maxEdges) throw this.#tooManyEdges(at)
    this.#expect(count * CHARACTERS_AN_ELEMENT)
  }

  /** Counts work that may add nothing to the graph. Call it before doing the work. */
  work(count: number) {
    this.#expect(count * CHARACTERS_A_VISIT)
    this.#effort += count * CHARACTERS_A_VISIT
  }

  #tooManyEdges(at: number) {
    return new Unreadable(this.placeOf('edges', at), 'too-many-edges', `has more than ${this.limits.maxEdges} edges`)
  }

  /** Sets the label, relation and metadata of an edge. */
  describeEdge(edge: Edge, attributes: Attributes, vocabulary: Vocabulary = {}): Edge {
    const { label = 'label', relation = 'relation', nameOf = plainName } = vocabulary
    for (const [name, value] of attributes) {
      if (name === label) this.#setLabel(edge, value)
      else if (name === relation && typeof value === 'string' && fits(value, RELATION_LENGTH)) {
        edge.relation = value
        this.#grow(value.length)
      } else if (vocabulary.id && name === 'id' && typeof value === 'string') edge.id = value
      else if (vocabulary.directed && name === 'directed' && typeof value === 'boolean') edge.directed = value
      else this.#setMetadata(edge, nameOf(name), value)
    }
    return edge
  }

  /** Sets the label and metadata of the graph. */
  describe(attributes: Attributes, vocabulary: Vocabulary = {}) {
    const { label = 'label', nameOf = plainName } = vocabulary
    for (const [name, value] of attributes) {
      if (name === label) this.#setLabel(this.content, value)
      else this.#setMetadata(this.content, nameOf(name), value)
    }
  }

  /**
   * Adds the reverse of an edge, without its id. A mutual edge is stored as two edges, unless it is a loop or becomes undirected.
   */
  addReverse(edge: Edge, at: number) {
    const { id: _, source, target, ...rest } = edge
    if (source === target || this.direction === false) return
    const reverse = Object.assign(this.addEdge(target, source, at), structuredClone(rest))
    if (this.#faulty.has(edge)) this.#faulty.add(reverse)
    this.losses.add('edge-per-direction')
  }

  /**
   * Completes the graph; call it after the last edge. Sets the direction that the caller chooses. If several edges share an id,
   * the ids of all edges are moved to the metadata: networkx uses such ids to count parallel edges.
   */
  finish() {
    if (this.direction !== undefined) {
      this.losses.remove('direction-assumed')
      this.losses.add('direction-changed', setDirection(this.content, this.direction))
    }
    const { edges } = this.content
    const ids = edges.flatMap(({ id }) => (id === undefined ? [] : [id]))
    if (new Set(ids).size === ids.length) return
    for (const edge of edges) {
      if (edge.id === undefined) continue
      const name = edge.metadata && Object.hasOwn(edge.metadata, 'id') ? 'edgeId' : 'id'
      setMetadata(edge, name, edge.id)
      delete edge.id
      this.losses.add('edge-id-moved')
    }
  }

  get faultCount() {
    return this.#causes.count
  }

  /** Adds a fault in nodes or edges. If none are given, the reader has skipped an element. */
  fault(place: Place, code: string, detail: string, ...elements: Element[]) {
    for (const element of elements) this.#faulty.add(element)
    if (elements.length === 0) this.skipped++
    this.#addCause(place, code, detail)
  }

  /** Adds a fault for the file as a whole. */
  refuse(place: Place, code: string, detail: string) {
    this.isFaulty = true
    this.#addCause(place, code, detail)
  }

  #addCause(place: Place, code: string, detail: string) {
    const found = typeof place === 'number' ? place + this.#texts.start : place
    this.#causes.add(found, code, detail, this.#texts.name)
  }

  /** The indexes of the nodes and edges that have a fault in the file. */
  get faulty(): Indexes {
    const indexes = (elements: Element[]) =>
      new Set(elements.flatMap((element, index) => (this.#faulty.has(element) ? [index] : [])))
    return { nodes: indexes(this.content.nodes), edges: indexes(this.content.edges) }
  }

  /** Removes nodes and edges. No faults can be located after that. */
  leaveOut({ nodes, edges }: Indexes) {
    this.content.nodes = this.content.nodes.filter((_, index) => !nodes.has(index))
    this.content.edges = this.content.edges.filter((_, index) => !edges.has(index))
  }

  /** Counts characters that the graph repeats. Throws Unreadable before they exhaust memory. */
  repeat(characters: number, place: Place) {
    this.#repeated += characters
    this.#spend(characters)
    const most = Math.min(this.limits.bodyLimit, this.fileSize * REPEATED_A_BYTE + REPEATED_ANYWAY)
    if (this.#repeated > most) {
      throw new Unreadable(
        place,
        'too-large',
        'makes the graph too large, because too many elements repeat values such as defaults'
      )
    }
  }

  /** Adds to the size of the content as JSON. Throws Unreadable before it exhausts memory. */
  #grow(characters: number) {
    this.#size += characters
    if (this.#size <= this.limits.bodyLimit) return
    const detail = `makes the graph larger than ${this.limits.bodyLimit} bytes as GraphContent`
    throw new Unreadable(undefined, 'too-large', detail)
  }

  /** Adds to the work done. Throws TakesLong if it is too much. */
  #spend(characters: number) {
    this.#effort += characters
    if (this.#effort > this.#patience) throw new TakesLong()
  }

  #expect(characters: number) {
    if (this.#effort + characters > this.#patience) throw new TakesLong()
  }

  #setMetadata(element: Element, name: string, value: unknown) {
    const characters = ATTRIBUTE_BRACKETS + name.length + lengthOf(value)
    this.#effort += characters
    this.#size += characters
    // Inlined, since this runs for every attribute.
    if (this.#effort > this.#patience) throw new TakesLong()
    if (this.#size > this.limits.bodyLimit) this.#grow(0)
    setMetadata(element, name, value)
  }

  /**
   * Returns the faults of the file, grouped by cause, followed by the faults of its content. Each fault has a line and column.
   */
  locatedFaults(ofContent: FoundFault[]): Fault[] {
    const elementAt = (kind: 'nodes' | 'edges', index: number) => ({
      place: this.placeOf(kind, this.#places[kind][index] ?? 0),
      name: kind === 'nodes' ? this.#nodeName(index) : this.#edgeName(index)
    })
    const inContent = ofContent.map((fault) => causeOf(fault, elementAt))
    return locateFaults([...this.#causes.list, ...inContent], this.#texts)
  }

  #nodeName(index: number) {
    const id = this.content.nodes[index]?.id
    return id === undefined ? `node ${index + 1}` : `node ${quote(id)}`
  }

  #edgeName(index: number) {
    const { source, target } = this.content.edges[index] ?? {}
    const [from, to] = [source, target].map((id) => (id === undefined ? 'nothing' : quote(id)))
    return `edge ${index + 1}, ${from} to ${to}`
  }

  #setLabel(element: Element, value: unknown) {
    if (typeof value === 'string') {
      if (fits(value, LABEL_LENGTH)) {
        element.label = value
        this.#grow(value.length)
      } else {
        this.#setMetadata(element, 'label', value)
        this.losses.add('label-moved')
      }
    } else if (typeof value === 'number' || typeof value === 'boolean') {
      element.label = String(value)
      this.losses.add('type-changed')
    } else this.#setMetadata(element, 'label', value)
  }
}

function setMetadata(element: Element, name: string, value: unknown) {
  element.metadata ??= {}
  put(element.metadata, name, value)
}

/** Creates a node whose members are in a fixed order, so that equal graphs have equal hashes. */
function newNode(id: string) {
  return { id, label: undefined, x: undefined, y: undefined, z: undefined, metadata: undefined } as unknown as Node
}

function newEdge(source: string, target: string) {
  const rest = { directed: undefined, relation: undefined, label: undefined, metadata: undefined }
  return { id: undefined, source, target, ...rest } as unknown as Edge
}

interface Element {
  label?: string
  metadata?: Record<string, unknown>
}

/** Returns the minimum length of the value as JSON. Returns 1 for nested values, which the graph does not repeat. */
function lengthOf(value: unknown) {
  return typeof value === 'string' ? value.length : 1
}

function fits(text: string, characters: number) {
  return text.length <= characters || (text.length <= 2 * characters && [...text].length <= characters)
}

/** Returns an id or name from the file in quotation marks, truncated to 40 UTF-16 units, for use in a fault. */
export function quote(id: unknown) {
  const text = String(id)
  return JSON.stringify(text.length > 40 ? `${text.slice(0, 39)}…` : text)
}
