import type { Value } from '../graph/attributes.ts'
import type { Size } from './pack-boxes.ts'

// The messages between the page and the workers of layouts.

/** The network and its drawing, as a layout takes them; nodes and edges by number. */
export interface LayoutTask {
  method: Method
  positions: Float64Array
  source: Uint32Array
  target: Uint32Array
  /** The weight of each edge, positive. */
  weights: Float32Array
  /** The radius of each node in pixels, and the size of the drawing. */
  radii: Float32Array
  space: Size
  /** 1 for each node that stays where it is. */
  pinned: Uint8Array
  /** The maximum duration of a layout in steps, in milliseconds. */
  limit: number
}

/** A layout with what it goes by. Values are those of every node; NaN for none. */
export type Method =
  | ({ name: 'force' } & Forces)
  | { name: 'circular' | 'grid'; values: Value[] }
  | { name: 'layered'; direction: Direction }
  | { name: 'coordinates'; x: Float64Array; y: Float64Array }
  | { name: 'map'; longitude: Float64Array; latitude: Float64Array; projection: Projection }

export interface Forces {
  /** The pull to the centre, as a multiple of the usual one. */
  gravity: number
  /** Whether edges pull by the logarithm of their length, which draws communities closer together. */
  isLinLog: boolean
}

export const usualForces: Forces = { gravity: 1, isLinLog: false }

export type Direction = 'down' | 'right'

export type Projection = 'equirectangular' | 'mercator'

/** Places of all nodes, and what the user should know of them: the edges against the direction, or the nodes without a place. */
export interface Placed {
  positions: Float64Array<ArrayBuffer>
  remark?: { kind: 'reversed' | 'unplaced'; count: number } | undefined
}

export interface LayoutStep extends Placed {
  isDone: boolean
}

/** Tells why a layout is not possible. */
export type Refusal = 'tooLarge' | 'noValues'

export class LayoutRefused extends Error {
  readonly refusal: Refusal

  constructor(refusal: Refusal) {
    super(refusal)
    this.refusal = refusal
  }
}
