import { at } from '../graph/network/network.ts'

/** A binary min-heap of nodes, ordered by distance. */
export class NodeHeap {
  readonly #distance: Float64Array
  readonly #nodes: Uint32Array
  /** The position of each node in the heap, counted from 1, or 0 if it is not in the heap. */
  readonly #place: Uint32Array
  #size = 0

  /** The caller updates `distance`. The distance of a node in the heap may only decrease. */
  constructor(distance: Float64Array) {
    this.#distance = distance
    this.#nodes = new Uint32Array(distance.length + 1)
    this.#place = new Uint32Array(distance.length)
  }

  /** Adds a node, or moves it up after its distance has decreased. */
  put(node: number) {
    let place = at(this.#place, node) || ++this.#size
    for (; place > 1; place >>= 1) {
      const parent = at(this.#nodes, place >> 1)
      if (at(this.#distance, parent) <= at(this.#distance, node)) break
      this.#set(place, parent)
    }
    this.#set(place, node)
  }

  /** Removes and returns the nearest node, or undefined if the heap is empty. */
  take(): number | undefined {
    if (this.#size === 0) return undefined
    const nearest = at(this.#nodes, 1)
    const last = at(this.#nodes, this.#size--)
    this.#place[nearest] = 0
    if (this.#size > 0) this.#sink(last)
    return nearest
  }

  /** Puts a node at the top of the heap and moves it down to its position. */
  #sink(node: number) {
    let place = 1
    for (;;) {
      let child = place * 2
      if (child > this.#size) break
      if (child < this.#size && this.#distanceAt(child + 1) < this.#distanceAt(child)) child++
      if (this.#distanceAt(child) >= at(this.#distance, node)) break
      this.#set(place, at(this.#nodes, child))
      place = child
    }
    this.#set(place, node)
  }

  #distanceAt(place: number) {
    return at(this.#distance, at(this.#nodes, place))
  }

  #set(place: number, node: number) {
    this.#nodes[place] = node
    this.#place[node] = place
  }
}
