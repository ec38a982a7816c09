import type { Disc } from '../edges/shapes.ts'
import { at, type Network, pullsOf } from '../model/network.ts'
import { fitOff } from './fit.ts'
import { ForceLayout, usualForces } from './force-layout.ts'
import type { Box } from './label-places.ts'
import type { Size } from './pack-boxes.ts'
import { rangeAlong } from './parts.ts'
import { tidied } from './tidy.ts'

/** The maximum number of movements of nodes in a layout. */
const WORK = 1e6

/** The maximum number of steps that separate nodes. */
const TIDYING = 300

/** The distance between nodes and the border in pixels, and the maximum fraction of a small picture that it may occupy. */
const PADDING = 30
const SHARE = 0.08

/** Computes a force-directed layout, which suits pictures of any size. The number of steps depends only on the network. */
export function layoutOf(network: Network): Float64Array {
  const { source, target, nodes } = network
  const [positions, radii, pinned] = [
    new Float64Array(nodes.length * 2),
    new Float32Array(nodes.length),
    new Uint8Array(nodes.length)
  ]
  const layout = new ForceLayout({ positions, source, target, weights: pullsOf(network), radii, pinned }, usualForces)
  for (let work = 0; work < WORK && !layout.isDone; work += layout.size) layout.step()
  return layout.positions
}

/** Separates the nodes of a layout for a picture of this size. The normal effort is 1. */
export function spreadFor(
  { source, target }: Network,
  layout: Float64Array,
  radii: Float32Array,
  space: Size,
  effort: number
) {
  const pinned = new Uint8Array(radii.length)
  let left = TIDYING * effort
  return tidied({ positions: layout.slice(), source, target, radii, pinned }, innerOf(space), () => left-- <= 0)
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
export function frameOf(positions: Float64Array, space: Size) {
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
