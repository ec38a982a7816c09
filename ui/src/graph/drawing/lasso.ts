import type { Point } from '../../../../picture/edges/shapes.ts'

/** Returns whether the point lies within the polygon, by the number of sides that a ray to the left crosses. */
export function isInside(polygon: readonly Point[], { x, y }: Point): boolean {
  let isIn = false
  let before = polygon.at(-1)
  for (const corner of polygon) {
    if (before && corner.y > y !== before.y > y) {
      const crossing = before.x + ((y - before.y) / (corner.y - before.y)) * (corner.x - before.x)
      if (crossing < x) isIn = !isIn
    }
    before = corner
  }
  return isIn
}
