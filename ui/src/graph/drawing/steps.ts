import type { Point } from '../../../../picture/edges/shapes.ts'
import { type Network, neighboursOf } from '../network/network.ts'
import type { Place } from './places.ts'

/** The tangent of 60 degrees. */
const WIDENESS = Math.sqrt(3)

/**
 * Returns the next node in a direction, given as a unit vector in pixels: the nearest neighbour within 60 degrees of the
 * direction, or else the nearest node of all within that angle. Returns undefined if there is none.
 */
export function nextInDirection(
  network: Network,
  places: readonly (Place | undefined)[],
  from: number,
  direction: Point
): number | undefined {
  const start = places[from]
  if (!start) return undefined
  const distanceTo = (node: number) => {
    const place = places[node]
    if (!place || node === from) return undefined
    const [x, y] = [place.x - start.x, place.y - start.y]
    const along = x * direction.x + y * direction.y
    const across = Math.abs(x * direction.y - y * direction.x)
    return along > 0 && across <= along * WIDENESS ? Math.hypot(x, y) : undefined
  }
  return nearestOf(neighboursOf(network, from), distanceTo) ?? nearestOf(places.keys(), distanceTo)
}

/** Returns the visible node nearest to a point. */
export function nodeNear(places: readonly (Place | undefined)[], { x, y }: Point): number | undefined {
  return nearestOf(places.keys(), (node) => {
    const place = places[node]
    return place && Math.hypot(place.x - x, place.y - y)
  })
}

function nearestOf(nodes: Iterable<number>, distanceTo: (node: number) => number | undefined): number | undefined {
  let [nearest, least]: [number | undefined, number] = [undefined, Number.POSITIVE_INFINITY]
  for (const node of nodes) {
    const distance = distanceTo(node)
    if (distance !== undefined && distance < least) [nearest, least] = [node, distance]
  }
  return nearest
}
