import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { Edge, Node } from './graph-content.ts'
import { digits, Id, idDigits, ref } from './types.ts'
import { GraphVersion } from './version.ts'

export const Change = Type.Object(
  {
    pointer: Type.String({
      description: 'The field or attribute: a JSON Pointer as URI fragment (RFC 6901).',
      examples: ['#/metadata/weight']
    }),
    from: Type.Optional(Type.Unknown({ description: 'Its value before; absent if it had none.', examples: [2] })),
    to: Type.Optional(Type.Unknown({ description: 'Its value after; absent if it has none.', examples: [3] }))
  },
  { $id: 'Change', title: 'Change', description: 'A changed field or attribute, with both values.' }
)
export type Change = Static<typeof Change>

const changes = Type.Array(ref(Change), { description: 'The changed attributes.' })

export const NodeChange = Type.Object(
  { id: Node.properties.id, changes },
  { $id: 'NodeChange', title: 'NodeChange', description: 'A node of both versions that has changed.' }
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
      'An edge of both versions that has changed, named as in the second. Edges match by id, else by ends and relation.'
  }
)
export type EdgeChange = Static<typeof EdgeChange>

function list<T extends TSchema>(element: T, description: string) {
  return Type.Object(
    {
      count: Type.Integer({ minimum: 0, description: 'The number of all.', examples: [1] }),
      items: Type.Array(ref(element), { description: 'The first ones.' })
    },
    { description }
  )
}

function elements<T extends TSchema, C extends TSchema>(element: T, change: C, description: string) {
  return Type.Object(
    {
      added: list(element, 'Elements of the second version only.'),
      removed: list(element, 'Elements of the first version only.'),
      changed: list(change, 'Elements of both versions that have changed.'),
      reordered: Type.Boolean({
        description: 'Whether the elements of both versions have changed their order.',
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
    fields: Type.Array(ref(Change), { description: 'Changes of the record, and of the content as a whole.' }),
    nodes: elements(Node, NodeChange, 'The nodes.'),
    edges: elements(Edge, EdgeChange, 'The edges.'),
    truncated: Type.Boolean({
      description: 'Whether some list has fewer items than its count.',
      examples: [false]
    })
  },
  {
    $id: 'GraphDiff',
    title: 'GraphDiff',
    description: 'The difference between two versions of a graph. Without `from`, everything is new.'
  }
)
export type GraphDiff = Static<typeof GraphDiff>

/** The default maximum length of each list. */
export const DEFAULT_LIMIT = 1000

const version = (description: string) => Type.Optional(idDigits({ description, examples: ['2'] }))

export const DiffQuery = Type.Object(
  {
    from: version('The first version; by default the one before the second.'),
    to: version('The second version; by default the current one.'),
    limit: Type.Optional(
      digits(0, 10_000, {
        description: `The maximum length of each list, ${DEFAULT_LIMIT} by default.`,
        examples: ['1000']
      })
    )
  },
  { additionalProperties: false }
)
