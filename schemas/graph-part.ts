import { type Static, Type } from '@sinclair/typebox'
import { writableFormatNames } from './graph-file.ts'
import {
  closed,
  closedComponent,
  component,
  digits,
  LARGE,
  oneOf,
  optionalInteger,
  optionalText,
  ref
} from './types.ts'

/** The maximum number of steps from the requested nodes. */
export const MAX_DEPTH = 5
export const DEFAULT_DEPTH = 1

/** The number of nodes in a subgraph: the default, and the maximum. */
export const DEFAULT_NODES = 1000
const MAX_NODES = 100_000

/** The maximum number of nodes to start from in one request. */
const MAX_CENTRES = 1000

export const directions = ['out', 'in', 'both'] as const
export type Direction = (typeof directions)[number]

const directionOptions = {
  description:
    'Follows directed edges from source to target (`out`), from target to source (`in`), or in both directions. Undirected edges are always followed.',
  examples: ['out']
}
const nodeId = Type.String({ minLength: 1, maxLength: 255, description: 'The id of a node.', examples: ['a'] })
const depth = `The most steps from these nodes, ${DEFAULT_DEPTH} by default.`
const limit = `The most nodes, ${DEFAULT_NODES} by default: those that are found first, breadth first.`

/**
 * The name of a format. Unknown names are not a validation error, but lead to 406. OpenAPI cannot distinguish two kinds of JSON.
 */
const format = optionalText({
  maxLength: 32,
  shown: oneOf(
    writableFormatNames.filter((name) => name !== 'node-link'),
    { description: 'The name of a format, instead of GraphContent; `node-link` as well.', examples: ['graphml'] }
  )
})

export const SubgraphQuery = closed({
  node: nodeId,
  depth: Type.Optional(digits(0, MAX_DEPTH, { description: depth, examples: ['1'] })),
  direction: Type.Optional(oneOf(directions, directionOptions)),
  limit: Type.Optional(digits(1, MAX_NODES, { description: limit, examples: ['100'] })),
  format
})

export const SubgraphFormat = closed({ format })

export const SubgraphQuestion = closedComponent(
  'SubgraphQuestion',
  'Asks for the part of a graph that is near some of its nodes.',
  {
    nodes: Type.Array(nodeId, {
      minItems: 1,
      maxItems: MAX_CENTRES,
      description: 'The ids of the nodes to begin with.',
      examples: [['a', 'b']]
    }),
    depth: optionalInteger({ minimum: 0, maximum: MAX_DEPTH, description: depth, examples: [1] }),
    direction: Type.Optional(oneOf(directions, directionOptions)),
    limit: optionalInteger({ minimum: 1, maximum: MAX_NODES, description: limit, examples: [100] })
  }
)
export type SubgraphQuestion = Static<typeof SubgraphQuestion>

const Count = (description: string, examples: number[]) => Type.Integer({ ...LARGE, minimum: 0, description, examples })

export const AttributeValue = component('AttributeValue', 'A value of an attribute, and how often it occurs.', {
  value: Type.Unknown({ description: 'The value: a text, a number or a boolean.', examples: ['enzyme'] }),
  count: Count('The number of elements that have it.', [12])
})

export const attributeTypes = ['string', 'number', 'boolean', 'object', 'array', 'null', 'mixed'] as const

export const AttributeSummary = component('AttributeSummary', 'An attribute of nodes or edges.', {
  name: Type.String({
    description:
      'A field of the elements, such as `label`, or a key of their metadata; after `metadata.` if it is also the name of a field.',
    examples: ['kind']
  }),
  type: oneOf(attributeTypes, {
    description: 'The JSON type of its values; `mixed` for several.',
    examples: ['string']
  }),
  count: Count('The number of elements that have it.', [77]),
  values: Type.Optional(
    Type.Array(ref(AttributeValue), {
      description:
        'Its values, the most frequent first, at most 20; absent if there are more than 100 different ones, or other than texts up to 255 characters, numbers and booleans.'
    })
  )
})
export type AttributeSummary = Static<typeof AttributeSummary>

export const ComponentSummary = component('ComponentSummary', 'The connected components.', {
  count: Count('The number of connected components; directions do not count.', [1]),
  largest: Count('The number of nodes of the largest one.', [77])
})

export const DegreeSummary = component(
  'DegreeSummary',
  'The numbers of edges at a node, a loop counting twice; all 0 for a graph without nodes.',
  {
    min: Count('The smallest.', [1]),
    median: Type.Number({ description: 'The median.', examples: [6] }),
    p90: Count('The smallest number that 90 % of the nodes do not exceed.', [12]),
    max: Count('The largest.', [36]),
    mean: Type.Number({ description: 'The mean.', examples: [6.5974] })
  }
)

export const AttributeSummaries = component(
  'AttributeSummaries',
  'The attributes of the elements, the fields first, then the keys of metadata as they come.',
  {
    nodes: Type.Array(ref(AttributeSummary), { description: 'Those of nodes, at most 200.' }),
    edges: Type.Array(ref(AttributeSummary), { description: 'Those of edges, at most 200.' })
  }
)

export const GraphSummary = component('GraphSummary', 'The shape of a graph, without its elements.', {
  nodeCount: Count('The number of nodes.', [77]),
  edgeCount: Count('The number of edges.', [254]),
  components: ref(ComponentSummary),
  degree: ref(DegreeSummary),
  attributes: ref(AttributeSummaries)
})
export type GraphSummary = Static<typeof GraphSummary>
