import { isRecord } from '../../content/json.ts'

/** Returns whether this is graphology's JSON, in which nodes have a `key` instead of an `id`. */
export function isGraphology({ nodes }: Record<string, unknown>): boolean {
  return (
    Array.isArray(nodes) &&
    nodes.length > 0 &&
    nodes.every((node) => isRecord(node) && node.key !== undefined && node.id === undefined)
  )
}

/**
 * Converts graphology's JSON to node-link JSON.
 * https://graphology.github.io/serialization.html
 */
export function fromGraphology(file: Record<string, unknown>): Record<string, unknown> {
  const { attributes, options, nodes, edges, ...rest } = file
  const directed = !(isRecord(options) && options.type === 'undirected')
  const ofNode = ({ key, attributes: own, ...others }: Record<string, unknown>) => ({
    ...others,
    ...(isRecord(own) && own),
    id: key
  })
  const ofEdge = ({ key, undirected, attributes: own, ...others }: Record<string, unknown>) => ({
    ...(isRecord(own) && own),
    ...others,
    id: key,
    ...(directed === (undirected === true) && { directed: !directed })
  })
  const each = (list: unknown, convert: (element: Record<string, unknown>) => object) =>
    Array.isArray(list) ? list.map((element) => (isRecord(element) ? convert(element) : element)) : list
  return { ...rest, graph: attributes, directed, nodes: each(nodes, ofNode), edges: each(edges, ofEdge) }
}
