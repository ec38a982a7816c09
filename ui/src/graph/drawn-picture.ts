import type { Drawing } from './drawing.ts'
import type { Paper } from './drawing-labels.ts'
import { BORDER } from './drawing-settings.ts'
import { ARROW, arrowLength } from './edge-ink.ts'
import { curveOf, cut, type Point, ringOf } from './edge-shapes.ts'
import { at, type Network } from './network.ts'
import type { LegendRow, Picture } from './picture.ts'
import { placesOf } from './places.ts'

/** Returns what the drawing shows at the moment, with this legend. */
export function pictureOf(
  drawing: Drawing,
  network: Network,
  title: string,
  { background, ink }: Paper,
  legend: LegendRow[]
): Picture {
  const { sigma, bends } = drawing
  const { width, height } = sigma.getDimensions()
  const places = placesOf(sigma, network)
  const nodes = places.flatMap((place, index) => {
    if (!place) return []
    const { x, y, size, color: colour } = place
    // Large drawings have nodes without borders.
    const border = bends ? BORDER : 0
    return [{ x, y, radius: size - border, border, colour, name: drawing.labelOf(index) }]
  })
  const labels = drawing.labelled
  const edges: Picture['edges'] = []
  const rings: Picture['rings'] = []
  for (const index of edgesByDepth(drawing, network)) {
    const [from, to] = [places[at(network.source, index)], places[at(network.target, index)]]
    const look = drawing.edgeLook(index)
    if (!from || !to || !look) continue
    const bend = bends?.[index] ?? 0
    if (from === to) {
      // Large drawings have no loops.
      if (bends) rings.push({ ...ringOf(from, bend), ...look })
      continue
    }
    const hasArrow = bends !== undefined && network.directed[index] === 1
    const whole = curveOf(from, to, bend)
    const visible = Math.hypot(to.x - from.x, to.y - from.y) - from.size - to.size
    const length = hasArrow ? arrowLength(look.width, to.size, visible) : 0
    // An arrow ends at the border of its node, and the line where the arrow begins.
    const curve = hasArrow ? cut(whole, to.size + length) : whole
    const arrow = length > 0 ? arrowOf(curve.to, to, length) : undefined
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

/** The corners of an arrow of this length that points to the centre of a node. */
function arrowOf(base: Point, to: Point, length: number): [Point, Point, Point] {
  const distance = Math.hypot(to.x - base.x, to.y - base.y) || 1
  const [x, y] = [(to.x - base.x) / distance, (to.y - base.y) / distance]
  const half = (length * ARROW.wideness) / 2
  const side = (sign: number) => ({ x: base.x - sign * y * half, y: base.y + sign * x * half })
  return [{ x: base.x + x * length, y: base.y + y * length }, side(1), side(-1)]
}
