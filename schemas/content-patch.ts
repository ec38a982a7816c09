import { type Static, Type } from '@sinclair/typebox'
import { expectedVersion, message } from './graph.ts'
import { Edge, Node } from './graph-content.ts'
import { closed, closedComponent, ref } from './types.ts'

/** Identifies an edge that has no id. The endpoints of an undirected edge may be in either order. */
export const EdgeEnds = closed({
  source: Edge.properties.source,
  target: Edge.properties.target,
  relation: Edge.properties.relation
})
export type EdgeEnds = Static<typeof EdgeEnds>

/**
 * Identifies an edge by its id, or by its endpoints if it has no id. OpenAPI allows any value, since client generators fail on
 * such a union.
 */
const EdgeName = Type.Unsafe<string | EdgeEnds>({
  shown: {
    description:
      'The id of an edge or, for an edge without an id, `{source, target, relation?}`. The endpoints of an undirected edge can be in either order.'
  }
})

export const NodePatch = closedComponent('NodePatch', 'Changes to the nodes.', {
  put: Type.Optional(
    Type.Array(ref(Node), { description: 'Whole nodes. Each replaces the node with the same id, or is added.' })
  ),
  remove: Type.Optional(
    Type.Array(Node.properties.id, {
      description: 'The ids of nodes to remove. No remaining edge may start or end at a removed node.'
    })
  )
})

export const EdgePatch = closedComponent('EdgePatch', 'Changes to the edges.', {
  put: Type.Optional(
    Type.Array(ref(Edge), {
      description:
        'Whole edges. Each replaces the edge with the same id, or is added. An edge without an id replaces the edge without an id that has the same endpoints and relation.'
    })
  ),
  remove: Type.Optional(
    Type.Array(EdgeName, { description: 'The edges to remove: ids, or the endpoints of edges without an id.' })
  )
})

export const ContentPatch = Type.Object(
  {
    nodes: Type.Optional(ref(NodePatch)),
    edges: Type.Optional(ref(EdgePatch)),
    directed: Type.Optional(
      Type.Boolean({
        description:
          'Makes all edges directed or undirected, except for those in `put` that specify their own direction.',
        examples: [false]
      })
    ),
    version: expectedVersion,
    message
  },
  {
    $id: 'ContentPatch',
    title: 'ContentPatch',
    additionalProperties: false,
    description:
      'Changes to some nodes and edges of a graph, or to the direction of all edges. The others stay the same and keep their order.',
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
