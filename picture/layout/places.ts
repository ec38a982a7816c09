import type { Disc } from '../edges/shapes.ts'
import { at, hasOwnPositions, isPlaced, type Network, pullsOf, storedPositions } from '../model/network.ts'
import { fitOff } from './fit.ts'
import { ForceLayout, usualForces } from './force-layout.ts'
import type { Box } from './label-boxes.ts'
import { isQuick } from './limits.ts'
import type { Size } from './pack-boxes.ts'
import { rangeAlong } from './parts.ts'
import { tidied } from './tidy.ts'

/** The maximum number of movements of nodes in a layout, and the number per node if it is greater. */
const WORK = 1e6
const WORK_PER_NODE = 100

/** The maximum number of steps that separate nodes. */
const TIDYING = 300

/** The distance between nodes and the border in pixels, and the maximum fraction of a small picture that it may occupy. */
const PADDING = 30
const SHARE = 0.08

/** A force-directed layout, and whether it ended because the nodes no longer moved. */
export interface Layout {
  /** The x and y coordinates of all nodes, alternating. */
  positions: Float32Array
  isSettled: boolean
}

/**
 * Computes a force-directed layout, which suits pictures of any size. If only some nodes have positions, these stay in place. The
 * number of steps depends only on the network.
 */
export function layoutOf(network: Network): Layout {
  const { source, target, nodes } = network
  const pinned = pinnedOf(network)
  const positions = storedPositions(network) ?? new Float64Array(nodes.length * 2)
  const radii = new Float32Array(nodes.length)
  const layout = new ForceLayout({ positions, source, target, weights: pullsOf(network), radii, pinned }, usualForces)
  const most = Math.max(WORK, nodes.length * WORK_PER_NODE)
  for (let work = 0; work < most && !layout.isDone; work += layout.size) layout.step()
  return { positions: Float32Array.from(layout.positions), isSettled: layout.isSettled }
}

/** Marks the nodes that have positions with 1, unless all or none have one. */
function pinnedOf(network: Network): Uint8Array {
  const isPartial = storedPositions(network) !== undefined && !hasOwnPositions(network)
  return Uint8Array.from(network.nodes, (node) => Number(isPartial && isPlaced(node)))
}

/**
 * Separates the nodes of a layout for a picture of this size. The normal effort is 1. Pictures have no room to separate the nodes of
 * a large network, whose structure would be lost.
 */
export function spreadFor(
  network: Network,
  layout: ArrayLike<number>,
  radii: Float32Array,
  space: Size,
  effort: number
) {
  const { source, target, nodes } = network
  const [positions, pinned] = [Float64Array.from(layout), pinnedOf(network)]
  // With a single step, components are placed next to each other, and nodes may overlap.
  let left = isQuick({ nodeCount: nodes.length, edgeCount: source.length }) ? TIDYING * effort : 1
  return tidied({ positions, source, target, radii, pinned }, innerOf(space), () => left-- <= 0)
}

/**
 * Fits the positions into the picture, avoiding the covers. Returns the discs, and the length in pixels of one unit of the
 * positions.
 */
export function fittedPlaces(
  positions: Float64Array,
  radii: Float32Array,
  space: Size,
  covers: readonly Box[]
): { places: Disc[]; unit: number } {
  const frame = frameOf(positions, space)
  const boxes = Array.from(radii, (radius, node) => {
    const { x, y } = frame.place(node)
    return { left: x - radius, right: x + radius, top: y - radius, bottom: y + radius }
  })
  const { scale, move } = fitOff(boxes, space, covers)
  const places = Array.from(radii, (size, node) => {
    const { x, y } = frame.place(node)
    return { x: x * scale + move.x, y: y * scale + move.y, size }
  })
  return { places, unit: frame.unit * scale }
}

/**
 * Returns the transformation that centres all positions in the picture. The y axis points up in positions and down in pictures.
 */
export function frameOf(positions: ArrayLike<number>, space: Size) {
  const [[left, right], [bottom, top]] = [rangeAlong(positions, 0), rangeAlong(positions, 1)]
  const inner = innerOf(space)
  const fits = [inner.width / (right - left), inner.height / (top - bottom)].filter(Number.isFinite)
  const unit = fits.length > 0 ? Math.min(...fits) : 1
  return {
    unit,
    place: (node: number) => ({
      x: space.width / 2 + (at(positions, node * 2) - (left + right) / 2) * unit,
      y: space.height / 2 - (at(positions, node * 2 + 1) - (bottom + top) / 2) * unit
    })
  }
}

function innerOf({ width, height }: Size): Size {
  const padding = Math.min(PADDING, Math.min(width, height) * SHARE)
  return { width: width - padding * 2, height: height - padding * 2 }
}
