import { type Static, Type } from '@sinclair/typebox'
import { GraphContent, type PreparedContent } from './graph-content.ts'
import { ViewName } from './saved-view.ts'
import { MAX_TAGS, Tags } from './tag.ts'
import {
  closed,
  closedComponent,
  component,
  Id,
  ignored,
  LARGE,
  nullable,
  oneOf,
  optionalInteger,
  optionalText,
  ref,
  TEXT,
  TEXT_NOT_BLANK,
  TEXT_WITHOUT_CONTROLS,
  Time
} from './types.ts'
import { Login } from './user.ts'

/** The maximum length of a graph's name, in characters. */
export const MAX_NAME = 255

const Name = Type.String({
  minLength: 1,
  maxLength: MAX_NAME,
  pattern: TEXT_NOT_BLANK,
  description: 'The name of the graph. It must not be blank, and need not be unique.',
  examples: ['Les Misérables']
})
const Kind = Type.String({
  minLength: 1,
  maxLength: 64,
  pattern: TEXT,
  description: 'The type of the graph. Any text.',
  examples: ['co-occurrence']
})
export const Description = Type.String({
  maxLength: 2000,
  pattern: TEXT,
  description: 'A description of the graph.',
  examples: ['Who appears with whom.']
})
/** A comment on a change. An empty comment is treated as missing. */
export const Message = Type.String({
  maxLength: 500,
  pattern: TEXT,
  description: "The author's comment on the change.",
  examples: ['Merged the two Valjeans.']
})
export const message = Type.Optional(
  nullable({
    ...Message,
    writeOnly: true,
    description: 'A comment on the change, shown with its version and its event.'
  })
)
export const Key = Type.String({
  minLength: 1,
  maxLength: 128,
  pattern: TEXT_WITHOUT_CONTROLS,
  description:
    'A name by which programs find the graph, unique among the graphs of its owner. 1 to 128 characters, without control characters; `.` and `..` are not allowed because they cannot be used in an address.',
  examples: ['nightly/dependencies']
})
/** URL parsers drop these keys as path segments, even when percent-encoded (WHATWG URL). */
const newKey = Type.Optional(nullable({ ...Key, not: { enum: ['.', '..'] }, shown: nullable(Key) }))
const DefaultView = {
  ...ViewName,
  description: 'The name of the saved view that shows the graph by default. Absent if there is none.'
}
/** A new default view. A name that is not a saved view of the graph is refused with the fault `view-not-found`. */
const newDefaultView = Type.Optional(
  nullable({
    ...DefaultView,
    description: 'The name of the saved view that shows the graph by default; null for none.'
  })
)
const shared = { description: 'Whether all logged-in users can read the graph.', examples: [false] }
export const Version = Type.Integer({
  ...LARGE,
  minimum: 1,
  description: 'The version number. Each change increases it by 1.',
  examples: [1]
})
const countOf = (elements: string) =>
  Type.Integer({
    ...LARGE,
    minimum: 0,
    description: `The number of ${elements} in the content.`,
    examples: [77]
  })

/** The possible access levels for a graph, highest first. */
export const accesses = ['OWNER', 'WRITE', 'READ'] as const
export type Access = (typeof accesses)[number]

const record = {
  id: Id,
  name: Name,
  key: Type.Optional(Key),
  type: Type.Optional(Kind),
  description: Type.Optional(Description),
  tags: Type.Optional(Tags),
  defaultView: Type.Optional(DefaultView),
  shared: Type.Boolean(shared),
  owner: Login,
  access: oneOf(accesses, {
    readOnly: true,
    description: 'The rights of the caller. OWNER: everything. WRITE: change the graph. READ: only read it.',
    examples: ['OWNER']
  }),
  version: Version,
  nodeCount: countOf('nodes'),
  edgeCount: countOf('edges'),
  createdAt: Time,
  updatedAt: Time
}

export const GraphRecord = component('GraphRecord', 'A graph without its content, as in lists.', record)
export type GraphRecord = Static<typeof GraphRecord>

export const Graph = component('Graph', 'A graph record with its content, if it has any.', {
  ...record,
  content: Type.Optional(ref(GraphContent))
})
export type Graph = Static<typeof Graph>

/** The fields that clients can set. For optional fields, null means absent. */
const writable = {
  name: Name,
  type: Type.Optional(nullable(Kind)),
  description: Type.Optional(nullable(Description)),
  tags: Type.Optional(nullable(Tags)),
  shared: Type.Optional(Type.Boolean({ ...shared, default: false }))
}
const owner = ignored(record.owner)
const maintained = {
  access: ignored(record.access),
  nodeCount: ignored(record.nodeCount),
  edgeCount: ignored(record.edgeCount),
  createdAt: ignored(record.createdAt),
  updatedAt: ignored(record.updatedAt)
}
export const expectedVersion = optionalInteger({
  ...LARGE,
  minimum: 1,
  description:
    'The version that the change is based on. If it differs from the stored version, the response is 409 `version-conflict`.',
  examples: [1]
})

/**
 * Returns a schema for GraphContent, or for null if there is no content. Handlers receive PreparedContent instead
 * (graph/content/body.ts).
 */
function optionalContent(description: string) {
  return Type.Optional(
    Type.Unsafe<PreparedContent | null>({ anyOf: [ref(GraphContent), { type: 'null' }], description })
  )
}

export const GraphCreate = closedComponent(
  'GraphCreate',
  'A new graph. The id must be absent or null; otherwise, the response is 400 `graph-id-exists`.',
  {
    // The route refuses an id with a specific error code.
    id: ignored(Id),
    ...writable,
    key: newKey,
    defaultView: ignored(DefaultView),
    version: ignored(Version),
    content: optionalContent('The content, which can also be added later.'),
    message,
    owner,
    ...maintained
  }
)
export type GraphCreate = Static<typeof GraphCreate>

export const GraphUpdate = closedComponent(
  'GraphUpdate',
  'The new state of a graph. Absent fields are reset, except for the content and the default view.',
  {
    id: Id,
    ...writable,
    shared: Type.Optional(
      Type.Boolean({
        ...shared,
        description: `${shared.description} If absent, a request by the owner makes the graph private, and requests by others leave this setting unchanged.`
      })
    ),
    key: ignored(Key),
    defaultView: newDefaultView,
    version: expectedVersion,
    content: optionalContent('If absent, the stored content is kept. Null removes it.'),
    message,
    owner,
    ...maintained
  }
)
export type GraphUpdate = Static<typeof GraphUpdate>

export const GraphPatch = closedComponent(
  'GraphPatch',
  'Changes to a graph (JSON Merge Patch, RFC 7396). Absent fields stay the same; null removes a field.',
  {
    name: Type.Optional(Name),
    type: Type.Optional(nullable(Kind)),
    description: Type.Optional(nullable(Description)),
    tags: Type.Optional(nullable(Tags)),
    shared: Type.Optional(Type.Boolean(shared)),
    key: newKey,
    defaultView: newDefaultView,
    owner: Type.Optional({ ...Login, description: 'The login of the new owner, to transfer the graph.' }),
    version: expectedVersion,
    message,
    id: ignored(Id),
    ...maintained
  }
)
export type GraphPatch = Static<typeof GraphPatch>

export const GraphCopy = closedComponent('GraphCopy', 'The version to copy, and the name of the copy.', {
  name: Type.Optional({
    ...Name,
    description: 'The name of the copy; by default, `Copy of` and the name of the graph.'
  }),
  version: Type.Optional({ ...Version, description: 'The version to copy; by default, the current one.' })
})

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

/** The query for fetching a single graph. */
export const GraphQuery = closed({
  content: Type.Optional(
    Type.Boolean({ description: 'Whether to include the content; true by default.', examples: [false] })
  )
})

export const graphFilters = {
  type: optionalText({ maxLength: 64, description: 'Only graphs of this type.', examples: ['LINE'] }),
  owner: optionalText({ maxLength: 64, description: 'Only graphs owned by this user.', examples: ['ada'] }),
  shared: Type.Optional(Type.Boolean({ description: 'Only shared graphs (true), or only private ones (false).' })),
  access: Type.Optional(
    oneOf(accesses, {
      description: 'Only graphs for which the caller has exactly this right.',
      examples: ['WRITE']
    })
  ),
  tags: optionalText({
    maxLength: MAX_TAGS * 65 - 1,
    description: 'Only graphs with all of these comma-separated tags.',
    examples: ['chemistry,2026']
  }),
  q: optionalText({
    maxLength: 255,
    description: 'Only graphs with this text in their name or description. Case and accents are ignored.',
    examples: ['misérables']
  })
}
export type GraphFilter = Static<ReturnType<typeof Type.Object<typeof graphFilters>>>
