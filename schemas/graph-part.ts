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

/** The number of nodes in a subgraph: default and maximum. */
export const DEFAULT_NODES = 1000
const MAX_NODES = 100_000

/** The maximum number of starting nodes per request. */
const MAX_CENTRES = 1000

export const directions = ['out', 'in', 'both'] as const
export type Direction = (typeof directions)[number]

const directionOptions = {
  description:
    'The direction in which to follow directed edges: from source to target (`out`), from target to source (`in`), or both. Undirected edges are always followed.',
  examples: ['out']
}
const nodeId = Type.String({ minLength: 1, maxLength: 255, description: 'The id of a node.', examples: ['a'] })
const depth = `The maximum number of steps from these nodes, ${DEFAULT_DEPTH} by default.`
const limit = `The maximum number of nodes, ${DEFAULT_NODES} by default. The search is breadth-first.`

/**
 * The name of a format. An unknown name results in 406 instead of a validation error. OpenAPI cannot distinguish two JSON
 * formats by media type, so this is a parameter.
 */
const format = optionalText({
  maxLength: 32,
  shown: oneOf(
    writableFormatNames.filter((name) => name !== 'node-link'),
    {
      description: 'The name of a file format to return instead of GraphContent, including `node-link`.',
      examples: ['graphml']
    }
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
  'A request for the part of a graph around some of its nodes.',
  {
    nodes: Type.Array(nodeId, {
      minItems: 1,
      maxItems: MAX_CENTRES,
      description: 'The ids of the nodes to start from.',
      examples: [['a', 'b']]
    }),
    depth: optionalInteger({ minimum: 0, maximum: MAX_DEPTH, description: depth, examples: [1] }),
    direction: Type.Optional(oneOf(directions, directionOptions)),
    limit: optionalInteger({ minimum: 1, maximum: MAX_NODES, description: limit, examples: [100] })
  }
)
export type SubgraphQuestion = Static<typeof SubgraphQuestion>

const Count = (description: string, examples: number[]) => Type.Integer({ ...LARGE, minimum: 0, description, examples })

export const AttributeValue = component('AttributeValue', 'A value of an attribute and its frequency.', {
  value: Type.Unknown({ description: 'The value: a string, number or boolean.', examples: ['enzyme'] }),
  count: Count('The number of elements with this value.', [12])
})

export const attributeTypes = ['string', 'number', 'boolean', 'object', 'array', 'null', 'mixed'] as const

export const AttributeSummary = component('AttributeSummary', 'An attribute of nodes or edges.', {
  name: Type.String({
    description:
      'A field of the elements, such as `label`, or a metadata key. A metadata key with the name of a field has the prefix `metadata.`.',
    examples: ['kind']
  }),
  type: oneOf(attributeTypes, {
    description: 'The JSON type of the values; `mixed` if there are several.',
    examples: ['string']
  }),
  count: Count('The number of elements with this attribute.', [77]),
  values: Type.Optional(
    Type.Array(ref(AttributeValue), {
      description:
        'The values, most frequent first, at most 20. Absent if there are more than 100 distinct values, or values other than numbers, booleans and strings of up to 255 characters.'
    })
  )
})
export type AttributeSummary = Static<typeof AttributeSummary>

export const ComponentSummary = component('ComponentSummary', 'The connected components.', {
  count: Count('The number of connected components, ignoring directions.', [1]),
  largest: Count('The number of nodes in the largest component.', [77])
})

export const DegreeSummary = component(
  'DegreeSummary',
  'Statistics of the number of edges per node, counting loops twice. All values are 0 for a graph without nodes.',
  {
    min: Count('The smallest.', [1]),
    median: Type.Number({ description: 'The median.', examples: [6] }),
    p90: Count('The 90th percentile: the smallest number that at least 90% of the nodes do not exceed.', [12]),
    max: Count('The largest.', [36]),
    mean: Type.Number({ description: 'The mean.', examples: [6.5974] })
  }
)

export const AttributeSummaries = component(
  'AttributeSummaries',
  'The attributes of the elements: first the fields, then the metadata keys in order of appearance.',
  {
    nodes: Type.Array(ref(AttributeSummary), { description: 'The attributes of nodes, at most 200.' }),
    edges: Type.Array(ref(AttributeSummary), { description: 'The attributes of edges, at most 200.' })
  }
)

export const GraphSummary = component('GraphSummary', 'An overview of a graph, without its elements.', {
  nodeCount: Count('The number of nodes.', [77]),
  edgeCount: Count('The number of edges.', [254]),
  components: ref(ComponentSummary),
  degree: ref(DegreeSummary),
  attributes: ref(AttributeSummaries)
})
export type GraphSummary = Static<typeof GraphSummary>
