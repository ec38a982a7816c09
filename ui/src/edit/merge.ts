import type { Edge, GraphContent, Node } from '../api.ts'
import { changesBetween, type EdgeName, EdgeNames, withChanges } from './changes.ts'

// Merges the changes that two people have made to the same content.

/** An element that both sides have changed, each in another way; undefined where a side has removed it. */
export interface Conflict {
  /** Unique among the conflicts. */
  key: string
  theirs: Node | Edge | undefined
  yours: Node | Edge | undefined
}

export type Side = 'theirs' | 'yours'

/** The merged content, and the conflicts that nobody has decided yet: there it has their elements. */
export interface Merged {
  content: GraphContent
  conflicts: Conflict[]
}

/**
 * Merges `yours` into `theirs`; both come from `before`. `chosen` has the decided conflicts by their keys. A node that one side has removed
 * and to which the other has added an edge is a conflict, too.
 */
export function merge(
  before: GraphContent,
  theirs: GraphContent,
  yours: GraphContent,
  chosen: ReadonlyMap<string, Side> = new Map()
): Merged {
  const conflicts: Conflict[] = []
  const isYours = (conflict: Conflict) => {
    if (!chosen.has(conflict.key)) conflicts.push(conflict)
    return chosen.get(conflict.key) === 'yours'
  }
  /** Whether your change of an element is made: also if only you have changed it. */
  const isMade = (old: Node | Edge | undefined, conflict: Conflict) => {
    const [before, theirs, yours] = [old, conflict.theirs, conflict.yours].map((element) => JSON.stringify(element))
    return theirs !== yours && (theirs === before || isYours(conflict))
  }
  const [oldNodes, theirNodes, yourNodes] = [before, theirs, yours].map(({ nodes }) => byId(nodes)) as Nodes
  const [oldEdges, theirEdges] = [edgeFinder(before), edgeFinder(theirs)]
  const isNodeMade = (id: string) =>
    isMade(oldNodes.get(id), { key: nodeKey(id), theirs: theirNodes.get(id), yours: yourNodes.get(id) })
  const isEdgeMade = (name: EdgeName, yours: Edge | undefined) =>
    isMade(oldEdges(name), { key: `edge ${JSON.stringify(name)}`, theirs: theirEdges(name), yours })

  const { putNodes, removeNodes, putEdges, removeEdges } = changesBetween(before, yours)
  const content = withChanges(theirs, {
    putNodes: putNodes.filter(({ id }) => isNodeMade(id)),
    removeNodes: removeNodes.filter(isNodeMade),
    putEdges: putEdges.filter((edge) => edge.id === undefined || isEdgeMade({ id: edge.id }, edge)),
    removeEdges: removeEdges.filter((name) => isEdgeMade(name, undefined))
  })

  const nodes = byId(content.nodes)
  for (const id of endsOutside(content, nodes)) {
    const sides = { theirs: theirNodes.get(id), yours: yourNodes.get(id) }
    const node = isYours({ key: nodeKey(id), ...sides }) ? sides.yours : sides.theirs
    if (node) nodes.set(id, node)
  }
  return {
    content: {
      ...content,
      nodes: [...nodes.values()],
      edges: content.edges.filter(({ source, target }) => nodes.has(source) && nodes.has(target))
    },
    conflicts
  }
}

type Nodes = [Map<string, Node>, Map<string, Node>, Map<string, Node>]

const nodeKey = (id: string) => `node ${id}`

function byId(nodes: Node[]) {
  return new Map(nodes.map((node) => [node.id, node]))
}

/** Returns the ids of ends of edges that are no nodes, each once. */
function endsOutside({ edges }: GraphContent, nodes: Map<string, Node>) {
  return new Set(edges.flatMap(({ source, target }) => [source, target].filter((id) => !nodes.has(id))))
}

function edgeFinder(content: GraphContent) {
  const names = new EdgeNames(content)
  return (name: EdgeName): Edge | undefined => {
    const index = names.find(name)
    return index === undefined ? undefined : content.edges[index]
  }
}
