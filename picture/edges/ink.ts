import { at, type Network, type Positions } from '../model/network.ts'

// How much ink edges take: their opacity and their arrows. The shaders of `ui/src/graph/drawing/edges/` share these measures with pictures.

/** The opacity of the edges of a sparse drawing, and of the densest one. */
const MOST = 0.8
const LEAST = 0.06

/**
 * Returns the opacity of edges by their coverage: the area of all edges over the area of the drawing. The more edges lie
 * above one another, the more of them it takes to make a dark place, so that a dense drawing keeps its shape.
 */
export function opacityOf(coverage: number): number {
  return Math.min(MOST, Math.max(LEAST, fittingOpacity(coverage)))
}

/**
 * Returns the share of the edges to draw in a large drawing, from 0 to 1. Edges cannot be paler than the least opacity: where they
 * ought to be, fewer of them give the same ink. Dozens lie above one another there.
 */
export function shareOf(coverage: number): number {
  return Math.min(1, fittingOpacity(coverage) / LEAST)
}

function fittingOpacity(coverage: number): number {
  return 0.36 / coverage ** 0.7
}

/**
 * Returns the coverage of a drawing in which a width of 1 is as long as a unit of the positions. (It grows with the width of
 * edges in this unit.) The area is that of a square in which nodes that are spread evenly deviate from their mean as much as
 * these do, so that a few far nodes hardly change it. Hidden edges do not count.
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
    ink += length * widthOf(sizeOf(edge))
  }
  return ink / area
}

/** The standard deviation of one coordinate of the nodes. */
function deviationOf(positions: Positions, axis: 0 | 1): number {
  const count = positions.length / 2
  let [sum, squares] = [0, 0]
  for (let index = axis; index < positions.length; index += 2) sum += at(positions, index)
  const mean = sum / count
  for (let index = axis; index < positions.length; index += 2) squares += (at(positions, index) - mean) ** 2
  return Math.sqrt(squares / count)
}

/** The measures of arrows in pixels, for lines of a width and nodes of a radius. */
export const ARROW = { base: 4, perWidth: 2.5, least: 4, perRadius: 1.6, wideness: 0.8 }

/** Returns the width in which an edge of this size is drawn. Edges below a pixel are paler instead. */
export function widthOf(size: number): number {
  return Math.max(size, 1)
}

/** Returns the opacity of an edge of this size: between that of all and 1, by its emphasis. */
export function ownOpacity(opacity: number, emphasis: number, size: number): number {
  return (opacity + (1 - opacity) * emphasis) * Math.min(size, 1)
}

/** Returns the length of an arrow: that of its line, but not much larger than its node, and within the visible part of the edge. */
export function arrowLength(width: number, radius: number, visible: number): number {
  const fitting = Math.min(ARROW.base + ARROW.perWidth * width, Math.max(ARROW.least, ARROW.perRadius * radius))
  return Math.min(fitting, Math.max(0, visible))
}
