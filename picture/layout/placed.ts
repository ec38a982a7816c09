import type { Size } from './pack-boxes.ts'

/** The radii of the nodes, and the space for the drawing, in pixels. */
export interface Measures {
  radii: Float32Array
  space: Size
}

/** The positions of all nodes, and a remark for the user: the number of reversed edges, or of nodes without a position. */
export interface Placed {
  positions: Float64Array<ArrayBuffer>
  remark?: { kind: 'reversed' | 'unplaced'; count: number } | undefined
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
