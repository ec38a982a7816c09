import { at } from '../graph/network/network.ts'
import { isPlacedAt, withOthersBelow } from './others-below.ts'
import { LayoutRefused, type LayoutTask, type Placed } from './task.ts'

/** Places the nodes by two numbers, scaled so that both ranges fill the drawing. Nodes without them go below. */
export function coordinates({
  radii,
  space,
  x,
  y
}: Pick<LayoutTask, 'radii' | 'space'> & { x: Float64Array; y: Float64Array }): Placed {
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
 * Returns a function that scales values to 0 to `length`, by the range of nodes with both numbers, or to the middle if all are
 * equal.
 */
function scaleOf(values: Float64Array, x: Float64Array, y: Float64Array, length: number): (value: number) => number {
  const used = values.filter((_, node) => isPlacedAt(x, y, node))
  // Halved, since the difference of finite numbers may overflow.
  const least = used.reduce((one, other) => Math.min(one, other)) / 2
  const range = used.reduce((one, other) => Math.max(one, other)) / 2 - least
  return (value) => (range > 0 ? ((value / 2 - least) / range) * length : length / 2)
}
