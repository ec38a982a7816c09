import type { Point } from '../../../../picture/edges/shapes.ts'
import { rangeAlong } from '../../../../picture/layout/parts.ts'
import type { Node } from '../../api.ts'
import { at, GOLDEN_ANGLE, isPlaced, type Network, neighboursOf } from '../network/network.ts'
import type { Frame } from './stage.ts'

/** The maximum distance that new nodes keep from others, in pixels, and that from a single node that is not drawn, in units. */
const MOST = 60
const MOST_UNITS = 10

/** The distance in a dense network, as a fraction of that between evenly spaced nodes. A larger one would leave few places. */
const SHARE = 0.5

/**
 * Returns the nodes of a network, with places for those that have none: near their neighbours, or else in the middle of the
 * visible part, and apart from all other nodes.
 */
export function withFreePlaces(network: Network, nodes: Node[], frame: Frame | undefined): Node[] {
  const places = nodes.map((node) => (isPlaced(node) ? { x: node.x ?? 0, y: node.y ?? 0 } : undefined))
  const placed = places.filter((place) => place !== undefined)
  if (placed.length === nodes.length) return nodes
  const taken = new TakenPlaces(distanceFor(placed, frame))
  for (const place of placed) taken.add(place)
  const middle = frame?.point ?? meanOf(placed)
  for (const index of outwards(network, places)) {
    const around = Array.from(neighboursOf(network, index), (other) => places[other])
    const near = around.filter((place) => place !== undefined)
    places[index] = taken.takeNear(near.length > 0 ? meanOf(near) : middle)
  }
  return nodes.map((node, index) => (isPlaced(node) ? node : { ...node, ...places[index] }))
}

/** The places of nodes, by square, so that those near a place are found quickly. */
class TakenPlaces {
  readonly #distance: number
  readonly #squares = new Map<string, Point[]>()
  /** The number of places around each point that have been tried. */
  readonly #tried = new Map<string, number>()

  constructor(distance: number) {
    this.#distance = distance
  }

  add(place: Point) {
    const square = this.#squareAt(place, 0, 0)
    const places = this.#squares.get(square)
    if (places) places.push(place)
    else this.#squares.set(square, [place])
  }

  /** Takes the first free place on a spiral around a point, and returns it. */
  takeNear({ x, y }: Point): Point {
    const point = `${x} ${y}`
    for (let step = this.#tried.get(point) ?? 0; ; step++) {
      const [angle, radius] = [step * GOLDEN_ANGLE, (this.#distance / 3) * Math.sqrt(step)]
      const place = { x: x + Math.cos(angle) * radius, y: y + Math.sin(angle) * radius }
      if (!this.#isFree(place)) continue
      this.#tried.set(point, step + 1)
      this.add(place)
      return place
    }
  }

  #isFree(place: Point): boolean {
    const sides = [-1, 0, 1]
    const near = sides.flatMap((x) => sides.flatMap((y) => this.#squares.get(this.#squareAt(place, x, y)) ?? []))
    return !near.some(({ x, y }) => Math.hypot(x - place.x, y - place.y) < this.#distance)
  }

  /** Returns the name of the square at a place, or of one beside it. */
  #squareAt({ x, y }: Point, right: number, up: number): string {
    return `${Math.floor(x / this.#distance) + right} ${Math.floor(y / this.#distance) + up}`
  }
}

/** Returns the distance that new nodes keep from others. */
function distanceFor(placed: Point[], frame: Frame | undefined): number {
  const positions = Float64Array.from(placed.flatMap(({ x, y }) => [x, y]))
  const [width, height] = ([0, 1] as const).map((axis) => {
    const [least, greatest] = rangeAlong(positions, axis)
    return Math.max(0, greatest - least)
  }) as [number, number]
  // The nodes may be on a line.
  const area = Math.max(width * height, Math.max(width, height) ** 2 / placed.length)
  const most = frame ? MOST * frame.pixel : Number.POSITIVE_INFINITY
  const distance = area > 0 ? Math.min(most, SHARE * Math.sqrt(area / placed.length)) : most
  return Number.isFinite(distance) ? distance : MOST_UNITS
}

/** Returns the nodes without a place, each after one of its neighbours if possible. */
function outwards(network: Network, places: (Point | undefined)[]): number[] {
  const order = [...places.keys()].filter((node) => places[node])
  const seen = new Set(order)
  const add = (node: number) => {
    if (!seen.has(node)) order.push(node)
    seen.add(node)
  }
  const first = order.length
  let start = 0
  for (let next = 0; order.length < places.length; next++) {
    while (next === order.length) add(start++)
    for (const other of neighboursOf(network, at(order, next))) add(other)
  }
  return order.slice(first)
}

function meanOf(places: Point[]): Point {
  const sum = (axis: keyof Point) => places.reduce((total, place) => total + place[axis], 0) / places.length
  return { x: sum('x'), y: sum('y') }
}
