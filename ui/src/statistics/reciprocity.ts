import { adjacencyOf, type Links } from '../../../picture/measures/links.ts'
import { at } from '../graph/network/network.ts'

/**
 * Returns the fraction of directed edges that have an opposite edge. As in networkx, parallel edges count once, and a loop has no
 * opposite. Returns undefined if there are no edges.
 */
export function reciprocity(links: Links): number | undefined {
  const { count, source, target } = links
  const [out, incoming] = [adjacencyOf(links, 'out'), adjacencyOf(links, 'in')]
  const isLoop = new Uint8Array(count)
  source.forEach((from, edge) => {
    if (from === target[edge]) isLoop[from] = 1
  })
  let all = out.neighbours.length
  for (const loop of isLoop) all += loop
  /** For each node, the last node that marked it as a successor, plus 1. */
  const markedBy = new Uint32Array(count)
  let mutual = 0
  for (let node = 0; node < count; node++) {
    for (let index = at(out.offsets, node); index < at(out.offsets, node + 1); index++) {
      markedBy[at(out.neighbours, index)] = node + 1
    }
    for (let index = at(incoming.offsets, node); index < at(incoming.offsets, node + 1); index++) {
      if (markedBy[at(incoming.neighbours, index)] === node + 1) mutual++
    }
  }
  return all > 0 ? mutual / all : undefined
}
