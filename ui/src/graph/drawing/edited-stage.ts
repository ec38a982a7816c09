import { at, isPlaced, type Network, type Positions, storedPositions } from '../network/network.ts'
import { withFreePlaces } from './free-places.ts'
import { type DrawnNode, extentOf, type Frame, type Stage } from './stage.ts'

/**
 * Returns the stage of an edited network, and whether its positions differ from the stored ones. Nodes stay in place unless their
 * position was edited, even if they were removed in the meantime, and the visible part stays the same. New nodes without position
 * go to free places. If an undo returns to `earlier` positions, these apply. Returns undefined if most nodes are new and need a
 * layout.
 */
export function editedStage(
  before: Stage,
  network: Network,
  frame: Frame | undefined,
  earlier?: Positions
): { stage: Stage; isMoved: boolean } | undefined {
  const known = drawnNodes(before)
  const positions = earlier?.slice() ?? editedPositions(known, network, frame)
  if (!positions) return undefined
  const removed = new Map([...known].filter(([id]) => !network.indexOf.has(id)))
  // The undo of a layout may leave the nodes outside the visible part.
  const view = isRearranged(known, network, positions) ? {} : { camera: before.camera, frame }
  const isMoved = network.nodes.some(({ x, y }, index) => x !== positions[index * 2] || y !== positions[index * 2 + 1])
  return {
    stage: { network, positions, isStored: true, sent: undefined, camera: undefined, ...view, removed },
    isMoved
  }
}

/** Returns whether most nodes move by more than a thousandth of the extent. */
function isRearranged(known: ReadonlyMap<string, DrawnNode>, { nodes }: Network, positions: Positions): boolean {
  const least = extentOf(positions) / 1000
  const moved = nodes.filter(({ id }, index) => {
    const place = known.get(id)?.place
    return place && Math.hypot(place.x - at(positions, index * 2), place.y - at(positions, index * 2 + 1)) > least
  })
  return moved.length > nodes.length / 2
}

function editedPositions(
  known: ReadonlyMap<string, DrawnNode>,
  network: Network,
  frame: Frame | undefined
): Positions | undefined {
  const added = network.nodes.filter((node) => !known.has(node.id) && !isPlaced(node))
  if (added.length > known.size) return undefined
  const nodes = network.nodes.map((node) => {
    const old = known.get(node.id)
    if (!old) return node
    const isEdited = node.x !== old.node.x || node.y !== old.node.y
    return isEdited && isPlaced(node) ? node : { ...node, ...old.place }
  })
  if (network.edges.length > 0 && !nodes.some(isPlaced)) return undefined
  const placed = withFreePlaces(network, nodes, frame)
  return nodes.length > 0 ? storedPositions({ ...network, nodes: placed }) : new Float64Array()
}

/** Returns the nodes of a stage by id, including those that an edit has removed. */
function drawnNodes({ network, positions, removed = new Map() }: Stage): Map<string, DrawnNode> {
  const nodes = new Map(removed)
  network.nodes.forEach((node, index) => {
    nodes.set(node.id, { node, place: { x: at(positions, index * 2), y: at(positions, index * 2 + 1) } })
  })
  return nodes
}
