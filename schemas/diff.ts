import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { Edge, Node } from './graph-content.ts'
import { ImportReport, readingParameters } from './graph-file.ts'
import { closed, component, digits, Id, idDigits, ref } from './types.ts'
import { GraphVersion } from './version.ts'

export const Change = component('Change', 'A changed field or attribute, with both values.', {
  pointer: Type.String({
    description: 'The field or attribute, as a JSON Pointer in a URI fragment (RFC 6901).',
    examples: ['#/metadata/weight']
  }),
  from: Type.Optional(Type.Unknown({ description: 'The value before; absent if there was none.', examples: [2] })),
  to: Type.Optional(Type.Unknown({ description: 'The value after; absent if there is none.', examples: [3] }))
})
export type Change = Static<typeof Change>

const changes = Type.Array(ref(Change), { description: 'The changed attributes.' })

export const NodeChange = component('NodeChange', 'A node that exists in both versions and has changed.', {
  id: Node.properties.id,
  changes
})
export type NodeChange = Static<typeof NodeChange>

export const EdgeChange = component(
  'EdgeChange',
  'An edge that exists in both versions and has changed, identified as in the second version. Edges are matched by id, or else by endpoints and relation.',
  {
    id: Edge.properties.id,
    source: Edge.properties.source,
    target: Edge.properties.target,
    relation: Edge.properties.relation,
    changes
  }
)
export type EdgeChange = Static<typeof EdgeChange>

function list<T extends TSchema>(element: T, $id: string) {
  return component($id, 'The first elements of a list, and their total number.', {
    count: Type.Integer({ minimum: 0, description: 'The total number.', examples: [1] }),
    items: Type.Array(ref(element), { description: 'The first elements.' })
  })
}

export const NodeList = list(Node, 'NodeList')
export const EdgeList = list(Edge, 'EdgeList')
export const NodeChangeList = list(NodeChange, 'NodeChangeList')
export const EdgeChangeList = list(EdgeChange, 'EdgeChangeList')

function elements<T extends TSchema, C extends TSchema>(list: T, changes: C, $id: string) {
  return component($id, 'The elements that were added, removed and changed.', {
    added: ref(list),
    removed: ref(list),
    changed: ref(changes),
    reordered: Type.Boolean({
      description: 'Whether the elements that exist in both versions are in a different order.',
      examples: [false]
    })
  })
}

export const NodeDiff = elements(NodeList, NodeChangeList, 'NodeDiff')
export const EdgeDiff = elements(EdgeList, EdgeChangeList, 'EdgeDiff')

const differences = {
  fields: Type.Array(ref(Change), { description: 'Changes to the record, and to the content as a whole.' }),
  nodes: ref(NodeDiff),
  edges: ref(EdgeDiff),
  truncated: Type.Boolean({
    description: 'Whether a list has fewer items than its count.',
    examples: [false]
  })
}

export const GraphDiff = component(
  'GraphDiff',
  'The differences between two versions of a graph. If `from` is absent, everything is new.',
  { id: Id, from: Type.Optional(ref(GraphVersion)), to: ref(GraphVersion), ...differences }
)
export type GraphDiff = Static<typeof GraphDiff>

const counts = Type.Object({ added: Type.Integer(), removed: Type.Integer(), changed: Type.Integer() })

/** The number of changes between two versions, and the first changes as text. */
export const DiffDigest = Type.Object({
  fields: Type.Integer({ description: 'The number of changed fields.' }),
  nodes: counts,
  edges: counts,
  truncated: Type.Boolean({ description: 'Whether the text omits some changes.' }),
  text: Type.String({ description: 'The changes, one per line.' })
})
export type DiffDigest = Static<typeof DiffDigest>

export const ContentDiff = component('ContentDiff', 'The differences between two states of the content.', differences)
export type ContentDiff = Static<typeof ContentDiff>

export const FileDiff = component(
  'FileDiff',
  "The differences between a graph's content and a file that may replace it. If the file has faults, only the report is present.",
  { report: ref(ImportReport), diff: Type.Optional(ref(ContentDiff)) }
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

export const DiffQuery = closed({
  from: version('The first version; by default, the one before the second.'),
  to: version('The second version; by default, the current one.'),
  limit
})

export const FileDiffQuery = closed({ ...readingParameters, limit })
