import { parseColour } from '../../../picture/model/colours.ts'
import { lineStyleOf } from '../../../picture/model/shapes.ts'
import { numberOf } from '../shared/text.ts'

/** Values from the drawing of an element. */
export interface Drawn {
  label?: string
  x?: number
  y?: number
  /** The style, by attribute. */
  style?: Map<string, unknown>
}

/** The yFiles elements that contain the text of a label. */
const LABELS = ['NodeLabel', 'EdgeLabel', 'Label.Text']

/** Matches data that begins with a yFiles element. */
const YFILES = /^\s*<(?:y|yjs):|^\s*<[^>]*yworks\.com/

/** The number of characters of data to search for its first element. */
const HEAD = 1000

/** Returns whether the data is a drawing by yFiles, as indicated by its key or its first element. */
export function isDrawing(data: string, isDrawn: boolean | undefined) {
  return isDrawn === true || YFILES.test(data.slice(0, HEAD))
}

/** The attributes that are kept, by element. Everything else is dropped. */
const KEPT = new Map<string, readonly string[]>(
  Object.entries({
    Geometry: ['x', 'y', 'width', 'height', 'X', 'Y', 'Width', 'Height'],
    RectD: ['X', 'Y', 'Width', 'Height'],
    Fill: ['color', 'hasColor', 'transparent'],
    Shape: ['type'],
    LineStyle: ['color', 'type', 'width'],
    ShapeNodeStyle: ['fill', 'shape'],
    RectangleNodeStyle: ['fill'],
    PolylineEdgeStyle: ['stroke'],
    'PolylineEdgeStyle.stroke': [],
    Stroke: ['fill', 'thickness', 'dashStyle'],
    GraphMLReference: ['ResourceKey'],
    // The usual arrows are implied by the direction of the edge.
    Arrows: ['source', 'target'],
    SharedData: [],
    ShapeNode: [],
    PolyLineEdge: [],
    NodeLabel: [],
    EdgeLabel: [],
    List: [],
    Label: ['Text'],
    'Label.Text': []
  })
)

/** The length of the longest name of a shape, in characters. */
const LONGEST_NAME = 40

/** Reads the first label, the position and the style from the elements of a yFiles drawing. */
export class Drawing {
  readonly #open: string[] = []
  /** The styles that several elements share, by key. */
  readonly #shared = new Map<string, Map<string, unknown>>()
  #text = ''
  #isLossy = false

  /** Returns whether something was dropped since the last call. */
  takeLoss() {
    const isLossy = this.#isLossy
    this.#isLossy = false
    return isLossy
  }

  open(name: string, attributes: Record<string, string>, drawn: Drawn) {
    this.#keepLabel(drawn)
    const kept = KEPT.get(name)
    const isKept = (attribute: string) => kept?.includes(attribute) || /^xmlns|:/.test(attribute)
    const isOther =
      name === 'Arrows' && (attributes.source !== 'none' || !/^(?:standard|none)$/.test(attributes.target ?? ''))
    if (!kept || isOther || !Object.keys(attributes).every(isKept)) this.#isLossy = true
    const style = new Map(this.#styleIn(name, attributes))
    const key = Object.keys(attributes).find((attribute) => /^\w+:Key$/.test(attribute))
    if (key !== undefined) this.#shared.set(attributes[key] as string, style)
    const shared = name === 'GraphMLReference' ? this.#shared.get(attributes.ResourceKey ?? '') : undefined
    for (const [part, value] of shared ?? style) {
      drawn.style ??= new Map()
      if (!drawn.style.has(part)) drawn.style.set(part, value)
    }
    this.#open.push(name)
    if ((name === 'Geometry' || name === 'RectD') && drawn.x === undefined) {
      const { left, top, width = 0, height = 0 } = boxOf(attributes)
      if (left !== undefined && top !== undefined) {
        drawn.x = left + width / 2
        // In yFiles, y increases downwards.
        drawn.y = 0 - (top + height / 2)
      }
    } else if (name === 'Label' && attributes.Text !== undefined) drawn.label ??= attributes.Text
    this.#text = ''
  }

  *#styleIn(name: string, attributes: Record<string, string>): Generator<[string, unknown]> {
    const { color, hasColor, fill, shape, type, width, stroke, thickness, dashStyle } = attributes
    if (name === 'Geometry' || name === 'RectD') {
      const box = boxOf(attributes)
      if (box.width !== undefined) yield ['size', box.width]
      if (box.height !== undefined && box.height !== box.width) yield ['height', box.height]
    } else if (name === 'Fill' && hasColor !== 'false') yield* this.#colour(color, false)
    else if (name === 'Shape') yield* this.#shape(type)
    else if (name === 'LineStyle') {
      if (hasColor !== 'false') yield* this.#colour(color, false)
      yield* this.#line(width, type)
    } else if (name.endsWith('NodeStyle')) {
      yield* this.#colour(fill)
      yield* this.#shape(shape)
    } else if (name.endsWith('EdgeStyle')) {
      // For example `2px dashed #FF663800`.
      for (const word of stroke?.slice(0, 100).split(/\s+/) ?? []) {
        const number = /^([\d.]+)(?:px)?$/.exec(word)?.[1]
        if (number !== undefined || lineStyleOf(word))
          yield* this.#line(number, number === undefined ? word : undefined)
        else yield* this.#colour(word)
      }
    } else if (name === 'Stroke' && this.#open.at(-1)?.endsWith('EdgeStyle.stroke')) {
      yield* this.#colour(fill)
      yield* this.#line(thickness, dashStyle)
    }
  }

  /** Yields a colour. yEd writes the opacity after the colour, and yFiles for HTML before it. */
  *#colour(text: string | undefined, isHtml = true): Generator<[string, unknown]> {
    if (text === undefined) return
    const colour = parseColour(isHtml ? text.replace(/^#([\da-f]{2})([\da-f]{6})$/i, '#$2$1') : text)
    if (!colour) this.#isLossy = true
    else {
      yield ['color', colour.hex]
      if (colour.alpha !== 1) yield ['alpha', colour.alpha]
    }
  }

  *#shape(text: string | undefined): Generator<[string, unknown]> {
    if (text !== undefined && text.length <= LONGEST_NAME) yield ['shape', text.toLowerCase().replaceAll('_', '-')]
  }

  *#line(width: string | undefined, style: string | undefined): Generator<[string, unknown]> {
    const thickness = numberOf(width ?? '')
    if (thickness !== undefined) yield ['thickness', thickness]
    if (lineStyleOf(style) !== 'solid') yield* this.#shape(style)
  }

  text(text: string) {
    this.#text += text
  }

  close(drawn: Drawn) {
    this.#keepLabel(drawn)
    this.#open.pop()
  }

  /** Keeps the text read so far if it belongs to a label. */
  #keepLabel(drawn: Drawn) {
    const text = this.#text.trim()
    if (text !== '' && LABELS.includes(this.#open.at(-1) ?? '')) drawn.label ??= text
  }
}

function boxOf({
  x,
  y,
  width,
  height,
  X = x,
  Y = y,
  Width = width,
  Height = height
}: Record<string, string | undefined>): Partial<Record<'left' | 'top' | 'width' | 'height', number | undefined>> {
  const [left, top, across, down] = [X, Y, Width, Height].map((text) => numberOf(text ?? ''))
  return { left, top, width: across, height: down }
}
