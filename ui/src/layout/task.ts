import type { Forces, ForceTask } from '../../../picture/layout/force-layout.ts'
import type { Direction } from '../../../picture/layout/layered.ts'
import type { Order } from '../../../picture/layout/order-values.ts'
import type { Measures, Placed } from '../../../picture/layout/placed.ts'

// The messages exchanged by the page and the layout workers.

/** The input of a layout: the network, with nodes and edges by index, and the drawing. */
export interface LayoutTask extends ForceTask, Measures {
  method: Method
  /** The maximum duration of a stepwise layout, in milliseconds, until the user continues it. */
  limit: number
}

/** A layout with its options. Values are given for every node. NaN means no value. */
export type Method =
  /** `keepsPositions` starts from the positions of the nodes instead of new ones. */
  | ({ name: 'force'; keepsPositions: boolean; spacing: number } & Forces)
  /** The positions from which the layout starts are only tidied. */
  | { name: 'given' }
  | ({ name: 'circular' | 'grid' } & Order)
  /** The root is the node in the middle. If undefined, it is the most central node. */
  | { name: 'radial'; root: number | undefined }
  | { name: 'layered'; direction: Direction }
  | { name: 'coordinates'; x: Float64Array; y: Float64Array }
  | { name: 'map'; longitude: Float64Array; latitude: Float64Array; projection: Projection }

export type Projection = 'equirectangular' | 'mercator'

/** A step of a layout, which may be the last. */
export interface LayoutStep extends Placed {
  isDone: boolean
  /** The completed fraction of a stepwise layout, as an estimate. */
  progress?: number
  /** Whether the movement of a stepwise layout has not ended. */
  isUnsettled?: boolean
}
