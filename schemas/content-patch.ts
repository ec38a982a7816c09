import { type Static, Type } from '@sinclair/typebox'
import { expectedVersion, message } from './graph.ts'
import { Edge, Node } from './graph-content.ts'
import { closed, closedComponent, ref } from './types.ts'

/** Identifies an edge without an id. The ends of an undirected edge may be in either order. */
export const EdgeEnds = closed({
  source: Edge.properties.source,
  target: Edge.properties.target,
  relation: Edge.properties.relation
})
export type EdgeEnds = Static<typeof EdgeEnds>

/**
 * Refers to an edge by its id, or by its ends if it has no id. OpenAPI shows any value, since client generators fail on such a
 * union.
 */
const EdgeName = Type.Unsafe<string | EdgeEnds>({
  shown: {
    description:
      'The id of an edge; of one without id `{source, target, relation?}`, with its ends in either order if it is undirected.'
  }
})

export const NodePatch = closedComponent('NodePatch', 'Changes to the nodes.', {
  put: Type.Optional(
    Type.Array(ref(Node), { description: 'Whole nodes. Each takes the place of the one with its id, or is added.' })
  ),
  remove: Type.Optional(
    Type.Array(Node.properties.id, { description: 'The ids of nodes. No edge may stay that ends there.' })
  )
})

export const EdgePatch = closedComponent('EdgePatch', 'Changes to the edges.', {
  put: Type.Optional(
    Type.Array(ref(Edge), {
      description:
        'Whole edges. Each takes the place of the one with its id, or is added. One without id takes the place of the one without id that has its ends and relation.'
    })
  ),
  remove: Type.Optional(Type.Array(EdgeName, { description: 'The ids of edges; the ends of those without id.' }))
})

export const ContentPatch = Type.Object(
  {
    nodes: Type.Optional(ref(NodePatch)),
    edges: Type.Optional(ref(EdgePatch)),
    version: expectedVersion,
    message
  },
  {
    $id: 'ContentPatch',
    title: 'ContentPatch',
    additionalProperties: false,
    description: 'Changes to some nodes and edges of a graph. The others stay as they are, in their order.',
    examples: [
      {
        version: 3,
        nodes: { put: [{ id: 'c', label: 'Charles' }], remove: ['b'] },
        edges: { put: [{ source: 'a', target: 'c' }], remove: [{ source: 'a', target: 'b', relation: 'knows' }] }
      }
    ]
  }
)
export type ContentPatch = Static<typeof ContentPatch>
