import { at } from '../model/network.ts'
import { type Order, orderOf } from './order-values.ts'
import type { Measures, Placed } from './placed.ts'

/** The minimum distance between nodes on the circle, in pixels. */
const GAP = 6

/** Places the nodes on a circle in order of value, clockwise from the top, with more space for larger nodes. */
export function circular({ radii, space, ...order }: Measures & Order): Placed {
  const positions = new Float64Array(radii.length * 2)
  const roomOf = (node: number) => at(radii, node) * 2 + GAP
  const around = radii.reduce((sum, _, node) => sum + roomOf(node), 0)
  const radius = radii.length > 1 ? Math.max(around / (2 * Math.PI), Math.min(space.width, space.height) / 2) : 0
  let way = 0
  for (const [rank, node] of orderOf(order).entries()) {
    // The first node is exactly at the top.
    way += rank === 0 ? 0 : roomOf(node) / 2
    const angle = Math.PI / 2 - (2 * Math.PI * way) / around
    positions.set([Math.cos(angle) * radius, Math.sin(angle) * radius], node * 2)
    way += roomOf(node) / 2
  }
  return { positions }
}
