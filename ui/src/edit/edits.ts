import type { Edge, GraphContent, Node } from '../api.ts'
import { LENGTHS } from './lengths.ts'

// Each edit returns a new state that shares all unchanged elements with the previous state.

/** Replaces the node at this index, or appends a node. Its id must be unchanged or new. */
export function withNode(content: GraphContent, node: Node, index = content.nodes.length): GraphContent {
  return { ...content, nodes: put(content.nodes, node, index) }
}

/** Replaces the edge at this index, or appends an edge. */
export function withEdge(content: GraphContent, edge: Edge, index = content.edges.length): GraphContent {
  return { ...content, edges: put(content.edges, edge, index) }
}

export function withEdges(content: GraphContent, added: Edge[]): GraphContent {
  return { ...content, edges: [...content.edges, ...added] }
}

/** Appends an edge with the relation and direction of another edge, if given. */
export function withEdgeLike(
  content: GraphContent,
  { source, target }: Pick<Edge, 'source' | 'target'>,
  { relation, directed }: Partial<Edge> = {}
): GraphContent {
  const isGiven = { ...(relation !== undefined && { relation }), ...(directed !== undefined && { directed }) }
  return withEdge(content, { source, target, ...isGiven })
}

/** Removes nodes together with their edges. */
export function withoutNodes(content: GraphContent, indexes: ReadonlySet<number>): GraphContent {
  const ids = new Set(content.nodes.flatMap(({ id }, index) => (indexes.has(index) ? [id] : [])))
  return {
    ...content,
    nodes: content.nodes.filter((_, index) => !indexes.has(index)),
    edges: content.edges.filter(({ source, target }) => !ids.has(source) && !ids.has(target))
  }
}

export function withoutEdges(content: GraphContent, indexes: ReadonlySet<number>): GraphContent {
  return { ...content, edges: content.edges.filter((_, index) => !indexes.has(index)) }
}

function put<T>(elements: T[], element: T, index: number): T[] {
  return index < elements.length ? elements.with(index, element) : [...elements, element]
}

/** Returns an unused node id, for example `node 8`. */
export function freshId({ nodes }: GraphContent, stem: string): string {
  const ids = new Set(nodes.map(({ id }) => id))
  for (let number = nodes.length + 1; ; number++) if (!ids.has(`${stem} ${number}`)) return `${stem} ${number}`
}

/** Returns an unused node id for a label: the label itself, or with a number, for example `Ann 2`. */
export function idForLabel({ nodes }: GraphContent, label: string): string {
  const ids = new Set(nodes.map(({ id }) => id))
  for (let number = 1; ; number++) {
    const end = number === 1 ? '' : ` ${number}`
    const id = label.slice(0, LENGTHS.id - end.length).trim() + end
    if (!ids.has(id)) return id
  }
}
