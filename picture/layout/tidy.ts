import { forceCollide } from 'd3-force'
import { componentsOf } from '../model/components.ts'
import { at } from '../model/network.ts'
import { randomFrom } from '../model/random.ts'
import type { Size } from './pack-boxes.ts'
import { extentOf, gridOf, type Part, packed, placeOf } from './parts.ts'

// The last step of a layout, which separates overlapping nodes and places components next to each other.

/** The nodes and edges of a layout, by index. */
interface LaidOut {
  positions: Float64Array<ArrayBuffer>
  source: Uint32Array
  target: Uint32Array
  /** The radius of each node as drawn, in pixels. */
  radii: Float32Array
  /** 1 for each node that must stay in place. */
  pinned: Uint8Array
  /** Whether components stay in place. Always the case if nodes are pinned. */
  keepsPositions?: boolean
  /** The distance between nodes relative to the default. If 0, nodes may overlap. */
  spacing?: number
}

/** The maximum distance between components, and between nodes, in pixels. Both decrease if there are many nodes. */
const GAP = 30
const MARGIN = 12

/**
 * The maximum number of rounds. Separating nodes enlarges the drawing, which must then be scaled down, so another round is
 * needed.
 */
const ROUNDS = 12
/** The maximum number of steps per round that separate nodes. */
const STEPS = 120
/** A scale closer to the last one makes no visible difference. */
const VISIBLE = 0.97
/** Nodes are considered separated once a step moves each of them by less than this many pixels. */
const STILL = 0.3

/**
 * Returns positions in pixels at which no nodes overlap once the drawing is fitted into the space. If nodes are pinned or keep
 * their positions, the positions keep their scale and components stay in place. Calls `isOver` after each step and stops when it returns true.
 */
export function tidied(laidOut: LaidOut, space: Size, isOver: () => boolean): Float64Array<ArrayBuffer> {
  if (laidOut.spacing === 0) return laidOut.positions
  const isInPlace = laidOut.keepsPositions === true || laidOut.pinned.includes(1)
  return isInPlace ? tidiedInPlace(laidOut, space, isOver) : tidiedFreely(laidOut, space, isOver)
}

function tidiedInPlace(
  { positions, radii, pinned, spacing = 1 }: LaidOut,
  space: Size,
  isOver: () => boolean
): Float64Array<ArrayBuffer> {
  const margin = Math.min(MARGIN, Math.sqrt(areaOf(space) / radii.length) * 0.2) * spacing
  const nodes = [...radii.keys()]
  let placed = positions
  let before = Number.POSITIVE_INFINITY
  for (let round = 0; round < ROUNDS && !isOver(); round++) {
    const { width, height } = extentOf(placed)
    const scale = Math.min(space.width / width, space.height / height)
    if (scale > before * VISIBLE) break
    before = scale
    const { places } = movedApart({ nodes, places: placed }, scale, radii, margin, isOver, pinned)
    placed = positions.map((place, index) => (pinned[index >> 1] ? place : at(places, index) / scale))
  }
  return placed
}

function tidiedFreely(
  { positions, source, target, radii, spacing = 1 }: LaidOut,
  space: Size,
  isOver: () => boolean
): Float64Array<ArrayBuffer> {
  const components = componentsOf(radii.length, source, target)
  const single = components.filter(({ length }) => length === 1).flat()
  const parts = components
    .filter(({ length }) => length > 1)
    .map((nodes) => ({ nodes, places: Float64Array.from(nodes.flatMap((node) => [...placeOf(positions, node)])) }))
  const areas = parts.reduce((sum, { places }) => sum + areaOf(extentOf(places)), 0)
  // The side of the square that is available to each node.
  const room = Math.sqrt(areaOf(space) / radii.length)
  let [gap, margin] = [Math.min(GAP, room * 0.6), Math.min(MARGIN, room * 0.2) * spacing]
  let scale = areas > 0 ? Math.sqrt(areaOf(space) / areas) : 1
  let placed = positions
  for (let round = 0; round < ROUNDS && !isOver(); round++) {
    const spread = parts.map((part) => movedApart(part, scale, radii, margin, isOver))
    placed = packed([...spread, ...gridOf(single, radii, gap)], radii, gap, space)
    const { width, height } = extentOf(placed)
    const fit = Math.min(space.width / width, space.height / height)
    if (fit > VISIBLE) break
    scale *= fit
    // If scaling is not enough, reduce the distances between nodes.
    if (round > 1) [gap, margin] = [gap * fit, margin * fit]
  }
  return placed
}

/** Separates overlapping nodes at this scale. Pinned nodes stay in place. */
function movedApart(
  { nodes, places }: Part,
  scale: number,
  radii: Float32Array,
  margin: number,
  isOver: () => boolean,
  pinned?: Uint8Array
): Part {
  const bodies = nodes.map((node, index) => {
    const [x, y] = placeOf(places, index)
    return { index, x: x * scale, y: y * scale, vx: 0, vy: 0, radius: at(radii, node) + margin / 2 }
  })
  const collide = forceCollide<(typeof bodies)[number]>(({ radius }) => radius)
  // With a fixed seed, nodes at the same position are separated in the same way each time.
  collide.initialize?.(bodies, randomFrom(1))
  for (let step = 0; step < STEPS && !isOver(); step++) {
    collide(1)
    let most = 0
    for (const body of bodies) {
      if (pinned?.[nodes[body.index] as number]) body.vx = body.vy = 0
      body.x += body.vx
      body.y += body.vy
      most = Math.max(most, Math.abs(body.vx), Math.abs(body.vy))
      body.vx = body.vy = 0
    }
    if (most < STILL) break
  }
  return { nodes, places: Float64Array.from(bodies.flatMap(({ x, y }) => [x, y])) }
}

function areaOf({ width, height }: Size): number {
  return width * height
}
