import { at } from '../model/network.ts'
import { packBoxes, type Size } from './pack-boxes.ts'

/** A group of nodes that is placed next to other groups, such as a component, with the position of each node in pixels. */
export interface Part {
  nodes: number[]
  places: Float64Array
}

/** Arranges nodes without neighbours in a grid. Returns an empty list if there are no such nodes. */
export function gridOf(nodes: number[], radii: Float32Array, gap: number): Part[] {
  const step = nodes.reduce((most, node) => Math.max(most, at(radii, node)), 0) * 2 + gap / 2
  const columns = Math.ceil(Math.sqrt(nodes.length))
  const places = nodes.flatMap((_, index) => [(index % columns) * step, -Math.floor(index / columns) * step])
  return nodes.length > 0 ? [{ nodes, places: Float64Array.from(places) }] : []
}

/** Places the parts next to each other. Returns the positions of all nodes. */
export function packed(parts: Part[], radii: Float32Array, gap: number, space: Size): Float64Array<ArrayBuffer> {
  const positions = new Float64Array(radii.length * 2)
  const boxes = parts.map(({ nodes, places }) => boxOf(places, nodes, radii, gap))
  packBoxes(boxes, space).forEach((corner, index) => {
    const [{ nodes, places }, box] = [parts[index] as Part, boxes[index] as Box]
    nodes.forEach((node, at) => {
      const [x, y] = placeOf(places, at)
      positions.set([x - box.left + corner.x, y - box.bottom + corner.y], node * 2)
    })
  })
  return positions
}

interface Box extends Size {
  left: number
  bottom: number
}

/** Returns the box around the nodes as drawn, including the gap to other boxes. */
function boxOf(places: Float64Array, nodes: number[], radii: Float32Array, gap: number): Box {
  let [left, bottom, right, top] = [
    Number.POSITIVE_INFINITY,
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
    Number.NEGATIVE_INFINITY
  ]
  nodes.forEach((node, index) => {
    const [[x, y], radius] = [placeOf(places, index), at(radii, node)]
    left = Math.min(left, x - radius)
    right = Math.max(right, x + radius)
    bottom = Math.min(bottom, y - radius)
    top = Math.max(top, y + radius)
  })
  return { left, bottom, width: right - left + gap, height: top - bottom + gap }
}

/** Returns the minimum and maximum along an axis (0 for x, 1 for y). They are infinite if there are no positions. */
export function rangeAlong(positions: ArrayLike<number>, axis: 0 | 1): [number, number] {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (let index = axis; index < positions.length; index += 2) {
    least = Math.min(least, at(positions, index))
    most = Math.max(most, at(positions, index))
  }
  return [least, most]
}

/** Returns the extent of the positions. It is always positive, even for a single position. */
export function extentOf(positions: Float64Array): Size {
  const [width, height] = ([0, 1] as const).map((axis) => {
    const [least, most] = rangeAlong(positions, axis)
    return Math.max(most - least, 1e-6)
  }) as [number, number]
  return { width, height }
}

export function placeOf(positions: Float64Array, index: number): [number, number] {
  return [at(positions, index * 2), at(positions, index * 2 + 1)]
}
