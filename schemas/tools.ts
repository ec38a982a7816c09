import { type Static, Type } from '@sinclair/typebox'
import { DiffDigest } from './diff.ts'
import { attributeTypes, DEFAULT_DEPTH, directions, MAX_DEPTH } from './graph-part.ts'
import { MAX_SEARCH_TEXT } from './search.ts'
import { MAX_TAGS } from './tag.ts'
import { closed, MAX_INTEGER, oneOf, optionalText, TEXT } from './types.ts'

// The arguments and results of the tools that `POST /mcp` offers to agents.

/** The maximum numbers of graphs per page of `search_graphs`, and of elements per graph. */
export const TOOL_PAGE = 10
export const TOOL_MATCHES = 5

const text = (maxLength: number, description: string) => Type.String({ maxLength, pattern: TEXT, description })
const integer = (minimum: number, maximum: number, description: string) =>
  Type.Integer({ minimum, maximum, description })
const count = (description: string) => Type.Integer({ minimum: 0, description })

const graph = Type.Union([integer(1, MAX_INTEGER, 'The id of the graph.'), text(128, 'Its id, or its key.')], {
  description: 'The id of the graph, or the key of a graph of your own.'
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

/** The maximum numbers of nodes in the results of `find_nodes` and `get_subgraph`. */
const TOOL_NODES = 50
const TOOL_SUBGRAPH = 500

const cut = (description: string) => optionalText({ description: `${description}; a long one is cut off.` })
const metadata = cut('Its metadata as JSON')

const Match = Type.Object({
  kind: oneOf(['node', 'edge']),
  id: optionalText({ description: 'Its id; absent for an edge without one.' }),
  label: cut('Its label'),
  pointer: Type.String({ description: 'Its place in the content, a JSON Pointer as a fragment.' })
})

export const SearchGraphs = {
  input: closed({
    query: text(MAX_SEARCH_TEXT, 'The words to search for; all of them must be there. The last may be a beginning.'),
    type: Type.Optional(text(64, 'Only graphs of this type.')),
    owner: Type.Optional(text(64, 'Only graphs of the user with this login.')),
    tags: Type.Optional(
      Type.Array(text(64, 'A tag.'), { maxItems: MAX_TAGS, description: 'Only graphs with all of these tags.' })
    ),
    cursor: Type.Optional(text(1024, 'The `nextCursor` of the page before; absent for the first page.'))
  }),
  output: Type.Object({
    graphs: Type.Array(
      Type.Object({
        graph: Graph,
        matches: Type.Array(Match, { description: 'The first nodes and edges with the words.' })
      })
    ),
    nextCursor: optionalText({ description: 'For the next page; absent on the last one.' }),
    isIndexComplete: Type.Boolean({
      description: 'Whether the search knows all graphs; false for a time after an upgrade.'
    })
  })
}

const Attribute = Type.Object({
  name: Type.String(),
  type: oneOf(attributeTypes),
  count: count('The number of elements that have it.'),
  values: Type.Optional(
    Type.Array(Type.Object({ value: Type.String(), count: Type.Integer() }), {
      description: 'The most frequent values, as JSON; absent if there are many different ones.'
    })
  )
})

export const DescribeGraph = {
  input: closed({ graph }),
  output: Type.Object({
    graph: Graph,
    versions: count('The number of versions that are kept, with the current one.'),
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
    sample: Type.Array(Type.Object({ id: Type.String(), label: cut('Its label'), metadata }), {
      description: 'The first nodes.'
    })
  })
}

export const FindNodes = {
  input: closed({
    graph,
    query: text(MAX_SEARCH_TEXT, 'The words to search for. The last may be a beginning.'),
    limit: Type.Optional(integer(1, TOOL_NODES, 'The most nodes, 20 by default.'))
  }),
  output: Type.Object({
    graph: Type.Integer(),
    nodes: Type.Array(
      Type.Object({
        id: Type.String(),
        label: cut('Its label'),
        pointer: Type.String({ description: 'Its place in the content, a JSON Pointer as a fragment.' }),
        metadata
      })
    ),
    truncated: Type.Boolean({ description: 'Whether more nodes have words of the query.' })
  })
}

export const GetSubgraph = {
  input: closed({
    graph,
    nodes: Type.Array(Type.String({ minLength: 1, maxLength: 255, pattern: TEXT }), {
      minItems: 1,
      maxItems: 100,
      description: 'The ids of the nodes to begin with.'
    }),
    depth: Type.Optional(integer(0, MAX_DEPTH, `The most steps from these nodes, ${DEFAULT_DEPTH} by default.`)),
    direction: Type.Optional(
      oneOf(directions, { description: 'The direction in which directed edges are followed, `both` by default.' })
    ),
    limit: Type.Optional(integer(1, TOOL_SUBGRAPH, 'The most nodes, 100 by default: the nearest.'))
  }),
  output: Type.Object({
    graph: Type.Integer(),
    nodes: Type.Array(Type.Object({ id: Type.String(), label: cut('Its label'), metadata })),
    edges: Type.Array(
      Type.Object({
        id: Type.Optional(Type.String()),
        source: Type.String(),
        target: Type.String(),
        directed: Type.Boolean(),
        relation: Type.Optional(Type.String()),
        label: cut('Its label'),
        metadata
      })
    ),
    leftOut: Type.Object(
      { nodes: Type.Integer(), edges: Type.Integer() },
      { description: 'The numbers of nodes and edges within the same distance that the answer leaves out.' }
    )
  })
}

export const CompareVersions = {
  input: closed({
    graph,
    from: version('The first version; by default the one before the second.'),
    to: version('The second version; by default the current one.')
  }),
  output: Type.Object({
    graph: Type.Integer(),
    from: count('The first version; 0 for the time before the graph was created.'),
    to: count('The second version.'),
    ...DiffDigest.properties
  })
}
