import type { Links } from './links.ts'
import { measures } from './measures.ts'
import type { MeasureName } from './names.ts'
import { answer } from './worker-answer.ts'

// Computes measures in a worker, so that the page stays responsive.

export interface MeasureTask {
  measure: MeasureName
  links: Links
  /** The resolution of communities. If absent, it is 1. */
  resolution: number | undefined
}

self.onmessage = ({ data: { measure, links, resolution } }: MessageEvent<MeasureTask>) =>
  answer((report) => measures[measure](links, report, resolution))
