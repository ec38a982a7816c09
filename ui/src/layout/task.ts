import type { Forces, ForceTask } from '../../../picture/layout/force-layout.ts'
import type { Size } from '../../../picture/layout/pack-boxes.ts'
import type { Value } from '../graph/network/attributes.ts'

// The messages exchanged by the page and the layout workers.

/** The input of a layout: the network, with nodes and edges by index, and the drawing. */
export interface LayoutTask extends ForceTask {
  method: Method
  /** The size of the drawing, in pixels. */
  space: Size
  /** The maximum duration of a stepwise layout, in milliseconds, until the user continues it. */
  limit: number
}

/** A layout with its options. Values are given for every node. NaN means no value. */
export type Method =
  | ({ name: 'force' } & Forces)
  | { name: 'circular' | 'grid'; values: Value[] }
  | { name: 'layered'; direction: Direction }
  | { name: 'coordinates'; x: Float64Array; y: Float64Array }
  | { name: 'map'; longitude: Float64Array; latitude: Float64Array; projection: Projection }

export type Direction = 'down' | 'right'

export type Projection = 'equirectangular' | 'mercator'

/** The positions of all nodes, and a remark for the user: the number of reversed edges, or of nodes without a position. */
export interface Placed {
  positions: Float64Array<ArrayBuffer>
  remark?: { kind: 'reversed' | 'unplaced'; count: number } | undefined
}

/** A step of a layout, which may be the last. */
export interface LayoutStep extends Placed {
  isDone: boolean
  /** The completed fraction of a stepwise layout, as an estimate. */
  progress?: number
  /** Whether the movement of a stepwise layout has not ended. */
  isUnsettled?: boolean
}

/** The reason why a layout is impossible. */
export type Refusal = 'tooLarge' | 'noValues'

export class LayoutRefused extends Error {
  readonly refusal: Refusal

  constructor(refusal: Refusal) {
    super(refusal)
    this.refusal = refusal
  }
}
