import { curveOf, type Disc, type Point, ringOf } from '../edges/shapes.ts'
import type { Box } from '../layout/label-boxes.ts'
import type { LabelPlaces } from '../layout/label-places.ts'
import type { Size } from '../layout/pack-boxes.ts'
import { at, type Network } from '../model/network.ts'
import { shorten } from './paper.ts'

/** The maximum number of labels to draw, and of edges to measure for them. */
const [DRAWN, TRIED] = [200, 3000]

/** The space that a label leaves free on its edge, in pixels. */
const MARGIN = 12

/** The label of an edge: its text, where its baseline starts, and its angle. */
export interface EdgeLabel extends Point {
  text: string
  /** In radians, clockwise. */
  angle: number
}

/** The size of the font, in pixels, and the width of a text in it. */
export interface Font {
  size: number
  widthOf(text: string): number
}

/**
 * Places the labels that fit along their edges without collisions. Edges that are too short for their labels have none, so the web
 * app shows more labels as the user zooms in. `free` are the places that the labels of nodes leave.
 */
export function placeEdgeLabels(
  { source, target }: Network,
  places: readonly (Disc | undefined)[],
  bends: Float32Array | undefined,
  edges: Iterable<number>,
  labelOf: (edge: number) => string,
  font: Font,
  { width, height }: Size,
  free: LabelPlaces
): EdgeLabel[] {
  const labels: EdgeLabel[] = []
  let tried = 0
  for (const edge of edges) {
    const [from, to] = [places[at(source, edge)], places[at(target, edge)]]
    if (!from || !to) continue
    const line = lineOf(from, to, bends?.[edge] ?? 0)
    if (line.x < 0 || line.x > width || line.y < 0 || line.y > height) continue
    const text = shorten(labelOf(edge).trim())
    if (text === '') continue
    if (++tried > TRIED || labels.length >= DRAWN) break
    const length = font.widthOf(text)
    if (length + MARGIN > line.length || !free.takeAll(boxesAlong(line, length, font.size + 2))) continue
    const { right, down } = towardsMiddle(line.angle, length, font.size)
    labels.push({ text, angle: line.angle, x: line.x - right, y: line.y - down })
  }
  return labels
}

/** Returns the label in another size, moved with its edge, if it fits there without collisions. `move` moves a point of the edge. */
export function resizedEdgeLabel<Turned extends EdgeLabel>(
  label: Turned,
  [before, after]: [Font, Font],
  move: (middle: Point) => Point,
  free: LabelPlaces
): Turned | undefined {
  const { angle, text } = label
  const from = towardsMiddle(angle, before.widthOf(text), before.size)
  const middle = move({ x: label.x + from.right, y: label.y + from.down })
  const length = after.widthOf(text)
  if (!free.takeAll(boxesAlong({ ...middle, angle }, length, after.size + 2))) return
  const to = towardsMiddle(angle, length, after.size)
  return { ...label, x: middle.x - to.right, y: middle.y - to.down }
}

/** Returns the distances from where a label's baseline starts to its middle. */
function towardsMiddle(angle: number, length: number, size: number) {
  const [right, down] = [Math.cos(angle), Math.sin(angle)]
  return { right: (right * length) / 2 + (down * size) / 3, down: (down * length) / 2 - (right * size) / 3 }
}

/** Returns the middle of an edge, its angle there, between -90 and 90 degrees, and the length between its nodes. */
function lineOf(from: Disc, to: Disc, bend: number) {
  if (from === to) {
    const { x, y, radius } = ringOf(from, bend)
    return { x, y: y - radius, angle: 0, length: Number.POSITIVE_INFINITY }
  }
  const { control } = curveOf(from, to, bend)
  const [right, down] = [to.x - from.x, to.y - from.y]
  const angle = Math.atan2(down, right)
  return {
    x: (from.x + 2 * control.x + to.x) / 4,
    y: (from.y + 2 * control.y + to.y) / 4,
    // Turns text that would be upside down.
    angle: Math.abs(angle) > Math.PI / 2 ? angle - Math.sign(angle) * Math.PI : angle,
    length: Math.hypot(right, down) - from.size - to.size
  }
}

/** Returns upright boxes that together cover a sloping label. */
function boxesAlong(line: { x: number; y: number; angle: number }, width: number, height: number): Box[] {
  const [right, down] = [Math.cos(line.angle), Math.sin(line.angle)]
  const count = Math.abs(down) < 0.05 ? 1 : Math.ceil(width / height)
  const part = width / count
  const [half, tall] = [(Math.abs(right) * part) / 2, (Math.abs(down) * part + Math.abs(right) * height) / 2]
  const wide = half + (Math.abs(down) * height) / 2
  return Array.from({ length: count }, (_, index) => {
    const along = (index + 0.5) * part - width / 2
    const [x, y] = [line.x + right * along, line.y + down * along]
    return { left: x - wide, right: x + wide, top: y - tall, bottom: y + tall }
  })
}
