import { forceCollide } from 'd3-force'
import { componentsOf } from '../graph/components.ts'
import { at } from '../graph/network.ts'
import { randomFrom } from '../graph/random.ts'
import { packBoxes, type Size } from './pack-boxes.ts'

// The last step of a layout: nodes are moved apart, and components beside one another.

/** The nodes and edges of a layout, by number. */
export interface LaidOut {
  positions: Float64Array<ArrayBuffer>
  source: Uint32Array
  target: Uint32Array
  /** The radius of each node as it is drawn, in pixels. */
  radii: Float32Array
}

/** The greatest distances in pixels: between components, and between nodes. They are smaller where there are many nodes. */
const GAP = 30
const MARGIN = 12

/** Moving nodes apart makes the drawing larger, and so its scale smaller: it is tried anew at most as many times. */
const ROUNDS = 12
/** The steps that move nodes apart in a round, at most, and the time for all of them in milliseconds. */
const STEPS = 120
const LIMIT = 2500
/** Nodes are apart when a step moves none of them by this number of pixels. */
const STILL = 0.3

/** Nodes of a component, with a position for each, in pixels. */
interface Part {
  nodes: number[]
  places: Float64Array
}

/** Returns positions in pixels at which no nodes overlap, when the whole is fitted into the space. */
export function tidied({ positions, source, target, radii }: LaidOut, space: Size): Float64Array<ArrayBuffer> {
  const components = componentsOf(radii.length, source, target)
  const single = components.filter(({ length }) => length === 1).flat()
  const parts = components
    .filter(({ length }) => length > 1)
    .map((nodes) => ({ nodes, places: Float64Array.from(nodes.flatMap((node) => [...placeOf(positions, node)])) }))
  const areas = parts.reduce((sum, { places }) => sum + areaOf(extentOf(places)), 0)
  // The side of the square that a node has for itself.
  const room = Math.sqrt(areaOf(space) / radii.length)
  let [gap, margin] = [Math.min(GAP, room * 0.6), Math.min(MARGIN, room * 0.2)]
  const end = performance.now() + LIMIT
  let scale = areas > 0 ? Math.sqrt(areaOf(space) / areas) : 1
  let placed = positions
  for (let round = 0; round < ROUNDS && performance.now() < end; round++) {
    const spread = parts.map((part) => movedApart(part, scale, radii, margin, end))
    placed = packed([...spread, ...gridOf(single, radii, gap)], radii, gap, space)
    const { width, height } = extentOf(placed)
    const fit = Math.min(space.width / width, space.height / height)
    // Rounding matters to nobody.
    if (fit > 0.97) break
    scale *= fit
    // Where scaling is not enough, nodes come closer to one another.
    if (round > 1) [gap, margin] = [gap * fit, margin * fit]
  }
  return placed
}

/** Moves the nodes of a component apart, at a scale. */
function movedApart({ nodes, places }: Part, scale: number, radii: Float32Array, margin: number, end: number): Part {
  const bodies = nodes.map((node, index) => {
    const [x, y] = placeOf(places, index)
    return { index, x: x * scale, y: y * scale, vx: 0, vy: 0, radius: at(radii, node) + margin / 2 }
  })
  const collide = forceCollide<(typeof bodies)[number]>(({ radius }) => radius)
  // It parts nodes in the same place, alike in each run.
  collide.initialize?.(bodies, randomFrom(1))
  for (let step = 0; step < STEPS && performance.now() < end; step++) {
    collide(1)
    let most = 0
    for (const body of bodies) {
      body.x += body.vx
      body.y += body.vy
      most = Math.max(most, Math.abs(body.vx), Math.abs(body.vy))
      body.vx = body.vy = 0
    }
    if (most < STILL) break
  }
  return { nodes, places: Float64Array.from(bodies.flatMap(({ x, y }) => [x, y])) }
}

/** Nodes without neighbours in a grid; none for none. */
function gridOf(nodes: number[], radii: Float32Array, gap: number): Part[] {
  const step = nodes.reduce((most, node) => Math.max(most, at(radii, node)), 0) * 2 + gap / 2
  const columns = Math.ceil(Math.sqrt(nodes.length))
  const places = nodes.flatMap((_, index) => [(index % columns) * step, -Math.floor(index / columns) * step])
  return nodes.length > 0 ? [{ nodes, places: Float64Array.from(places) }] : []
}

/** Places the parts beside one another. */
function packed(parts: Part[], radii: Float32Array, gap: number, space: Size): Float64Array<ArrayBuffer> {
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

/** The box around the nodes as they are drawn, with the gap to others. */
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

/** The extent of positions: at least a pixel, since a single place has none. */
function extentOf(positions: Float64Array): Size {
  const [x, y] = [0, 1].map((axis) => {
    let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
    for (let index = axis; index < positions.length; index += 2) {
      least = Math.min(least, at(positions, index))
      most = Math.max(most, at(positions, index))
    }
    return most - least
  }) as [number, number]
  return { width: Math.max(x, 1e-6), height: Math.max(y, 1e-6) }
}

function areaOf({ width, height }: Size): number {
  return width * height
}

function placeOf(positions: Float64Array, index: number): [number, number] {
  return [at(positions, index * 2), at(positions, index * 2 + 1)]
}
