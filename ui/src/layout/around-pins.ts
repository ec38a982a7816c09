import { rangeAlong } from '../../../picture/layout/parts.ts'
import { at } from '../graph/network/network.ts'

/**
 * Returns the new positions. If any nodes are pinned, keeps them in place and fits the others to the previous centre and
 * extent.
 */
export function aroundPins(
  before: Float64Array,
  places: Float64Array<ArrayBuffer>,
  pinned: Uint8Array
): Float64Array<ArrayBuffer> {
  if (!pinned.includes(1)) return places
  const [from, to] = [frameOf(places), frameOf(before)]
  const scale = from.extent > 0 && to.extent > 0 ? to.extent / from.extent : 1
  return places.map((place, index) => {
    if (pinned[index >> 1]) return at(before, index)
    const axis = index % 2 === 0 ? 'x' : 'y'
    return (place - from[axis]) * scale + to[axis]
  })
}

/** Returns the centre of the positions, and their width or height, whichever is greater. */
function frameOf(positions: Float64Array) {
  const [[left, right], [bottom, top]] = [rangeAlong(positions, 0), rangeAlong(positions, 1)]
  return { x: (left + right) / 2, y: (bottom + top) / 2, extent: Math.max(right - left, top - bottom) }
}
