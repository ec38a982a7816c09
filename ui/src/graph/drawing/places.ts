import type Sigma from 'sigma'
import type { Network } from '../network/network.ts'

/** The position and appearance of a node, in drawing pixels. */
export interface Place {
  x: number
  y: number
  /** The radius. */
  size: number
  color: string
  label: string
}

/** Returns the place of a node, or undefined if the node is hidden. */
export function placeOf(sigma: Sigma, node: number): Place | undefined {
  const display = sigma.getNodeDisplayData(String(node))
  if (!display || display.hidden) return undefined
  const { x, y } = sigma.framedGraphToViewport(display)
  return { x, y, size: sigma.scaleSize(display.size), color: display.color, label: display.label ?? '' }
}

/** Returns the places of all nodes. */
export function placesOf(sigma: Sigma, { nodes }: Network): (Place | undefined)[] {
  return nodes.map((_, node) => placeOf(sigma, node))
}
