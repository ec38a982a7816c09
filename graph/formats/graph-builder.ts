import type { Edge, GraphContent, Node } from '../../schemas/graph-content.ts'
import { type Fault, MAX_FAULTS } from '../../schemas/problem.ts'
import type { ContentLimits } from '../content.ts'
import { locate } from '../json-text.ts'
import { LineIndex } from '../lines.ts'
import { shortened } from '../pointers.ts'
import { type Attributes, plainName, put, type Vocabulary } from './attributes.ts'
import { Losses } from './losses.ts'

/** A place in a file: an offset in its text, a pointer into its JSON, or what a parser told; undefined for none. */
export type Place = number | string | { line: number; column: number } | undefined

/** The label of a node, edge or graph has at most so many characters, and the relation of an edge. */
const LABEL_LENGTH = 1024
const RELATION_LENGTH = 255

/** What is said of a fault may repeat what stands in the file, and has so many UTF-16 units at most. */
const LONGEST_DETAIL = 500

/** Thrown where a file makes no more sense. */
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

/** Thrown where a small file turns out to be a large graph, and who reads it has no time for that. */
export class TakesLong extends Error {
  override name = 'TakesLong'
}

/** A node or edge costs as much as so many characters of attributes. */
const CHARACTERS_AN_ELEMENT = 32

/** And looking at something that is known already, as so many. */
const CHARACTERS_A_THING = 8

/** What a node and an edge take as JSON without their ids, and an attribute without its name and value, at least. */
const NODE_BRACKETS = '{"id":""},'.length
const EDGE_BRACKETS = '{"source":"","target":""},'.length
const ATTRIBUTE_BRACKETS = '"":,'.length

/** What is thrown at the second graph of a file. */
export function severalGraphs(place: Place) {
  const detail = 'is another graph, and a file is taken in as one: put each into a file of its own'
  return new Unreadable(place, 'several-graphs', detail)
}

/** A graph while a file is read: its nodes and edges, and where each stood; what is wrong, and what was changed. */
export class GraphBuilder {
  /** What the graph is called, where the file says so. */
  name: string | undefined
  /** What kind of graph it is. */
  type: string | undefined
  /** Of the format, where the file tells. */
  version: string | undefined
  readonly content: GraphContent & { directed: boolean } = { directed: true, nodes: [], edges: [] }
  readonly losses = new Losses()
  readonly faults: { place: Place; code: string; detail: string }[] = []
  faultCount = 0
  /** The encoding of the file, where its sender names one. */
  readonly charset: string | undefined
  /** What the offsets are in. */
  text = ''
  /** Where node and edges stand, by their index: what `at` was when they were added. */
  readonly #places: { nodes: number[]; edges: number[] } = { nodes: [], edges: [] }
  readonly limits: Readonly<ContentLimits>
  /** In JSON the `at` of an element is its index, and this makes a pointer of it. */
  placeOf: (kind: 'nodes' | 'edges', at: number) => Place = (_kind, at) => at
  /** How many characters of what the file says but once, such as defaults, are in the graph. */
  #repeated = 0
  /** What the content takes as JSON, at least, in characters. */
  #size = 0
  /** What there was to do, in characters. */
  #effort = 0
  readonly #patience: number

  /** With patience for so many nodes and edges, or as much of other work, TakesLong is thrown at the next. */
  constructor(limits: ContentLimits, charset?: string, patience = Number.POSITIVE_INFINITY) {
    this.limits = limits
    this.charset = charset
    this.#patience = patience * CHARACTERS_AN_ELEMENT
  }

  get directed() {
    return this.content.directed
  }

  set directed(directed: boolean) {
    this.content.directed = directed
  }

  /** Adds the node; its label, position and metadata come from attributes, by the vocabulary of the format. */
  addNode(id: string, at: number, attributes: Attributes = [], vocabulary: Vocabulary = {}): Node {
    const { nodes } = this.content
    if (nodes.length >= this.limits.maxNodes) {
      throw new Unreadable(this.placeOf('nodes', at), 'too-many-nodes', `has more than ${this.limits.maxNodes} nodes`)
    }
    this.#spend(CHARACTERS_AN_ELEMENT)
    this.#grow(NODE_BRACKETS + lengthOf(id))
    const node = newNode(id)
    nodes.push(node)
    this.#places.nodes.push(at)
    return this.describeNode(node, attributes, vocabulary)
  }

  /** Gives a node its label, position and metadata. */
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

  /** Adds the edge; `id`, `directed`, `relation` and `label` come from attributes of these names. */
  addEdge(source: string, target: string, at: number, attributes: Attributes = [], vocabulary: Vocabulary = {}): Edge {
    const { edges } = this.content
    if (edges.length >= this.limits.maxEdges) throw this.#tooManyEdges(at)
    this.#spend(CHARACTERS_AN_ELEMENT)
    this.#grow(EDGE_BRACKETS + lengthOf(source) + lengthOf(target))
    const edge = newEdge(source, target)
    edges.push(edge)
    this.#places.edges.push(at)
    return this.describeEdge(edge, attributes, vocabulary)
  }

  /** To be called before many edges are made at once. Throws where they are too many. */
  expectEdges(count: number, at: number) {
    if (this.content.edges.length + count > this.limits.maxEdges) throw this.#tooManyEdges(at)
    this.#expect(count * CHARACTERS_AN_ELEMENT)
  }

  /** To be called before so many things are done that may leave no trace in the graph. */
  work(count: number) {
    this.#expect(count * CHARACTERS_A_THING)
    this.#effort += count * CHARACTERS_A_THING
  }

  #tooManyEdges(at: number) {
    return new Unreadable(this.placeOf('edges', at), 'too-many-edges', `has more than ${this.limits.maxEdges} edges`)
  }

  /** Gives an edge its label, relation and metadata. */
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

  /** The label and metadata of the graph as a whole. */
  describe(attributes: Attributes, vocabulary: Vocabulary = {}) {
    const { label = 'label', nameOf = plainName } = vocabulary
    for (const [name, value] of attributes) {
      if (name === label) this.#setLabel(this.content, value)
      else this.#setMetadata(this.content, nameOf(name), value)
    }
  }

  /** Adds the same edge in the other direction, without its id: what points both ways is two edges. */
  addReverse({ id: _, source, target, ...rest }: Edge, at: number) {
    Object.assign(this.addEdge(target, source, at), structuredClone(rest))
    this.losses.add('edge-per-direction')
  }

  /**
   * To be called when all edges are there. Ids that several have are none, as with networkx, which counts parallel
   * edges by them: they become metadata, with all edges.
   */
  finish() {
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

  fault(place: Place, code: string, detail: string) {
    this.faultCount++
    if (this.faults.length < MAX_FAULTS) this.faults.push({ place, code, detail: shortened(detail, LONGEST_DETAIL) })
  }

  /** Counts what is said once and kept many times. Throws Unreadable before it fills the memory. */
  repeat(characters: number, place: Place) {
    this.#repeated += characters
    this.#spend(characters)
    if (this.#repeated > this.limits.bodyLimit) {
      throw new Unreadable(place, 'too-large', 'makes the graph too large: defaults are kept with each node and edge')
    }
  }

  /** Counts what the content takes as JSON. Throws Unreadable before it fills the memory. */
  #grow(characters: number) {
    this.#size += characters
    if (this.#size <= this.limits.bodyLimit) return
    const detail = `makes a graph of more than ${this.limits.bodyLimit} bytes as GraphContent`
    throw new Unreadable(undefined, 'too-large', detail)
  }

  /** Counts what there is to do. Throws TakesLong. */
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
    // Asked here, since there are many attributes.
    if (this.#effort > this.#patience) throw new TakesLong()
    if (this.#size > this.limits.bodyLimit) this.#grow(0)
    setMetadata(element, name, value)
  }

  /** The faults with their lines and columns; those of the content, which have pointers, after those of the file. */
  locatedFaults(ofContent: Fault[]): Fault[] {
    const all = [
      ...this.faults.map(({ place, ...fault }) => ({ place, fault })),
      ...ofContent.map((fault) => this.#placed(fault))
    ].slice(0, MAX_FAULTS)
    const pointers = [...new Set(all.flatMap(({ place }) => (typeof place === 'string' ? [place] : [])))]
    const places = pointers.length > 0 ? locate(this.text, pointers) : []
    const inJson = new Map(pointers.map((pointer, index) => [pointer, places[index]]))
    const lines = all.length > 0 ? new LineIndex(this.text) : undefined
    return all.map(({ place, fault }) => ({
      ...(typeof place === 'string' ? inJson.get(place) : typeof place === 'number' ? lines?.position(place) : place),
      ...fault
    }))
  }

  /** What the content check says of `#/nodes/3/id`, as said of the node in the file. */
  #placed({ pointer = '#', code, detail }: Fault) {
    const [, kind, index, member = ''] = /^#\/(nodes|edges)\/(\d+)\/?(.*)$/.exec(pointer) ?? []
    if (kind !== 'nodes' && kind !== 'edges') {
      const subject = pointer.slice(2)
      return { place: undefined, fault: { code, detail: subject ? `${subject} ${detail}` : detail } }
    }
    const element = kind === 'nodes' ? this.#nodeName(Number(index)) : this.#edgeName(Number(index))
    const place = this.placeOf(kind, this.#places[kind][Number(index)] ?? 0)
    return {
      // In JSON the member may stand there by its own name; and if it does not, the element has a place.
      place: typeof place === 'string' && member ? `${place}/${member}` : place,
      fault: { element, code, detail: member ? `${decodeURIComponent(member)} ${detail}` : detail }
    }
  }

  #nodeName(index: number) {
    return `node ${quote(this.content.nodes[index]?.id)}`
  }

  #edgeName(index: number) {
    const { source, target } = this.content.edges[index] ?? {}
    return `edge ${index + 1}, ${quote(source)} to ${quote(target)}`
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

/** With its members in one order, whatever a format tells first: the same graph has the same hash. */
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

/** How many characters it takes as JSON, at least. What is nested stands in the file as often as here. */
function lengthOf(value: unknown) {
  return typeof value === 'string' ? value.length : 1
}

/** Whether the text has at most so many characters. */
function fits(text: string, characters: number) {
  return text.length <= characters || (text.length <= 2 * characters && [...text].length <= characters)
}

function quote(id: unknown) {
  const text = String(id)
  return JSON.stringify(text.length > 40 ? `${text.slice(0, 39)}…` : text)
}
