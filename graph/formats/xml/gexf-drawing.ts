import { mayHaveStyle, styleOf } from '../../../picture/model/styles.ts'
import { isNull, numberOf } from '../shared/text.ts'
import { xmlAttributes } from '../shared/xml.ts'

// GEXF's viz module: colours, sizes, shapes and positions.

/** The content of one `viz:` element. */
export interface Drawing {
  position?: { x: number; y: number; z?: number }
  /** Values by attribute name. */
  values?: Record<string, unknown>
  /** Whether the element states that the position is unknown. */
  isNowhere?: boolean
  /** The reason why the element is invalid. */
  fault?: string
}

/** Reads a position, color, shape, size or thickness element. */
export function readDrawing(name: string, attributes: Record<string, string>): Drawing {
  const number = (key: string) => numberOf(attributes[key]?.trim() ?? '')
  if (name === 'position') {
    const [x, y, z] = ['x', 'y', 'z'].map(number)
    if ([attributes.x, attributes.y].some((text) => text !== undefined && isNoNumber(text))) return { isNowhere: true }
    if (x === undefined || y === undefined) return { fault: 'a position needs numbers for x and y' }
    return { position: { x, y, ...(z !== undefined && { z }) } }
  }
  if (name === 'color') {
    const color = colorOf(attributes)
    const alpha = numberOf(attributes.a ?? '') ?? alphaOf(attributes.hex)
    return {
      values: { ...(color !== undefined && { color }), ...(alpha !== undefined && alpha !== 1 && { alpha }) },
      ...(color === undefined && { fault: 'a color needs r, g and b from 0 to 255, or hex' })
    }
  }
  if (name === 'shape') {
    const { value, uri } = attributes
    return { values: { ...(value !== undefined && { shape: value }), ...(uri !== undefined && { uri }) } }
  }
  const value = number('value')
  return value === undefined ? { fault: `a ${name} needs a number` } : { values: { [name]: value } }
}

/** Returns whether a coordinate is missing. Gephi writes NaN after a layout has failed. */
function isNoNumber(text: string) {
  return isNull(text) || /^[+-]?(?:nan|inf(?:inity)?)?$/i.test(text.trim())
}

/** Returns the colour as `#rrggbb`. Also accepts `#rgb` and ignores the alpha of `#rgba` and `#rrggbbaa`. */
function colorOf({ r, g, b, hex }: Record<string, string>) {
  if (hex !== undefined) {
    const digits = /^#?([0-9a-f]{3,8})$/i.exec(hex.trim())?.[1]?.toLowerCase()
    if (digits?.length === 3 || digits?.length === 4) return `#${digits.slice(0, 3).replace(/./g, '$&$&')}`
    return digits?.length === 6 || digits?.length === 8 ? `#${digits.slice(0, 6)}` : undefined
  }
  const parts = [r, g, b].map((text) => numberOf(text ?? ''))
  if (!parts.every((part) => part !== undefined && part >= 0 && part <= 255)) return undefined
  return `#${parts
    .map((part) =>
      Math.round(part as number)
        .toString(16)
        .padStart(2, '0')
    )
    .join('')}`
}

/** Returns the alpha of `#rgba` or `#rrggbbaa`, from 0 to 1. */
function alphaOf(hex: string | undefined) {
  const [, short, long] = /^#?(?:[0-9a-f]{3}([0-9a-f])|[0-9a-f]{6}([0-9a-f]{2}))$/i.exec(hex?.trim() ?? '') ?? []
  const digits = long ?? (short && short + short)
  return digits === undefined ? undefined : Math.round((Number.parseInt(digits, 16) / 255) * 1000) / 1000
}

const NODE_SHAPES = ['disc', 'square', 'triangle', 'diamond']
const EDGE_SHAPES = ['solid', 'dotted', 'dashed', 'double']
const COLOR = /^#[0-9a-f]{6}$/

/** GEXF's shapes, by their names in styles. */
const SHAPES: Record<string, string> = { ellipse: 'disc', rectangle: 'square' }

const NOTHING = { text: '', names: new Set<string>() }

/**
 * Returns `viz:` elements for the style in the metadata, and the names of the metadata that they fully represent. Other names for
 * a style, such as `fillcolor`, remain attributes as well.
 */
export function drawing(metadata: Record<string, unknown> | undefined, kind: 'node' | 'edge') {
  if (!metadata || !mayHaveStyle(kind, metadata)) return NOTHING
  const names = new Set<string>()
  const { alpha, shape } = metadata
  const style = styleOf(kind, metadata) ?? {}
  let text = ''
  const color = style.color ?? metadata.color
  if (typeof color === 'string' && COLOR.test(color)) {
    const isOwn = color === metadata.color
    const [r, g, b] = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16))
    const hasAlpha = typeof alpha === 'number' && alpha >= 0 && alpha < 1
    text += `<viz:color${xmlAttributes({ r, g, b, a: hasAlpha ? alpha : style.alpha })}/>`
    if (isOwn) names.add('color')
    if (isOwn && hasAlpha) names.add('alpha')
  }
  const measureName = kind === 'node' ? 'size' : 'thickness'
  const measure = style[measureName] ?? metadata[measureName]
  if (typeof measure === 'number' && measure >= 0) {
    text += `<viz:${measureName} value="${measure}"/>`
    if (measure === metadata[measureName]) names.add(measureName)
  }
  const shapes = kind === 'node' ? NODE_SHAPES : EDGE_SHAPES
  const isOwnShape = typeof shape === 'string' && shapes.includes(shape) && metadata['viz:shape'] === undefined
  const drawnShape = isOwnShape ? shape : (SHAPES[style.shape ?? ''] ?? style.shape ?? '')
  if (shapes.includes(drawnShape)) text += `<viz:shape value="${drawnShape}"/>`
  if (isOwnShape) names.add('shape')
  return { text, names }
}
