import { rangeAlong } from '../../../picture/layout/parts.ts'
import { at } from '../graph/network/network.ts'

/**
 * Returns places for all nodes with the pinned ones where they were: the places are brought to the middle and the extent that the
 * nodes had before.
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

/** The middle of positions, and the greater one of width and height. */
function frameOf(positions: Float64Array) {
  const [[left, right], [bottom, top]] = [rangeAlong(positions, 0), rangeAlong(positions, 1)]
  return { x: (left + right) / 2, y: (bottom + top) / 2, extent: Math.max(right - left, top - bottom) }
}
