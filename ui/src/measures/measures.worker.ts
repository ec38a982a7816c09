import type { Links } from './links.ts'
import { measures } from './measures.ts'
import type { MeasureName } from './names.ts'

// Computes measures in a worker, so that the page stays responsive.

export interface MeasureTask {
  measure: MeasureName
  links: Links
}

/** The completed fraction, from 0 to 1, or finally the value of every node. */
export type MeasureMessage = { share: number } | { values: Float64Array<ArrayBuffer> }

/** The time between reports, in milliseconds. */
const INTERVAL = 100

self.onmessage = ({ data: { measure, links } }: MessageEvent<MeasureTask>) => {
  let last = performance.now()
  const values = measures[measure](links, (share) => {
    const now = performance.now()
    if (now - last < INTERVAL) return
    last = now
    self.postMessage({ share } satisfies MeasureMessage)
  }) as Float64Array<ArrayBuffer>
  self.postMessage({ values } satisfies MeasureMessage, { transfer: [values.buffer] })
}
