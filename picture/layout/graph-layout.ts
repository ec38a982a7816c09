import type { GraphContent } from '../../schemas/graph-content.ts'
import type { LayoutAlgorithm, PlacedBy } from '../../schemas/layout.ts'
import { at, hasOwnPositions, type Network, networkOf, storedPositions } from '../model/network.ts'
import { usualNodeSize } from '../model/scales.ts'
import { circular } from './circular.ts'
import { grid } from './grid.ts'
import { layered } from './layered.ts'
import { isQuick } from './limits.ts'
import { type Layout, layoutOf } from './places.ts'

/** The space for layouts that fill the drawing, in pixels. */
const SPACE = { width: 960, height: 600 }

/** The positions of a graph's nodes, and how they were found. */
export interface GraphPlaces {
  algorithm: PlacedBy
  isSettled: boolean
  /** The x and y coordinates of all nodes, alternating. */
  positions: ArrayLike<number>
  /** The force layout, if it was computed. */
  computed?: Layout
}

/**
 * Returns the content's own positions if no algorithm is given and all nodes have one, otherwise those of the algorithm, which is
 * `force` by default. `kept` is the force layout if it is known. Unless `isPatient`, returns undefined if the force layout of a
 * large graph would have to be computed. Throws LayoutRefused.
 */
export function graphPlaces(
  content: GraphContent,
  asked: LayoutAlgorithm | undefined,
  { kept, isPatient }: { kept: Layout | undefined; isPatient: boolean }
): GraphPlaces | undefined {
  const network = networkOf(content)
  if (asked === undefined && (network.nodes.length === 0 || hasOwnPositions(network))) {
    return { algorithm: 'own', isSettled: true, positions: storedPositions(network) ?? [] }
  }
  const algorithm = asked ?? 'force'
  if (algorithm !== 'force') return { algorithm, isSettled: true, positions: placedBy[algorithm](network) }
  if (!kept && !isPatient && !isQuick({ nodeCount: content.nodes.length, edgeCount: content.edges.length }))
    return undefined
  const layout = kept ?? layoutOf(network)
  return { algorithm, ...layout, ...(!kept && { computed: layout }) }
}

const placedBy: Record<Exclude<LayoutAlgorithm, 'force'>, (network: Network) => Float64Array> = {
  circle: (network) => circular({ ...measuresOf(network), values: degreesOf(network) }).positions,
  grid: (network) => grid({ ...measuresOf(network), values: degreesOf(network) }).positions,
  layers: (network) => layered({ ...network, ...measuresOf(network), direction: 'down' }).positions
}

function measuresOf({ nodes }: Network) {
  return { radii: new Float32Array(nodes.length).fill(usualNodeSize(nodes.length)), space: SPACE }
}

function degreesOf({ degree }: Network): number[] {
  return Array.from(degree)
}

/** The number of decimal digits that distinguish most 32-bit floats. */
const SINGLE = 7

/** Writes the positions as JSON, in the order of the nodes: `[[id, x, y], …]`. */
export function writePositions({ nodes }: GraphContent, positions: ArrayLike<number>): string {
  const digits = positions instanceof Float32Array ? (value: number) => Number(value.toPrecision(SINGLE)) : Number
  const items = nodes.map(({ id }, node) => {
    const [x, y] = [at(positions, node * 2), at(positions, node * 2 + 1)].map(digits)
    return `[${JSON.stringify(id)},${x},${y}]`
  })
  return `[${items.join(',\n')}]`
}
