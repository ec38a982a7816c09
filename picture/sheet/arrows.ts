import { ARROW, arrowLength } from '../edges/ink.ts'
import { curveOf, cut, type Disc, type Point } from '../edges/shapes.ts'
import type { Picture } from './picture.ts'

/**
 * Returns the drawing of an edge with this bend between two discs: its curve, and its arrow if it has one. All dimensions are in
 * pixels.
 */
export function lineOf(
  from: Disc,
  to: Disc,
  { bend, width, hasArrow }: { bend: number; width: number; hasArrow: boolean }
): Pick<Picture['edges'][number], 'from' | 'to' | 'control' | 'arrow'> {
  const whole = curveOf(from, to, bend)
  const visible = Math.hypot(to.x - from.x, to.y - from.y) - from.size - to.size
  const length = hasArrow ? arrowLength(width, to.size, visible) : 0
  // The arrow ends at the border of its node, and the curve ends where the arrow begins.
  const curve = hasArrow ? cut(whole, to.size + length) : whole
  const arrow = length > 0 ? arrowOf(curve.to, to, length) : undefined
  return { from: curve.from, to: curve.to, control: bend === 0 ? undefined : curve.control, arrow }
}

/** Returns the corners of an arrow of this length that points to the centre of a node. */
function arrowOf(base: Point, to: Point, length: number): [Point, Point, Point] {
  const distance = Math.hypot(to.x - base.x, to.y - base.y) || 1
  const [x, y] = [(to.x - base.x) / distance, (to.y - base.y) / distance]
  const half = (length * ARROW.wideness) / 2
  const side = (sign: number) => ({ x: base.x - sign * y * half, y: base.y + sign * x * half })
  return [{ x: base.x + x * length, y: base.y + y * length }, side(1), side(-1)]
}
