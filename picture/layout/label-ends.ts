import type { Point } from '../edges/shapes.ts'
import { at, edgesOf, isLarge, type Network, otherEnd } from '../model/network.ts'

/** The maximum number of edges at a node whose label avoids them. Around nodes with more edges, few places are free of them. */
const MOST = 8

/**
 * Returns the other ends of a node's edges, for the placement of its label. Returns none if the node has many edges, or in large
 * networks, where labels are placed in every frame.
 */
export function labelEnds(network: Network, node: number, pointOf: (node: number) => Point | undefined): Point[] {
  if (isLarge(network) || at(network.degree, node) > MOST) return []
  return edgesOf(network, node).flatMap((edge) => {
    const end = otherEnd(network, edge, node)
    return end === node ? [] : (pointOf(end) ?? [])
  })
}
