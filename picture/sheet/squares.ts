import type { Size } from '../layout/pack-boxes.ts'
import { pivotPositions } from '../layout/pivots.ts'
import { frameOf } from '../layout/places.ts'
import { mixed } from '../model/mixing.ts'
import { discPositions, type Network, storedPositions } from '../model/network.ts'
import type { Picture } from './picture.ts'

/** The number of squares along the longer side of a picture, and the number of colours. */
const SQUARES = 120
const COLOURS = 8

/**
 * Returns squares that show the density of a large network's nodes at the known positions, if any. The more nodes a square
 * contains, the closer its colour is to `to`, on a logarithmic scale. Also returns all colours, palest first, and the maximum
 * number of nodes per square. Takes time linear in the size of the network.
 */
export function squaresOf(
  network: Network,
  space: Size,
  { from, to }: { from: string; to: string },
  known: ArrayLike<number> | undefined
): { squares: NonNullable<Picture['squares']>; colours: string[]; most: number } {
  const positions =
    known ?? storedPositions(network) ?? (network.edges.length > 0 ? pivotPositions(network) : undefined)
  const side = Math.max(space.width, space.height) / SQUARES
  const columns = Math.ceil(space.width / side)
  const counts = new Uint32Array(columns * Math.ceil(space.height / side))
  const { place } = frameOf(positions ?? discPositions(network.nodes.length), space)
  let most = 1
  for (let node = 0; node < network.nodes.length; node++) {
    const { x, y } = place(node)
    const square = Math.floor(y / side) * columns + Math.floor(x / side)
    const count = (counts[square] ?? 0) + 1
    counts[square] = count
    most = Math.max(most, count)
  }
  const levels = Array.from({ length: COLOURS }, (_, level) => ({
    colour: mixed(from, to, (level + 1) / COLOURS),
    side,
    corners: [] as { x: number; y: number }[]
  }))
  counts.forEach((count, square) => {
    if (count === 0) return
    const level = Math.min(COLOURS - 1, Math.floor((Math.log1p(count) / Math.log1p(most)) * COLOURS))
    levels[level]?.corners.push({ x: (square % columns) * side, y: Math.floor(square / columns) * side })
  })
  const squares = levels.filter(({ corners }) => corners.length > 0)
  return { squares, colours: levels.map(({ colour }) => colour), most }
}
