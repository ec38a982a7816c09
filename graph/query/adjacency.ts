import type { GraphContent } from '../../schemas/graph-content.ts'
import { at, type Links } from '../content/edges.ts'
import { toJson } from '../content/json.ts'

/**
 * A graph in the form that is cached for queries about its parts: the links, and the JSON of each element. Takes about as much
 * memory as the JSON of the graph. The memory is shared between threads.
 */
export interface Adjacency {
  links: Links
  /** The members of the content other than nodes and edges, as JSON. */
  head: string
  /** The JSON of all nodes, followed by that of all edges, in UTF-8 without separators. */
  texts: Uint8Array
  /** The offset of each element's JSON, followed by the end of the last one. */
  places: Uint32Array
  /** The node numbers, sorted by node id. */
  byId: Uint32Array
}

/** Builds the adjacency of a graph from its content and links. */
export function adjacencyOf(content: GraphContent, links: Links): Adjacency {
  const { nodes, edges } = content
  const places = sharedUint32(nodes.length + edges.length + 1)
  const pieces: Buffer[] = []
  let size = 0
  for (const [index, element] of [...nodes, ...edges].entries()) {
    const piece = Buffer.from(toJson(element))
    pieces.push(piece)
    places[index] = size
    size += piece.length
  }
  places[nodes.length + edges.length] = size
  const texts = new Uint8Array(new SharedArrayBuffer(size))
  for (const [index, piece] of pieces.entries()) texts.set(piece, at(places, index))
  const byId = sharedUint32(nodes.length)
  byId.set(nodes.map((_, node) => node).sort((a, b) => compare(idAt(nodes, a), idAt(nodes, b))))
  return { links: shared(links), head: headOf(content), texts, places, byId }
}

/** Returns an array in memory shared between threads. */
function sharedUint32(length: number) {
  return new Uint32Array(new SharedArrayBuffer(4 * length))
}

/** Copies the links to memory shared between threads. */
function shared(links: Links): Links {
  const copied = (array: Uint32Array) => {
    const copy = sharedUint32(array.length)
    copy.set(array)
    return copy
  }
  const isDirected = new Uint8Array(new SharedArrayBuffer(links.edgeCount))
  isDirected.set(links.isDirected)
  const { sources, targets, incident, starts } = links
  return {
    ...links,
    isDirected,
    sources: copied(sources),
    targets: copied(targets),
    incident: copied(incident),
    starts: copied(starts)
  }
}

function idAt(nodes: GraphContent['nodes'], index: number) {
  return (nodes[index] as { id: string }).id
}

function compare(a: string, b: string) {
  return a < b ? -1 : a > b ? 1 : 0
}

/** Returns the members of the content other than nodes and edges as JSON, without the closing brace. */
export function headOf({ directed = true, label, metadata }: GraphContent) {
  return toJson({ directed, label, metadata }).slice(0, -1)
}

/** Returns the size of the adjacency in memory, in bytes. */
export function sizeOfAdjacency({ links, head, texts, places, byId }: Adjacency) {
  const { sources, targets, isDirected, incident, starts } = links
  const arrays = [texts, places, byId, sources, targets, isDirected, incident, starts]
  return arrays.reduce((total, { byteLength }) => total + byteLength, 2 * head.length)
}

/** Returns the JSON of a node or edge. The indexes of edges follow those of nodes. */
function textOf({ texts, places }: Adjacency, index: number) {
  return texts.subarray(at(places, index), at(places, index + 1))
}

/** Returns a function that looks up a node's number by id. The function parses the JSON of each node at most once. */
export function nodeFinder(adjacency: Adjacency): (id: string) => number | undefined {
  const { byId, links } = adjacency
  const ids = new Map<number, string>()
  const idOf = (node: number) => {
    let id = ids.get(node)
    if (id === undefined) {
      id = (JSON.parse(Buffer.from(textOf(adjacency, node)).toString()) as { id: string }).id
      ids.set(node, id)
    }
    return id
  }
  return (id) => {
    let [low, high] = [0, links.nodeCount - 1]
    while (low <= high) {
      const middle = (low + high) >>> 1
      const node = at(byId, middle)
      const order = compare(idOf(node), id)
      if (order === 0) return node
      if (order < 0) low = middle + 1
      else high = middle - 1
    }
    return undefined
  }
}

/** Returns the part of the graph that consists of the given nodes and edges, as JSON. */
export function cutOut(adjacency: Adjacency, nodes: readonly number[], edges: readonly number[]): Buffer {
  const { links, head } = adjacency
  const comma = Buffer.from(',')
  const joined = (indexes: readonly number[]) =>
    indexes.flatMap((index, place) => (place === 0 ? [textOf(adjacency, index)] : [comma, textOf(adjacency, index)]))
  return Buffer.concat([
    Buffer.from(`${head},"nodes":[`),
    ...joined(nodes),
    Buffer.from('],"edges":['),
    ...joined(edges.map((edge) => links.nodeCount + edge)),
    Buffer.from(']}')
  ])
}
