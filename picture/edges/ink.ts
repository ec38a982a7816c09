import { at, type Network, type Positions } from '../model/network.ts'

// The appearance of edges: their opacity, width and arrows. The shaders in `ui/src/graph/drawing/edges/` use the same
// dimensions as pictures.

/** The maximum opacity, for sparse drawings, and the minimum, for the densest ones. */
const MOST = 0.8
const LEAST = 0.06

/**
 * Returns the opacity of edges for a coverage, which is the total area of the edges divided by that of the drawing. The more
 * edges overlap, the more of them it takes to darken an area, so that the structure of dense drawings stays visible.
 */
export function opacityOf(coverage: number): number {
  return Math.min(MOST, Math.max(LEAST, fittingOpacity(coverage)))
}

/**
 * Returns the fraction of edges to draw in a large drawing, from 0 to 1. Edges are never drawn below the minimum opacity.
 * Instead, fewer of them are drawn to achieve the same darkness. Dozens of edges overlap in such drawings.
 */
export function shareOf(coverage: number): number {
  return Math.min(1, fittingOpacity(coverage) / LEAST)
}

function fittingOpacity(coverage: number): number {
  return 0.36 / coverage ** 0.7
}

/**
 * Returns the coverage of a drawing in which an edge width of 1 equals one unit of the positions. Coverage is proportional to
 * the edge width in that unit. The area is estimated from the standard deviation of the positions, as if nodes were spread
 * evenly, so that a few distant nodes hardly affect it. Hidden edges are ignored.
 */
export function coverageOf(
  { source, target }: Pick<Network, 'source' | 'target'>,
  positions: Positions,
  sizeOf: (edge: number) => number,
  hidden?: Uint8Array
): number {
  const area = 12 * deviationOf(positions, 0) * deviationOf(positions, 1)
  if (!(area > 0)) return 0
  let ink = 0
  for (let edge = 0; edge < source.length; edge++) {
    if (hidden?.[edge] === 1) continue
    const [from, to] = [at(source, edge) * 2, at(target, edge) * 2]
    const length = Math.hypot(at(positions, from) - at(positions, to), at(positions, from + 1) - at(positions, to + 1))
    // Shaders draw edges thinner than a pixel paler instead.
    ink += length * Math.max(sizeOf(edge), 1)
  }
  return ink / area
}

/** Returns the standard deviation of one coordinate of the nodes. */
function deviationOf(positions: Positions, axis: 0 | 1): number {
  const count = positions.length / 2
  let [sum, squares] = [0, 0]
  for (let index = axis; index < positions.length; index += 2) sum += at(positions, index)
  const mean = sum / count
  for (let index = axis; index < positions.length; index += 2) squares += (at(positions, index) - mean) ** 2
  return Math.sqrt(squares / count)
}

/** The dimensions of arrows in pixels, relative to the line width and the node radius. */
export const ARROW = { base: 4, perWidth: 2.5, least: 4, perRadius: 1.6, wideness: 0.8 }

/** The emphasis of edges whose colour represents a value. */
export const COLOURED = 0.4

/** Returns the opacity of an edge. Emphasis increases it from the common opacity towards 1. */
export function ownOpacity(opacity: number, emphasis: number): number {
  return opacity + (1 - opacity) * emphasis
}

/**
 * Returns the length of an arrow. It increases with the line width, but does not become much larger than the node, and stays
 * within the visible part of the edge.
 */
export function arrowLength(width: number, radius: number, visible: number): number {
  const fitting = Math.min(ARROW.base + ARROW.perWidth * width, Math.max(ARROW.least, ARROW.perRadius * radius))
  return Math.min(fitting, Math.max(0, visible))
}
