import type { Edge, GraphContent, Node } from '../api.ts'
import { oncePer } from '../shared/once-per.ts'
import { Queues } from './queues.ts'

// Changes between two states of a graph's content. States share unchanged elements: an edit replaces only the objects it changes.

/** Identifies an edge by its id, or else by its endpoints, relation and index among edges without an id that share them. */
export type EdgeName = { id: string } | { source: string; target: string; relation: string | undefined; nth: number }

/** The elements to put and the names of the elements to remove. Putting an element replaces the one with the same id. */
export interface Changes {
  putNodes: Node[]
  removeNodes: string[]
  putEdges: Edge[]
  removeEdges: EdgeName[]
}

/** Returns the changes from one state to another. A changed edge without an id is removed and put again. */
export function changesBetween(from: GraphContent, to: GraphContent): Changes {
  const [nodes, edges] = [difference(from.nodes, to.nodes), difference(from.edges, to.edges)]
  const nodeIds = new Set(nodes.put.map(({ id }) => id))
  const edgeIds = new Set(edges.put.map(({ id }) => id))
  return {
    putNodes: nodes.put,
    removeNodes: nodes.gone.flatMap(({ element: { id } }) => (nodeIds.has(id) ? [] : [id])),
    putEdges: edges.put,
    removeEdges: edges.gone.flatMap(({ element: { id }, index }) =>
      id !== undefined && edgeIds.has(id) ? [] : [edgeNames(from).nameOf(index)]
    )
  }
}

/** Returns the elements that are in only one of the two lists. Elements of the first list come with their indexes. */
function difference<T extends object>(from: readonly T[], to: readonly T[]) {
  // Editing nodes leaves the list of edges unchanged. Most elements keep their index and need no lookup.
  if (from === to) return { put: [], gone: [] }
  const moved: { element: T; index: number }[] = []
  for (const [index, element] of from.entries()) if (element !== to[index]) moved.push({ element, index })
  const come = to.filter((element, index) => element !== from[index])
  const [known, kept] = [new Set(moved.map(({ element }) => element)), new Set(come)]
  return { put: come.filter((element) => !known.has(element)), gone: moved.filter(({ element }) => !kept.has(element)) }
}

/** Returns the content after the changes. Remaining elements keep their order, and new ones come last. */
export function withChanges(
  content: GraphContent,
  { putNodes, removeNodes, putEdges, removeEdges }: Changes
): GraphContent {
  const goneNodes = new Set(removeNodes)
  const names = edgeNames(content)
  const goneEdges = new Set(removeEdges.map((name) => names.find(name)))
  return {
    ...content,
    nodes: replaced(
      content.nodes.filter(({ id }) => !goneNodes.has(id)),
      putNodes
    ),
    edges: replaced(
      content.edges.filter((_, index) => !goneEdges.has(index)),
      putEdges
    )
  }
}

/** Replaces elements that have the same ids, and appends the rest. */
function replaced<T extends { id?: string }>(elements: T[], put: T[]): T[] {
  const byId = new Map(put.flatMap((element) => (element.id === undefined ? [] : [[element.id, element] as const])))
  const result = elements.map((element) => {
    const other = element.id === undefined ? undefined : byId.get(element.id)
    if (!other) return element
    byId.delete(other.id as string)
    return other
  })
  return [...result, ...put.filter((element) => element.id === undefined || byId.has(element.id))]
}

/**
 * Returns the number of changed elements. Nodes that have only moved since `from` count together as one, and not at all if they only
 * got a place because a new node has one.
 */
export function sizeOf({ putNodes, removeNodes, putEdges, removeEdges }: Changes, from: GraphContent): number {
  const known = nodesById(from)
  const moved = putNodes.filter((node) => isMoved(node, known.get(node.id)))
  const isPlacing = putNodes.some((node) => !known.has(node.id) && node.x !== undefined)
  const isMove = moved.some(({ id }) => !isPlacing || known.get(id)?.x !== undefined)
  const gone = new Queues<EdgeName>()
  for (const name of removeEdges) if (!('id' in name)) gone.add(keyOfEnds({ ...name, relation: undefined }), name)
  // A changed edge without an id is removed and put again.
  const changed = putEdges.filter(
    (edge) => edge.id === undefined && gone.take(keyOfEnds({ ...edge, relation: undefined }))
  ).length
  const nodes = putNodes.length - moved.length + Number(isMove) + removeNodes.length
  return nodes + putEdges.length + removeEdges.length - changed
}

const nodesById = oncePer(({ nodes }: GraphContent) => new Map(nodes.map((node) => [node.id, node])))

/** Returns whether only the place of a node has changed. */
function isMoved(node: Node, before: Node | undefined): boolean {
  if (!before || node.label !== before.label || node.z !== before.z) return false
  // A layout moves all nodes, and usually keeps their metadata. Those of a restored draft are copies.
  return node.metadata === before.metadata || JSON.stringify(node.metadata) === JSON.stringify(before.metadata)
}

/** Names the edges in a graph's content, and finds edges by name. */
class EdgeNames {
  readonly #content: GraphContent
  readonly #byId = new Map<string, number>()
  /** The indexes of edges without an id, by source, target and relation. */
  readonly #byEnds = new Map<string, number[]>()
  /** For each edge without an id, its position among the edges with the same endpoints and relation. */
  readonly #nth: Uint32Array

  constructor(content: GraphContent) {
    this.#content = content
    this.#nth = new Uint32Array(content.edges.length)
    for (const [index, edge] of content.edges.entries()) {
      if (edge.id !== undefined) {
        this.#byId.set(edge.id, index)
        continue
      }
      const key = keyOfEnds(edge)
      const group = this.#byEnds.get(key)
      this.#nth[index] = group?.length ?? 0
      if (group) group.push(index)
      else this.#byEnds.set(key, [index])
    }
  }

  nameOf(index: number): EdgeName {
    const edge = this.#content.edges[index] as Edge
    if (edge.id !== undefined) return { id: edge.id }
    const { source, target, relation } = edge
    return { source, target, relation, nth: this.#nth[index] as number }
  }

  find(name: EdgeName): number | undefined {
    return 'id' in name ? this.#byId.get(name.id) : this.#groupOf(name)[name.nth]
  }

  /**
   * Returns the indexes of the edges without an id that the server matches to these endpoints. The endpoints of undirected edges
   * match in either order.
   */
  alike({ source, target, relation }: Ends): number[] {
    const straight = this.#groupOf({ source, target, relation })
    if (source === target) return [...straight]
    const { edges, directed } = this.#content
    const turned = this.#groupOf({ source: target, target: source, relation })
    return [...straight, ...turned.filter((index) => !(edges[index]?.directed ?? directed))]
  }

  #groupOf(ends: Ends): readonly number[] {
    return this.#byEnds.get(keyOfEnds(ends)) ?? []
  }
}

/** Returns the edge names of a graph's content. Cached, because each step of an edit needs those of the original content. */
export const edgeNames = oncePer((content: GraphContent) => new EdgeNames(content))

type Ends = Pick<Edge, 'source' | 'target' | 'relation'>

/** Returns the endpoints and relation of an edge as a single string. */
export function keyOfEnds({ source, target, relation }: Ends) {
  return JSON.stringify([source, target, relation])
}
