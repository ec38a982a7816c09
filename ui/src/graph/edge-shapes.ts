import { at, type Network } from './network.ts'
import type { Place } from './places.ts'

// How edges are drawn: as lines, as curves, and from a node to itself as rings. All in pixels of the drawing.

export interface Point {
  x: number
  y: number
}

/** A quadratic Bézier curve; with its control point in the middle, a line. */
export interface Curve {
  from: Point
  control: Point
  to: Point
}

/** The curve of an edge that bends so far, as `bendsOf` tells. */
export function curveOf(from: Point, to: Point, bend: number): Curve {
  const control = {
    x: (from.x + to.x) / 2 + (to.y - from.y) * bend,
    y: (from.y + to.y) / 2 - (to.x - from.x) * bend
  }
  return { from, control, to }
}

/** The ring of an edge that has so many within it. */
export function ringOf({ x, y, size }: Point & { size: number }, within: number) {
  const radius = size * (0.9 + 0.4 * within)
  return { x, y: y - size * 0.1 - radius, radius }
}

/** The first part of the curve, by de Casteljau's algorithm. */
function part({ from, control, to }: Curve, length: number): Curve {
  const first = between(from, control, length)
  return { from, control: first, to: between(first, between(control, to, length), length) }
}

/** The curve up to where it comes so near to its end. */
export function cut(curve: Curve, distance: number): Curve {
  let length = 0.5
  for (let step = 0.25; step > 0.001; step /= 2) {
    length += distanceOf(part(curve, length).to, curve.to) > distance ? step : -step
  }
  return part(curve, length)
}

/** So many lines are as good as a curve, to measure by. */
const LINES = 16

/** Nobody aims at a hairline: so near to an edge is at it. */
const REACH = 6

/** The edge that is nearest to the point, if it is near. Without bends edges are lines, and loops are not drawn. */
export function edgeAt(
  { edges, source, target }: Network,
  places: readonly (Place | undefined)[],
  bends: Float32Array | undefined,
  point: Point
): number | undefined {
  let [nearest, least]: [number | undefined, number] = [undefined, REACH]
  for (let edge = 0; edge < edges.length; edge++) {
    const [from, to] = [places[at(source, edge)], places[at(target, edge)]]
    if (!from || !to || (from === to && !bends)) continue
    const bend = bends?.[edge] ?? 0
    const distance =
      from === to ? distanceToRing(point, ringOf(from, bend)) : distanceToCurve(point, curveOf(from, to, bend))
    if (distance < least) [nearest, least] = [edge, distance]
  }
  return nearest
}

/** How far the point is from the curve; infinitely where that is beyond reach. */
function distanceToCurve(point: Point, curve: Curve): number {
  const { from, control, to } = curve
  const isNear = (axis: 'x' | 'y') =>
    point[axis] > Math.min(from[axis], control[axis], to[axis]) - REACH &&
    point[axis] < Math.max(from[axis], control[axis], to[axis]) + REACH
  if (!isNear('x') || !isNear('y')) return Number.POSITIVE_INFINITY
  let [least, start] = [Number.POSITIVE_INFINITY, from]
  for (let line = 1; line <= LINES; line++) {
    const end = part(curve, line / LINES).to
    least = Math.min(least, distanceToLine(point, start, end))
    start = end
  }
  return least
}

/** How far the point is from the line between these two. */
function distanceToLine(point: Point, from: Point, to: Point): number {
  const [x, y] = [to.x - from.x, to.y - from.y]
  const place = ((point.x - from.x) * x + (point.y - from.y) * y) / (x * x + y * y || 1)
  return distanceOf(point, between(from, to, Math.min(Math.max(place, 0), 1)))
}

/** How far the point is from the ring. */
function distanceToRing(point: Point, ring: ReturnType<typeof ringOf>): number {
  return Math.abs(distanceOf(point, ring) - ring.radius)
}

function between(one: Point, other: Point, part: number): Point {
  return { x: one.x + (other.x - one.x) * part, y: one.y + (other.y - one.y) * part }
}

function distanceOf(one: Point, other: Point): number {
  return Math.hypot(one.x - other.x, one.y - other.y)
}
