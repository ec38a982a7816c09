import { type Static, Type } from '@sinclair/typebox'
import type { Fault } from './problem.ts'
import { closedComponent, optionalText, ref } from './types.ts'

/**
 * The limits on an element's metadata: the nesting depth, including the metadata itself, and the default maximum size as JSON
 * in UTF-8, in bytes.
 */
export const METADATA_DEPTH = 8
export const METADATA_BYTES = 256 * 1024

const elementId = (description: string) => Type.String({ minLength: 1, maxLength: 255, description, examples: ['a'] })
const label = (whose: string) =>
  optionalText({ maxLength: 1024, description: `The text to show for ${whose}.`, examples: ['Ada'] })
const Coordinate = Type.Number({ description: 'A coordinate in two or three dimensions, in arbitrary units.' })
const Metadata = Type.Unsafe<Record<string, unknown>>({
  type: 'object',
  additionalProperties: true,
  description:
    'Any JSON object, up to 8 levels deep and 256 KiB by default. By convention, `weight` is the weight of an edge, and `color`, `size`, `thickness` and `shape` define how a node or edge is drawn.',
  examples: [{ weight: 3 }]
})

export const Node = closedComponent('Node', 'A node. Its id is unique among the nodes.', {
  id: elementId('Unique among the nodes. Any text, including `__proto__`.'),
  label: label('the node'),
  x: Type.Optional(Coordinate),
  y: Type.Optional(Type.Number({ description: 'Like x; y increases upwards.' })),
  z: Type.Optional(Coordinate),
  metadata: Type.Optional(Metadata)
})
export type Node = Static<typeof Node>

export const Edge = closedComponent(
  'Edge',
  'An edge between two existing nodes, or from a node to itself. Parallel edges are allowed.',
  {
    id: Type.Optional(elementId('Unique among the edges that have an id.')),
    source: elementId('The id of the node where the edge starts.'),
    target: elementId('The id of the node where the edge ends.'),
    directed: Type.Optional(Type.Boolean({ description: 'Overrides `directed` of the graph.' })),
    relation: optionalText({
      maxLength: 255,
      description: 'The relation between source and target.',
      examples: ['knows']
    }),
    label: label('the edge'),
    metadata: Type.Optional(Metadata)
  }
)
export type Edge = Static<typeof Edge>

/** A network of nodes and edges, similar to JSON Graph Format. */
export const GraphContent = Type.Object(
  {
    directed: Type.Optional(Type.Boolean({ default: true, description: 'Whether edges have a direction.' })),
    label: label('the graph'),
    metadata: Type.Optional(Metadata),
    nodes: Type.Array(ref(Node), { description: 'The nodes. Their order is preserved.' }),
    edges: Type.Array(ref(Edge), { description: 'The edges. Their order is preserved.' })
  },
  {
    $id: 'GraphContent',
    title: 'GraphContent',
    additionalProperties: false,
    description: 'A network of nodes and edges: by default, up to 100,000 nodes and 500,000 edges.',
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

/** Stored content. Small content is JSON text; large content is a Zstandard frame (RFC 8878). */
export type Body = string | Buffer

/** Content in its stored form. */
export interface StoredContent {
  /** The SHA-256 hash of the GraphContent as JSON in UTF-8, in hexadecimal. */
  hash: string
  body: Body
  /** The size of that JSON, in bytes. */
  size: number
  nodeCount: number
  edgeCount: number
  /** The distinct words for the search index, separated by spaces; see graph/content/element-words.ts. */
  words: string
}

/** The checked content of a request or file: either its faults, or the content to store. */
export interface PreparedContent {
  /** The first 50 faults. */
  faults: Fault[]
  /** The total number of faults. */
  faultCount: number
  /** Present if there are no faults. */
  stored?: StoredContent
}
