import { at, type Network } from '../model/network.ts'

// The shapes of edges: lines, curves, and rings for loops. All dimensions are in pixels of the drawing.

export interface Point {
  x: number
  y: number
}

/** A node as drawn: its centre and radius. */
export interface Disc extends Point {
  size: number
}

/** A quadratic Bézier curve. It is a straight line if its control point is the midpoint. */
interface Curve {
  from: Point
  control: Point
  to: Point
}

/** Returns the curve of an edge with this bend, as returned by `bendsOf`. */
export function curveOf(from: Point, to: Point, bend: number): Curve {
  const control = {
    x: (from.x + to.x) / 2 + (to.y - from.y) * bend,
    y: (from.y + to.y) / 2 - (to.x - from.x) * bend
  }
  return { from, control, to }
}

/** Returns the ring of a loop that encloses `within` other loops. */
export function ringOf({ x, y, size }: Disc, within: number) {
  const radius = size * (0.9 + 0.4 * within)
  return { x, y: y - size * 0.1 - radius, radius }
}

/** Returns the first part of the curve, using de Casteljau's algorithm. */
function part({ from, control, to }: Curve, length: number): Curve {
  const first = between(from, control, length)
  return { from, control: first, to: between(first, between(control, to, length), length) }
}

/** Returns the curve shortened by this distance at its end. */
export function cut(curve: Curve, distance: number): Curve {
  let length = 0.5
  for (let step = 0.25; step > 0.001; step /= 2) {
    length += distanceOf(part(curve, length).to, curve.to) > distance ? step : -step
  }
  return part(curve, length)
}

/** The number of line segments that approximate a curve when distances are measured. */
const LINES = 16

/** The maximum distance at which the mouse pointer hits an edge. */
const REACH = 6

/**
 * Returns the nearest visible edge within reach of the point. If `bends` is undefined, all edges are straight lines and loops are
 * not drawn.
 */
export function edgeAt(
  { edges, source, target }: Network,
  places: readonly (Disc | undefined)[],
  bends: Float32Array | undefined,
  point: Point,
  hidden?: Uint8Array
): number | undefined {
  let [nearest, least]: [number | undefined, number] = [undefined, REACH]
  for (let edge = 0; edge < edges.length; edge++) {
    const [from, to] = [places[at(source, edge)], places[at(target, edge)]]
    if (!from || !to || (from === to && !bends) || hidden?.[edge] === 1) continue
    const bend = bends?.[edge] ?? 0
    const distance =
      from === to ? distanceToRing(point, ringOf(from, bend)) : distanceToCurve(point, curveOf(from, to, bend))
    if (distance < least) [nearest, least] = [edge, distance]
  }
  return nearest
}

/** Returns the distance from the point to the curve, or Infinity if it is out of reach. */
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

/** Returns the distance from the point to a line segment. */
function distanceToLine(point: Point, from: Point, to: Point): number {
  const [x, y] = [to.x - from.x, to.y - from.y]
  const place = ((point.x - from.x) * x + (point.y - from.y) * y) / (x * x + y * y || 1)
  return distanceOf(point, between(from, to, Math.min(Math.max(place, 0), 1)))
}

/** Returns the distance from the point to the ring. */
function distanceToRing(point: Point, ring: ReturnType<typeof ringOf>): number {
  return Math.abs(distanceOf(point, ring) - ring.radius)
}

function between(one: Point, other: Point, part: number): Point {
  return { x: one.x + (other.x - one.x) * part, y: one.y + (other.y - one.y) * part }
}

function distanceOf(one: Point, other: Point): number {
  return Math.hypot(one.x - other.x, one.y - other.y)
}
