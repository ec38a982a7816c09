import type { Forces, ForceTask } from '../../../picture/layout/force-atlas.ts'
import type { Size } from '../../../picture/layout/pack-boxes.ts'
import type { Value } from '../graph/network/attributes.ts'

// The messages between the page and the workers of layouts.

/** The network and its drawing, as a layout takes them; nodes and edges by number. */
export interface LayoutTask extends ForceTask {
  method: Method
  /** The size of the drawing, in pixels. */
  space: Size
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
