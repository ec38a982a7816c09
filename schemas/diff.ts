import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { Edge, Node } from './graph-content.ts'
import { digits, Id, ref } from './types.ts'
import { GraphVersion } from './version.ts'

export const Change = Type.Object(
  {
    pointer: Type.String({
      description: 'Which field or attribute: a JSON Pointer as URI fragment (RFC 6901).',
      examples: ['#/metadata/weight']
    }),
    from: Type.Optional(Type.Unknown({ description: 'Its value before; absent where it had none.', examples: [2] })),
    to: Type.Optional(Type.Unknown({ description: 'Its value after; absent where it has none.', examples: [3] }))
  },
  { $id: 'Change', title: 'Change', description: 'A field or attribute that differs, with both its values.' }
)
export type Change = Static<typeof Change>

const changes = Type.Array(ref(Change), { description: 'What differs, attribute by attribute.' })

export const NodeChange = Type.Object(
  { id: Node.properties.id, changes },
  { $id: 'NodeChange', title: 'NodeChange', description: 'A node that both versions have, and that differs.' }
)
export type NodeChange = Static<typeof NodeChange>

export const EdgeChange = Type.Object(
  {
    id: Edge.properties.id,
    source: Edge.properties.source,
    target: Edge.properties.target,
    relation: Edge.properties.relation,
    changes
  },
  {
    $id: 'EdgeChange',
    title: 'EdgeChange',
    description:
      'An edge that both versions have, and that differs; named as it is after. Edges are the same by their id, else by their ends and relation.'
  }
)
export type EdgeChange = Static<typeof EdgeChange>

function list<T extends TSchema>(element: T, description: string) {
  return Type.Object(
    {
      count: Type.Integer({ minimum: 0, description: 'How many there are.', examples: [1] }),
      items: Type.Array(ref(element), { description: 'The first of them.' })
    },
    { description }
  )
}

function elements<T extends TSchema, C extends TSchema>(element: T, change: C, description: string) {
  return Type.Object(
    {
      added: list(element, 'Which the second version has, and the first has not.'),
      removed: list(element, 'Which the first version has, and the second has not.'),
      changed: list(change, 'Which both have, and which differ.'),
      reordered: Type.Boolean({
        description: 'Whether those that both have stand in another order.',
        examples: [false]
      })
    },
    { description }
  )
}

export const GraphDiff = Type.Object(
  {
    id: Id,
    from: Type.Optional(ref(GraphVersion)),
    to: ref(GraphVersion),
    fields: Type.Array(ref(Change), { description: 'Of the record, and of the content as a whole.' }),
    nodes: elements(Node, NodeChange, 'The nodes.'),
    edges: elements(Edge, EdgeChange, 'The edges.'),
    truncated: Type.Boolean({
      description: 'Whether some list has fewer items than it counts.',
      examples: [false]
    })
  },
  {
    $id: 'GraphDiff',
    title: 'GraphDiff',
    description: 'What differs between two versions of a graph. Without `from`, everything is new.'
  }
)
export type GraphDiff = Static<typeof GraphDiff>

/** How many elements each list has at most, unless asked otherwise. */
export const DEFAULT_LIMIT = 1000

const version = (description: string) =>
  Type.Optional(digits(1n, 9223372036854775807n, { description, examples: ['2'] }))

export const DiffQuery = Type.Object(
  {
    from: version('The first version; by default the one before the second.'),
    to: version('The second version; by default the current one.'),
    limit: Type.Optional(
      digits(0, 10_000, {
        description: `How many elements each list has at most, ${DEFAULT_LIMIT} by default.`,
        examples: ['1000']
      })
    )
  },
  { additionalProperties: false }
)
