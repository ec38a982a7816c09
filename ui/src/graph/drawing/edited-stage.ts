import type { Node } from '../../api.ts'
import { at, discPositions, isPlaced, type Network, storedPositions } from '../network/network.ts'
import type { Frame, Stage } from './stage.ts'

/** The places of new nodes that have no position, ten units apart. Further nodes start again in the middle. */
const spiral = discPositions(30)

/** The length of a unit of the spiral, in pixels. */
const UNIT = 6

/**
 * Returns the stage of an edited network, and whether its positions differ from the stored ones. Nodes stay in place unless their
 * position was edited, and the visible part stays the same. New nodes without position or edges go to the middle of it. Returns
 * undefined if most nodes are new and need a layout.
 */
export function editedStage(
  before: Stage,
  network: Network,
  frame: Frame | undefined
): { stage: Stage; isMoved: boolean } | undefined {
  const { indexOf, nodes: known } = before.network
  const added = network.nodes.filter((node) => !indexOf.has(node.id) && !isPlaced(node))
  if (added.length > known.length) return undefined
  const nodes = network.nodes.map((node, index) => {
    const old = indexOf.get(node.id)
    if (old === undefined) {
      return isPlaced(node) || !frame || at(network.degree, index) > 0 ? node : inMiddle(node, index, frame)
    }
    const isEdited = node.x !== known[old]?.x || node.y !== known[old]?.y
    if (isEdited && isPlaced(node)) return node
    return { ...node, x: at(before.positions, old * 2), y: at(before.positions, old * 2 + 1) }
  })
  const positions = storedPositions({ ...network, nodes })
  if (!positions) return undefined
  const isMoved = network.nodes.some(({ x, y }, index) => x !== positions[index * 2] || y !== positions[index * 2 + 1])
  return { stage: { network, positions, isStored: true, sent: undefined, camera: before.camera, frame }, isMoved }
}

function inMiddle(node: Node, index: number, { point, pixel }: Frame): Node {
  const first = (index * 2) % spiral.length
  const [x, y] = [at(spiral, first), at(spiral, first + 1)]
  return { ...node, x: point.x + x * UNIT * pixel, y: point.y + y * UNIT * pixel }
}
