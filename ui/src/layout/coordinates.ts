import { LayoutRefused, type Measures, type Placed } from '../../../picture/layout/placed.ts'
import { at } from '../graph/network/network.ts'
import { isPlacedAt, withOthersBelow } from './others-below.ts'

/** Places the nodes by two numbers, each scaled to fill the drawing. Nodes that lack either number go below. */
export function coordinates({ radii, space, x, y }: Measures & { x: Float64Array; y: Float64Array }): Placed {
  if (!x.some((_, node) => isPlacedAt(x, y, node))) throw new LayoutRefused('noValues')
  const [acrossOf, upOf] = [scaleOf(x, x, y, space.width), scaleOf(y, x, y, space.height)]
  const positions = new Float64Array(radii.length * 2)
  for (let node = 0; node < radii.length; node++) {
    positions.set(
      isPlacedAt(x, y, node) ? [acrossOf(at(x, node)), upOf(at(y, node))] : [Number.NaN, Number.NaN],
      node * 2
    )
  }
  return withOthersBelow(positions, radii, space)
}

/**
 * Returns a function that maps values to the range from 0 to `length`. The scale is based on the nodes that have both numbers. If
 * all values are equal, they map to the middle.
 */
function scaleOf(values: Float64Array, x: Float64Array, y: Float64Array, length: number): (value: number) => number {
  const used = values.filter((_, node) => isPlacedAt(x, y, node))
  // Values are halved, because the difference between two finite numbers may overflow.
  const least = used.reduce((one, other) => Math.min(one, other)) / 2
  const range = used.reduce((one, other) => Math.max(one, other)) / 2 - least
  return (value) => (range > 0 ? ((value / 2 - least) / range) * length : length / 2)
}
