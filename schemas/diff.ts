import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { Edge, Node } from './graph-content.ts'
import { ImportReport, readingParameters } from './graph-file.ts'
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

function list<T extends TSchema>(element: T, $id: string) {
  return Type.Object(
    {
      count: Type.Integer({ minimum: 0, description: 'The number of all.', examples: [1] }),
      items: Type.Array(ref(element), { description: 'The first ones.' })
    },
    { $id, title: $id, description: 'The first elements of a list, and the number of all.' }
  )
}

export const NodeList = list(Node, 'NodeList')
export const EdgeList = list(Edge, 'EdgeList')
export const NodeChangeList = list(NodeChange, 'NodeChangeList')
export const EdgeChangeList = list(EdgeChange, 'EdgeChangeList')

function elements<T extends TSchema, C extends TSchema>(list: T, changes: C, $id: string) {
  return Type.Object(
    {
      added: ref(list),
      removed: ref(list),
      changed: ref(changes),
      reordered: Type.Boolean({
        description: 'Whether the elements of both versions have changed their order.',
        examples: [false]
      })
    },
    {
      $id,
      title: $id,
      description: 'Elements of the second version only, of the first only, and of both with changes.'
    }
  )
}

export const NodeDiff = elements(NodeList, NodeChangeList, 'NodeDiff')
export const EdgeDiff = elements(EdgeList, EdgeChangeList, 'EdgeDiff')

const differences = {
  fields: Type.Array(ref(Change), { description: 'Changes of the record, and of the content as a whole.' }),
  nodes: ref(NodeDiff),
  edges: ref(EdgeDiff),
  truncated: Type.Boolean({
    description: 'Whether some list has fewer items than its count.',
    examples: [false]
  })
}

export const GraphDiff = Type.Object(
  { id: Id, from: Type.Optional(ref(GraphVersion)), to: ref(GraphVersion), ...differences },
  {
    $id: 'GraphDiff',
    title: 'GraphDiff',
    description: 'The difference between two versions of a graph. Without `from`, everything is new.'
  }
)
export type GraphDiff = Static<typeof GraphDiff>

const counts = Type.Object({ added: Type.Integer(), removed: Type.Integer(), changed: Type.Integer() })

/** The numbers of changes between two versions, and the first ones as text. */
export const DiffDigest = Type.Object({
  fields: Type.Integer({ description: 'The number of changed fields.' }),
  nodes: counts,
  edges: counts,
  truncated: Type.Boolean({ description: 'Whether the text leaves out some changes.' }),
  text: Type.String({ description: 'The changes, a line each.' })
})
export type DiffDigest = Static<typeof DiffDigest>

export const ContentDiff = Type.Object(differences, {
  $id: 'ContentDiff',
  title: 'ContentDiff',
  description: 'The difference between two contents.'
})
export type ContentDiff = Static<typeof ContentDiff>

export const FileDiff = Type.Object(
  { report: ref(ImportReport), diff: Type.Optional(ref(ContentDiff)) },
  {
    $id: 'FileDiff',
    title: 'FileDiff',
    description:
      'The difference between the content of a graph and a file that may replace it. A file with faults has a report only.'
  }
)
export type FileDiff = Static<typeof FileDiff>

/** The default maximum length of each list. */
export const DEFAULT_LIMIT = 1000

const limit = Type.Optional(
  digits(0, 10_000, {
    description: `The maximum length of each list, ${DEFAULT_LIMIT} by default.`,
    examples: ['1000']
  })
)

const version = (description: string) => Type.Optional(idDigits({ description, examples: ['2'] }))

export const DiffQuery = Type.Object(
  {
    from: version('The first version; by default the one before the second.'),
    to: version('The second version; by default the current one.'),
    limit
  },
  { additionalProperties: false }
)

export const FileDiffQuery = Type.Object({ ...readingParameters, limit }, { additionalProperties: false })
