import { type Static, Type } from '@sinclair/typebox'
import { GraphContent, type PreparedContent } from './graph-content.ts'
import { Id, ignored, MAX_INTEGER, nullable, ref, TEXT, TEXT_NOT_BLANK, Time } from './types.ts'
import { Login } from './user.ts'

const Name = Type.String({
  minLength: 1,
  maxLength: 255,
  pattern: TEXT_NOT_BLANK,
  description: 'What the graph is called; not blank, and need not be unique.',
  examples: ['Les Misérables']
})
const Kind = Type.String({
  minLength: 1,
  maxLength: 64,
  pattern: TEXT,
  description: 'What kind of graph this is, in words of your own.',
  examples: ['co-occurrence']
})
const Description = Type.String({
  maxLength: 2000,
  pattern: TEXT,
  description: 'What there is to say about it.',
  examples: ['Who appears with whom.']
})
/** What is said about a change; empty is as good as absent. */
export const Message = Type.String({
  maxLength: 500,
  pattern: TEXT,
  description: 'What its author says about the change.',
  examples: ['Merged the two Valjeans.']
})
const message = Type.Optional(
  nullable({
    ...Message,
    writeOnly: true,
    description: 'What there is to say about the change; its version and its event show it.'
  })
)
const shared = { description: 'Whether every logged-in user may read it.', examples: [false] }
export const Version = Type.Integer({
  minimum: 1,
  maximum: MAX_INTEGER,
  description: 'Counts the changes of the graph.',
  examples: [1]
})
const count = (what: string) =>
  Type.Integer({ minimum: 0, maximum: MAX_INTEGER, description: `How many ${what} the content has.`, examples: [77] })

const record = {
  id: Id,
  name: Name,
  type: Type.Optional(Kind),
  description: Type.Optional(Description),
  shared: Type.Boolean(shared),
  owner: Login,
  version: Version,
  nodeCount: count('nodes'),
  edgeCount: count('edges'),
  createdAt: Time,
  updatedAt: Time
}

/** A graph without its content, as lists show it. */
export const GraphRecord = Type.Object(record, {
  $id: 'GraphRecord',
  title: 'GraphRecord',
  description: 'A graph without its content, as lists show it.'
})
export type GraphRecord = Static<typeof GraphRecord>

export const Graph = Type.Object(
  { ...record, content: Type.Optional(ref(GraphContent)) },
  { $id: 'Graph', title: 'Graph', description: 'A graph record with its content, where it has one.' }
)
export type Graph = Static<typeof Graph>

/** What a client says about a graph. Null and absent mean the same for what is optional. */
const described = {
  name: Name,
  type: Type.Optional(nullable(Kind)),
  description: Type.Optional(nullable(Description)),
  shared: Type.Optional(Type.Boolean({ ...shared, default: false }))
}
const counted = {
  owner: ignored(),
  nodeCount: ignored(),
  edgeCount: ignored(),
  createdAt: ignored(),
  updatedAt: ignored()
}
const expectedVersion = Type.Optional(
  Type.Integer({
    minimum: 1,
    maximum: MAX_INTEGER,
    description: 'The version that the change is meant for; 409 `version-conflict` if the stored one is another.',
    examples: [1]
  })
)

/** GraphContent, or null for none. Whoever handles the request gets it prepared, see graph/body.ts. */
function optionalContent(description: string) {
  return Type.Optional(
    Type.Unsafe<PreparedContent | null>({ anyOf: [{ $ref: 'GraphContent#' }, { type: 'null' }], description })
  )
}

export const NewGraph = Type.Object(
  {
    id: Type.Optional(Type.Null({ description: 'Absent or null: 400 `graph-id-exists` otherwise.' })),
    ...described,
    version: ignored(),
    content: optionalContent('The network; may come later.'),
    message,
    ...counted
  },
  { $id: 'NewGraph', title: 'NewGraph', additionalProperties: false, description: 'A graph to be created.' }
)
export type NewGraph = Static<typeof NewGraph>

export const GraphUpdate = Type.Object(
  {
    id: Id,
    ...described,
    version: expectedVersion,
    content: optionalContent('Absent: the stored content stays. Null: it is removed.'),
    message,
    ...counted
  },
  {
    $id: 'GraphUpdate',
    title: 'GraphUpdate',
    additionalProperties: false,
    description: 'A graph as it shall be: what is absent is reset, except for the content.'
  }
)
export type GraphUpdate = Static<typeof GraphUpdate>

export const GraphPatch = Type.Object(
  {
    name: Type.Optional(Name),
    type: Type.Optional(nullable(Kind)),
    description: Type.Optional(nullable(Description)),
    shared: Type.Optional(Type.Boolean(shared)),
    version: expectedVersion,
    message,
    id: ignored(),
    ...counted
  },
  {
    $id: 'GraphPatch',
    title: 'GraphPatch',
    additionalProperties: false,
    description: 'What is to be changed (JSON Merge Patch, RFC 7396): what is absent stays, null removes.'
  }
)
export type GraphPatch = Static<typeof GraphPatch>

export const graphSorts = [
  'id',
  'name',
  'type',
  'description',
  'shared',
  'owner',
  'version',
  'nodeCount',
  'edgeCount',
  'createdAt',
  'updatedAt'
] as const

export const graphFilters = {
  type: Type.Optional(Type.String({ maxLength: 64, description: 'Only graphs of this type.', examples: ['LINE'] })),
  owner: Type.Optional(Type.String({ maxLength: 64, description: 'Only graphs of this user.', examples: ['ada'] })),
  shared: Type.Optional(Type.Boolean({ description: 'Only graphs that are shared, or that are not.' })),
  q: Type.Optional(
    Type.String({
      maxLength: 255,
      description: 'Only graphs with this text in their name or description, in upper or lower case.',
      examples: ['misérables']
    })
  )
}
export type GraphFilter = Static<ReturnType<typeof Type.Object<typeof graphFilters>>>
