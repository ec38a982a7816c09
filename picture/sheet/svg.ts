import type { Point } from '../edges/shapes.ts'
import { corners, dashesOf, type LineStyle, type Shape } from '../model/shapes.ts'
import { LEGEND, legendLayout } from './legend.ts'
import { familyOf, LABEL_SIZE, LEADER } from './paper.ts'
import type { Picture } from './picture.ts'
import { bandOf, TITLE, titleOf } from './title.ts'

/**
 * Returns the picture as SVG 1.1, with node names as titles. Its parts are groups, which Inkscape shows as layers. With a number of
 * units per centimetre, its size is in centimetres.
 */
export function svgOf(picture: Picture, unitsPerCm?: number): string {
  const { width, height, title, background, ink, edges, rings, squares = [], nodes, labels } = picture
  const { labelSize = LABEL_SIZE } = picture
  const band = bandOf(picture)
  const [across, down] = [width, height + band].map((size) => (unitsPerCm ? `${n(size / unitsPerCm)}cm` : n(size)))
  const lines = edges.map(({ from, to, control, colour, width, opacity, style, arrow }) => {
    const way = control ? `Q${point(control)} ` : 'L'
    const head = arrow
      ? `<path d="M${arrow.map(point).join('L')}z" fill="${xml(colour)}" fill-opacity="${n(opacity)}"/>`
      : ''
    return `<path d="M${point(from)}${way}${point(to)}" stroke="${xml(colour)}" stroke-width="${n(width)}" stroke-opacity="${n(opacity)}"${dashes(style, width)}/>${head}`
  })
  const loops = rings.map(
    ({ x, y, radius, colour, width, opacity, style }) =>
      `<circle cx="${n(x)}" cy="${n(y)}" r="${n(radius)}" stroke="${xml(colour)}" stroke-width="${n(width)}" stroke-opacity="${n(opacity)}"${dashes(style, width)}/>`
  )
  const areas = squares.map(
    ({ colour, side, corners }) =>
      `<path d="${corners.map((corner) => `M${point(corner)}h${n(side)}v${n(side)}h${n(-side)}z`).join('')}" fill="${xml(colour)}"/>`
  )
  const circleOf = ({ x, y, radius, border, colour, name, shape, opacity = 1 }: Picture['nodes'][number]) => {
    const size = radius + border / 2
    const fill = `fill="${xml(colour)}"${opacity < 1 ? ` fill-opacity="${n(opacity)}"` : ''}`
    const look = `${fill} stroke-width="${n(border)}"><title>${xml(name)}</title>`
    const path = outlineOf(shape, { x, y }, size)
    return path
      ? `<path d="${path}" ${look}</path>`
      : `<circle cx="${n(x)}" cy="${n(y)}" r="${n(size)}" ${look}</circle>`
  }
  const groupOf = (name: string, circles: Picture['nodes']) =>
    `<g ${layer(name)} stroke="${background}">\n${circles.map(circleOf).join('\n')}\n</g>\n`
  const faded = nodes.filter(({ isFaded }) => isFaded)
  const texts = labels.map(
    ({ x, y, text, isBold, angle, scale = 1 }) =>
      `<text x="${n(x)}" y="${n(y)}"${scale !== 1 ? ` font-size="${n(labelSize * scale)}"` : ''}${isBold ? ' font-weight="600"' : ''}${angle ? ` transform="rotate(${n((angle * 180) / Math.PI)} ${n(x)} ${n(y)})"` : ''}>${xml(text)}</text>`
  )
  const leaders = labels.flatMap(({ leader }) => (leader ? [leader] : []))
  return `<?xml version="1.0" encoding="UTF-8"?>
<svg xmlns="http://www.w3.org/2000/svg" xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape" width="${across}" height="${down}" viewBox="0 ${n(-band)} ${n(width)} ${n(height + band)}">
<title>${xml(title)}</title>
<rect id="background" y="${n(-band)}" width="100%" height="100%" fill="${background}"/>
${areas.map((area) => `${area}\n`).join('')}${faded.length > 0 ? groupOf('Faded', faded) : ''}<g ${layer('Edges')} fill="none">
${[...lines, ...loops].join('\n')}
</g>
${groupOf(
  'Nodes',
  nodes.filter(({ isFaded }) => !isFaded)
)}${leaders.length > 0 ? leadersOf(leaders, picture) : ''}<g ${layer('Labels')} font-family="${familyOf(picture.font)}" font-size="${n(labelSize)}" fill="${ink}" stroke="${background}" stroke-width="3.5" stroke-linejoin="round" paint-order="stroke">
${texts.join('\n')}
</g>
${legendOf(picture)}${headingOf(picture)}</svg>
`
}

/** Returns thin lines with a margin, so that they stand out from edges, and the dots where they begin. */
function leadersOf(leaders: [Point, Point][], { ink, background }: Picture): string {
  const path = leaders.map((leader) => `M${leader.map(point).join('L')}`).join('')
  const dots = leaders.map(([{ x, y }]) => `<circle cx="${n(x)}" cy="${n(y)}" r="${LEADER.dot}" fill="${ink}"/>`)
  return `<g ${layer('Leaders')} fill="none"><path d="${path}" stroke="${background}" stroke-width="${LEADER.margin}"/><path d="${path}" stroke="${ink}"/>${dots.join('')}</g>
`
}

function headingOf(picture: Picture): string {
  if (!picture.isTitled) return ''
  return `<text id="title" x="${TITLE.left}" y="${-TITLE.above}" font-family="${familyOf(picture.font)}" font-size="${TITLE.size}" font-weight="700" fill="${picture.ink}">${xml(titleOf(picture))}</text>
`
}

function legendOf({ legend, legendAt, height, background, ink, edgeSample = ink, font }: Picture): string {
  if (legend.length === 0) return ''
  const { box, rows } = legendLayout(legend, height, legendAt)
  const lines = rows.flatMap(({ x, y, text, isTitle, swatch, disc, stroke, ramp }) => [
    ...(swatch ? [swatchOf(swatch)] : []),
    ...(disc
      ? [`<circle cx="${n(disc.x)}" cy="${n(disc.y)}" r="${n(disc.radius)}" fill="none" stroke="${ink}"/>`]
      : []),
    ...(stroke
      ? [`<path d="M${point(stroke)}h${stroke.length}" stroke="${edgeSample}" stroke-width="${n(stroke.width)}"/>`]
      : []),
    ...ramp.map(
      ({ x, y, width, height, colour }) =>
        `<rect x="${n(x)}" y="${n(y)}" width="${n(width)}" height="${n(height)}" fill="${xml(colour)}"/>`
    ),
    `<text x="${n(x)}" y="${n(y)}"${isTitle ? ' font-weight="700"' : ''}>${xml(text)}</text>`
  ])
  return `<g ${layer('Legend')} font-family="${familyOf(font)}" font-size="${LEGEND.size}" fill="${ink}">
<rect x="${n(box.x)}" y="${n(box.y)}" width="${n(box.width)}" height="${n(box.height)}" rx="${LEGEND.corner}" fill="${background}" stroke="${LEGEND.border}"/>
${lines.join('\n')}
</g>
`
}

/** Returns the attributes that make a group a layer in Inkscape. */
function layer(name: string) {
  return `id="${name.toLowerCase()}" inkscape:groupmode="layer" inkscape:label="${name}"`
}

function swatchOf({ x, y, size, colour, shape, line }: NonNullable<LegendSwatch>): string {
  const half = size / 2
  if (line) {
    return `<path d="M${point({ x, y: y + half })}h${size}" stroke="${xml(colour)}" stroke-width="2.5"${dashes(line, 1)}/>`
  }
  const path = outlineOf(shape, { x: x + half, y: y + half }, half)
  return path
    ? `<path d="${path}" fill="${xml(colour)}"/>`
    : `<rect x="${n(x)}" y="${n(y)}" width="${size}" height="${size}" rx="${half}" fill="${xml(colour)}"/>`
}

type LegendSwatch = ReturnType<typeof legendLayout>['rows'][number]['swatch']

/** Returns the path of a shape with corners, or undefined for ellipses. */
function outlineOf(shape: Shape | undefined, { x, y }: Point, size: number): string | undefined {
  const points = shape && corners[shape]?.map(([right, down]) => ({ x: x + right * size, y: y + down * size }))
  return points && `M${points.map(point).join('L')}z`
}

/** Returns the attribute that draws a line with gaps, or an empty string for other styles. */
function dashes(style: LineStyle | undefined, width: number) {
  const lengths = dashesOf(style, width)
  return lengths.length > 0 ? ` stroke-dasharray="${lengths.map(n).join(' ')}"` : ''
}

function point({ x, y }: Point) {
  return `${n(x)} ${n(y)}`
}

/** Rounds a number to two decimal places, beyond which differences are not visible. */
function n(value: number) {
  return Number.isFinite(value) ? Math.round(value * 100) / 100 : 0
}

/** Escapes text for XML 1.0 and replaces characters that XML does not allow. */
function xml(text: string) {
  return text
    .replace(/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu, '\u{FFFD}')
    .replace(/[<>&"]/g, (character) => `&#${character.charCodeAt(0)};`)
}
