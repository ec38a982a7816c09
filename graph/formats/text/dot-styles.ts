import { hexOf } from '../../../picture/model/colours.ts'
import { lineStyleOf, shapeOf } from '../../../picture/model/shapes.ts'
import { styleOf, styleValue } from '../../../picture/model/styles.ts'

/** The Graphviz shapes that have an equivalent in other formats. */
const SHAPES = [
  'ellipse',
  'circle',
  'oval',
  'box',
  'rect',
  'rectangle',
  'square',
  'triangle',
  'diamond',
  'hexagon',
  'octagon',
  'parallelogram'
]
/** Graphviz's names for shapes whose usual names it does not support. */
const OTHERS: Record<string, string> = { 'round-rectangle': 'box', vee: 'invtriangle' }

/** Returns Graphviz's name for a shape, or undefined if Graphviz supports this name or the shape is unknown. */
export function dotShape(name: unknown): string | undefined {
  const shape = shapeOf(name)
  if (shape === undefined || SHAPES.includes(name as string)) return undefined
  return OTHERS[shape] ?? shape
}

/** Yields the attributes that make Graphviz fill a node with its colour. */
export function* fillOf(metadata: Record<string, unknown> = {}): Generator<[string, unknown]> {
  const { color, style, fillcolor } = metadata
  if (style !== undefined || fillcolor !== undefined || hexOf(color) === undefined) return
  yield ['style', 'filled']
  yield ['fillcolor', color]
}

/** Yields the size of a node in inches, unless its metadata already has Graphviz's `width`. */
export function* inchesOf(metadata: Record<string, unknown> = {}): Generator<[string, unknown]> {
  const { size, height = size } = styleOf('node', metadata) ?? {}
  if (size === undefined || height === undefined || metadata.width !== undefined) return
  yield ['width', inches(size)]
  yield ['height', inches(height)]
}

/** Returns a size in inches. There are 72 pixels to the inch. */
export function inches(size: number) {
  return Math.round((size / 72) * 10_000) / 10_000
}

/** Yields the attributes that make Graphviz draw a line with the given width and style. */
export function* lineOf(metadata: Record<string, unknown> = {}): Generator<[string, unknown]> {
  const { thickness, penwidth, shape, style } = metadata
  if (penwidth === undefined && styleValue('edge', 'thickness', thickness) !== undefined) yield ['penwidth', thickness]
  const line = lineStyleOf(shape)
  if (style === undefined && line !== undefined && line !== 'double') yield ['style', line]
}
