import { type Static, Type } from '@sinclair/typebox'
import type { Fault } from './problem.ts'
import { ref } from './types.ts'

/** Metadata of one element: how deep it may nest, itself included, and its size as JSON in UTF-8, in bytes. */
export const METADATA_DEPTH = 8
export const METADATA_BYTES = 16 * 1024

const elementId = (description: string) => Type.String({ minLength: 1, maxLength: 255, description, examples: ['a'] })
const label = (whose: string) =>
  Type.Optional(Type.String({ maxLength: 1024, description: `What people read on ${whose}.`, examples: ['Ada'] }))
const Coordinate = Type.Number({ description: 'A coordinate in the plane or space, in units of your own.' })
const Metadata = Type.Unsafe<Record<string, unknown>>({
  type: 'object',
  additionalProperties: true,
  description: 'Any JSON object, at most 8 levels deep and 16 KiB; `weight` is the weight by convention.',
  examples: [{ weight: 3 }]
})

export const Node = Type.Object(
  {
    id: elementId('Unique among the nodes; any text, `__proto__` too.'),
    label: label('the node'),
    x: Type.Optional(Coordinate),
    y: Type.Optional(Coordinate),
    z: Type.Optional(Coordinate),
    metadata: Type.Optional(Metadata)
  },
  { $id: 'Node', title: 'Node', additionalProperties: false, description: 'A node; its id is unique among the nodes.' }
)
export type Node = Static<typeof Node>

export const Edge = Type.Object(
  {
    id: Type.Optional(elementId('Unique among the edges that have one.')),
    source: elementId('The id of the node where it starts.'),
    target: elementId('The id of the node where it ends.'),
    directed: Type.Optional(Type.Boolean({ description: "Overrides the graph's `directed`." })),
    relation: Type.Optional(
      Type.String({ maxLength: 255, description: 'How source and target are related.', examples: ['knows'] })
    ),
    label: label('the edge'),
    metadata: Type.Optional(Metadata)
  },
  {
    $id: 'Edge',
    title: 'Edge',
    additionalProperties: false,
    description: 'An edge between two existing nodes, or of one with itself; several may run side by side.'
  }
)
export type Edge = Static<typeof Edge>

/** A network of nodes and edges, in the spirit of JSON Graph Format. */
export const GraphContent = Type.Object(
  {
    directed: Type.Optional(Type.Boolean({ default: true, description: 'Whether edges have a direction.' })),
    label: label('the whole'),
    metadata: Type.Optional(Metadata),
    nodes: Type.Array(ref(Node), { description: 'In an order that is kept.' }),
    edges: Type.Array(ref(Edge), { description: 'In an order that is kept.' })
  },
  {
    $id: 'GraphContent',
    title: 'GraphContent',
    additionalProperties: false,
    description:
      'A network of nodes and edges. At most 100,000 nodes and 500,000 edges, unless the server is configured otherwise.',
    examples: [
      {
        directed: false,
        nodes: [{ id: 'a', label: 'Ada' }, { id: 'b' }],
        edges: [{ source: 'a', target: 'b', relation: 'knows', metadata: { weight: 2 } }]
      }
    ]
  }
)
export type GraphContent = Static<typeof GraphContent>

/** Content as the store keeps it: JSON as text where it is small, else as a Zstandard frame (RFC 8878). */
export type Body = string | Buffer

/** Content as the store keeps it. */
export interface StoredContent {
  /** SHA-256 of the GraphContent as JSON in UTF-8, in hexadecimal. */
  hash: string
  body: Body
  /** Of that JSON, in bytes. */
  size: number
  nodeCount: number
  edgeCount: number
}

/** Content as a request or file brought it: what is wrong with it, or itself made ready for the store. */
export interface PreparedContent {
  /** The first 50. */
  faults: Fault[]
  /** How many there are. */
  faultCount: number
  /** Where there are no faults. */
  stored?: StoredContent
}
