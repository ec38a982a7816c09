import type { CameraState } from 'sigma/types'
import type { Point } from '../../../../picture/edges/shapes.ts'
import { rangeAlong } from '../../../../picture/layout/parts.ts'
import { pivotPositions } from '../../../../picture/layout/pivots.ts'
import type { GraphContent, Node } from '../../api.ts'
import { at, discPositions, type Network, type Positions, storedPositions } from '../network/network.ts'

/**
 * The positions of a network's nodes, and the visible part. The layout, the drawing and saving share this object, so the drawing
 * can be closed and reopened.
 */
export interface Stage {
  network: Network
  /** Layouts and dragging change the positions in place. */
  positions: Positions
  /** Whether the positions need no layout, for example because the content has them. */
  isStored: boolean
  /** The last saved positions. */
  sent: Positions | undefined
  /** Undefined while the whole network is in view. */
  camera: Camera | undefined
  /** Set during an edit. The network stays still in the window, and the camera applies again after the edit. */
  frame?: Frame | undefined
  /** The nodes that an edit has removed, by id, and their places. They return there if the removal is undone. */
  removed?: ReadonlyMap<string, DrawnNode> | undefined
}

/** A node of the content, and its place in the drawing. */
export interface DrawnNode {
  node: Node
  place: Point
}

/** A point of the network, its place in the window, in pixels, the length of a pixel in the network, and the extent. */
export interface Frame {
  box: { x: [number, number]; y: [number, number] }
  point: Point
  place: Point
  pixel: number
}

/** The visible part of the network: its centre, and its size as a fraction of the nodes' extent. */
export type Camera = Pick<CameraState, 'x' | 'y' | 'ratio'>

/** Returns the stage of a network with its stored positions, or with initial positions for a layout if none are stored. */
export function stageOf(network: Network, camera: Camera | undefined): Stage {
  const stored = storedPositions(network)
  const positions = stored ?? firstPositions(network)
  return { network, positions, isStored: stored !== undefined, sent: undefined, camera }
}

/** Returns positions that show the structure of the network until it is laid out. Without edges, it has none. */
function firstPositions(network: Network): Positions {
  return network.edges.length > 0 ? pivotPositions(network) : discPositions(network.nodes.length)
}

/**
 * Returns the stage of a changed network, and whether its positions differ from the stored ones. Keeps positions saved from the
 * previous stage. If `isMoved`, also keeps the positions of nodes that have moved since.
 */
export function nextStage(before: Stage, network: Network, isMoved: boolean): { stage: Stage; isMoved: boolean } {
  const saved = savedStage(before, network)
  if (saved) return saved
  const next = stageOf(network, before.camera)
  const moved = isMoved ? movedPositions(before, network) : undefined
  if (!moved) return { stage: next, isMoved: false }
  return { stage: { ...next, positions: moved, isStored: true }, isMoved: true }
}

/**
 * Returns the stage of a network that has the last saved positions, and whether nodes have moved since. Returns undefined if it has
 * other positions.
 */
export function savedStage(before: Stage, network: Network): { stage: Stage; isMoved: boolean } | undefined {
  const { positions, sent } = before
  if (!sent || !areClose(storedPositions(network) ?? noPositions, sent)) return undefined
  return { stage: { ...before, network, isStored: true }, isMoved: positions.some((value, at) => value !== sent[at]) }
}

const noPositions: Positions = new Float64Array()

/**
 * Returns the positions of a changed network, including those of nodes that were moved earlier. Returns undefined if none of
 * these nodes remain.
 */
function movedPositions({ network, positions }: Stage, changed: Network): Positions | undefined {
  let hasMoved = false
  const nodes = changed.nodes.map((node) => {
    const index = network.indexOf.get(node.id)
    if (index === undefined) return node
    const [x, y] = [at(positions, index * 2), at(positions, index * 2 + 1)]
    const stored = network.nodes[index]
    if (stored?.x === x && stored.y === y) return node
    hasMoved = true
    return { ...node, x, y }
  })
  return hasMoved ? storedPositions({ ...changed, nodes }) : undefined
}

/** The maximum rounding error of saved positions, as a fraction of the extent. */
const ROUNDED = 1e-5

/** Returns whether the positions are equal up to rounding. */
function areClose(some: Positions, others: Positions): boolean {
  const extent = extentOf(others)
  return (
    some.length === others.length &&
    some.every((value, index) => Math.abs(value - (others[index] ?? Number.NaN)) <= extent * ROUNDED)
  )
}

/** Returns the width or the height, whichever is greater. */
export function extentOf(positions: Positions): number {
  const [[left, right], [bottom, top]] = [rangeAlong(positions, 0), rangeAlong(positions, 1)]
  return positions.length === 0 ? 0 : Math.max(right - left, top - bottom)
}

/**
 * Returns the nodes of a network with these positions, ready to store. Nodes that have not moved are unchanged. Other positions
 * are rounded imperceptibly, to shorten the numbers.
 */
export function placedNodes(nodes: Node[], positions: Positions): Node[] {
  const extent = extentOf(positions) || 1
  const digits = Math.min(100, Math.max(0, 5 - Math.floor(Math.log10(extent))))
  const round = (value: number) => Number(value.toFixed(digits))
  return nodes.map((node, index) => {
    const [x, y] = [at(positions, index * 2), at(positions, index * 2 + 1)]
    return node.x === x && node.y === y ? node : { ...node, x: round(x), y: round(y) }
  })
}

/**
 * Returns the content with its last node, which is new, at a place. The other nodes get their positions too, without which the
 * place means nothing.
 */
export function withLastNodeAt(content: GraphContent, { x, y }: Point, stage: Stage): GraphContent {
  const positions = new Float64Array(content.nodes.length * 2)
  positions.set(stage.positions)
  positions.set([x, y], positions.length - 2)
  return { ...content, nodes: placedNodes(content.nodes, positions) }
}

/**
 * Returns the content with its nodes at the places where they are drawn, ready to store. Nodes that are not drawn, or whose
 * position someone else has changed, stay as they are.
 */
export function withDrawnPlaces(content: GraphContent, { network, positions }: Stage): GraphContent {
  const placed = placedNodes(network.nodes, positions)
  const nodes = content.nodes.map((node) => {
    const index = network.indexOf.get(node.id)
    if (index === undefined) return node
    const [before, { x, y }] = [network.nodes[index] as Node, placed[index] as Node]
    const isMovedByOthers = node.x !== before.x || node.y !== before.y
    return isMovedByOthers || (node.x === x && node.y === y) ? node : { ...node, x, y }
  })
  return { ...content, nodes }
}
