import { type Order, orderOf } from './order-values.ts'
import type { Measures, Placed } from './placed.ts'

/** The minimum distance between nodes in the grid, in pixels. */
const GAP = 6

/** Places the nodes in rows that fill the drawing, in order of value, starting at the top left. */
export function grid({ radii, space, ...order }: Measures & Order): Placed {
  const count = radii.length
  const positions = new Float64Array(count * 2)
  const columns = Math.min(count, Math.max(1, Math.round(Math.sqrt((count * space.width) / space.height))))
  const least = radii.reduce((most, radius) => Math.max(most, radius), 0) * 2 + GAP
  const wide = Math.max(least, space.width / columns)
  const high = Math.max(least, space.height / Math.ceil(count / columns))
  for (const [rank, node] of orderOf(order).entries()) {
    positions.set([(rank % columns) * wide, -Math.floor(rank / columns) * high], node * 2)
  }
  return { positions }
}
