import type { Paper } from './drawing-labels.ts'
import type { Point } from './edge-shapes.ts'

/** The contents of a picture, with positions and sizes in its units, from the upper left corner. */
export interface Picture {
  width: number
  height: number
  title: string
  /** Edges, with the control point of a quadratic Bézier curve if they bend. */
  edges: { from: Point; to: Point; control: Point | undefined; colour: string; width: number; isDirected: boolean }[]
  /** Loops. */
  rings: { x: number; y: number; radius: number; colour: string; width: number }[]
  nodes: { x: number; y: number; radius: number; colour: string; name: string; isLabelled: boolean }[]
}

/** The picture as SVG 1.1, with the names of nodes as titles. */
export function svgOf({ width, height, title, edges, rings, nodes }: Picture, { background, ink }: Paper): string {
  const lines = edges.map(({ from, to, control, colour, width, isDirected }) => {
    const way = control ? `Q${n(control.x)} ${n(control.y)} ` : 'L'
    const marker = isDirected ? ' marker-end="url(#arrow)"' : ''
    return `<path d="M${n(from.x)} ${n(from.y)}${way}${n(to.x)} ${n(to.y)}" stroke="${xml(colour)}" stroke-width="${n(width)}"${marker}/>`
  })
  const loops = rings.map(
    ({ x, y, radius, colour, width }) =>
      `<circle cx="${n(x)}" cy="${n(y)}" r="${n(radius)}" stroke="${xml(colour)}" stroke-width="${n(width)}"/>`
  )
  const circles = nodes.map(
    ({ x, y, radius, colour, name }) =>
      `<circle cx="${n(x)}" cy="${n(y)}" r="${n(radius)}" fill="${xml(colour)}"><title>${xml(name)}</title></circle>`
  )
  const labels = nodes
    .filter(({ isLabelled }) => isLabelled)
    .map(({ x, y, radius, name }) => `<text x="${n(x + radius + 3)}" y="${n(y + 5)}">${xml(name)}</text>`)
  return `<?xml version="1.0" encoding="UTF-8"?>
<svg xmlns="http://www.w3.org/2000/svg" width="${n(width)}" height="${n(height)}" viewBox="0 0 ${n(width)} ${n(height)}">
<title>${xml(title)}</title>
<defs><marker id="arrow" viewBox="0 0 10 10" refX="10" refY="5" markerWidth="5" markerHeight="5" orient="auto"><path d="M0 0 10 5 0 10z" fill="context-stroke"/></marker></defs>
<rect width="100%" height="100%" fill="${background}"/>
<g fill="none">
${[...lines, ...loops].join('\n')}
</g>
<g>
${circles.join('\n')}
</g>
<g font-family="system-ui, sans-serif" font-size="14" fill="${ink}" stroke="${background}" stroke-width="3" stroke-linejoin="round" paint-order="stroke">
${labels.join('\n')}
</g>
</svg>
`
}

/** A number with two decimals, finer than visible. */
function n(value: number) {
  return Number.isFinite(value) ? Math.round(value * 100) / 100 : 0
}

/** Escapes text for XML 1.0, without the characters that XML cannot have. */
function xml(text: string) {
  return text
    .replace(/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu, '\u{FFFD}')
    .replace(/[<>&"]/g, (character) => `&#${character.charCodeAt(0)};`)
}
