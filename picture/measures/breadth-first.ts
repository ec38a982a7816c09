import { at } from '../model/network.ts'
import type { Adjacency } from './links.ts'

/** A breadth-first search that reuses its arrays across searches. */
interface BreadthFirst {
  /** Returns the reachable nodes in order of distance. The array is valid until the next search. */
  from(start: number): Uint32Array
  /** The distance in edges from the most recent start node to each node, or -1 if the node is unreachable. */
  distance: Int32Array
}

export function breadthFirst({ offsets, neighbours }: Adjacency): BreadthFirst {
  const count = offsets.length - 1
  const distance = new Int32Array(count).fill(-1)
  const order = new Uint32Array(count)
  let reached = 0
  return {
    distance,
    from(start) {
      for (let place = 0; place < reached; place++) distance[at(order, place)] = -1
      order[0] = start
      distance[start] = 0
      reached = 1
      for (let place = 0; place < reached; place++) {
        const node = at(order, place)
        const [next, end] = [at(distance, node) + 1, at(offsets, node + 1)]
        for (let index = at(offsets, node); index < end; index++) {
          const neighbour = at(neighbours, index)
          if (at(distance, neighbour) >= 0) continue
          distance[neighbour] = next
          order[reached++] = neighbour
        }
      }
      return order.subarray(0, reached)
    }
  }
}
