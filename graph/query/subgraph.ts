import type { GraphContent } from '../../schemas/graph-content.ts'
import type { Direction } from '../../schemas/graph-part.ts'
import { MAX_FAULTS } from '../../schemas/problem.ts'
import { ProblemError } from '../../schemas/problem-catalogue.ts'
import { type Links, linksOf } from '../content/edges.ts'
import { toJson } from '../content/json.ts'
import { type Adjacency, cutOut, headOf, nodeFinder } from './adjacency.ts'
import { neighbourhoodOf } from './neighbourhood.ts'

/** A request for the part of a graph within `depth` steps of these nodes, with at most `limit` nodes. */
export interface Question {
  nodes: readonly string[]
  depth: number
  direction: Direction
  limit: number
}

/**
 * The requested part: GraphContent as JSON in UTF-8, and how many nodes and edges within the distance were omitted because of
 * the limit.
 */
export interface Subgraph {
  json: Buffer
  left: { nodes: number; edges: number }
}

/** Returns the requested part of a graph, and the graph's links. Throws `node-not-found`. */
export function subgraphOf(content: GraphContent, question: Question): Subgraph & { links: Links } {
  const { links, numbers } = linksOf(content)
  const centres = centresOf(question, (id) => numbers.get(id))
  const { nodes, edges, left } = neighbourhoodOf(links, centres, question)
  const pick = (elements: readonly object[], indexes: number[]) => toJson(indexes.map((index) => elements[index]))
  const json = `${headOf(content)},"nodes":${pick(content.nodes, nodes)},"edges":${pick(content.edges, edges)}}`
  return { json: Buffer.from(json), left, links }
}

/** Returns the requested part of a graph from a cached adjacency. Throws `node-not-found`. */
export function subgraphOfKept(adjacency: Adjacency, question: Question): Subgraph {
  const centres = centresOf(question, nodeFinder(adjacency))
  const { nodes, edges, left } = neighbourhoodOf(adjacency.links, centres, question)
  return { json: cutOut(adjacency, nodes, edges), left }
}

/** Returns the numbers of the nodes to start from. Throws `node-not-found`. */
function centresOf({ nodes }: Question, numberOf: (id: string) => number | undefined): number[] {
  const numbers = nodes.map(numberOf)
  const missing = numbers.flatMap((number, index) => (number === undefined ? [index] : []))
  if (missing.length === 0) return numbers as number[]
  const code = 'node-not-found'
  const errors = missing.slice(0, MAX_FAULTS).map((index) => ({
    pointer: `#/nodes/${index}`,
    code,
    detail: 'is not the id of a node'
  }))
  throw new ProblemError(code, { errors, errorCount: missing.length })
}
