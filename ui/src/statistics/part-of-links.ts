import type { Links } from '../../../picture/measures/links.ts'
import { at } from '../graph/network/network.ts'

/** Returns the links among some nodes, which are renumbered in their order. Omits hidden edges. */
export function partOfLinks(links: Links, nodes: ArrayLike<number>, hiddenEdges?: Uint8Array): Links {
  const { count, source, target, directed, weights } = links
  const places = new Int32Array(count).fill(-1)
  for (let place = 0; place < nodes.length; place++) places[at(nodes, place)] = place
  const isShown = (edge: number) =>
    at(places, at(source, edge)) >= 0 && at(places, at(target, edge)) >= 0 && hiddenEdges?.[edge] !== 1
  const edges = Uint32Array.from(source.keys()).filter(isShown)
  return {
    count: nodes.length,
    source: edges.map((edge) => at(places, at(source, edge))),
    target: edges.map((edge) => at(places, at(target, edge))),
    directed: Uint8Array.from(edges, (edge) => at(directed, edge)),
    weights: Float64Array.from(edges, (edge) => at(weights, edge))
  }
}
