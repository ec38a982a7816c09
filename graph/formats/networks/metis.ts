import type { Format } from '../shared/format.ts'
import { type GraphBuilder, Unreadable } from '../shared/graph-builder.ts'
import { linesOf } from '../shared/lines.ts'
import { decodeText, numberOf } from '../shared/text.ts'

/**
 * The graph files of METIS: a header `nodes edges format weights`, then the neighbours of each node, so every edge is listed
 * twice. https://karypis.github.io/glaros/files/sw/metis/manual.pdf (section 4.1.1)
 */
export const metis: Format = {
  name: 'metis',
  title: 'METIS',
  mediaType: 'text/x-metis',
  endings: ['.metis', '.graph'],
  recognises,
  read: (bytes, into) => read(decodeText(bytes, into, { isOld: true }), into)
}

interface Header {
  nodes: number
  edges: number
  /** How many numbers precede the neighbours of a node: its size and its weights. */
  before: number
  hasSize: boolean
  isWeighted: boolean
}

/** Parses the header: the last digits of `format` specify whether there are sizes, node weights and edge weights. */
function headerOf(line: string): Header | undefined {
  const [, nodes, edges, format = '0', weights = '1'] =
    /^\s*(\d{1,9})\s+(\d{1,9})(?:\s+([01]{1,3})(?:\s+(\d{1,3}))?)?\s*$/.exec(line) ?? []
  if (nodes === undefined || edges === undefined) return undefined
  const [size, node, edge] = [...format.padStart(3, '0')].map((digit) => digit === '1')
  const before = (size ? 1 : 0) + (node ? Number(weights) : 0)
  return { nodes: Number(nodes), edges: Number(edges), before, hasSize: size === true, isWeighted: edge === true }
}

/** Yields the lines that are not comments. An empty line is a node without edges. */
function* rowsOf(text: string): Generator<[words: string[], at: number]> {
  for (const [line, at] of linesOf(text)) {
    if (!line.startsWith('%')) yield [line.trim() === '' ? [] : line.trim().split(/\s+/), at]
  }
}

/** Returns whether every line lists neighbours as the header specifies, and each edge is listed twice. */
function recognises(text: string) {
  const [first] = rowsOf(text.slice(0, 10_000))
  const header = headerOf(first?.[0].join(' ') ?? '')
  if (!header || header.nodes < 2 || header.edges < 1) return false
  let [rows, ends, edges] = [0, 0, 0]
  for (const [words] of rowsOf(text)) {
    if (rows++ === 0) continue
    if (rows - 1 > header.nodes && words.length > 0) return false
    const neighbours = words.slice(header.before)
    if (words.some((word) => !/^\d+$/.test(word))) return false
    for (let index = 0; index < neighbours.length; index += header.isWeighted ? 2 : 1) {
      const neighbour = Number(neighbours[index])
      if (neighbour < 1 || neighbour > header.nodes || neighbour === rows - 1) return false
      ends++
      if (neighbour > rows - 1) edges++
    }
  }
  return ends === 2 * header.edges && edges === header.edges && rows > header.nodes
}

function read(text: string, into: GraphBuilder) {
  let header: Header | undefined
  let node = 0
  let ends = 0
  /**
   * Edges that have been listed at only one of their nodes so far: how often at the first node, minus how often at the second.
   */
  const unmatched = new Map<number, number>()
  into.directed = false
  for (const [words, at] of rowsOf(text)) {
    if (!header) {
      header = headerOf(words.join(' '))
      if (!header) throw new Unreadable(at, 'malformed', 'is not a METIS header, such as "3 2"')
      if (header.nodes > into.limits.maxNodes) {
        throw new Unreadable(at, 'too-many-nodes', `has more than ${into.limits.maxNodes} nodes`)
      }
      for (let index = 1; index <= header.nodes; index++) into.addNode(String(index), at)
    } else if (node < header.nodes) ends += readNode(words, ++node, header, at, unmatched, into)
    else if (words.length > 0) {
      throw new Unreadable(at, 'malformed', `follows the lines of the ${header.nodes} nodes declared in the header`)
    }
  }
  if (!header) throw new Unreadable(undefined, 'required', 'has no header')
  if (ends !== 2 * header.edges) {
    const detail = `lists ${ends} neighbours, but the header declares ${header.edges} edges, each listed twice`
    into.refuse(0, ends < 2 * header.edges ? 'incomplete' : 'malformed', detail)
  } else if (into.faultCount === 0 && (unmatched.size > 0 || into.content.edges.length !== header.edges)) {
    into.refuse(0, 'malformed', 'must list each edge twice: once for each of its nodes')
  }
}

/** Reads the line of a node. Adds the edges to later nodes, and returns the number of neighbours. */
function readNode(
  words: string[],
  node: number,
  { before, hasSize, isWeighted, nodes }: Header,
  at: number,
  unmatched: Map<number, number>,
  into: GraphBuilder
) {
  const numbers = words.map(numberOf)
  const step = isWeighted ? 2 : 1
  const count = (numbers.length - before) / step
  if (numbers.includes(undefined) || !Number.isInteger(count) || count < 0) {
    into.fault(at, 'malformed', 'is not a list of neighbours in the format that the header specifies')
    return 0
  }
  const weights = numbers.slice(hasSize ? 1 : 0, before)
  const element = into.content.nodes[node - 1]
  if (element && hasSize) into.describeNode(element, [['size', numbers[0]]])
  if (element && weights.length > 0) into.describeNode(element, [['weight', weights.length > 1 ? weights : weights[0]]])
  for (let index = before; index < numbers.length; index += step) {
    const neighbour = numbers[index] as number
    if (!Number.isInteger(neighbour) || neighbour < 1 || neighbour > nodes) {
      into.fault(at, 'unknown-node', `node ${neighbour} is not between 1 and ${nodes}`)
      continue
    }
    if (neighbour !== node) {
      const edge = Math.min(node, neighbour) * (nodes + 1) + Math.max(node, neighbour)
      const count = (unmatched.get(edge) ?? 0) + (neighbour > node ? 1 : -1)
      if (count === 0) unmatched.delete(edge)
      else unmatched.set(edge, count)
    }
    if (neighbour >= node) {
      into.addEdge(String(node), String(neighbour), at, isWeighted ? [['weight', numbers[index + 1]]] : [])
    }
  }
  return count
}
