import type { Links } from '../../../picture/measures/links.ts'
import { at } from '../graph/network/network.ts'

/**
 * Returns links that are all directed or all undirected, like a graph of networkx. If only some are directed, each of the others
 * becomes two directed ones, and an undirected loop becomes one.
 */
export function uniformLinks(links: Links): Links {
  const { count, source, target, directed, weights } = links
  if (!isDirected(links)) return links
  const twice: number[] = []
  for (let edge = 0; edge < source.length; edge++) {
    if (directed[edge] === 0 && source[edge] !== target[edge]) twice.push(edge)
  }
  const edges = [...source.keys(), ...twice]
  const isReverse = (index: number) => index >= source.length
  return {
    count,
    source: Uint32Array.from(edges, (edge, index) => at(isReverse(index) ? target : source, edge)),
    target: Uint32Array.from(edges, (edge, index) => at(isReverse(index) ? source : target, edge)),
    directed: new Uint8Array(edges.length).fill(1),
    weights: Float64Array.from(edges, (edge) => at(weights, edge))
  }
}

/** Returns whether any link is directed. */
export function isDirected({ directed }: Links): boolean {
  return directed.includes(1)
}
