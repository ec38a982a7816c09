import { type Static, Type } from '@sinclair/typebox'
import { DiffDigest } from './diff.ts'
import { attributeTypes, DEFAULT_DEPTH, directions, MAX_DEPTH } from './graph-part.ts'
import { MAX_SEARCH_TEXT } from './search.ts'
import { MAX_TAGS } from './tag.ts'
import { closed, MAX_INTEGER, oneOf, optionalText, TEXT } from './types.ts'

// The arguments and results of the tools that `POST /mcp` offers to agents.

/** The maximum number of graphs per page of `search_graphs`, and of elements per graph. */
export const TOOL_PAGE = 10
export const TOOL_MATCHES = 5

const text = (maxLength: number, description: string) => Type.String({ maxLength, pattern: TEXT, description })
const integer = (minimum: number, maximum: number, description: string) =>
  Type.Integer({ minimum, maximum, description })
const count = (description: string) => Type.Integer({ minimum: 0, description })

const graph = Type.Union([integer(1, MAX_INTEGER, 'The id of the graph.'), text(128, 'The id or key of the graph.')], {
  description: 'The id of the graph, or the key of one of your own graphs.'
})
const version = (description: string) => Type.Optional(integer(1, MAX_INTEGER, description))

const Graph = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String(),
    key: Type.Optional(Type.String()),
    type: Type.Optional(Type.String()),
    description: Type.Optional(Type.String()),
    tags: Type.Optional(Type.Array(Type.String())),
    shared: Type.Boolean(),
    owner: Type.String(),
    access: oneOf(['OWNER', 'WRITE', 'READ']),
    version: Type.Integer(),
    nodeCount: Type.Integer(),
    edgeCount: Type.Integer(),
    createdAt: Type.String(),
    updatedAt: Type.String()
  },
  { description: 'The record of a graph, without its nodes and edges.' }
)
export type ToolGraph = Static<typeof Graph>

/** The maximum number of nodes in the results of `find_nodes` and `get_subgraph`. */
const TOOL_NODES = 50
const TOOL_SUBGRAPH = 500

const cut = (description: string) => optionalText({ description: `${description}; truncated if long.` })
const metadata = cut('The metadata as JSON')

const Match = Type.Object({
  kind: oneOf(['node', 'edge']),
  id: optionalText({ description: 'The id; absent for an edge without an id.' }),
  label: cut('The label'),
  pointer: Type.String({ description: 'The location in the content, as a JSON Pointer in a URI fragment.' })
})

export const SearchGraphs = {
  input: closed({
    query: text(
      MAX_SEARCH_TEXT,
      'The words to search for. A graph must contain all of them; the last can be a prefix.'
    ),
    type: Type.Optional(text(64, 'Only graphs of this type.')),
    owner: Type.Optional(text(64, 'Only graphs of the user with this login.')),
    tags: Type.Optional(
      Type.Array(text(64, 'A tag.'), { maxItems: MAX_TAGS, description: 'Only graphs with all of these tags.' })
    ),
    cursor: Type.Optional(text(1024, 'The `nextCursor` of the previous page; absent for the first page.'))
  }),
  output: Type.Object({
    graphs: Type.Array(
      Type.Object({
        graph: Graph,
        matches: Type.Array(Match, { description: 'The first matching nodes and edges.' })
      })
    ),
    nextCursor: optionalText({ description: 'The cursor of the next page; absent on the last page.' }),
    isIndexComplete: Type.Boolean({
      description: 'Whether the search covers all graphs; false for some time after an upgrade.'
    })
  })
}

const Attribute = Type.Object({
  name: Type.String(),
  type: oneOf(attributeTypes),
  count: count('The number of elements with this attribute.'),
  values: Type.Optional(
    Type.Array(Type.Object({ value: Type.String(), count: Type.Integer() }), {
      description: 'The most frequent values, as JSON; absent if there are many distinct values.'
    })
  )
})

export const DescribeGraph = {
  input: closed({ graph }),
  output: Type.Object({
    graph: Graph,
    versions: count('The number of versions that are kept, including the current one.'),
    components: Type.Object({ count: Type.Integer(), largest: Type.Integer() }),
    degree: Type.Object({
      min: Type.Integer(),
      median: Type.Number(),
      p90: Type.Integer(),
      max: Type.Integer(),
      mean: Type.Number()
    }),
    nodeAttributes: Type.Array(Attribute, { description: 'The first attributes of nodes.' }),
    edgeAttributes: Type.Array(Attribute, { description: 'The first attributes of edges.' }),
    sample: Type.Array(Type.Object({ id: Type.String(), label: cut('The label'), metadata }), {
      description: 'The first nodes.'
    })
  })
}

export const FindNodes = {
  input: closed({
    graph,
    query: text(MAX_SEARCH_TEXT, 'The words to search for. The last can be a prefix.'),
    limit: Type.Optional(integer(1, TOOL_NODES, 'The maximum number of nodes, 20 by default.'))
  }),
  output: Type.Object({
    graph: Type.Integer(),
    nodes: Type.Array(
      Type.Object({
        id: Type.String(),
        label: cut('The label'),
        pointer: Type.String({ description: 'The location in the content, as a JSON Pointer in a URI fragment.' }),
        metadata
      })
    ),
    truncated: Type.Boolean({ description: 'Whether more nodes match the query.' })
  })
}

export const GetSubgraph = {
  input: closed({
    graph,
    nodes: Type.Array(Type.String({ minLength: 1, maxLength: 255, pattern: TEXT }), {
      minItems: 1,
      maxItems: 100,
      description: 'The ids of the nodes to start from.'
    }),
    depth: Type.Optional(
      integer(0, MAX_DEPTH, `The maximum number of steps from these nodes, ${DEFAULT_DEPTH} by default.`)
    ),
    direction: Type.Optional(
      oneOf(directions, { description: 'The direction in which to follow directed edges, `both` by default.' })
    ),
    limit: Type.Optional(
      integer(1, TOOL_SUBGRAPH, 'The maximum number of nodes, 100 by default; the nearest are returned.')
    )
  }),
  output: Type.Object({
    graph: Type.Integer(),
    nodes: Type.Array(Type.Object({ id: Type.String(), label: cut('The label'), metadata })),
    edges: Type.Array(
      Type.Object({
        id: Type.Optional(Type.String()),
        source: Type.String(),
        target: Type.String(),
        directed: Type.Boolean(),
        relation: Type.Optional(Type.String()),
        label: cut('The label'),
        metadata
      })
    ),
    leftOut: Type.Object(
      { nodes: Type.Integer(), edges: Type.Integer() },
      { description: 'The number of nodes and edges within the same distance that were omitted.' }
    )
  })
}

export const CompareVersions = {
  input: closed({
    graph,
    from: version('The first version; by default, the one before the second.'),
    to: version('The second version; by default, the current one.')
  }),
  output: Type.Object({
    graph: Type.Integer(),
    from: count('The first version; 0 for the state before the graph was created.'),
    to: count('The second version.'),
    ...DiffDigest.properties
  })
}
