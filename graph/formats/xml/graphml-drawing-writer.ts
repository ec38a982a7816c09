import { type Style, styleOf } from '../../../picture/model/styles.ts'
import type { Edge, Node } from '../../../schemas/graph-content.ts'
import { escapeXml, xmlAttributes } from '../shared/xml.ts'

/** The yEd shapes that have a different name, or no name, elsewhere. */
const YED_SHAPES = ['trapezoid', 'trapezoid2', 'rectangle3d', 'star5', 'star6', 'star8', 'fatarrow', 'fatarrow2']

/** Returns data with the position, style and label of a node for yEd, or an empty string if it has no style. */
export function nodeDrawing({ label, x, y, metadata }: Node): string {
  const style = styleOf('node', metadata)
  if (!style) return ''
  const { size: width, height = width, shape } = style
  const own = metadata?.shape
  const type = typeof own === 'string' && YED_SHAPES.includes(own) ? own : shape?.replace('-', '')
  const corner = x === undefined || y === undefined ? {} : { x: x - (width ?? 0) / 2, y: 0 - y - (height ?? 0) / 2 }
  return drawing('yn', 'ShapeNode', [
    ['Geometry', { width, height, ...corner }],
    ['Fill', { color: colourOf(style) }],
    ['Shape', { type: type === 'vee' ? undefined : type }],
    ['NodeLabel', {}, label]
  ])
}

/** Returns yEd data with the style and label of an edge, or an empty string if the edge has no style. */
export function edgeDrawing({ label, directed, metadata }: Edge, isDirected: boolean): string {
  const style = styleOf('edge', metadata)
  if (!style) return ''
  const { thickness: width, shape } = style
  const type = shape === 'dashed' || shape === 'dotted' ? shape : undefined
  return drawing('ye', 'PolyLineEdge', [
    ['LineStyle', { color: colourOf(style), type, width }],
    ['Arrows', { source: 'none', target: (directed ?? isDirected) ? 'standard' : 'none' }],
    ['EdgeLabel', {}, label]
  ])
}

function drawing(
  key: string,
  name: string,
  parts: [name: string, attributes: Record<string, string | number | undefined>, text?: string | undefined][]
) {
  const inside = parts.map(([part, attributes, text]) => {
    const start = `<y:${part}${xmlAttributes(attributes)}`
    if (text !== undefined) return `${start}>${escapeXml(text)}</y:${part}>`
    return Object.values(attributes).some((value) => value !== undefined) ? `${start}/>` : ''
  })
  return `<data key="${key}"><y:${name}>${inside.join('')}</y:${name}></data>`
}

/** Returns the colour as `#rrggbb`, or `#rrggbbaa` if it is not opaque. */
function colourOf({ color, alpha = 1 }: Style) {
  const opacity = Math.round(alpha * 255)
  return color !== undefined && opacity < 255 ? color + opacity.toString(16).padStart(2, '0') : color
}
