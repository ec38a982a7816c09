import type { CameraState, Extent } from 'sigma/types'
import { discPositions, type Network, type Positions, storedPositions } from './network.ts'

/**
 * The places of a network's nodes, and the view of them. The layout, the drawing and saving share this one object, so that
 * the drawing may be closed and opened again.
 */
export interface Stage {
  network: Network
  /** Changed in place by the layout and by dragging. */
  positions: Positions
  /** Whether the content has positions. */
  isStored: boolean
  /** The positions of the last save. */
  sent: Positions | undefined
  /** Undefined while the whole network is in view. */
  camera: Camera | undefined
  /** The extent that the camera refers to, since a node was dragged; else that of the nodes. */
  box: { x: Extent; y: Extent } | undefined
}

/** The part of the network in view: its centre, and its size as a fraction of the whole. */
export type Camera = Pick<CameraState, 'x' | 'y' | 'ratio'>

/** Returns the stage of a network with its stored positions, or with positions to start a layout from. */
export function stageOf(network: Network, camera: Camera | undefined): Stage {
  const stored = storedPositions(network)
  const positions = stored ?? discPositions(network.nodes.length)
  return { network, positions, isStored: stored !== undefined, sent: undefined, camera, box: undefined }
}

/** Returns the stage of a changed network. Positions that were saved from the stage before stay as they are. */
export function nextStage(before: Stage, network: Network): Stage {
  const next = stageOf(network, before.camera)
  const isSaved = next.isStored && before.sent !== undefined && areClose(next.positions, before.sent)
  return isSaved ? { ...before, network, isStored: true } : next
}

/** Saved positions are rounded to this fraction of the extent, at least. */
const ROUNDED = 1e-5

/** Whether the positions are equal but for rounding. */
function areClose(some: Positions, others: Positions): boolean {
  const extent = others.reduce((most, value) => Math.max(most, Math.abs(value)), 0)
  return (
    some.length === others.length &&
    some.every((value, index) => Math.abs(value - (others[index] ?? Number.NaN)) <= extent * ROUNDED)
  )
}
