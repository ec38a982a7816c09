import { type Static, Type } from '@sinclair/typebox'
import { closedComponent, oneOf, ref } from './types.ts'

/** The palettes for categories, for numbers, and for numbers on both sides of a middle. */
export const categoricalNames = ['distinct', 'okabe-ito', 'tol-bright', 'tol-muted'] as const
export const sequentialNames = ['viridis', 'cividis', 'plasma', 'blues'] as const
export const divergingNames = ['blue-red', 'purple-green', 'orange-purple'] as const
const paletteNames = [...categoricalNames, ...sequentialNames, ...divergingNames] as const

const shapeNames = [
  ...['ellipse', 'rectangle', 'round-rectangle', 'triangle', 'diamond'],
  ...['hexagon', 'octagon', 'parallelogram', 'vee']
] as (
  | 'ellipse'
  | 'rectangle'
  | 'round-rectangle'
  | 'triangle'
  | 'diamond'
  | 'hexagon'
  | 'octagon'
  | 'parallelogram'
  | 'vee'
)[]
const scaleNames = ['linear', 'log', 'rank', 'categories'] as const
const lineNames = ['solid', 'dashed', 'dotted'] as const
const decimalNames = ['decimals-0', 'decimals-1', 'decimals-2', 'decimals-3', 'decimals-4'] as const
const numberFormatNames = ['plain', 'grouped', ...decimalNames, 'percent'] as const

/** The maximum number of values that a style lists, and the maximum length of a value and of its name, in characters. */
const MOST_VALUES = 100
const LONGEST_VALUE = 255
const LONGEST_NAME = 100

const colour = (options: object = {}) =>
  Type.String({
    pattern: '^#[0-9a-fA-F]{6}$',
    description: 'A colour as `#rrggbb`.',
    examples: ['#2c886a'],
    ...options
  })

/** Returns the schema of an object whose keys are arbitrary text, such as values of an attribute. */
function byText<T>(schema: object, description: string) {
  return Type.Optional(
    Type.Unsafe<Record<string, T>>({
      type: 'object',
      description,
      maxProperties: MOST_VALUES,
      propertyNames: { maxLength: LONGEST_VALUE },
      additionalProperties: schema
    })
  )
}

const pixels = (minimum: number, maximum: number, which: string) =>
  Type.Number({ minimum, maximum, description: `The ${which} one, in pixels.` })

export const DiameterRange = closedComponent('DiameterRange', 'The smallest and the largest diameter, in pixels.', {
  least: pixels(1, 200, 'smallest'),
  greatest: pixels(1, 200, 'largest')
})
export const WidthRange = closedComponent('WidthRange', 'The smallest and the largest width, in pixels.', {
  least: pixels(0.1, 50, 'smallest'),
  greatest: pixels(0.1, 50, 'largest')
})

const opacity = (of: string) =>
  Type.Optional(Type.Number({ minimum: 0, maximum: 1, description: `The opacity of ${of}.`, examples: [0.8] }))

/** A component, because the Java generator would give both maps of words in a style a class of the same name. */
export const NumberFormat = oneOf(numberFormatNames, {
  $id: 'NumberFormat',
  title: 'NumberFormat',
  description:
    '`plain` has no group separators, `grouped` has them and up to three decimals, and `decimals-2` has two decimals. `percent` shows 0.5 as 50%.',
  examples: ['decimals-2']
})

/** How a view writes the numbers of attributes. */
const formats = byText<(typeof numberFormatNames)[number]>(
  ref(NumberFormat),
  'A number format per attribute, whose key is for example `degree` or `metadata.weight`. Without one, years have no group separators, and the web app decides how to write other numbers.'
)

/** The titles of attributes in the legend. */
const titles = byText<string>(
  Type.String({ maxLength: LONGEST_NAME }),
  'A title per attribute, whose key is for example `degree` or `metadata.weight`. The legend shows it instead of the usual title.'
)

/** The style of the values of the attribute that colours nodes or edges. */
const valueStyle = {
  palette: Type.Optional(
    oneOf(paletteNames, {
      description:
        'The colours of values without a colour of their own: `distinct` (the default) or another categorical palette, or for numbers `viridis` (the default) or another sequential or diverging palette.',
      examples: ['tol-muted']
    })
  ),
  gradient: Type.Optional(
    Type.Array(colour(), {
      minItems: 2,
      maxItems: 3,
      description:
        'The colours of the least number, optionally of the middle, and of the greatest number. They take precedence over the palette. On a linear scale, the middle is at 0 if there are numbers on both sides of it.',
      examples: [['#ffffff', '#2c886a']]
    })
  ),
  scale: Type.Optional(
    oneOf(scaleNames, {
      description:
        'How colours follow from an attribute that contains only numbers: in proportion to the number (`linear`), to its logarithm (`log`, where 0 and negative numbers have the colour of the least positive one) or to its rank (`rank`, where equal numbers share their mean rank), or a colour per number (`categories`). By default, `categories` for group numbers, and `linear` for other numbers.',
      examples: ['log']
    })
  ),
  colours: byText<string>(colour(), 'A colour per value. It stays the same whatever the palette.'),
  paletteColours: byText<string>(
    colour(),
    'The colours that the palette gave to values. They stay the same if the numbers of elements change, until the web app replaces them with those of another palette.'
  ),
  names: byText<string>(
    Type.String({ maxLength: LONGEST_NAME }),
    'A name per value, which the legend shows instead of the value.'
  ),
  order: Type.Optional(
    Type.Array(Type.String({ maxLength: LONGEST_VALUE }), {
      maxItems: MOST_VALUES,
      description:
        'The values that the legend lists first. All others follow by frequency, or in ascending order if all are numbers.'
    })
  )
}

export const NodeStyle = closedComponent('NodeStyle', 'How a view draws nodes.', {
  ...valueStyle,
  formats,
  titles,
  shapes: byText<(typeof shapeNames)[number]>(oneOf(shapeNames), 'A shape per value.'),
  sizes: Type.Optional(ref(DiameterRange)),
  opacity: opacity('nodes')
})

export const EdgeStyle = closedComponent('EdgeStyle', 'How a view draws edges.', {
  ...valueStyle,
  formats,
  titles,
  lines: byText<(typeof lineNames)[number]>(oneOf(lineNames), 'A line style per value.'),
  widths: Type.Optional(ref(WidthRange)),
  opacity: opacity('edges'),
  curvature: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: 1,
      description: 'The distance between the middle of an edge and a straight line, as a multiple of half its length.'
    })
  ),
  arrows: Type.Optional(Type.Boolean({ description: 'Whether directed edges have arrows. True by default.' }))
})

export const LabelStyle = closedComponent('LabelStyle', 'Which labels a view shows, and how.', {
  rule: Type.Optional(
    oneOf(['all', 'important', 'none'], {
      description: 'The labelled nodes: `important` (the default) labels the largest nodes, as far as there is room.'
    })
  ),
  size: Type.Optional(Type.Number({ minimum: 6, maximum: 48, description: 'The font size in pixels.' })),
  bySize: Type.Optional(
    Type.Boolean({
      description:
        'Whether the font size grows with the size of the node: the largest node has a label of twice the font size. False by default.'
    })
  ),
  most: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 1000,
      description: 'The maximum number of nodes with labels, which are the largest ones.',
      examples: [20]
    })
  ),
  font: Type.Optional(
    oneOf(['sans', 'serif'], { description: 'The font of labels, legend and title: `sans` (the default) or `serif`.' })
  )
})

export const LegendStyle = closedComponent('LegendStyle', 'How a view draws its legend.', {
  counts: Type.Optional(
    Type.Boolean({ description: 'Whether the legend shows how many elements have each value. True by default.' })
  )
})

export const Style = closedComponent(
  'Style',
  'How a view draws nodes, edges and labels. Colours, names, order, shapes and lines belong to the values of the attributes that colour nodes and edges. Without a field, the default applies.',
  {
    nodes: Type.Optional(ref(NodeStyle)),
    edges: Type.Optional(ref(EdgeStyle)),
    labels: Type.Optional(ref(LabelStyle)),
    legend: Type.Optional(ref(LegendStyle)),
    background: Type.Optional(
      colour({ description: 'The background as `#rrggbb`. Text becomes dark or light to match.' })
    )
  }
)
export type ViewStyle = Static<typeof Style>
export type PaletteName = (typeof paletteNames)[number]
