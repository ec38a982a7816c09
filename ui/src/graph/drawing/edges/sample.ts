import { at, type Network } from '../../network/network.ts'

/** The golden ratio. The fractional parts of any number of its multiples are evenly spread. */
const GOLDEN = (Math.sqrt(5) - 1) / 2

/**
 * Returns the rank of each edge, from 0 to 1. A drawing that has room for only a fraction of the edges shows those up to that
 * rank. Ranks are spread evenly over the edges, because files usually sort edges by endpoint. Each node with edges has one of
 * rank 0, so that it does not look isolated. Hidden edges are ignored.
 */
export function ranksOf({ nodes, source, target }: Network, hidden?: Uint8Array): Float32Array {
  const ranks = Float32Array.from(source, (_, edge) => (edge * GOLDEN) % 1)
  const isHidden = (edge: number) => hidden?.[edge] === 1
  const first = new Int32Array(nodes.length).fill(-1)
  for (let edge = 0; edge < source.length; edge++) {
    if (isHidden(edge)) continue
    for (const node of [at(source, edge), at(target, edge)]) {
      const known = at(first, node)
      if (known < 0 || at(ranks, edge) < at(ranks, known)) first[node] = edge
    }
  }
  for (const edge of first) if (edge >= 0) ranks[edge] = 0
  return ranks
}
