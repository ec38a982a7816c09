import type { Size } from '../../../picture/layout/pack-boxes.ts'
import { rangeAlong } from '../../../picture/layout/parts.ts'
import type { Placed } from '../../../picture/layout/placed.ts'

/** Returns whether a node has both coordinates. */
export function isPlacedAt(x: Float64Array, y: Float64Array, node: number): boolean {
  return Number.isFinite(x[node]) && Number.isFinite(y[node])
}

/** The distance between nodes without a position, and between them and the nodes above, in pixels. */
const GAP = 12

/** Places nodes whose position is NaN below the others, in rows as wide as the drawing. The remark reports their number. */
export function withOthersBelow(positions: Float64Array<ArrayBuffer>, radii: Float32Array, { width }: Size): Placed {
  const others = [...radii.keys()].filter((node) => Number.isNaN(positions[node * 2]))
  if (others.length === 0) return { positions }
  const placed = positions.filter((value) => !Number.isNaN(value))
  const [[left], [bottom]] = [rangeAlong(placed, 0), rangeAlong(placed, 1)]
  const step = radii.reduce((most, radius) => Math.max(most, radius), 0) * 2 + GAP
  const columns = Math.max(1, Math.floor(width / step))
  for (const [rank, node] of others.entries()) {
    positions.set([left + (rank % columns) * step, bottom - (2 + Math.floor(rank / columns)) * step], node * 2)
  }
  return { positions, remark: { kind: 'unplaced', count: others.length } }
}
