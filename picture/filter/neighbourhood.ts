import { at, type Network } from '../model/network.ts'

/** Returns 1 for each node within this many edges of the start node, in either direction, and 0 for all others. */
export function neighbourhoodOf({ nodes, source, target, incident, offsets }: Network, start: number, depth: number) {
  const reached = new Uint8Array(nodes.length)
  reached[start] = 1
  let border = [start]
  for (let step = 0; step < depth && border.length > 0; step++) {
    const next: number[] = []
    for (const node of border) {
      for (let place = at(offsets, node); place < at(offsets, node + 1); place++) {
        const edge = at(incident, place)
        // One of the two endpoints is the node itself.
        for (const end of [at(source, edge), at(target, edge)]) {
          if (reached[end] === 1) continue
          reached[end] = 1
          next.push(end)
        }
      }
    }
    border = next
  }
  return reached
}
