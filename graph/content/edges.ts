import type { Edge, GraphContent, Node } from '../../schemas/graph-content.ts'

/** The edges of a graph, with nodes identified by number. */
export interface Links {
  nodeCount: number
  edgeCount: number
  /** The endpoints of each edge. */
  sources: Uint32Array
  targets: Uint32Array
  /** 1 if the edge is directed, otherwise 0. */
  isDirected: Uint8Array
  /**
   * The edges at each node, in content order: those of `node` begin at index `starts[node]` and end before `starts[node + 1]`.
   * A self-loop is listed once.
   */
  incident: Uint32Array
  starts: Uint32Array
}

/** Returns the links of the content, and a map from node ids to numbers. */
export function linksOf({ directed = true, nodes, edges }: GraphContent): {
  links: Links
  numbers: Map<string, number>
} {
  const [nodeCount, edgeCount] = [nodes.length, edges.length]
  const numbers = new Map<string, number>()
  for (let node = 0; node < nodeCount; node++) numbers.set((nodes[node] as Node).id, node)
  const [sources, targets] = [new Uint32Array(edgeCount), new Uint32Array(edgeCount)]
  const isDirected = new Uint8Array(edgeCount)
  // Counts the edges at each node first, then turns the counts into offsets.
  const starts = new Uint32Array(nodeCount + 1)
  for (let edge = 0; edge < edgeCount; edge++) {
    const { source, target, directed: own } = edges[edge] as Edge
    const [from, to] = [numbers.get(source) as number, numbers.get(target) as number]
    sources[edge] = from
    targets[edge] = to
    isDirected[edge] = (own ?? directed) ? 1 : 0
    ;(starts[from + 1] as number)++
    if (to !== from) (starts[to + 1] as number)++
  }
  for (let node = 0; node < nodeCount; node++) (starts[node + 1] as number) += starts[node] as number
  const incident = new Uint32Array(starts[nodeCount] as number)
  const next = starts.slice()
  for (let edge = 0; edge < edgeCount; edge++) {
    const [from, to] = [sources[edge] as number, targets[edge] as number]
    incident[(next[from] as number)++] = edge
    if (to !== from) incident[(next[to] as number)++] = edge
  }
  return { links: { nodeCount, edgeCount, sources, targets, isDirected, incident, starts }, numbers }
}

/** Returns the number at an index that is known to exist. */
export function at(numbers: Uint32Array | Uint8Array, index: number): number {
  return numbers[index] as number
}
