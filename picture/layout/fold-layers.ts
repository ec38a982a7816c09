import { at } from '../model/network.ts'
import { rangeAlong } from './parts.ts'

/** The proportions of a layered drawing. Distances are in pixels. */
export interface Proportions {
  /** The distance between nodes in a layer. */
  beside: number
  /** The distance between layers. */
  between: number
  /** The width relative to the height above which layers are folded. */
  wide: number
}

/**
 * Folds the layers of a drawing that is much wider than high: moves all nodes together sideways, and distributes the nodes of each
 * layer over as many rows as they then need. `places` has the same y for all nodes of a layer, and y increases downwards. All
 * dimensions are in pixels.
 */
export function folded(places: Float64Array, radii: ArrayLike<number>, proportions: Proportions): Float64Array {
  const [[left, right], [top, bottom]] = [rangeAlong(places, 0), rangeAlong(places, 1)]
  if (right - left <= (bottom - top) * proportions.wide) return places
  const nodes = Array.from({ length: places.length / 2 }, (_, node) => node)
  const byLayer = Map.groupBy(
    nodes.sort((one, other) => at(places, one * 2) - at(places, other * 2)),
    (node) => at(places, node * 2 + 1)
  )
  const layers = [...byLayer].sort(([one], [other]) => one - other).map(([, nodes]) => nodes)
  for (let squeeze = 2; ; squeeze++) {
    const { height, ...drawn } = squeezed(places, layers, radii, proportions, squeeze)
    if ((right - left) / squeeze <= height * proportions.wide) return drawn.places
  }
}

/** Divides the distances in each layer by a number, and moves nodes that would then overlap to further rows of the layer. */
function squeezed(
  places: Float64Array,
  layers: number[][],
  radii: ArrayLike<number>,
  { beside, between }: Proportions,
  squeeze: number
): { places: Float64Array; height: number } {
  const moved = new Float64Array(places.length)
  let y = 0
  for (const nodes of layers) {
    const size = nodes.reduce((most, node) => Math.max(most, at(radii, node)), 0) * 2
    /** The right end of each row. */
    const ends: number[] = []
    for (const node of nodes) {
      const [x, radius] = [at(places, node * 2) / squeeze, at(radii, node)]
      const free = ends.findIndex((end) => end + beside <= x - radius)
      const row = free < 0 ? ends.length : free
      ends[row] = x + radius
      moved.set([x, y + size / 2 + row * (size + beside)], node * 2)
    }
    y += ends.length * (size + beside) - beside + between
  }
  return { places: moved, height: y - between }
}
