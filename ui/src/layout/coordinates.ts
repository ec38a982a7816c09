import { at } from '../graph/network/network.ts'
import { isPlacedAt, withOthersBelow } from './others-below.ts'
import { LayoutRefused, type LayoutTask, type Placed } from './task.ts'

/** Places the nodes by two numbers of each, so that both of their ranges fill the drawing. Nodes without them lie below. */
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

/** Returns the place for a value between those of the nodes that have both, from 0 to `length`; the middle if all are the same. */
function scaleOf(values: Float64Array, x: Float64Array, y: Float64Array, length: number): (value: number) => number {
  const used = values.filter((_, node) => isPlacedAt(x, y, node))
  // Halves, since the range of finite numbers may be infinite.
  const least = used.reduce((one, other) => Math.min(one, other)) / 2
  const range = used.reduce((one, other) => Math.max(one, other)) / 2 - least
  return (value) => (range > 0 ? ((value / 2 - least) / range) * length : length / 2)
}
