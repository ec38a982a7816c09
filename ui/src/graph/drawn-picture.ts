import type { Drawing } from './drawing.ts'
import { type Paper, shorten } from './drawing-labels.ts'
import { ARROW, shownWidthOf, thicknessOf } from './drawing-settings.ts'
import { type Curve, curveOf, cut, type Point, ringOf } from './edge-shapes.ts'
import { at, type Network } from './network.ts'
import type { LegendRow, Picture } from './picture.ts'
import { placesOf } from './places.ts'

/** Returns what the drawing shows at the moment, with this legend. */
export function pictureOf(
  drawing: Drawing,
  network: Network,
  title: string,
  { background, ink, edge: usual }: Paper,
  legend: LegendRow[]
): Picture {
  const { sigma, bends } = drawing
  const { width, height } = sigma.getDimensions()
  const places = placesOf(sigma, network)
  const nodes = places.flatMap((place, index) => {
    if (!place) return []
    const { x, y, size: radius, color: colour } = place
    return [{ x, y, radius, colour, name: drawing.labelOf(index) }]
  })
  const labels = drawing.labelled.flatMap(({ node, isBold }) => {
    const place = places[node]
    return place ? [{ x: place.x + place.size + 3, y: place.y + 14 / 3, text: shorten(place.label), isBold }] : []
  })
  const edges: Picture['edges'] = []
  const rings: Picture['rings'] = []
  for (const index of edgesByDepth(drawing, network)) {
    const [from, to] = [places[at(network.source, index)], places[at(network.target, index)]]
    if (!from || !to) continue
    const display = sigma.getEdgeDisplayData(String(index))
    const size = sigma.scaleSize(display?.size ?? 1)
    const look = { colour: display?.color ?? usual, width: shownWidthOf(size) }
    const bend = bends?.[index] ?? 0
    if (from === to) {
      // Large drawings have no loops.
      if (bends) rings.push({ ...ringOf(from, bend), ...look })
      continue
    }
    const hasArrow = bends !== undefined && network.directed[index] === 1
    const whole = curveOf(from, to, bend)
    const length = thicknessOf(size) * ARROW.lengthToThicknessRatio
    // An arrow ends at the border of its node, and the line where the arrow begins.
    const curve = hasArrow ? cut(whole, to.size + length) : whole
    const arrow = hasArrow
      ? arrowOf(cut(whole, to.size), length, ARROW.widenessToThicknessRatio * thicknessOf(size))
      : undefined
    edges.push({ from: curve.from, to: curve.to, control: bend === 0 ? undefined : curve.control, arrow, ...look })
  }
  return { width, height, title, background, ink, edges, rings, nodes, labels, legend }
}

/** The edges in the order in which they are drawn: those in the foreground last. */
function edgesByDepth({ sigma }: Drawing, { edges }: Network): number[] {
  const depthOf = (edge: number) => sigma.getEdgeDisplayData(String(edge))?.zIndex ?? 0
  const [back, front]: [number[], number[]] = [[], []]
  for (const edge of edges.keys()) (depthOf(edge) > 0 ? front : back).push(edge)
  return [...back, ...front]
}

/** The corners of an arrow at the end of a curve. */
function arrowOf({ control, to }: Curve, length: number, width: number): [Point, Point, Point] {
  const distance = Math.hypot(to.x - control.x, to.y - control.y) || 1
  const [x, y] = [(to.x - control.x) / distance, (to.y - control.y) / distance]
  const base = { x: to.x - x * length, y: to.y - y * length }
  const side = (sign: number) => ({ x: base.x - (sign * y * width) / 2, y: base.y + (sign * x * width) / 2 })
  return [to, side(1), side(-1)]
}
