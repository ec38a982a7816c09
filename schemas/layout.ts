import { type Static, Type } from '@sinclair/typebox'
import { Version } from './graph.ts'
import { closed, component, oneOf } from './types.ts'

/** The layout algorithms that clients can choose. */
export const layoutAlgorithms = ['force', 'circle', 'grid', 'layers'] as const
export type LayoutAlgorithm = (typeof layoutAlgorithms)[number]

/** `own` means that the positions are part of the content. */
export type PlacedBy = LayoutAlgorithm | 'own'

export const LayoutQuery = closed({
  algorithm: Type.Optional(
    oneOf(layoutAlgorithms, {
      description:
        "The algorithm. If absent, the content's own positions are returned if all nodes have one, otherwise the `force` layout.",
      examples: ['force']
    })
  )
})

/** The OpenAPI document omits the types of the items, since few client generators support tuples. */
const position = Type.Unsafe<[id: string, x: number, y: number]>({
  type: 'array',
  items: {},
  minItems: 3,
  maxItems: 3,
  description: 'The id, x and y of a node. The y axis points up.',
  examples: [['Valjean', 12.5, -3]]
})

/** The positions of a graph's nodes. */
export const GraphLayout = component('GraphLayout', "The positions of a graph's nodes.", {
  algorithm: oneOf([...layoutAlgorithms, 'own'], {
    description: 'The algorithm that computed the positions, or `own` if they are part of the content.',
    examples: ['force']
  }),
  settled: Type.Boolean({
    description:
      'Whether the layout ended because the nodes no longer moved. If false, it reached the maximum number of steps.',
    examples: [true]
  }),
  version: Version,
  positions: Type.Array(position, { description: 'The positions, in the order of the nodes.' })
})
export type GraphLayout = Static<typeof GraphLayout>
