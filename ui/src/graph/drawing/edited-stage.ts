import type { Node } from '../../api.ts'
import { at, discPositions, isPlaced, type Network, storedPositions } from '../network/network.ts'
import type { DrawnNode, Frame, Stage } from './stage.ts'

/** The places of new nodes that have no position, ten units apart. Further nodes start again in the middle. */
const spiral = discPositions(30)

/** The length of a unit of the spiral, in pixels. */
const UNIT = 6

/**
 * Returns the stage of an edited network, and whether its positions differ from the stored ones. Nodes stay in place unless their
 * position was edited, also if they were removed in the meantime, and the visible part stays the same. New nodes without position
 * or edges go to the middle of it. Returns undefined if most nodes are new and need a layout.
 */
export function editedStage(
  before: Stage,
  network: Network,
  frame: Frame | undefined
): { stage: Stage; isMoved: boolean } | undefined {
  const known = drawnNodes(before)
  const added = network.nodes.filter((node) => !known.has(node.id) && !isPlaced(node))
  if (added.length > known.size) return undefined
  const nodes = network.nodes.map((node, index) => {
    const old = known.get(node.id)
    if (!old) return isPlaced(node) || !frame || at(network.degree, index) > 0 ? node : inMiddle(node, index, frame)
    const isEdited = node.x !== old.node.x || node.y !== old.node.y
    return isEdited && isPlaced(node) ? node : { ...node, ...old.place }
  })
  const positions = nodes.length > 0 ? storedPositions({ ...network, nodes }) : new Float64Array()
  if (!positions) return undefined
  const removed = new Map([...known].filter(([id]) => !network.indexOf.has(id)))
  const isMoved = network.nodes.some(({ x, y }, index) => x !== positions[index * 2] || y !== positions[index * 2 + 1])
  return {
    stage: { network, positions, isStored: true, sent: undefined, camera: before.camera, frame, removed },
    isMoved
  }
}

/** Returns the nodes of a stage by id, including those that an edit has removed. */
function drawnNodes({ network, positions, removed = new Map() }: Stage): Map<string, DrawnNode> {
  const nodes = new Map(removed)
  network.nodes.forEach((node, index) => {
    nodes.set(node.id, { node, place: { x: at(positions, index * 2), y: at(positions, index * 2 + 1) } })
  })
  return nodes
}

function inMiddle(node: Node, index: number, { point, pixel }: Frame): Node {
  const first = (index * 2) % spiral.length
  const [x, y] = [at(spiral, first), at(spiral, first + 1)]
  return { ...node, x: point.x + x * UNIT * pixel, y: point.y + y * UNIT * pixel }
}
